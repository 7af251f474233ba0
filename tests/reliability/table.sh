#!/usr/bin/env bash
# Prints the table of docs/reliability.md, from the logs of the tests. See usage below, or run with --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../cmake/setup.sh"

usage() {
  cat <<EOT
usage: tests/reliability/table.sh [--write]
       tests/reliability/table.sh --found PRESET

Prints the counts of the last run of tests/run.sh --matrix, from the logs of its builds. Fails if a count is missing or 0, if
there was a leak, a race or a hang, or if docs/reliability.md has other rows. The numbers of the page may come from an earlier
run.

--write writes the counts to the page. --found prints the leaks, races and hangs in the logs of one build; tests/run.sh uses it
if tests failed.
EOT
}

leak='ERROR: LeakSanitizer:' race='WARNING: ThreadSanitizer:' hang='[*]{3}Timeout'
# lines_of <pattern> <log>...: counts the lines that match.
lines_of() {
  local pattern=$1
  shift
  { grep -ahE "$pattern" "$@" 2>/dev/null || true; } | wc -l
}

write=''
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --write) write=yes ;;
  --found)
    output=$build_root/$2/Testing/Temporary/LastTest.log
    printf 'leaks: %s, races: %s, hangs: %s\n' "$(lines_of "$leak" "$output")" "$(lines_of "$race" "$output")" \
      "$(lines_of "$hang" "$build_root/$2/ctest.log")"
    exit 0
    ;;
  '') ;;
  *) usage >&2; die "unknown option '$1'" ;;
esac
page=${QNNPP_RELIABILITY_PAGE:-$repository/docs/reliability.md}

logs=()     # output of the tests
outcomes=() # which tests passed
for preset in gcc gcc-release clang-14 clang-19 asan tsan; do
  for log in "$build_root/$preset/Testing/Temporary/LastTest.log" "$build_root/$preset/ctest.log"; do
    [ -f "$log" ] || die "$log is missing; run tests/run.sh --matrix"
  done
  logs+=("$build_root/$preset/Testing/Temporary/LastTest.log")
  outcomes+=("$build_root/$preset/ctest.log")
done

# sum_of <words> <log>...: sums the numbers after these words at the beginning of a line.
sum_of() {
  local words=$1
  shift
  sed -nE "s/^$words: ([0-9]+)$/\1/p" "$@" | awk '{ sum += $1 } END { print sum + 0 }'
}

wrong=()
rows=()
# add <name> <total> <in the default run>
add() { rows+=("| $1 | $2 | $3 |"); }

# add_sum <words>: adds a row with the sum of the numbers that tests printed after these words.
add_sum() {
  local total
  total=$(sum_of "$1" "${logs[@]}")
  [ "$total" -gt 0 ] || wrong+=("no test printed '$1: N'")
  add "$1" "$total" "$(sum_of "$1" "${logs[0]}")"
}
# add_pairs: adds a row with the pairs of a state and an operation, which are equal in every build.
add_pairs() {
  local pairs
  pairs=$(sed -nE 's/^state-operation pairs: ([0-9]+ of [0-9]+)$/\1/p' "${logs[@]}" | sort -u)
  if [[ ! $pairs =~ ^([0-9]+)\ of\ ([0-9]+)$ ]]; then
    wrong+=("no test printed 'state-operation pairs: N of N', or they differ: $pairs")
  elif [ "${BASH_REMATCH[1]}" != "${BASH_REMATCH[2]}" ]; then
    wrong+=("not every pair of a state and an operation was made: $pairs")
  fi
  add '(state, operation) pairs' "$pairs" "$pairs"
}
# add_reports <name> <pattern> <in the default run> <log>...: counts the lines that match; there must be none.
add_reports() {
  local name=$1 pattern=$2 default=$3 found
  shift 3
  found=$(lines_of "$pattern" "$@")
  [ "$found" -eq 0 ] || wrong+=("$name: $found")
  add "$name" "$found" "$default"
}
add_sum 'C calls failed'
add_sum 'allocations failed'
add_pairs
add_sum 'random operations'
add_sum 'fuzz executions'
add_sum 'thread runs'
add_sum 'pairs of shared objects'
add_sum 'shared objects closed'
# Only sanitizers report leaks and races; the default build has none.
add_reports leaks "$leak" - "${logs[@]}"
add_reports races "$race" - "${logs[@]}"
add_reports hangs "$hang" "$(lines_of "$hang" "${outcomes[0]}")" "${outcomes[@]}"

table=$(printf '%s\n' '| what | in the matrix | of it in the default build |' '|---|---:|---:|' "${rows[@]}")
printf '%s\n' "$table"

# table_of <page>: prints the text between the markers.
table_of() { sed -n '/^<!-- table -->$/,/^<!-- end -->$/p' "$1" | sed '1d;$d'; }
names_of() { sed -nE 's/^\| ([^|]+) \|.*/\1/p'; }
if [ -n "$write" ]; then
  {
    sed '/^<!-- table -->$/q' "$page"
    printf '%s\n' "$table"
    sed -n '/^<!-- end -->$/,$p' "$page"
  } >"$page.new"
  mv "$page.new" "$page"
  say "Written to $page"
elif [ "$(table_of "$page" | names_of)" != "$(names_of <<<"$table")" ]; then
  wrong+=("$page has other rows; write them with tests/reliability/table.sh --write")
fi
[ ${#wrong[@]} -eq 0 ] || die "$(printf '%s; ' "${wrong[@]}")"
