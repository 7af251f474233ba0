// Capacity: what fits the device - what the caller allows, and what refusals have taught.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

namespace detail {

/// The sum, or the largest number rather than to overflow: a need may be any number.
[[nodiscard]] constexpr std::uint64_t sum_bytes(std::uint64_t a, std::uint64_t b) noexcept {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

}  // namespace detail

/// Contexts and the bytes that they take together.
struct Occupancy {
  std::size_t contexts = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

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
  [[nodiscard]] bool admits(const Occupancy& wanted) const noexcept {
    if (max_contexts_ != 0 && wanted.contexts > max_contexts_) return false;
    return std::none_of(refused_.begin(), refused_.end(), [&](const Occupancy& refused) {
      return wanted.contexts >= refused.contexts && wanted.bytes >= refused.bytes;
    });
  }

  /// Keeps what was refused before `fitted` went.
  void learn(const std::vector<Occupancy>& refused, const Occupancy& fitted) {
    for (const Occupancy& each : refused) {
      const bool has_fitted = each.contexts <= fitted.contexts && each.bytes <= fitted.bytes;
      if (has_fitted || !admits(each)) continue;
      std::erase_if(refused_, [&](const Occupancy& kept) {
        return kept.contexts >= each.contexts && kept.bytes >= each.bytes;
      });
      refused_.push_back(each);
    }
    if (!refused.empty()) fitted_ = fitted;
  }
  void forget() noexcept {
    refused_.clear();
    fitted_ = {};
  }
  /// What went after the last refusal; zeros where nothing was refused.
  [[nodiscard]] const Occupancy& learnt() const noexcept { return fitted_; }

  /// Whether an error of loading says that there is no room (RES-01): 1002, 5005, a mapping that
  /// the device refuses, an allocation that failed. ContextLoader returns another error for a 5005
  /// that is about the binary (RES-04).
  [[nodiscard]] static bool is_exceeded(const Error& error) noexcept {
    if (error.kind == Errc::allocation_failed) return true;
    return error.kind == Errc::qnn &&
           (error.code == code_of(c_api::CommonError::mem_alloc) ||
            error.code == code_of(c_api::ContextError::create_from_binary) ||
            error.code == code_of(c_api::MemError::mapping));
  }

 private:
  std::uint64_t budget_bytes_ = 0;
  std::size_t max_contexts_ = 0;
  std::vector<Occupancy> refused_;
  Occupancy fitted_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
