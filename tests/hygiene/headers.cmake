# cmake -DINCLUDE_DIR=<include> -DCHECK=<check> [-DFOLDER=sim] -P headers.cmake
#
# Checks the text of every header and every file of definitions (.ipp) in <include>/qnnpp or <include>/sim:
#   layers     a header includes only its own layer and the layers below it, and no header includes qnnpp.hpp. The sources of the
#              simulated HTP include of the library only the declarations of the C API, and the facts about them
#   rooms      definitions stand in impl/<layer>/, which has no other files
#   budget     the layers that every program includes have no heavy standard header; only two headers of other libraries are
#              allowed, and each optional header may include the header of its library
#   length     no header has more than 500 lines
#   namespaces an inline namespace has braces of its own, because ctags and other tools do not read the short form
#   statics    no mutable static or inline variable. Exceptions: ways to the objects that all copies of qnnpp in the process
#              share; the log callbacks, which have no user pointer; the number of open accesses, which each execution reads;
#              the number of a thread; what fork() and exit() end
#   contracts  a broken contract prints a sentence: QNNPP_EXPECTS; Expects stands only in its definition
#   platform   every header reaches platform.hpp, before any header that only a supported system has
#   facts      each slot, error code and record of the C API stands in exactly one file
#   results    every function that returns a Result is [[nodiscard]], because Result itself is not
#   lasting    a function that returns a reference, pointer, span or string_view into its object is const&, so that a temporary
#              can be refused. The functions in may_be_temporary are exceptions, with the reason
#   once       every header has #pragma once and opens with a comment
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../text.cmake")

# Layers that each folder may include, beside itself. The simulated HTP is compared with the library, so it must not use the
# library's code and numbers.
set(may_abi "")
set(may_core abi)
set(may_backend core ${may_core})
set(may_memory backend ${may_backend})
set(may_context memory ${may_memory})
set(may_graph context ${may_context})
set(may_model graph ${may_graph})
set(may_report model ${may_model})
set(may_sim abi)
set(layers abi core backend memory context graph model report sim)
# Headers outside the layers that every layer except abi and sim may include. These two may include platform.hpp.
set(common_headers platform.hpp config.hpp version.hpp fwd.hpp)
# Headers outside the layers that may include every layer, and that no header includes.
set(top_headers qnnpp.hpp definitions.hpp format.hpp throw.hpp)
# Headers that need an optional library, and the header of that library. No other header includes them.
set(asked_headers format.hpp report/format.hpp report/json.hpp report/detail/manifest_reader.hpp report/digest.hpp report/trace.hpp)
set(needed_by_format.hpp fmt/format.h)
set(needed_by_report/format.hpp fmt/ranges.h)
set(needed_by_report/json.hpp nlohmann/json.hpp)
set(needed_by_report/detail/manifest_reader.hpp nlohmann/json.hpp)
set(needed_by_report/digest.hpp xxhash.h)
set(needed_by_report/trace.hpp nlohmann/json.hpp)

# Functions, by header, that return a pointer or a reference and may be called on a temporary.
set(may_be_temporary
  # Data of the provider's library, which its owner keeps open.
  backend/interface.hpp:core_version backend/interface.hpp:backend_version
  backend/interface.hpp:provider_name backend/interface.hpp:native backend/shared_library.hpp:native backend/system.hpp:version
  # The caller's memory.
  graph/binding.hpp:data
  # A view owns no elements.
  memory/tensor_view.hpp:elements memory/tensor_view.hpp:operator
  # An access opened for one call lasts until that call returns.
  memory/tensor_access.hpp:data memory/tensor_access.hpp:begin memory/tensor_access.hpp:end memory/tensor_access.hpp:operator
  # A caught exception lasts until its handler ends.
  throw.hpp:error
  # Blocks, which are not part of the public API.
  memory/dma_buffer.hpp:data memory/tensor_memory.hpp:memory_of
  memory/tensor_memory.hpp:shared_memory_of
  # References that implement the owners.
  core/owner.hpp:get core/ref.hpp:get core/ref.hpp:operator core/ref.hpp:release)

