// Residency: runs a model whose contexts do not all fit the device.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
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

/// A context that stays on the device while this object lives, with its payload. Move-only; may
/// outlive the residency.
template <class Payload>
class Pinned {
  using Core = detail::ResidencyCore<Payload>;
  using Item = detail::Resident<Payload>;

 public:
  /// For Residency::acquire().
  Pinned(Ref<Core> core, Item& item) noexcept : core_(std::move(core)), item_(&item) {}
  QNNPP_REFUSE_CONSTRUCTOR("a pinned context has one owner; write std::move(pinned)", Pinned,
                           const Pinned&);
  Pinned& operator=(const Pinned&) = delete;
  Pinned(Pinned&& other) noexcept
      : core_(std::move(other.core_)), item_(std::exchange(other.item_, nullptr)) {}
  Pinned& operator=(Pinned&& other) noexcept {
    if (this != &other) {
      release();
      core_ = std::move(other.core_);
      item_ = std::exchange(other.item_, nullptr);
    }
    return *this;
  }
  ~Pinned() { release(); }

  /// Its place in the list of binaries.
  [[nodiscard]] std::size_t place() const { return item().place; }
  /// Both live until this object is destroyed. Graphs taken from the context keep it on the device
  /// beyond that.
  [[nodiscard]] const Context<Finalized>& context() const& { return item().context; }
  QNNPP_REFUSE("context() of a temporary would dangle; name the pinned context first",
               const Context<Finalized>&, context() const&&);
  [[nodiscard]] Payload& payload() const& { return *item().payload; }
  QNNPP_REFUSE("payload() of a temporary would dangle; name the pinned context first", Payload&,
               payload() const&&);

  /// Whether its handles died with a restart of the DSP: destroy this object, as its buffers count
  /// until then, and acquire the context again (SSR-01).
  [[nodiscard]] bool is_dead() const { return item().is_dead(); }

 private:
  [[nodiscard]] Item& item() const {
    QNNPP_EXPECTS(item_ != nullptr,
                  "the pinned context was moved from; use the object it was moved to");
    return *item_;
  }
  void release() noexcept {
    if (Item* item = std::exchange(item_, nullptr)) core_->release(*item);
  }

  Ref<Core> core_;
  Item* item_;
};

/// Contexts that take turns on the device: each is loaded when it is asked for, others go by a
/// policy where there is no room, and all share one spill-fill buffer.
///
/// Any thread may acquire. This object makes its setup calls on the backend one at a time. If
/// another thread uses the residency, or it prefetches, the caller holds setup_lock() around setup
/// calls of its own. Executions need no lock. Move-only. Keeps the backend alive. Copies the
/// allocator; one that cannot be copied must outlive it, unmoved.
template <DmaAllocator Allocator, class Payload = NoPayload>
class Residency {
  using Core = detail::ResidencyCore<Payload>;

 public:
  using Pinned = model::Pinned<Payload>;
  using Options = ResidencyOptions<Payload>;

  /// Asks all binaries for their needs, and allocates the spill-fill buffer; loads nothing. Where
  /// the backend takes no external buffers, contexts keep their memory themselves.
  ///
  /// Errors: `empty`; those of BinarySource::open(), of creating and querying a deferred context,
  /// or where the backend cannot defer of read_metadata(); the allocator's; `too_large` for a
  /// context that exceeds the budget by itself, with both numbers; `no_metadata` where there is a
  /// budget and a need cannot be known; `invalid_argument` for an order with a place that is no
  /// binary's, for prefetching without an order, for needs of another number of binaries, for no
  /// way to make payloads.
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

  /// Pins a context, which is below size() (contract): it stays on the device while the returned
  /// object lives. Loads it first unless it is there. On a hit nothing is allocated and no call of
  /// QNN is made.
  ///
  /// Errors name the binary and the step: `in_use` where nothing may go to make room, with who is
  /// pinned or held; `qnn` with 1002 or 5005 where the context does not fit by itself (RES-01);
  /// those of ContextBinary::map(), Context, MemRegion and the payload; `stale` where it needs more
  /// of weights or spill-fill than its binary did, with both numbers. A restart of the DSP that
  /// loading tells of (1007) is recovered from once, 1011 is an error. The residency is usable
  /// after any of them.
  [[nodiscard]] Result<Pinned> acquire(std::size_t i) {
    QNNPP_EXPECTS(i < core().size(), no_such_place);
    auto item = core().acquire(i);
    if (!item) return fail(std::move(item).error());
    return Pinned(core_, **item);
  }

  /// After a restart of the DSP that an execution or a call of the caller told of (1007): frees
  /// everything that died, or everything if no call of this library told of it, and loads it again
  /// (SSR-01). It is right as well if there was no restart (SSR-02). Forgets what was learnt, as a
  /// restart can look like no room. Does nothing where that was done already: requests
  /// recover too, and of several threads that were told of one restart the first one does, while
  /// the others hold dead contexts. Pinned objects stay with their dead contexts. Errors: those of
  /// acquire(); what is not loaded then is loaded when it is asked for.
  [[nodiscard]] Result<void> recover() { return core().recover(); }

  /// Keeps the residency from making setup calls while the caller makes some: registering memory,
  /// retrieving graphs. Not for acquiring, nor while pinned contexts are released.
  [[nodiscard]] std::unique_lock<std::mutex> setup_lock() const {
    return std::unique_lock(core().setup);
  }

  [[nodiscard]] ResidencyStats stats() const { return core().stats(); }
  [[nodiscard]] bool is_resident(std::size_t i) const {
    QNNPP_EXPECTS(i < core().size(), no_such_place);
    return core().is_resident(i);
  }

  /// Tries anew what was refused once, as when other users of the device are gone.
  void forget_learnt() { core().forget_learnt(); }

  /// Waits until there is nothing to load ahead as things are.
  void settle() {
    if (worker_) worker_->settle();
  }

 private:
  static constexpr char no_such_place[] =
      "the residency has no context at this place; use a place below its size";

  explicit Residency(Ref<Core> core) : core_(std::move(core)) {}

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
