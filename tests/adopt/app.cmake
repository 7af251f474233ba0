# cmake -DAPP= -DORDER= -DBIN= -DSIM= -DOUT= -P app.cmake
# Makes the binaries of the digits, and runs the app on the simulated HTP, which must have nothing left and no misuse.
cmake_minimum_required(VERSION 3.20)
set(ENV{QNNPP_SIM_VTCM_BYTES} 32768)
file(MAKE_DIRECTORY ${OUT})
execute_process(COMMAND ${BIN}/make_binaries --backend ${SIM}/libQnnHtp.so --output ${OUT}
  --input_output_tensor_mem_type memhandle COMMAND_ERROR_IS_FATAL ANY)
set(ENV{QNNPP_SIM_REPORT} stderr)
set(ENV{QNNPP_SIM_STRICT} 1)
execute_process(COMMAND ${APP} ${SIM}/libQnnHtp.so ${SIM}/libQnnSystem.so ${SIM}/libcdsprpc.so ${OUT}/ ${ORDER}
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE report)
message("${out}${report}")
if(NOT status EQUAL 0 OR NOT out STREQUAL "probability of 7: 0.9997\n")
  message(FATAL_ERROR "ended ${status}")
endif()
string(FIND "${report}" "all is well" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the simulated HTP has a complaint")
endif()
