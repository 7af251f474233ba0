# cmake -DCXX=<compiler> -DFILE=<unit> -DFLAGS=<flag>|<flag>... -DCASES=<folder> -DOUTPUT=<folder>
#   [-DCONSUMED=ON] -P refused_at_once.cmake
#
# Compiles all misuses in the unit at once; with CONSUMED those that the unit selects, which clang refuses with
# -Wconsumed. What the compiler says of each is kept in <name>.txt. Fails on what it says of
# none: on an error in a positive twin, for example.
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
  ERROR_VARIABLE text)
tame(text)
share_messages(text "${FILE}" "${cases}")

foreach(case IN LISTS cases)
  read_misuses("${case}" rows faults)
  foreach(row IN LISTS rows)
    cut_row("${row}")
    if(DEFINED message_of_${misuse_name})
      file(WRITE "${OUTPUT}/${misuse_name}.txt" "${message_of_${misuse_name}}")
    endif()
  endforeach()
endforeach()
if(NOT message_of_none STREQUAL "")
  untame(message_of_none)
  fail("said of no misuse:\n${message_of_none}")
endif()
