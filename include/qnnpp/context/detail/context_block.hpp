// ContextBlock: what a context is made of, and the order in which it goes.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/context/detail/context_configs.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// What a broken contract says of a context.
inline constexpr char moved_context[] =
    "the context was moved from or consumed by a transition; use the object that the transition "
    "returned";

/// A context's handle beside QnnContext_free.
struct ContextPolicy {
  struct Value {
    c_api::ContextFreeFn free = nullptr;
    c_api::ContextHandle handle = nullptr;
    Epoch epoch = {};
    std::mutex* setup = nullptr;  ///< The backend's.
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept;
};

struct ContextBlock;

/// An external buffer's registration, given back unless it is released first.
struct RegistrationPolicy {
  struct Value {
    const ContextBlock* context = nullptr;  ///< It outlives its registrations.
    c_api::MemHandle handle = nullptr;
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept;
};

/// Memory that a context knows, as QNN keys it: by the descriptor's memory and the offset, not by
/// address (SHB-05).
struct RegisteredRange {
  std::uint64_t offset_bytes = 0;  // First: it differs most often.
  MemoryId memory = {};
  auto operator<=>(const RegisteredRange&) const = default;
};

/// The memory that a context knows now. Lists of ranges are sorted.
class RegisteredRanges {
 public:
  [[nodiscard]] bool empty() const noexcept { return ranges_.empty(); }
  [[nodiscard]] bool contains(const RegisteredRange& range) const noexcept;
  /// Makes room for so many more: inserting them allocates nothing then.
  void reserve_more(std::size_t count) { ranges_.reserve(ranges_.size() + count); }
  /// None of `ranges` is known yet.
  void insert(std::span<const RegisteredRange> ranges);
  void erase(std::span<const RegisteredRange> ranges) noexcept;

 private:
  std::vector<RegisteredRange> ranges_;  // sorted
};

/// The bytes in which one context's weights lie, while it is in the list of weights_places.
class WeightsPlace {
 public:
  WeightsPlace() noexcept = default;
  WeightsPlace(const WeightsPlace&) = delete;
  WeightsPlace& operator=(const WeightsPlace&) = delete;
  ~WeightsPlace();

 private:
  friend class WeightsPlaces;
  MemoryId memory_ = {};
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;  ///< 0: in no list.
  WeightsPlace* next_ = nullptr;
};

/// Where the weights of all contexts lie, so that no two contexts have the same bytes, by whatever
/// buffers and descriptors (BUF-08). Thread-safe; usable until the process ends.
class WeightsPlaces {
 public:
  constexpr WeightsPlaces() noexcept : mutex_() {}
  WeightsPlaces(const WeightsPlaces&) = delete;
  WeightsPlaces& operator=(const WeightsPlaces&) = delete;
  ~WeightsPlaces() {}  // leaves the mutex usable

  /// Whether no context has weights in bytes of this region.
  [[nodiscard]] bool are_free(const MemRegion<Weights>& region) noexcept;
  /// Lists the region's bytes until `place` is destroyed. False: another context has some of them.
  [[nodiscard]] bool take(const MemRegion<Weights>& region, WeightsPlace& place) noexcept;
  void remove(const WeightsPlace& place) noexcept;

 private:
  [[nodiscard]] bool are_listed(const MemRegion<Weights>& region) const noexcept;
  [[nodiscard]] static std::size_t list_of(const MemoryId& memory) noexcept {
    return static_cast<std::size_t>((memory.device ^ memory.inode) % list_count);
  }

  union {
    std::mutex mutex_;  ///< Never destroyed.
  };
  static constexpr std::size_t list_count = 256;
  WeightsPlace* lists_[list_count] = {};  ///< By memory, so that each is short.
};

/// One for the process, as buffers that know nothing of each other may be of the same memory.
inline constinit WeightsPlaces weights_places;

/// Something that QNN may still read or call for a context, whatever it is.
struct KeptForQnn : RefCounted<KeptForQnn> {
  KeptForQnn() = default;
  virtual ~KeptForQnn() = default;
};

/// Why the graphs of a binary are not known. Apart from the context, which it would make too large
/// for the allocator's fast lists.
struct MetadataError : RefCounted<MetadataError> {
  explicit MetadataError(Error why) : error(std::move(why)) {}
  Error error;
};

/// The C objects of a context, and all that QNN reads through it.
///
/// Members are destroyed from the last to the first, and so in the order that QNN wants (ORD-08):
/// registrations (only before finalize, ORD-07: afterwards QnnContext_free drops them, ORD-06), the
/// context, then what it read and wrote: binary, configurations, weights, spill-fill; the group's
/// head after its members (GRP-03); the backend last.
struct ContextBlock : RefCounted<ContextBlock> {
  ContextBlock(Ref<BackendBlock> parent, std::string label);
  ~ContextBlock();

