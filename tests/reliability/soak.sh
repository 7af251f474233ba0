#!/usr/bin/env bash
# Lets 2 to 16 threads work on the simulated HTP under the thread sanitizer. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../cmake/setup.sh"

usage() {
  cat <<EOT
usage: tests/reliability/soak.sh [SECONDS]

Builds the tests of preset tsan and repeats the one with many threads for SECONDS (600 unless told), with other parts for
the threads each time: they execute, load, evict, register and destroy at once. Prints how many thread runs it made.
Fails at the first wrong number, misuse, leak or race, and if it takes five minutes longer than asked.
EOT
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
esac
seconds=${1:-600}
[[ $seconds =~ ^[0-9]+$ ]] || { usage >&2; die "'$seconds' is no number of seconds"; }

need_packages "${packages[@]}" libgtest-dev librapidcheck-dev pkgconf xxhash clang-19 libclang-rt-19-dev
cd "$repository"
run "Configuring tsan" cmake --preset tsan -B "$build_root/tsan"
run "Building reliability_tests" cmake --build "$build_root/tsan" -j "$jobs" --target reliability_tests
export QNNPP_SOAK_SECONDS=$seconds
run "Soaking for $seconds seconds" timeout "$((seconds + 300))" \
  "$build_root/tsan/tests/reliability/reliability_tests" '--gtest_filter=a_soak.*'
