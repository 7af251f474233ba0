# cmake -DSOURCE_DIR= -DBUILD_DIR= -DHOME= -DCXX= -DGENERATOR= -DOBJECTS=<object>|... -P home.cmake
# Makes the user's home for the programs of way.cmake: the replacement of the NDK, and qnnpp installed as in
# docs/using-qnnpp.md, with nothing built and no library found. Checks the installed files.
# OBJECTS: the definitions of qnnpp as the build of the tests compiled them. The ways that preprocess them to the same text use
# these objects.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/documents.cmake")

file(REMOVE_RECURSE "${HOME}")
set(ndk "${HOME}/ndk/build/cmake")
file(MAKE_DIRECTORY "${ndk}/sysroot")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/android.toolchain.cmake" DESTINATION "${ndk}")
file(COPY "${GSL}/gsl" DESTINATION "${ndk}/sources/gsl/include")
file(COPY "${EXPECTED}/tl" DESTINATION "${ndk}/sources/expected/include")
file(COPY "${FMT}/fmt" DESTINATION "${ndk}/sources/fmt/include")
file(COPY "${JSON}/nlohmann" DESTINATION "${ndk}/sources/json/include")
file(GLOB xxhash "${XXHASH}/xxh*.h") # xxHash's repository has them in its top folder.
file(COPY ${xxhash} DESTINATION "${ndk}/sources/xxhash")

file(CREATE_LINK "${SOURCE_DIR}" "${HOME}/qnnpp" SYMBOLIC)
set(ENV{HOME} "${HOME}")
set(ENV{CXX} "${CXX}")
set(ENV{CMAKE_GENERATOR} "${GENERATOR}")
set(ENV{CMAKE_TOOLCHAIN_FILE} "${ndk}/android.toolchain.cmake")
fence("${SOURCE_DIR}/docs/using-qnnpp.md" "An installed package" sh 1 commands)
execute_process(COMMAND sh -e -c "${commands}" WORKING_DIRECTORY "${HOME}" OUTPUT_VARIABLE out COMMAND_ERROR_IS_FATAL ANY)
string(FIND "${out}" "<gsl/assert> was not found. Set QNNPP_FETCH_DEPENDENCIES=ON, or name a clone of \
https://github.com/microsoft/GSL.git in QNNPP_DEPENDENCIES_DIR." at)
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.21 AND at EQUAL -1)
  message(FATAL_ERROR "installing does not say what a program with qnnpp needs:\n${out}")
endif()
file(GLOB built "${HOME}/qnnpp-build/*.a" "${HOME}/qnnpp-build/sim/*")
if(built)
  message(FATAL_ERROR "installing built ${built}")
endif()

file(GLOB_RECURSE wanted RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/include/qnnpp/*")
foreach(file IN ITEMS config config-version dependencies library targets format-targets json-targets)
  list(APPEND wanted share/cmake/qnnpp/qnnpp-${file}.cmake)
endforeach()
list(APPEND wanted share/doc/qnnpp/LICENSE share/pkgconfig/qnnpp.pc share/pkgconfig/qnnpp-format.pc share/pkgconfig/qnnpp-json.pc)
file(GLOB_RECURSE installed RELATIVE "${HOME}/.local" "${HOME}/.local/*")
list(SORT wanted)
list(SORT installed)
if(NOT installed STREQUAL wanted)
  message(FATAL_ERROR "installed:\n${installed}\nwanted:\n${wanted}")
endif()

string(REPLACE "|" ";" OBJECTS "${OBJECTS}")
foreach(object IN LISTS OBJECTS)
  get_filename_component(layer "${object}" NAME_WE)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "QNNPP_COMPILED_ONCE=${HOME}/compiled" "QNNPP_OBJECT=${object}"
    "${CMAKE_CURRENT_LIST_DIR}/compile_once.sh" "${CXX}" -DQNNPP_SEPARATE "-I${SOURCE_DIR}/include" -fPIC -std=c++20
    -o "${HOME}/${layer}.o" -c "${BUILD_DIR}/qnnpp_definitions/${layer}.cpp" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
