// Part of verify_sdk.hpp, and nothing without it: constants that C has as macros, as far as the
// SDK has them.
#pragma once

#if defined(QNNPP_SAME_FIELD)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/htp/profile.hpp"
#include "qnnpp/abi/op_names.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

// tensor.hpp
#if defined(QNN_TENSOR_DATA_FORMAT_DENSE)
QNNPP_SAME_VALUE(tensor_data_format::dense, QNN_TENSOR_DATA_FORMAT_DENSE);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER)
QNNPP_SAME_VALUE(tensor_data_format::flat_buffer, QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_SPARSE)
QNNPP_SAME_VALUE(tensor_data_format::sparse, QNN_TENSOR_DATA_FORMAT_SPARSE);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_CODEBOOK)
QNNPP_SAME_VALUE(tensor_data_format::codebook, QNN_TENSOR_DATA_FORMAT_CODEBOOK);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_MX)
QNNPP_SAME_VALUE(tensor_data_format::mx, QNN_TENSOR_DATA_FORMAT_MX);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_rgba8888, QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12, QNN_TENSOR_DATA_FORMAT_UBWC_NV12);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12_y, QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12_uv, QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT)
QNNPP_SAME_VALUE(tensor_data_format::hmx_weight_layout, QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT);
#endif

// profile.hpp: profile_level
#if defined(QNN_PROFILE_LEVEL_BASIC)
QNNPP_SAME_VALUE(profile_level::basic, QNN_PROFILE_LEVEL_BASIC);
#endif
#if defined(QNN_PROFILE_LEVEL_DETAILED)
QNNPP_SAME_VALUE(profile_level::detailed, QNN_PROFILE_LEVEL_DETAILED);
#endif
#if defined(QNN_PROFILE_LEVEL_BACKEND)
QNNPP_SAME_VALUE(profile_level::backend, QNN_PROFILE_LEVEL_BACKEND);
#endif

// profile.hpp: profile_event_type
#if defined(QNN_PROFILE_EVENTTYPE_INIT)
QNNPP_SAME_VALUE(profile_event_type::init, QNN_PROFILE_EVENTTYPE_INIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_FINALIZE)
QNNPP_SAME_VALUE(profile_event_type::finalize, QNN_PROFILE_EVENTTYPE_FINALIZE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE)
QNNPP_SAME_VALUE(profile_event_type::execute, QNN_PROFILE_EVENTTYPE_EXECUTE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_NODE)
QNNPP_SAME_VALUE(profile_event_type::node, QNN_PROFILE_EVENTTYPE_NODE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_QUEUE_WAIT)
QNNPP_SAME_VALUE(profile_event_type::execute_queue_wait, QNN_PROFILE_EVENTTYPE_EXECUTE_QUEUE_WAIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_PREPROCESS)
QNNPP_SAME_VALUE(profile_event_type::execute_preprocess, QNN_PROFILE_EVENTTYPE_EXECUTE_PREPROCESS);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_DEVICE)
QNNPP_SAME_VALUE(profile_event_type::execute_device, QNN_PROFILE_EVENTTYPE_EXECUTE_DEVICE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_POSTPROCESS)
QNNPP_SAME_VALUE(profile_event_type::execute_postprocess,
                 QNN_PROFILE_EVENTTYPE_EXECUTE_POSTPROCESS);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_DEINIT)
QNNPP_SAME_VALUE(profile_event_type::deinit, QNN_PROFILE_EVENTTYPE_DEINIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_TRACE)
QNNPP_SAME_VALUE(profile_event_type::trace, QNN_PROFILE_EVENTTYPE_TRACE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_BACKEND)
QNNPP_SAME_VALUE(profile_event_type::backend, QNN_PROFILE_EVENTTYPE_BACKEND);
#endif

