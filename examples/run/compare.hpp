// Comparison of an output with the expected numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/core/tensor_spec.hpp"

namespace run {

/// Condition for a match.
struct Criterion {
  /// A number matches if |found - expected| <= absolute + relative * |expected|. A NaN never does.
  struct Tolerance {
    double absolute = 1e-3;
    double relative = 1e-3;
  };
  /// Not used if it is empty.
  std::optional<Tolerance> tolerance = Tolerance();
  /// Requires that the largest number of each row, along the last dimension, is at the same place.
  /// A row with a NaN on either side never matches.
  bool top_1 = false;
};

/// Result of a comparison.
struct Comparison {
  bool matches = false;
  std::size_t count = 0;
  std::size_t differing = 0;            ///< Numbers outside the tolerance; 0 without a tolerance.
  double largest_difference = 0;        ///< NaN if a number of either side is NaN.
  std::vector<std::uint32_t> index;     ///< Indices of the largest difference.
  double found = 0;                     ///< The output's number there.
  double expected = 0;                  ///< The expected number there.
  std::optional<double> cosine;         ///< Empty if one side is all zeros or has a NaN.
  std::optional<double> sqnr_db;        ///< Signal to quantisation noise; empty if equal or NaN.
  std::size_t rows = 0;                 ///< Rows along the last dimension.
  std::size_t rows_with_other_top = 0;  ///< Rows with a NaN or another place of the top.
};

namespace detail {

/// Returns the place of the largest number; nothing if a number is NaN. `row` is not empty.
[[nodiscard]] inline std::optional<std::ptrdiff_t> top_of(std::span<const double> row) {
  if (std::any_of(row.begin(), row.end(), [](double number) { return std::isnan(number); }))
    return std::nullopt;
  return std::max_element(row.begin(), row.end()) - row.begin();
}

[[nodiscard]] inline std::vector<std::uint32_t> indices_of(
    std::size_t place, const std::vector<std::uint32_t>& dimensions) {
  std::vector<std::uint32_t> indices(dimensions.size());
  for (std::size_t i = dimensions.size(); i-- != 0;) {
    indices[i] = static_cast<std::uint32_t>(place % dimensions[i]);
    place /= dimensions[i];
  }
  return indices;
}

}  // namespace detail

/// Compares numbers in row-major order. Both have one number for each element of `dimensions`.
[[nodiscard]] inline Comparison compare(std::span<const double> found,
                                        std::span<const double> expected,
                                        const std::vector<std::uint32_t>& dimensions,
                                        const Criterion& criterion) {
  Comparison result;
  result.count = found.size();
  double dot = 0;
  double found_squares = 0;
  double expected_squares = 0;
  double error_squares = 0;
  std::size_t worst = 0;
  double worst_difference = -1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    // Equal infinities differ by 0.
    const double difference = found[i] == expected[i] ? 0.0 : std::fabs(found[i] - expected[i]);
    const bool is_worse =
        std::isnan(difference) ? !std::isnan(worst_difference) : difference > worst_difference;
    if (is_worse) {
      worst = i;
      worst_difference = difference;
    }
    // An infinite expectation would permit every number.
    if (criterion.tolerance && found[i] != expected[i] &&
        !(std::isfinite(difference) &&
          difference <= criterion.tolerance->absolute +
                            criterion.tolerance->relative * std::fabs(expected[i])))
      ++result.differing;
    dot += found[i] * expected[i];
    found_squares += found[i] * found[i];
    expected_squares += expected[i] * expected[i];
    error_squares += (found[i] - expected[i]) * (found[i] - expected[i]);
  }
  if (!found.empty()) {
    result.largest_difference = worst_difference;
    result.index = detail::indices_of(worst, dimensions);
    result.found = found[worst];
    result.expected = expected[worst];
  }
  const double cosine = dot / std::sqrt(found_squares * expected_squares);
  if (std::isfinite(cosine)) result.cosine = cosine;
  const double sqnr = 10 * std::log10(expected_squares / error_squares);
  if (std::isfinite(sqnr)) result.sqnr_db = sqnr;
  const std::size_t row = dimensions.empty() ? 1 : dimensions.back();
  for (std::size_t i = 0; i + row <= found.size() && row != 0; i += row) {
    ++result.rows;
    const auto top = detail::top_of(found.subspan(i, row));
    if (!top || top != detail::top_of(expected.subspan(i, row))) ++result.rows_with_other_top;
  }
  result.matches = result.differing == 0 && (!criterion.top_1 || result.rows_with_other_top == 0);
  return result;
}

}  // namespace run
