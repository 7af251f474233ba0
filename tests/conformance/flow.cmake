# qnnpp_flow on the simulated HTP: each way in a process of its own, each outcome as committed.
if(QNNPP_BUILD_EXAMPLES)
  add_executable(qnnpp_flow qnnpp_flow.cpp)
  qnnpp_strict(qnnpp_flow)
  target_compile_options(qnnpp_flow PRIVATE -fexceptions -frtti)
  target_include_directories(qnnpp_flow PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(qnnpp_flow PRIVATE qnnpp::qnnpp)
  add_test(NAME "conformance: every way through qnnpp ends as expected on the simulated HTP"
    COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/flow.sh" --sim "${QNNPP_SIM_DIR}" --make $<TARGET_FILE:make_binaries>
      --program $<TARGET_FILE:qnnpp_flow> --out "${CMAKE_CURRENT_BINARY_DIR}/flow.txt")
endif()