// profile.hpp: profile_event_unit
#if defined(QNN_PROFILE_EVENTUNIT_MICROSEC)
QNNPP_SAME_VALUE(profile_event_unit::microsec, QNN_PROFILE_EVENTUNIT_MICROSEC);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_BYTES)
QNNPP_SAME_VALUE(profile_event_unit::bytes, QNN_PROFILE_EVENTUNIT_BYTES);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_CYCLES)
QNNPP_SAME_VALUE(profile_event_unit::cycles, QNN_PROFILE_EVENTUNIT_CYCLES);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_COUNT)
QNNPP_SAME_VALUE(profile_event_unit::count, QNN_PROFILE_EVENTUNIT_COUNT);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_BACKEND)
QNNPP_SAME_VALUE(profile_event_unit::backend, QNN_PROFILE_EVENTUNIT_BACKEND);
#endif

// htp/profile.hpp: htp_profile_level
#if defined(QNN_HTP_PROFILE_LEVEL_LINTING)
QNNPP_SAME_VALUE(htp_profile_level::linting, QNN_HTP_PROFILE_LEVEL_LINTING);
#endif

// htp/profile.hpp: htp_profile_event_type
#if defined(QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_HOST_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::context_load_bin_host_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_HOST_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_HTP_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::context_load_bin_htp_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_HTP_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::context_load_bin_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_HOST_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_host_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_HOST_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_HTP_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_htp_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_HTP_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MODE)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_mode,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MODE);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_CYCLES)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_sim_exec_cycles,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_CYCLES);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_LOWER_CYCLES)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_sim_exec_lower_cycles,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_LOWER_CYCLES);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_UPPER_CYCLES)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_sim_exec_upper_cycles,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_UPPER_CYCLES);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_BANDWIDTH_STATS)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_bandwidth_stats,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_BANDWIDTH_STATS);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_BANDWIDTH_STATS_HTP_ID)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_bandwidth_stats_htp_id,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_BANDWIDTH_STATS_HTP_ID);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INPUT_FILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_input_fill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INPUT_FILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTERMEDIATE_FILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_intermediate_fill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTERMEDIATE_FILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTERMEDIATE_SPILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_intermediate_spill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTERMEDIATE_SPILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTER_HTP_FILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_inter_htp_fill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTER_HTP_FILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTER_HTP_SPILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_inter_htp_spill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTER_HTP_SPILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_OUTPUT_SPILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_output_spill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_OUTPUT_SPILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MISSING_COST_OPS)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_missing_cost_ops,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MISSING_COST_OPS);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MISSING_COST_OPID)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_missing_cost_opid,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MISSING_COST_OPID);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_host_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HTP_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_htp_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HTP_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_accel_time_cycle,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_MISC_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_misc_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_MISC_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RELEASE_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_yield_instance_release_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RELEASE_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_WAIT_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_yield_instance_wait_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_WAIT_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RESTORE_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_yield_instance_restore_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RESTORE_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_COUNT)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_yield_count,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_COUNT);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_VTCM_ACQUIRE_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_vtcm_acquire_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_VTCM_ACQUIRE_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_RESOURCE_POWER_UP_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_resource_power_up_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_RESOURCE_POWER_UP_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_EXCL_WAIT_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_accel_excl_wait_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_EXCL_WAIT_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_HOST_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_deinit_host_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_HOST_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_HTP_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_deinit_htp_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_HTP_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_deinit_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT)
QNNPP_SAME_VALUE(htp_profile_event_type::node_wait, QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_OVERLAP)
QNNPP_SAME_VALUE(htp_profile_event_type::node_overlap, QNN_HTP_PROFILE_EVENTTYPE_NODE_OVERLAP);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_OVERLAP)
QNNPP_SAME_VALUE(htp_profile_event_type::node_wait_overlap,
                 QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_OVERLAP);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_RESOURCEMASK)
QNNPP_SAME_VALUE(htp_profile_event_type::node_resourcemask,
                 QNN_HTP_PROFILE_EVENTTYPE_NODE_RESOURCEMASK);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_CRITICAL_BG_OP_ID)
QNNPP_SAME_VALUE(htp_profile_event_type::node_critical_bg_op_id,
                 QNN_HTP_PROFILE_EVENTTYPE_NODE_CRITICAL_BG_OP_ID);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_BG_OP_ID)
