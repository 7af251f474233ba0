#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

using ProfileLevel = std::uint32_t;
using ProfileEventId = std::uint64_t;
using ProfileEventType = std::uint32_t;
using ProfileEventUnit = std::uint32_t;
using ProfileEventValue = std::uint64_t;
using ProfileCustomConfig = void*;

/// QnnProfile_EventData_t.
struct ProfileEventData {
  ProfileEventType type;
  ProfileEventUnit unit;
  ProfileEventValue value;
  const char* identifier;
};
static_assert(sizeof(ProfileEventData) == 24 && alignof(ProfileEventData) == 8);
static_assert(offsetof(ProfileEventData, type) == 0);
static_assert(offsetof(ProfileEventData, unit) == 4);
static_assert(offsetof(ProfileEventData, value) == 8);
static_assert(offsetof(ProfileEventData, identifier) == 16);

/// QnnProfile_BackendOpaqueObject_t.
struct ProfileBackendOpaqueObject {
  OpaqueObject opaque_object;
  const char* file_name;
};
static_assert(sizeof(ProfileBackendOpaqueObject) == 24 && alignof(ProfileBackendOpaqueObject) == 8);
static_assert(offsetof(ProfileBackendOpaqueObject, opaque_object) == 0);
static_assert(offsetof(ProfileBackendOpaqueObject, file_name) == 16);

/// QnnProfile_ExtendedEventDataVersion_t.
enum class ProfileExtendedEventDataVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ProfileExtendedEventDataVersion::v1) == 1u);
static_assert(std::uint32_t(ProfileExtendedEventDataVersion::undefined) == 0x7FFFFFFFu);

/// QnnProfile_ExtendedEventDataV1_t.
struct ProfileExtendedEventDataV1 {
  ProfileEventType type;
  ProfileEventUnit unit;
  union {
    Scalar value;
    ProfileBackendOpaqueObject backend_opaque_object;
  };
  std::uint64_t timestamp;
  const char* identifier;
};
static_assert(sizeof(ProfileExtendedEventDataV1) == 48 && alignof(ProfileExtendedEventDataV1) == 8);
static_assert(offsetof(ProfileExtendedEventDataV1, type) == 0);
static_assert(offsetof(ProfileExtendedEventDataV1, unit) == 4);
static_assert(offsetof(ProfileExtendedEventDataV1, value) == 8);
static_assert(offsetof(ProfileExtendedEventDataV1, backend_opaque_object) == 8);
static_assert(offsetof(ProfileExtendedEventDataV1, timestamp) == 32);
static_assert(offsetof(ProfileExtendedEventDataV1, identifier) == 40);

/// QnnProfile_ExtendedEventData_t.
struct ProfileExtendedEventData {
  ProfileExtendedEventDataVersion version;
  union {
    ProfileExtendedEventDataV1 v1;
  };
};
static_assert(sizeof(ProfileExtendedEventData) == 56 && alignof(ProfileExtendedEventData) == 8);
static_assert(offsetof(ProfileExtendedEventData, version) == 0);
static_assert(offsetof(ProfileExtendedEventData, v1) == 8);

/// QnnProfile_ConfigOption_t.
enum class ProfileConfigOption : std::uint32_t {
  custom = 0,
  max_events = 1,
  enable_optrace = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ProfileConfigOption::custom) == 0u);
static_assert(std::uint32_t(ProfileConfigOption::max_events) == 1u);
static_assert(std::uint32_t(ProfileConfigOption::enable_optrace) == 2u);
static_assert(std::uint32_t(ProfileConfigOption::undefined) == 0x7FFFFFFFu);

/// QnnProfile_Config_t.
struct ProfileConfig {
  ProfileConfigOption option;
  union {
    ProfileCustomConfig custom_config;
    std::uint64_t num_max_events;
    std::uint8_t enable_optrace;
  };
};
static_assert(sizeof(ProfileConfig) == 16 && alignof(ProfileConfig) == 8);
static_assert(offsetof(ProfileConfig, option) == 0);
static_assert(offsetof(ProfileConfig, custom_config) == 8);
static_assert(offsetof(ProfileConfig, num_max_events) == 8);
static_assert(offsetof(ProfileConfig, enable_optrace) == 8);

}  // namespace qnnpp::abi
