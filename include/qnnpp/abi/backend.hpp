#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// QnnBackend_ConfigOption_t.
enum class BackendConfigOption : std::uint32_t {
  custom = 0,
  error_reporting = 1,
  platform = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(BackendConfigOption::custom) == 0u);
static_assert(std::uint32_t(BackendConfigOption::error_reporting) == 1u);
static_assert(std::uint32_t(BackendConfigOption::platform) == 2u);
static_assert(std::uint32_t(BackendConfigOption::undefined) == 0x7FFFFFFFu);

using BackendCustomConfig = void*;

/// QnnBackend_Config_t.
struct BackendConfig {
  BackendConfigOption option;
  union {
    BackendCustomConfig custom_config;
    ErrorReportingConfig error_config;
    const char* platform_option;
  };
};
static_assert(sizeof(BackendConfig) == 16 && alignof(BackendConfig) == 8);
static_assert(offsetof(BackendConfig, option) == 0);
static_assert(offsetof(BackendConfig, custom_config) == 8);
static_assert(offsetof(BackendConfig, error_config) == 8);
static_assert(offsetof(BackendConfig, platform_option) == 8);

/// QnnBackend_OperationName_t.
struct BackendOperationName {
  const char* package_name;
  const char* name;
  const char* target;
};
static_assert(sizeof(BackendOperationName) == 24 && alignof(BackendOperationName) == 8);
static_assert(offsetof(BackendOperationName, package_name) == 0);
static_assert(offsetof(BackendOperationName, name) == 8);
static_assert(offsetof(BackendOperationName, target) == 16);

/// QnnBackend_PropertyOption_t.
enum class BackendPropertyOption : std::uint32_t {
  custom = 0,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(BackendPropertyOption::custom) == 0u);
static_assert(std::uint32_t(BackendPropertyOption::undefined) == 0x7FFFFFFFu);

using BackendCustomProperty = void*;

/// QnnBackend_Property_t.
struct BackendProperty {
  BackendPropertyOption option;
  union {
    BackendCustomProperty custom_property;
  };
};
static_assert(sizeof(BackendProperty) == 16 && alignof(BackendProperty) == 8);
static_assert(offsetof(BackendProperty, option) == 0);
static_assert(offsetof(BackendProperty, custom_property) == 8);

}  // namespace qnnpp::abi
