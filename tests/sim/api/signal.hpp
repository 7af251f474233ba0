// Signals of the C API.
#pragma once

#include <cstdint>
#include <memory>

#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/signal.hpp"

namespace qnnpp::sim::api {

namespace internal {

/// Applies the first option of the list, as the host library does. Returns 9002 for an unknown
/// option.
inline Status configure_signal(const c_api::SignalConfig& config, Signal& signal) {
  switch (config.option) {
    case c_api::SignalConfigOption::abort: signal.configure(config.option, 0); return success();
    case c_api::SignalConfigOption::timeout:
      signal.configure(config.option, config.timeout_duration_us);
      return success();
    default: return failure(c_api::SignalError::invalid_argument, "unknown signal option");
  }
}

}  // namespace internal

inline c_api::ErrorHandle signal_create(c_api::BackendHandle backend,
                                        const c_api::SignalConfig** config,
                                        c_api::SignalHandle* signal) {
  Call call{Slot::signal_create};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (d.backends.find(backend) == nullptr)
    return call.fail(
        unknown(call, call.dev().backends, backend, c_api::SignalError::invalid_handle));
  call.about_backend(id_of(backend));
  if (signal == nullptr) return call.fail(c_api::SignalError::invalid_argument, "signal is NULL");
  auto made = std::make_shared<Signal>();
  made->backend = id_of(backend);
  if (!are_readable_configs(config))
    return call.fail(dead_pointer(c_api::SignalError::invalid_argument, "a config"));
  if (config != nullptr) {
    if (*config == nullptr)
      return call.fail(c_api::SignalError::invalid_argument, "the list of configs is empty");
    if (Status status = internal::configure_signal(**config, *made); !status.ok())
      return call.fail(status);
  }
  *signal = handle_of<c_api::SignalHandle>(d.signals.insert(std::move(made)));
  return call.ok();
}

inline c_api::ErrorHandle signal_set_config(c_api::SignalHandle handle,
                                            const c_api::SignalConfig** config) {
  Call call{Slot::signal_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  const auto signal = call.dev().signals.find(handle);
  if (signal == nullptr)
    return call.fail(unknown(call, call.dev().signals, handle, c_api::SignalError::invalid_handle));
  if (config == nullptr || *config == nullptr) return call.ok();
  if (signal->in_use()) return call.fail(c_api::SignalError::signal_in_use, "the signal is in use");
  if (const Status status = internal::configure_signal(**config, *signal); !status.ok()) {
    if (signal->option() == c_api::SignalConfigOption::undefined) return call.fail(status);
    call.misuse("CFG-01", "an unknown signal option is ignored, but the library returns 0");
  }
  return call.ok();
}

/// Blocks until the call that uses the signal has ended, unless the call is a creation in a library
/// that does not wait for it. Only a signal with the option ABORT can be triggered; a signal
/// without configs cannot.
inline c_api::ErrorHandle signal_trigger(c_api::SignalHandle handle) {
  Call call{Slot::signal_trigger};
  if (const auto code = call.gate()) return call.fail(code);
  const auto signal = call.dev().signals.find(handle);
  if (signal == nullptr)
    return call.fail(unknown(call, call.dev().signals, handle, c_api::SignalError::invalid_handle));
  if (signal->option() != c_api::SignalConfigOption::abort) {
    if (signal->option() == c_api::SignalConfigOption::timeout)
      call.unlocked([&] { signal->wait(); });
    return call.fail(c_api::SignalError::incompatible_signal_type,
                     "the signal was not configured to abort calls");
  }
  if (!call.unlocked([&] { return signal->trigger(); }))
    return call.fail(c_api::SignalError::signal_idle,
                     "no call uses the signal, or the call cannot be aborted");
  return call.ok();
}

inline c_api::ErrorHandle signal_free(c_api::SignalHandle handle) {
  Call call{Slot::signal_free};
  if (!call.dev().started)
    return call.fail(c_api::CommonError::general, "the provider has not started");
  const auto signal = call.dev().signals.find(handle);
  if (signal == nullptr)
    return call.fail(unknown(call, call.dev().signals, handle, c_api::SignalError::invalid_handle));
  if (signal->in_use()) return call.fail(c_api::SignalError::signal_in_use, "the signal is in use");
  call.dev().signals.erase(id_of(handle));
  return call.freed(id_of(handle));
}

}  // namespace qnnpp::sim::api
