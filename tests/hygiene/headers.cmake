# cmake -DINCLUDE_DIR=<include> -DCHECK=<check> [-DFOLDER=sim] -P headers.cmake
#
# Checks the text of every header and every file of definitions (.ipp) below <include>/qnnpp, or <include>/sim:
#   layers     a header includes only its own layer and those below it, and nobody includes qnnpp.hpp
#   rooms      definitions stand in impl/<layer>/, which has nothing else
#   budget     no heavy standard header in the layers that every program includes, and of other libraries only two headers
#   length     no header has more than 600 lines
#   statics    no mutable static or inline variable, except the lines kept by log callbacks, which have no user pointer
#   contracts  a broken contract prints a sentence: QNNPP_EXPECTS, and Expects only in its definition
#   platform   every header reaches platform.hpp, and does so before a header that only a supported system has
#   once       every header has #pragma once and opens with a comment
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../text.cmake")

# What each folder may include, beside itself.
set(may_abi "")
set(may_core abi)
set(may_backend core ${may_core})
set(may_memory backend ${may_backend})
set(may_context memory ${may_memory})
set(may_graph context ${may_context})
set(may_model graph ${may_graph})
set(may_sim abi)
set(layers abi core backend memory context graph model sim)
# Headers of no layer that every layer but abi may include.
set(common_headers platform.hpp config.hpp version.hpp fwd.hpp)
# Headers of no layer that may include all of them, and that nobody includes.
set(top_headers qnnpp.hpp definitions.hpp format.hpp throw.hpp)
# The only headers that need {fmt}; no other header includes them.
set(fmt_headers format.hpp model/format.hpp)

set(lean_layers abi core backend memory context graph)
set(heavy_headers memory functional iostream filesystem regex)
set(foreign_headers tl/expected.hpp gsl/assert)

set(faults "")
macro(fault text)
  string(APPEND faults "\n  ${shown}: ${text}")
endmacro()

function(split_lines text_variable lines_variable)
  string(REPLACE "\n" ";" lines "${${text_variable}}")
  set(${lines_variable} "${lines}" PARENT_SCOPE)
endfunction()

if(NOT DEFINED FOLDER)
  set(FOLDER qnnpp)
endif()
file(GLOB_RECURSE headers RELATIVE "${INCLUDE_DIR}/${FOLDER}" "${INCLUDE_DIR}/${FOLDER}/*.hpp" "${INCLUDE_DIR}/${FOLDER}/*.ipp")
if(FOLDER STREQUAL "sim")
  # The simulated HTP uses of the library what tells of the C API, and no more.
  set(may_sim core ${may_core})
  list(FILTER headers EXCLUDE REGEX "^tests/")
endif()
if(headers STREQUAL "")
  fail("no headers in ${INCLUDE_DIR}/${FOLDER}")
endif()

