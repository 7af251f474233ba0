# cmake -DWAY=<way> -DSOURCE_DIR= -DBUILD_DIR= -DWORK_DIR= -DCXX= -DCC= -DGENERATOR= -P consumer.cmake
#
# Builds and runs the small project in consumer/ with qnnpp taken in one of these ways:
#   folder           add_subdirectory, nothing asked for
#   folder-with-sim  add_subdirectory with QNNPP_BUILD_SIM; configured only, as the libraries are built beside the tests
#   installed        find_package from a prefix that the build of qnnpp was installed to
#   folder-compiled, installed-compiled  with qnnpp::compiled instead of qnnpp::qnnpp
cmake_minimum_required(VERSION 3.20)

file(REMOVE_RECURSE "${WORK_DIR}")
set(arguments -DCONSUMER_TARGET=qnnpp::qnnpp)
if(WAY MATCHES "compiled")
  set(arguments -DCONSUMER_TARGET=qnnpp::compiled)
endif()
if(WAY MATCHES "installed")
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix" OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND arguments "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix" -DCONSUMER_WITH_SIM=ON)
else()
  list(APPEND arguments "-DCONSUMER_QNNPP_DIR=${SOURCE_DIR}")
  if(WAY STREQUAL "folder-with-sim")
    list(APPEND arguments -DQNNPP_BUILD_SIM=ON -DCONSUMER_WITH_SIM=ON)
  endif()
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK_DIR}/build"
  "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_C_COMPILER=${CC}" ${arguments} COMMAND_ERROR_IS_FATAL ANY)
if(WAY STREQUAL "folder-with-sim")
  return()
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${WORK_DIR}/build/consumer" COMMAND_ERROR_IS_FATAL ANY)
