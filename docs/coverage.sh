#!/bin/sh
# Writes docs/coverage.md from the tables of the ABI headers and docs/coverage.txt.
#   docs/coverage.sh             writes docs/coverage.md
#   docs/coverage.sh --check     compares it instead
#   docs/coverage.sh --check LIST PAGE   the same with other files
# Fails if a function is not in the list or is no more in the tables, if a named class or member does not exist, if a
# function that qnnpp uses has no member, or if a function that it does not use has one.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
check=
[ "${1-}" = --check ] && { check=yes; shift; }
list=${1-$root/docs/coverage.txt}
page=${2-$root/docs/coverage.md}
include=$root/include/qnnpp
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# Prints "function|first version|table" for each member of a struct of functions.
members() {
  awk -v struct="$2" -v start="$3" -v table="$4" '
    $0 ~ "^struct " struct " " { inside = 1; next }
    inside && /^};/ { exit }
    !inside { next }
    match($0, /([Cc]ore|[Ss]ystem) [0-9]+\.[0-9]+/) && !/Fn [a-z_0-9]+;/ { version = substr($0, RSTART, RLENGTH) }
    match($0, /Fn [a-z_0-9]+;/) {
      name = substr($0, RSTART + 3, RLENGTH - 4)
      if (match($0, /([Cc]ore|[Ss]ystem) [0-9]+\.[0-9]+/)) version = substr($0, RSTART, RLENGTH)
      sub(/^[A-Za-z]+ /, "", version)
      print name "|" (version == "" ? start : version) "|" table
      version = ""
    }' "$include/abi/$1"
}
{
  members interface.hpp InterfaceTable "2.18" 1
  members system_interface.hpp SystemInterfaceTable "any" 2
  members htp/device.hpp HtpDevicePerfInfrastructure "any" 3
} | awk -F'|' -v include="$include" -v list="$list" '
  BEGIN {
    while ((getline line < list) > 0) {
      if (line ~ /^#/ || line == "") continue
      words = split(line, word, " ")
      if (word[1] in member) wrong("coverage.txt: " word[1] " stands twice")
      member[word[1]] = word[2]
      rest = line; sub(/^[^ ]+ [^ ]+ /, "", rest)
      about[word[1]] = rest
      if (word[2] == "-") continue
      about[word[1]] = ""
      for (i = 2; i < words; i += 2) {
        name = word[i]; sub(/.*::/, "", name)
        # "Context<Composing>" is declared as such or with more arguments, "Backend" as such.
        type = word[i]; sub(/::.*/, "", type); sub(/>$/, "[,>]", type)
        found = 0; has_type = type == name
        file = include "/" word[i + 1]
        while ((getline text < file) > 0) {
          if (text ~ /^ *\/\//) continue
          if (text ~ ("(^|[^A-Za-z0-9_])" name "( = |\\()")) found = 1
          if (text ~ ("^(class|struct) ([A-Z_]+ )?" type "( |$|;)?") && text !~ /;$/) has_type = 1
        }
        close(file)
        if (!found || !has_type) wrong("coverage.txt: " word[i + 1] " declares no " word[i])
        about[word[1]] = about[word[1]] (i == 2 ? "" : ", ") "`" word[i] "` ([" word[i + 1] "](../include/qnnpp/" word[i + 1] "))"
      }
    }
    # qnnpp uses a function if its code outside abi/ and sim/ has the name.
    names = "find " include " -name \"*.[hi]pp\" ! -path \"*/abi/*\" ! -path \"*/sim/*\" -exec cat {} + | " \
      "grep -v \"^ *//\" | grep -oE \"[a-z][a-z_0-9]+\" | sort -u"
    while ((names | getline used_name) > 0) used[used_name] = 1
    print "# Functions of the C API and the members of qnnpp"
    print ""
    print "`docs/coverage.sh` writes this page from the tables in `qnnpp/abi` and [coverage.txt](coverage.txt); a test compares it."
    print "A function without a member is used with the tables of `Backend::provider()`. The first version of a function is that of"
    print "the core interface or of the system library: 2.18 is the oldest that qnnpp accepts and means 2.18 or older; any means"
    print "every version."
    heading[1] = "Core interface"; heading[2] = "System library"; heading[3] = "Power (HtpDevicePerfInfrastructure)"
  }
  function wrong(text) { print "docs/coverage.sh: " text > "/dev/stderr"; failed = 1 }
  $3 != table {
    table = $3
    print ""; print "## " heading[table]; print ""
    print "| slot | function | first version | member of qnnpp |"
    print "|---|---|---|---|"
    slot = 0
  }
  {
    if (!($1 in member)) { wrong(($1) " is not in coverage.txt"); next }
    if (member[$1] == "-" && $1 in used) wrong($1 " is used; coverage.txt names no member for it")
    if (member[$1] != "-" && !($1 in used)) wrong($1 " is not used; coverage.txt names a member for it")
    listed[$1] = 1
    ++total; if (member[$1] != "-") ++wrapped
    if (member[$1] == "-") cell = "none: " about[$1]
    else cell = about[$1]
    print "| " slot++ " | `" $1 "` | " $2 " | " cell " |"
  }
  END {
    for (name in member) if (!(name in listed)) wrong("coverage.txt: no table has " name)
    print ""
    print wrapped " of " total " functions have a member."
    exit failed
  }' > "$new"
if [ -n "$check" ]; then
  diff -u "$page" "$new" >&2 || { echo "docs/coverage.md is not up to date; run docs/coverage.sh" >&2; exit 1; }
else
  cp "$new" "$page"
fi