  Ref<BackendBlock> backend;
  Epoch epoch;
  std::string name;
  Ref<ContextBlock> group_head;
  SharedSpillFill spill_fill;
  MemRegion<Weights> weights;
  WeightsPlace weights_place;
  /// Shared by the contexts that one call made.
  Ref<KeptForQnn> kept;
  ContextConfigs configs;
  std::optional<ContextBinary> binary;
  /// The variable that QNN writes the context's handle to. QnnContext_finalize reads it again where
  /// it was, so nothing else writes it; the block never moves (ORD-12).
  c_api::ContextHandle created = nullptr;
  Owner<ContextPolicy> context;
  /// One call each (BUF-15).
  Owner<RegistrationPolicy> spill_fill_registration;
  Owner<RegistrationPolicy> weights_registration;

  /// Shared with every context that uses the same spill-fill memory; null: executes freely.
  Ref<ExecutionLock> lock;
  /// The graphs of the binary that are brought up; empty where they could not be told, see
  /// metadata_error.
  std::vector<GraphSpec> graphs;
  LazyNameIndex graphs_by_name;  ///< Guarded by `objects`.
  Ref<MetadataError> metadata_error;
  /// Held by each call that registers or gives back tensors of this context or retrieves a graph:
  /// any thread may make them.
  mutable std::mutex objects;
  /// Where the tensors lie that are registered with it now; guarded by `objects`.
  RegisteredRanges registered_ranges;
  /// Graphs composed in this context that are not finalized yet.
  std::uint32_t unfinished_graphs = 0;
  bool persistent = false;
  bool is_group_head = false;
  /// Spill-fill memory of its group; 0: in no group.
  std::uint64_t group_bytes = 0;

  [[nodiscard]] c_api::ContextHandle handle() const noexcept { return context.get().handle; }
  [[nodiscard]] const Interface& provider() const noexcept { return backend->provider; }

  /// Makes a call that creates or finalizes this context or registers its external buffers: one at
  /// a time on a backend (THR-01). See call().
  template <class... Parameters>
  [[nodiscard]] Result<void> setup_call(const char* step, const std::string& object,
                                        c_api::ErrorHandle (*function)(Parameters...),
                                        std::type_identity_t<Parameters>... arguments) const {
    const std::lock_guard guard(backend->setup);
    return call(step, object, function, arguments...);
  }

  /// Makes one call for this context or one of its objects: not with dead handles, and a restart
  /// that it reports is recorded (SSR-01). Errors: `dead`, `qnn` with the error lines that QNN
  /// logged meanwhile; both name `object`.
  template <class... Parameters>
  [[nodiscard]] Result<void> call(const char* step, const std::string& object,
                                  c_api::ErrorHandle (*function)(Parameters...),
                                  std::type_identity_t<Parameters>... arguments) const {
    const std::uint64_t contexts = epoch.contexts_created();
    if (epoch.has_ended()) return fail(Error::make(Errc::dead, step, object));
    const std::uint64_t logged = error_lines.count();
    const std::uint64_t native = function(arguments...);
    epoch.record(native, contexts);
    if (is_success(native)) return success();
    return fail(with_log(Error::from_qnn(native, step, object), logged));
  }

  /// Owns a handle that a call has just made. Allocates nothing.
  void own(c_api::ContextFreeFn free, c_api::ContextHandle made);

  /// Calls `create`, which makes a call that writes a new context to `created`, owns that at once,
  /// and returns the call's result. A failed call may leave a live context there, which would keep
  /// the device from being freed: it is freed, whatever QnnContext_free answers (ORD-14).
  template <class Create>
  [[nodiscard]] Result<void> own_created(c_api::ContextFreeFn free, Create create) {
    auto result = [&] {
      const OwnsCreated owner{*this, free};
      return create();
    }();
    if (result) return result;
    (void)context.close();
    created = nullptr;
    return result;
  }

  /// Reads the graphs of `binary` through the system library; remembers why if it cannot. Error:
  /// `unknown_name` for an enabled graph that the binary lacks, which QNN accepts and which then
  /// fails at execution (CFG-03).
  [[nodiscard]] Result<void> read_metadata();

  /// Whether the library knows the options in `configs`. Error: `capability_missing` (CFG-04).
  [[nodiscard]] Result<void> check_options() const;

  /// QnnContext_createFromBinary with `configs`, after the checks that need no call; `binary` is
  /// set.
  [[nodiscard]] Result<void> create_from_binary();

  /// Gives the registrations of external buffers back (ORD-07). The first error.
  std::uint64_t give_external_buffers_back() noexcept;
  /// Leaves them to QnnContext_free: QNN has finalized the context (ORD-06).
  void leave_external_buffers() noexcept;

  /// Whether it is memory that QNN alone uses here (BUF-07).
  [[nodiscard]] bool is_external_buffer(const MemoryId& memory) const noexcept;

 private:
  /// Owns what `created` holds at its end, however that comes.
  struct OwnsCreated {
    ContextBlock& block;
    c_api::ContextFreeFn free;
    ~OwnsCreated() {
      if (block.created != nullptr) block.own(free, block.created);
    }
  };
};

/// Error: `in_use` if `block` is not the only reference to its context.
[[nodiscard]] Result<void> check_unused(const Ref<ContextBlock>& block);
/// Frees the context now if `block` is the only reference to it; else it is `in_use`.
[[nodiscard]] Result<void> close_context(Ref<ContextBlock> block);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/context_block.ipp"
#endif
