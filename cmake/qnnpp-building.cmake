# Defines how tests, examples and the simulated HTP are compiled. Users of the library do not include this file.

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(QNNPP_CCACHE ccache)
  mark_as_advanced(QNNPP_CCACHE)
  if(QNNPP_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${QNNPP_CCACHE}")
    # Without these settings, ccache stores nothing that uses a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${QNNPP_CCACHE}")
  endif()
endif()

if(QNNPP_LIBCXX)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-stdlib=libc++>")
  add_link_options(-stdlib=libc++)
  # Debian's {fmt} and RapidCheck are compiled for libstdc++: {fmt} serves with its headers, and its library is not needed.
  add_compile_definitions("$<$<COMPILE_LANGUAGE:CXX>:FMT_HEADER_ONLY>")
  add_link_options(LINKER:--as-needed)
endif()

foreach(sanitizer IN LISTS QNNPP_SANITIZE)
  add_compile_options(-fsanitize=${sanitizer})
  add_link_options(-fsanitize=${sanitizer})
endforeach()
if(QNNPP_SANITIZE)
  # vptr checks require RTTI, which the library does not need.
  add_compile_options(-fno-sanitize-recover=all -fno-sanitize=vptr -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # C clients call through their own declarations, whose structures have other names.
    add_compile_options(-fno-sanitize=function)
    if("thread" IN_LIST QNNPP_SANITIZE)
      # A test replaces operator new to count allocations. The runtime allows this only as a shared library.
      execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.tsan-${CMAKE_SYSTEM_PROCESSOR}.so
        OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
      get_filename_component(runtime_folder "${runtime}" DIRECTORY)
      add_link_options(-shared-libsan "LINKER:-rpath,${runtime_folder}")
    endif()
  endif()
endif()

# gold links the many programs of the tests in half the time of ld. The costs are those of a usual program.
if(QNNPP_BUILD_TESTS AND NOT QNNPP_COST_TESTS AND NOT QNNPP_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(QNNPP_GOLD ld.gold)
  mark_as_advanced(QNNPP_GOLD)
  if(QNNPP_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()

# By default, g++ collects garbage from 128 MB on, and compiles each std::move and std::forward as a function if it does not
# optimise. Each takes a tenth of the time of a large unit.
set(qnnpp_faster_flags "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(qnnpp_faster_flags "--param ggc-min-heapsize=1048576")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    string(APPEND qnnpp_faster_flags " -ffold-simple-inlines")
  endif()
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:${qnnpp_faster_flags}>")
endif()

set(qnnpp_no_exceptions_flags -fno-exceptions -fno-rtti)
# Makes functions that Android API 21 lacks errors.
set(qnnpp_android_api_21 -include "${PROJECT_SOURCE_DIR}/tests/hygiene/android/api_21.hpp")
if(QNNPP_NO_EXCEPTIONS)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${qnnpp_no_exceptions_flags}>")
endif()
# Uses after a transition are errors. clang 14 reports false errors in loops, so it is excluded.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wconsumed;-Werror=consumed>")
endif()

set(qnnpp_warning_flags -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND qnnpp_warning_flags -Wno-restrict) # false alarms in std::string's operator+ (GCC bug 105651)
endif()

# qnnpp_strict(<target>): enables the warnings of the project as errors.
function(qnnpp_strict target)
  target_compile_options(${target} PRIVATE ${qnnpp_warning_flags})
endfunction()

# qnnpp_optimise(<target>): optimises code that calculates in debug builds too, because tests wait for it.
function(qnnpp_optimise target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Debug>:-O1;-ftree-vectorize>")
endfunction()

# qnnpp_never_optimise(<target>): compiles without optimisation, for code whose test gains nothing from it.
function(qnnpp_never_optimise target)
  target_compile_options(${target} PRIVATE -O0)
endfunction()

# qnnpp_link_library(<target> [EXCEPTIONS]): links qnnpp::qnnpp in a QNNPP_TESTS_COMPILED build, qnnpp::header_only in others.
# A target with exceptions always links the latter in a QNNPP_NO_EXCEPTIONS build, whose library they do not pass.
function(qnnpp_link_library target)
  if(QNNPP_TESTS_COMPILED AND NOT ("EXCEPTIONS" IN_LIST ARGN AND QNNPP_NO_EXCEPTIONS))
    target_link_libraries(${target} PRIVATE qnnpp::qnnpp)
  else()
    target_link_libraries(${target} PRIVATE qnnpp::header_only)
  endif()
endfunction()

# qnnpp_use_test_headers(<target>): compiles gtest, {fmt} and the headers of qnnpp once for all targets that call this. The
# compilers stop if a target's options are not those of test_headers.
set(CMAKE_PCH_PROLOGUE "") # CMake's pragma would suppress the warnings about these headers.
function(qnnpp_use_test_headers target)
  if(NOT target STREQUAL "test_headers")
    target_precompile_headers(${target} REUSE_FROM test_headers)
  endif()
  qnnpp_never_optimise(${target})
  qnnpp_link_library(${target})
  target_link_libraries(${target} PRIVATE GTest::gtest fmt::fmt)
  # CMake compiles a library with -fPIC, but a program with -fPIE.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIE)
  # ccache needs these.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()
if(QNNPP_BUILD_TESTS)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/test_headers.cpp" CONTENT "")
  add_library(test_headers OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/test_headers.cpp")
  qnnpp_strict(test_headers)
  qnnpp_use_test_headers(test_headers)
  target_precompile_headers(test_headers PRIVATE <gtest/gtest.h> <algorithm> <fstream> <functional> <map> <random> <set>
    <sstream> <thread> <qnnpp/format.hpp> <qnnpp/model/load.hpp> <qnnpp/qnnpp.hpp>)
endif()

# qnnpp_add_test(<target> SOURCES <file>... [LIBRARIES <target>...] [DEFINITIONS <definition>...] [ALONE | OPTIMISED]
#                [EXCEPTIONS] [HEADER_ONLY] [ONE_THREAD | ONE_THREAD_SUITES <suite>...] [SEEDS [SLOW <test>...]])
#
# Adds a GoogleTest program whose tests ctest lists one by one. It links qnnpp and gtest's main, has the warnings as
# errors, and has QNNPP_SIM_DIR, the folder of the simulated libraries, which are built before it. Its sources are
# compiled as one unit, because their common headers cost more than the tests. So names in their unnamed namespaces
# must differ.
# It is not optimised, even if the libraries are, because optimisation takes longer than its tests. OPTIMISED is for tests
# that calculate or repeat much.
# ALONE includes no precompiled header, for tests of what a program must include and link.
# EXCEPTIONS keeps exceptions and RTTI in a QNNPP_NO_EXCEPTIONS build, for tests of code that throws.
# HEADER_ONLY compiles the definitions of qnnpp into the program in a QNNPP_TESTS_COMPILED build too, as optimised as the
# libraries, for tests of names that only the definitions declare.
# ONE_THREAD leaves the program out of a build with the thread sanitizer, because it uses no threads;
# ONE_THREAD_SUITES leaves out these suites.
# SEEDS also runs all tests in one process under QNNPP_SEEDS seeds of the simulated HTP. Such tests must not depend on a
# default of the device that no host library confirms. SLOW tests are left out there.
function(qnnpp_add_test target)
  if(NOT QNNPP_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALONE;EXCEPTIONS;HEADER_ONLY;ONE_THREAD;OPTIMISED;SEEDS" "" "SOURCES;LIBRARIES;DEFINITIONS;ONE_THREAD_SUITES;SLOW")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "qnnpp_add_test(${target} SOURCES ...): unexpected '${arg_UNPARSED_ARGUMENTS}' or no sources")
  endif()
  if(arg_ONE_THREAD AND "thread" IN_LIST QNNPP_SANITIZE)
    return()
  endif()
  add_executable(${target} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  qnnpp_strict(${target})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow) # false alarms about "x" + std::to_string(i)
  endif()
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} qnnpp::sim GTest::gtest GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  set(exceptions "")
  if(arg_EXCEPTIONS)
    set(exceptions EXCEPTIONS)
    target_compile_options(${target} PRIVATE -fexceptions -frtti)
  endif()
  if(NOT arg_HEADER_ONLY)
    qnnpp_link_library(${target} ${exceptions})
  endif()
  if(arg_OPTIMISED)
    # Runs about as fast as with -O1, and compiles in two thirds to five sixths of the time.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-Og>)
  elseif(NOT arg_HEADER_ONLY)
    qnnpp_never_optimise(${target})
    if(NOT arg_ALONE AND NOT (arg_EXCEPTIONS AND QNNPP_NO_EXCEPTIONS))
      qnnpp_use_test_headers(${target})
    endif()
  endif()
  get_filename_component(label "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  set(filter "")
  if(arg_ONE_THREAD_SUITES AND "thread" IN_LIST QNNPP_SANITIZE)
    list(TRANSFORM arg_ONE_THREAD_SUITES APPEND ".*" OUTPUT_VARIABLE suites)
    list(JOIN suites ":" suites)
    set(filter TEST_FILTER "-${suites}")
  endif()
  set(death_tests GTEST_DEATH_TEST_STYLE=threadsafe) # A forked child may not use QNN (PRC-01).
  if(arg_SEEDS AND QNNPP_SEEDS GREATER 0)
    list(JOIN arg_SLOW ":" slow)
    foreach(seed RANGE 1 ${QNNPP_SEEDS})
      set(name "seeds: ${target} pass under seed ${seed}")
      add_test(NAME "${name}" COMMAND ${target} --gtest_brief=1 "--gtest_filter=-${slow}")
      set_tests_properties("${name}" PROPERTIES LABELS seeds TIMEOUT 300
        ENVIRONMENT "QNNPP_SIM_SEED=${seed};RC_PARAMS=max_success=20;${death_tests}")
    endforeach()
  endif()
  gtest_discover_tests(${target} ${filter} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS ${label} TIMEOUT 300 ENVIRONMENT "${death_tests}")
endfunction()
if(QNNPP_BUILD_TESTS)
  include(GoogleTest)
endif()
