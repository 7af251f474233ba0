# qnnpp_flow on the simulated HTP: each way in a process of its own, each outcome as committed.
if(QNNPP_BUILD_EXAMPLES)
  add_executable(qnnpp_flow qnnpp_flow.cpp)
  qnnpp_strict(qnnpp_flow)
qnnpp_never_optimise(qnnpp_flow)
  target_compile_options(qnnpp_flow PRIVATE -fexceptions -frtti)
  target_include_directories(qnnpp_flow PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(qnnpp_flow PRIVATE qnnpp::json)
  add_dependencies(qnnpp_flow qnnpp_sim make_binaries)
  set(given --program $<TARGET_FILE:qnnpp_flow> --sim "${QNNPP_SIM_DIR}" --make $<TARGET_FILE:make_binaries>)
  function(add_flow_test name folder)
    add_test(NAME "conformance: ${name}" COMMAND ${ARGN})
    set_tests_properties("conformance: ${name}" PROPERTIES LABELS conformance TIMEOUT 300
      ENVIRONMENT "QNNPP_CONFORMANCE_BUILD=${CMAKE_CURRENT_BINARY_DIR}/${folder}")
  endfunction()
  add_flow_test("every way through qnnpp ends as expected on the simulated HTP" flow
    "${CMAKE_CURRENT_SOURCE_DIR}/flow.sh" ${given})
  if(NOT QNNPP_SANITIZE)
    add_flow_test("every way through qnnpp runs on a device by adb" flow-device
      "${CMAKE_CURRENT_SOURCE_DIR}/device_test.sh" "${CMAKE_CURRENT_BINARY_DIR}/flow-device" ${given}
      flow.sh flow-binaries 32768)
  endif()
endif()
