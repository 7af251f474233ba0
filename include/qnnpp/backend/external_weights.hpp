// ExternalWeights: whether a backend brings contexts up over weights buffers of the application.
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <cstdint>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// What a backend has shown of external weights. Capability 217 and QnnMem_register say yes on
/// every platform: a host library for Linux refuses them in QnnContext_finalize, with the code that
/// also means "no room" (EXT-08). So only a finalized context is evidence.
enum class ExternalWeights : std::uint32_t {
  untried,    ///< No context with external weights was finalized.
  confirmed,  ///< One was.
  refused,    ///< One was refused, and finalized without them at once.
};

[[nodiscard]] constexpr const char* name_of(ExternalWeights weights) noexcept {
  switch (weights) {
    case ExternalWeights::untried: return "untried";
    case ExternalWeights::confirmed: return "confirmed";
    case ExternalWeights::refused: return "refused";
  }
  return "?";
}

namespace detail {

/// What one backend has shown so far. Thread-safe.
class ExternalWeightsRecord {
 public:
  [[nodiscard]] ExternalWeights get() const noexcept {
    return static_cast<ExternalWeights>(shown_.load(std::memory_order_acquire));
  }
  /// A context with external weights was finalized: there is no better evidence.
  void confirm() noexcept { set(ExternalWeights::confirmed); }
  /// Changes nothing once they are confirmed.
  void refuse() noexcept {
    auto expected = static_cast<std::uint32_t>(ExternalWeights::untried);
    (void)shown_.compare_exchange_strong(expected,
                                         static_cast<std::uint32_t>(ExternalWeights::refused));
  }

 private:
  void set(ExternalWeights shown) noexcept {
    shown_.store(static_cast<std::uint32_t>(shown), std::memory_order_release);
  }

  std::atomic<std::uint32_t> shown_{static_cast<std::uint32_t>(ExternalWeights::untried)};
};

}  // namespace detail
}  // namespace qnnpp::inline QNNPP_NAMESPACE
