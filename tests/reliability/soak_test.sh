#!/usr/bin/env bash
# soak_test.sh [PROGRAM]: soak.sh forwards the output of its program and fails when it should. PROGRAM makes a race.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect <exit code> <words that are printed> <argument of soak.sh>...
expect() {
  local code=$1 words=$2 found=0 text
  shift 2
  text=$(./soak.sh "$@" 2>&1) || found=$?
  [ "$found" -eq "$code" ] || { printf '%s\nexit code %s instead of %s\n' "$text" "$found" "$code" >&2; exit 1; }
  [[ $text == *"$words"* ]] || { printf "%s\nlacks '%s'\n" "$text" "$words" >&2; exit 1; }
}
# make <name> <line>...: makes a program of these lines.
make() {
  local name=$1
  shift
  printf '%s\n' '#!/bin/sh' "$@" >"$scratch/$name"
  chmod +x "$scratch/$name"
}

if [ $# -gt 0 ]; then
  expect 1 'WARNING: ThreadSanitizer: data race' --run 0 "$1"
  exit 0
fi
make passes 'echo "seconds: $QNNPP_SOAK_SECONDS, $1, $TSAN_OPTIONS"' 'echo "thread runs: 135"'
expect 0 'seconds: 8, --gtest_filter=a_soak.*, halt_on_error=1' --run 08 "$scratch/passes"
make fails 'echo "thread runs: 135"' 'exit 66'
expect 1 'Soaking for 0 seconds failed (exit code 66)' --run 0 "$scratch/fails"
make is_empty 'echo "0 tests from 0 test suites ran."'
expect 1 'no thread ran' --run 0 "$scratch/is_empty"
make runs_none 'echo "thread runs: 0"'
expect 1 'no thread ran' --run 0 "$scratch/runs_none"
expect 1 'failed (exit code 127)' --run 0 "$scratch/none"
for seconds in -1 ten 1000000 99999999999999999999 ''; do
  expect 1 'is no number of seconds' --run "$seconds" "$scratch/passes"
done
expect 1 'needs SECONDS and PROGRAM' --run 10
expect 1 'one number of seconds' 10 20
expect 0 'usage: tests/reliability/soak.sh [SECONDS]' --help
