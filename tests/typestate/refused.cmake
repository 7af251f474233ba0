# cmake -DCXX=<compiler> -DFILE=<case> -DFLAGS=<flag>|<flag>... [-DSKIP_TWIN=ON] -P refused.cmake
#
# One case is one file. Without MISUSE it must compile (SKIP_TWIN: a build does that). With MISUSE it must be refused:
# by exactly one error, at one place in this file, whose first line holds the sentence that the file announces:
#   // EXPECT: <sentence>           refused by every compiler
#   // CLANG-CONSUMED: <sentence>   refused by clang with -Wconsumed -Werror=consumed
# and the whole message must be short enough to be read.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../text.cmake")

set(most_lines 14)

get_filename_component(name "${FILE}" NAME)
string(REPLACE "|" ";" flags "${FLAGS}")
list(APPEND flags -fsyntax-only)

read_tame("${FILE}" source)
if(NOT source MATCHES "// (EXPECT|CLANG-CONSUMED): ([^\n]+)")
  fail("${name}: no '// EXPECT: <sentence>' line")
endif()
set(sentence "${CMAKE_MATCH_2}")
if(CMAKE_MATCH_1 STREQUAL "CLANG-CONSUMED")
  list(APPEND flags -Wconsumed -Werror=consumed)
endif()

function(compile result_variable message_variable)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${CXX}" ${flags} ${ARGN} "${FILE}"
    RESULT_VARIABLE result ERROR_VARIABLE message)
  set(${result_variable} "${result}" PARENT_SCOPE)
  set(${message_variable} "${message}" PARENT_SCOPE)
endfunction()

if(NOT SKIP_TWIN)
  compile(result message)
  if(NOT result EQUAL 0)
    fail("${name}: the positive twin does not compile:\n${message}")
  endif()
endif()

compile(result message -DMISUSE)
if(result EQUAL 0)
  fail("${name}: the misuse compiles, but must be refused with '${sentence}'")
endif()
set(shown "${message}")
tame(message)
string(REGEX MATCHALL "[^\n]*error:[^\n]*" errors "${message}")
string(REGEX MATCHALL "\n" lines "${message}")
list(LENGTH errors error_count)
list(LENGTH lines line_count)

if(error_count EQUAL 0)
  fail("${name}: the compiler failed without an error:\n${shown}")
endif()
list(GET errors 0 first)
string(FIND "${first}" "${sentence}" has_sentence)
string(FIND "${first}" "${name}:" in_this_file)

# clang 14 refuses a template that is called with its arguments twice: the template, then its instance.
string(REGEX REPLACE "error:.*$" "error:" place "${first}")
foreach(error IN LISTS errors)
  string(FIND "${error}" "${place}" at_place)
  string(FIND "${error}" "${sentence}" repeats)
  if(at_place EQUAL 0 AND NOT repeats EQUAL -1 AND NOT error STREQUAL first)
    math(EXPR error_count "${error_count} - 1")
  endif()
endforeach()

if(NOT error_count EQUAL 1)
  fail("${name}: wanted one error, got ${error_count}:\n${shown}")
elseif(in_this_file EQUAL -1)
  fail("${name}: the error is reported outside this file:\n${shown}")
elseif(has_sentence EQUAL -1)
  fail("${name}: the first line of the error lacks the words '${sentence}':\n${shown}")
elseif(line_count GREATER most_lines)
  fail("${name}: ${line_count} lines of message, at most ${most_lines} are read:\n${shown}")
endif()
untame(first)
message(STATUS "${name}: ${line_count} lines: ${first}")
