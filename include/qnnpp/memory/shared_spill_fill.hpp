// SharedSpillFill and SharedVtcmBackup: one buffer for many contexts, as large as the largest need.
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/never_destroyed.hpp"
#include "qnnpp/core/detail/process_wide.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Object that reports its buffer requirements, such as Context<Queried>.
template <class T>
concept HasRequirements = requires(const T& object) {
  { object.requirements() } -> std::convertible_to<BufferRequirements>;
};

/// Range of objects that report their buffer requirements.
template <class R>
concept RequirementsRange = requires(const R& range) {
  { *range.begin() } -> HasRequirements;
  range.end();
};

namespace detail {

/// A type that is neither a RequirementsRange, nor BufferRequirements, nor a Result. For refusals.
template <class T>
concept NoRequirements =
    !RequirementsRange<T> && !std::convertible_to<const T&, BufferRequirements> && !AnyResult<T>;

/// The memory of one shared buffer. Its constructor adds it to spill_fill_memories, where it gets
/// the lock that buffers of the same memory share (BUF-12); else it has the lock `right`, if any.
/// Its layout is fixed: see ProcessWide.
struct SpillFillMemory {
  SpillFillMemory(const MemoryId& memory, const Ref<ExecutionLock>& right);
  SpillFillMemory(const SpillFillMemory&) = delete;
  SpillFillMemory& operator=(const SpillFillMemory&) = delete;
  ~SpillFillMemory();

  MemoryId id;
  Ref<ExecutionLock> lock;
  SpillFillMemory* next = nullptr;
};

/// The memories of all shared buffers of the process, as unrelated code may make buffers of the
/// same memory. A context keeps its buffer alive, so a lock stays here while a graph can execute
/// under it.
inline constinit ProcessWide<NodeList<SpillFillMemory>, SharedObject::spill_fill_memories>
    spill_fill_memories;

/// One shared buffer.
template <class Purpose>
struct SharedRegionBlock : RefCounted<SharedRegionBlock<Purpose>>, SpillFillMemory {
  SharedRegionBlock(MemRegion<Purpose> memory, const Ref<ExecutionLock>& right)
      : SpillFillMemory(memory ? Access::block(memory)->id : MemoryId(), right),
        region(std::move(memory)) {}

  MemRegion<Purpose> region;
  /// Priority of the contexts that back VTCM up here, c_api::Priority; `any` before the first.
  std::atomic<std::uint32_t> priority{any};
  static constexpr std::uint32_t any = UINT32_MAX;
};

/// SharedSpillFill, which is complete once the members of SharedRegion<Purpose> are used.
template <class Purpose>
struct BesideRegion {
  using Type = SharedRegion<SpillFill>;
};

/// Texts of errors about a shared buffer.
template <class Purpose>
inline constexpr bool is_spill_fill = std::is_same_v<Purpose, SpillFill>;
template <class Purpose>
inline constexpr const char* sharing_step =
    is_spill_fill<Purpose> ? "sharing a spill-fill buffer" : "sharing a VTCM backup buffer";
template <class Purpose>
inline constexpr const char* moved_region =
    is_spill_fill<Purpose> ? "the spill-fill buffer was moved from; give each context a copy"
                           : "the VTCM backup buffer was moved from; give each context a copy";

}  // namespace detail

/// One spill-fill buffer for a set of contexts (BUF-10, BUF-11), and the exclusive right to execute
/// their graphs (BUF-12).
using SharedSpillFill = SharedRegion<SpillFill>;

/// One buffer for a set of contexts of one priority, in which the HTP keeps the VTCM of a graph
/// that another one interrupts (BUF-19), and the exclusive right to execute the contexts' graphs
/// (BUF-12). Allocate it with the SharedSpillFill of the contexts: the two then have one right.
using SharedVtcmBackup = SharedRegion<VtcmBackup>;

/// One buffer for a set of contexts: SharedSpillFill or SharedVtcmBackup.
///
/// A shared handle: copies refer to the same buffer. Contexts keep the buffer alive; the last one
/// frees it. A default-constructed handle has no buffer: QNN provides the memory itself. A context
/// refuses a moved-from handle.
///
/// Threads: copies may be used on different threads at the same time; const members are
/// thread-safe.
template <class Purpose>
class SharedRegion : private detail::AllocateRefusals<SharedRegion<Purpose>> {
 public:
  /// SharedSpillFill.
  using Beside = typename detail::BesideRegion<Purpose>::Type;

