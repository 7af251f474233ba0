#!/usr/bin/env bash
# Writes the headers of include/qnnpp/abi/verify_sdk, except same.hpp, from the tables of tests/abi/facts: one header for each
# table, which compares the declarations of a header of abi/ with those of an SDK, and all.hpp, which includes them.
#
#   generate.sh           writes them
#   generate.sh --check   fails if one of them differs from what would be written
set -euo pipefail

top=$(cd "$(dirname "$0")/../../.." && pwd)
facts=$top/tests/abi/facts
headers=$top/include/qnnpp/abi/verify_sdk

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/htp"

# Reads sdks.inc and a table; prints the header for the table, or nothing if no row has a name in C.
cat >"$made/header.awk" <<'EOF'
# Returns the number of an SDK's column: a short list goes on with its last number.
function number(list, column) { return list[column <= list[0] ? column : list[0]] }

# Sets `since` to the column from which on all known SDKs have the newest known number, and `until` to the last of these columns
# if later SDKs lack the item, for the lists of a row together.
function span(text,   list, count, last, column) {
  count = split(text, list, /, */)
  list[0] = count
  for (last = sdks; number(list, last) !~ /^[0-9]/;)
    if (--last == 0) return
  if (last < sdks && number(list, last + 1) == "none" && (!until || last < until)) until = last
  for (column = last; column > 1; --column)
    if (number(list, column - 1) != number(list, last)) break
  if (column > since) since = column
}

# Opens the #if of a condition, or none for an empty one, if it is not open.
function under(condition) {
  if (condition == open) return
  if (open) body = body "#endif\n"
  if (condition) body = body "#if " condition "\n"
  open = condition
}

# Opens the #if of an API of which an SDK may lack the headers, or none.
function of_api(name) {
  under("")
  if (guarded) body = body "#endif  // " api "\n"
  api = name
  guarded = name && name != "core"
  if (guarded) body = body "#if defined(QNNPP_VERIFY_" toupper(name) ")\n"
}

# Adds a comparison under its condition.
function compare(condition, text) {
  under(condition)
  body = body text ";\n"
}

# Adds a comparison that needs the versions of the row's lists.
function compare_since(text,   condition) {
  if (since > 1) condition = version[api] " >= " minor[api, since]
  if (until) condition = condition (condition ? " && " : "") version[api] " <= " minor[api, until]
  compare(condition, text)
}

BEGIN {
  version["core"] = version["op_package"] = version["saver"] = "QNN_API_VERSION_MINOR"
  version["htp"] = "QNN_HTP_API_VERSION_MINOR"
  version["system"] = "QNN_SYSTEM_API_VERSION_MINOR"
}

/^\/\// || /^$/ { next }
!match($0, /^[A-Z_]+\(.*\)$/) { print FILENAME ":" FNR ": not a row: " $0 >"/dev/stderr"; exit failed = 1 }

# kind(a[1], a[2], ..., LIST(numbers), ...): keeps the columns of the lists, and what stands before the lists.
{
  row = substr($0, index($0, "(") + 1, length($0) - index($0, "(") - 1)
  kind = substr($0, 1, index($0, "(") - 1)
  since = 1
  until = varies = 0
  while (match(row, /, [A-Z]+\([^()]*\)/)) {
    numbers = substr(row, RSTART + 2, RLENGTH - 3)
    row = substr(row, 1, RSTART - 1) substr(row, RSTART + RLENGTH)
    sub(/^[A-Z]+\(/, "", numbers)
    span(numbers)
    varies = numbers ~ /[0-9], [0-9]/
  }
  split(row, a, /, */)
}

kind == "SDK" {
  ++sdks
  minor["core", sdks] = minor["op_package", sdks] = minor["saver", sdks] = a[2]
  minor["htp", sdks] = a[3]
  minor["system", sdks] = a[4]
}
kind == "API" { of_api(a[1]) }
kind == "RECORD" || kind == "TABLE" { theirs[a[1]] = a[2]; grows[a[1]] = kind == "TABLE" }

/[(, ]unnamed[,)]/ { next }

kind == "RECORD" { compare_since("QNNPP_SAME_SIZE(" a[1] ", " a[2] ")") }
kind == "FIELD" {
  same = grows[a[1]] && varies ? "QNNPP_SAME_PLACE(" : "QNNPP_SAME_FIELD("
  if (grows[a[1]] && varies) since = 1
  compare_since(same a[1] ", " a[2] ", " theirs[a[1]] ", " a[3] ")")
}
kind == "SLOT" { compare_since("QNNPP_SAME_FIELD(InterfaceTable, " a[1] ", " theirs["InterfaceTable"] ", " a[2] ")") }
kind == "SYSTEM_SLOT" {
  compare_since("QNNPP_SAME_FIELD(SystemInterfaceTable, " a[1] ", " theirs["SystemInterfaceTable"] ", " a[2] ")")
}
kind == "VALUE" { compare_since("QNNPP_SAME_VALUE(" a[1] "::" a[2] ", " a[3] ")") }
# The rest are macros in C, so that an SDK has them if they are defined.
kind == "KEY" { compare("defined(" a[2] ")", "QNNPP_SAME_VALUE(PropertyKey::" a[1] ", " a[2] ")") }
kind == "CONSTANT" { compare("defined(" a[2] ")", "QNNPP_SAME_VALUE(" a[1] ", " a[2] ")") }
kind == "TEXT" { compare("defined(" a[2] ")", "QNNPP_SAME_TEXT(" a[1] ", " a[2] ")") }
kind == "INITIAL" { compare("defined(" a[1] ")", "QNNPP_SAME_INIT(" a[2] ", " a[1] ", " a[3] ", " a[4] ")") }

END {
  if (failed) exit 1
  if (body !~ /QNNPP_SAME/) exit
  of_api("")
  print "// Part of verify_sdk.hpp; do not include it alone. Compares abi/" name ".hpp with an SDK.\n" \
    "// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/" name ".inc instead.\n#pragma once\n\n" \
    "#if defined(QNNPP_VERIFY_PARTS)\n\n#include \"qnnpp/abi/" name ".hpp\"\n\n// clang-format off\n" \
    "namespace qnnpp::c_api {\n\n" body "\n}  // namespace qnnpp::c_api\n\n#endif"
}
EOF

cd "$facts"
{
  printf '%s\n' '// Part of verify_sdk.hpp; do not include it alone. Includes each comparison.' \
    '// Written by tests/abi/verify_sdk/generate.sh; do not edit it.' '#pragma once' '' '#include "qnnpp/platform.hpp"' ''
  for name in $(find . -name '*.inc' | sed 's|^\./||; s|\.inc$||' | LC_ALL=C sort); do
    case $name in all | sdks) continue ;; esac
    awk -v name="$name" -f "$made/header.awk" sdks.inc "$name.inc" >"$made/$name.hpp"
    if [ -s "$made/$name.hpp" ]; then
      echo "#include \"qnnpp/abi/verify_sdk/$name.hpp\""
    else
      rm "$made/$name.hpp"
    fi
  done
} >"$made/all.hpp"
rm "$made/header.awk"

if [ "${1:-}" = --check ]; then
  if ! diff -r --exclude=same.hpp "$headers" "$made"; then
    echo "include/qnnpp/abi/verify_sdk is not what the facts of tests/abi/facts say; run tests/abi/verify_sdk/generate.sh" >&2
    exit 1
  fi
else
  find "$headers" -name '*.hpp' ! -name same.hpp -delete
  cp -R "$made/." "$headers"
fi