foreach(header IN LISTS headers)
  set(shown "${FOLDER}/${header}")
  read_tame("${INCLUDE_DIR}/${FOLDER}/${header}" text)
  set(layer "")
  if(FOLDER STREQUAL "sim")
    set(layer sim)
  elseif(header MATCHES "^(impl/)?([^/]+)/")
    set(layer ${CMAKE_MATCH_2})
  endif()

  if(CHECK STREQUAL "layers")
    if(NOT layer STREQUAL "" AND NOT layer IN_LIST layers)
      fault("'${layer}' is no layer")
    elseif(layer STREQUAL "" AND NOT header IN_LIST common_headers AND NOT header IN_LIST top_headers)
      fault("belongs to no layer")
    endif()
    string(REGEX MATCHALL "# *include *\"[^\"\n]*\"" includes "${text}")
    if(header STREQUAL "platform.hpp") # its includes are sentences
      continue()
    endif()
    foreach(include IN LISTS includes)
      if(FOLDER STREQUAL "sim" AND include MATCHES "\"sim/")
        continue()
      elseif(NOT include MATCHES "\"qnnpp/([^\"]+)\"")
        fault("has '${include}', which does not start with ${FOLDER}/")
        continue()
      endif()
      set(target "${CMAKE_MATCH_1}")
      if(target IN_LIST fmt_headers)
        if(NOT header IN_LIST fmt_headers)
          fault("includes ${target}, which needs {fmt}")
        endif()
      elseif(target IN_LIST top_headers)
        if(NOT header IN_LIST top_headers OR target STREQUAL "qnnpp.hpp")
          fault("includes ${target}, which nobody inside includes")
        endif()
      elseif(target IN_LIST common_headers)
        if(layer STREQUAL "abi" AND NOT target STREQUAL "platform.hpp")
          fault("includes ${target}, but abi stands alone")
        endif()
      elseif(header IN_LIST common_headers AND NOT header STREQUAL "fwd.hpp")
        fault("includes ${target}, but belongs to no layer")
      elseif(layer IN_LIST layers)
        string(REGEX REPLACE "^(impl/)?([^/]+)/.*$" "\\2" target_layer "${target}")
        if(NOT target_layer STREQUAL layer AND NOT target_layer IN_LIST may_${layer})
          fault("includes ${target}, but ${layer} may include only: ${layer} ${may_${layer}}")
        endif()
      endif()
    endforeach()

  elseif(CHECK STREQUAL "rooms")
    if(header MATCHES "[.]ipp$" AND NOT header MATCHES "^impl/[^/]+/[^/]+$")
      fault("definitions, but not in impl/<layer>/")
    elseif(header MATCHES "^impl/" AND NOT header MATCHES "[.]ipp$")
      fault("in impl/, but no definitions (.ipp)")
    endif()

  elseif(CHECK STREQUAL "budget")
    string(REGEX MATCHALL "# *include *<[^>\n]*>" includes "${text}")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE ".*<(.*)>" "\\1" target "${include}")
      if(layer IN_LIST lean_layers AND target IN_LIST heavy_headers)
        fault("includes <${target}>, which is too heavy for ${layer}")
      elseif(target MATCHES "/" AND NOT target IN_LIST foreign_headers AND NOT target MATCHES "^(sys|linux)/"
          AND NOT header IN_LIST fmt_headers AND NOT header STREQUAL "abi/verify_sdk.hpp")
        fault("includes <${target}>; of other libraries only tl/expected.hpp and gsl/assert")
      endif()
    endforeach()

  elseif(CHECK STREQUAL "length")
    string(REGEX MATCHALL "\n" lines "${text}")
    list(LENGTH lines count)
    if(count GREATER 600)
      fault("${count} lines, at most 600")
    endif()

  elseif(CHECK STREQUAL "statics")
    split_lines(text lines)
    foreach(line IN LISTS lines)
      if(line MATCHES "^ *(static|inline|thread_local|constinit) [^(]*(=|{|<semicolon>)" AND NOT line MATCHES "[ (](const|constexpr|consteval|namespace) "
         AND NOT "${header} ${line}" STREQUAL "backend/detail/error_lines.hpp inline constinit ErrorLines error_lines<semicolon>")
        fault("mutable static: ${line}")
      endif()
    endforeach()

  elseif(CHECK STREQUAL "contracts")
    if(NOT header STREQUAL "impl/core/contract.ipp" AND text MATCHES "(^|[^A-Za-z0-9_])((Expects|Ensures) *\\()")
      fault("has ${CMAKE_MATCH_3}; write QNNPP_EXPECTS(condition, \"sentence\")")
    endif()

  elseif(CHECK STREQUAL "platform")
    # A header of ours reaches platform.hpp, as this holds for each of them.
    if(NOT header STREQUAL "platform.hpp")
      string(REGEX MATCH "# *include *(\"(qnnpp|sim)/|<(sys/|linux/|(dlfcn|fcntl|poll|pthread|time|unistd)[.]h))" first "${text}")
      if(first STREQUAL "")
        fault("includes no header of qnnpp, hence not platform.hpp")
      elseif(first MATCHES "<")
        fault("includes a header of the system before one of qnnpp")
      endif()
    endif()

  elseif(CHECK STREQUAL "once")
    if(NOT text MATCHES "(^|\n)#pragma once\n")
      fault("has no #pragma once")
    endif()
    string(REGEX REPLACE "\n(namespace|#include).*" "" opening "${text}")
    if(NOT opening MATCHES "(^|\n)//")
      fault("does not open with a comment that says what it is")
    endif()
  else()
    fail("unknown CHECK '${CHECK}'")
  endif()
endforeach()

if(NOT faults STREQUAL "")
  untame(faults)
  fail("headers to mend:${faults}")
endif()
list(LENGTH headers count)
message(STATUS "${count} headers")
