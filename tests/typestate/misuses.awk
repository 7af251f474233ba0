# awk -f misuses.awk list=1 CASE...
# awk -f misuses.awk name=NAME CASE... MESSAGES
# awk -f misuses.awk name=none CASE... MESSAGES
#
# Lists the misuses of files of cases, as "file|name|kind|number"; or reads a compiler's messages about all misuses at once, and
# requires that one misuse is refused in the announced sentence; or that nothing but the misuses is refused.
#
# A misuse stands beside its positive twin, in a function whose name is the name of its test:
#   // EXPECT: <sentence>           refused by every compiler
#   // CLANG-CONSUMED: <sentence>   refused by clang with -Wconsumed -Werror=consumed
#   bool the_name_of_the_test(...) {
#   #if MISUSE == 3
#     code that must be refused, at one place of these lines
#   #else
#     code that must compile
#   #endif
#   }
# A file must compile without MISUSE. -DMISUSE=3 selects the third misuse; "-DMISUSE=1 || 0" selects all.
#
# The compiler refuses a misuse with exactly one error, between #if and #else. The first line of the error has the sentence, and
# the whole message has at most 14 lines.

function fail(words) {
  print words
  failed = 1
}

# ---- cases

FILENAME ~ /[.]cpp$/ {
  if (FNR == 1) {
    end_case()
    case_file = FILENAME
    is_case[case_file] = 1
    number = 0
  }
  if (/^\/\/ (EXPECT|CLANG-CONSUMED): ./) {
    if (kind != "") fail(case_file ":" begin ": no '#if MISUSE == <number>' after this sentence")
    kind = $2
    sub(/:$/, "", kind)
    sentence = substr($0, index($0, ": ") + 2)
    begin = FNR
    misuse = ""
  } else if (/^#if.*MISUSE/) {
    ++number
    if (kind == "") fail(case_file ":" FNR ": no '// EXPECT: <sentence>' line")
    else if (misuse == "") fail(case_file ":" FNR ": no function whose name is that of the test")
    else if ($0 != "#if MISUSE == " number)
      fail(case_file ":" FNR ": this is misuse " number " of the file; write #if MISUSE == " number)
    at_if = FNR
  } else if (at_if && /^#(else|endif)/) {
    if (list) print case_file "|" misuse "|" kind "|" number
    misuses[case_file, number] = misuse
    begins[case_file, number] = begin
    if (misuse == name) {
      wanted_sentence = sentence
      wanted_file = case_file
      wanted_if = at_if
      wanted_else = FNR
    }
    at_if = 0
    kind = ""
  } else if (kind != "" && misuse == "" && !/^\/\// && match($0, /[a-z0-9_]+\(/)) {
    misuse = substr($0, RSTART, RLENGTH - 1)
  }
  next
}

function end_case() {
  if (kind != "") fail(case_file ":" begin ": no '#if MISUSE == <number>' after this sentence")
  if (case_file != "" && number == 0) fail(case_file ": no misuse")
  kind = ""
}

# ---- messages: a message is an error or a warning. It begins with the lines about includes and instantiations before it, and
# ends with its notes.

# Lines that all misuses have.
/^(In file included|  *) from [^:]*_cases[.]cpp:/ || /^[0-9]+ (error|warning)s?[^:]* generated/ { next }

/^(In file included|  *) from |^[^ ]+: (In|At) |: +required (from|by|for) / {
  before = before $0 "\n"
  next
}

/: (fatal )?(error|warning): / { end_message() }

{
  message = message before $0 "\n"
  # If the error is in a header, the line of the case stands before or after the error.
  if (place == "") place = place_of($0 "\n" before)
  before = ""
}

function end_message() {
  if (owner_of(place) == name) mine = mine message
  message = place = ""
}

# The first "file:line" of a case that a text begins a line with.
function place_of(text,  line, part, count, i) {
  count = split(text, line, "\n")
  for (i = 1; i <= count; ++i)
    if (line[i] ~ /^[^:]+:[0-9]+:/ && split(line[i], part, ":") && part[1] in is_case) return part[1] ":" part[2]
  return ""
}

# The misuse at a place, or none.
function owner_of(place,  part, owner, i) {
  owner = "none"
  split(place, part, ":")
  for (i = 1; (part[1], i) in begins && begins[part[1], i] <= part[2] + 0; ++i) owner = misuses[part[1], i]
  return owner
}

# ---- the misuse

END {
  end_case()
  end_message()
  if (!failed && name == "none" && mine ~ /error:/) fail("said of no misuse:\n" mine)
  if (!failed && !list && name != "none") check_refusal()
  exit failed
}

function check_refusal(  line, lines, errors, i, first, start, part) {
  lines = split(mine, line, "\n") - 1
  for (i = 1; i <= lines; ++i) {
    if (line[i] !~ /error:/) continue
    if (first == "") {
      first = line[i]
      start = substr(first, 1, index(first, "error:") + 5)
    # clang refuses some templates twice: first the template, then its instance.
    } else if (index(line[i], start) == 1 && index(line[i], wanted_sentence) && line[i] != first) {
      continue
    }
    ++errors
  }
  split(first, part, ":")
  if (wanted_file == "") fail(name " is no misuse")
  else if (mine == "") fail("the misuse compiles, but must be refused with '" wanted_sentence "'")
  else if (errors != 1) fail("wanted one error, got " errors + 0 ":")
  else if (part[1] != wanted_file) fail("the error is reported outside this file:")
  else if (part[2] + 0 < wanted_if || part[2] + 0 > wanted_else) fail("the error is reported beside the misuse:")
  else if (!index(first, wanted_sentence)) fail("the first line of the error lacks the words '" wanted_sentence "':")
  else if (lines > 14) fail(lines " lines of message, at most 14 are read:")
  else print lines " lines:"
  printf "%s", mine
}
