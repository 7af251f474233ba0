# cmake -DCXX=<compiler> -DFILE=<all cases> -DFLAGS=<flag>|<flag>... -DOUTPUT=<file> -P refused_at_once.cmake
# Compiles the misuses of all cases in one unit, and keeps what the compiler says of them.
cmake_minimum_required(VERSION 3.20)
string(REPLACE "|" ";" flags "${FLAGS}")
execute_process(COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${CXX}" ${flags} -fsyntax-only -DMISUSE "${FILE}"
  RESULT_VARIABLE result ERROR_VARIABLE message)
file(WRITE "${OUTPUT}" "${message}")
if(result EQUAL 0)
  message(FATAL_ERROR "all misuses compile")
endif()
