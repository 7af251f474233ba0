// Options that exclude each other, and the value that a refused creation leaves in the out
// variable.
#pragma once

#include <cstdint>
#include <utility>

#include "qnnpp/abi/error.hpp"

#include "sim/objects/context.hpp"
#include "sim/objects/context_options.hpp"
#include "sim/objects/device.hpp"
#include "sim/tables/status.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Value that a failed contextCreateFromBinary leaves in the out variable (ORD-14).
enum class Leaves : std::uint8_t {
  nothing,         ///< NULL.
  live_context,    ///< A context that the client must free before it can free the device.
  dead_number,     ///< A number without a context: contextFree returns 5002.
  stuck_remnants,  ///< A live context, and permanent remnants: device and backend cannot be freed.
  fatal_context,   ///< A live context that contextFree turns into permanent remnants (ORD-17).
};

/// A refusal because of options, and what it leaves.
struct Refusal {
  Status status;
  Leaves leaves = Leaves::nothing;
};

/// Checks that the group of a context can exist, as the host library does first.
inline Refusal check_group_head(const Device& d, const GroupOption& group) {
  if (!group.given) return {success()};
  if (group.head == 0) {
    if (group.max_spill_fill_bytes != 0) return {success()};
    return {misused(c_api::ContextError::invalid_config, "GRP-01",
                    "maxSpillFillBuffer of a group must not be 0"),
            Leaves::dead_number};
  }
  const auto head = d.contexts.find(group.head);
  if (head != nullptr && head->spill_fill != nullptr && head->group_head == group.head)
    return {success()};
  return {misused(c_api::ContextError::invalid_config, "GRP-02",
                  "REGISTER_MULTI_CONTEXTS names a context that leads no group"),
          Leaves::dead_number};
}

/// Refuses options that exclude each other for any binary. A later step checks unknown options.
inline Refusal check_exclusions(const Device& d, const ContextOptions& options) {
  const auto excluded = [](const char* rule, std::string reason,
                           Leaves leaves = Leaves::live_context) {
    return Refusal{misused(c_api::ContextError::unsupported_feature, rule, std::move(reason)),
                   leaves};
  };
  if (options.bad_queue_depth)
    return {failure(c_api::ContextError::invalid_argument, "unknown queue depth type"),
            Leaves::live_context};
  if (Refusal refusal = check_group_head(d, options.group); !refusal.status.ok()) return refusal;
  if (options.deferred && options.memory_limit_mb != 0)
    return excluded("EXT-09", "deferred creation excludes a memory limit hint");
  if (options.deferred && options.group.given)
    return excluded("EXT-02", "deferred creation excludes REGISTER_MULTI_CONTEXTS");
  if (options.concurrent_sharing)
    return excluded("EXT-03", "REGISTER_CONCURRENT_RESOURCE_SHARING is not supported",
                    options.shares_after_deferral ? Leaves::stuck_remnants : Leaves::live_context);
  if (options.memory_limit_mb != 0 && !options.persistent)
    return {misused(c_api::ContextError::invalid_config, "EXT-09",
                    "a memory limit hint needs PERSISTENT_BINARY"),
            Leaves::live_context};
  return {success()};
}

/// Checks that a context with this spill-fill need, as its metadata states it, fits the group that
/// it leads or joins. Requires that check_group_head() has succeeded.
inline Refusal check_group(const Device& d, const GroupOption& group, std::uint64_t need_bytes) {
  if (!group.given) return {success()};
  const bool leads = group.head == 0;
  const std::uint64_t has_bytes =
      leads ? group.max_spill_fill_bytes
            : d.contexts.find(group.head)->spill_fill->memory.size_bytes();
  if (need_bytes <= has_bytes) return {success()};
  return {misused(c_api::ContextError::invalid_config, "GRP-01",
                  text(leads ? "maxSpillFillBuffer is %llu bytes, the first context needs %llu"
                             : "the group's spill-fill buffer has %llu bytes, this context needs "
                               "%llu",
                       static_cast<unsigned long long>(has_bytes),
                       static_cast<unsigned long long>(need_bytes))),
          Leaves::live_context};
}

}  // namespace qnnpp::sim
