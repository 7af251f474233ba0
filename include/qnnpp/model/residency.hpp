// Residency: runs a model whose contexts do not all fit on the device at once.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/detail/context_loader.hpp"
#include "qnnpp/model/detail/residency_core.hpp"
#include "qnnpp/model/residency_options.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// A pinned context with its payload. The context stays on the device while this object lives. The
/// pin is exclusive, or shared with other pins if Payload is const. Move-only; may outlive the
/// residency.
///
/// Threads: one at a time may use the object; different objects of one context are independent.
///
/// Self-deadlock: the pin counts for the thread that acquired or moved the object last, and for the
/// thread that called context() or payload() last since then. A request of these threads that would
/// wait for the pin returns `would_deadlock`: see Residency::acquire_for(). A thread that receives
/// the object moves it to its own variable. If it is in the closure of a thread that has neither
/// moved nor used it, the library does not know this thread: its acquire_for() waits for itself.
template <class Payload>
class Pinned {
  using Core = detail::ResidencyCore<detail::ContextSource<std::remove_const_t<Payload>>>;
  using Item = typename Core::Item;
  using Held = typename Core::Held;

 public:
  /// Owns a pin of the residency. Called by Residency only.
  Pinned(Ref<Core> core, const Held& held) noexcept : core_(std::move(core)), held_(held) {}
  QNNPP_REFUSE_CONSTRUCTOR("a pinned context has one owner; write std::move(pinned)", Pinned,
                           const Pinned&);
  Pinned& operator=(const Pinned&) = delete;
  /// Moves the pin to this object and the calling thread.
  Pinned(Pinned&& other) noexcept { *this = std::move(other); }
  /// Releases the own pin, then moves the other one to this object and the calling thread.
  Pinned& operator=(Pinned&& other) noexcept {
    if (this != &other) {
      release();
      core_ = std::move(other.core_);
      held_ = std::exchange(other.held_, {});
      if (held_.item != nullptr) held_.pin->set_holder(qnnpp::detail::thread_number());
    }
    return *this;
  }
  /// Releases the pin. The context stays resident until it is evicted.
  ~Pinned() { release(); }

  /// Index of the context in the list of binaries.
  [[nodiscard]] std::size_t index() const { return item().index; }
  /// The pinned context, valid while this object lives. Graphs taken from the context keep it on
  /// the device even after that.
  [[nodiscard]] const Context<Finalized>& context() const& { return used().context; }
  QNNPP_REFUSE("context() of a temporary would dangle; name the pinned context first",
               const Context<Finalized>&, context() const&&);
  /// The payload of the context, valid while this object lives.
  [[nodiscard]] Payload& payload() const& { return *used().payload; }
  QNNPP_REFUSE("payload() of a temporary would dangle; name the pinned context first", Payload&,
               payload() const&&);

  /// Whether a restart of the DSP invalidated the context's handles. Then destroy this object,
  /// whose buffers still count in the budget, and acquire the context again (SSR-01).
  [[nodiscard]] bool is_dead() const { return item().is_dead(); }

 private:
  [[nodiscard]] Item& item() const {
    qnnpp::detail::expects(held_.item != nullptr,
                           "the pinned context was moved from; use the object it was moved to");
    return *held_.item;
  }
  [[nodiscard]] Item& used() const {
    Item& pinned = item();
    held_.pin->note_use();
    return pinned;
  }
  void release() noexcept {
    if (const Held held = std::exchange(held_, {}); held.item != nullptr) core_->release(held);
  }

  Ref<Core> core_;
  Held held_;
};

/// Loads contexts on request and evicts others when there is no room. All contexts share one
/// spill-fill buffer. Move-only.
///
/// Threads: several may use it, except for moving and destroying. One at a time loads, evicts or
/// frees, and holds no lock during calls of QNN. Other threads can acquire and release resident
/// contexts, and execute graphs, during a load. The functions that a load calls (payload,
/// allocator) may use the residency; a call that would wait for the load returns `would_deadlock`.
///
/// Keeps the backend alive. Copies the allocator. An allocator that cannot be copied must outlive
/// the residency, at the same address.
template <class Payload = std::monostate>
class Residency {
  using Source = detail::ContextSource<Payload>;
  using Core = detail::ResidencyCore<Source>;

 public:
  /// An exclusive pin, with a mutable payload.
  using Pinned = model::Pinned<Payload>;
  /// A shared pin, with a const payload.
  using SharedPinned = model::Pinned<const Payload>;
  /// Settings with the payload of this residency.
  using Options = ResidencyOptions<Payload>;

