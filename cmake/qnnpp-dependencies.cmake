# Finds the libraries that the headers of qnnpp include. The build of qnnpp and its installed package both use this file.
#
# Searches each library in this order: an existing target, QNNPP_DEPENDENCIES_DIR, a CMake package, a header on the search
# path. If QNNPP_FETCH_DEPENDENCIES is ON, it then fetches the library. Each function below returns what it found as a list
# for qnnpp_link(), and appends a sentence to `missing` for each missing library. None of them stops CMake.
set(QNNPP_DEPENDENCIES_DIR "" CACHE PATH
  "Folders with the headers that qnnpp includes, searched first; a sysroot does not hide them")
option(QNNPP_FETCH_DEPENDENCIES "Fetch the libraries that qnnpp includes and that are not found (FetchContent)" OFF)

# qnnpp_find_headers(<found> <missing> NAME <name> HEADER <header> PACKAGE <package> TARGET <target> DEBIAN <package>
#                    REPOSITORY <url> TAG <tag> [HINT <other way>] [NO_FETCH])
# Sets `found` to the target of the library or to the folder of its header.
function(qnnpp_find_headers found missing)
  cmake_parse_arguments(PARSE_ARGV 2 arg "NO_FETCH" "NAME;HEADER;PACKAGE;TARGET;DEBIAN;REPOSITORY;TAG;HINT" "")
  if(TARGET ${arg_TARGET})
    set(${found} ${arg_TARGET} PARENT_SCOPE)
    return()
  endif()

  foreach(folder IN LISTS QNNPP_DEPENDENCIES_DIR)
    foreach(candidate IN ITEMS "${folder}" "${folder}/include")
      if(EXISTS "${candidate}/${arg_HEADER}")
        set(${found} "${candidate}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()

  get_directory_property(before IMPORTED_TARGETS)
  find_package(${arg_PACKAGE} CONFIG QUIET)
  if(TARGET ${arg_TARGET})
    # Makes all targets of the package visible to a build that embeds qnnpp; otherwise it could not find the package again.
    get_directory_property(after IMPORTED_TARGETS)
    list(APPEND after ${arg_TARGET})
    list(REMOVE_ITEM after "" ${before})
    set_target_properties(${after} PROPERTIES IMPORTED_GLOBAL TRUE)
    set(${found} ${arg_TARGET} PARENT_SCOPE)
    return()
  endif()
  string(TOUPPER "QNNPP_${arg_NAME}_INCLUDE_DIR" variable)
  find_path(${variable} ${arg_HEADER})
  mark_as_advanced(${variable})
  if(${variable})
    set(${found} "${${variable}}" PARENT_SCOPE)
    return()
  endif()

  if(QNNPP_FETCH_DEPENDENCIES AND NOT arg_NO_FETCH)
    # Only the headers are needed: SOURCE_SUBDIR names no existing folder, so CMake configures nothing of the library.
    include(FetchContent)
    FetchContent_Declare(${arg_NAME} GIT_REPOSITORY ${arg_REPOSITORY} GIT_TAG ${arg_TAG} GIT_SHALLOW TRUE
      SOURCE_SUBDIR headers-only)
    FetchContent_MakeAvailable(${arg_NAME})
    if(TARGET ${arg_TARGET}) # An enclosing project has declared it.
      set(${found} ${arg_TARGET} PARENT_SCOPE)
      return()
    endif()
    foreach(folder IN ITEMS "${${arg_NAME}_SOURCE_DIR}/include" "${${arg_NAME}_SOURCE_DIR}")
      if(EXISTS "${folder}/${arg_HEADER}")
        set(${found} "${folder}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
    list(APPEND ${missing} "<${arg_HEADER}> is not in ${${arg_NAME}_SOURCE_DIR}, nor in its include")
  elseif(CMAKE_CROSSCOMPILING) # A package of this machine is not for the target.
    list(APPEND ${missing} "<${arg_HEADER}> was not found. Set QNNPP_FETCH_DEPENDENCIES=ON, or name a clone of \
${arg_REPOSITORY} in QNNPP_DEPENDENCIES_DIR${arg_HINT}.")
  else()
    list(APPEND ${missing} "<${arg_HEADER}> was not found. Install ${arg_DEBIAN} (Debian), name its folder in \
QNNPP_DEPENDENCIES_DIR, or set QNNPP_FETCH_DEPENDENCIES=ON${arg_HINT}.")
  endif()
  set(${missing} "${${missing}}" PARENT_SCOPE)
  set(${found} "" PARENT_SCOPE)
endfunction()

# Sets `standard` to the C++ standard, at least 20, of sources that include qnnpp. Sets `result` to whether the standard
# library then has std::expected, by the rule of qnnpp/config.hpp.
function(qnnpp_check_std_expected result standard)
  set(wanted "${CMAKE_CXX_STANDARD}")
  if(wanted STREQUAL "")
    set(wanted "${CMAKE_CXX_STANDARD_DEFAULT}")
  endif()
  if(NOT wanted GREATER 20 OR wanted EQUAL 98)
    set(wanted 20)
  endif()
  set(variable QNNPP_STD_EXPECTED_IN_CXX${wanted})
  if(NOT DEFINED ${variable})
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/qnnpp")
    file(WRITE "${folder}/std_expected.cpp" "#include <version>
#if !defined(__cpp_lib_expected) || __cpp_lib_expected < 202211L
#error no std::expected
#endif
")
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    try_compile(${variable} "${folder}" SOURCES "${folder}/std_expected.cpp" CXX_STANDARD ${wanted})
  endif()
  set(${result} "${${variable}}" PARENT_SCOPE)
  set(${standard} ${wanted} PARENT_SCOPE)
endfunction()

# Finds the libraries that qnnpp::qnnpp needs.
function(qnnpp_find_needed found missing)
  set(${found} "")

  # tl::expected is needed if std::expected is missing. A source with an older standard than the project's would lack both.
  # So without tl::expected all sources that include qnnpp are compiled as C++23.
  qnnpp_check_std_expected(has_std_expected standard)
  set(expected_missing "")
  set(no_fetch "")
  if(has_std_expected)
    set(no_fetch NO_FETCH)
  endif()
  qnnpp_find_headers(library expected_missing NAME expected HEADER tl/expected.hpp PACKAGE tl-expected
    TARGET tl::expected DEBIAN libexpected-dev REPOSITORY https://github.com/TartanLlama/expected.git TAG v1.1.0
    HINT ", or compile as C++23 with a standard library that has std::expected" ${no_fetch})
  if(library)
    list(APPEND ${found} "${library}")
  elseif(NOT has_std_expected)
    list(APPEND ${missing} "${expected_missing}")
  elseif(standard GREATER 20)
    list(APPEND ${found} cxx_std_23)
  endif()

  qnnpp_find_headers(library ${missing} NAME gsl HEADER gsl/assert PACKAGE Microsoft.GSL
    TARGET Microsoft.GSL::GSL DEBIAN libmsgsl-dev REPOSITORY https://github.com/microsoft/GSL.git TAG v4.0.0)
  list(APPEND ${found} ${library} ${CMAKE_DL_LIBS})

  if(NOT TARGET Threads::Threads)
    set(THREADS_PREFER_PTHREAD_FLAG ON)
    find_package(Threads QUIET)
    if(TARGET Threads::Threads)
      set_target_properties(Threads::Threads PROPERTIES IMPORTED_GLOBAL TRUE)
    endif()
  endif()
  if(TARGET Threads::Threads)
    list(APPEND ${found} Threads::Threads)
  else()
    list(APPEND ${missing} "No thread library was found.")
  endif()

  set(${found} "${${found}}" PARENT_SCOPE)
  set(${missing} "${${missing}}" PARENT_SCOPE)
endfunction()

# Finds {fmt}, which qnnpp::format also needs. NO_FETCH: uses {fmt} if it is installed, and never fetches it.
function(qnnpp_find_fmt found missing)
  qnnpp_find_headers(library ${missing} NAME fmt HEADER fmt/format.h PACKAGE fmt TARGET fmt::fmt DEBIAN libfmt-dev
    REPOSITORY https://github.com/fmtlib/fmt.git TAG 11.2.0 ${ARGN})
  if(IS_ABSOLUTE "${library}")
    list(APPEND library FMT_HEADER_ONLY=1) # A folder has no library to link.
  endif()
  set(${found} "${library}" PARENT_SCOPE)
  set(${missing} "${${missing}}" PARENT_SCOPE)
endfunction()

# Finds the libraries that qnnpp::json also needs. NO_FETCH: uses them if both are installed, and never fetches them.
function(qnnpp_find_json found missing)
  set(json_missing "")
  qnnpp_find_headers(json json_missing NAME json HEADER nlohmann/json.hpp PACKAGE nlohmann_json
    TARGET nlohmann_json::nlohmann_json DEBIAN nlohmann-json3-dev REPOSITORY https://github.com/nlohmann/json.git
    TAG v3.11.3 ${ARGN})
  qnnpp_find_headers(xxhash json_missing NAME xxhash HEADER xxhash.h PACKAGE xxHash TARGET xxHash::xxhash
    DEBIAN libxxhash-dev REPOSITORY https://github.com/Cyan4973/xxHash.git TAG v0.8.3 ${ARGN})
  if(IS_ABSOLUTE "${xxhash}")
    list(APPEND xxhash XXH_INLINE_ALL=1) # A folder has no library to link.
  endif()
  set(${found} "")
  if(NOT json_missing)
    set(${found} ${json} ${xxhash})
  endif()
  set(${found} "${${found}}" PARENT_SCOPE)
  set(${missing} ${${missing}} ${json_missing} PARENT_SCOPE)
endfunction()

# qnnpp_link(<target> <found>...): adds what was found to the interface of `target`: folders, definitions, features of
# the compiler and libraries. An installed `target` leaves them out; the project that uses the package finds them again.
function(qnnpp_link target)
  foreach(item IN LISTS ARGN)
    if(IS_ABSOLUTE "${item}")
      target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${item}>)
    elseif(item MATCHES "=")
      target_compile_definitions(${target} INTERFACE $<BUILD_INTERFACE:${item}>)
    elseif(item MATCHES "^cxx_std_")
      target_compile_features(${target} INTERFACE $<BUILD_INTERFACE:${item}>)
    else()
      target_link_libraries(${target} INTERFACE $<BUILD_INTERFACE:${item}>)
    endif()
  endforeach()
endfunction()
