#!/bin/sh
# Writes docs/rules.md and the rules' words of the simulated HTP, tests/sim/tables/rule_words.inc, from docs/rules.txt.
#   docs/rules.sh                     writes both files
#   docs/rules.sh --check             compares them instead
#   docs/rules.sh --check TABLE PAGE  the same with another table and page
#
# A rule of the table is its id, and below it six lines:
#     rule: a sentence             its start, up to the first semicolon, is the simulated HTP's words
#     source: tutorial             one or more of the sources that the page explains
#     how: T                       one or two of the ways that the page explains
#     where: `Class::member`       what enforces the rule; each name in `` stands in include/
#     right: suite.NAME            test of the right use; typestate/NAME is a misuse of tests/typestate/cases
#     wrong: suite.NAME            test of the wrong use; "validation layer only" if no test can try it
# Lines that start with // are not copied. All other lines are the text of the page, which ends with the table of tests.
#
# Fails if a rule lacks a line, if a test does not exist, or if sources or the simulated HTP name an id that is no rule. If a
# type or the library prevents a misuse, a test must try it through the library and at run time. Calls of the C API, as in the
# tests of the simulated HTP, do not count.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
check=
[ "${1-}" = --check ] && { check=yes; shift; }
table=${1-$root/docs/rules.txt}
page=${2-$root/docs/rules.md}
words=$root/tests/sim/tables/rule_words.inc
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
LC_ALL=C
export LC_ALL