  /// Queries the needs of the binaries and allocates the spill-fill buffer. Loads no context. If
  /// the backend cannot use external buffers, each context keeps its own memory in QNN.
  ///
  /// Does not query a binary whose weights and spill-fill BinarySource::expected states, unless
  /// only some of its graphs are enabled. If the binary needs more, its load is `stale`.
  ///
  /// Errors:
  /// - `empty`: the list has no binary.
  /// - `invalid_argument`: the order contains an index without a binary; prefetching without a
  /// known
  ///   order; no `payload` function and no default constructor of Payload.
  /// - `too_large`: one context alone exceeds the budget; contains both numbers.
  /// - `no_metadata`: a budget is given, but a need is unknown.
  /// - `allocation_failed`: the prefetching thread cannot start.
  /// - The errors of the allocator, of BinarySource::open(), and of creating and querying a
  ///   deferred context. Without deferred initialisation, the errors of read_metadata().
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<Residency> create(const Backend<Htp>& backend,
                                                const Allocator& allocator,
                                                std::vector<BinarySource> binaries,
                                                Options options = {}) {
    detail::ContextLoader loader(backend, allocator, std::move(binaries), options.contexts);
    constexpr const char* step = "making a residency";
    if (const auto stranger = options.order.begin(loader.size()))
      return fail(Errc::invalid_argument, step, "order of use",
                  {"it contains index ", *stranger, ", but indices are below ", loader.size(),
                   ", the number of binaries; give an order of these"});
    if (options.prefetch != Prefetch::off && !options.order.is_known())
      return fail(Errc::invalid_argument, step, "prefetching",
                  "it requires a known order; set order to UseOrder::cyclic() or once()");
    if constexpr (!std::is_default_constructible_v<Payload>)
      if (!options.payload)
        return fail(Errc::invalid_argument, step, "payload",
                    "its type has no default constructor; set the payload function");
    QNNPP_TRY(loader.prepare(options.budget_bytes));
    Residency residency(Ref<Core>::make(
        Source(std::move(loader), std::move(options.payload)), std::move(options.order),
        detail::Capacity(options.budget_bytes, options.max_contexts), options.prefetch,
        options.prefetch_depth, options.stop));
    if (options.prefetch != Prefetch::off) QNNPP_TRY(residency.core_->start());
    return residency;
  }

  template <class Allocator>
    requires qnnpp::detail::AnyResult<Allocator>
  static QNNPP_REFUSE("this is a Result; test it and pass *allocator, or use value_or_throw()",
                      Result<Residency>,
                      create(const Backend<Htp>&, const Allocator&, std::vector<BinarySource>,
                             Options = {}));

  QNNPP_REFUSE_CONSTRUCTOR("a residency has one owner; write std::move(residency)", Residency,
                           const Residency&);
  Residency& operator=(const Residency&) = delete;
  /// Moves the residency; `other` may then only be assigned or destroyed.
  Residency(Residency&&) noexcept = default;
  /// Closes this residency as the destructor does, then moves the other one.
  Residency& operator=(Residency&& other) noexcept {
    if (this != &other) {
      close();
      core_ = std::move(other.core_);
    }
    return *this;
  }
  /// Stops the prefetching thread and frees all contexts that are not pinned. Pinned contexts are
  /// freed when they are released. No function that a load calls may destroy or assign the
  /// residency (contract).
  ~Residency() { close(); }

  /// Number of binaries.
  [[nodiscard]] std::size_t size() const { return core().size(); }
  /// Name of the binary with index `i`, which is below size(). Valid while the residency lives.
  [[nodiscard]] const std::string& name(std::size_t i) const& { return core().name(i); }
  /// A copy of the name, for a temporary residency.
  [[nodiscard]] std::string name(std::size_t i) const&& { return core().name(i); }

  /// Pins the context with index `i` exclusively, and loads it first if it is not resident. A hit
  /// allocates nothing and calls no function of QNN. Waits for loads of other threads, but never
  /// for their pins.
  ///
  /// Errors name the binary and the step. The residency stays usable after each of them.
  /// - `invalid_argument`: there is no context with this index.
  /// - `cancelled`: ResidencyOptions::stop is pulled, and the context is not resident or is pinned.
  /// - `in_use`: the context is pinned; or no context can be evicted, with the names of the first
  ///   ones that are pinned or held; or earlier requests already wait for room.
  /// - `would_deadlock`: this thread already pins the context, exclusively or shared; or the call
  ///   comes from a function that a load calls.
  /// - `qnn` with 1002 or 5005: the context does not fit even if no other is resident (RES-01).
  /// - `stale`: the context needs more weights or spill-fill than known in create(); contains both
  ///   numbers.
  /// - `qnn` with 1011, or with 1007 for the second time: the DSP restarted. The first 1007 of a
  ///   load is recovered from.
  /// - The errors of ContextBinary::map(), Context, MemRegion and the payload function.
  [[nodiscard]] Result<Pinned> acquire(std::size_t i) { return pin<Payload>(i, {}); }

