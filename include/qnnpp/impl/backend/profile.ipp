// Definitions of profile.hpp.
#pragma once

#include "qnnpp/backend/profile.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "qnnpp/abi/htp/profile.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE const char* event_name(c_api::ProfileEventType type) noexcept {
  namespace common = c_api::profile_event_type;
  namespace htp = c_api::htp_profile_event_type;
  switch (type) {
    case common::init: return "initialisation";
    case common::finalize: return "finalisation";
    case common::execute: return "execution";
    case common::node: return "node";
    case common::execute_queue_wait: return "wait in the queue";
    case common::execute_preprocess: return "work before the device";
    case common::execute_device: return "execution on the device";
    case common::execute_postprocess: return "work after the device";
    case common::deinit: return "release";
    case common::trace: return "op trace";
    case htp::context_load_bin_host_rpc_time_microsec: return "RPC time (host)";
    case htp::context_load_bin_htp_rpc_time_microsec: return "RPC time (HTP)";
    case htp::context_load_bin_accel_time_microsec: return "accelerator time";
    case htp::graph_finalize_host_rpc_time_microsec: return "RPC time (host)";
    case htp::graph_finalize_htp_rpc_time_microsec: return "RPC time (HTP)";
    case htp::graph_finalize_accel_time_microsec: return "accelerator time";
    case htp::graph_finalize_perf_estimate: return "estimates";
    case htp::graph_finalize_perf_estimate_mode: return "performance mode";
    case htp::graph_finalize_perf_estimate_sim_exec_cycles: return "estimated cycles";
    case htp::graph_finalize_perf_estimate_sim_exec_lower_cycles:
      return "estimated cycles, lower limit";
    case htp::graph_finalize_perf_estimate_sim_exec_upper_cycles:
      return "estimated cycles, upper limit";
    case htp::graph_finalize_perf_estimate_bandwidth_stats: return "memory traffic";
    case htp::graph_finalize_perf_estimate_bandwidth_stats_htp_id: return "HTP number";
    case htp::graph_finalize_perf_estimate_input_fill: return "read: inputs and weights";
    case htp::graph_finalize_perf_estimate_intermediate_fill: return "read: fills";
    case htp::graph_finalize_perf_estimate_intermediate_spill: return "written: spills";
    case htp::graph_finalize_perf_estimate_inter_htp_fill: return "read: data of another HTP";
    case htp::graph_finalize_perf_estimate_inter_htp_spill: return "written: data for another HTP";
    case htp::graph_finalize_perf_estimate_output_spill: return "written: outputs";
    case htp::graph_finalize_perf_estimate_missing_cost_ops: return "ops of unknown cost";
    case htp::graph_finalize_perf_estimate_missing_cost_opid: return "op of unknown cost";
    case htp::graph_execute_host_rpc_time_microsec: return "RPC time (host)";
    case htp::graph_execute_htp_rpc_time_microsec: return "RPC time (HTP)";
    case htp::graph_execute_accel_time_cycle: return "accelerator cycles";
    case htp::graph_execute_accel_time_microsec: return "accelerator time";
    case htp::graph_execute_misc_accel_time_microsec: return "accelerator time outside nodes";
    case htp::graph_execute_yield_instance_release_time: return "yield: release";
    case htp::graph_execute_yield_instance_wait_time: return "yield: wait";
    case htp::graph_execute_yield_instance_restore_time: return "yield: restore";
    case htp::graph_execute_yield_count: return "yields";
    case htp::graph_execute_vtcm_acquire_time: return "wait for VTCM";
    case htp::graph_execute_resource_power_up_time: return "wait for HMX and HVX";
    case htp::graph_execute_accel_excl_wait_time_microsec: return "accelerator time without waits";
    case htp::graph_deinit_host_rpc_time_microsec: return "RPC time (host)";
    case htp::graph_deinit_htp_rpc_time_microsec: return "RPC time (HTP)";
    case htp::graph_deinit_accel_time_microsec: return "accelerator time";
    case htp::node_wait: return "wait";
    case htp::node_overlap: return "overlap";
    case htp::node_wait_overlap: return "overlap of the wait";
    case htp::node_resourcemask: return "resources";
    case htp::node_critical_bg_op_id: return "concurrent op";
    case htp::node_wait_bg_op_id: return "op during the wait";
    case htp::graph_execute_critical_accel_time_cycle: return "cycles on the critical path";
    case htp::graph_number_of_hvx_threads: return "HVX threads";
    case htp::graph_apply_binary_section_qnn: return "update, whole call";
    case htp::graph_apply_binary_section_rpc: return "RPC time (host)";
    case htp::graph_apply_binary_section_qnn_acc: return "RPC time (HTP)";
    case htp::graph_apply_binary_section_acc: return "accelerator time";
    default: return "unknown event";
  }
}

