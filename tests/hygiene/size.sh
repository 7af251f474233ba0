#!/usr/bin/env bash
# Counts the library's files, lines, classes, options and macros; size.awk defines them. See usage below.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: tests/hygiene/size.sh [--list] [--limits FILE] [INCLUDE]

Prints the counts of INCLUDE (default: include/) without abi/verify_sdk, which needs an SDK.

  --list         print the names of classes, options and macros first
  --limits FILE  fail if a count is above its ceiling (`code_lines <= 21000`) or below its floor (`comment_permille >= 180`)
EOT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
include=$here/../../include
list=0
limits=''
while [ $# -gt 0 ]; do
  case $1 in
    --list) list=1 ;;
    --limits) limits=$2 && shift ;;
    -*) usage >&2; exit 1 ;;
    *) include=$1 ;;
  esac
  shift
done

counts=$(find "$include" -path '*/abi/verify_sdk*' -prune -o \( -name '*.hpp' -o -name '*.ipp' \) -print0 | sort -z |
  xargs -0 awk -v list=$list -f "$here/size.awk")
echo "$counts"
[ -z "$limits" ] || awk -v limits="$limits" '
  FILENAME == limits && /^#|^$/ { next }
  FILENAME == limits { sign[$1] = $2; limit[$1] = $3; ++missing; next }
  $1 in limit && NF == 2 {
    --missing
    if (sign[$1] == "<=" ? $2 > limit[$1] : $2 < limit[$1]) {
      print $1 " is " $2 ", but must be " sign[$1] " " limit[$1] " (" limits ")"
      failed = 1
    }
  }
  END {
    if (missing != 0) print limits " limits something that is not counted"
    exit failed || missing != 0
  }
' "$limits" - <<<"$counts"