  /// Like acquire(), but waits up to `patience` for other threads' pins. Requests are served in
  /// their order: a later request does not get the context or the room that was released. A
  /// release wakes the waiting thread. It also looks again every 10 ms, because no signal reports
  /// that the last graph of a context is destroyed. A patience that is not a number (NaN) is 0.
  ///
  /// Errors: as acquire(), except `in_use`, and
  /// - `timed_out`, with the names of the first contexts that are pinned or held. Two threads that
  ///   wait for each other's contexts also time out. So does a thread that keeps graphs of the
  ///   context to evict without a pin: the residency cannot know which thread keeps them.
  /// - `would_deadlock`: this thread pins every context that could be evicted.
  template <class Rep, class Period>
  [[nodiscard]] Result<Pinned> acquire_for(std::size_t i,
                                           std::chrono::duration<Rep, Period> patience) {
    return pin<Payload>(i, after(patience));
  }

  /// Like acquire(), but shares the pin with other shared pins of the context; the payload is
  /// const. Exclusive and shared pins of a context exclude each other. A thread that already shares
  /// the context is served before waiting exclusive requests. Allocates only if the context has
  /// more simultaneous pins than ever since it was loaded.
  [[nodiscard]] Result<SharedPinned> acquire_shared(std::size_t i) {
    return pin<const Payload>(i, {});
  }
  /// Like acquire_shared(), but waits up to `patience` as acquire_for() does.
  template <class Rep, class Period>
  [[nodiscard]] Result<SharedPinned> acquire_shared_for(
      std::size_t i, std::chrono::duration<Rep, Period> patience) {
    return pin<const Payload>(i, after(patience));
  }

  /// Recovers from a restart of the DSP, after an execution or another call returned 1007 (SSR-01).
  /// Frees all dead contexts and loads them again. If no call of this library reported a restart,
  /// does so with all resident contexts; this is correct even if nothing restarted (SSR-02).
  /// Forgets learnt limits, because a restart can look like a full device.
  ///
  /// Does nothing if a request or another thread has already recovered from the restart. Pinned
  /// objects keep their dead contexts.
  ///
  /// Errors: see acquire(); `would_deadlock` in a function that a load calls. Contexts that are not
  /// loaded, because of an error or for lack of room, are loaded on request.
  [[nodiscard]] Result<void> recover() { return core().recover(); }

  /// Returns counters and sizes at this moment.
  [[nodiscard]] ResidencyStats stats() const { return core().stats(); }
  /// Whether the context with index `i` is loaded. `i` is below size() (contract).
  [[nodiscard]] bool is_resident(std::size_t i) const {
    qnnpp::detail::expects(i < core().size(), no_such_index);
    return core().is_resident(i);
  }

  /// Forgets the limits learnt from QNN's refusals. Call it when other users of the device have
  /// released memory.
  void forget_learnt() { core().forget_learnt(); }

  /// Waits until the prefetching thread has nothing to do. Error: `would_deadlock` in a function
  /// that a load calls.
  [[nodiscard]] Result<void> settle() { return core().settle(); }

 private:
  static constexpr char no_such_index[] =
      "the residency has no context with this index; use an index below its size";

  using Clock = std::chrono::steady_clock;

  explicit Residency(Ref<Core> core) : core_(std::move(core)) {}

  /// Returns the time at which a duration that begins now ends. A duration beyond the clock's range
  /// has no end; one that is not a number is 0.
  template <class Rep, class Period>
  [[nodiscard]] static typename Core::Time after(std::chrono::duration<Rep, Period> patience) {
    using Seconds = std::chrono::duration<double>;
    const auto now = Clock::now();
    if (!(patience > patience.zero())) return now;
    if (!(Seconds(patience) < Seconds(Core::Time::max() - now - std::chrono::hours(1))))
      return Core::Time::max();
    return now + std::chrono::duration_cast<Clock::duration>(patience);
  }
  template <class Wanted>
  [[nodiscard]] Result<model::Pinned<Wanted>> pin(std::size_t i,
                                                  std::optional<typename Core::Time> until) {
    if (i >= core().size())
      return fail(Errc::invalid_argument, "acquiring a context", "residency",
                  {"there is no context ", i, "; give an index below ", core().size()});
    QNNPP_LET(held, core().acquire(i, !std::is_const_v<Wanted>, until));
    return model::Pinned<Wanted>(core_, *held);
  }

  [[nodiscard]] Core& core() const {
    qnnpp::detail::expects(core_, "the residency was moved from; use the object it was moved to");
    return *core_;
  }
  void close() {
    if (!core_) return;
    // PRC-01: a forked child has no other threads, for which the destructors of the core would
    // wait.
    if (qnnpp::detail::is_forked()) return (void)core_.release();
    core_->close();
  }

  Ref<Core> core_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
