// Capacity: limits on the resident contexts. WeightsPool: free weights buffers.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "qnnpp/core/states.hpp"
#include "qnnpp/memory/mem_region.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Returns the sum, or the largest number on overflow. Needs can be arbitrarily large.
[[nodiscard]] constexpr std::uint64_t sum_bytes(std::uint64_t a, std::uint64_t b) noexcept {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/// A number of contexts and the bytes that they occupy together.
struct Occupancy {
  std::size_t contexts = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

/// Limits on the resident contexts, given or learnt. A refusal of n contexts with b bytes excludes
/// every occupancy of at least n contexts and at least b bytes, and nothing else.
class Capacity {
 public:
  Capacity() = default;
  /// A 0 sets no limit.
  Capacity(std::uint64_t budget_bytes, std::size_t max_contexts)
      : budget_bytes_(budget_bytes), max_contexts_(max_contexts) {}

  [[nodiscard]] std::uint64_t budget_bytes() const noexcept { return budget_bytes_; }

  /// Whether all bytes together are within the budget.
  [[nodiscard]] bool affords(std::uint64_t bytes) const noexcept {
    return budget_bytes_ == 0 || bytes <= budget_bytes_;
  }
  /// Whether an occupancy is within the maximum of contexts and the learnt limits.
  [[nodiscard]] bool admits(const Occupancy& wanted) const noexcept;

  /// Learns from refusals that were followed by the successful `fitted`.
  void learn(const std::vector<Occupancy>& refused, const Occupancy& fitted);
  /// Forgets the learnt limits.
  void forget() noexcept {
    refused_.clear();
    fitted_ = {};
  }
  /// Occupancy that fitted after the last refusal; zeros if nothing was refused.
  [[nodiscard]] const Occupancy& learnt() const noexcept { return fitted_; }

 private:
  std::uint64_t budget_bytes_ = 0;
  std::size_t max_contexts_ = 0;
  std::vector<Occupancy> refused_;
  Occupancy fitted_;
};

/// Free weights buffers. A buffer fits a need if it exceeds it by at most a quarter. The excess
/// occupies room: with a smaller limit more buffers are allocated, with a larger one more contexts
/// are loaded. Not thread-safe.
class WeightsPool {
 public:
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return free_.size(); }

  /// Reserves memory for this number of buffers, so that put() allocates nothing.
  void reserve(std::size_t buffers) { free_.reserve(buffers); }
  /// Adds a free buffer; ignores an empty one.
  void put(MemRegion<Weights> region);

  /// Size of the buffer that take() would return; 0 if there is none.
  [[nodiscard]] std::uint64_t fitting_bytes(std::uint64_t need_bytes) const noexcept;
  /// Removes and returns the smallest buffer that fits; empty if there is none.
  [[nodiscard]] MemRegion<Weights> take(std::uint64_t need_bytes);
  /// Removes the longest-idle buffer that take(need_bytes) would not choose, for the caller to
  /// free; empty if there is none.
  [[nodiscard]] MemRegion<Weights> take_other(std::uint64_t need_bytes);

 private:
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t need_bytes) const noexcept;
  [[nodiscard]] MemRegion<Weights> remove(std::size_t at);

  std::vector<MemRegion<Weights>> free_;
  std::uint64_t bytes_ = 0;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/room.ipp"
#endif
