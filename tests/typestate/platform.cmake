# cmake -DCXX=<compiler> -DINCLUDE_DIR=<headers> -DHEADERS=<header>|<header>... -DFLAGS=<flag>|<flag>... -DSENTENCE=<sentence>
#   -DDOCUMENT=<markdown> -P platform.cmake
#
# Includes each header with the flags of a compiler or target that qnnpp does not support. The sentence must be the only error,
# and <markdown> must contain it.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../text.cmake")
string(REPLACE "|" ";" flags "${FLAGS}")
string(REPLACE "|" ";" headers "${HEADERS}")
set(sentence "${SENTENCE}")
tame(sentence)

foreach(header IN LISTS headers)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${CXX}" ${flags} "-I${INCLUDE_DIR}" -fsyntax-only -x c++
      -include "${header}" /dev/null
    RESULT_VARIABLE result ERROR_VARIABLE message)
  set(shown "${message}")
  tame(message)
  string(REGEX MATCHALL "[^\n]*error: [^\n]*" errors "${message}")
  list(LENGTH errors count)
  string(FIND "${errors}" "${sentence}" has_sentence)
  if(result EQUAL 0)
    fail("${header}: compiles with ${FLAGS}")
  elseif(NOT count EQUAL 1)
    fail("${header}: wanted one error, got ${count}:\n${shown}")
  elseif(has_sentence EQUAL -1)
    fail("${header}: the error lacks the words '${SENTENCE}':\n${shown}")
  endif()
endforeach()

file(READ "${DOCUMENT}" document)
string(FIND "${document}" "| `${SENTENCE}` |" at)
if(at EQUAL -1)
  fail("not a row of ${DOCUMENT}: ${SENTENCE}")
endif()
