// Options of a context: QnnContext_Config_t and QnnHtpContext_CustomConfig_t by value. The reader
// survives unmapped memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/context.hpp"

#include "sim/objects/client_booleans.hpp"
#include "sim/objects/client_memory.hpp"
#include "sim/tables/status.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Call that reads the options. Not every option is valid for every call.
enum class ContextOrigin : std::uint8_t {
  composed,
  binary,
  list_entry,
  finalize,  ///< contextFinalize, which reads a deferred context's options again
};

/// REGISTER_MULTI_CONTEXTS: one spill-fill buffer for several contexts.
struct GroupOption {
  bool given = false;
  std::uint64_t head = 0;  ///< handle of the first context; 0 in the first itself
  std::uint64_t max_spill_fill_bytes = 0;
  friend bool operator==(const GroupOption&, const GroupOption&) = default;
};

/// Options of one context.
struct ContextOptions {
  bool deferred = false;
  bool persistent = false;
  bool strict_compatibility = false;
  bool all_graphs = true;
  std::vector<std::string> enabled_graphs;  ///< used if not all_graphs
  std::uint64_t memory_limit_mb = 0;
  c_api::Priority priority = c_api::Priority::default_;
  std::uint32_t queue_depth = 0;
  GroupOption group;
  bool weight_sharing = false;
  std::uint64_t file_read_budget_mb = 0;
  bool io_mem_estimation = false;
  std::optional<std::uint64_t> io_limit_bytes;  ///< of REUSED_IO_LIMIT; 0 is as no option
  bool prepare_only = false;
  bool concurrent_sharing = false;
  bool shares_after_deferral = false;  ///< stands after DEFER_GRAPH_INIT in the list
  bool extended_udma = false;
  bool bad_queue_depth = false;  ///< of an unknown type
  /// HTP options that are accepted without effect, by 1 << option (HostAnswers).
  std::uint32_t more_options = 0;
  /// What is wrong with booleans that are neither 0 nor 1 (ClientBoolean::fault()).
  std::vector<std::string> odd_booleans;
  friend bool operator==(const ContextOptions&, const ContextOptions&) = default;

  /// PERSISTENT_BINARY with MEMORY_LIMIT_HINT: a graph is loaded when it is executed.
  [[nodiscard]] bool switches_graphs() const noexcept { return persistent && memory_limit_mb != 0; }
};

/// Returns the bytes of a REUSED_IO_LIMIT; nothing for 0, which is no limit.
inline std::optional<std::uint64_t> io_limit_of(
    const c_api::HtpContextCustomConfig& custom) noexcept {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  const std::uint64_t megabytes = custom.reused_io_limit_mb;
  if (megabytes == 0) return std::nullopt;
  return megabytes > UINT64_MAX / mib ? UINT64_MAX : megabytes * mib;
}

/// Notes a boolean that is neither 0 nor 1. Returns its value.
inline bool read_boolean(const ClientBoolean& boolean, ContextOptions& out) {
  if (std::string fault = boolean.fault(); !fault.empty())
    out.odd_booleans.push_back(std::move(fault));
  return boolean.byte != 0;
}

