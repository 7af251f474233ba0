#!/usr/bin/env bash
# compare_test.sh FOLDER: tests the comparisons of run.sh with modified copies of expected/.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) folder=$1
# shellcheck source=compare.sh
source "$here/compare.sh"
rm -rf "$folder"
mkdir -p "$folder"
cp -r "$here/expected" "$folder/expected"
simulated=$here/expected/simulated.txt
wrong=$folder/wrong.txt

# expect_closing WORDS COMMAND...: checks that the command fails and that its last line has the words.
expect_closing() {
  local words=$1 text
  shift
  if text=$("$@"); then echo "compare_test: no failure: $*"; exit 1; fi
  [[ $(tail -n 1 <<<"$text") == *"$words"* ]] || { echo "compare_test: wanted '$words', got: $text"; exit 1; }
}

cp "$simulated" "$wrong"
compare_answers "$simulated" "$wrong" strict
sed '/^F-8 /s/$/ and more/' "$simulated" >"$wrong"
expect_closing ", 1 differing (simulated.txt)" compare_answers "$simulated" "$wrong"
sed '/^F-8 /d' "$simulated" >"$wrong"
expect_closing " 0 differing (simulated.txt)" compare_answers "$simulated" "$wrong" strict
compare_answers "$simulated" "$wrong" >/dev/null # only some questions
sed 's/^F-8 /F-8888 /' "$simulated" >"$wrong"
expect_closing ", 1 not in the file (simulated.txt)" compare_answers "$simulated" "$wrong" strict
# Tests an answer that varies.
sed '/^F-8 /s/$/ or another answer/' "$simulated" >"$folder/several.txt"
compare_answers "$folder/several.txt" "$simulated" strict
[[ $(answers_to_record "$folder/several.txt" "$simulated" | grep -c ' or another answer$') == 1 ]]
# A question that was not asked is not a difference.
sed -E '/^F-8 /s/\|[^|]*$/| no such binary/' "$simulated" >"$wrong"
[[ $(compare_answers "$simulated" "$wrong") == *", 1 asked of one side only"* ]]

# If package.sh prints no folder, run.sh asks no other library.
for script in run flow; do
  if "$here/$script.sh" --sdk "" >"$wrong" 2>&1; then echo "compare_test: $script.sh: --sdk may be empty"; exit 1; fi
  [ "$(cat "$wrong")" = "conformance: the value of --sdk is empty" ] || { echo "compare_test: $script.sh: $(cat "$wrong")"; exit 1; }
done

# A changed answer has one row: the versions from which on an answer is given, and what follows.
mkdir -p "$folder/history"
echo 'A-1 | once | x or y' >"$folder/history/2.9.0.txt"
printf 'A-1 | once | y\nA-2 | more | not asked: no\n' >"$folder/history/2.10.0.txt"
printf 'A-1 | once | z\nA-2 | more | 1\n' | tee "$folder/history/2.11.0.txt" >"$folder/history/2.11.0-x86_64.txt"
printf 'A-1 | once | a\n' >"$folder/history/2.12.0-android.txt"
echo 'A-* | take care' >"$folder/history/follows.txt"
wanted='| A-1 | once | 2.9.0: x or y<br>2.11.0: z | take care |'
[ "$(print_history "$folder/history" Linux '' | grep '^| A-')" = "$wanted" ] || { echo "compare_test: a history is wrong"; exit 1; }
: >"$folder/history/follows.txt"
[[ $(print_history "$folder/history" Linux '') == *"| open |"*"1 questions; 1 without a line of follows.txt." ]]

"$here/run.sh" --check --expected "$folder/expected"
sed -i 's/^M-8 /Z-888 /' "$folder/expected/follows.txt"
print_changes "$folder/expected" >"$folder/expected/changes.md"
if "$here/run.sh" --check --expected "$folder/expected" >/dev/null 2>&1; then
  echo "compare_test: a change of which nothing is said is not detected"
  exit 1
fi
cp "$here/expected"/{follows.txt,changes.md} "$folder/expected/"
sed -i '0,/^| [A-Z]-/{//d}' "$folder/expected/differences.md" # the first row
if "$here/run.sh" --check --expected "$folder/expected" >/dev/null 2>&1; then
  echo "compare_test: a missing row in differences.md is not detected"
  exit 1
fi
