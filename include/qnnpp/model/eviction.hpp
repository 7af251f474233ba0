// UseOrder: the order in which contexts are used. EvictionPolicy: chooses the context to evict.
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

/// A number of contexts and the bytes that they occupy together.
struct Occupancy {
  std::size_t contexts = 0;  ///< Number of contexts.
  std::uint64_t bytes = 0;   ///< Bytes of all of them.
  /// Compares both numbers.
  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

/// A sequence of contexts and the position of the next expected request. Contexts are named by
/// their places in the list of binaries. Requests may depart from the sequence. Not thread-safe.
class UseOrder {
 public:
  /// Returned by distance() if no further request is known.
  static constexpr std::uint64_t never = UINT64_MAX;

  /// Makes an unknown order.
  UseOrder() = default;
  /// Returns an order that knows no future requests.
  [[nodiscard]] static UseOrder unknown() { return {}; }
  /// Returns an order that repeats `sequence`, as a pipeline that runs many times does. Empty:
  /// every context once, in the order of the binaries.
  [[nodiscard]] static UseOrder cyclic(std::vector<std::size_t> sequence = {}) {
    return UseOrder(Kind::cyclic, std::move(sequence));
  }
  /// Returns an order that ends after one `sequence`; later requests are unknown. Empty: every
  /// context once, in the order of the binaries.
  [[nodiscard]] static UseOrder once(std::vector<std::size_t> sequence = {}) {
    return UseOrder(Kind::once, std::move(sequence));
  }

  /// Whether the order is not unknown().
  [[nodiscard]] bool is_known() const noexcept { return kind_ != Kind::unknown; }

  /// Number of requests in the sequence.
  [[nodiscard]] std::uint64_t length() const noexcept { return sequence_.size(); }

  /// Prepares the order for this number of contexts and moves it to its start. Residency::create()
  /// calls it. Returns the first place in the sequence that is not below `contexts`, if any.
  [[nodiscard]] std::optional<std::size_t> begin(std::size_t contexts);

  /// Returns the place of the context expected after `ahead` other requests; nothing past the end.
  [[nodiscard]] std::optional<std::size_t> expected(std::uint64_t ahead = 0) const noexcept;

  /// Returns how many requests are expected before the next request for `context`: 0 if it is the
  /// very next one, `never` if none is known. Ignores the first `skipped` requests in its search,
  /// but counts them.
  [[nodiscard]] std::uint64_t distance(std::size_t context,
                                       std::uint64_t skipped = 0) const noexcept;

  /// Records a request for `context` and moves the position behind the next place of that context
  /// in the sequence. An unexpected request leaves the position unchanged if it repeats the last
  /// context, or if no further request for its context is known. Returns whether the position
  /// moved.
  bool note(std::size_t context) noexcept;

 private:
  enum class Kind : std::uint8_t { unknown, cyclic, once };

  UseOrder(Kind kind, std::vector<std::size_t> sequence)
      : kind_(kind), sequence_(std::move(sequence)) {}

  Kind kind_ = Kind::unknown;
  std::vector<std::size_t> sequence_;
  /// For each context, its positions in the sequence, ascending.
  std::vector<std::vector<std::uint64_t>> places_;
  std::uint64_t position_ = 0;
};

/// A resident context that can be evicted.
struct EvictionCandidate {
  std::size_t context = 0;      ///< Its place in the list of binaries.
  std::uint64_t bytes = 0;      ///< Bytes that it occupies in the budget.
  std::uint64_t loaded_at = 0;  ///< Number of requests made until it was loaded.
  std::uint64_t last_use = 0;   ///< Number of requests made until its last use.
  /// Number of requests expected before its next use; UseOrder::never if none is known.
  std::uint64_t next_use = UseOrder::never;
};

/// Chooses the context to evict among candidates.
class EvictionPolicy {
 public:
  /// A custom policy. Receives at least one candidate and returns the index of the one to evict.
  /// The residency makes one call at a time and holds no lock. The function may use the residency
  /// within the limits of ResidencyOptions::payload. It must not throw.
  using Function = std::function<std::size_t(std::span<const EvictionCandidate>)>;

  /// Uses farthest_next_use() with a known order of use, and least_recently_used() without.
  EvictionPolicy() = default;

  /// Evicts the context whose next use is farthest. Needs the fewest possible loads if all contexts
  /// have the same size (Belady). Contexts without a known next use are evicted first, the least
  /// recently used before the others.
  [[nodiscard]] static EvictionPolicy farthest_next_use() { return EvictionPolicy(Kind::farthest); }
  /// Evicts the least recently used context. The worst choice for a pipeline that repeats: each
  /// context is evicted before it is used again.
  [[nodiscard]] static EvictionPolicy least_recently_used() { return EvictionPolicy(Kind::lru); }
  /// Evicts the context that was loaded first.
  [[nodiscard]] static EvictionPolicy first_in_first_out() { return EvictionPolicy(Kind::fifo); }
  /// Evicts the context that `choose` returns. `choose` is not empty (contract).
  [[nodiscard]] static EvictionPolicy custom(Function choose) {
    QNNPP_EXPECTS(choose, "the custom eviction policy is an empty function; pass one that chooses");
    EvictionPolicy policy(Kind::custom);
    policy.choose_ = std::move(choose);
    return policy;
  }

  /// Whether the policy uses the order of use if that is known: the default policy and
  /// farthest_next_use().
  [[nodiscard]] bool follows_the_order() const noexcept {
    return kind_ == Kind::automatic || kind_ == Kind::farthest;
  }

  /// Whether the policy calls a function of the caller.
  [[nodiscard]] bool is_custom() const noexcept { return kind_ == Kind::custom; }
  /// Whether `a` is evicted before `b`. For policies that are not custom.
  [[nodiscard]] bool prefers(const EvictionCandidate& a, const EvictionCandidate& b) const noexcept;

  /// Returns the index of the candidate to evict. `candidates` is not empty, and a custom function
  /// returns an index below its size (contracts).
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
