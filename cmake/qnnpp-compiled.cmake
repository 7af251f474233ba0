# qnnpp::compiled: qnnpp with its definitions in a static library, so that the sources which include it compile faster.
# The project that links it builds it, with its own compiler and options. If no project links it, it is not built.
if(NOT TARGET qnnpp_compiled)
  set(qnnpp_definitions "${CMAKE_CURRENT_BINARY_DIR}/qnnpp_definitions.cpp")
  file(CONFIGURE OUTPUT "${qnnpp_definitions}" CONTENT "#include <qnnpp/definitions.hpp>\n")
  add_library(qnnpp_compiled STATIC EXCLUDE_FROM_ALL "${qnnpp_definitions}")
  add_library(qnnpp::compiled ALIAS qnnpp_compiled)
  target_link_libraries(qnnpp_compiled PUBLIC qnnpp::qnnpp)
  target_compile_definitions(qnnpp_compiled PUBLIC QNNPP_SEPARATE)
  set_target_properties(qnnpp_compiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
  unset(qnnpp_definitions)
endif()
