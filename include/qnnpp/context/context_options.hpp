// Options of deferred contexts, of restored contexts, of lists of them, and of contexts composed
// online.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/stop.hpp"

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
  /// Initializes graphs on all hardware threads. No graph executes during the initialization. QNN
  /// accelerates only a binary of its own version; acceleration() of the context tells.
  bool init_acceleration = false;
  /// Descriptor of a file, open for reading and writing, which lets init_acceleration accelerate a
  /// binary of another version than the library's: by its documentation QNN fills an empty file at
  /// the first load, and reads it at later ones. One file serves one binary and one version of the
  /// library. It stays open until the context is finalized. Requires init_acceleration. HTP 5.47.
  std::optional<int> acceleration_patch = {};
  /// Most megabytes of inputs and outputs that are registered with the context at a time; 0: all
  /// count. See RestoreOptions::reused_io_limit_mb.
  std::uint64_t reused_io_limit_mb = 0;
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
  /// File for init_acceleration; see DeferredOptions::acceleration_patch.
  std::optional<int> acceleration_patch = {};
  /// Most megabytes of inputs and outputs that are registered with the context at a time; 0: all
  /// count. The room that QNN looks for in a process domain then counts this number instead of all
  /// inputs and outputs, so more contexts fit. Registering more is `too_large` (PD-02), as what QNN
  /// does then is not defined; QNN's copies of tensors that were prepared as raw count too. A
  /// number above all inputs and outputs takes more room. HTP 5.43, and from 5.49 on; the versions
  /// between have it for lists only.
  std::uint64_t reused_io_limit_mb = 0;
  /// Loads the first enabled graph only, and each other one when it is executed, in the place of
  /// one before it (graph switching, MEMORY_LIMIT_HINT; the HTP has no limit in megabytes).
  /// Requires persistent_binary (EXT-09).
  bool graph_switching = false;
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
  /// Ends the creation when it is pulled (QnnContext_createFromBinaryWithSignal): `cancelled`, with
  /// nothing left. Libraries end it between two calls to the DSP, those before HTP 5.46 late. None
  /// by default.
  detail::StopOption stop = {};
  /// How long the creation may last, as a std::chrono::duration: then `timed_out`, with nothing
  /// left. Libraries before HTP 5.46 notice it at the end. No limit by default.
  detail::TimeLimit at_most = {};
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
  if (options.acceleration_patch) configs.acceleration_patch(*options.acceleration_patch);
  block.limits_io_to_one_graph = options.reused_io_limit_mb == io_of_one_graph;
  if (options.reused_io_limit_mb != 0 && !block.limits_io_to_one_graph)
    configs.reused_io_limit_mb(options.reused_io_limit_mb);
}

}  // namespace detail
}}  // namespace qnnpp::QNNPP_NAMESPACE
