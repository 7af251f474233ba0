// ResidencyCore: loads, evicts and recovers the contexts of a Residency.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/model/detail/context_loader.hpp"
#include "qnnpp/model/detail/prefetcher.hpp"
#include "qnnpp/model/detail/residents.hpp"
#include "qnnpp/model/residency_options.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Shared by a residency, its pinned contexts and its thread. Two mutexes: `setup` is held around
/// every setup call of QNN, `state` around all data about the contexts. `setup` is never locked
/// under `state`. Contexts are added and removed under both, so a thread that holds either sees
/// none disappear.
template <class Payload>
class ResidencyCore : public RefCounted<ResidencyCore<Payload>> {
 public:
  using Item = Resident<Payload>;
  using Need = typename Residents<Payload>::Need;

  ResidencyCore(ContextLoader prepared, ResidencyOptions<Payload> options, UseOrder order)
      : loader_(std::move(prepared)),
        make_payload_(std::move(options.payload)),
        overlap_(options.prefetch == Prefetch::ahead),
        depth_(options.prefetch_depth),
        residents_(loader_.size(), std::move(order), std::move(options.eviction),
                   Capacity(options.budget_bytes, options.max_contexts),
                   WeightsPool(options.buffer_slack_percent)),
        not_to_try_(loader_.size()),
        errors_(loader_.size()),
        recovered_(loader_.restarts()) {
    note_sharing();
  }

  std::mutex setup;

  [[nodiscard]] std::size_t size() const noexcept { return not_to_try_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return loader_.name(i); }

  /// Pins a context, which is loaded first unless it is there.
  [[nodiscard]] Result<Item*> acquire(std::size_t i) {
    std::unique_lock known(state_);
    if (residents_.order.expected() != i) residents_.forget_ahead();
    residents_.order.note(i);
    ++requests_;
    if (Item* item = ready(i)) return pin(*item, true);
    const Waiting waiting(*this);
    known.unlock();
    return fetch(i);
  }

  void release(Item& item) noexcept {
    std::unique_lock known(state_);
    --item.pins;
    if (!is_closed_) return wake();
    known.unlock();
    const std::scoped_lock calls(setup);
    sweep();
    (void)drop_pool();
  }

