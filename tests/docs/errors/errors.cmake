# cmake -DSOURCE= -DBIN= -DSIM= -DTOOLS= -DWORK_DIR= -DPAGE= [-DWRITE=ON] -P errors.cmake
# Runs the programs of examples/failures on the simulated HTP and makes docs/errors.md of what they print. Requires that each
# prints one line and fails. Compares the page with PAGE; with WRITE, writes PAGE instead: `cmake --build build/gcc --target
# errors_page`. BIN has the examples, SIM the simulated libraries, TOOLS make_files and the folder `old`.
cmake_minimum_required(VERSION 3.20)

# Each program, in the order of the page, with the variables of the simulated HTP that make it fail.
set(programs
  "forgotten_graph QNNPP_SIM_PD_BUDGET_BYTES=6000000 QNNPP_SIM_PD_COUNT=1"
  "second_process QNNPP_SIM_PD_BUDGET_BYTES=1000000"
  "full_mapping QNNPP_SIM_MAX_MAPPED_BYTES=65536"
  "raw_without_room QNNPP_SIM_MAX_IO_COPY_BYTES=65536"
  "damaged_binary"
  "wrong_chip QNNPP_SIM_ARCH=73 QNNPP_SIM_SOC_MODEL=43"
  "wrong_library_first"
  "wrong_order"
  "graph_not_enabled"
  "forked_child")

# Every source has a row.
file(GLOB sources RELATIVE "${SOURCE}/examples/failures" "${SOURCE}/examples/failures/*.cpp")
list(TRANSFORM sources REPLACE "[.]cpp$" "")
set(named ${programs})
list(TRANSFORM named REPLACE " .*$" "")
list(SORT named)
if(NOT sources STREQUAL named)
  message(FATAL_ERROR "examples/failures has ${sources}, errors.cmake has ${named}")
endif()

# run(<variables> <command>...): runs a command in the folder of the binaries. Sets result, out and lines, the number of lines.
macro(run variables)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${variables} ${ARGN} WORKING_DIRECTORY "${WORK_DIR}"
    RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE out)
endmacro()
# Four binaries that spill; chat.bin, and a damaged one.
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
foreach(command IN ITEMS
    "${BIN}/make_binaries;--backend;${SIM}/libQnnHtp.so;--input_output_tensor_mem_type;memhandle;--output;${WORK_DIR}"
    "${TOOLS}/make_files;${SIM}/libQnnHtp.so;${WORK_DIR}")
  run("QNNPP_SIM_VTCM_BYTES=32768" ${command})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${command}: ${result}\n${out}")
  endif()
endforeach()

file(READ "${SOURCE}/tests/docs/errors/begin.md" page)
foreach(row IN LISTS programs)
  separate_arguments(variables UNIX_COMMAND "${row}")
  list(POP_FRONT variables program)
  # The situation: the comment that the program begins with.
  file(READ "${SOURCE}/examples/failures/${program}.cpp" source)
  string(REGEX MATCH "^(// [^\n]*\n)+" situation "${source}")
  string(REGEX REPLACE "(^|\n)// " "\\1" situation "${situation}")
  string(STRIP "${situation}" situation)

  set(path "${SIM}")
  if(program STREQUAL "wrong_library_first")
    set(path "${TOOLS}/old:${SIM}")
  endif()
  run("LD_LIBRARY_PATH=${path};QNNPP_SIM_VTCM_BYTES=32768;${variables}" "${BIN}/failures/${program}")
  if(result EQUAL 0 OR NOT result MATCHES "^[0-9]+$")
    message(FATAL_ERROR "${program} must fail with a code, not with ${result}:\n${out}")
  endif()
  if(NOT out MATCHES "^[^\n]+\n$")
    message(FATAL_ERROR "${program} must print one line, not:\n${out}")
  endif()
  string(LENGTH "${out}" length)
  if(length GREATER 601)
    message(FATAL_ERROR "${program} prints a line of ${length} bytes:\n${out}")
  endif()
  # Folders of the build have the names that the introduction states.
  foreach(folder IN ITEMS "${TOOLS}/old=/opt/old" "${SIM}=/opt/qnn" "${WORK_DIR}=/data/app")
    string(REGEX MATCH "^(.*)=(.*)$" ignored "${folder}")
    string(REPLACE "${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" out "${out}")
  endforeach()

  string(APPEND page "\n## [${program}.cpp](../examples/failures/${program}.cpp)\n\n${situation}\n")
  if(variables)
    list(JOIN variables " " variables)
    string(APPEND page "Simulated by `${variables}`.\n")
  endif()
  string(APPEND page "\n```text\n${out}```\n")
endforeach()

if(WRITE)
  file(WRITE "${PAGE}" "${page}")
  return()
endif()
file(READ "${PAGE}" written)
if(NOT written STREQUAL page)
  file(WRITE "${WORK_DIR}/errors.md" "${page}")
  execute_process(COMMAND diff -u "${PAGE}" "${WORK_DIR}/errors.md" OUTPUT_VARIABLE difference)
  message(FATAL_ERROR "${PAGE} is not what the programs print; build the target errors_page:\n${difference}")
endif()
