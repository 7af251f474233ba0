// Signals of the C API.
#pragma once

#include <cstdint>
#include <memory>

#include "qnnpp/abi/interface.hpp"
#include "sim/api/call.hpp"
#include "sim/objects/signal.hpp"

namespace qnnpp::sim::api {

namespace internal {

/// At most one of abort and timeout; abort where nothing is said.
inline Status read_signal_configs(const c_api::SignalConfig** configs,
                                  c_api::SignalConfigOption& option, std::uint64_t& timeout_us) {
  bool given = false;
  if (configs == nullptr) return success();
  for (const c_api::SignalConfig** entry = configs; *entry != nullptr; ++entry) {
    if ((*entry)->option != c_api::SignalConfigOption::abort &&
        (*entry)->option != c_api::SignalConfigOption::timeout)
      return failure(c_api::SignalError::invalid_argument, "unknown signal option");
    if (given && (*entry)->option != option)
      return failure(c_api::SignalError::invalid_argument, "abort and timeout do not go together");
    given = true;
    option = (*entry)->option;
    if (option == c_api::SignalConfigOption::timeout) timeout_us = (*entry)->timeout_duration_us;
  }
  return success();
}

}  // namespace internal

inline c_api::ErrorHandle signal_create(c_api::BackendHandle backend,
                                        const c_api::SignalConfig** config,
                                        c_api::SignalHandle* signal) {
  Call call{Slot::signal_create};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (d.backends.find(backend) == nullptr)
    return call.fail(c_api::SignalError::invalid_handle, "unknown backend handle");
  call.about_backend(id_of(backend));
  if (signal == nullptr) return call.fail(c_api::SignalError::invalid_argument, "signal is NULL");
  auto option = c_api::SignalConfigOption::abort;
  std::uint64_t timeout_us = 0;
  if (Status status = internal::read_signal_configs(config, option, timeout_us); !status.ok())
    return call.fail(status);
  auto made = std::make_shared<Signal>();
  made->backend = id_of(backend);
  made->configure(option, timeout_us);
  *signal = handle_of<c_api::SignalHandle>(d.signals.insert(std::move(made)));
  return call.ok();
}

inline c_api::ErrorHandle signal_set_config(c_api::SignalHandle handle,
                                            const c_api::SignalConfig** config) {
  Call call{Slot::signal_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  const auto signal = call.dev().signals.find(handle);
  if (signal == nullptr)
    return call.fail(c_api::SignalError::invalid_handle, "unknown signal handle");
  if (config == nullptr) return call.fail(c_api::SignalError::invalid_argument, "config is NULL");
  if (signal->in_use()) return call.fail(c_api::SignalError::signal_in_use, "the signal is in use");
  auto option = c_api::SignalConfigOption::abort;
  std::uint64_t timeout_us = 0;
  if (Status status = internal::read_signal_configs(config, option, timeout_us); !status.ok())
    return call.fail(status);
  signal->configure(option, timeout_us);
  return call.ok();
}

/// Returns once the call that it aborts has let go of the signal.
inline c_api::ErrorHandle signal_trigger(c_api::SignalHandle handle) {
  Call call{Slot::signal_trigger};
  if (const auto code = call.gate()) return call.fail(code);
  const auto signal = call.dev().signals.find(handle);
  if (signal == nullptr)
    return call.fail(c_api::SignalError::invalid_handle, "unknown signal handle");
  if (signal->option() != c_api::SignalConfigOption::abort)
    return call.fail(c_api::SignalError::incompatible_signal_type, "the signal is a timeout");
  if (!call.unlocked([&] { return signal->trigger(); }))
    return call.fail(c_api::SignalError::signal_idle, "no call uses the signal");
  return call.ok();
}

inline c_api::ErrorHandle signal_free(c_api::SignalHandle handle) {
  Call call{Slot::signal_free};
  const auto signal = call.dev().signals.find(handle);
  if (signal == nullptr)
    return call.fail(c_api::SignalError::invalid_handle, "unknown signal handle");
  if (signal->in_use()) return call.fail(c_api::SignalError::signal_in_use, "the signal is in use");
  call.dev().signals.erase(id_of(handle));
  return call.ok();
}

}  // namespace qnnpp::sim::api
