// ContextBlock: the parts of a context, in their order of destruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/detail/live_contexts.hpp"
#include "qnnpp/backend/detail/signalled_call.hpp"
#include "qnnpp/context/acceleration.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/context/detail/context_configs.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/never_destroyed.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

class Profile;

namespace detail {

/// Contract message for a context that owns nothing.
inline constexpr char moved_context[] =
    "the context was moved from or consumed by a transition; use the object that the transition "
    "returned";

/// Handle of a context, and the data that QnnContext_free needs.
struct ContextPolicy {
  struct Value {
    c_api::ContextFreeFn free = nullptr;
    c_api::ContextHandle handle = nullptr;
    LiveContext* listed = nullptr;  ///< Has its epoch; outlives it.
    SetupMutex* setup = nullptr;    ///< BackendBlock::setup of the backend.
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept;
};

/// Whether these graphs are described up to their inputs and outputs.
[[nodiscard]] bool have_tensors(const std::vector<GraphSpec>& graphs) noexcept;

class ProfiledCall;
struct ContextBlock;

/// Registration of an external buffer, which is deregistered unless the owner releases it.
struct RegistrationPolicy {
  struct Value {
    const ContextBlock* context = nullptr;  ///< Outlives its registrations.
    c_api::MemHandle handle = nullptr;
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept;
};

/// Key of a registered tensor in a context, as in QNN: the memory behind the file descriptor and
/// the offset, not the address; the type and the dimensions (SHB-05).
struct RegisteredRange {
  const TensorPlacement* tensor = nullptr;  ///< Owned by the registration's memory.
  MemoryId memory = {};

  [[nodiscard]] friend bool operator<(const RegisteredRange& a, const RegisteredRange& b) noexcept {
    // Offsets differ most often.
    if (a.tensor->offset_bytes != b.tensor->offset_bytes)
      return a.tensor->offset_bytes < b.tensor->offset_bytes;
    return a.is_less_at_the_offset_of(b);
  }

 private:
  [[nodiscard]] bool is_less_at_the_offset_of(const RegisteredRange& other) const noexcept;
};

/// Memory that is registered with a context now. Every list of ranges is sorted.
class RegisteredRanges {
 public:
  [[nodiscard]] bool empty() const noexcept { return ranges_.empty(); }
  [[nodiscard]] bool contains(const RegisteredRange& range) const noexcept;
  /// Reserves memory for `count` more ranges, so that inserting them allocates nothing.
  void reserve_more(std::size_t count) { ranges_.reserve(ranges_.size() + count); }
  /// Adds ranges. Requires that none of them is registered.
  void insert(std::span<const RegisteredRange> ranges);
  void erase(std::span<const RegisteredRange> ranges) noexcept;

 private:
  std::vector<RegisteredRange> ranges_;  // sorted
};

/// Limit of the inputs and outputs that are registered at a time with one context, or with all
/// contexts of a list (PD-02). Its memory is counted once, in whole buffers, as the HTP maps it.
struct IoLimit : RefCounted<IoLimit> {
  struct Use {
    MemoryId memory = {};
    std::uint64_t bytes = 0;
    std::size_t ranges = 0;  ///< Registered ranges of it.
  };
  IoLimit(std::uint64_t bytes, std::uint64_t copies) noexcept
      : limit_bytes(bytes), copies_bytes(copies) {}

  const std::uint64_t limit_bytes;
  const std::uint64_t copies_bytes;  ///< IoNeeds::copies, which count against the limit.
  ForkableMutex mutex;               ///< Guards `uses`.
  std::vector<Use> uses;
};

/// Value of `reused_io_limit_mb` that stands for the limit of one graph at a time.
inline constexpr std::uint64_t io_of_one_graph = UINT64_MAX;

/// Sets REUSED_IO_LIMIT and IO_MEM_ESTIMATION for a limit of one graph at a time with these needs,
/// if that is below all inputs and outputs. Returns the limit that is set; null: none.
[[nodiscard]] Ref<IoLimit> limit_io(ContextConfigs& configs, const IoNeeds& io, bool to_one_graph);

/// Bytes of the weights of one context. Listed in weights_in_use from take() until destruction. No
/// two contexts may have the same bytes, even through different buffers or file descriptors
/// (BUF-08). Its layout is fixed: see ProcessWide.
struct WeightsUse {
  WeightsUse() noexcept = default;
  WeightsUse(const WeightsUse&) = delete;
  WeightsUse& operator=(const WeightsUse&) = delete;
  ~WeightsUse();