QNNPP_INLINE const char* unit_name(c_api::ProfileEventUnit unit) noexcept {
  switch (unit) {
    case c_api::profile_event_unit::microsec: return "us";
    case c_api::profile_event_unit::bytes:
    case c_api::profile_event_unit::object: return "bytes";
    case c_api::profile_event_unit::cycles: return "cycles";
    default: return "";
  }
}

QNNPP_INLINE Result<Profile> Profile::create(const Backend<Htp>& backend, ProfileLevel level) {
  constexpr const char* step = name_of(c_api::Slot::profile_create);
  const Ref<detail::BackendBlock>& parent = detail::Access::block(backend);
  qnnpp::detail::expects(parent, detail::moved_backend);  // ORD-09
  const std::string& library = parent->library.path();
  if (level > ProfileLevel::op_trace)
    return fail(Errc::invalid_argument, step, library,
                "no such level; use basic, detailed, linting or op_trace");
  if (parent->restart_log->has_ended()) return fail(parent->after_exit(step));
  const bool has_op_trace = level == ProfileLevel::op_trace;
  using Table = c_api::InterfaceTable;
  const Interface& provider = parent->provider;
  const auto set_config = provider.find<&Table::profile_set_config>();
  QNNPP_LET(create, provider.find<&Table::profile_create>());
  QNNPP_LET(free, provider.find<&Table::profile_free>());
  QNNPP_LET(get_events, provider.find<&Table::profile_get_events>());
  QNNPP_LET(get_sub_events, provider.find<&Table::profile_get_sub_events>());
  QNNPP_LET(get_event_data, provider.find<&Table::profile_get_event_data>());
  if (has_op_trace) {
    if (!set_config) return fail(set_config.error());
    QNNPP_TRY(
        parent->require(c_api::PropertyKey::profile_support_optrace_config, "op trace", library));
  }

  Profile profile(parent);
  profile.reading_ = {*get_events, *get_sub_events, *get_event_data, nullptr};
  if (const auto get = provider.find<&Table::profile_get_extended_event_data>()) {
    auto able = parent->require(c_api::PropertyKey::profile_supports_extended_event,
                                "extended events", library);
    if (!able && able.error().kind == Errc::qnn) return fail(std::move(able).error());
    if (able) profile.reading_.get_extended_event_data = *get;
  }
  const c_api::ProfileLevel native =
      level == ProfileLevel::linting ? c_api::htp_profile_level::linting
      : level == ProfileLevel::basic ? c_api::profile_level::basic
                                     : c_api::profile_level::detailed;
  const std::uint64_t logged = detail::error_lines->count();
  c_api::ProfileHandle handle = nullptr;
  QNNPP_TRY(detail::with_log(
      check((*create)(parent->backend.get().handle, native, &handle), step, library), logged));
  profile.handle_ = detail::ProfileOwner({*free, handle, parent->restart_log.get()});
  profile.add_record_ = &detail::add_record;
  if (!has_op_trace) return profile;
  c_api::ProfileConfig trace{.option = c_api::ProfileConfigOption::enable_optrace,
                             .enable_optrace = 1};
  const c_api::ProfileConfig* configs[] = {&trace, nullptr};
  QNNPP_TRY(detail::with_log(
      check((*set_config)(handle, configs), name_of(c_api::Slot::profile_set_config), library),
      logged));
  return profile;
}

QNNPP_INLINE const std::vector<ProfileRecord>& Profile::records() const& {
  if (log_.empty()) return records_;
  // The room comes first, and doubles: nothing is lost if there is none, and a program that reads
  // after each call moves a record but a few times.
  if (const std::size_t most = records_.size() + log_.size(); most > records_.capacity())
    records_.reserve(std::max(most, 2 * records_.size()));
  std::vector<ProfileRecord> made = log_.take_records();
  records_.insert(records_.end(), std::make_move_iterator(made.begin()),
                  std::make_move_iterator(made.end()));
  return records_;
}

QNNPP_INLINE Result<void> Profile::close() && {
  const Ref<detail::BackendBlock> backend = std::move(block_);
  qnnpp::detail::expects(backend, detail::moved_profile);
  log_ = {};
  records_ = {};
  const std::uint64_t logged = detail::error_lines->count();
  return detail::with_log(
      check(handle_.close(), name_of(c_api::Slot::profile_free), backend->library.path()), logged);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
