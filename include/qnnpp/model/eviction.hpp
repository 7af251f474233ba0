// EvictionPolicy: which context goes when another one needs its room.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/model/use_order.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// A context that may go.
struct EvictionCandidate {
  std::size_t context = 0;      ///< Its place in the list of binaries.
  std::uint64_t bytes = 0;      ///< What it takes of the budget.
  std::uint64_t loaded_at = 0;  ///< In requests since the start.
  std::uint64_t last_use = 0;   ///< In requests since the start.
  /// How many requests come before its next one; UseOrder::never where none is known.
  std::uint64_t next_use = UseOrder::never;
};

/// Chooses one of some candidates.
class EvictionPolicy {
 public:
  /// Returns an index into the candidates, which are one at least. A residency calls it with its
  /// locks held: it must not use the residency, not even for stats(), and must not throw.
  using Function = std::function<std::size_t(std::span<const EvictionCandidate>)>;

  /// Farthest next use where the order of use is known, else least recently used.
  EvictionPolicy() = default;

  /// The one whose next use is farthest: the fewest loads that are possible where all contexts take
  /// the same (Belady). Contexts without a known next use go first, the least recently used of
  /// them.
  [[nodiscard]] static EvictionPolicy farthest_next_use() { return EvictionPolicy(Kind::farthest); }
  /// The worst choice there is for a pipeline that repeats: each context is gone when its turn
  /// comes.
  [[nodiscard]] static EvictionPolicy least_recently_used() { return EvictionPolicy(Kind::lru); }
  [[nodiscard]] static EvictionPolicy first_in_first_out() { return EvictionPolicy(Kind::fifo); }
  [[nodiscard]] static EvictionPolicy custom(Function choose) {
    EvictionPolicy policy(Kind::custom);
    policy.choose_ = std::move(choose);
    return policy;
  }

  /// Whether it follows the order of use, if that is known.
  [[nodiscard]] bool follows_the_order() const noexcept {
    return kind_ == Kind::automatic || kind_ == Kind::farthest;
  }

  /// The index of the one to go. `candidates` is not empty (contract).
  [[nodiscard]] std::size_t choose(std::span<const EvictionCandidate> candidates) const {
    QNNPP_EXPECTS(!candidates.empty(), "the eviction policy has no candidates; pass at least one");
    const auto first_by = [&](auto goes_before) {
      return static_cast<std::size_t>(
          std::min_element(candidates.begin(), candidates.end(), goes_before) - candidates.begin());
    };
    using Candidate = EvictionCandidate;
    switch (kind_) {
      case Kind::lru:
        return first_by(
            [](const Candidate& a, const Candidate& b) { return a.last_use < b.last_use; });
      case Kind::fifo:
        return first_by(
            [](const Candidate& a, const Candidate& b) { return a.loaded_at < b.loaded_at; });
      case Kind::custom: {
        const std::size_t chosen = choose_(candidates);
        QNNPP_EXPECTS(
            chosen < candidates.size(),
            "the custom eviction policy chose no candidate; return an index below their number");
        return chosen;
      }
      case Kind::automatic:
      case Kind::farthest: break;
    }
    return first_by([](const Candidate& a, const Candidate& b) {
      return a.next_use != b.next_use ? a.next_use > b.next_use : a.last_use < b.last_use;
    });
  }

 private:
  enum class Kind : std::uint8_t { automatic, farthest, lru, fifo, custom };
  explicit EvictionPolicy(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::automatic;
  Function choose_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
