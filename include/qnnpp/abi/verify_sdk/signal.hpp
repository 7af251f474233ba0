// Part of verify_sdk.hpp; do not include it alone. Compares abi/signal.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/signal.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/signal.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(SignalConfigOption::custom, QNN_SIGNAL_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(SignalConfigOption::abort, QNN_SIGNAL_CONFIG_OPTION_ABORT);
QNNPP_SAME_VALUE(SignalConfigOption::timeout, QNN_SIGNAL_CONFIG_OPTION_TIMEOUT);
QNNPP_SAME_VALUE(SignalConfigOption::undefined, QNN_SIGNAL_CONFIG_UNDEFINED);
QNNPP_SAME_SIZE(SignalConfig, QnnSignal_Config_t);
QNNPP_SAME_FIELD(SignalConfig, option, QnnSignal_Config_t, option);
QNNPP_SAME_FIELD(SignalConfig, custom_config, QnnSignal_Config_t, customConfig);
QNNPP_SAME_FIELD(SignalConfig, timeout_duration_us, QnnSignal_Config_t, timeoutDurationUs);

}  // namespace qnnpp::c_api

#endif
