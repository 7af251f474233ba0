#!/usr/bin/env bash
# Sets up, builds and runs the tests. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cmake/setup.sh"

matrix=(gcc gcc-release clang-14 clang-19 libcxx asan tsan)

usage() {
  cat <<EOT
usage: tests/run.sh [--matrix | PRESET...]

Installs the Debian packages that are missing, configures, builds and runs the tests. Prints at the end the duration of the
run, its ten slowest steps, and how many tests on Qualcomm's library, which tests/conformance/package.sh fetches, passed, failed
or were skipped.

  (nothing)   the default build: preset gcc
  PRESET      only these presets; possible are: ${matrix[*]}
  --matrix    all presets, one after another; then the counts of docs/reliability.md (tests/reliability/table.sh)
  -h, --help  this text

Builds are kept in build/<preset>; QNNPP_BUILD_ROOT in the environment names another folder than build. Builds use ccache
if it is installed; CCACHE_DISABLE=1 disables it.
EOT
}

presets=()
counts=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --matrix) presets=("${matrix[@]}") counts=yes ;;
    -*) usage >&2; die "unknown option '$1'" ;;
    *)
      [[ " ${matrix[*]} " == *" $1 "* ]] || die "unknown preset '$1'; there are: ${matrix[*]}"
      [[ " ${presets[*]} " == *" $1 "* ]] || presets+=("$1") ;;
  esac
  shift
done
[ ${#presets[@]} -gt 0 ] || presets=(gcc)

# Prints the packages that only this preset needs.
packages_of() {
  case $1 in
    clang-14) echo clang-14 ;;
    clang-19) echo clang-19 clang-format-19 clang-tidy-19 ;;
    libcxx) echo clang-19 googletest libc++-19-dev libc++abi-19-dev ;;
    asan | tsan) echo clang-19 libclang-rt-19-dev ;;
  esac
}

scratch=$(mktemp -d)
# Rows of the report, one for each preset: name, number of tests, seconds, CPU seconds, outcome.
rows=()
# end_row <tests> <outcome>: adds the row of the current preset.
end_row() {
  read_cpu
  rows+=("$current $1 $((SECONDS - started)) $((cpu - cpu_before)) $2")
  note_steps
  current=''
}

# note_steps: adds the steps of the current preset to $scratch/steps: seconds, preset, step. Steps of the build are the entries
# of ninja's log whose result is not older than the run.
note_steps() {
  local folder=$build_root/$current
  if [ -f "$folder/.ninja_log" ]; then
    awk -F '\t' -v preset="$current" -v since="$since" '
      NR > 1 && substr($3, 1, 10) + 0 >= since { printf "%.1f %s: %s\n", ($2 - $1) / 1000, preset, $4 }
    ' "$folder/.ninja_log" >>"$scratch/steps"
  fi
  if [ -f "$folder/ctest.log" ]; then
    sed -nE "s/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: (.*[^ .]) *\.* *(Passed|\*\*\*[A-Za-z ]+) +([0-9.]+) sec.*/\3 $current: test \1/p" \
      "$folder/ctest.log" >>"$scratch/steps"
  fi
}

report() {
  local row
  printf '\n%-12s %6s %8s %8s  %s\n' preset tests seconds 'CPU s' outcome
  # shellcheck disable=SC2086
  for row in "${rows[@]}"; do printf '%-12s %6s %8s %8s  %s\n' $row; done
  read_cpu
  printf '%-12s %6s %8s %8s\n' all '' "$SECONDS" "$cpu"
  [ -s "$scratch/steps" ] || return 0
  printf '\nThe slowest steps, in seconds:\n'
  sort -rn "$scratch/steps" | awk 'NR <= 10 { seconds = $1; $1 = ""; printf "%8.1f %s\n", seconds, substr($0, 1, 140) }'
}

# report_real: prints how many tests on Qualcomm's library passed, failed, and were skipped because it is not there.
report_real() {
  local preset logs=()
  for preset in "${presets[@]}"; do
    [ ! -f "$build_root/$preset/ctest.log" ] || logs+=("$build_root/$preset/ctest.log")
  done
  [ ${#logs[@]} -gt 0 ] || return 0
  awk '
    / Test +#[0-9]+: real: .* sec/ { ++tests; if (/ Passed /) ++passed; else if (/\*\*\*Skipped /) ++skipped }
    END {
      if (!tests) exit
      printf "\nTests on Qualcomm\047s library for x86-64: %d passed, %d failed, %d skipped", passed, tests - passed - skipped, skipped
      print skipped ? " (tests/conformance/package.sh fetches the library)" : ""
    }' "${logs[@]}"
}

current=''
finish() {
  local code=$?
  [ -z "$current" ] || end_row - FAILED
  [ ${#rows[@]} -eq 0 ] || { report; report_real; }
  rm -rf "$scratch"
  exit "$code"
}
trap finish EXIT

packages+=(libgtest-dev librapidcheck-dev pkgconf valgrind xxhash)
for preset in "${presets[@]}"; do
  # shellcheck disable=SC2207
  packages+=($(packages_of "$preset"))
done
# shellcheck disable=SC2046
need_packages $(printf '%s\n' "${packages[@]}" | sort -u)

for preset in "${presets[@]}"; do
  current=$preset started=$SECONDS since=$(date +%s)
  read_cpu
  cpu_before=$cpu
  log=$build_root/$preset/ctest.log
  rm -f "$log"
  build_preset "$preset"
  say "Testing $preset: ctest --test-dir $build_root/$preset"
  ctest --test-dir "$build_root/$preset" --output-on-failure --no-tests=error -LE '^long$' -j "$jobs" </dev/null | tee "$log" || {
    tests/reliability/table.sh --found "$preset"
    die "tests failed in preset $preset; to run one of them again: ctest --test-dir $build_root/$preset -R '<name>' --output-on-failure"
  }
  count=$(sed -n 's/^.* tests failed out of \([0-9]*\)$/\1/p' "$log")
  end_row "${count:--}" ok
done
[ -z "$counts" ] || run "Counting what was tried" tests/reliability/table.sh
