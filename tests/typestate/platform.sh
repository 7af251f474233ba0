#!/usr/bin/env bash
# platform.sh SENTENCE PAGE HEADER... -- COMPILER FLAG...
#
# Includes each header with the flags of a compiler or target that qnnpp does not support. The sentence must be the only error,
# and a row of the page.
set -uo pipefail
sentence=$1 page=$2 headers=()
shift 2
while [ "$1" != -- ]; do headers+=("$1") && shift; done
shift

for header in "${headers[@]}"; do
  errors=$(LC_ALL=C "$@" -fsyntax-only -x c++ -include "$header" /dev/null 2>&1 | grep 'error: ')
  if [ "$(wc -l <<<"$errors")" != 1 ] || [[ $errors != *"$sentence"* ]]; then
    printf '%s: wanted one error, "%s", got:\n%s\n' "$header" "$sentence" "$errors"
    exit 1
  fi
done
grep -qF "| \`$sentence\` |" "$page" || { echo "not a row of $page: $sentence"; exit 1; }
