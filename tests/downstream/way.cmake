# cmake -DWAY=<way> -DSOURCE_DIR= -DHOME= -DBINARIES= -DSIM= -DWORK_DIR= -DCXX= -DGENERATOR= -P way.cmake
#
# Builds the README's programs word for word as the README and docs/using-qnnpp.md describe, and runs them on the simulated HTP.
# HOME: the folder with the installed qnnpp (.local) and the replacement of the NDK. BINARIES: the context binaries.
#   folder  find_package  FetchContent  g++  pkg-config
#   sysroot-fetch  sysroot-path          with the replacement of the NDK; dependencies from FetchContent or from folders
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/documents.cmake")

set(readme "${SOURCE_DIR}/README.md")
set(page "${SOURCE_DIR}/docs/using-qnnpp.md")
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/bin")
file(CREATE_LINK "${SOURCE_DIR}" "${WORK_DIR}/qnnpp" SYMBOLIC)
write_programs("${readme}" "${WORK_DIR}" programs)

# The user's commands: g++ is the compiler under test.
file(WRITE "${WORK_DIR}/bin/g++" "#!/bin/sh\nexec '${CMAKE_CURRENT_LIST_DIR}/compile_once.sh' '${CXX}' \"$@\"\n")
# CMake omits GNU extensions, so that it compiles the same as g++ -std=c++20.
file(WRITE "${WORK_DIR}/bin/cmake"
  "#!/bin/sh\nif [ \"$1\" = -B ]; then set -- \"$@\" -DCMAKE_CXX_EXTENSIONS=OFF; fi\nexec '${CMAKE_COMMAND}' \"$@\"\n")
file(CHMOD "${WORK_DIR}/bin/g++" "${WORK_DIR}/bin/cmake" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{PATH} "${WORK_DIR}/bin:$ENV{PATH}")
set(ENV{HOME} "${HOME}")
set(ENV{NDK} "${HOME}/ndk")
set(ENV{CXX} "${CXX}")
set(ENV{CMAKE_GENERATOR} "${GENERATOR}")
set(ENV{CMAKE_EXPORT_COMPILE_COMMANDS} ON)
set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${CMAKE_CURRENT_LIST_DIR}/compile_once.sh")
set(ENV{QNNPP_COMPILED_ONCE} "${HOME}/compiled")

