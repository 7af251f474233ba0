// Power votes of the C API: ids, votes for clocks and sleep, growth of the heap.
#pragma once

#include <cstdint>

#include "qnnpp/abi/htp/perf.hpp"

#include "sim/api/call.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/power.hpp"

namespace qnnpp::sim::api {

namespace internal {
/// True if the DSP is open, through a device of the client or through a context.
inline bool is_open(const Device& d) {
  return d.devices.size() != 0 || d.contexts.size() + d.dead_contexts.size() != 0;
}
}  // namespace internal

inline c_api::ErrorHandle perf_create_power_config_id(std::uint32_t device_id,
                                                      std::uint32_t core_id, std::uint32_t* id) {
  Call call{Slot::perf_create_power_config_id};
  using Error = c_api::HtpPerfInfrastructureError;
  if (const auto code = call.gate()) return call.fail(code);
  if (id == nullptr) return call.fail(Error::failed, "id is NULL");
  if (device_id != 0 || core_id != 0 ||
      (!internal::is_open(call.dev()) && !call.dev().host().votes_without_device))
    return call.fail(Error::invalid_input, "no such device and core are open");
  PowerConfigs& power = call.dev().power;
  *id = ++power.last;
  power.live.emplace(*id, PowerVotes{});
  return call.ok();
}

/// Accepts any id. Tools cancel the default vote with 0, which is never an id.
inline c_api::ErrorHandle perf_destroy_power_config_id(std::uint32_t id) {
  Call call{Slot::perf_destroy_power_config_id};
  Device& d = call.dev();
  if (d.power.live.erase(id) + d.power.dead.erase(id) != 0) return call.ok();
  call.log(c_api::LogLevel::warn, text("power config id %u is unknown, or was destroyed", id));
  if (id != 0)
    call.misuse("ORD-09", d.power.has_made(id)
                              ? "the power config is destroyed already; the library returns 0"
                              : "no call has returned this id; the library returns 0");
  return call.ok();
}

/// Applies all entries of the list, or none. Refuses 0, which is never an id.
inline c_api::ErrorHandle perf_set_power_config(
    std::uint32_t id, const c_api::HtpPerfInfrastructurePowerConfig** config) {
  Call call{Slot::perf_set_power_config};
  using Error = c_api::HtpPerfInfrastructureError;
  if (const auto code = call.gate()) return call.fail(code);
  if (config == nullptr) return call.fail(Error::invalid_input, "config is NULL");
  Device& d = call.dev();
  const auto found = d.power.live.find(id);
  if (found == d.power.live.end())
    return call.fail(Error::invalid_input, "unknown power config id");
  if (!are_readable_configs(config))
    return call.fail(dead_pointer(Error::invalid_input, "a power config"));
  PowerVotes votes = found->second;
  for (const c_api::HtpPerfInfrastructurePowerConfig** entry = config; *entry != nullptr; ++entry)
    if (Status status = add_power_vote(d.config.arch, d.config.power_options,
                                       d.host().newest_power_option, id, **entry, votes);
        !status.ok())
      return call.fail(status);
  found->second = votes;
  ++d.counted.power_calls;
  return call.ok();
}

inline c_api::ErrorHandle perf_set_memory_config(
    std::uint32_t device_id, std::uint32_t core_id,
    const c_api::HtpPerfInfrastructureMemoryConfig** config) {
  Call call{Slot::perf_set_memory_config};
  using Error = c_api::HtpPerfInfrastructureError;
  if (const auto code = call.gate()) return call.fail(code);
  if (config == nullptr) return call.fail(Error::invalid_input, "config is NULL");
  if (device_id != 0 || core_id != 0 || !internal::is_open(call.dev()))
    return call.fail(Error::transport, "no such device and core are open");
  if (!are_readable_configs(config))
    return call.fail(dead_pointer(Error::invalid_input, "a memory config"));
  for (const c_api::HtpPerfInfrastructureMemoryConfig** entry = config; *entry != nullptr; ++entry)
    if ((*entry)->option != c_api::HtpPerfInfrastructureMemoryConfigOption::grow_size)
      return call.fail(Error::unsupported_config, "unknown memory option");
  return call.ok();
}

}  // namespace qnnpp::sim::api