set(lean_layers abi core backend memory context graph)
set(heavy_headers memory functional iostream filesystem regex)
set(foreign_headers tl/expected.hpp gsl/assert)
set(system_headers "(sys/|linux/|(dlfcn|fcntl|poll|pthread|time|unistd)[.]h)")

set(faults "")
macro(fault text)
  string(APPEND faults "\n  ${shown}: ${text}")
endmacro()

function(split_lines text_variable lines_variable)
  string(REPLACE "\n" ";" lines "${${text_variable}}")
  set(${lines_variable} "${lines}" PARENT_SCOPE)
endfunction()

# Splits the text at semicolons, braces and access specifiers, without comments, strings and line ends. <private> marks
# statements after private: or protected:.
function(split_statements text_variable statements_variable)
  string(REGEX REPLACE "//[^\n]*|\"[^\"\n]*\"" "" code "${${text_variable}}")
  string(REGEX REPLACE "[ \n]+" " " code "${code}")
  string(REGEX REPLACE " ?(private|protected): ?" ";<private>" code "${code}")
  string(REGEX REPLACE " ?(<semicolon>|[{}]|public:) ?" ";" code "${code}")
  set(${statements_variable} "${code}" PARENT_SCOPE)
endfunction()

if(NOT DEFINED FOLDER)
  set(FOLDER qnnpp)
endif()
file(GLOB_RECURSE headers RELATIVE "${INCLUDE_DIR}/${FOLDER}" "${INCLUDE_DIR}/${FOLDER}/*.hpp" "${INCLUDE_DIR}/${FOLDER}/*.ipp")
if(FOLDER STREQUAL "sim")
  if(CHECK STREQUAL "layers")
    file(GLOB_RECURSE sources RELATIVE "${INCLUDE_DIR}/sim" "${INCLUDE_DIR}/sim/*.cpp")
    list(APPEND headers ${sources})
  endif()
  list(FILTER headers EXCLUDE REGEX "^tests/")
endif()
if(headers STREQUAL "")
  fail("no headers in ${INCLUDE_DIR}/${FOLDER}")
endif()

# Facts that the check looks for: the numbers of the error codes and the names of the slots.
if(CHECK STREQUAL "facts")
  read_tame("${INCLUDE_DIR}/${FOLDER}/abi/error.hpp" text)
  string(REGEX MATCHALL "= [0-9][0-9][0-9][0-9]+," codes "${text}")
  string(REGEX REPLACE "[= ,]" "" codes "${codes}")
  list(REMOVE_DUPLICATES codes)
  read_tame("${INCLUDE_DIR}/${FOLDER}/abi/interface.hpp" text)
  string(REGEX MATCHALL "\n  [a-z0-9_]+ = [0-9]+," slots "${text}")
  string(REGEX REPLACE "[\n ]|= [0-9]+,"  "" slots "${slots}")
  list(LENGTH slots half)
  math(EXPR half "${half} / 2")
  if(codes STREQUAL "" OR half EQUAL 0)
    fail("abi/error.hpp or abi/interface.hpp has no numbers")
  endif()
endif()
# Reports a fault if another file has already claimed the thing.
macro(claim thing)
  string(MD5 home "${thing}")
  if(DEFINED home_${home})
    fault("has ${thing}, which stands in ${home_${home}}")
  endif()
  set(home_${home} "${header}")
