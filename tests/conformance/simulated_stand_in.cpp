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
  all.change_sdk = [] { fail_at_start(sim::StartFailure::other_sdk); };
  all.fail_open = [](int, int, int) { fail_at_start(sim::StartFailure::no_skel); };
  all.fail_map = [](int, int count, int) { fail_domains(count); };
  // contextFinalize returns the status of the call that loads a graph.
  all.fail_status = [](int method, int skip, int count, int status) {
    if (method != dsp_method_load) return fail_domains(count);
    htp_control.fail_call(sim::Slot::context_finalize, static_cast<std::uint64_t>(skip) + 1,
                          static_cast<std::uint32_t>(status));
  };
  // The host library detects a restart only if a second call fails too.
  all.fail_return = [](int skip, int count, int) {
    htp_control.fail_call(sim::Slot::perf_set_power_config, static_cast<std::uint64_t>(skip) + 1,
                          code_of_vote);
    htp_control.fail_call(sim::Slot::graph_execute, static_cast<std::uint64_t>(skip) + 1,
                          code_of_restart, false,
                          count > 1 ? sim::FaultRestart::always : sim::FaultRestart::never);
  };
  // Counts memory of the client and each kind of the device's own memory.
  all.allocations = [] {
    const sim::Counters counters = htp_control.counters();
    return static_cast<int>(rpcmem_control.counters().live_allocations) +
           (counters.internal_weights_bytes != 0 ? 1 : 0) +
           (counters.internal_spill_fill_bytes != 0 ? 1 : 0) +
           (counters.io_preallocated_bytes != 0 ? 1 : 0);
  };
  all.maps =
      all.live_maps = [] { return static_cast<int>(htp_control.counters().device_mappings); };
  return all;
}

}  // namespace conformance
