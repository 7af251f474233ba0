# cmake -DPROGRAM= -DPAGE= -P error_codes.cmake
# Requires that the page equals the program's output.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../text.cmake")
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE made ERROR_VARIABLE error RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  fail("${PROGRAM}: ${error}")
endif()
file(READ "${PAGE}" page)
if(NOT page STREQUAL made)
  fail("${PAGE} is not what the table of advice says; write it by ${PROGRAM} > ${PAGE}")
endif()