  /// Makes a handle without a buffer: QNN provides the memory itself.
  SharedRegion() noexcept = default;
  template <detail::ResultOf<SharedRegion> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *buffer, or use value_or_throw()",
                           SharedRegion, const R&);

  /// Allocates one buffer for all of `contexts`, with their largest size and largest alignment.
  /// Allocates nothing if all sizes are 0 (BUF-09). `beside` is another buffer of the same
  /// contexts, whose right to execute this one shares. Reports the errors of MemRegion::allocate().
  template <DmaAllocator Allocator, RequirementsRange Contexts>
  [[nodiscard]] static Result<SharedRegion> allocate(const Allocator& allocator,
                                                     const Contexts& contexts,
                                                     const Beside& beside = {}) {
    constexpr auto size = detail::size_for<Purpose>;
    BufferRequirements largest;
    for (const auto& context : contexts) {
      const BufferRequirements need = context.requirements();
      if (need.*size > largest.*size) largest.*size = need.*size;
      if (need.start_alignment > largest.start_alignment)
        largest.start_alignment = need.start_alignment;
    }
    return allocate(allocator, largest, beside);
  }

  /// Allocates one buffer for known requirements: `largest` holds the largest size and alignment
  /// that any of the contexts needs. Reports the errors of MemRegion::allocate().
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<SharedRegion> allocate(const Allocator& allocator,
                                                     const BufferRequirements& largest,
                                                     const Beside& beside = {}) {
    QNNPP_LET(region, MemRegion<Purpose>::allocate(allocator, largest));
    return from_region(std::move(*region), beside);
  }

  using detail::AllocateRefusals<SharedRegion>::allocate;
  template <DmaAllocator Allocator, detail::NoRequirements Contexts>
  static QNNPP_REFUSE("these have no requirements(); pass a std::vector<Context<Queried>>",
                      Result<SharedRegion>, allocate(const Allocator&, const Contexts&));

  /// Shares memory of the caller. Handles made from the same memory, adopted twice or through
  /// duplicate descriptors, share one lock at any offset: a lease of one covers the graphs of both.
  [[nodiscard]] static SharedRegion from_region(MemRegion<Purpose> region,
                                                const Beside& beside = {}) {
    return SharedRegion(Ref<Block>::make(std::move(region), beside.lock()));
  }

  template <detail::OfAnotherPurpose<Purpose> Memory>
  QNNPP_REFUSE_CONSTRUCTOR("this memory has another purpose; use allocate() of this shared buffer",
                           SharedRegion, const Memory&);
  QNNPP_REFUSE_CONSTRUCTOR("a region is not shared yet; use from_region() of this shared buffer",
                           SharedRegion, const MemRegion<Purpose>&);

  /// Size of the buffer; 0 if there is none.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept {
    return block_ ? block_->region.size_bytes() : 0;
  }

  /// Checks that a context with these needs may use the buffer. Calls no C function. Errors:
  /// `too_small` (BUF-10, BUF-19) and `misaligned` (BUF-02), with `context` and both numbers;
  /// `invalid_argument` if the handle or its region was moved from.
  [[nodiscard]] Result<void> admit(const BufferRequirements& need,
                                   const std::string& context) const {
    constexpr const char* step = detail::sharing_step<Purpose>;
    const std::uint64_t bytes = need.*detail::size_for<Purpose>;
    if (is_moved_from())
      return fail(Errc::invalid_argument, step, context, detail::moved_region<Purpose>);
    if (bytes == 0) return {};
    if (size_bytes() < bytes)
      return fail(Error::mismatch(Errc::too_small, step, context, bytes, size_bytes()));
    return detail::starts_aligned(block_->region, need.start_alignment, step, context);
  }

  /// Acquires the right to execute, for Graph<Bound>::execute(lease). Blocks until the right is
  /// free; threads are served in the order of their requests. Error: `would_deadlock` if this
  /// thread already has the right.
  ///
  /// If the contexts share no memory, the call does not block, and the lease covers only graphs of
  /// contexts that share none. A moved-from handle gives no lease (contract).
  /// `stop` ends the wait, with `cancelled`.
  [[nodiscard]] Result<SpillFillLease> lease(const detail::StopOption& stop = {}) const {
    return detail::Access::make<SpillFillLease>(lock(), detail::ExecutionLock::endless,
                                                Errc::in_use, stop);
  }
  /// Acquires the right to execute without blocking. Errors: `would_deadlock`; `in_use` if another
  /// thread has the right.
  [[nodiscard]] Result<SpillFillLease> try_lease() const {
    return detail::Access::make<SpillFillLease>(lock(), 0.0, Errc::in_use);
  }
  /// Acquires the right to execute, and blocks for at most the given std::chrono::duration; a year
  /// or more means no limit. Errors: `would_deadlock`; `timed_out`; `cancelled` by `stop`.
  template <detail::Duration Time>
  [[nodiscard]] Result<SpillFillLease> lease_for(const Time& at_most,
                                                 const detail::StopOption& stop = {}) const {
    return detail::Access::make<SpillFillLease>(lock(), detail::seconds_of(at_most),
                                                Errc::timed_out, stop);
  }

  /// Whether the buffer was moved to another handle, or the handle was made from a moved-from
  /// region.
  [[nodiscard]] bool is_moved_from() const noexcept {
    return block_ ? block_->region.is_moved_from() : had_buffer_;
  }
  /// Whether the handle has a buffer, even one of 0 bytes.
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(block_); }

 private:
  friend struct detail::Access;
  template <class>
  friend class SharedRegion;
  using Block = detail::SharedRegionBlock<Purpose>;

  explicit SharedRegion(Ref<Block> block) : block_(std::move(block)), had_buffer_(true) {}
  /// Makes a handle without a buffer, with the lock of contexts that share memory of QNN, such as a
  /// context group.
  [[nodiscard]] static SharedRegion make(const Ref<detail::ExecutionLock>& lock) noexcept {
    SharedRegion made;
    made.lock_ = lock;
    return made;
  }

  [[nodiscard]] const Ref<detail::ExecutionLock>& lock() const {
    qnnpp::detail::expects(block_ || !had_buffer_,
                           "the shared buffer was moved from; use the object it was moved to");
    return block_ ? block_->lock : lock_;
  }

  Ref<Block> block_;
  Ref<detail::ExecutionLock> lock_;  ///< If there is no buffer; null if nothing is shared.
  bool had_buffer_ = false;          ///< Kept after a move, for is_moved_from().
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/shared_spill_fill.ipp"
#endif
