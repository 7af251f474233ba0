// What a client asked of a context: QnnContext_Config_t and QnnHtpContext_CustomConfig_t by value,
// every pointer and every value checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/context.hpp"
#include "sim/tables/status.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Where a context comes from: not every option fits every way.
enum class ContextOrigin : std::uint8_t { composed, binary, binary_list };

/// REGISTER_MULTI_CONTEXTS: one spill-fill buffer for several contexts.
struct GroupOption {
  bool given = false;
  std::uint64_t head = 0;  ///< handle of the first context, 0 in the first itself
  std::uint64_t max_spill_fill_bytes = 0;
  friend bool operator==(const GroupOption&, const GroupOption&) = default;
};

struct ContextOptions {
  bool deferred = false;
  bool persistent = false;
  bool strict_compatibility = false;
  bool all_graphs = true;
  std::vector<std::string> enabled_graphs;  ///< where not all_graphs
  std::uint64_t memory_limit_mb = 0;
  c_api::Priority priority = c_api::Priority::default_;
  std::uint32_t queue_depth = 0;
  GroupOption group;
  bool weight_sharing = false;
  std::uint64_t file_read_budget_mb = 0;
  bool share_resources = false;
  bool io_mem_estimation = false;
  bool prepare_only = false;
  bool concurrent_sharing = false;
  friend bool operator==(const ContextOptions&, const ContextOptions&) = default;

  /// PERSISTENT_BINARY with MEMORY_LIMIT_HINT: graphs are brought up when they are executed.
  [[nodiscard]] bool switches_graphs() const noexcept { return persistent && memory_limit_mb != 0; }
};

