# Sourced by run.sh: functions that compare answers, which are lines 'id | question | answer'.
# shellcheck shell=bash

# Functions that split a line, and recognize questions that were not asked because something was missing.
conformance_awk='
  function id_of(line) { return substr(line, 1, index(line, " | ") - 1) }
  function question_of(line) { line = substr(line, index(line, " | ") + 3); return substr(line, 1, index(line, " | ") - 1) }
  function answer_of(line) { line = substr(line, index(line, " | ") + 3); return substr(line, index(line, " | ") + 3) }
  # Whether an answer matches the recorded answer; if the answers of a library vary, the record is "this or that".
  function is_as(answer, recorded, each, i) {
    for (i = split(recorded, each, " or "); i > 0; --i) if (answer == each[i]) return 1
    return answer == recorded
  }
  # Whether an id is the pattern, or begins with a pattern that ends with "*".
  function matches(id, glob) {
    if (substr(glob, length(glob)) == "*") return index(id, substr(glob, 1, length(glob) - 1)) == 1
    return id == glob
  }
  function is_none(answer) { return answer ~ /not asked:|no such binary/ }
'

# compare_answers EXPECTED ANSWERS [strict]: prints each question with a different answer, and a last line with counts.
# Returns 1 if an answer differs; strict: also if a question is missing on one side. If the file EXPECTED does not exist,
# no answer is known.
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

# answers_to_record KNOWN ANSWERS: prints the answers. An answer that is one of several in the file KNOWN keeps that line.
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

# print_differences FOLDER [ANSWERS]: prints differences.md from the files of FOLDER (expected/): each question for which
# the simulated HTP's ANSWERS (FOLDER/simulated.txt) differ from a recorded host library, with the reason from reasons.txt
# or "open".
print_differences() {
  local folder=$1 answers=${2:-$1/simulated.txt}
  cat <<'EOT'
# Different answers of the simulated HTP

`tests/conformance/run.sh --record` generates this page from the other files of its folder; do not edit it. A reason is a line
of `reasons.txt` that explains the difference. `open` means that there is no reason yet. If a host library crashes or hangs,
the simulated HTP returns an error code instead. "=" means the same answer as 2.43.1.

| id | question | simulated | 2.43.1 | 2.45.0 | reason |
|---|---|---|---|---|---|
EOT
  awk "$conformance_awk"'
    /^#/ || !/ \| / { next }
    FILENAME == ARGV[1] { split($0, parts, " \\| "); pattern[++patterns] = parts[1]; reason[patterns] = parts[2]; only[patterns] = parts[3]; next }
    FILENAME == ARGV[2] { old[id_of($0)] = answer_of($0); next }
    FILENAME == ARGV[3] { new[id_of($0)] = answer_of($0); next }
    # Whether an answer has an error code at the place of a crash or hang in the other answer.
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
      else if (names_misuse(answer, old[id])) why = "reports a misuse instead of crashing"
      for (i = patterns; i >= 1; --i) if (matches(id, pattern[i]) && (only[i] == "" || only[i] == answer)) why = reason[i]
      ++rows
      if (!is_as(answer, new[id])) { if (why == "open") ++open; else ++explained }
      printf "| %s | %s | %s | %s | %s | %s |\n", id, question_of($0), answer, old[id], new[id] == old[id] ? "=" : new[id], why }
    END {
      printf "\n%d questions; against 2.45.0: %d explained differences, %d unexplained differences.\n", rows, explained, open
      if (not_simulated != "") printf "\nNot asked of the simulated HTP, because it cannot delay or fail in this way, or because there is no such binary:%s.\n", not_simulated
      if (not_real != "") printf "\nNot asked of the host libraries, because there was no DSP or no real binary of this kind:%s.\n", not_real }
  ' "$folder/reasons.txt" "$folder/2.43.1.txt" "$folder/2.45.0.txt" "$answers" | fold_lists
}

# Wraps the two lists of ids at the end.
fold_lists() { awk '/^Not asked/ { while (length($0) > 118) { at = 118; while (substr($0, at, 1) != " ") --at; print substr($0, 1, at - 1); $0 = substr($0, at + 1) } } { print }'; }

