// Failures of the simulated HTP, caused by its control tables, with the same interface as the
// stand-in for FastRPC.
#include <algorithm>

#include "qnnpp/sim/control.hpp"

#include "host.hpp"

namespace conformance {

namespace sim = qnnpp::sim;

namespace {

sim::Control htp_control;
sim::RpcmemControl rpcmem_control;

template <class Change>
void configure(Change change) {
  sim::Config config = htp_control.config();
  change(config);
  if (!htp_control.set_config(config)) give_up("not asked: the simulated HTP takes no such value");
}
void fail_at_start(sim::StartFailure failure) {
  configure([failure](sim::Config& config) {
    config.start_failure = static_cast<std::uint32_t>(failure);
  });
}
void fail_domains(int count) {
  configure([count](sim::Config& config) {
    config.failing_domains =
        static_cast<std::uint32_t>(std::min(count, static_cast<int>(config.pd_count)));
  });
}

/// Makes a load last as long as some remote calls, and an execution as long as one or more. As the
/// DSP of the stand-in, this one then ends no execution early.
void delay_calls(int microseconds) {
  configure([us = static_cast<std::uint32_t>(microseconds)](sim::Config& config) {
    config.load_delay_us = 4 * us;
    config.node_delay_us = us / 4;
    config.dsp_aborts = us == 0 ? 1 : 0;
  });
}

constexpr int dsp_method_load = 4;
constexpr std::uint32_t code_of_restart =
    static_cast<std::uint32_t>(CommonError::system_communication);
constexpr std::uint32_t code_of_vote =
    static_cast<std::uint32_t>(HtpPerfInfrastructureError::transport);

}  // namespace

StandIn simulated_stand_in(void* htp, void* rpcmem) {
  htp_control = sim::Control::from(htp);
  rpcmem_control = sim::RpcmemControl::from(rpcmem);
  StandIn all{};
  if (!htp_control || !rpcmem_control) return all;
  all.forget_chip = [] { fail_at_start(sim::StartFailure::unknown_soc); };
  all.domain_bytes = [] {
    configure([](sim::Config& config) { config.pd_budget_bytes = std::uint64_t{600} << 20; });
    return std::uint64_t{600} << 20;
  };
  all.change_sdk = [] { fail_at_start(sim::StartFailure::other_sdk); };
  all.fail_open = [](int, int, int) { fail_at_start(sim::StartFailure::no_skel); };
  // A lasting failure fails the remote calls of all loads.
  all.fail_map = [](int, int count, int) {
    if (count == 0) htp_control.clear_faults();
    if (count < for_ever) return fail_domains(count);
    htp_control.fail_remote_call(1, code_of_restart, /*persistent=*/true);
  };
  all.fail_allocation = [](int skip, int count) {
    if (count == 0) htp_control.clear_faults();
    const auto first = static_cast<std::uint64_t>(skip) + 1;
    if (count != 0) htp_control.fail_own_allocation(first, count >= for_ever);
  };
  // contextFinalize returns the status of the call that loads a graph.
  all.fail_status = [](int method, int skip, int count, int status) {
    if (method != dsp_method_load) return fail_domains(count);
    htp_control.fail_call(sim::Slot::context_finalize, static_cast<std::uint64_t>(skip) + 1,
                          static_cast<std::uint32_t>(status));
  };
  // The host library detects a restart only if a second call fails too.
  all.fail_return = [](int skip, int count, int code) {
    if (count == 0) return htp_control.clear_faults();
    const auto remote_code = static_cast<std::uint32_t>(
        code == rpc_restart ? code_of_restart : code_of(ContextError::invalid_argument));
    htp_control.fail_remote_call(static_cast<std::uint64_t>(skip) + 1, remote_code,
                                 count >= for_ever);
    htp_control.fail_call(sim::Slot::perf_set_power_config, static_cast<std::uint64_t>(skip) + 1,
                          code_of_vote);
    htp_control.fail_call(sim::Slot::graph_execute, static_cast<std::uint64_t>(skip) + 1,
                          code_of_restart, false,
                          count > 1 ? sim::FaultRestart::always : sim::FaultRestart::never);
  };
  all.delay = delay_calls;
  all.calls = [] { return static_cast<int>(htp_control.counters().remote_calls); };
  // Counts allocations of the client and KiB of the device's own, which are few and large.
  all.allocations = [] {
    const sim::Counters counters = htp_control.counters();
    return static_cast<int>(rpcmem_control.counters().live_allocations) +
           static_cast<int>((counters.internal_weights_bytes + counters.io_preallocated_bytes) >>
                            10);
  };
  all.maps =
      all.live_maps = [] { return static_cast<int>(htp_control.counters().device_mappings); };
  return all;
}

}  // namespace conformance