namespace detail {

/// Failure for options in memory that cannot be read. The host library crashes there (CFG-01; in
/// contextFinalize CFG-02).
inline Status unreadable(ContextOrigin origin, const char* what) {
  return crashing(c_api::ContextError::invalid_config,
                  origin == ContextOrigin::finalize ? "CFG-02" : "CFG-01",
                  text("%s cannot be read", what));
}

/// Reads a NULL-terminated list of names. NULL is an empty list.
inline Status read_names(const char* const* names, ContextOrigin origin,
                         std::vector<std::string>& out) {
  out.clear();
  for (; names != nullptr; ++names) {
    const auto name = read_client(names);
    if (!name) return unreadable(origin, "a list of graph names");
    if (*name == nullptr) break;
    auto read = read_client_text(*name);
    if (!read) return unreadable(origin, "a graph name");
    out.push_back(std::move(*read));
  }
  return success();
}

inline Status read_group(const c_api::HtpContextGroupRegistration& group, ContextOptions& out) {
  out.group.given = true;
  out.group.head = reinterpret_cast<std::uint64_t>(group.first_group_handle);
  out.group.max_spill_fill_bytes = group.max_spill_fill_buffer;
  return success();
}

/// Reads one HTP option. Accepts and refuses the same options as library 2.45.0, and accepts
/// ContextOptions::more_options.
inline Status read_htp_option(const c_api::HtpContextCustomConfig& custom, ContextOrigin origin,
                              ContextOptions& out) {
  using Option = c_api::HtpContextConfigOption;
  const auto unsupported = [&custom] {
    return failure(
        c_api::ContextError::unsupported_feature,
        text("HTP context option %u is not supported", static_cast<unsigned>(custom.option)));
  };
  const bool is_on = read_boolean(boolean_of(custom), out);
  switch (custom.option) {
    case Option::weight_sharing_enabled: out.weight_sharing = is_on; return success();
    case Option::register_multi_contexts:
      return origin == ContextOrigin::composed ? success()
                                               : read_group(custom.group_registration, out);
    case Option::file_read_memory_budget:
      out.file_read_budget_mb = custom.file_read_memory_budget_in_mb;
      return success();
    case Option::io_mem_estimation: out.io_mem_estimation = is_on; return success();
    case Option::prepare_only: out.prepare_only = is_on; return success();
    case Option::use_extended_udma: out.extended_udma = is_on; return success();
    case Option::dsp_memory_profiling_enabled:
    case Option::init_acceleration:
    case Option::skip_validation_on_binary_section:
    case Option::lora_weight_sharing_ram_preload_enabled:
    case Option::reference_weight_sharing_enabled: return success();
    case Option::register_concurrent_resource_sharing:
      if (origin == ContextOrigin::composed) return unsupported();
      out.concurrent_sharing = true;
      out.shares_after_deferral = out.deferred;
      return success();
    case Option::reserved_14: return origin == ContextOrigin::composed ? unsupported() : success();
    case Option::reserved_15: return unsupported();
    default:
      if (const auto option = static_cast<std::uint32_t>(custom.option);
          option < 32 && (out.more_options >> option & 1) != 0) {
        // A list's entry cannot have it: it belongs to the list.
        if (custom.option == Option::reused_io_limit && origin != ContextOrigin::list_entry)
          out.io_limit_bytes = io_limit_of(custom);
        return success();
      }
      return failure(c_api::ContextError::invalid_config,
                     text("HTP context option %u is unknown, or not for this context",
                          static_cast<unsigned>(custom.option)));
  }
}

inline Status read_custom(const void* custom_config, ContextOrigin origin, ContextOptions& out) {
  if (custom_config == nullptr && origin == ContextOrigin::finalize)
    return misused(c_api::ContextError::invalid_argument, "CFG-02",
                   "option CUSTOM has a NULL custom config, unlike at the creation");
  const auto custom = read_client(static_cast<const c_api::HtpContextCustomConfig*>(custom_config));
  if (!custom) return unreadable(origin, "the custom config of option CUSTOM");
  return read_htp_option(*custom, origin, out);
}

inline Status read_option(const c_api::ContextConfig& config, ContextOrigin origin,
                          ContextOptions& out) {
  using Option = c_api::ContextConfigOption;
  const auto unsupported = [&config] {
    return failure(
        c_api::ContextError::unsupported_feature,
        text("context option %u is not supported", static_cast<unsigned>(config.option)));
  };
  switch (config.option) {
    case Option::custom: return read_custom(config.custom_config, origin, out);
    case Option::priority: out.priority = config.priority; return success();
    case Option::error_reporting: return success();
    case Option::async_execution_queue_depth:
      out.bad_queue_depth =
          config.async_exe_queue_depth.type != c_api::ContextAsyncExecutionQueueDepthType::numeric;
      out.queue_depth = config.async_exe_queue_depth.depth;
      if (out.bad_queue_depth)
        return failure(c_api::ContextError::invalid_argument, "unknown queue depth type");
      return success();
    case Option::graph_retention_order: {
      if (origin == ContextOrigin::finalize) return success();
      std::vector<std::string> names;
      return read_names(config.graph_retention_order, origin, names);
    }
    default: break;
  }
  if (origin == ContextOrigin::composed) return unsupported();
  switch (config.option) {
    case Option::enable_graphs: {
      if (origin == ContextOrigin::finalize) return success();
      const Status status = read_names(config.enable_graphs, origin, out.enabled_graphs);
      out.all_graphs = out.enabled_graphs.empty();
      return status;
    }
    case Option::memory_limit_hint:
      out.memory_limit_mb = config.memory_limit_hint;
      return success();
    case Option::persistent_binary:
      out.persistent = read_boolean({"PERSISTENT_BINARY", config.is_persistent_binary}, out);
      return success();
    case Option::binary_compatibility:
      out.strict_compatibility =
          config.binary_compatibility_type == c_api::ContextBinaryCompatibilityType::strict;
      return success();
    case Option::defer_graph_init:
      if (config.is_graph_init_deferred == 0 && origin != ContextOrigin::finalize)
        return crashing(c_api::ContextError::invalid_config, "ORD-15",
                        "DEFER_GRAPH_INIT with 0 hangs the host library; leave it out");
      out.deferred = read_boolean({"DEFER_GRAPH_INIT", config.is_graph_init_deferred}, out);
      return success();
    default: return unsupported();
  }
}

}  // namespace detail

/// Reads a NULL-terminated array of pointers into `out`; NULL is an empty array. If an option
/// appears twice, the last one wins; different CUSTOM entries add up. Reads all options and returns
/// the first refusal: 1000 for an unknown or unsupported option, 5010 for an HTP option. Stops at
/// memory that cannot be read.
inline Status read_context_options(const c_api::ContextConfig** configs, ContextOrigin origin,
                                   ContextOptions& out) {
  Status first = success();
  for (; configs != nullptr; ++configs) {
    const auto entry = read_client(configs);
    if (!entry) return detail::unreadable(origin, "the array of configs");
    if (*entry == nullptr) break;
    const auto config = read_client(*entry);
    if (!config) return detail::unreadable(origin, "a config");
    Status status = detail::read_option(*config, origin, out);
    if (status.crashes) return status;
    if (first.ok()) first = std::move(status);
  }
  return first;
}

}  // namespace qnnpp::sim
