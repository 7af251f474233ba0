# cmake [-DQUESTION= -DLANGUAGES= | -DFOLDER= | -DASK_WITH_STD_EXPECTED=] [-DSAYS=<words>|<words>...] -DHOME= -DWORK_DIR=
#       -DCXX= -DGENERATOR= -P package.cmake
#
# Configures package/ with the qnnpp of home.cmake. With SAYS, it must stop with these words.
cmake_minimum_required(VERSION 3.20)
file(REMOVE_RECURSE "${WORK_DIR}")
set(arguments "-Dqnnpp_DIR=${HOME}/.local/share/cmake/qnnpp" "-DSOURCES=${HOME}/ndk/build/cmake/sources" "-DCMAKE_CXX_COMPILER=${CXX}")
foreach(variable IN ITEMS QUESTION LANGUAGES FOLDER ASK_WITH_STD_EXPECTED QNNPP_FORMAT QNNPP_JSON)
  if(DEFINED ${variable})
    list(APPEND arguments "-D${variable}=${${variable}}")
  endif()
endforeach()
execute_process(COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/package" -B "${WORK_DIR}" ${arguments}
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT DEFINED SAYS)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${out}${err}")
  endif()
  return()
endif()
if(status EQUAL 0)
  message(FATAL_ERROR "it does not stop:\n${out}${err}")
endif()
string(REGEX REPLACE "[ \n]+" " " err "${err}") # CMake wraps the lines of an error.
string(REPLACE "|" ";" SAYS "${SAYS}")
foreach(words IN LISTS SAYS)
  string(FIND "${err}" "${words}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "wanted '${words}' in:\n${err}")
  endif()
endforeach()
