#pragma once

#include "qnnpp/abi/memory.hpp"

namespace qnnpp::abi {

/// QnnContext_ConfigOption_t.
enum class ContextConfigOption : std::uint32_t {
  custom = 0,
  priority = 1,
  error_reporting = 2,
  oem_string = 3,
  async_execution_queue_depth = 4,
  enable_graphs = 5,
  memory_limit_hint = 6,
  persistent_binary = 7,
  binary_compatibility = 8,
  defer_graph_init = 9,
  graph_retention_order = 10,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextConfigOption::custom) == 0u);
static_assert(std::uint32_t(ContextConfigOption::priority) == 1u);
static_assert(std::uint32_t(ContextConfigOption::error_reporting) == 2u);
static_assert(std::uint32_t(ContextConfigOption::oem_string) == 3u);
static_assert(std::uint32_t(ContextConfigOption::async_execution_queue_depth) == 4u);
static_assert(std::uint32_t(ContextConfigOption::enable_graphs) == 5u);
static_assert(std::uint32_t(ContextConfigOption::memory_limit_hint) == 6u);
static_assert(std::uint32_t(ContextConfigOption::persistent_binary) == 7u);
static_assert(std::uint32_t(ContextConfigOption::binary_compatibility) == 8u);
static_assert(std::uint32_t(ContextConfigOption::defer_graph_init) == 9u);
static_assert(std::uint32_t(ContextConfigOption::graph_retention_order) == 10u);
static_assert(std::uint32_t(ContextConfigOption::undefined) == 0x7FFFFFFFu);

/// QnnContext_BinaryCompatibilityType_t.
enum class ContextBinaryCompatibilityType : std::uint32_t {
  permissive = 0,
  strict = 1,
  undefined = 0x7FFFFFF,
};
static_assert(std::uint32_t(ContextBinaryCompatibilityType::permissive) == 0u);
static_assert(std::uint32_t(ContextBinaryCompatibilityType::strict) == 1u);
static_assert(std::uint32_t(ContextBinaryCompatibilityType::undefined) == 0x7FFFFFFu);

/// QnnContext_AsyncExecutionQueueDepthType_t.
enum class ContextAsyncExecutionQueueDepthType : std::uint32_t {
  numeric = 0,
  undefined = 0x7FFFFFF,
};
static_assert(std::uint32_t(ContextAsyncExecutionQueueDepthType::numeric) == 0u);
static_assert(std::uint32_t(ContextAsyncExecutionQueueDepthType::undefined) == 0x7FFFFFFu);

/// QnnContext_AsyncExecutionQueueDepth_t.
struct ContextAsyncExecutionQueueDepth {
  ContextAsyncExecutionQueueDepthType type;
  union {
    std::uint32_t depth;
  };
};
static_assert(sizeof(ContextAsyncExecutionQueueDepth) == 8 && alignof(ContextAsyncExecutionQueueDepth) == 4);
static_assert(offsetof(ContextAsyncExecutionQueueDepth, type) == 0);
static_assert(offsetof(ContextAsyncExecutionQueueDepth, depth) == 4);

using ContextCustomConfig = void*;

/// QnnContext_Config_t.
struct ContextConfig {
  ContextConfigOption option;
  union {
    ContextCustomConfig custom_config;
    Priority priority;
    ErrorReportingConfig error_config;
    const char* oem_string;
    ContextAsyncExecutionQueueDepth async_exe_queue_depth;
    const char* const* enable_graphs;
    std::uint64_t memory_limit_hint;
    std::uint8_t is_persistent_binary;
    ContextBinaryCompatibilityType binary_compatibility_type;
    std::uint8_t is_graph_init_deferred;
    const char* const* graph_retention_order;
  };
};
static_assert(sizeof(ContextConfig) == 16 && alignof(ContextConfig) == 8);
static_assert(offsetof(ContextConfig, option) == 0);
static_assert(offsetof(ContextConfig, custom_config) == 8);
static_assert(offsetof(ContextConfig, priority) == 8);
static_assert(offsetof(ContextConfig, error_config) == 8);
static_assert(offsetof(ContextConfig, oem_string) == 8);
static_assert(offsetof(ContextConfig, async_exe_queue_depth) == 8);
static_assert(offsetof(ContextConfig, enable_graphs) == 8);
static_assert(offsetof(ContextConfig, memory_limit_hint) == 8);
static_assert(offsetof(ContextConfig, is_persistent_binary) == 8);
static_assert(offsetof(ContextConfig, binary_compatibility_type) == 8);
static_assert(offsetof(ContextConfig, is_graph_init_deferred) == 8);
static_assert(offsetof(ContextConfig, graph_retention_order) == 8);

/// QnnContext_PropertyOption_t.
enum class ContextPropertyOption : std::uint32_t {
  custom = 0,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextPropertyOption::custom) == 0u);
static_assert(std::uint32_t(ContextPropertyOption::undefined) == 0x7FFFFFFFu);

using ContextCustomProperty = void*;

/// QnnContext_Property_t.
struct ContextProperty {
  ContextPropertyOption option;
  union {
    ContextCustomProperty custom_property;
  };
};
static_assert(sizeof(ContextProperty) == 16 && alignof(ContextProperty) == 8);
static_assert(offsetof(ContextProperty, option) == 0);
static_assert(offsetof(ContextProperty, custom_property) == 8);

/// QnnContext_createFromBinaryAsyncNotifyType_t.
enum class ContextNotifyType : std::uint32_t {
  graph_init = 0,
  context_init = 1,
  undefined = 0x7FFFFFF,
};
static_assert(std::uint32_t(ContextNotifyType::graph_init) == 0u);
static_assert(std::uint32_t(ContextNotifyType::context_init) == 1u);
static_assert(std::uint32_t(ContextNotifyType::undefined) == 0x7FFFFFFu);

using ContextNotifyFn = void (*)(ContextHandle context, GraphHandle graph, const char* graph_name,
                                 ContextNotifyType notify_type, void* notify_param, ErrorHandle status);

/// QnnContext_ParamsVersion_t.
enum class ContextParamsVersion : std::uint32_t {
  v1 = 1,
  v2 = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextParamsVersion::v1) == 1u);
static_assert(std::uint32_t(ContextParamsVersion::v2) == 2u);
static_assert(std::uint32_t(ContextParamsVersion::undefined) == 0x7FFFFFFFu);

/// QnnContext_ParamsV1_t.
struct ContextParamsV1 {
  const ContextConfig** config;
  const void* binary_buffer;
  const ContextBinarySize binary_buffer_size;
  ProfileHandle profile;
  ContextNotifyFn notify_func;
  void* notify_param;
};
static_assert(sizeof(ContextParamsV1) == 48 && alignof(ContextParamsV1) == 8);
static_assert(offsetof(ContextParamsV1, config) == 0);
static_assert(offsetof(ContextParamsV1, binary_buffer) == 8);
static_assert(offsetof(ContextParamsV1, binary_buffer_size) == 16);
static_assert(offsetof(ContextParamsV1, profile) == 24);
static_assert(offsetof(ContextParamsV1, notify_func) == 32);
static_assert(offsetof(ContextParamsV1, notify_param) == 40);

}  // namespace qnnpp::abi
