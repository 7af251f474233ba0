// Capacity and WeightsPool: what fits the device, and free weights buffers to use again.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "qnnpp/core/states.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/model/eviction.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// The sum, or the largest number rather than to overflow: a need may be any number.
[[nodiscard]] constexpr std::uint64_t sum_bytes(std::uint64_t a, std::uint64_t b) noexcept {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/// Limits on what is resident at a time. What was refused once, and more than that, is not tried
/// again: a refusal with n contexts of b bytes says nothing of fewer contexts, or of fewer bytes.
class Capacity {
 public:
  Capacity() = default;
  /// 0: no limit of that kind.
  Capacity(std::uint64_t budget_bytes, std::size_t max_contexts)
      : budget_bytes_(budget_bytes), max_contexts_(max_contexts) {}

  [[nodiscard]] std::uint64_t budget_bytes() const noexcept { return budget_bytes_; }

  /// Whether `bytes` of every kind are within the budget.
  [[nodiscard]] bool affords(std::uint64_t bytes) const noexcept {
    return budget_bytes_ == 0 || bytes <= budget_bytes_;
  }
  /// Whether so many contexts may be tried.
  [[nodiscard]] bool admits(const Occupancy& wanted) const noexcept;

  /// Keeps what was refused before `fitted` went.
  void learn(const std::vector<Occupancy>& refused, const Occupancy& fitted);
  void forget() noexcept {
    refused_.clear();
    fitted_ = {};
  }
  /// What went after the last refusal; zeros where nothing was refused.
  [[nodiscard]] const Occupancy& learnt() const noexcept { return fitted_; }

 private:
  std::uint64_t budget_bytes_ = 0;
  std::size_t max_contexts_ = 0;
  std::vector<Occupancy> refused_;
  Occupancy fitted_;
};

/// Free buffers, found by size. Its owner serialises its use.
class WeightsPool {
 public:
  /// `slack_percent`: how much larger than asked for a buffer may be to be given out.
  explicit WeightsPool(std::uint32_t slack_percent = 25) : slack_percent_(slack_percent) {}

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return free_.size(); }

  /// Makes room for so many, so that put() allocates nothing.
  void reserve(std::size_t buffers) { free_.reserve(buffers); }
  void put(MemRegion<Weights> region);

  /// Bytes of the buffer that take() would give; 0: none.
  [[nodiscard]] std::uint64_t fitting_bytes(std::uint64_t need_bytes) const noexcept;
  /// The smallest buffer that is large enough, and not too large; empty where there is none.
  [[nodiscard]] MemRegion<Weights> take(std::uint64_t need_bytes);
  /// Removes the longest-idle buffer that take(need_bytes) would not choose, for the caller to
  /// drop; empty if there is none.
  [[nodiscard]] MemRegion<Weights> take_other(std::uint64_t need_bytes);
  [[nodiscard]] std::vector<MemRegion<Weights>> take_all();

 private:
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t need_bytes) const noexcept;
  [[nodiscard]] MemRegion<Weights> remove(std::size_t at);

  std::vector<MemRegion<Weights>> free_;
  std::uint64_t bytes_ = 0;
  std::uint32_t slack_percent_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/room.ipp"
#endif
