# cmake -DCXX=<compiler> -DFILE=<unit> -DFLAGS=<flag>|<flag>... -DCASES=<folder> -DOUTPUT=<folder>
#   [-DCONSUMED=ON] -P refused_at_once.cmake
#
# Compiles all misuses in the unit at once. With CONSUMED, these are the misuses that clang refuses with -Wconsumed. Stores the
# compiler's messages of each misuse in <name>.txt, and the remaining messages in none.txt.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/misuses.cmake")
string(REPLACE "|" ";" flags "${FLAGS}")
if(CONSUMED)
  list(APPEND flags ${consumed_flags})
else()
  list(APPEND flags "${all_misuses}")
endif()
if(CXX MATCHES "clang")
  list(APPEND flags -ferror-limit=0)
endif()
file(GLOB cases "${CASES}/*.cpp")

file(REMOVE_RECURSE "${OUTPUT}")
execute_process(COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${CXX}" ${flags} -fsyntax-only "${FILE}"
  RESULT_VARIABLE result ERROR_VARIABLE text)
tame(text)
share_messages(text "${FILE}" "${cases}")

file(WRITE "${OUTPUT}/none.txt" "${message_of_none}")
foreach(case IN LISTS cases)
  read_misuses("${case}" rows faults)
  foreach(row IN LISTS rows)
    cut_row("${row}")
    if(DEFINED message_of_${misuse_name})
      file(WRITE "${OUTPUT}/${misuse_name}.txt" "${message_of_${misuse_name}}")
    endif()
  endforeach()
endforeach()
if(result EQUAL 0)
  fail("all misuses compile")
endif()
