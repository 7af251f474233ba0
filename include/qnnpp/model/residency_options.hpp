// ResidencyOptions and ResidencyStats: settings and counters of a model::Residency.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "qnnpp/backend/external_weights.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/stop.hpp"
#include "qnnpp/model/context_settings.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/model/use_order.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Whether a thread loads contexts before they are requested.
enum class Prefetch : std::uint8_t {
  /// Loads a context only when it is requested.
  off,
  /// Loads into free room, or evicts the context that the request would evict anyway, once that
  /// context is released. Needs no more loads than `off`.
  spare_room,
  /// Also evicts an already used context while the current one is pinned. Loads overlap with
  /// executions, but more loads are needed because the current context still occupies its room.
  ahead,
};

/// Settings of a residency. `Payload` is the object built from each loaded context, such as a bound
/// graph. The residency destroys it before its context. std::monostate: nothing is built.
template <class Payload = std::monostate>
struct ResidencyOptions {
  /// Limit in bytes on the weights of all resident contexts, the free weights buffers, and the
  /// spill-fill buffer counted once. 0: no limit is given; it is learnt from QNN's refusals.
  std::uint64_t budget_bytes = 0;
  /// Limit on the number of resident contexts. 0: learnt from QNN's refusals.
  std::size_t max_contexts = 0;
  /// Order in which the contexts are used. It decides which context is evicted: the one whose next
  /// use is farthest, which needs the fewest possible loads if all contexts have the same size
  /// (Belady). Contexts without a known next use are evicted first, the least recently used before
  /// the others.
  UseOrder order = UseOrder::unknown();
  /// Whether contexts are loaded ahead. Values other than `off` require a known order. They use a
  /// thread until the residency is closed. If the allocator declares `is_thread_safe`, a second
  /// thread reads the next binary and allocates its weights meanwhile, within the budget; such an
  /// allocator must not use the residency.
  Prefetch prefetch = Prefetch::off;
  /// Number of contexts that may be loaded and not requested yet. With Prefetch::ahead, use 4 to 8
  /// if a load lasts longer than an execution. 0 loads nothing ahead.
  std::size_t prefetch_depth = 1;
  /// Settings of each context. A context with DLBC has spill-fill memory of its own unless they
  /// allow it to share; that memory counts towards the budget.
  ContextSettings contexts = {};
  /// Builds the payload of a context; the first argument is the context's index. Empty: uses
  /// Payload's default constructor.
  ///
  /// The loading thread makes one call at a time and holds no lock. The function may use the
  /// residency. Calls that would wait for the current load return `would_deadlock`: recover(),
  /// settle(), and acquiring a context that is not resident. If the function returns an error, the
  /// load fails with it and the context is released. If memory, descriptors or mappings are
  /// exhausted, a load for a request evicts another context first and calls the function again.
  ///
  /// This function and the allocator must not throw: an exception on the
  /// prefetching thread ends the process.
  std::function<Result<Payload>(std::size_t, const Context<Finalized>&)> payload = {};
  /// Ends what the residency does and waits for when it is pulled, from any thread: requests that
  /// load or wait, recover() and prefetching, with `cancelled`; a load ends as LoadOptions::stop
  /// says. Afterwards only requests for resident contexts succeed. The residency keeps a handle of
  /// the stop. None by default.
  qnnpp::detail::StopOption stop = {};
};

/// Counters and sizes of a residency at one moment. Counters start at 0 in create().
struct ResidencyStats {
  std::uint64_t hits = 0;              ///< Requests whose context was resident.
  std::uint64_t loads = 0;             ///< Contexts loaded, on request or ahead.
  std::uint64_t evictions = 0;         ///< Contexts evicted to make room.
  std::uint64_t prefetched = 0;        ///< Contexts loaded ahead.
  std::uint64_t wakeups = 0;           ///< Number of times the prefetching thread was woken.
  std::uint64_t capacity_retries = 0;  ///< Loads repeated after a refusal and an eviction.
  std::uint64_t buffers_reused = 0;    ///< Loads that used a free weights buffer again.
  std::uint64_t recoveries = 0;        ///< Recoveries from a restart of the DSP.
  /// Requests that currently wait for another thread's load, or for a pinned context.
  std::size_t waiting = 0;
  /// Resident contexts, and dropped ones that are still pinned or held by their graphs.
  std::size_t resident_contexts = 0;
  std::uint64_t resident_bytes = 0;    ///< Bytes of these contexts, without shared spill-fill.
  std::uint64_t pooled_bytes = 0;      ///< Bytes of the free weights buffers.
  std::uint64_t spill_fill_bytes = 0;  ///< Bytes of the shared spill-fill buffer.
  /// Contexts that fitted after the device's last refusal; 0 if it refused nothing.
  std::size_t learnt_contexts = 0;
  std::uint64_t learnt_bytes = 0;  ///< Bytes of these contexts.
  std::uint64_t lost_bytes = 0;    ///< As MemoryReport::lost_bytes. Not part of the budget.
  /// How the contexts get spill-fill memory: external_buffer or none.
  SpillFillSharing sharing = SpillFillSharing::external_buffer;
  /// Why, in the words of MemoryReport::reason.
  std::string reason = {};
  /// Whether the backend accepts external weights. After `refused`, QNN keeps the weights and the
  /// contexts still share the spill-fill buffer (EXT-08).
  ExternalWeights external_weights = ExternalWeights::untried;

  /// Bytes that count towards ResidencyOptions::budget_bytes.
  [[nodiscard]] std::uint64_t total_bytes() const noexcept {
    return resident_bytes + pooled_bytes + spill_fill_bytes;
  }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
