// SharedSpillFill: one spill-fill buffer for many contexts, as large as the largest need.
#pragma once

#include <concepts>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Anything that can be asked for its buffer requirements, such as Context<Queried>.
template <class T>
concept HasRequirements = requires(const T& object) {
  { object.requirements() } -> std::convertible_to<BufferRequirements>;
};

/// A range of such things.
template <class R>
concept RequirementsRange = requires(const R& range) {
  { *range.begin() } -> HasRequirements;
  range.end();
};

namespace detail {

/// Neither such a range, nor requirements, nor a Result of either. For refusals.
template <class T>
concept NoRequirements =
    !RequirementsRange<T> && !std::convertible_to<const T&, BufferRequirements> && !AnyResult<T>;

/// Takes its place among spill_fill_blocks, and with it the lock of those of the same memory.
struct SpillFillBlock : RefCounted<SpillFillBlock> {
  explicit SpillFillBlock(MemRegion<SpillFill> memory);
  ~SpillFillBlock();

  MemRegion<SpillFill> region;
  Ref<ExecutionLock> lock = Ref<ExecutionLock>::make();
  SpillFillBlock* next = nullptr;  ///< Of spill_fill_blocks.
};

/// The spill-fill buffers that live. Those of the same memory have one lock (BUF-12): the first of
/// them brings it, and each later one finds it here. Contexts keep their buffer, so a lock stays
/// here while a graph can execute under it. Thread-safe; usable until the process ends.
class SpillFillBlocks {
 public:
  constexpr SpillFillBlocks() noexcept : mutex_() {}
  SpillFillBlocks(const SpillFillBlocks&) = delete;
  SpillFillBlocks& operator=(const SpillFillBlocks&) = delete;
  ~SpillFillBlocks() {}  // leaves the mutex usable

  /// Adds a block, and gives it the lock of those of its memory; the first keeps its own.
  void add(SpillFillBlock& block) noexcept;
  void remove(const SpillFillBlock& block) noexcept;

 private:
  union {
    std::mutex mutex_;  ///< Never destroyed.
  };
  SpillFillBlock* first_ = nullptr;
};

/// One for the process: the same memory may be lent to buffers that know nothing of each other.
inline constinit SpillFillBlocks spill_fill_blocks;

}  // namespace detail

/// The single spill-fill buffer of a set of contexts (BUF-10, BUF-11), and the right to execute
/// their graphs, which is one at a time (BUF-12).
///
/// A shared handle: copies mean the same buffer. Contexts keep it alive; the memory is freed after
/// the last of them. Default-constructed it holds nothing: QNN allocates spill-fill memory itself.
/// One that was moved from is refused where it is given to a context.
///
/// Threads: copies may be used at the same time on any threads, and const members of one object.
class SharedSpillFill : private detail::AllocateRefusals<SharedSpillFill> {
 public:
  SharedSpillFill() noexcept = default;
  /// None: QNN allocates spill-fill memory itself. The same as a default-constructed one.
  SharedSpillFill(QnnAllocates) noexcept {}
  template <detail::ResultOf<SharedSpillFill> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *spill_fill, or use value_or_throw()", SharedSpillFill,
      const R&);

  /// Allocates one buffer for all of `contexts`: the maximum of their needs and of their
  /// alignments. When none needs any, nothing is allocated (BUF-09). Errors: those of
  /// MemRegion::allocate().
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

  /// The same for requirements that are known already: `largest` is what the contexts need at most.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<SharedSpillFill> allocate(const Allocator& allocator,
                                                        const BufferRequirements& largest) {
    auto region = MemRegion<SpillFill>::allocate(allocator, largest);
    if (!region) return fail(std::move(region).error());
    return from_region(std::move(*region));
  }

  using detail::AllocateRefusals<SharedSpillFill>::allocate;
  template <DmaAllocator Allocator, detail::NoRequirements Contexts>
  static QNNPP_REFUSE("these have no requirements(); pass a std::vector<Context<Queried>>",
                      Result<SharedSpillFill>, allocate(const Allocator&, const Contexts&));

  /// A buffer of your own. Two that are made of the same memory, lent twice or by duplicates of its
  /// descriptor, have one lock, wherever in it they lie: a lease of either covers the graphs of
  /// both.
  [[nodiscard]] static SharedSpillFill from_region(MemRegion<SpillFill> region);

  QNNPP_REFUSE_CONSTRUCTOR("weights memory is not spill-fill; use SharedSpillFill::allocate()",
                           SharedSpillFill, const MemRegion<Weights>&);
  QNNPP_REFUSE_CONSTRUCTOR("tensor memory is not spill-fill; use SharedSpillFill::allocate()",
                           SharedSpillFill, const MemRegion<TensorIo>&);
  QNNPP_REFUSE_CONSTRUCTOR("a region is not shared yet; use SharedSpillFill::from_region()",
                           SharedSpillFill, const MemRegion<SpillFill>&);

  /// Bytes of the buffer; 0 when there is none.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept {
    return block_ ? block_->region.size_bytes() : 0;
  }

  /// Whether a context with these needs may use the buffer: checked before any C call. Errors:
  /// `too_small` (BUF-10), `misaligned` (BUF-02), each naming `context` and both numbers;
  /// `invalid_argument` of one that was moved from.
  [[nodiscard]] Result<void> admit(const BufferRequirements& need,
                                   const std::string& context) const;

  /// Takes the right to execute, for Graph<Bound>::execute(lease). Waits for its turn after those
  /// that asked before. Error: `would_deadlock` where this thread has the right already. Where no
  /// spill-fill memory is shared there is nothing to wait for, and the lease covers the graphs of
  /// contexts that share none. An object that was moved from has no lease (contract).
  [[nodiscard]] Result<SpillFillLease> lease() const {
    return detail::Access::make<SpillFillLease>(lock(), object);
  }
  /// The same without waiting. Error: also `in_use` where another thread has it.
  [[nodiscard]] Result<SpillFillLease> try_lease() const {
    return detail::Access::make<SpillFillLease>(lock(), object, 0.0, Errc::in_use);
  }
  /// The same, waiting for a std::chrono::duration at most; a year or more has no end. Error: also
  /// `timed_out`.
  template <detail::Duration Time>
  [[nodiscard]] Result<SpillFillLease> lease_for(const Time& at_most) const {
    return detail::Access::make<SpillFillLease>(lock(), object, detail::seconds_of(at_most),
                                                Errc::timed_out);
  }

  /// Whether its buffer was moved to another object, or made of a region that was moved from.
  [[nodiscard]] bool is_moved_from() const noexcept {
    return block_ ? block_->region.is_moved_from() : had_buffer_;
  }
  /// Whether this object stands for a buffer (of any size, 0 too).
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(block_); }

 private:
  friend struct detail::Access;

  static constexpr char object[] = "shared spill-fill buffer";

  explicit SharedSpillFill(Ref<detail::SpillFillBlock> block)
      : block_(std::move(block)), had_buffer_(true) {}
  /// No buffer, but the lock of contexts that share memory of QNN's own, as a group does.
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
  Ref<detail::ExecutionLock> lock_;  ///< Without a buffer; null: nothing is shared.
  bool had_buffer_ = false;          ///< Stays when the buffer is moved away.
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/shared_spill_fill.ipp"
#endif
