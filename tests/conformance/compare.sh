# Sourced by run.sh: comparing answers, each a line 'id | question | answer'.
# shellcheck shell=bash

# Splits such a line; knows which answers are none, because a binary or a means was missing.
conformance_awk='
  function id_of(line) { return substr(line, 1, index(line, " | ") - 1) }
  function question_of(line) { line = substr(line, index(line, " | ") + 3); return substr(line, 1, index(line, " | ") - 1) }
  function answer_of(line) { line = substr(line, index(line, " | ") + 3); return substr(line, index(line, " | ") + 3) }
  # Whether an answer is as recorded; where a library does not always answer alike, "this or that" is recorded.
  function is_as(answer, recorded, each, i) {
    for (i = split(recorded, each, " or "); i > 0; --i) if (answer == each[i]) return 1
    return answer == recorded
  }
  function is_none(answer) { return answer ~ /not asked:|no such binary/ }
'

# compare_answers EXPECTED ANSWERS [strict]: prints each question that was answered otherwise, and a closing line of
# counts. Returns 1 if an answer differs; strict: also if a question is missing on one side. EXPECTED may be missing:
# then no answer is known.
compare_answers() {
  local expected=$1 answers=$2 strict=${3:-} known
  known=$(basename "$expected")
  [ -f "$expected" ] || { expected=/dev/null known="no expected file"; }
  awk -v known="$known" -v strict="$strict" "$conformance_awk"'
    /^#/ || !/ \| / { next }
    FILENAME == ARGV[1] { expected[id_of($0)] = answer_of($0); next }
    { ++questions
      id = id_of($0); answer = answer_of($0)
      asked[id] = 1
      if (!(id in expected)) { ++unknown; next }
      if (is_as(answer, expected[id])) { ++same; next }
      if (is_none(answer) || is_none(expected[id])) { ++none; next }
      ++differing
      printf "differs: %s | %s\n  expected: %s\n  answered: %s\n", id, question_of($0), expected[id], answer }
    END {
      if (strict) for (id in expected) if (!(id in asked)) { ++missing; print "not answered: " id }
      printf "conformance: %d questions, %d as expected, %d differing", questions, same, differing
      if (none) printf ", %d asked of one side only", none
      if (unknown) printf ", %d not in the file", unknown
      printf " (%s)\n", known
      exit differing || missing || (strict && (unknown || none)) || !questions }
  ' "$expected" "$answers"
}

# answers_to_record KNOWN ANSWERS: the answers, but what is one of several in the file KNOWN stays as it is there.
answers_to_record() {
  local known=$1
  [ -f "$known" ] || known=/dev/null
  awk "$conformance_awk"'
    !/ \| / { next }
    FILENAME == ARGV[1] { if (answer_of($0) ~ / or /) several[id_of($0)] = $0; next }
    { id = id_of($0) }
    id in several && is_as(answer_of($0), answer_of(several[id])) { print several[id]; next }
    { print }
  ' "$known" "$2"
}

# print_differences FOLDER [ANSWERS]: differences.md, from the files of FOLDER (expected/): each question on which the
# simulated HTP's ANSWERS (FOLDER/simulated.txt) differ from a recorded host library, with the reason from reasons.txt or
# "open".
print_differences() {
  local folder=$1 answers=${2:-$1/simulated.txt}
  cat <<'EOT'
# Where the simulated HTP answers otherwise

Made by `tests/conformance/run.sh --record` from the files beside it; do not edit it. A reason is a line of
`reasons.txt`: it says why the simulated HTP should answer otherwise. `open` means that nothing says why it should. Where a
host library crashes or hangs, that is the reason for an error code. "=" means: the same answer as 2.43.1.

| id | question | simulated | 2.43.1 | 2.45.0 | reason |
|---|---|---|---|---|---|
EOT
  awk "$conformance_awk"'
    /^#/ || !/ \| / { next }
    FILENAME == ARGV[1] { split($0, parts, " \\| "); pattern[++patterns] = parts[1]; reason[patterns] = parts[2]; only[patterns] = parts[3]; next }
    FILENAME == ARGV[2] { old[id_of($0)] = answer_of($0); next }
    FILENAME == ARGV[3] { new[id_of($0)] = answer_of($0); next }
    function matches(id, glob) {
      if (substr(glob, length(glob)) == "*") return index(id, substr(glob, 1, length(glob) - 1)) == 1
      return id == glob
    }
    # Whether an error code stands where the other answer crashed or hung.
    function names_misuse(answer, other, parts, others, place) {
      place = split(other, others, ", ")
      if (others[place] !~ /^(crash|hang)/ || split(answer, parts, ", ") < place) return 0
      return parts[place] ~ / [1-9][0-9]*$/
    }
    { id = id_of($0); answer = answer_of($0)
      if (!(id in old) && !(id in new)) next
      if (is_none(answer)) { if (!is_none(old[id])) not_simulated = not_simulated " " id; next }
      if (is_none(old[id])) { not_real = not_real " " id; next }
      if (is_as(answer, old[id]) && is_as(answer, new[id])) next
      why = "open"
      if (is_as(answer, old[id])) why = "answers as 2.43.1"
      else if (is_as(answer, new[id])) why = "answers as 2.45.0"
      else if (names_misuse(answer, old[id])) why = "a misuse that it names instead of crashing"
      for (i = patterns; i >= 1; --i) if (matches(id, pattern[i]) && (only[i] == "" || only[i] == answer)) why = reason[i]
      ++rows
      if (!is_as(answer, new[id])) { if (why == "open") ++open; else ++explained }
      printf "| %s | %s | %s | %s | %s | %s |\n", id, question_of($0), answer, old[id], new[id] == old[id] ? "=" : new[id], why }
    END {
      printf "\n%d questions; against 2.45.0: %d explained differences, %d unexplained differences.\n", rows, explained, open
      if (not_simulated != "") printf "\nNot asked of the simulated HTP, which cannot be slowed down or made to fail so, or was given no such binary:%s.\n", not_simulated
      if (not_real != "") printf "\nNot asked of the host libraries, because no real binary of that kind was at hand:%s.\n", not_real }
  ' "$folder/reasons.txt" "$folder/2.43.1.txt" "$folder/2.45.0.txt" "$answers" | fold_lists
}

# Breaks the two lists of ids at the end, which are longer than a line.
fold_lists() { awk '/^Not asked/ { while (length($0) > 118) { at = 118; while (substr($0, at, 1) != " ") --at; print substr($0, 1, at - 1); $0 = substr($0, at + 1) } } { print }'; }
