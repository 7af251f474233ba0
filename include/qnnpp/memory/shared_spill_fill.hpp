// SharedSpillFill: one spill-fill buffer for many contexts, as large as the largest need.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/never_destroyed.hpp"
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

/// One spill-fill buffer. Its constructor adds it to spill_fill_blocks, where it gets the lock that
/// buffers of the same memory share (BUF-12).
struct SpillFillBlock : RefCounted<SpillFillBlock> {
  explicit SpillFillBlock(MemRegion<SpillFill> memory);
  ~SpillFillBlock();

  MemRegion<SpillFill> region;
  Ref<ExecutionLock> lock = Ref<ExecutionLock>::make();
  SpillFillBlock* next = nullptr;  ///< Next block in the list of spill_fill_blocks.
};

/// All spill-fill buffers of the process, as unrelated code may make buffers of the same memory. A
/// context keeps its buffer alive, so a lock stays here while a graph can execute under it.
inline constinit NeverDestroyed<NodeList<SpillFillBlock>> spill_fill_blocks;

}  // namespace detail

/// One spill-fill buffer for a set of contexts (BUF-10, BUF-11), and the exclusive right to execute
/// their graphs (BUF-12).
///
/// A shared handle: copies refer to the same buffer. Contexts keep the buffer alive; the last one
/// frees it. A default-constructed handle has no buffer: QNN allocates the spill-fill memory
/// itself. A context refuses a moved-from handle.
///
/// Threads: copies may be used on different threads at the same time; const members are
/// thread-safe.
class SharedSpillFill : private detail::AllocateRefusals<SharedSpillFill> {
 public:
  /// Makes a handle without a buffer: QNN allocates the spill-fill memory itself.
  SharedSpillFill() noexcept = default;
  template <detail::ResultOf<SharedSpillFill> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *spill_fill, or use value_or_throw()", SharedSpillFill,
      const R&);

  /// Allocates one buffer for all of `contexts`, with their largest size and largest alignment.
  /// Allocates nothing if all sizes are 0 (BUF-09). Reports the errors of MemRegion::allocate().
  template <DmaAllocator Allocator, RequirementsRange Contexts>
  [[nodiscard]] static Result<SharedSpillFill> allocate(const Allocator& allocator,
                                                        const Contexts& contexts) {
    BufferRequirements largest;
    for (const auto& context : contexts) {
      const BufferRequirements need = context.requirements();
      if (need.spill_fill_bytes > largest.spill_fill_bytes)
        largest.spill_fill_bytes = need.spill_fill_bytes;
      if (need.start_alignment > largest.start_alignment)
        largest.start_alignment = need.start_alignment;
    }
    return allocate(allocator, largest);
  }

  /// Allocates one buffer for known requirements: `largest` holds the largest size and alignment
  /// that any of the contexts needs. Reports the errors of MemRegion::allocate().
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<SharedSpillFill> allocate(const Allocator& allocator,
                                                        const BufferRequirements& largest) {
    QNNPP_LET(region, MemRegion<SpillFill>::allocate(allocator, largest));
    return from_region(std::move(*region));
  }

  using detail::AllocateRefusals<SharedSpillFill>::allocate;
  template <DmaAllocator Allocator, detail::NoRequirements Contexts>
  static QNNPP_REFUSE("these have no requirements(); pass a std::vector<Context<Queried>>",
                      Result<SharedSpillFill>, allocate(const Allocator&, const Contexts&));

  /// Shares memory of the caller. Handles made from the same memory, adopted twice or through
  /// duplicate descriptors, share one lock at any offset: a lease of one covers the graphs of both.
  [[nodiscard]] static SharedSpillFill from_region(MemRegion<SpillFill> region);

  QNNPP_REFUSE_CONSTRUCTOR("weights memory is not spill-fill; use SharedSpillFill::allocate()",
                           SharedSpillFill, const MemRegion<Weights>&);
  QNNPP_REFUSE_CONSTRUCTOR("tensor memory is not spill-fill; use SharedSpillFill::allocate()",
                           SharedSpillFill, const MemRegion<TensorIo>&);
  QNNPP_REFUSE_CONSTRUCTOR("a region is not shared yet; use SharedSpillFill::from_region()",
                           SharedSpillFill, const MemRegion<SpillFill>&);

  /// Size of the buffer; 0 if there is none.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept {
    return block_ ? block_->region.size_bytes() : 0;
  }

  /// Checks that a context with these needs may use the buffer. Calls no C function. Errors:
  /// `too_small` (BUF-10) and `misaligned` (BUF-02), with `context` and both numbers;
  /// `invalid_argument` if the handle or its region was moved from.
  [[nodiscard]] Result<void> admit(const BufferRequirements& need,
                                   const std::string& context) const;

  /// Acquires the right to execute, for Graph<Bound>::execute(lease). Blocks until the right is
  /// free; threads are served in the order of their requests. Error: `would_deadlock` if this
  /// thread already has the right.
  ///
  /// If the contexts share no spill-fill memory, the call does not block, and the lease covers only
  /// graphs of contexts that share none. A moved-from handle gives no lease (contract).
  [[nodiscard]] Result<SpillFillLease> lease() const {
    return detail::Access::make<SpillFillLease>(lock());
  }
  /// Acquires the right to execute without blocking. Errors: `would_deadlock`; `in_use` if another
  /// thread has the right.
  [[nodiscard]] Result<SpillFillLease> try_lease() const {
    return detail::Access::make<SpillFillLease>(lock(), 0.0, Errc::in_use);
  }
  /// Acquires the right to execute, and blocks for at most the given std::chrono::duration; a year
  /// or more means no limit. Errors: `would_deadlock`; `timed_out`.
  template <detail::Duration Time>
  [[nodiscard]] Result<SpillFillLease> lease_for(const Time& at_most) const {
    return detail::Access::make<SpillFillLease>(lock(), detail::seconds_of(at_most),
                                                Errc::timed_out);
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

  explicit SharedSpillFill(Ref<detail::SpillFillBlock> block)
      : block_(std::move(block)), had_buffer_(true) {}
  /// Makes a handle without a buffer, with the lock of contexts that share memory of QNN, such as a
  /// context group.
  [[nodiscard]] static SharedSpillFill make(const Ref<detail::ExecutionLock>& lock) noexcept {
    SharedSpillFill made;
    made.lock_ = lock;
    return made;
  }

  [[nodiscard]] const Ref<detail::ExecutionLock>& lock() const {
    QNNPP_EXPECTS(block_ || !had_buffer_,
                  "the shared spill-fill buffer was moved from; use the object it was moved to");
    return block_ ? block_->lock : lock_;
  }

  Ref<detail::SpillFillBlock> block_;
  Ref<detail::ExecutionLock> lock_;  ///< If there is no buffer; null if nothing is shared.
  bool had_buffer_ = false;          ///< Kept after a move, for is_moved_from().
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/shared_spill_fill.ipp"
#endif
