# qnnpp::qnnpp: qnnpp::header_only, with the definitions in a static library of one source for each layer. Sources that
# include qnnpp then compile in seconds. The project that links it builds it, with its own compiler and options. If no
# project links it, it is not built.
if(NOT TARGET qnnpp_compiled)
  set(qnnpp_definitions "")
  foreach(layer IN ITEMS core backend memory context graph model report)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/qnnpp_definitions/${layer}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <qnnpp/impl/${layer}/definitions.ipp>\n")
    list(APPEND qnnpp_definitions "${source}")
  endforeach()
  add_library(qnnpp_compiled STATIC EXCLUDE_FROM_ALL ${qnnpp_definitions})
  add_library(qnnpp::qnnpp ALIAS qnnpp_compiled)
  target_link_libraries(qnnpp_compiled PUBLIC qnnpp::header_only)
  target_compile_definitions(qnnpp_compiled PUBLIC QNNPP_SEPARATE)
  set_target_properties(qnnpp_compiled PROPERTIES OUTPUT_NAME qnnpp POSITION_INDEPENDENT_CODE ON)
  unset(qnnpp_definitions)
endif()
