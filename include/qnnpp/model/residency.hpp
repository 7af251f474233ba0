// Residency: runs a model whose contexts do not all fit the device.
#pragma once

#include "qnnpp/platform.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/detail/context_loader.hpp"
#include "qnnpp/model/detail/prefetcher.hpp"
#include "qnnpp/model/detail/residency_core.hpp"
#include "qnnpp/model/residency_options.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// A context that stays on the device while this object lives, with its payload: alone, or for a
/// const Payload beside other such objects. Move-only; may outlive the residency.
///
/// One thread at a time uses such an object; others of the same context may be used meanwhile. It
/// counts as pinned by the thread that last moved it or asked for its context or payload: that
/// thread never waits for itself, see Residency::acquire_for().
template <class Payload>
class Pinned {
  using Core = detail::ResidencyCore<std::remove_const_t<Payload>>;
  using Item = typename Core::Item;
  using Held = typename Core::Held;

 public:
  /// For Residency::acquire().
  Pinned(Ref<Core> core, const Held& held) noexcept : core_(std::move(core)), held_(held) {}
  QNNPP_REFUSE_CONSTRUCTOR("a pinned context has one owner; write std::move(pinned)", Pinned,
                           const Pinned&);
  Pinned& operator=(const Pinned&) = delete;
  Pinned(Pinned&& other) noexcept
      : core_(std::move(other.core_)), held_(std::exchange(other.held_, {})) {
    note_thread();
  }
  Pinned& operator=(Pinned&& other) noexcept {
    if (this != &other) {
      release();
      core_ = std::move(other.core_);
      held_ = std::exchange(other.held_, {});
      note_thread();
    }
    return *this;
  }
  ~Pinned() { release(); }

  /// Its place in the list of binaries.
  [[nodiscard]] std::size_t place() const { return item().place; }
  /// Both live until this object is destroyed. Graphs taken from the context keep it on the device
  /// beyond that.
  [[nodiscard]] const Context<Finalized>& context() const& {
    note_thread();
    return item().context;
  }
  QNNPP_REFUSE("context() of a temporary would dangle; name the pinned context first",
               const Context<Finalized>&, context() const&&);
  [[nodiscard]] Payload& payload() const& {
    note_thread();
    return *item().payload;
  }
  QNNPP_REFUSE("payload() of a temporary would dangle; name the pinned context first", Payload&,
               payload() const&&);

  /// Whether its handles died with a restart of the DSP: destroy this object, as its buffers count
  /// until then, and acquire the context again (SSR-01).
  [[nodiscard]] bool is_dead() const { return item().is_dead(); }

 private:
  [[nodiscard]] Item& item() const {
    QNNPP_EXPECTS(held_.item != nullptr,
                  "the pinned context was moved from; use the object it was moved to");
    return *held_.item;
  }
  void note_thread() const noexcept {
    if (held_.item != nullptr) held_.pin->note_thread();
  }
  void release() noexcept {
    if (const Held held = std::exchange(held_, {}); held.item != nullptr) core_->release(held);
  }

  Ref<Core> core_;
  Held held_;
};

/// Contexts that take turns on the device: each is loaded when it is asked for, others go by a
/// policy where there is no room, and all share one spill-fill buffer.
///
/// Any thread may call any member function at any time, except to move or destroy it. One
/// thread at a time loads, evicts or frees, and holds no lock meanwhile: a context that is there is
/// acquired and released beside it, and executions need nothing. The functions that loading calls
/// (payload, eviction policy, allocator) may use the residency too; what would wait for the load
/// itself is `would_deadlock`. Move-only. Keeps the backend alive. Copies the allocator; one that
/// cannot be copied must outlive it, unmoved.
template <DmaAllocator Allocator, class Payload = NoPayload>
class Residency {
  using Core = detail::ResidencyCore<Payload>;

 public:
  using Pinned = model::Pinned<Payload>;
  /// Gives the payload as const.
  using SharedPinned = model::Pinned<const Payload>;
  using Options = ResidencyOptions<Payload>;

