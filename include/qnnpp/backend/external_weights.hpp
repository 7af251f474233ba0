// ExternalWeights: whether a backend finalizes contexts with weights buffers of the application.
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <cstdint>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Evidence that a backend supports external weights. Capability 217 and QnnMem_register accept
/// external weights on every platform. A host library for Linux refuses them only in
/// QnnContext_finalize, with the code that also means "no room" (EXT-08). So only a finalized
/// context is evidence.
enum class ExternalWeights : std::uint32_t {
  untried,    ///< No evidence yet.
  confirmed,  ///< A context with external weights was finalized.
  refused,    ///< A context failed with external weights, and was finalized without them next.
};

/// Name of an enumerator, such as "confirmed"; "?" for any other value.
[[nodiscard]] constexpr const char* name_of(ExternalWeights weights) noexcept {
  switch (weights) {
    case ExternalWeights::untried: return "untried";
    case ExternalWeights::confirmed: return "confirmed";
    case ExternalWeights::refused: return "refused";
  }
  return "?";
}

namespace detail {

/// Evidence of one backend so far. Thread-safe.
class ExternalWeightsRecord {
 public:
  [[nodiscard]] ExternalWeights get() const noexcept {
    return shown_.load(std::memory_order_acquire);
  }
  /// Records that a context with external weights was finalized. Overrides a refusal.
  void confirm() noexcept { shown_.store(ExternalWeights::confirmed, std::memory_order_release); }
  /// Records a refusal. Does nothing if external weights are confirmed.
  void refuse() noexcept {
    auto expected = ExternalWeights::untried;
    (void)shown_.compare_exchange_strong(expected, ExternalWeights::refused);
  }

 private:
  std::atomic<ExternalWeights> shown_{ExternalWeights::untried};
};

}  // namespace detail
}}  // namespace qnnpp::QNNPP_NAMESPACE
