# cmake -DAWK= -DDRAWER= -DTABLE= -DPICTURE= -P drawn.cmake
# Requires that the picture equals the drawer's output for the table.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../text.cmake")
execute_process(COMMAND "${AWK}" -f "${DRAWER}" "${TABLE}" OUTPUT_VARIABLE drawn ERROR_VARIABLE error RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  fail("${TABLE}: ${error}")
endif()
file(READ "${PICTURE}" picture)
if(NOT picture STREQUAL drawn)
  fail("${PICTURE} is not what ${TABLE} draws; write it by awk -f ${DRAWER} ${TABLE} > ${PICTURE}")
endif()