# print_changes FOLDER: prints changes.md from the files of FOLDER (expected/): the questions that versions of the host library
# answer differently, with what follows for a client (follows.txt), and those that libraries of one version for different
# platforms do, with the reasons. "open" stands for a missing line of these files.
print_changes() {
  local folder=$1
  cat <<'EOT'
# What changed between versions

`tests/conformance/run.sh --record` generates this page from the other files of its folder; do not edit it. Questions that
one side was not asked are left out. A line of `follows.txt` says what a client does about a change: the ids of
[docs/rules.md](../../../docs/rules.md) are rules that qnnpp enforces.
EOT
  print_history "$folder" 'aarch64 Linux' ''
  print_history "$folder" Android -android
  cat <<'EOT'

## 2.43.1 for Android against aarch64 Linux

The stand-in reports a chip with a v79 HTP to the Android library, one with a v73 HTP to the Linux library.

| id | question | Linux | Android | reason |
|---|---|---|---|---|
EOT
  print_changed "$folder/2.43.1.txt" "$folder/2.43.1-android.txt" "$folder/reasons-android.txt"
  cat <<'EOT'

## 2.51.0 for x86-64 against aarch64 Linux

The library for x86-64 emulates the HTP. It has neither QnnMem nor deferred creation.

| id | question | aarch64 | x86-64 | reason |
|---|---|---|---|---|
EOT
  print_changed "$folder/2.51.0.txt" "$folder/2.51.0-x86_64.txt" "$folder/reasons-x86_64.txt"
}

# print_history FOLDER PLATFORM SUFFIX: prints a section with a row for each question that the versions of a platform answer
# differently: each answer with the version from which on the library gives it, and what follows. SUFFIX stands behind the
# version in the names of the platform's files.
print_history() {
  local folder=$1 platform=$2 suffix=$3 files=() versions
  mapfile -t files < <(find "$folder" -regex ".*/[0-9.]*[0-9]$suffix\.txt" | sort -V)
  versions=$(printf '%s\n' "${files[@]##*/}" | sed "s/$suffix\.txt\$//" | paste -sd ' ')
  printf '\n## %s: %s\n\n| id | question | answers | what follows |\n|---|---|---|---|\n' "$platform" "${versions// /, }"
  awk -v versions="$versions" "$conformance_awk"'
    BEGIN { split(versions, version, " ") }
    /^#/ || !/ \| / { next }
    FILENAME == ARGV[1] { split($0, parts, " \\| "); pattern[++patterns] = parts[1]; follows[patterns] = parts[2]; next }
    !seen[FILENAME]++ { ++file }
    { id = id_of($0); answer = answer_of($0)
      if (!(id in question)) { ids[++count] = id; question[id] = question_of($0) }
      if (is_none(answer)) next
      if (id in last && (is_as(answer, last[id]) || is_as(last[id], answer))) next
      if (id in last) changed[id] = 1
      history[id] = history[id] (id in last ? "<br>" : "") version[file] ": " answer
      last[id] = answer }
    END {
      for (i = 1; i <= count; ++i) {
        id = ids[i]
        if (!(id in changed)) continue
        why = "open"
        for (j = patterns; j >= 1; --j) if (matches(id, pattern[j])) why = follows[j]
        open += why == "open"
        printf "| %s | %s | %s | %s |\n", id, question[id], history[id], why
        ++rows
      }
      printf "\n%d questions; %d without a line of follows.txt.\n", rows, open }
  ' "$folder/follows.txt" "${files[@]}"
}

# print_changed OLD NEW REASONS: prints a row for each question with different answers and its reason, then the number of rows,
# and of rows without a reason.
print_changed() {
  awk "$conformance_awk"'
    /^#/ || !/ \| / { next }
    !seen[FILENAME]++ { ++file }
    file == 1 { split($0, parts, " \\| "); pattern[++patterns] = parts[1]; reason[patterns] = parts[2]; next }
    file == 2 { old[id_of($0)] = answer_of($0); next }
    { id = id_of($0); answer = answer_of($0)
      if (!(id in old) || is_none(answer) || is_none(old[id]) || is_as(answer, old[id]) || is_as(old[id], answer)) next
      ++rows
      why = "open"
      for (i = patterns; i >= 1; --i) if (matches(id, pattern[i])) why = reason[i]
      open += why == "open"
      printf "| %s | %s | %s | %s | %s |\n", id, question_of($0), old[id], answer, why }
    END { printf "\n%d questions; %d without a reason.\n", rows, open }
  ' "$3" "$1" "$2"
}