  /// Whether no context has weights in the bytes of `region`.
  [[nodiscard]] static bool is_free(const MemRegion<Weights>& region) noexcept;
  /// Lists the bytes of `region`. Returns false if another context has weights in some of them.
  [[nodiscard]] bool take(const MemRegion<Weights>& region) noexcept;

  MemoryId memory = {};
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< 0: not listed.
  WeightsUse* next = nullptr;
};

/// Weights of the whole process, because unrelated buffers may have the same memory. Each memory
/// belongs to one of the lists, so that they stay short.
inline constinit ProcessWide<std::array<NodeList<WeightsUse>, 256>, SharedObject::weights_in_use>
    weights_in_use;

/// Base of data that QNN may still read or call back while a context lives.
struct KeptForQnn : RefCounted<KeptForQnn> {
  KeptForQnn() = default;
  virtual ~KeptForQnn() = default;
};

/// Why the graphs of a binary are not known, or a VTCM backup buffer is left out. Allocated apart,
/// so that a context stays small enough for the fast lists of malloc.
struct MetadataError : RefCounted<MetadataError> {
  explicit MetadataError(Error why) : error(std::move(why)) {}
  Error error;
};

/// Checks that the backend's library takes the HTP options of `name` in this place (CFG-04). Error:
/// `capability_missing`, naming the option.
[[nodiscard]] Result<void> check_htp_options(const ContextConfigs& configs, OptionPlace place,
                                             const BackendBlock& backend, const std::string& name);

/// Whether the backend's library takes REUSED_IO_LIMIT in this place. Its library for x86-64, which
/// has no process domains, does not.
[[nodiscard]] bool takes_io_limit(const BackendBlock& backend, OptionPlace place) noexcept;

/// Owns the C objects of a context and all memory that QNN reads through it.
///
/// Destroys its members from the last to the first, which is the order that QNN requires (ORD-08).
/// The registrations of external buffers are first: before finalize they are deregistered (ORD-07),
/// afterwards QnnContext_free releases them (ORD-06). The context follows; then the binary,
/// configurations and external buffers that it used; then its reference to the group's head
/// (GRP-03); and last the backend.
struct ContextBlock : RefCounted<ContextBlock>, LiveContext {
  ContextBlock(Ref<BackendBlock> parent, std::string label);
  ~ContextBlock();

  Ref<BackendBlock> backend;
  Ref<ContextBlock> group_head;
  SharedSpillFill spill_fill;
  SharedVtcmBackup vtcm_backup;
  MemRegion<Weights> weights;
  WeightsUse weights_use;
  /// Data of the call that created this context; shared with the other contexts of that call.
  Ref<KeptForQnn> kept;
  ContextConfigs configs;
  std::optional<ContextBinary> binary;
  /// Variable to which QNN writes the context's handle. QnnContext_finalize reads it again at the
  /// same address, so no other code changes it, and the block never moves (ORD-12). Constant while
  /// the context is listed.
  c_api::ContextHandle created = nullptr;
  Owner<ContextPolicy> context;
  /// Each registered by a separate call (BUF-15).
  Owner<RegistrationPolicy> vtcm_backup_registration;
  Owner<RegistrationPolicy> spill_fill_registration;
  Owner<RegistrationPolicy> weights_registration;

