// Statistics of measured durations. They describe the measured executions and claim nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
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
  double p10 = 0;
  double median = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;

  /// Returns (p90 - p10) / median: how far apart the middle 80 % of the values are. 0 if the median
  /// is 0.
  [[nodiscard]] double spread() const noexcept { return median == 0 ? 0 : (p90 - p10) / median; }
};

/// Returns the statistics of values in any order; all 0 without values.
[[nodiscard]] inline Statistics statistics_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {.count = values.size(),
          .min = values.front(),
          .p10 = quantile(values, 0.10),
          .median = quantile(values, 0.50),
          .p90 = quantile(values, 0.90),
          .p99 = quantile(values, 0.99),
          .max = values.back()};
}

}  // namespace run