QNNPP_SAME_VALUE(htp_profile_event_type::node_wait_bg_op_id,
                 QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_BG_OP_ID);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_CRITICAL_ACCEL_TIME_CYCLE)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_critical_accel_time_cycle,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_CRITICAL_ACCEL_TIME_CYCLE);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_NUMBER_OF_HVX_THREADS)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_number_of_hvx_threads,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_NUMBER_OF_HVX_THREADS);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_apply_binary_section_qnn,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_RPC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_apply_binary_section_rpc,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_RPC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN_ACC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_apply_binary_section_qnn_acc,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN_ACC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_ACC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_apply_binary_section_acc,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_ACC);
#endif

// op_names.hpp
#if defined(QNN_OP_PACKAGE_NAME_QTI_AISW)
QNNPP_SAME_TEXT(op_names::package_qti_aisw, QNN_OP_PACKAGE_NAME_QTI_AISW);
#endif
#if defined(QNN_OP_MAT_MUL)
QNNPP_SAME_TEXT(op_names::mat_mul::type, QNN_OP_MAT_MUL);
#endif
#if defined(QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN0)
QNNPP_SAME_TEXT(op_names::mat_mul::transpose_in0, QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN0);
#endif
#if defined(QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN1)
QNNPP_SAME_TEXT(op_names::mat_mul::transpose_in1, QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN1);
#endif
#if defined(QNN_OP_FULLY_CONNECTED)
QNNPP_SAME_TEXT(op_names::fully_connected::type, QNN_OP_FULLY_CONNECTED);
#endif
#if defined(QNN_OP_FULLY_CONNECTED_PARAM_KEEP_DIMS)
QNNPP_SAME_TEXT(op_names::fully_connected::keep_dims, QNN_OP_FULLY_CONNECTED_PARAM_KEEP_DIMS);
#endif
#if defined(QNN_OP_ELEMENT_WISE_ADD)
QNNPP_SAME_TEXT(op_names::element_wise_add::type, QNN_OP_ELEMENT_WISE_ADD);
#endif
#if defined(QNN_OP_ELEMENT_WISE_MULTIPLY)
QNNPP_SAME_TEXT(op_names::element_wise_multiply::type, QNN_OP_ELEMENT_WISE_MULTIPLY);
#endif
#if defined(QNN_OP_RELU)
QNNPP_SAME_TEXT(op_names::relu::type, QNN_OP_RELU);
#endif
#if defined(QNN_OP_SOFTMAX)
QNNPP_SAME_TEXT(op_names::softmax::type, QNN_OP_SOFTMAX);
#endif
#if defined(QNN_OP_SOFTMAX_PARAM_AXIS)
QNNPP_SAME_TEXT(op_names::softmax::axis, QNN_OP_SOFTMAX_PARAM_AXIS);
#endif
#if defined(QNN_OP_SOFTMAX_PARAM_BETA)
QNNPP_SAME_TEXT(op_names::softmax::beta, QNN_OP_SOFTMAX_PARAM_BETA);
#endif
#if defined(QNN_OP_RESHAPE)
QNNPP_SAME_TEXT(op_names::reshape::type, QNN_OP_RESHAPE);
#endif
#if defined(QNN_OP_TRANSPOSE)
QNNPP_SAME_TEXT(op_names::transpose::type, QNN_OP_TRANSPOSE);
#endif
#if defined(QNN_OP_TRANSPOSE_PARAM_PERM)
QNNPP_SAME_TEXT(op_names::transpose::perm, QNN_OP_TRANSPOSE_PARAM_PERM);
#endif
#if defined(QNN_OP_CONV_2D)
QNNPP_SAME_TEXT(op_names::conv2d::type, QNN_OP_CONV_2D);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_STRIDE)
QNNPP_SAME_TEXT(op_names::conv2d::stride, QNN_OP_CONV_2D_PARAM_STRIDE);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_PAD_AMOUNT)
QNNPP_SAME_TEXT(op_names::conv2d::pad_amount, QNN_OP_CONV_2D_PARAM_PAD_AMOUNT);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_DILATION)
QNNPP_SAME_TEXT(op_names::conv2d::dilation, QNN_OP_CONV_2D_PARAM_DILATION);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_GROUP)
QNNPP_SAME_TEXT(op_names::conv2d::group, QNN_OP_CONV_2D_PARAM_GROUP);
#endif

}  // namespace qnnpp::c_api

#endif
