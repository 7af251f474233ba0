#!/usr/bin/env bash
# table_test.sh: table.sh counts what invented logs report, and notices missing logs and reported faults.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export QNNPP_BUILD_ROOT=$scratch QNNPP_RELIABILITY_PAGE=$scratch/page.md

make_logs() {
  local preset
  for preset in gcc gcc-release clang-14 clang-19 asan tsan; do
    mkdir -p "$scratch/$preset/Testing/Temporary"
    printf '%s\n' 'C calls failed: 7' 'C calls failed: 3' 'allocations failed: 5' 'state-operation pairs: 8 of 8' \
      'random operations: 100' 'fuzz executions: 10' 'thread runs: 4' 'pairs of shared objects: 2' 'shared objects closed: 3' >"$scratch/$preset/Testing/Temporary/LastTest.log"
    echo '1/1 Test #1: one ....   Passed    0.01 sec' >"$scratch/$preset/ctest.log"
  done
}
# expect <exit code> <words that are printed> <argument of table.sh>...
expect() {
  local code=$1 words=$2 found=0 text
  shift 2
  text=$(./table.sh "$@" 2>&1) || found=$?
  [ "$found" -eq "$code" ] || { printf '%s\nexit code %s instead of %s\n' "$text" "$found" "$code" >&2; exit 1; }
  [[ $text == *"$words"* ]] || { printf "%s\nlacks '%s'\n" "$text" "$words" >&2; exit 1; }
}

make_logs
printf 'before\n<!-- table -->\n<!-- end -->\nafter\n' >"$scratch/page.md"
expect 1 'has other rows'
expect 0 '| C calls failed | 60 | 10 |' --write
expect 0 '| (state, operation) pairs | 8 of 8 | 8 of 8 |'
grep -q '^| thread runs | 24 | 4 |$' "$scratch/page.md"
grep -q '^after$' "$scratch/page.md"
sed -i '/^| races/d' "$scratch/page.md"
expect 1 'has other rows'
expect 0 '| races | 0 | - |' --write

sed -i '/^fuzz/d' "$scratch"/*/Testing/Temporary/LastTest.log
expect 1 "no test printed 'fuzz executions: N'"
make_logs
sed -i 's/8 of 8/7 of 8/' "$scratch/asan/Testing/Temporary/LastTest.log"
expect 1 'state-operation pairs'
make_logs
echo '==1==ERROR: LeakSanitizer: detected memory leaks' >>"$scratch/asan/Testing/Temporary/LastTest.log"
expect 1 'leaks: 1'
make_logs
echo 'WARNING: ThreadSanitizer: data race (pid=1)' >>"$scratch/tsan/Testing/Temporary/LastTest.log"
expect 1 'races: 1'
expect 0 'leaks: 0, races: 1, hangs: 0' --found tsan
make_logs
echo '1/1 Test #1: one ....***Timeout 300.01 sec' >"$scratch/gcc/ctest.log"
expect 1 'hangs: 1'
expect 0 'leaks: 0, races: 0, hangs: 1' --found gcc
expect 0 'leaks: 0, races: 0, hangs: 0' --found none
rm "$scratch/tsan/ctest.log"
expect 1 'is missing'
