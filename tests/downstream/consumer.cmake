# cmake -DWAY=<way> -DLINK=<ON|OFF> -DSOURCE_DIR= -DBUILD_DIR= -DHOME= -DWORK_DIR= -DCXX= -DCC= -DGENERATOR= -P consumer.cmake
#
# Builds and runs the small project in consumer/, which uses the features that the README's programs do not use:
#   folder-with-sim  add_subdirectory with QNNPP_BUILD_SIM and QNNPP_INSTALL. Only configured and installed, because
#                    the libraries are built beside the tests
#   folder-compiled  add_subdirectory; the libraries are found after it
#   folder-late      add_subdirectory, in a project that has already found the libraries
#   installed        find_package of all components, from the prefix into which the build of qnnpp was installed
cmake_minimum_required(VERSION 3.20)

file(REMOVE_RECURSE "${WORK_DIR}")
set(ENV{QNNPP_COMPILED_ONCE} "${HOME}/compiled")
set(arguments "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CURRENT_LIST_DIR}/compile_once.sh" -DCONSUMER_WAY=${WAY})
if(WAY STREQUAL "installed")
  foreach(component IN ITEMS qnnpp qnnpp-sim qnnpp-plan qnnpp-run)
    execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix"
      --component ${component} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  list(APPEND arguments "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix")
else()
  list(APPEND arguments "-DCONSUMER_QNNPP_DIR=${SOURCE_DIR}")
  if(WAY STREQUAL "folder-with-sim")
    list(APPEND arguments -DQNNPP_BUILD_SIM=ON -DQNNPP_INSTALL=ON)
  endif()
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK_DIR}/build"
  "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_C_COMPILER=${CC}" ${arguments} COMMAND_ERROR_IS_FATAL ANY)
if(WAY STREQUAL "folder-with-sim")
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${WORK_DIR}/build" --prefix "${WORK_DIR}/prefix" OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT EXISTS "${WORK_DIR}/prefix/include/qnnpp/qnnpp.hpp" OR EXISTS "${WORK_DIR}/prefix/lib/qnnpp/sim/libQnnHtp.so")
    message(FATAL_ERROR "the headers are not installed, or more than was built is")
  endif()
endif()
if(WAY MATCHES "^folder-(with-sim|late)$")
  return()
endif()
if(LINK)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/build" COMMAND_ERROR_IS_FATAL ANY)
  foreach(program IN ITEMS consumer shared_consumer)
    execute_process(COMMAND "${WORK_DIR}/build/${program}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(GLOB_RECURSE shared "${WORK_DIR}/build/libqnnpp.so.[0-9]*.[0-9]*.[0-9]*_*_expected")
  if(NOT shared)
    message(FATAL_ERROR "the name of the shared library does not end with the version and the kind of Result")
  endif()
else()
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --target CMakeFiles/consumer.dir/main.cpp.o
    COMMAND_ERROR_IS_FATAL ANY)
endif()
if(WAY STREQUAL "installed")
  foreach(program IN ITEMS qnnpp-plan qnnpp-run)
    execute_process(COMMAND "${WORK_DIR}/prefix/bin/${program}" --help OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endif()
