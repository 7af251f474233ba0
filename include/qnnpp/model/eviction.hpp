// UseOrder and EvictionPolicy: in which order contexts are used, and which one goes when another
// needs its room.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// Contexts and the bytes that they take together.
struct Occupancy {
  std::size_t contexts = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

/// A sequence of contexts, by their places in the list of binaries, and a position in it: which
/// request is expected next. Requests may depart from it.
class UseOrder {
 public:
  /// As distance(): no further request is known.
  static constexpr std::uint64_t never = UINT64_MAX;

  /// Nothing is known of future requests.
  UseOrder() = default;
  [[nodiscard]] static UseOrder unknown() { return {}; }
  /// The sequence over and over; empty: 0 to the last. A pipeline that is run many times.
  [[nodiscard]] static UseOrder cyclic(std::vector<std::size_t> sequence = {}) {
    return UseOrder(Kind::cyclic, std::move(sequence));
  }
  /// The sequence once; empty: 0 to the last. Nothing is known of what comes after it.
  [[nodiscard]] static UseOrder once(std::vector<std::size_t> sequence = {}) {
    return UseOrder(Kind::once, std::move(sequence));
  }

  [[nodiscard]] bool is_known() const noexcept { return kind_ != Kind::unknown; }

  /// Requests of the sequence.
  [[nodiscard]] std::uint64_t length() const noexcept { return sequence_.size(); }

  /// Makes it the order of `contexts` contexts, at its start. Returns a place of the sequence that
  /// is none of them, if there is one.
  [[nodiscard]] std::optional<std::size_t> begin(std::size_t contexts);

  /// The request that is expected after `ahead` others; none past the end.
  [[nodiscard]] std::optional<std::size_t> expected(std::uint64_t ahead = 0) const noexcept;

  /// How many requests come before the next one of `context`, of which the first `skipped` are
  /// passed over: 0 is the next of all.
  [[nodiscard]] std::uint64_t distance(std::size_t context,
                                       std::uint64_t skipped = 0) const noexcept;

  /// Takes note of a request. One that was not expected moves on behind the next place where the
  /// order has that context; another request of the last context, or one of a context that does
  /// not come any more, leaves the position as it is.
  void note(std::size_t context) noexcept;

 private:
  enum class Kind : std::uint8_t { unknown, cyclic, once };

  UseOrder(Kind kind, std::vector<std::size_t> sequence)
      : kind_(kind), sequence_(std::move(sequence)) {}

  Kind kind_ = Kind::unknown;
  std::vector<std::size_t> sequence_;
  /// By context: where in the sequence it stands.
  std::vector<std::vector<std::uint64_t>> places_;
  std::uint64_t position_ = 0;
};

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
  /// Returns an index into the candidates, which are one at least. A residency makes one call at a
  /// time and holds no lock meanwhile: the function may use the residency as a payload's function
  /// may. It must not throw.
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
  /// `choose` is not empty (contract).
  [[nodiscard]] static EvictionPolicy custom(Function choose) {
    QNNPP_EXPECTS(choose, "the custom eviction policy is an empty function; pass one that chooses");
    EvictionPolicy policy(Kind::custom);
    policy.choose_ = std::move(choose);
    return policy;
  }

  /// Whether it follows the order of use, if that is known.
  [[nodiscard]] bool follows_the_order() const noexcept {
    return kind_ == Kind::automatic || kind_ == Kind::farthest;
  }

  [[nodiscard]] bool is_custom() const noexcept { return kind_ == Kind::custom; }
  /// Whether `a` goes rather than `b`, by a policy that is not custom.
  [[nodiscard]] bool prefers(const EvictionCandidate& a, const EvictionCandidate& b) const noexcept;

  /// The index of the one to go. `candidates` is not empty (contract).
  [[nodiscard]] std::size_t choose(std::span<const EvictionCandidate> candidates) const;

 private:
  enum class Kind : std::uint8_t { automatic, farthest, lru, fifo, custom };
  explicit EvictionPolicy(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::automatic;
  Function choose_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/eviction.ipp"
#endif
