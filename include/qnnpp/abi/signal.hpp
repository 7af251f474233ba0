// Signals: they end calls, at will or after a time.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Which member of SignalConfig's union is set. A signal has one purpose: abort and timeout exclude
/// each other. C: QnnSignal_ConfigOption_t.
enum class SignalConfigOption : std::uint32_t {
  custom = 0,   ///< custom_config, defined by the backend.
  abort = 1,    ///< signal_trigger ends the call.
  timeout = 2,  ///< timeout_duration_us.
  undefined = 0x7FFFFFFF,
};

/// Pointer to an option that the backend defines. C: QnnSignal_CustomConfig_t.
using SignalCustomConfig = void*;

/// An option of a signal. Calls take a NULL-ended array of pointers to these.
/// C: QnnSignal_Config_t.
struct SignalConfig {
  SignalConfigOption option;  ///< Selects the union member.
  union {
    SignalCustomConfig custom_config;
    std::uint64_t timeout_duration_us;  ///< Microseconds from the start of the call.
  };
};

/// Creates a signal that can end calls. C: QnnSignal_create. Codes: 1000, 1007, 1011, 9002, 9003.
using SignalCreateFn = ErrorHandle (*)(BackendHandle backend, const SignalConfig** config,
                                       SignalHandle* signal);

/// Changes options of an idle signal. C: QnnSignal_setConfig. Codes: 1000, 9000, 9002, 9003.
using SignalSetConfigFn = ErrorHandle (*)(SignalHandle signal, const SignalConfig** config);

/// Ends the call that the signal controls; returns when that call has let go. C: QnnSignal_trigger.
/// Codes: 1000, 1007, 1011, 9003, 9005.
using SignalTriggerFn = ErrorHandle (*)(SignalHandle signal);

/// Frees an idle signal. C: QnnSignal_free. Codes: 1000, 1002, 9000, 9003.
using SignalFreeFn = ErrorHandle (*)(SignalHandle signal);

}  // namespace qnnpp::c_api
