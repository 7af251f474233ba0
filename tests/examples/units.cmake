# Counts the sources that examples/run.sh compiles: those of the library and of the simulated HTP, one with all programs that it
# runs, and the main() of each. A number above AT_MOST means that a newcomer waits longer.
#
#   cmake -D ROOT=<repository> -D WORK_DIR=<folder> -D AT_MOST=<number> -P units.cmake
file(STRINGS "${ROOT}/examples/run.sh" line REGEX "^programs_run=")
string(REGEX REPLACE "^programs_run=\\((.+)\\)$" "\\1" programs "${line}")
separate_arguments(programs)
execute_process(COMMAND "${CMAKE_COMMAND}" --preset examples -B "${WORK_DIR}" WORKING_DIRECTORY "${ROOT}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ninja -C "${WORK_DIR}" -t commands ${programs}
  OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " -c [^\n]+\n" units "${commands}")
list(LENGTH units count)
list(TRANSFORM units REPLACE "^ -c " "  ")
list(JOIN units "" list)
message(STATUS "${count} sources:\n${list}")
if(count EQUAL 0 OR count GREATER AT_MOST)
  message(FATAL_ERROR "examples/run.sh compiles ${count} sources, but must compile at least 1 and at most ${AT_MOST}")
endif()
