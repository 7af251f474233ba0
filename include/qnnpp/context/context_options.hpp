// Options of deferred contexts, of restored contexts, of lists of them, and of contexts composed
// online.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/ref.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

class Profile;

/// Options of Context<Deferred>::create(). Has no members for features that QNN forbids together
/// with external buffers: groups, concurrent resource sharing, graph switching, extended udma and
/// secure process domains (EXT-02 to EXT-06).
struct DeferredOptions {
  /// Priority of the context's graphs.
  c_api::Priority priority = c_api::Priority::default_;
  /// Names of the graphs to initialize; empty: all. A name that the binary does not have is an
  /// error before the context is created (CFG-03). Without a system library, QNN accepts the
  /// name, and no graph of the context executes (6001). The context needs the buffers of all
  /// graphs.
  std::vector<std::string> enabled_graphs = {};
  /// Lets QNN read the binary after finalize() too: the context owns it until the context is freed.
  bool persistent_binary = false;
  /// Most megabytes of a mapped file that QNN reads at a time; 0: QNN's default. Only for binaries
  /// of ContextBinary::map(); undefined for others.
  std::uint64_t file_read_memory_budget_mb = 0;
  /// Initializes graphs on all hardware threads. No graph executes during the initialization.
  bool init_acceleration = false;
  /// Lets the context share spill-fill memory although some of its graphs were prepared with DLBC,
  /// which the HTP then turns off. Without it, sharing is `capability_missing`.
  bool share_without_dlbc = false;
  /// Graphs of the binary with their inputs and outputs, as a manifest states them, or null. Used
  /// if the system library cannot read the binary, which is an error otherwise (BIN-02). Read
  /// during the call only.
  const std::vector<GraphSpec>* graphs = nullptr;
  /// Profile that records the creation, or null. Used during the call only.
  Profile* profile = nullptr;
};

/// Role of a context in a group. The contexts of a group share spill-fill memory that QNN allocates
/// (REGISTER_MULTI_CONTEXTS). Threads: as for std::shared_ptr.
class ContextGroup {
 public:
  /// Role of a context in no group.
  ContextGroup() noexcept = default;

  /// Role of the first context of a new group. `max_spill_fill_bytes` is the largest need of all
  /// contexts that will ever join the group (GRP-01). The head must be the context with that need
  /// (GRP-02).
  [[nodiscard]] static ContextGroup head(std::uint64_t max_spill_fill_bytes) {
    ContextGroup group;
    group.max_spill_fill_bytes_ = max_spill_fill_bytes;
    group.in_group_ = true;
    return group;
  }

  /// True if this is a role in a group.
  [[nodiscard]] explicit operator bool() const noexcept { return in_group_; }
  /// Bytes passed to head(); 0 for other members, and in no group.
  [[nodiscard]] std::uint64_t max_spill_fill_bytes() const noexcept {
    return max_spill_fill_bytes_;
  }

 private:
  friend struct detail::Access;

  /// Role of a member of the group whose head is `head`.
  [[nodiscard]] static ContextGroup make(Ref<detail::ContextBlock> head) {
    ContextGroup group;
    group.block_ = std::move(head);
    group.in_group_ = true;
    return group;
  }

  Ref<detail::ContextBlock> block_;
  std::uint64_t max_spill_fill_bytes_ = 0;
  bool in_group_ = false;
};

/// Options of Context<Finalized>::restore(), which uses no external buffers.
struct RestoreOptions {
  /// Priority of the context's graphs.
  c_api::Priority priority = c_api::Priority::default_;
  /// Names of the graphs to initialize; see DeferredOptions::enabled_graphs.
  std::vector<std::string> enabled_graphs = {};
  /// Lets QNN read the binary until the context is freed; the context owns it until then.
  bool persistent_binary = false;
  /// Most megabytes that QNN reads at a time; see DeferredOptions::file_read_memory_budget_mb.
  std::uint64_t file_read_memory_budget_mb = 0;
  /// Initializes graphs on all hardware threads; see DeferredOptions::init_acceleration.
  bool init_acceleration = false;
  /// Megabytes of graphs that QNN keeps on the device (graph switching); 0: no limit. Requires
  /// persistent_binary (EXT-09).
  std::uint64_t memory_limit_hint_mb = 0;
  /// Refuses a binary that does not use the hardware fully (5011).
  bool strict_compatibility = false;
  /// Group of contexts with which the context shares spill-fill memory.
  ContextGroup group = {};
  /// Lets it join a group although the HTP then turns DLBC off; see
  /// DeferredOptions::share_without_dlbc.
  bool share_without_dlbc = false;
  /// Graphs of the binary with their inputs and outputs, as a manifest states them, or null. Used
  /// if the system library cannot read the binary, which is an error otherwise (BIN-02). Read
  /// during the call only.
  const std::vector<GraphSpec>* graphs = nullptr;
  /// Profile that records the creation, or null. Used during the call only.
  Profile* profile = nullptr;
};

/// Options of Context<Composing>::create().
struct ComposeOptions {
  /// Priority of the context's graphs.
  c_api::Priority priority = c_api::Priority::default_;
  /// Lets graphs of the context share equal weights. Qualcomm's library for x86-64 writes such a
  /// binary but cannot load it.
  bool weight_sharing = false;
  /// Name of the context in messages.
  std::string name = "context";
};

namespace detail {

/// Sets the options that DeferredOptions and RestoreOptions have in common.
template <class Options>
void configure(ContextBlock& block, const Options& options) {
  block.persistent = options.persistent_binary;
  block.share_without_dlbc = options.share_without_dlbc;
  block.stated_graphs = options.graphs;
  ContextConfigs& configs = block.configs;
  configs.priority(options.priority);
  if (!options.enabled_graphs.empty()) configs.enable_graphs(options.enabled_graphs);
  if (options.persistent_binary) configs.persistent_binary();
  if (options.file_read_memory_budget_mb != 0)
    configs.file_read_memory_budget_mb(options.file_read_memory_budget_mb);
  if (options.init_acceleration) configs.init_acceleration();
}

}  // namespace detail
}}  // namespace qnnpp::QNNPP_NAMESPACE
