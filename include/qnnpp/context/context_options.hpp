// Options of contexts: deferred ones, restored ones, and contexts composed online.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/ref.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// How a deferred context is created. What QNN forbids beside external buffers (EXT-02 to EXT-06:
/// groups, concurrent resource sharing, graph switching, secure domains, extended udma) has no
/// member here: see RestoreOptions.
struct DeferredOptions {
  c_api::Priority priority = c_api::Priority::default_;
  /// Only these graphs are brought up; empty: all. A name that the binary lacks is an error before
  /// anything is created (CFG-03). Without a system library nobody can tell: QNN accepts the name,
  /// and no graph of the context executes (6001).
  std::vector<std::string> enabled_graphs = {};
  /// The binary stays readable until the context is gone, and QNN may go on using it: it is then
  /// kept by the context instead of being dropped after finalize.
  bool persistent_binary = false;
  /// Read a mapped file in pieces of at most so many MB; 0: as QNN likes. Files mapped by
  /// ContextBinary::map() only: anything else is undefined.
  std::uint64_t file_read_memory_budget_mb = 0;
  /// Use all hardware threads to bring graphs up; nothing executes meanwhile.
  bool init_acceleration = false;
};

/// Role in a group of contexts that share spill-fill memory of QNN's own
/// (REGISTER_MULTI_CONTEXTS). Default-constructed: in no group.
class ContextGroup {
 public:
  ContextGroup() noexcept = default;

  /// The first context of a new group. `max_spill_fill_bytes` is the largest need of all contexts
  /// that will ever join, and the head is the one that has it (GRP-01, GRP-02).
  [[nodiscard]] static ContextGroup head(std::uint64_t max_spill_fill_bytes);

  [[nodiscard]] explicit operator bool() const noexcept { return in_group_; }
  [[nodiscard]] std::uint64_t max_spill_fill_bytes() const noexcept {
    return max_spill_fill_bytes_;
  }

 private:
  friend struct detail::Access;

  /// A group that this context is the head of.
  [[nodiscard]] static ContextGroup make(Ref<detail::ContextBlock> head);

  Ref<detail::ContextBlock> block_;
  std::uint64_t max_spill_fill_bytes_ = 0;
  bool in_group_ = false;
};

/// How a context is restored at once, without external buffers.
struct RestoreOptions {
  c_api::Priority priority = c_api::Priority::default_;
  std::vector<std::string> enabled_graphs = {};
  bool persistent_binary = false;
  std::uint64_t file_read_memory_budget_mb = 0;
  bool init_acceleration = false;
  /// Graph switching: keep at most so many MB of graphs on the device. Requires persistent_binary
  /// (EXT-09).
  std::uint64_t memory_limit_hint_mb = 0;
  /// Refuse a binary that does not use the hardware fully (5011).
  bool strict_compatibility = false;
  /// Share spill-fill memory with the other contexts of a group.
  ContextGroup group = {};
};

/// How a context is made for composing graphs online.
struct ComposeOptions {
  c_api::Priority priority = c_api::Priority::default_;
  /// Graphs of the context share equal weights.
  bool weight_sharing = false;
  /// Name of the context, for messages.
  std::string name = "context";
};

namespace detail {

/// What both ways of creating from a binary have in common.
template <class Options>
void configure(ContextConfigs& configs, const Options& options) {
  if (options.priority != c_api::Priority::default_) configs.priority(options.priority);
  if (!options.enabled_graphs.empty()) configs.enable_graphs(options.enabled_graphs);
  if (options.persistent_binary) configs.persistent_binary();
  if (options.file_read_memory_budget_mb != 0)
    configs.file_read_memory_budget_mb(options.file_read_memory_budget_mb);
  if (options.init_acceleration) configs.init_acceleration();
}

}  // namespace detail
}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/context_options.ipp"
#endif
