// ResidencyOptions and ResidencyStats: how contexts take turns on a device, and how that went.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/backend/external_weights.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/model/eviction.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// Whether a thread loads contexts before they are asked for.
enum class Prefetch : std::uint8_t {
  off,
  /// Into room that is there, or that the context which goes next will leave anyway: as many loads
  /// as without.
  spare_room,
  /// A context that was used already also goes while the current one is pinned: loading overlaps
  /// with execution, at the price of more loads, as the current one takes room besides.
  ahead,
};

/// What is built from a context where the caller asks for nothing.
struct NoPayload {};

/// How contexts take turns. Payload is what is built from each context once it is loaded, such as
/// bound graphs; it is destroyed before its context goes.
template <class Payload = NoPayload>
struct ResidencyOptions {
  /// Weights of all contexts on the device, free weights buffers, and the spill-fill buffer once.
  /// 0: learnt from what QNN refuses.
  std::uint64_t budget_bytes = 0;
  /// 0: learnt likewise.
  std::size_t max_contexts = 0;
  UseOrder order = UseOrder::unknown();
  EvictionPolicy eviction = {};
  /// For a known order.
  Prefetch prefetch = Prefetch::off;
  /// How many contexts are loaded and not asked for yet at a time. For Prefetch::ahead 4 to 8 where
  /// a load takes longer than an execution.
  std::size_t prefetch_depth = 1;
  /// How much larger than needed a weights buffer may be to be used again.
  std::uint32_t buffer_slack_percent = 25;
  c_api::Priority priority = c_api::Priority::default_;
  /// Needs of all binaries in their order, where they are known, as from a manifest; empty: asked
  /// for.
  std::vector<BufferRequirements> needs = {};
  /// Codes of QNN by which this backend refuses external buffers as such, beside 1000, 5010,
  /// 8001 and 8005: see LoadOptions::more_refusals.
  std::vector<std::uint16_t> more_refusals = {};
  /// Builds the payload of a context, by its place. The thread that loads the context calls it, one
  /// call at a time and without a lock. It may use the residency; what would wait for the load
  /// under way is `would_deadlock`: to acquire a context that is not there, recover(), settle().
  /// Its error is that of the load, and the context goes again. Empty: Payload's default
  /// constructor.
  ///
  /// It must not throw, nor may the eviction policy or the allocator: what is thrown on the thread
  /// that prefetches ends the process.
  std::function<Result<Payload>(std::size_t, const Context<Finalized>&)> payload = {};
};

/// A snapshot.
struct ResidencyStats {
  std::uint64_t hits = 0;   ///< Requests whose context was there.
  std::uint64_t loads = 0;  ///< Contexts that were loaded, ahead or not.
  std::uint64_t evictions = 0;
  std::uint64_t prefetched = 0;        ///< Loads that were made ahead.
  std::uint64_t wakeups = 0;           ///< How often the thread that loads ahead was woken.
  std::uint64_t capacity_retries = 0;  ///< Loads that were tried again after a context had gone.
  std::uint64_t buffers_reused = 0;
  std::uint64_t recoveries = 0;  ///< Restarts of the DSP that were recovered from.
  std::size_t waiting =
      0;  ///< Requests that wait now, for a load of others or for what others pin.
  std::size_t resident_contexts = 0;
  std::uint64_t resident_bytes = 0;    ///< What these take, without the shared spill-fill buffer.
  std::uint64_t pooled_bytes = 0;      ///< Free weights buffers.
  std::uint64_t spill_fill_bytes = 0;  ///< The shared buffer.
  /// What fitted after the last refusal of the device; zeros where it never refused.
  Occupancy learnt = {};
  /// How the contexts come by their spill-fill memory: external_buffer or none.
  SpillFillSharing sharing = SpillFillSharing::external_buffer;
  /// What the backend has shown of external weights; if they are refused, QNN keeps the weights and
  /// the spill-fill is shared all the same (EXT-08).
  ExternalWeights external_weights = ExternalWeights::untried;

  /// What counts in the budget.
  [[nodiscard]] std::uint64_t total_bytes() const noexcept {
    return resident_bytes + pooled_bytes + spill_fill_bytes;
  }
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
