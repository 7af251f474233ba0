#!/usr/bin/env bash
# Runs 2 to 16 threads on the simulated HTP under the thread sanitizer. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../cmake/setup.sh"

usage() {
  cat <<EOT
usage: tests/reliability/soak.sh [SECONDS]
       tests/reliability/soak.sh --run SECONDS PROGRAM

Builds the tests of preset tsan and repeats the test with many threads for SECONDS (default: 600, at most 999999). The threads
execute, load, evict, register and destroy at once, in other roles each time. Prints the number of thread runs. Fails at the
first wrong number, misuse, leak or race, if it lasts five minutes longer than SECONDS, and if no thread ran.

--run builds nothing and uses PROGRAM, a build of reliability_tests.
EOT
}

program=''
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --run)
    [ $# -eq 3 ] || { usage >&2; die "--run needs SECONDS and PROGRAM"; }
    program=$3
    shift
    ;;
  *) [ $# -le 1 ] || { usage >&2; die "one number of seconds at most"; } ;;
esac
seconds=${1-600}
[[ $seconds =~ ^[0-9]{1,6}$ ]] || { usage >&2; die "'$seconds' is no number of seconds from 0 to 999999"; }
seconds=$((10#$seconds))

if [ -z "$program" ]; then
  need_packages "${packages[@]}" libgtest-dev librapidcheck-dev pkgconf xxhash clang-19 libclang-rt-19-dev
  cd "$repository"
  run "Configuring tsan" cmake --preset tsan -B "$build_root/tsan"
  run "Building reliability_tests" cmake --build "$build_root/tsan" -j "$jobs" --target reliability_tests
  program=$build_root/tsan/tests/reliability/reliability_tests
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
export QNNPP_SOAK_SECONDS=$seconds
export TSAN_OPTIONS=halt_on_error=1${TSAN_OPTIONS:+:$TSAN_OPTIONS}
run "Soaking for $seconds seconds" timeout "$((seconds + 300))" "$program" '--gtest_filter=a_soak.*' | tee "$log"
grep -q '^thread runs: [1-9]' "$log" || die "no thread ran: $program has no such test"
