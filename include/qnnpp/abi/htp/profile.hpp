// Events that only HTP reports. Times are in microseconds unless the name says otherwise; host is
// the client's processor.
#pragma once

#include "qnnpp/abi/profile.hpp"

namespace qnnpp::c_api {

/// Values of ProfileLevel on HTP. C: QNN_HTP_PROFILE_LEVEL_...
namespace htp_profile_level {
/// Cycles on the critical path, and what runs beside it.
inline constexpr ProfileLevel linting = 7001;
}  // namespace htp_profile_level

/// Values of ProfileEventType on HTP. C: QNN_HTP_PROFILE_EVENTTYPE_...
namespace htp_profile_event_type {
/// Context from a binary: RPC, seen by the host.
inline constexpr ProfileEventType context_load_bin_host_rpc_time_microsec = 1002;
/// Context from a binary: RPC, seen by the HTP.
inline constexpr ProfileEventType context_load_bin_htp_rpc_time_microsec = 1003;
/// Context from a binary: on the accelerator.
inline constexpr ProfileEventType context_load_bin_accel_time_microsec = 1004;
/// Finalize: RPC, seen by the host.
inline constexpr ProfileEventType graph_finalize_host_rpc_time_microsec = 2001;
/// Finalize: RPC, seen by the HTP.
inline constexpr ProfileEventType graph_finalize_htp_rpc_time_microsec = 2002;
/// Finalize: on the accelerator.
inline constexpr ProfileEventType graph_finalize_accel_time_microsec = 2003;
/// Heading of the estimates below; no value.
inline constexpr ProfileEventType graph_finalize_perf_estimate = 2004;
/// Performance mode of the estimates, in the identifier.
inline constexpr ProfileEventType graph_finalize_perf_estimate_mode = 2005;
/// Cycles of an execution.
inline constexpr ProfileEventType graph_finalize_perf_estimate_sim_exec_cycles = 2006;
/// Cycles at least.
inline constexpr ProfileEventType graph_finalize_perf_estimate_sim_exec_lower_cycles = 2007;
/// Cycles at most.
inline constexpr ProfileEventType graph_finalize_perf_estimate_sim_exec_upper_cycles = 2008;
/// Heading of the traffic below; no value.
inline constexpr ProfileEventType graph_finalize_perf_estimate_bandwidth_stats = 2009;
/// HTP that the traffic is of.
inline constexpr ProfileEventType graph_finalize_perf_estimate_bandwidth_stats_htp_id = 2010;
/// Bytes read from DDR: inputs and weights.
inline constexpr ProfileEventType graph_finalize_perf_estimate_input_fill = 2011;
/// Bytes read from DDR: fills of one HTP's own spills.
inline constexpr ProfileEventType graph_finalize_perf_estimate_intermediate_fill = 2012;
/// Bytes written to DDR: spills.
inline constexpr ProfileEventType graph_finalize_perf_estimate_intermediate_spill = 2013;
/// Bytes read from DDR: written by another HTP.
inline constexpr ProfileEventType graph_finalize_perf_estimate_inter_htp_fill = 2014;
/// Bytes written to DDR: for another HTP.
inline constexpr ProfileEventType graph_finalize_perf_estimate_inter_htp_spill = 2015;
/// Bytes written to DDR: outputs.
inline constexpr ProfileEventType graph_finalize_perf_estimate_output_spill = 2016;
/// Ops of unknown cost.
inline constexpr ProfileEventType graph_finalize_perf_estimate_missing_cost_ops = 2017;
/// One of these, in the identifier; detailed level only.
inline constexpr ProfileEventType graph_finalize_perf_estimate_missing_cost_opid = 2018;
/// Execute: RPC, seen by the host.
inline constexpr ProfileEventType graph_execute_host_rpc_time_microsec = 3001;
/// Execute: RPC, seen by the HTP.
inline constexpr ProfileEventType graph_execute_htp_rpc_time_microsec = 3002;
/// Execute: cycles on the accelerator, nodes below it; detailed level only.
inline constexpr ProfileEventType graph_execute_accel_time_cycle = 3003;
/// Execute: on the accelerator, waiting included.
inline constexpr ProfileEventType graph_execute_accel_time_microsec = 3004;
/// Execute: work of no node; detailed level only.
inline constexpr ProfileEventType graph_execute_misc_accel_time_microsec = 3005;
/// Giving way to another graph: release of resources.
inline constexpr ProfileEventType graph_execute_yield_instance_release_time = 3006;
/// Giving way to another graph: waiting.
inline constexpr ProfileEventType graph_execute_yield_instance_wait_time = 3007;
/// Giving way to another graph: resources and VTCM again.
inline constexpr ProfileEventType graph_execute_yield_instance_restore_time = 3008;
/// How often it gave way.
inline constexpr ProfileEventType graph_execute_yield_count = 3009;
/// Waiting for VTCM.
inline constexpr ProfileEventType graph_execute_vtcm_acquire_time = 3010;
/// Waiting for the matrix and vector units.
inline constexpr ProfileEventType graph_execute_resource_power_up_time = 3011;
/// Execute: on the accelerator, waiting left out.
inline constexpr ProfileEventType graph_execute_accel_excl_wait_time_microsec = 3012;
/// Freeing the context: RPC, seen by the host.
inline constexpr ProfileEventType graph_deinit_host_rpc_time_microsec = 4001;
/// Freeing the context: RPC, seen by the HTP.
inline constexpr ProfileEventType graph_deinit_htp_rpc_time_microsec = 4002;
/// Freeing the context: on the accelerator.
inline constexpr ProfileEventType graph_deinit_accel_time_microsec = 4003;
/// Linting: an op waits to be scheduled.
inline constexpr ProfileEventType node_wait = 5001;
/// Linting: other ops run beside it.
inline constexpr ProfileEventType node_overlap = 5002;
/// Linting: other ops run while it waits.
inline constexpr ProfileEventType node_wait_overlap = 5003;
/// Linting: mask of the resources it uses.
inline constexpr ProfileEventType node_resourcemask = 5004;
/// Linting: id of an op beside it.
inline constexpr ProfileEventType node_critical_bg_op_id = 5005;
/// Linting: id of an op that runs while it waits.
inline constexpr ProfileEventType node_wait_bg_op_id = 5006;
/// Linting: cycles on the critical path, nodes below it.
inline constexpr ProfileEventType graph_execute_critical_accel_time_cycle = 6001;
/// Vector threads of the graph.
inline constexpr ProfileEventType graph_number_of_hvx_threads = 8001;
/// Applying a section: the whole call.
inline constexpr ProfileEventType graph_apply_binary_section_qnn = 9001;
/// Applying a section: transport.
inline constexpr ProfileEventType graph_apply_binary_section_rpc = 9002;
/// Applying a section: RPC, seen by the HTP.
inline constexpr ProfileEventType graph_apply_binary_section_qnn_acc = 9003;
/// Applying a section: on the accelerator.
inline constexpr ProfileEventType graph_apply_binary_section_acc = 9004;
}  // namespace htp_profile_event_type

}  // namespace qnnpp::c_api