# sh(<commands>): runs commands as a user types them, in the folder of the programs.
function(sh commands)
  execute_process(COMMAND sh -e -c "${commands}" WORKING_DIRECTORY "${WORK_DIR}" RESULT_VARIABLE status
    OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${commands}\nended ${status}:\n${out}${err}")
  endif()
endfunction()

# write_project(<lines>): writes the README's CMakeLists.txt, with `lines` in place of add_subdirectory(qnnpp), and with the
# last two lines repeated for each further program.
function(write_project lines)
  fence("${readme}" "Use it" cmake 1 project)
  string(REPLACE "add_subdirectory(qnnpp)\n" "${lines}" project "${project}")
  string(FIND "${project}" "${lines}" at)
  string(FIND "${project}" "add_executable(" executable)
  if(at EQUAL -1 OR executable EQUAL -1)
    message(FATAL_ERROR "unexpected project:\n${project}")
  endif()
  string(SUBSTRING "${project}" ${executable} -1 executable)
  foreach(program IN LISTS programs)
    if(NOT program STREQUAL "first_program")
      string(REPLACE "first_program" "${program}" further "${executable}")
      string(APPEND project "${further}")
    endif()
  endforeach()
  file(WRITE "${WORK_DIR}/CMakeLists.txt" "${project}")
endfunction()

# Runs a command for the first program, and for each further one.
function(sh_for_each commands)
  foreach(program IN LISTS programs)
    string(REPLACE "first_program" "${program}" one "${commands}")
    sh("${one}")
  endforeach()
endfunction()

# Requires that the compiler uses the folder, and not a header of the host.
function(expect_folder folder)
  file(READ "${WORK_DIR}/build/compile_commands.json" compiled)
  string(FIND "${compiled}" "-isystem ${folder} " at)
  if(at EQUAL -1)
    message(FATAL_ERROR "no -isystem ${folder} in:\n${compiled}")
  endif()
endfunction()

set(built "${WORK_DIR}/build")
if(WAY STREQUAL "folder")
  fence("${page}" "A folder of your project" cmake 1 lines)
  write_project("${lines}")
  # The folder adds only the library.
  sh("cmake -B build -DCMAKE_PROJECT_first_program_INCLUDE='${CMAKE_CURRENT_LIST_DIR}/nothing_more.cmake'
cmake --build build")
elseif(WAY STREQUAL "find_package")
  fence("${page}" "An installed package" cmake 1 lines)
  fence("${page}" "An installed package" sh 2 commands)
  write_project("${lines}")
  sh("${commands}")
elseif(WAY STREQUAL "FetchContent")
  fence("${page}" "FetchContent" cmake 1 lines)
  write_project("${lines}")
  # A test has no network: this repository replaces the address.
  sh("cmake -B build -DFETCHCONTENT_SOURCE_DIR_QNNPP='${SOURCE_DIR}'
cmake --build build")
elseif(WAY STREQUAL "g++")
  fence("${page}" "A compiler alone" sh 1 commands)
  sh("${commands}")
  fence("${page}" "A compiler alone" sh 2 commands)
  sh_for_each("${commands}")
  fence("${page}" "A compiler alone" sh 3 commands)
  sh("${commands}")
  set(built "${WORK_DIR}")
elseif(WAY STREQUAL "pkg-config")
  # What is tried here are the flags, so one program is enough. The compiler alone gets the same text.
  set(programs first_program)
  fence("${page}" "pkg-config" sh 1 commands)
  sh("${commands}")
  set(built "${WORK_DIR}")
elseif(WAY STREQUAL "sysroot-fetch")
  fence("${page}" "The Android NDK, or another sysroot" sh 1 commands)
  write_project("add_subdirectory(qnnpp)\n")
  sh("${commands}")
  expect_folder("${HOME}/ndk/build/cmake/sources/gsl/include")
  expect_folder("${HOME}/ndk/build/cmake/sources/expected/include")
elseif(WAY STREQUAL "sysroot-path")
  fence("${page}" "The Android NDK, or another sysroot" sh 2 commands)
  write_project("add_subdirectory(qnnpp)\n")
  file(COPY "${HOME}/ndk/build/cmake/sources/gsl/" DESTINATION "${WORK_DIR}/GSL")
  file(COPY "${HOME}/ndk/build/cmake/sources/expected" DESTINATION "${WORK_DIR}")
  sh("${commands}")
  expect_folder("${WORK_DIR}/GSL/include")
  expect_folder("${WORK_DIR}/expected/include")
else()
  message(FATAL_ERROR "unknown way '${WAY}'")
endif()

set(ENV{QNNPP_SIM_VTCM_BYTES} 32768) # The binaries are prepared for this size.
foreach(program IN LISTS programs)
  execute_process(COMMAND "${built}/${program}" "${SIM}/libQnnHtp.so" "${SIM}/libcdsprpc.so"
    stem.bin features.bin gate.bin classifier.bin
    WORKING_DIRECTORY "${BINARIES}" RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0 OR NOT err STREQUAL "" OR out STREQUAL "")
    message(FATAL_ERROR "${program} ended ${status}:\n${out}${err}")
  endif()
  if(EXISTS "${WORK_DIR}/${program}.printed")
    file(READ "${WORK_DIR}/${program}.printed" printed)
    if(NOT out STREQUAL printed)
      message(FATAL_ERROR "${program} does not print what the README says it prints:\n${printed}\nbut:\n${out}")
    endif()
  endif()
endforeach()
