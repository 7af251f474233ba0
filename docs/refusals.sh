#!/bin/sh
# Writes the lists of docs/refusals.md from the refusals in include/ and the misuses in tests/typestate/cases: between the lines
# <!-- refusals --> and <!-- end refusals --> each sentence with its misuses, and between <!-- consumed --> and
# <!-- end consumed --> the uses of consumed objects. All other lines of the page stay.
#   docs/refusals.sh                             writes the page
#   docs/refusals.sh --check                     compares it instead
#   docs/refusals.sh --check INCLUDE CASES PAGE  the same with other headers, misuses and page
#
# Fails if a refusal has no misuse, if a misuse announces a sentence that is no refusal, or if a sentence is hard to read in a
# compiler's error: if it starts in upper case (an acronym may), has more than 90 characters, or one that a compiler escapes.
# tests/typestate/misuses.awk defines the form of a misuse.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
check=
[ "${1-}" = --check ] && { check=yes; shift; }
include=${1-$root/include}
cases=${2-$root/tests/typestate/cases}
page=${3-$root/docs/refusals.md}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
for file in sentences misuses rows consumed; do : > "$new/$file"; done
LC_ALL=C
export LC_ALL

# Writes the sentence of each refusal to `sentences`. Comments and the definitions of the macros have none.
find "$include" -name '*.hpp' -exec awk -v sentences="$new/sentences" '
  function end_file(    use, uses, found) {
    gsub(/" *"/, "", text)  # adjacent literals are one
    uses = gsub(/QNNPP_(REFUSE[A-Z_]*|MOVE_ONLY)\(/, "<refusal>&", text)
    while (match(text, /<refusal>[^"()]*\([^"()]*"[^"]*"/)) {
      use = substr(text, RSTART, RLENGTH)
      text = substr(text, RSTART + RLENGTH)
      gsub(/^[^"]*"|"$/, "", use)
      print use >> sentences
      ++found
    }
    if (uses != found) print name ": " uses " refusals, of which " found + 0 " have a sentence as a plain literal"
    text = ""
  }
  FNR == 1 { end_file(); name = FILENAME; is_definition = 0 }
  /^ *#define/ || is_definition { is_definition = /\\$/; next }
  /^ *\/\// { next }
  { text = text " " $0 }
  END { end_file() }' {} + > "$new/faults"

# Writes "sentence|link" of each misuse to `misuses`, and its row to `consumed` if clang finds it with -Wconsumed.
awk -v misuses="$new/misuses" -v consumed="$new/consumed" '
  /^\/\/ (EXPECT|CLANG-CONSUMED): / { kind = $2; sentence = $0; sub(/^[^:]*: /, "", sentence); next }
  kind != "" && !/^\/\// && match($0, /[a-z0-9_]+\(/) {
    link = substr($0, RSTART, RLENGTH - 1); gsub(/_/, " ", link)
    file = FILENAME; sub(/.*\//, "", file)
    link = "[" link "](../tests/typestate/cases/" file ")"
    if (kind == "EXPECT:") print sentence "|" link > misuses
    else print "* " link > consumed
    kind = ""
  }' "$cases"/*.cpp

sort -u -o "$new/sentences" "$new/sentences"
sort -u -o "$new/misuses" "$new/misuses"
# Writes the row of each sentence, in its order, to `rows`, and prints a line for each fault.
awk -F '|' -v rows="$new/rows" '
  FILENAME ~ /misuses$/ { if ($1 in links) links[$1] = links[$1] "; " $2; else links[$1] = $2; next }
  {
    refused[$0]; ++count
    if (!($0 in links)) print "refused without a case: " $0
    if (length($0) > 90) print length($0) " characters: " $0
    if ($0 !~ /^([a-z]|[A-Z][A-Z]+ )/) print "starts not in lower case: " $0
    if ($0 ~ /[\047\\]/) print "has a character that g++ escapes: " $0
    if ($0 ~ /[|`]/) print "has a character that ends a cell of the page: " $0
    print "| `" $0 "` | " links[$0] " |" > rows
  }
  END {
    for (sentence in links) if (!(sentence in refused)) print "announced by a case, but no refusal: " sentence
    if (!count) print "no refusal was found"
  }
' "$new/misuses" "$new/sentences" >> "$new/faults"
[ -s "$new/faults" ] && { sort "$new/faults" >&2; exit 1; }
sort -o "$new/rows" "$new/rows"
sort -o "$new/consumed" "$new/consumed"

awk -v folder="$new" '
  function insert(file,    line) { while ((getline line < (folder "/" file)) > 0) print line }
  /^<!-- end (refusals|consumed) -->$/ { inside = 0 }
  !inside { print }
  /^<!-- refusals -->$/ { print "\n| sentence | misuse |\n|---|---|"; insert("rows"); print ""; inside = 1; ++lists }
  /^<!-- consumed -->$/ { print ""; insert("consumed"); print ""; inside = 1; ++lists }
  END { if (lists != 2 || inside) { print FILENAME " lacks a line <!-- ... --> of a list" > "/dev/stderr"; exit 1 } }
' "$page" > "$new/page"
if [ -n "$check" ]; then
  diff -u "$page" "$new/page" >&2 || { echo "docs/refusals.md is not up to date; run docs/refusals.sh" >&2; exit 1; }
else
  cp "$new/page" "$page"
fi
