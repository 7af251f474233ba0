// Process domains of the simulated DSP. Each holds contexts until their estimates reach its budget.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "qnnpp/sim/control.hpp"

namespace qnnpp::sim {

/// Number that stands for no process domain.
inline constexpr std::uint32_t no_domain = 0xFFFFFFFFu;

/// Fill levels of the process domains. Not thread-safe: the device's mutex guards them.
class ProcessDomains {
 public:
  /// Adds a context of `estimate_bytes` to the first domain that has room and for which `works`
  /// returns true. Tries the domains in the host library's order. Returns no_domain if none fits.
  template <class Works>
  [[nodiscard]] std::uint32_t place(std::uint64_t estimate_bytes, const Config& config,
                                    Works works) {
    for (const std::uint32_t i : order) {
      if (i >= config.pd_count || used_[i] > config.pd_budget_bytes ||
          estimate_bytes > config.pd_budget_bytes - used_[i] || !works(i))
        continue;
      used_[i] += estimate_bytes;
      return i;
    }
    return no_domain;
  }

  void release(std::uint32_t domain, std::uint64_t estimate_bytes) noexcept {
    if (domain < used_.size()) used_[domain] -= estimate_bytes;
  }

  [[nodiscard]] std::uint64_t used_bytes(std::size_t domain) const noexcept {
    return used_[domain];
  }
  [[nodiscard]] std::uint64_t total_bytes() const noexcept {
    std::uint64_t total = 0;
    for (const std::uint64_t used : used_) total += used;
    return total;
  }

 private:
  static constexpr std::array<std::uint32_t, 16> order{0, 2, 3,  1,  4,  5,  6,  7,
                                                       8, 9, 10, 11, 12, 13, 14, 15};
  std::array<std::uint64_t, 16> used_{};
};

}  // namespace qnnpp::sim