  /// Lock of executions, shared with every context that uses the same spill-fill memory; null: no
  /// lock is needed.
  Ref<ExecutionLock> lock;
  /// Graphs of the binary that QNN initializes; empty without a system library, see
  /// metadata_error.
  std::vector<GraphSpec> graphs;
  /// Names of the binary's other graphs: those that are not enabled.
  std::vector<std::string> left_out;
  /// Whether the binary has a graph of this name that is not enabled.
  [[nodiscard]] bool leaves_out(std::string_view graph) const noexcept {
    for (const std::string& each : left_out)
      if (each == graph) return true;
    return false;
  }
  /// Needs of all graphs of the binary, from its metadata.
  BinaryNeeds needs;
  /// What the metadata says for errors of the call that reads the binary: the SDK that made it, the
  /// minor version of the HTP's API that it needs, and its architecture; empty and 0: not known.
  std::string made_by;
  std::uint32_t needed_api_minor = 0;
  std::uint32_t needed_arch = 0;
  LazyNameTable graphs_by_name;  ///< Guarded by `objects`.
  Ref<MetadataError> metadata_error;
  /// Why a VTCM backup buffer was left out; null if none was.
  Ref<MetadataError> vtcm_backup_error;
  /// Graphs that a manifest states, for a binary whose metadata cannot be read; null: none. Read
  /// during the creation only.
  const std::vector<GraphSpec>* stated_graphs = nullptr;
  /// Locked by each call that registers or deregisters tensors of this context or retrieves a
  /// graph. Any thread may make these calls.
  mutable ForkableMutex objects;
  /// Memory of the tensors that are registered now. Guarded by `objects`.
  RegisteredRanges registered_ranges;
  /// Limit of the registered tensors; null: none.
  Ref<IoLimit> io_limit;
  /// Whether the creation computes that limit, see io_of_one_graph.
  bool limits_io_to_one_graph = false;
  /// Graphs composed in this context that are not finalized yet.
  std::uint32_t unfinished_graphs = 0;
  bool persistent = false;
  bool is_group_head = false;
  bool share_without_dlbc = false;
  /// Whether the program frees the context, so that its function here does nothing.
  bool is_borrowed = false;
  /// Bytes of the group's spill-fill memory; 0: in no group.
  std::uint64_t group_bytes = 0;
  /// Whether QnnContext_free is to release external buffers.
  bool has_left_buffers = false;
  /// Whether QnnContext_finalize failed, if the context has external buffers.
  bool is_finalize_failed = false;
  /// Handle that QnnContext_free did not free, if that was to release external buffers.
  c_api::ContextHandle not_freed = nullptr;

  [[nodiscard]] c_api::ContextHandle handle() const noexcept { return context.get().handle; }
  [[nodiscard]] const Interface& provider() const noexcept { return backend->provider; }

  /// Makes a call that creates or finalizes this context or registers its external buffers. Blocks
  /// while another such call of the backend runs (THR-01). Errors: as call().
  template <class... Parameters>
  [[nodiscard]] Result<void> setup_call(const char* step, const std::string& object,
                                        c_api::ErrorHandle (*function)(Parameters...),
                                        std::type_identity_t<Parameters>... arguments) const {
    const std::lock_guard guard(backend->setup);
    return call(step, object, function, arguments...);
  }

  /// Makes a call for this context or one of its objects, unless a restart of the DSP killed the
  /// context. Records a restart that the call reports (SSR-01). Errors, which name `object`:
  /// `dead`; `qnn` with the error lines that QNN logged during the call.
  template <class... Parameters>
  [[nodiscard]] Result<void> call(const char* step, const std::string& object,
                                  c_api::ErrorHandle (*function)(Parameters...),
                                  std::type_identity_t<Parameters>... arguments) const {
    const std::uint64_t contexts = epoch.contexts_created();
    if (epoch.has_ended()) return fail(epoch.kind(), step, object, epoch.cause());
    const std::uint64_t logged = error_lines->count();
    return called(step, object, function(arguments...), contexts, logged);
  }
  /// Returns `error` of a call for this context with the facts that the context knows.
  [[nodiscard]] Error with_facts(Error error) const;
  /// Records a restart that the value `native` of a call reports, and returns its error, if it is
  /// one. `contexts` and `logged` are Epoch::contexts_created() and ErrorLines::count() before it.
  [[nodiscard]] Result<void> called(const char* step, const std::string& object,
                                    std::uint64_t native, std::uint64_t contexts,
                                    std::uint64_t logged) const;

  /// Sets LiveContext::live_bytes from the needs of the binary. Unknown weights are replaced by its
  /// size.
  void note_bytes(std::uint64_t io_bytes) noexcept;

  /// Makes the block own a context that a call has just created, and lists it among those of the
  /// backend. Allocates nothing.
  void own(c_api::ContextFreeFn free, c_api::ContextHandle made);

  /// Calls `create`, which writes a new context to `created`; owns that context at once; and
  /// returns the result of `create`. After a failure, ends what the call has left in `created`.
  template <class Create>
  [[nodiscard]] Result<void> own_created(c_api::ContextFreeFn free, Create create) {
    auto result = [&] {
      const OwnsCreated owner{*this, free};
      return create();
    }();
    if (!result) end_failed_creation();
    return result;
  }

  /// Checks that `binary` is whole, before a call that reads it: also before the next try of one
  /// that failed. Error: `file_unreadable` for a mapped file that has become shorter.
  [[nodiscard]] Result<void> check_whole() const;

  /// Reads the graphs of `binary` with the system library. If that fails and `stated_graphs` do not
  /// describe them, keeps the reason in metadata_error and succeeds. Errors: `unknown_name` for an
  /// enabled graph that the binary does not have; QNN would accept the name and fail at execution
  /// (CFG-03). `invalid_argument` for one whose name contains a NUL; that of check_whole().
  [[nodiscard]] Result<void> read_metadata();

