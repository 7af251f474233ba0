// Resident: a loaded context of a residency, with its payload and its pins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"
#include "qnnpp/model/detail/context_loader.hpp"
#include "qnnpp/model/residency_options.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// Pins of a context: for each, the threads that may have its pinned object. Pinned objects write
/// them without the residency's mutex.
using Pins = std::list<qnnpp::detail::HolderThreads>;

/// What the layers of a residency record about a context. The residency's mutex guards it.
struct ResidentState {
  explicit ResidentState(std::size_t at) : index(at) {}

  const std::size_t index;
  std::uint64_t bytes = 0;
  Pins pins;
  /// Unused list nodes for later pins. The first pin allocates none; later ones allocate only if
  /// there are more simultaneous pins than ever before.
  Pins spare_pins = Pins(1);
  /// Whether the current pin is exclusive.
  bool is_exclusive = false;
  /// Whether its handles were dead when it was removed. It then still has buffers and handles,
  /// but occupies no process domain.
  bool is_off_device = false;
  /// Number of requests made until its last use.
  std::uint64_t last_use = 0;
  /// Round of Residents in which it was loaded ahead; 0 if it was requested since, or was not
  /// loaded ahead.
  std::uint64_t ahead_round = 0;

  /// Whether it admits another pin of this kind now.
  [[nodiscard]] bool admits(bool exclusive) const noexcept {
    return pins.empty() || (!exclusive && !is_exclusive);
  }
  /// Whether the calling thread may have one of its pins, so that it stays while this thread waits.
  [[nodiscard]] bool is_pinned_by_this_thread() const noexcept {
    return std::any_of(pins.begin(), pins.end(),
                       [](const auto& each) { return each.has(qnnpp::detail::thread_number()); });
  }
  [[nodiscard]] Pins::iterator pin(bool exclusive) {
    if (spare_pins.empty()) spare_pins.emplace_back();
    spare_pins.front().set_holder(qnnpp::detail::thread_number());
    is_exclusive = exclusive;
    pins.splice(pins.begin(), spare_pins, spare_pins.begin());
    return pins.begin();
  }
  void unpin(Pins::iterator pin) noexcept { spare_pins.splice(spare_pins.begin(), pins, pin); }
};

/// Builds a payload; empty: uses its default constructor.
template <class Payload>
using MakePayload = std::function<Result<Payload>(std::size_t, const Context<Finalized>&)>;

/// A loaded context with its payload, which is destroyed first.
template <class Payload>
struct Resident : ResidentState {
  Resident(std::size_t at, Context<Finalized> loaded)
      : ResidentState(at), context(std::move(loaded)) {
    block()->kept_by = qnnpp::detail::kept_by_residency;
  }

  Context<Finalized> context;
  std::optional<Payload> payload;
  /// References to the context held by this object and its payload. More references belong to
  /// graphs of the application.
  std::uint32_t own_references = 1;

  /// Whether its handles died with a restart of the DSP (SSR-01).
  [[nodiscard]] bool is_dead() const noexcept { return block()->epoch.has_ended(); }
  /// Whether requests can get it.
  [[nodiscard]] bool is_ready() const noexcept { return payload.has_value() && !is_dead(); }
  /// Whether graphs of the application hold the context, so that its release frees nothing.
  [[nodiscard]] bool is_held() const noexcept {
    return block().use_count() > (payload ? own_references : 1);
  }
  /// Returns the names of the graphs that hold it, for messages: without those of the payload,
  /// which are the oldest.
  [[nodiscard]] std::string holders() const {
    const std::string names = block()->list->holders_of(*block(), payload ? own_references - 1 : 0);
    return names.empty() ? "its graphs" : names;
  }

  /// Builds the payload, without the residency's mutex.
  [[nodiscard]] Result<void> build_payload(const MakePayload<Payload>& make) {
    const std::uint32_t others = block().use_count() - 1;
    if (make) {
      const auto created = block()->epoch.contexts_created();
      auto made = make(index, context);
      if (!made) {
        // The caller's function may be the first that sees a restart.
        if (made.error().kind == Errc::qnn) block()->epoch.record(made.error().code, created);
        return fail(std::move(made).error());
      }
      payload.emplace(std::move(*made));
    } else if constexpr (std::is_default_constructible_v<Payload>) {
      payload.emplace();
    }
    // Other references may be released concurrently, which would lower the difference.
    const std::uint32_t all = block().use_count();
    if (all > others) own_references = std::max(own_references, all - others);
    return {};
  }
  void drop_payload() noexcept { payload.reset(); }
  /// Frees the context, dead or alive, after its payload is destroyed. Reports no error and
  /// allocates nothing. Returns its weights buffer; empty if it has none, if graphs use the
  /// context, or if QNN did not free it.
  [[nodiscard]] MemRegion<Weights> reclaim() noexcept {
    const auto freed = qnnpp::detail::Access::take(std::move(context));
    if (freed.use_count() != 1 || !is_success(freed->free_context())) return {};
    return std::move(freed->weights);
  }

 private:
  [[nodiscard]] const auto& block() const noexcept { return qnnpp::detail::Access::block(context); }
};

/// Bytes for one more context. `bytes` includes `buffer_bytes` for a weights buffer, but not the
/// `shared_bytes` of the spill-fill buffer.
struct Need {
  std::uint64_t bytes = 0;
  std::uint64_t buffer_bytes = 0;
  std::uint64_t shared_bytes = 0;
};

/// Lowest layer of a residency: loads one context, and builds its payload.
template <class Payload>
struct ContextSource : ContextLoader {
  using Item = Resident<Payload>;

  ContextSource(ContextLoader loader, MakePayload<Payload> builds)
      : ContextLoader(std::move(loader)), make(std::move(builds)) {}

  MakePayload<Payload> make;

  [[nodiscard]] Need need_of(std::size_t i) const noexcept {
    return {bytes(i), buffer_bytes(i), spill_fill_bytes()};
  }
  /// Sets what the loads so far have shown of the backend.
  void describe(ResidencyStats& stats) const {
    stats.sharing = sharing();
    stats.reason = reason();
    stats.external_weights = external_weights();
    stats.spill_fill_bytes = spill_fill_bytes();
    stats.lost_bytes = qnnpp::detail::lost_contexts->bytes();
  }
  /// Loads a context into `weights`, or into a new buffer if that is empty. Builds no payload.
  [[nodiscard]] Result<std::unique_ptr<Item>> load(std::size_t i, MemRegion<Weights> weights) {
    QNNPP_LET(context, ContextLoader::load(i, std::move(weights)));
    return std::make_unique<Item>(i, std::move(*context));
  }
  [[nodiscard]] Result<void> build(Item& item) const { return item.build_payload(make); }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
