#pragma once

#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::abi {

/// QnnGraph_ConfigOption_t.
enum class GraphConfigOption : std::uint32_t {
  custom = 0,
  priority = 3,
  profile_handle = 4,
  set_profiling_state = 5,
  set_profiling_num_executions = 6,
  enable_binary_section_weights_updates = 7,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GraphConfigOption::custom) == 0u);
static_assert(std::uint32_t(GraphConfigOption::priority) == 3u);
static_assert(std::uint32_t(GraphConfigOption::profile_handle) == 4u);
static_assert(std::uint32_t(GraphConfigOption::set_profiling_state) == 5u);
static_assert(std::uint32_t(GraphConfigOption::set_profiling_num_executions) == 6u);
static_assert(std::uint32_t(GraphConfigOption::enable_binary_section_weights_updates) == 7u);
static_assert(std::uint32_t(GraphConfigOption::undefined) == 0x7FFFFFFFu);

/// QnnGraph_ProfilingState_t.
enum class GraphProfilingState : std::uint32_t {
  enabled = 1,
  disabled = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GraphProfilingState::enabled) == 1u);
static_assert(std::uint32_t(GraphProfilingState::disabled) == 2u);
static_assert(std::uint32_t(GraphProfilingState::undefined) == 0x7FFFFFFFu);

using GraphCustomConfig = void*;

/// QnnGraph_Config_t.
struct GraphConfig {
  GraphConfigOption option;
  union {
    GraphCustomConfig custom_config;
    Priority priority;
    ProfileHandle profile_handle;
    GraphProfilingState profiling_state;
    std::uint32_t num_profiling_executions;
    std::uint8_t enable_binary_section_weights_updates;
  };
};
static_assert(sizeof(GraphConfig) == 16 && alignof(GraphConfig) == 8);
static_assert(offsetof(GraphConfig, option) == 0);
static_assert(offsetof(GraphConfig, custom_config) == 8);
static_assert(offsetof(GraphConfig, priority) == 8);
static_assert(offsetof(GraphConfig, profile_handle) == 8);
static_assert(offsetof(GraphConfig, profiling_state) == 8);
static_assert(offsetof(GraphConfig, num_profiling_executions) == 8);
static_assert(offsetof(GraphConfig, enable_binary_section_weights_updates) == 8);

/// QnnGraph_PropertyOption_t.
enum class GraphPropertyOption : std::uint32_t {
  custom = 0,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GraphPropertyOption::custom) == 0u);
static_assert(std::uint32_t(GraphPropertyOption::undefined) == 0x7FFFFFFFu);

using GraphCustomProperty = void*;

/// QnnGraph_Property_t.
struct GraphProperty {
  GraphPropertyOption option;
  union {
    GraphCustomProperty custom_property;
  };
};
static_assert(sizeof(GraphProperty) == 16 && alignof(GraphProperty) == 8);
static_assert(offsetof(GraphProperty, option) == 0);
static_assert(offsetof(GraphProperty, custom_property) == 8);

/// QnnGraph_ExecuteEnvironmentOption_t.
enum class GraphExecuteEnvironmentOption : std::uint32_t {
  bind_mem_handles = 0,
  populate_client_bufs = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GraphExecuteEnvironmentOption::bind_mem_handles) == 0u);
static_assert(std::uint32_t(GraphExecuteEnvironmentOption::populate_client_bufs) == 1u);
static_assert(std::uint32_t(GraphExecuteEnvironmentOption::undefined) == 0x7FFFFFFFu);

/// QnnGraph_ExecuteEnvironment_t.
struct GraphExecuteEnvironment {
  GraphExecuteEnvironmentOption option;
  union {
    TensorSet tensor_set;
  };
};
static_assert(sizeof(GraphExecuteEnvironment) == 48 && alignof(GraphExecuteEnvironment) == 8);
static_assert(offsetof(GraphExecuteEnvironment, option) == 0);
static_assert(offsetof(GraphExecuteEnvironment, tensor_set) == 8);

/// QnnGraph_ValidateOption_t.
enum class GraphValidateOption : std::uint32_t {
  custom = 0,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GraphValidateOption::custom) == 0u);
static_assert(std::uint32_t(GraphValidateOption::undefined) == 0x7FFFFFFFu);

using GraphCustomValidateConfig = void*;

/// QnnGraph_ValidateConfig_t.
struct GraphValidateConfig {
  GraphValidateOption option;
  union {
    GraphCustomValidateConfig custom_config;
  };
};
static_assert(sizeof(GraphValidateConfig) == 16 && alignof(GraphValidateConfig) == 8);
static_assert(offsetof(GraphValidateConfig, option) == 0);
static_assert(offsetof(GraphValidateConfig, custom_config) == 8);

/// QnnGraph_NodeValidationStatus_t.
enum class GraphNodeValidationStatus : std::uint32_t {
  supported = 0,
  unsupported = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GraphNodeValidationStatus::supported) == 0u);
static_assert(std::uint32_t(GraphNodeValidationStatus::unsupported) == 1u);
static_assert(std::uint32_t(GraphNodeValidationStatus::undefined) == 0x7FFFFFFFu);

/// QnnGraph_NodeValidationResult_t.
struct GraphNodeValidationResult {
  const char* node_name;
  GraphNodeValidationStatus status;
  ErrorHandle error_code;
  const char* error_message;
};
static_assert(sizeof(GraphNodeValidationResult) == 32 && alignof(GraphNodeValidationResult) == 8);
static_assert(offsetof(GraphNodeValidationResult, node_name) == 0);
static_assert(offsetof(GraphNodeValidationResult, status) == 8);
static_assert(offsetof(GraphNodeValidationResult, error_code) == 16);
static_assert(offsetof(GraphNodeValidationResult, error_message) == 24);

/// QnnGraph_ValidationResult_t.
struct GraphValidationResult {
  std::uint32_t num_results;
  const GraphNodeValidationResult* results;
  ErrorHandle overall_status;
};
static_assert(sizeof(GraphValidationResult) == 24 && alignof(GraphValidationResult) == 8);
static_assert(offsetof(GraphValidationResult, num_results) == 0);
static_assert(offsetof(GraphValidationResult, results) == 8);
static_assert(offsetof(GraphValidationResult, overall_status) == 16);

}  // namespace qnnpp::abi