  /// See Residency::recover().
  [[nodiscard]] Result<void> recover() {
    const std::scoped_lock calls(setup);
    sweep();
    std::vector<std::size_t> places = resident_places(true);
    if (places.empty() && !is_recovered()) places = resident_places(false);
    recovered_ = loader_.restarts();
    {
      const std::scoped_lock known(state_);
      std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        const auto a_next = residents_.order.distance(a), b_next = residents_.order.distance(b);
        return a_next != b_next ? a_next < b_next : a < b;
      });
      if (!places.empty()) ++counts_.recoveries;
      // A refusal before it may have been the restart itself (SSR-02).
      residents_.capacity.forget();
      std::fill(not_to_try_.begin(), not_to_try_.end(), false);
    }
    drop(places);
    auto loaded = load_again(places);
    const std::scoped_lock known(state_);
    wake();
    return loaded;
  }

  /// One step of prefetching; false: there is nothing to do.
  [[nodiscard]] bool prefetch() {
    const std::scoped_lock calls(setup);
    sweep();
    std::unique_lock known(state_);
    // Who waits for a context goes first: room that is there is theirs.
    if (waiting_ != 0) return false;
    const auto plan = residents_.plan_ahead(overlap_, depth_, not_to_try_,
                                            [this](std::size_t i) { return need_of(i); });
    known.unlock();
    if (!plan) return false;
    if (plan->victim) {
      (void)evict(*plan->victim);
      return true;
    }
    auto loaded = load(plan->place, Reason::prefetch);
    if (loaded) return true;
    known.lock();
    not_to_try_[plan->place] = true;
    // Whoever asks for it tries again by itself where there was no room, or no DSP.
    if (!is_no_room(loaded.error()) && !is_restart(loaded.error()))
      errors_[plan->place] = std::move(loaded).error();
    return true;
  }

  void set_worker(Prefetcher* worker) {
    const std::scoped_lock known(state_);
    worker_ = worker;
    if (worker != nullptr) wake();
  }

  /// Lets everything go that is not pinned; the rest goes once it is not.
  void close() {
    const std::scoped_lock calls(setup);
    {
      const std::scoped_lock known(state_);
      is_closed_ = true;
    }
    drop(resident_places(false));
    sweep();
    (void)drop_pool();
  }

  [[nodiscard]] ResidencyStats stats() const {
    const std::scoped_lock known(state_);
    ResidencyStats stats = counts_;
    stats.resident_contexts = residents_.occupancy().contexts;
    stats.resident_bytes = residents_.occupancy().bytes;
    stats.pooled_bytes = residents_.pool.bytes();
    stats.learnt = residents_.capacity.learnt();
    return stats;
  }
  [[nodiscard]] bool is_resident(std::size_t i) const {
    const std::scoped_lock known(state_);
    return residents_.at(i) != nullptr;
  }
  void forget_learnt() {
    const std::scoped_lock calls(setup);
    const std::scoped_lock known(state_);
    residents_.capacity.forget();
    std::fill(not_to_try_.begin(), not_to_try_.end(), false);
    wake();
  }

 private:
  /// Why a context is loaded. Others go for it where it is asked for, and only then.
  enum class Reason : std::uint8_t { request, recovery, prefetch };

  /// A thread that asks for a context which is not there; made with `state_` held, and destroyed
  /// without.
  class Waiting {
   public:
    explicit Waiting(ResidencyCore& core) : core_(core) { ++core_.waiting_; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() {
      const std::scoped_lock known(core_.state_);
      --core_.waiting_;
      core_.wake();
    }

   private:
    ResidencyCore& core_;
  };

  /// Whether the DSP restarted and is up again; `dead` where another call was told first (SSR-01).
  [[nodiscard]] static bool is_restart(const Error& error) noexcept {
    return error.kind == Errc::dead ||
           (error.kind == Errc::qnn &&
            error.code == code_of(c_api::CommonError::system_communication));
  }

  // ---- with `state_` held

  [[nodiscard]] Item* ready(std::size_t i) const noexcept {
    Item* item = residents_.at(i);
    return item != nullptr && item->is_ready() ? item : nullptr;
  }
  [[nodiscard]] Item* pin(Item& item, bool is_hit) {
    if (is_hit) ++counts_.hits;
    ++item.pins;
    item.is_ahead = false;
    item.last_use = requests_;
    if (is_hit) wake();
    return &item;
  }
  void wake() {
    if (worker_ != nullptr && !residents_.is_complete()) worker_->wake();
  }

  // ---- with `setup` held

  [[nodiscard]] Need need_of(std::size_t i) const noexcept {
    return {loader_.bytes(i), loader_.buffer_bytes(i), loader_.spill_fill_bytes()};
  }
  void note_sharing() {
    const std::scoped_lock known(state_);
    counts_.sharing = loader_.sharing();
    counts_.external_weights = loader_.external_weights();
    counts_.spill_fill_bytes = loader_.spill_fill_bytes();
  }

  [[nodiscard]] Result<Item*> fetch(std::size_t i) {
    const std::scoped_lock calls(setup);
    sweep();
    {
      const std::scoped_lock known(state_);
      not_to_try_[i] = false;
      // Loaded by another thread meanwhile.
      if (Item* item = ready(i)) return pin(*item, true);
      if (errors_[i]) return fail(*std::exchange(errors_[i], std::nullopt));
    }
    drop_dead();
    auto loaded = load(i, Reason::request);
    if (!loaded && is_restart(loaded.error())) {
      drop_dead();
      loaded = load(i, Reason::request);
    }
    if (!loaded) return fail(std::move(loaded).error());
    const std::scoped_lock known(state_);
    return pin(*residents_.at(i), false);
  }

  /// Whether requests, or another thread, recovered from the last restart before this call. Only
  /// recovery retires pinned contexts.
  [[nodiscard]] bool is_recovered() const {
    const std::scoped_lock known(state_);
    return recovered_ != loader_.restarts() || residents_.has_pinned_retired();
  }
  /// Loads what there is room for, one after the other.
  [[nodiscard]] Result<void> load_again(const std::vector<std::size_t>& places) {
    for (const std::size_t i : places) {
      if (!residents_.has_room(need_of(i))) break;
      auto loaded = load(i, Reason::recovery);
      if (!loaded && !is_no_room(loaded.error())) return loaded;
    }
    return {};
  }

  /// Loads a context and builds its payload, after others have gone where that is allowed.
  [[nodiscard]] Result<void> load(std::size_t i, Reason reason) {
    const auto epoch = loader_.epoch();
    const auto created = epoch.contexts_created();
    auto loaded = load_and_build(i, reason);
    // Some calls are not made for a context: what they tell of a restart concerns all there are.
    if (!loaded && loaded.error().kind == Errc::qnn) epoch.record(loaded.error().code, created);
    return loaded;
  }

  [[nodiscard]] Result<void> load_and_build(std::size_t i, Reason reason) {
    const bool may_evict = reason == Reason::request;
    // Its payload alone is missing where its eviction was in vain.
    if (residents_.at(i) != nullptr) return rebuild_payload(i);
    std::vector<Occupancy> refused;
    std::optional<Error> cause;
    for (;;) {
      const Need need = need_of(i);
      if (const auto alone = sum_bytes(need.bytes, need.shared_bytes);
          !residents_.capacity.affords(alone))
        return fail(Error::mismatch(Errc::too_large, "loading a context", name(i), alone,
                                    residents_.capacity.budget_bytes()));
      if (auto made = make_room(i, need, may_evict, cause); !made) return made;
      std::unique_lock known(state_);
      const std::uint64_t bytes = residents_.bytes_of(need);
      const Occupancy wanted = residents_.with(bytes);
      MemRegion<Weights> weights = residents_.pool.take(need.buffer_bytes);
      known.unlock();
      const bool is_reused = static_cast<bool>(weights);

      auto context = loader_.load(i, std::move(weights));
      if (context) {
        note_sharing();
        known.lock();
        ++counts_.loads;
        if (is_reused) ++counts_.buffers_reused;
        known.unlock();
        // The first one may have found that the spill-fill is not shared.
        auto item =
            std::make_unique<Item>(i, std::move(*context), is_reused ? bytes : need_of(i).bytes);
        if (auto built = build_payload(*item); !built) {
          let_go(std::move(item));
          return built;
        }
        known.lock();
        item->loaded_at = item->last_use = requests_;
        item->is_ahead = reason == Reason::prefetch;
        if (item->is_ahead) ++counts_.prefetched;
        residents_.add(std::move(item));
        residents_.capacity.learn(refused, residents_.on_device());
        errors_[i].reset();
        return {};
      }

      Error error = std::move(context).error();
      if (!may_evict || !is_no_room(error)) return fail(std::move(error));
      // A free buffer may be what is lacking, though not to the device.
      if (drop_pool() && error.kind == Errc::allocation_failed) continue;
      if (residents_.on_device().contexts == 0) return fail(std::move(error));
      refused.push_back(wanted);
      cause = std::move(error);
      if (!evict_one(i)) return fail(nothing_to_evict(i, cause));
      known.lock();
      ++counts_.capacity_retries;
    }
  }

  /// Drops free buffers, then evicts, until there is room. Error: `in_use`.
  [[nodiscard]] Result<void> make_room(std::size_t i, const Need& need, bool may_evict,
                                       const std::optional<Error>& cause) {
    for (;;) {
      MemRegion<Weights> dropped;
      std::unique_lock known(state_);
      if (residents_.has_room(need)) {
        if (residents_.has_room_beside_the_pool(need)) return {};
        dropped = residents_.shrink_pool(need);
        if (dropped) continue;
      }
      known.unlock();
      if (!may_evict || !evict_one(i)) return fail(nothing_to_evict(i, cause));
    }
  }

  [[nodiscard]] Error nothing_to_evict(std::size_t i, const std::optional<Error>& cause) const {
    const std::scoped_lock known(state_);
    std::string detail = "no context may go: " + residents_.kept(loader_);
    if (cause) {
      detail += std::string("; ") + cause->step;
      if (cause->kind == Errc::qnn)
        detail += " returned " + std::to_string(cause->code);
      else
        detail += " failed";
    }
    return Error::make(Errc::in_use, "making room for a context", name(i), std::move(detail));
  }

  [[nodiscard]] Result<void> rebuild_payload(std::size_t i) {
    std::unique_lock known(state_);
    auto item = residents_.remove(i);
    known.unlock();
    auto built = build_payload(*item);
    known.lock();
    residents_.add(std::move(item));
    return built;
  }

  [[nodiscard]] Result<void> build_payload(Item& item) {
    const auto& context = qnnpp::detail::Access::block(item.context);
    const std::uint32_t others = context.use_count() - 1;
    if (make_payload_) {
      const auto created = context->epoch.contexts_created();
      auto payload = make_payload_(item.place, item.context);
      if (!payload) {
        // A call of the caller's own may be the first that was told of a restart.
        if (payload.error().kind == Errc::qnn) context->epoch.record(payload.error().code, created);
        return fail(std::move(payload).error());
      }
      item.payload.emplace(std::move(*payload));
    } else if constexpr (std::is_default_constructible_v<Payload>) {
      item.payload.emplace();
    }
    // Others may have let go of it meanwhile: it counts no fewer than when it was built before.
    const std::uint32_t all = context.use_count();
    if (all > others) item.own_references = std::max(item.own_references, all - others);
    return {};
  }

  /// Evicts one that may go; false where there is none.
  [[nodiscard]] bool evict_one(std::size_t wanted) {
    for (;;) {
      std::unique_lock known(state_);
      const auto victim = residents_.victim_for(wanted);
      known.unlock();
      if (!victim) return false;
      if (evict(*victim)) return true;
    }
  }

  /// False where others hold the context though its payload is gone: it stays, as evicting it would
  /// free nothing.
  bool evict(std::size_t victim) {
    std::unique_lock known(state_);
    // It may have been pinned since it was chosen.
    if (residents_.at(victim)->pins != 0) return false;
    auto item = residents_.remove(victim);
    known.unlock();
    item->payload.reset();
    if (item->is_held() && !item->is_dead()) {
      known.lock();
      residents_.add(std::move(item));
      return false;
    }
    let_go(std::move(item));
    known.lock();
    ++counts_.evictions;
    return true;
  }

  /// Frees a context, dead or not, silently as a destructor does, and keeps its weights buffer
  /// (RES-02). Where others hold it nothing would be free: it is set aside until they are done.
  void let_go(std::unique_ptr<Item> item) {
    item->payload.reset();
    std::unique_lock known(state_);
    if (item->is_held() && !is_closed_) return residents_.keep(std::move(item));
    known.unlock();
    auto weights = std::move(item->context).reclaim();
    if (!weights) return;
    known.lock();
    residents_.pool.put(std::move(*weights));
  }

  void sweep() {
    std::unique_lock known(state_);
    auto swept = residents_.sweep(is_closed_);
    known.unlock();
    for (auto& item : swept) let_go(std::move(item));
  }

  /// Whether there was something to drop.
  [[nodiscard]] bool drop_pool() {
    std::unique_lock known(state_);
    const auto dropped = residents_.pool.take_all();
    known.unlock();
    return !dropped.empty();
  }

  [[nodiscard]] std::vector<std::size_t> resident_places(bool only_dead) const {
    const std::scoped_lock known(state_);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < size(); ++i)
      if (const Item* item = residents_.at(i); item != nullptr && (!only_dead || item->is_dead()))
        places.push_back(i);
    return places;
  }

  /// Lets those go that are not pinned; the others once they are not.
  void drop(const std::vector<std::size_t>& places) {
    for (const std::size_t i : places) {
      std::unique_lock known(state_);
      if (residents_.at(i)->pins != 0) {
        residents_.retire(i);
        continue;
      }
      auto item = residents_.remove(i);
      known.unlock();
      let_go(std::move(item));
    }
  }

  void drop_dead() {
    const std::vector<std::size_t> dead = resident_places(true);
    if (dead.empty()) return;
    drop(dead);
    const std::scoped_lock known(state_);
    ++counts_.recoveries;
    residents_.capacity.forget();  // As recover() does.
  }

  ContextLoader loader_;
  std::function<Result<Payload>(std::size_t, const Context<Finalized>&)> make_payload_;
  bool overlap_;
  std::size_t depth_;

  mutable std::mutex state_;
  Residents<Payload> residents_;
  ResidencyStats counts_;
  std::uint64_t requests_ = 0;
  /// Threads that ask for a context which is not there.
  std::size_t waiting_ = 0;
  /// Contexts that are not prefetched until a request for them: an earlier prefetch failed, for the
  /// error kept or for lack of room.
  std::vector<bool> not_to_try_;
  std::vector<std::optional<Error>> errors_;
  /// Restarts of the DSP that were known of at the last recover().
  std::uint32_t recovered_;
  Prefetcher* worker_ = nullptr;
  bool is_closed_ = false;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
