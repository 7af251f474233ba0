// Statistics of measured durations. They describe the measured executions and claim nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace run {

/// Returns the value below which the share `share` of sorted values lies, from 0 to 1. Interpolates
/// between neighbours, as numpy.percentile() does. `sorted` is not empty.
[[nodiscard]] inline double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Quantiles of durations.
struct Statistics {
  std::size_t count = 0;
  double min = 0;
  std::optional<double> p10 = {};  // of 10 values and more
  double median = 0;
  std::optional<double> p90 = {};  // of 10 values and more
  std::optional<double> p99 = {};  // of 100 values and more
  double max = 0;

  /// Returns (p90 - p10) / median: how far apart the middle 80 % of the values are. Empty for fewer
  /// than 10 values, and if the median is 0.
  [[nodiscard]] std::optional<double> spread() const noexcept {
    if (!p90 || median == 0) return std::nullopt;
    return (*p90 - *p10) / median;
  }
};

/// Returns the statistics of values in any order; all 0 without values.
[[nodiscard]] inline Statistics statistics_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto percentile = [&](std::size_t least, double share) {
    return values.size() < least ? std::nullopt : std::optional(quantile(values, share));
  };
  return {.count = values.size(),
          .min = values.front(),
          .p10 = percentile(10, 0.10),
          .median = quantile(values, 0.50),
          .p90 = percentile(10, 0.90),
          .p99 = percentile(100, 0.99),
          .max = values.back()};
}

}  // namespace run