  /// Asks all binaries for their needs, and allocates the spill-fill buffer; loads nothing. Where
  /// the backend takes no external buffers, contexts keep their memory themselves.
  ///
  /// Errors: `empty`; those of BinarySource::open(), of creating and querying a deferred context,
  /// or where the backend cannot defer of read_metadata(); the allocator's; `too_large` for a
  /// context that exceeds the budget by itself, with both numbers; `no_metadata` where there is a
  /// budget and a need cannot be known; `invalid_argument` for an order with a place that is no
  /// binary's, for prefetching without an order, for needs of another number of binaries, for no
  /// way to make payloads; `allocation_failed` where the thread that prefetches cannot start.
  [[nodiscard]] static Result<Residency> create(const Backend<Htp>& backend,
                                                const Allocator& allocator,
                                                std::vector<BinarySource> binaries,
                                                Options options = {}) {
    constexpr const char* step = "making a residency";
    detail::ContextLoader loader(backend, allocator, std::move(binaries), options.priority,
                                 detail::Refusals(std::move(options.more_refusals)));
    UseOrder order = std::move(options.order);
    if (const auto stranger = order.begin(loader.size()))
      return fail(Error::make(
          Errc::invalid_argument, step, "order of use",
          "it names binary " + std::to_string(*stranger) + " of " + std::to_string(loader.size())));
    const bool prefetches = options.prefetch != Prefetch::off && options.prefetch_depth != 0;
    if (prefetches && !order.is_known())
      return fail(Error::make(Errc::invalid_argument, step, "prefetching",
                              "the order of use is not known"));
    if constexpr (!std::is_default_constructible_v<Payload>)
      if (!options.payload)
        return fail(Error::make(Errc::invalid_argument, step, "payload",
                                "nothing makes one from a context"));
    if (auto prepared = loader.prepare(std::move(options.needs), options.budget_bytes); !prepared)
      return fail(std::move(prepared).error());

    Residency residency(Ref<Core>::make(std::move(loader), std::move(options), std::move(order)));
    if (prefetches) {
      Core* core = residency.core_.get();
      residency.worker_ = std::make_unique<detail::Prefetcher>([core] { return core->prefetch(); });
      if (auto started = residency.worker_->start(); !started)
        return fail(std::move(started).error());
      core->set_worker(residency.worker_.get());
    }
    return residency;
  }

  QNNPP_REFUSE_CONSTRUCTOR("a residency has one owner; write std::move(residency)", Residency,
                           const Residency&);
  Residency& operator=(const Residency&) = delete;
  Residency(Residency&&) noexcept = default;
  Residency& operator=(Residency&& other) noexcept {
    if (this != &other) {
      close();
      core_ = std::move(other.core_);
      worker_ = std::move(other.worker_);
    }
    return *this;
  }
  /// Waits for the thread, and lets everything go that is not pinned.
  ~Residency() { close(); }