namespace detail {

inline Status read_names(const char* const* names, std::vector<std::string>& out,
                         const char* what) {
  if (names == nullptr)
    return failure(c_api::ContextError::invalid_config, text("%s names no graphs", what));
  out.clear();
  for (; *names != nullptr; ++names) out.emplace_back(*names);
  return success();
}

inline Status read_group(const c_api::HtpContextGroupRegistration& group, ContextOptions& out) {
  out.group.given = true;
  out.group.head = reinterpret_cast<std::uint64_t>(group.first_group_handle);
  out.group.max_spill_fill_bytes = group.max_spill_fill_buffer;
  return success();
}

inline Status read_htp_option(const c_api::HtpContextCustomConfig& custom, ContextOrigin origin,
                              ContextOptions& out) {
  using Option = c_api::HtpContextConfigOption;
  const bool composed = origin == ContextOrigin::composed;
  const auto unsupported = [](const char* what) {
    return failure(c_api::ContextError::unsupported_feature, text("HTP context option %s", what));
  };
  switch (custom.option) {
    case Option::weight_sharing_enabled:
      out.weight_sharing = custom.weight_sharing_enabled;
      return success();
    case Option::register_multi_contexts:
      if (composed) return unsupported("REGISTER_MULTI_CONTEXTS is for contexts from a binary");
      return read_group(custom.group_registration, out);
    case Option::file_read_memory_budget:
      out.file_read_budget_mb = custom.file_read_memory_budget_in_mb;
      return success();
    case Option::share_resources:
      if (origin != ContextOrigin::binary_list)
        return unsupported("SHARE_RESOURCES is for a list of contexts");
      out.share_resources = custom.share_resources;
      return success();
    case Option::share_resources_optimization_type:
      if (origin != ContextOrigin::binary_list)
        return unsupported("SHARE_RESOURCES_OPTIMIZATION_TYPE is for a list of contexts");
      if (static_cast<std::uint32_t>(custom.share_res_opt_type) > 2)
        return failure(c_api::ContextError::invalid_config,
                       "unknown SHARE_RESOURCES_OPTIMIZATION_TYPE");
      return success();
    case Option::io_mem_estimation:
      out.io_mem_estimation = custom.io_mem_estimation;
      return success();
    case Option::prepare_only:
      if (!composed) return unsupported("PREPARE_ONLY is for contextCreate");
      out.prepare_only = custom.is_prepare_only;
      return success();
    case Option::dsp_memory_profiling_enabled:
    case Option::init_acceleration:
    case Option::skip_validation_on_binary_section:
    case Option::lora_weight_sharing_enabled: return success();
    case Option::use_extended_udma:
      return custom.use_extended_udma ? unsupported("USE_EXTENDED_UDMA needs v81") : success();
    case Option::register_concurrent_resource_sharing:
      if (composed) return unsupported("REGISTER_CONCURRENT_RESOURCE_SHARING");
      out.concurrent_sharing = true;
      return success();
    default:
      return failure(c_api::ContextError::invalid_config,
                     text("unknown HTP context option %u", static_cast<unsigned>(custom.option)));
  }
}

inline Status read_option(const c_api::ContextConfig& config, ContextOrigin origin,
                          ContextOptions& out) {
  using Option = c_api::ContextConfigOption;
  const auto invalid = [](std::string reason) {
    return failure(c_api::ContextError::invalid_config, std::move(reason));
  };
  switch (config.option) {
    case Option::custom:
      if (config.custom_config == nullptr)
        return invalid("option CUSTOM with a NULL custom config");
      return read_htp_option(
          *static_cast<const c_api::HtpContextCustomConfig*>(config.custom_config), origin, out);
    case Option::priority:
      switch (config.priority) {
        case c_api::Priority::low:
        case c_api::Priority::normal:
        case c_api::Priority::normal_high:
        case c_api::Priority::high: out.priority = config.priority; return success();
        default:
          return invalid(text("unknown priority %u", static_cast<unsigned>(config.priority)));
      }
    case Option::error_reporting:
      if (static_cast<std::uint32_t>(config.error_config.reporting_level) > 1)
        return invalid("unknown reporting level");
      return success();
    case Option::oem_string:
      return config.oem_string == nullptr ? invalid("NULL OEM string") : success();
    case Option::async_execution_queue_depth:
      if (config.async_exe_queue_depth.type != c_api::ContextAsyncExecutionQueueDepthType::numeric)
        return invalid("unknown queue depth type");
      out.queue_depth = config.async_exe_queue_depth.depth;
      return success();
    case Option::enable_graphs:
      out.all_graphs = false;
      return read_names(config.enable_graphs, out.enabled_graphs, "ENABLE_GRAPHS");
    case Option::memory_limit_hint:
      out.memory_limit_mb = config.memory_limit_hint;
      return success();
    case Option::persistent_binary:
      out.persistent = config.is_persistent_binary != 0;
      return success();
    case Option::binary_compatibility:
      if (static_cast<std::uint32_t>(config.binary_compatibility_type) > 1)
        return invalid("unknown binary compatibility type");
      out.strict_compatibility =
          config.binary_compatibility_type == c_api::ContextBinaryCompatibilityType::strict;
      return success();
    case Option::defer_graph_init:
      if (origin != ContextOrigin::binary && config.is_graph_init_deferred != 0)
        return failure(c_api::ContextError::unsupported_feature,
                       "DEFER_GRAPH_INIT is for createFromBinary");
      if (config.is_graph_init_deferred == 0)
        return crashing(c_api::ContextError::invalid_config, "ORD-15",
                        "DEFER_GRAPH_INIT with 0 hangs the host library; leave it out");
      out.deferred = true;
      return success();
    case Option::graph_retention_order: {
      std::vector<std::string> names;
      return read_names(config.graph_retention_order, names, "GRAPH_RETENTION_ORDER");
    }
    default:
      return invalid(text("unknown context option %u", static_cast<unsigned>(config.option)));
  }
}

}  // namespace detail

/// Reads a NULL-ended array of pointers on top of `out`; NULL is the empty array. With an option
/// given twice the last one wins, CUSTOM entries stand side by side. 5010: NULL custom config,
/// unknown option or value. 1000: an option that this device does not have, or not for this origin.
inline Status read_context_options(const c_api::ContextConfig** configs, ContextOrigin origin,
                                   ContextOptions& out) {
  if (configs == nullptr) return success();
  for (const c_api::ContextConfig** config = configs; *config != nullptr; ++config) {
    if (Status status = detail::read_option(**config, origin, out); !status.ok()) return status;
  }
  return success();
}

}  // namespace qnnpp::sim
