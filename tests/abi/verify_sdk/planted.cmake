# cmake -DCOMPILER=<c++> -DINCLUDE_DIR=<include> -DAWK=<awk> -DWORK_DIR=<folder> -P planted.cmake
#
# Compiles the comparisons of verify_sdk.hpp with invented SDKs. An equal SDK passes, each planted change is named, and an SDK
# that is too old causes exactly one sentence. An SDK that has the declarations of abi/ passes all headers that the facts make,
# and a change of one of them is named.
cmake_minimum_required(VERSION 3.20)

function(compile result_variable errors_variable)
  execute_process(
    COMMAND "${COMPILER}" -std=c++20 "-I${INCLUDE_DIR}" -fsyntax-only -w ${ARGN}
    RESULT_VARIABLE result ERROR_VARIABLE errors OUTPUT_QUIET)
  set(${result_variable} "${result}" PARENT_SCOPE)
  set(${errors_variable} "${errors}" PARENT_SCOPE)
endfunction()

compile(result errors "${CMAKE_CURRENT_LIST_DIR}/planted.cpp")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the same declarations differ:\n${errors}")
endif()

set(all_errors -fmax-errors=0)
execute_process(COMMAND "${COMPILER}" --version OUTPUT_VARIABLE version)
if(version MATCHES "clang")
  set(all_errors -ferror-limit=0)
endif()
compile(result errors ${all_errors} -DPLANTED "${CMAKE_CURRENT_LIST_DIR}/planted.cpp")
set(unseen "")
foreach(sentence IN ITEMS
    "Sized and Their_Sized differ in size or alignment" "Moved::b and Their_Moved::b differ in place or size"
    "Moved::b and Their_Moved::b begin at different offsets" "Width::field and Their_Width::field differ in place or size"
    "op_name has another text"
    "Option::first and THEIR_SECOND differ in value" "invalid_fd and THEIR_INVALID_FD differ in value"
    "backend_htp and THEIR_BACKEND_ID differ in value"
    "THEIR_CONFIG_INIT leaves another value than Option::undefined in Their_Config_t::option"
    "THEIR_CONFIG_INIT leaves another value than invalid_fd in Their_Config_t::fd")
  string(FIND "${errors}" "${sentence}" at)
  if(result EQUAL 0 OR at EQUAL -1)
    string(APPEND unseen "\n  ${sentence}")
  endif()
endforeach()
foreach(record IN ITEMS Floating Integral Precise Sign Enumeration Address Constness Depth Elements Fields)
  string(FIND "${errors}" "${record}::field and Their_${record}::field differ in type" at)
  if(at EQUAL -1)
    string(APPEND unseen "\n  the type of ${record}::field")
  endif()
endforeach()
foreach(slot IN ITEMS more fewer order type constness result floating)
  string(FIND "${errors}" "Slots::${slot} and Their_Slots::${slot} differ in type" at)
  if(at EQUAL -1)
    string(APPEND unseen "\n  the signature of Slots::${slot}")
  endif()
endforeach()
string(FIND "${errors}" "Slots::same and" at)
if(NOT at EQUAL -1)
  string(APPEND unseen "\n  Slots::same did not change")
endif()
if(NOT unseen STREQUAL "")
  message(FATAL_ERROR "planted and not seen:${unseen}\n${errors}")
endif()

compile(result errors "-I${CMAKE_CURRENT_LIST_DIR}/too_old" -x c++ -include qnnpp/abi/verify_sdk.hpp /dev/null)
string(REGEX MATCHALL "error: " found "${errors}")
list(LENGTH found count)
if(result EQUAL 0 OR NOT errors MATCHES "this QNN SDK is too old for qnnpp, as SDK 2.13 is; use SDK 2.25"
    OR errors MATCHES "fatal|static_assert|differ" OR NOT count EQUAL 1)
  message(FATAL_ERROR "wanted one sentence about an old SDK, got:\n${errors}")
endif()

file(REMOVE_RECURSE "${WORK_DIR}")
set(facts "${CMAKE_CURRENT_LIST_DIR}/../facts")
file(GLOB_RECURSE tables RELATIVE "${facts}" "${facts}/*.inc")
list(REMOVE_ITEM tables all.inc)
execute_process(COMMAND "${AWK}" -f "${CMAKE_CURRENT_LIST_DIR}/invented_sdk.awk" ${tables}
  WORKING_DIRECTORY "${facts}" OUTPUT_VARIABLE sdk COMMAND_ERROR_IS_FATAL ANY)
foreach(header IN ITEMS QnnInterface QnnOpPackage HTP/QnnHtpCommon HTP/QnnHtpContext HTP/QnnHtpDevice HTP/QnnHtpGraph
    HTP/QnnHtpMem HTP/QnnHtpPerfInfrastructure HTP/QnnHtpSystemContext Saver/QnnSaver System/QnnSystemCommon
    System/QnnSystemContext System/QnnSystemInterface)
  file(WRITE "${WORK_DIR}/${header}.h" "")
endforeach()
file(WRITE "${WORK_DIR}/QnnCommon.h" "${sdk}")
compile(result errors "-I${WORK_DIR}" -x c++ -include qnnpp/abi/verify_sdk.hpp /dev/null)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "an SDK with the declarations of abi/ differs:\n${errors}")
endif()
foreach(change IN ITEMS "ContextError::timed_out/ContextError::aborted/QNN_CONTEXT_ERROR_TIMED_OUT differ in value"
    "= HtpMemDescriptor/= HtpMemSharedBufferConfig/QnnMemHtp_Descriptor_t differ in size"
    "define contextCreate context_create/define contextCreate context_free/contextCreate differ in place"
    "define QNN_OP_RELU ::qnnpp::c_api::op_names::relu::type/define QNN_OP_RELU \"Rule\"/op_names::relu::type has another text")
  string(REPLACE "/" ";" change "${change}")
  list(GET change 0 was)
  list(GET change 1 now)
  list(GET change 2 sentence)
  string(REPLACE "${was}" "${now}" changed "${sdk}")
  file(WRITE "${WORK_DIR}/QnnCommon.h" "${changed}")
  compile(result errors "-I${WORK_DIR}" -x c++ -include qnnpp/abi/verify_sdk.hpp /dev/null)
  string(FIND "${errors}" "${sentence}" at)
  if(result EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "${now} for ${was} and not seen: ${sentence}\n${errors}")
  endif()
endforeach()
