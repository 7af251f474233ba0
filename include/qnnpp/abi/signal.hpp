#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// QnnSignal_ConfigOption_t.
enum class SignalConfigOption : std::uint32_t {
  custom = 0,
  abort = 1,
  timeout = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SignalConfigOption::custom) == 0u);
static_assert(std::uint32_t(SignalConfigOption::abort) == 1u);
static_assert(std::uint32_t(SignalConfigOption::timeout) == 2u);
static_assert(std::uint32_t(SignalConfigOption::undefined) == 0x7FFFFFFFu);

using SignalCustomConfig = void*;

/// QnnSignal_Config_t.
struct SignalConfig {
  SignalConfigOption option;
  union {
    SignalCustomConfig custom_config;
    std::uint64_t timeout_duration_us;
  };
};
static_assert(sizeof(SignalConfig) == 16 && alignof(SignalConfig) == 8);
static_assert(offsetof(SignalConfig, option) == 0);
static_assert(offsetof(SignalConfig, custom_config) == 8);
static_assert(offsetof(SignalConfig, timeout_duration_us) == 8);

}  // namespace qnnpp::abi
