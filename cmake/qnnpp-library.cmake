# qnnpp::qnnpp: qnnpp::header_only, with the definitions in a static library of one source for each layer. Sources that
# include qnnpp then compile in seconds. The project that links it builds it, with its own compiler and options. If no
# project links it, it is not built.
# qnnpp::shared: the same with a shared library, for apps of several shared objects. Its name ends with what the inline
# namespace contains, so that two versions may be in one process.
if(NOT TARGET qnnpp_compiled)
  set(qnnpp_definitions "")
  foreach(layer IN ITEMS core backend memory context graph model report)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/qnnpp_definitions/${layer}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <qnnpp/impl/${layer}/definitions.ipp>\n")
    list(APPEND qnnpp_definitions "${source}")
  endforeach()
  add_library(qnnpp_compiled STATIC EXCLUDE_FROM_ALL ${qnnpp_definitions})
  add_library(qnnpp::qnnpp ALIAS qnnpp_compiled)
  add_library(qnnpp_shared SHARED EXCLUDE_FROM_ALL ${qnnpp_definitions})
  add_library(qnnpp::shared ALIAS qnnpp_shared)
  foreach(library IN ITEMS qnnpp_compiled qnnpp_shared)
    target_link_libraries(${library} PUBLIC qnnpp::header_only)
    target_compile_definitions(${library} PUBLIC QNNPP_SEPARATE)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME qnnpp POSITION_INDEPENDENT_CODE ON)
  endforeach()
  qnnpp_check_std_expected(qnnpp_has_std_expected qnnpp_standard)
  set(qnnpp_result tl_expected)
  if(qnnpp_has_std_expected)
    set(qnnpp_result std_expected)
  endif()
  # Its symbols are visible, whatever the project's own are.
  set_target_properties(qnnpp_shared PROPERTIES SOVERSION "${qnnpp_VERSION}_${qnnpp_result}" DEFINE_SYMBOL ""
    CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
  unset(qnnpp_definitions)
  unset(qnnpp_has_std_expected)
  unset(qnnpp_standard)
  unset(qnnpp_result)
endif()