  [[nodiscard]] std::size_t size() const { return core().size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const& { return core().name(i); }
  [[nodiscard]] std::string name(std::size_t i) const&& { return core().name(i); }

  /// Pins a context, which is below size() (contract), for the caller alone: it stays on the device
  /// while the returned object lives. Loads it first unless it is there. On a hit nothing is
  /// allocated and no call of QNN is made. Waits for loads of others, and never for what they pin.
  ///
  /// Errors name the binary and the step: `in_use` where others pin the context, where nothing may
  /// go to make room, with who is pinned or held, or where others wait for room already;
  /// `would_deadlock` where this thread pins the context, also beside others that share it, or a
  /// function calls it for which loading waits; `qnn` with 1002 or 5005 where the context does not
  /// fit by itself (RES-01); those of ContextBinary::map(), Context, MemRegion and the payload;
  /// `stale` where it needs more of weights or spill-fill than its binary did, with both numbers. A
  /// restart of the DSP that loading tells of (1007) is recovered from once, 1011 is an error. The
  /// residency is usable after any of them.
  [[nodiscard]] Result<Pinned> acquire(std::size_t i) { return pin<Payload>(i, {}); }

  /// The same, and waits at most for `patience` until others release what is in the way. Who waits
  /// first is served first; nobody who comes later takes what was released. A release wakes the
  /// thread, which also looks every 10 ms: no signal tells that graphs of others let a context go.
  ///
  /// Errors: those of acquire() but for `in_use`; `timed_out` with who is pinned or held;
  /// `would_deadlock` where this thread has a pin of each context that could make room. A patience
  /// that is no number is 0. Two threads that wait for each other's contexts are `timed_out`. So is
  /// a thread that waits for a context to make room whose graphs it keeps itself, without a pin: it
  /// is not known who keeps them.
  template <class Rep, class Period>
  [[nodiscard]] Result<Pinned> acquire_for(std::size_t i,
                                           std::chrono::duration<Rep, Period> patience) {
    return pin<Payload>(i, after(patience));
  }

  /// As acquire() and acquire_for(), beside other shared ones of the same context: the payload is
  /// const. A context that is pinned alone is in the way, as is a shared one of acquire(). A thread
  /// that shares the context shares it again before requests of acquire_for() that wait for it.
  /// Allocates only where more objects share the context than ever since it was loaded.
  [[nodiscard]] Result<SharedPinned> acquire_shared(std::size_t i) {
    return pin<const Payload>(i, {});
  }
  template <class Rep, class Period>
  [[nodiscard]] Result<SharedPinned> acquire_shared_for(
      std::size_t i, std::chrono::duration<Rep, Period> patience) {
    return pin<const Payload>(i, after(patience));
  }

  /// After a restart of the DSP that an execution or a call of the caller told of (1007): frees
  /// everything that died, or everything if no call of this library told of it, and loads it again
  /// (SSR-01). It is right as well if there was no restart (SSR-02). Forgets what was learnt, as a
  /// restart can look like no room. Does nothing where that was done already: requests
  /// recover too, and of several threads that were told of one restart the first one does, while
  /// the others hold dead contexts. Pinned objects stay with their dead contexts. Errors: those of
  /// acquire(); `would_deadlock` in a function that loading calls. What is not loaded then is
  /// loaded when it is asked for.
  [[nodiscard]] Result<void> recover() { return core().recover(); }

  [[nodiscard]] ResidencyStats stats() const { return core().stats(); }
  [[nodiscard]] bool is_resident(std::size_t i) const {
    QNNPP_EXPECTS(i < core().size(), no_such_place);
    return core().is_resident(i);
  }

  /// Tries anew what was refused once, as when other users of the device are gone.
  void forget_learnt() { core().forget_learnt(); }

  /// Waits until there is nothing to load ahead as things are. Error: `would_deadlock` in a
  /// function that loading calls.
  [[nodiscard]] Result<void> settle() { return core().settle(); }

 private:
  static constexpr char no_such_place[] =
      "the residency has no context at this place; use a place below its size";

  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  explicit Residency(Ref<Core> core) : core_(std::move(core)) {}

  /// The end of a duration that begins now. One that the clock cannot reach is without end, one
  /// that is no number is 0.
  template <class Rep, class Period>
  [[nodiscard]] static Time after(std::chrono::duration<Rep, Period> patience) {
    using Seconds = std::chrono::duration<double>;
    const auto now = Clock::now();
    if (!(patience > patience.zero())) return now;
    if (!(Seconds(patience) < Seconds(Time::max() - now - std::chrono::hours(1))))
      return Time::max();
    return now + std::chrono::duration_cast<Clock::duration>(patience);
  }
  template <class Wanted>
  [[nodiscard]] Result<model::Pinned<Wanted>> pin(std::size_t i, std::optional<Time> until) {
    QNNPP_EXPECTS(i < core().size(), no_such_place);
    auto held = core().acquire(i, !std::is_const_v<Wanted>, until);
    if (!held) return fail(std::move(held).error());
    return model::Pinned<Wanted>(core_, *held);
  }

  [[nodiscard]] Core& core() const {
    QNNPP_EXPECTS(core_, "the residency was moved from; use the object it was moved to");
    return *core_;
  }
  void close() {
    if (!core_) return;
    core_->set_worker(nullptr);
    worker_.reset();
    core_->close();
  }

  Ref<Core> core_;
  std::unique_ptr<detail::Prefetcher> worker_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
