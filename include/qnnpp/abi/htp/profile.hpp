// Events that only HTP reports. Times are in microseconds unless the name has another unit; "host"
// is the CPU that the client runs on.
#pragma once

#include "qnnpp/abi/profile.hpp"

namespace qnnpp::c_api {

/// Values of ProfileLevel on HTP. C: QNN_HTP_PROFILE_LEVEL_...
namespace htp_profile_level {
/// Cycles on the critical path, and the concurrent ops.
inline constexpr ProfileLevel linting = 7001;
}  // namespace htp_profile_level

/// Values of ProfileEventType on HTP. C: QNN_HTP_PROFILE_EVENTTYPE_...
namespace htp_profile_event_type {
/// Context from a binary: RPC time measured by the host.
inline constexpr ProfileEventType context_load_bin_host_rpc_time_microsec = 1002;
/// Context from a binary: RPC time measured by the HTP.
inline constexpr ProfileEventType context_load_bin_htp_rpc_time_microsec = 1003;
/// Context from a binary: time on the accelerator.
inline constexpr ProfileEventType context_load_bin_accel_time_microsec = 1004;
/// Finalize: RPC time measured by the host.
inline constexpr ProfileEventType graph_finalize_host_rpc_time_microsec = 2001;
/// Finalize: RPC time measured by the HTP.
inline constexpr ProfileEventType graph_finalize_htp_rpc_time_microsec = 2002;
/// Finalize: time on the accelerator.
inline constexpr ProfileEventType graph_finalize_accel_time_microsec = 2003;
/// Parent of the estimates below; no value.
inline constexpr ProfileEventType graph_finalize_perf_estimate = 2004;
/// Performance mode of the estimates, in the identifier.
inline constexpr ProfileEventType graph_finalize_perf_estimate_mode = 2005;
/// Estimated cycles of an execution.
inline constexpr ProfileEventType graph_finalize_perf_estimate_sim_exec_cycles = 2006;
/// Estimated cycles, lower limit.
inline constexpr ProfileEventType graph_finalize_perf_estimate_sim_exec_lower_cycles = 2007;
/// Estimated cycles, upper limit.
inline constexpr ProfileEventType graph_finalize_perf_estimate_sim_exec_upper_cycles = 2008;
/// Parent of the memory traffic below; no value.
inline constexpr ProfileEventType graph_finalize_perf_estimate_bandwidth_stats = 2009;
/// Number of the HTP with the memory traffic.
inline constexpr ProfileEventType graph_finalize_perf_estimate_bandwidth_stats_htp_id = 2010;
/// Bytes read from DDR: inputs and weights.
inline constexpr ProfileEventType graph_finalize_perf_estimate_input_fill = 2011;
/// Bytes read from DDR: fills of the same HTP's spills.
inline constexpr ProfileEventType graph_finalize_perf_estimate_intermediate_fill = 2012;
/// Bytes written to DDR: spills.
inline constexpr ProfileEventType graph_finalize_perf_estimate_intermediate_spill = 2013;
/// Bytes read from DDR: data written by another HTP.
inline constexpr ProfileEventType graph_finalize_perf_estimate_inter_htp_fill = 2014;
/// Bytes written to DDR: data for another HTP.
inline constexpr ProfileEventType graph_finalize_perf_estimate_inter_htp_spill = 2015;
/// Bytes written to DDR: outputs.
inline constexpr ProfileEventType graph_finalize_perf_estimate_output_spill = 2016;
/// Number of ops with unknown cost.
inline constexpr ProfileEventType graph_finalize_perf_estimate_missing_cost_ops = 2017;
/// One op with unknown cost, in the identifier; detailed level only.
inline constexpr ProfileEventType graph_finalize_perf_estimate_missing_cost_opid = 2018;
/// Execute: RPC time measured by the host.
inline constexpr ProfileEventType graph_execute_host_rpc_time_microsec = 3001;
/// Execute: RPC time measured by the HTP.
inline constexpr ProfileEventType graph_execute_htp_rpc_time_microsec = 3002;
/// Execute: cycles on the accelerator, with nodes as sub-events; detailed level only.
inline constexpr ProfileEventType graph_execute_accel_time_cycle = 3003;
/// Execute: time on the accelerator, waiting included.
inline constexpr ProfileEventType graph_execute_accel_time_microsec = 3004;
/// Execute: work outside nodes; detailed level only.
inline constexpr ProfileEventType graph_execute_misc_accel_time_microsec = 3005;
/// Yielding to another graph: release of resources.
inline constexpr ProfileEventType graph_execute_yield_instance_release_time = 3006;
/// Yielding to another graph: waiting.
inline constexpr ProfileEventType graph_execute_yield_instance_wait_time = 3007;
/// Yielding to another graph: reacquiring resources and VTCM.
inline constexpr ProfileEventType graph_execute_yield_instance_restore_time = 3008;
/// Number of times the graph yielded.
inline constexpr ProfileEventType graph_execute_yield_count = 3009;
/// Waiting for VTCM.
inline constexpr ProfileEventType graph_execute_vtcm_acquire_time = 3010;
/// Waiting for the matrix and vector units.
inline constexpr ProfileEventType graph_execute_resource_power_up_time = 3011;
/// Execute: time on the accelerator without waiting.
inline constexpr ProfileEventType graph_execute_accel_excl_wait_time_microsec = 3012;
/// Freeing the context: RPC time measured by the host.
inline constexpr ProfileEventType graph_deinit_host_rpc_time_microsec = 4001;
/// Freeing the context: RPC time measured by the HTP.
inline constexpr ProfileEventType graph_deinit_htp_rpc_time_microsec = 4002;
/// Freeing the context: time on the accelerator.
inline constexpr ProfileEventType graph_deinit_accel_time_microsec = 4003;
/// Linting: time that an op waits for scheduling.
inline constexpr ProfileEventType node_wait = 5001;
/// Linting: time that other ops run concurrently with an op.
inline constexpr ProfileEventType node_overlap = 5002;
/// Linting: time that other ops run while an op waits.
inline constexpr ProfileEventType node_wait_overlap = 5003;
/// Linting: mask of the resources that an op uses.
inline constexpr ProfileEventType node_resourcemask = 5004;
/// Linting: id of a concurrent op.
inline constexpr ProfileEventType node_critical_bg_op_id = 5005;
/// Linting: id of an op that runs while another op waits.
inline constexpr ProfileEventType node_wait_bg_op_id = 5006;
/// Linting: cycles on the critical path, with nodes as sub-events.
inline constexpr ProfileEventType graph_execute_critical_accel_time_cycle = 6001;
/// Number of the graph's vector threads.
inline constexpr ProfileEventType graph_number_of_hvx_threads = 8001;
/// Applying a section: time of the whole call.
inline constexpr ProfileEventType graph_apply_binary_section_qnn = 9001;
/// Applying a section: transport time.
inline constexpr ProfileEventType graph_apply_binary_section_rpc = 9002;
/// Applying a section: RPC time measured by the HTP.
inline constexpr ProfileEventType graph_apply_binary_section_qnn_acc = 9003;
/// Applying a section: time on the accelerator.
inline constexpr ProfileEventType graph_apply_binary_section_acc = 9004;
}  // namespace htp_profile_event_type

}  // namespace qnnpp::c_api