  /// Refuses a binary whose graphs share weights, by its metadata, on Qualcomm's library for
  /// x86-64: 2.51.0 ends the process in the creation, older versions return 1000. Error:
  /// `capability_missing`.
  [[nodiscard]] Result<void> check_shared_weights() const;
  /// Checks that sharing spill-fill turns off no DLBC, unless the context's options allow it.
  /// Error: `capability_missing`, naming the graph.
  [[nodiscard]] Result<void> check_dlbc(const char* step) const;

  /// Checks that the priority in `configs` is one, that the library knows the options, and that
  /// QNN can use the patch of the acceleration. Errors: `invalid_argument`, `capability_missing`
  /// (CFG-04).
  [[nodiscard]] Result<void> check_options() const;

  /// Whether QNN has initialized the graphs on all hardware threads.
  [[nodiscard]] Acceleration acceleration() const noexcept;

  /// Checks the options and the binary, and calls QnnContext_createFromBinary. Requires `binary`
  /// and `configs` to be set. `profile` records the call, unless it is null. Further errors: those
  /// of the system library for a binary that QNN accepts and whose metadata it cannot read, if
  /// `stated_graphs` do not describe it; the context is then freed (BIN-02).
  [[nodiscard]] Result<void> create_from_binary(Profile* profile, const CallLimits& limits);

  /// Whether the context has external buffers.
  [[nodiscard]] bool has_external_buffers() const noexcept {
    return weights || spill_fill || vtcm_backup;
  }
  /// Deregisters the external buffers (ORD-07). Returns the first error.
  std::uint64_t give_external_buffers_back() noexcept;
  /// Leaves the registrations to QnnContext_free, after QNN has finalized the context (ORD-06).
  void leave_external_buffers() noexcept;

  /// Notes `native`, the value of QnnContext_free, and returns it. After an error QNN may use the
  /// external buffers until the process ends, so the block is not destroyed (RES-05).
  std::uint64_t note_freed(c_api::ContextHandle freed, std::uint64_t native) noexcept;
  /// Frees the context now. Returns QNN's error.
  std::uint64_t free_context() noexcept {
    const c_api::ContextHandle freed = handle();
    return note_freed(freed, context.close());
  }
  /// Frees the context after a failed finalize, and asks whether QNN has marked its number. If so,
  /// holds the number, and keeps this block (RES-05).
  void end_failed_finalize() noexcept;
  /// Adds this block to the lost contexts, which keep it until the process ends, or until its
  /// number turns out not to be marked.
  void add_to_lost(c_api::ContextFreeFn free, c_api::ContextHandle number) noexcept;
  /// Drops the backend, which lists the context no more, and the binary.
  void forget_backend() noexcept;
  /// Frees the context, and destroys the block unless its number may be marked.
  static void operator delete(ContextBlock* block, std::destroying_delete_t) noexcept;

  /// Whether `memory` is an external buffer of the context (BUF-07).
  [[nodiscard]] bool is_external_buffer(const MemoryId& memory) const noexcept;

  /// Whether what a failed deferred creation has left must end with the backend (ORD-17). Sees to
  /// that.
  [[nodiscard]] bool ends_with_backend() const noexcept;

 private:
  /// Ends what a failed creation has left: often a live context, with which the device cannot be
  /// freed. Frees it, and ignores an error of QnnContext_free (ORD-14). What a failed deferred
  /// creation leaves ends with the backend instead, if the library cannot free it (ORD-17).
  void end_failed_creation() noexcept;

  /// Makes the block own the context in `created` at the end of the scope, also after an exception.
  struct OwnsCreated {
    ContextBlock& block;
    c_api::ContextFreeFn free;
    ~OwnsCreated() {
      if (block.created != nullptr) block.own(free, block.created);
    }
  };
};

/// Checks that `block` is the only reference to its context. Error: `in_use` of `step`, naming its
/// users.
[[nodiscard]] Result<void> check_unused(const Ref<ContextBlock>& block,
                                        const char* step = "closing a context");
/// Frees the context now if `block` is the only reference to it. `profile` records the call, unless
/// it is null. Errors: `in_use` for other references; `foreign_object` for the profile.
[[nodiscard]] Result<void> close_context(const Ref<ContextBlock>& block,
                                         Profile* profile = nullptr);

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/context/detail/lost_context.hpp"
#include "qnnpp/impl/context/context_block.ipp"
#endif
