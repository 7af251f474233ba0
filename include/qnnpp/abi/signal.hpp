// Signals, which abort calls on request or after a time limit.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Selects the member of SignalConfig's union. abort and timeout exclude each other.
/// C: QnnSignal_ConfigOption_t.
enum class SignalConfigOption : std::uint32_t {
  custom = 0,   ///< custom_config, defined by the backend.
  abort = 1,    ///< signal_trigger aborts the call; no value.
  timeout = 2,  ///< timeout_duration_us.
  undefined = 0x7FFFFFFF,
};

/// Pointer to an option that the backend defines. C: QnnSignal_CustomConfig_t.
using SignalCustomConfig = void*;

/// Option of a signal. Calls use a NULL-ended array of pointers to options. C: QnnSignal_Config_t.
struct SignalConfig {
  SignalConfigOption option;  ///< Selects the union member.
  union {
    SignalCustomConfig custom_config;   ///< Option that the backend defines.
    std::uint64_t timeout_duration_us;  ///< Time limit in microseconds from the start of the call.
  };
};

/// Creates a signal. C: QnnSignal_create. Codes: 1000, 1007, 1011, 9002, 9003.
using SignalCreateFn = ErrorHandle (*)(BackendHandle backend, const SignalConfig** config,
                                       SignalHandle* signal);

/// Changes options of a signal that controls no call. C: QnnSignal_setConfig. Codes: 1000, 9000,
/// 9002, 9003.
using SignalSetConfigFn = ErrorHandle (*)(SignalHandle signal, const SignalConfig** config);

/// Aborts the call that the signal controls; returns when the call no longer uses the signal.
/// C: QnnSignal_trigger. Codes: 1000, 1007, 1011, 9003, 9005.
using SignalTriggerFn = ErrorHandle (*)(SignalHandle signal);

/// Frees a signal that controls no call. C: QnnSignal_free. Codes: 1000, 1002, 9000, 9003.
using SignalFreeFn = ErrorHandle (*)(SignalHandle signal);

}  // namespace qnnpp::c_api