endmacro()

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
    if(header STREQUAL "platform.hpp") # its includes are parts of sentences
      continue()
    endif()
    foreach(include IN LISTS includes)
      if(FOLDER STREQUAL "sim" AND include MATCHES "\"(sim/|abi/facts/)")
        continue()
      elseif(NOT include MATCHES "\"qnnpp/([^\"]+)\"")
        fault("has '${include}', which does not start with ${FOLDER}/")
        continue()
      endif()
      set(target "${CMAKE_MATCH_1}")
      if(target IN_LIST asked_headers)
        if(NOT header IN_LIST asked_headers)
          fault("includes ${target}, which needs <${needed_by_${target}}>")
        endif()
      elseif(target IN_LIST top_headers)
        if(NOT header IN_LIST top_headers OR target STREQUAL "qnnpp.hpp")
          fault("includes ${target}, which nobody inside includes")
        endif()
      elseif(target IN_LIST common_headers)
        if(layer MATCHES "^(abi|sim)$" AND NOT target STREQUAL "platform.hpp")
          fault("includes ${target}, but ${layer} stands alone")
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
      elseif(target MATCHES "[/.]" AND NOT target IN_LIST foreign_headers AND NOT target MATCHES "^${system_headers}"
          AND NOT target STREQUAL "${needed_by_${header}}" AND NOT header STREQUAL "abi/verify_sdk.hpp")
        fault("includes <${target}>; of other libraries only tl/expected.hpp and gsl/assert")
      endif()
    endforeach()

  elseif(CHECK STREQUAL "length")
    string(REGEX MATCHALL "\n" lines "${text}")
    list(LENGTH lines count)
    if(count GREATER 500)
      fault("${count} lines, at most 500")
    endif()

  elseif(CHECK STREQUAL "namespaces")
    if(text MATCHES "namespace [a-z_:]*::inline ")
      fault("has 'namespace a::inline b', which ctags does not read; write 'namespace a { inline namespace b {'")
    endif()

  elseif(CHECK STREQUAL "statics")
    split_lines(text lines)
    foreach(line IN LISTS lines)
      if(line MATCHES "^ *(static|inline|thread_local|constinit) [^(]*(=|{|<semicolon>)" AND NOT line MATCHES "[ (](const|constexpr|consteval|namespace) "
         AND NOT "${header} ${line}" STREQUAL "backend/detail/error_lines.hpp inline constinit ProcessWide<ErrorLines, SharedObject::error_lines> error_lines<semicolon>"
         AND NOT "${header} ${line}" STREQUAL "backend/detail/epoch.hpp inline constinit NeverDestroyed<NodeList<RestartLog>> restart_logs<semicolon>"
         AND NOT "${header} ${line}" STREQUAL "backend/detail/lost_contexts.hpp inline constinit ProcessWide<LostContexts, SharedObject::lost_contexts> lost_contexts<semicolon>"
         AND NOT "${header} ${line}" STREQUAL "core/detail/forked.hpp inline constinit std::atomic<bool> has_forked{false}<semicolon>"
         AND NOT "${header} ${line}" STREQUAL
             "impl/memory/spill_fill_lease.ipp   static constinit ProcessWide<EndlessWaits, SharedObject::endless_waits> waits<semicolon>"
         AND NOT "${header} ${line}" STREQUAL
             "core/detail/process_wide.hpp inline constinit std::atomic<ProcessRegistry*> process_registry{nullptr}<semicolon>"
         AND NOT "${header} ${line}" STREQUAL "backend/detail/log_sink.hpp inline constinit NeverDestroyed<LogSlots> log_slots<semicolon>"
         AND NOT "${header} ${line}" STREQUAL
             "memory/detail/open_ranges.hpp inline constinit std::atomic<std::uint32_t> open_accesses = 0<semicolon>"
         AND NOT "${header} ${line}" STREQUAL
             "memory/spill_fill_lease.hpp inline constinit thread_local ThreadNumber number_of_this_thread = no_thread<semicolon>")
        fault("mutable static: ${line}")
      endif()
    endforeach()

  elseif(CHECK STREQUAL "results")
    # Checks declarations only: a separate definition does not repeat the attribute.
    if(NOT header MATCHES "^impl/")
      split_statements(text statements)
      foreach(statement IN LISTS statements)
        if(statement MATCHES "(^| |<private>)Result<[^()]*> [a-z_0-9]+\\(" AND NOT statement MATCHES "nodiscard|QNNPP_REFUSE|return ")
          fault("a Result that may be dropped, for want of [[nodiscard]]: ${statement}")
        endif()
      endforeach()
    endif()

  elseif(CHECK STREQUAL "lasting")
    if(NOT header MATCHES "^(impl|abi)/|/detail/")
      split_statements(text statements)
      set(is_private FALSE)  # Until the next class.
      foreach(statement IN LISTS statements)
        if(statement MATCHES "^(namespace|(template <[^>]*> )?(class|struct)) ")
          set(is_private FALSE)
        elseif(statement MATCHES "^<private>")
          set(is_private TRUE)
        endif()
        if(NOT is_private AND NOT statement MATCHES "static |friend |QNNPP_REFUSE|return "
           AND statement MATCHES "nodiscard.* ([^ ()]*[&*]|(std::)?(span<[^()]*>|string_view)) (operator|[a-z_]+)[^ ]*\\([^()]*\\)+ const( noexcept)?$")
          if(NOT "${header}:${CMAKE_MATCH_4}" IN_LIST may_be_temporary)
            fault("what ${CMAKE_MATCH_4}() returns may outlive its object, for want of const&: ${statement}")
          endif()
        endif()
      endforeach()
    endif()

  elseif(CHECK STREQUAL "contracts")
    if(NOT header STREQUAL "impl/core/contract.ipp" AND text MATCHES "(^|[^A-Za-z0-9_])((Expects|Ensures) *\\()")
      fault("has ${CMAKE_MATCH_3}; write QNNPP_EXPECTS(condition, \"sentence\")")
    endif()

  elseif(CHECK STREQUAL "platform")
    # Every header of qnnpp reaches platform.hpp, because this check holds for each of them.
    if(NOT header STREQUAL "platform.hpp")
      string(REGEX MATCH "# *include *(\"(qnnpp|sim)/|<${system_headers})" first "${text}")
      if(first STREQUAL "")
        fault("includes no header of qnnpp, hence not platform.hpp")
      elseif(first MATCHES "<")
        fault("includes a header of the system before one of qnnpp")
      endif()
    endif()

  elseif(CHECK STREQUAL "facts")
    # verify_sdk compares each declaration with the SDK and so repeats its name. It is written from the tables of
    # tests/abi/facts.
    if(header MATCHES "^abi/verify_sdk")
      continue()
    endif()
    string(REGEX REPLACE "//[^\n]*" "" code "${text}")
    # A slot: the name of its C function, and the list of all slots.
    string(REGEX MATCHALL "\"Qnn[A-Za-z]+_[A-Za-z]+\"" names "${code}")
    list(REMOVE_DUPLICATES names)
    foreach(name IN LISTS names)
      claim("${name}")
    endforeach()
    if(NOT header STREQUAL "abi/interface.hpp")
      string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*" words "${code}")
      set(listed 0)
      foreach(slot IN LISTS slots)
        if(slot IN_LIST words)
          math(EXPR listed "${listed} + 1")
        endif()
      endforeach()
      if(listed GREATER half)
        fault("lists the slots again, which stand in abi/interface.hpp")
      endif()
    endif()
    # An error code: its number.
    if(header MATCHES "^abi/")
      if(NOT header STREQUAL "abi/error.hpp" AND code MATCHES "enum class ([A-Za-z0-9_]+Error)")
        fault("has the codes of ${CMAKE_MATCH_1}; error codes stand in abi/error.hpp")
      endif()
    else()
      string(REGEX REPLACE "\"[^\"\n]*\"" "" bare "${code}")
      string(REGEX MATCHALL "[^A-Za-z0-9_.'][0-9][0-9A-Za-z_.']*" numbers "${bare}")
      foreach(number IN LISTS numbers)
        string(REGEX REPLACE "^.([0-9]+)[uUlL]*$" "\\1" number "${number}")
        if(number IN_LIST codes)
          fault("has ${number}, an error code's number; write code_of() of its enumerator")
        endif()
      endforeach()
    endif()
    # A record: one definition, and no check of its layout.
    if(header MATCHES "^abi/")
      string(REGEX MATCHALL "\n(struct|union|enum class) [A-Za-z0-9_]+[^\n<]* {" records "${code}")
      foreach(record IN LISTS records)
        string(REGEX REPLACE "^\n(struct|union|enum class) ([A-Za-z0-9_]+).*$" "\\2" record "${record}")
        claim("the definition of ${record}")
      endforeach()
      if(code MATCHES "static_assert|offsetof")
        fault("checks a layout or a number; tests/abi does that")
      endif()
    elseif(code MATCHES "namespace qnnpp::c_api")
      fault("declares something of the C API, which abi/ does")
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