# Prints "used ID" for each id in comments (BUF-01) and names of tests (BUF_01), "named ID" for each id in a string of the
# simulated HTP, "test suite.NAME", and "test typestate/NAME" for each misuse.
find "$root/include" "$root/tests" -name '*.[ch]pp' -o -name '*.ipp' -o -path "$root/tests/sim/*.c" | sort | xargs awk '
  function all(text, pattern, kind,    found) {
    while (match(text, pattern)) {
      found = substr(text, RSTART, RLENGTH)
      text = substr(text, RSTART + RLENGTH)
      if (kind == "test") { sub(/^[^(]*\(/, "", found); sub(/, */, ".", found); sub(/\)$/, "", found) }
      if (kind == "used") { found = substr(found, 2); sub(/_/, "-", found) }
      if (kind == "named") gsub(/"/, "", found)
      if (!((kind, found) in seen)) print kind, found
      seen[kind, found]
    }
  }
  FNR == 1 { broken = ""; is_case = 0; in_sim = FILENAME ~ /\/tests\/sim\//; in_cases = FILENAME ~ /\/typestate\/cases\// }
  { line = $0 }
  broken != "" { sub(/^ +/, "", line); line = broken line; broken = "" }
  /TEST(_F|_P)?\([A-Za-z_0-9]+,$/ { broken = $0; next }
  line ~ /TEST/ { all(line, "TEST(_F|_P)?[(][A-Za-z_0-9]+, *[A-Za-z0-9_]+[)]", "test") }
  line ~ /[-_][0-9][0-9]/ {
    if (FILENAME !~ /[.]c$/) all(" " line, "[^A-Za-z][A-Z][A-Z]+[-_][0-9][0-9]", "used")
    if (in_sim) all(line, "\"[A-Z]+-[0-9][0-9]\"", "named")
  }
  in_cases && /^\/\/ (EXPECT|CLANG-CONSUMED): / { is_case = 1; next }
  is_case && !/^\/\// && match(line, /[a-z0-9_]+\(/) {
    print "test typestate/" substr(line, RSTART, RLENGTH - 1)
    is_case = 0
  }' > "$new/facts"
# Prints "word NAME" for each word of the headers.
find "$root/include" -type f -exec cat {} + | grep -oE '[A-Za-z_][A-Za-z_0-9]*' | sort -u | sed 's/^/word /' >> "$new/facts"

# Writes the page and the words, and prints a line for each fault.
awk -v page="$new/rules.md" -v words="$new/rule_words.inc" '
  function wrong(text) { print text > "/dev/stderr"; faults = 1 }
  function known(list, names, id, what,    i, n, name) {
    n = split(list, name, ", ")
    for (i = 1; i <= n; ++i) if (index(names, "|" name[i] "|") == 0) wrong(id " has the unknown " what " \"" name[i] "\"")
  }
  # Requires that the headers have each name in the code of a place.
  function check_place(place,    part, parts, i, name) {
    parts = split(place, part, "`")
    for (i = 2; i < parts; i += 2)
      while (match(part[i], /[A-Za-z_][A-Za-z_0-9]*/)) {
        name = substr(part[i], RSTART, RLENGTH)
        part[i] = substr(part[i], RSTART + RLENGTH)
        if (!(name in word)) wrong(id " names the place " name ", which is not in include/")
      }
  }
  function check_test(test) {
    if (test == "" || test in is_test) return
    wrong(id " names " test ", which is no " (test ~ /^typestate/ ? "misuse of tests/typestate" : "test"))
  }
  # Writes the row of the rule above.
  function end_rule(    i, start) {
    if (id == "") return
    for (i = 1; i <= 6; ++i) if (!(field[i] in value) || value[field[i]] == "") wrong(id " has no line \"" field[i] ":\"")
    known(value["source"], "|tutorial|C API|library|device|clients|qnnpp|", id, "source")
    known(value["how"], "|T|T (clang)|C|R|V|", id, "way")
    check_place(value["where"])
    is_prevented = value["how"] ~ /[TC]/ && value["how"] !~ /V/
    if (is_prevented && !(id in tried)) wrong(id " is prevented by qnnpp, and no test tries it at run time")
    if (is_prevented && value["wrong"] ~ /^sim_/)
      wrong(id " is prevented by qnnpp, and " value["wrong"] " does not try it through qnnpp")
    if (value["right"] value["wrong"] == "-validation layer only") {
      if (value["how"] != "V") wrong(id " is enforced by qnnpp and names no test")
      tests = tests "| " id " | - | validation layer only |\n"
    } else {
      check_test(value["right"])
      check_test(value["wrong"])
      tests = tests "| " id " | `" value["right"] "` | `" value["wrong"] "` |\n"
    }
    if (!in_table) print "| id | rule | source | how | where |\n|---|---|---|---|---|" > page
    in_table = 1
    print "| " id " | " value["rule"] " | " value["source"] " | " value["how"] " | " value["where"] " |" > page
    start = value["rule"]
    sub(/;.*/, "", start); gsub(/`/, "", start); gsub(/["\\]/, "\\\\&", start)
    print "{\"" id "\", \"" start "\"}," > words
    id = ""
    split("", value)
  }
  BEGIN {
    fields = "rule source how where right wrong"
    split(fields, field, " ")
    print "// Written by docs/rules.sh." > words
  }
  FNR == NR {
    if ($1 == "word") word[$2]
    if ($1 == "used") used[$2]
    if ($1 == "named") { named[$2]; ++named_count }
    if ($1 == "test") {
      is_test[$2]; ++test_count
      name = $2
      if (name ~ /^(sim_|typestate\/)/) next
      while (match(name, /[._][A-Z]+_[0-9][0-9]_/)) {
        rule = substr(name, RSTART + 1, RLENGTH - 2)
        name = substr(name, RSTART + RLENGTH - 1)
        sub(/_/, "-", rule)
        tried[rule]
      }
    }
    next
  }
  /^\/\// { next }
  /^[A-Z]+-[0-9][0-9]$/ {
    end_rule()
    id = $0
    if (id in rules) wrong(id " stands twice")
    rules[id]
    group = id; sub(/-.*/, "", group); groups[group]
    next
  }
  id != "" && /^  [a-z]+:/ {
    name = $1; sub(/:/, "", name)
    text = $0; sub(/^ *[a-z]+: */, "", text)
    if (index(" " fields " ", " " name " ") == 0) wrong(id " has the unknown line \"" name ":\"")
    if (name in value) wrong(id " has two lines \"" name ":\"")
    if (text ~ /[|]/) wrong(id " has a | in \"" name ":\", which ends a cell")
    value[name] = text
    next
  }
  id != "" && /^$/ { end_rule(); next }
  id != "" { wrong(id ": no line of a rule: " $0); next }
  /^$/ && in_table { next }
  in_table { print "" > page; in_table = 0 }
  { print > page }
  END {
    end_rule()
    print "\n| id | right | wrong |\n|---|---|---|" > page
    printf "%s", tests > page
    for (id in used) {
      group = id; sub(/-.*/, "", group)
      if (group in groups && !(id in rules)) wrong(id " is used in the sources and is no rule")
    }
    for (id in named) if (!(id in rules)) wrong(id " is named by the simulated HTP and is no rule")
    if (named_count < 20 || test_count < 500)
      wrong("found only " test_count + 0 " tests, and " named_count + 0 " rules that the simulated HTP names")
    exit faults
  }' "$new/facts" "$table" 2> "$new/faults" || { sort "$new/faults" >&2; echo "docs/rules.sh: mend $table" >&2; exit 1; }

if [ -n "$check" ]; then
  diff -u "$page" "$new/rules.md" >&2 && diff -u "$words" "$new/rule_words.inc" >&2 ||
    { echo "docs/rules.md or rule_words.inc is not up to date; run docs/rules.sh" >&2; exit 1; }
else
  cp "$new/rules.md" "$page"
  cp "$new/rule_words.inc" "$words"
fi
