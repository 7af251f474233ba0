#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// QnnGlobalConfig_ConfigOption_t.
enum class GlobalConfigConfigOption : std::uint32_t {
  soc_model = 0,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GlobalConfigConfigOption::soc_model) == 0u);
static_assert(std::uint32_t(GlobalConfigConfigOption::undefined) == 0x7FFFFFFFu);

/// QnnGlobalConfig_t.
struct GlobalConfig {
  GlobalConfigConfigOption option;
  union {
    SocModel soc_model;
  };
};
static_assert(sizeof(GlobalConfig) == 8 && alignof(GlobalConfig) == 4);
static_assert(offsetof(GlobalConfig, option) == 0);
static_assert(offsetof(GlobalConfig, soc_model) == 4);

}  // namespace qnnpp::abi
