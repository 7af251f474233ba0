#!/usr/bin/env bash
# planted_test.sh PROGRAM leak|race: PROGRAM makes a leak or a race, so its test fails, and table.sh counts the report in the
# log of ctest. The log belongs to a separate build; the log of the real build counts only what the library does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
program=$1 kind=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
die() {
  printf '%s\n' "$*" >&2
  exit 1
}

mkdir "$scratch/planted"
printf 'add_test(planted "%s" %s)\n' "$program" "$kind" >"$scratch/planted/CTestTestfile.cmake"
if ctest --test-dir "$scratch/planted" >"$scratch/planted/ctest.log" 2>&1; then
  die "a program with a $kind passes"
fi
case $kind in
  leak) wanted='leaks: 1, races: 0, hangs: 0' ;;
  race) wanted='leaks: 0, races: 1, hangs: 0' ;;
  *) die "no kind '$kind'" ;;
esac
found=$(QNNPP_BUILD_ROOT=$scratch ./table.sh --found planted)
[ "$found" = "$wanted" ] || die "the table counts '$found' instead of '$wanted'"
