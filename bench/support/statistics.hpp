// Robust statistics by the GNU Scientific Library: medians, their spread, bootstrap intervals of
// ratios, and fits of growth.
#pragma once

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <gsl/gsl_vector.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "support/report.hpp"

namespace bench {

[[nodiscard]] inline double median(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  gsl_sort(sorted.data(), 1, sorted.size());
  return gsl_stats_median_from_sorted_data(sorted.data(), 1, sorted.size());
}

/// Median absolute deviation, scaled to the standard deviation of normal samples.
[[nodiscard]] inline double spread(std::span<const double> samples) {
  std::vector<double> work(samples.size());
  return gsl_stats_mad(samples.data(), 1, samples.size(), work.data());
}

/// Least sample. Suits times that disturbances can only lengthen.
[[nodiscard]] inline double least(std::span<const double> samples) {
  return *std::min_element(samples.begin(), samples.end());
}

/// The middle 95 % of bootstrap samples.
[[nodiscard]] inline Interval middle(std::vector<double> values) {
  gsl_sort(values.data(), 1, values.size());
  return {gsl_stats_quantile_from_sorted_data(values.data(), 1, values.size(), 0.025),
          gsl_stats_quantile_from_sorted_data(values.data(), 1, values.size(), 0.975)};
}

/// Interval of the median by 2,000 bootstrap samples. The random numbers are the same in every run.
[[nodiscard]] inline Interval interval_of_median(std::span<const double> values) {
  gsl_rng* random = gsl_rng_alloc(gsl_rng_mt19937);
  std::vector<double> medians(2000);
  std::vector<double> drawn(values.size());
  for (double& each : medians) {
    for (double& value : drawn) value = values[gsl_rng_uniform_int(random, values.size())];
    each = median(drawn);
  }
  gsl_rng_free(random);
  return middle(std::move(medians));
}

using Statistic = double (*)(std::span<const double>);

struct Ratio {
  double value = 0.0;
  Interval interval;
};

/// of(ours) / of(theirs), and its interval by 2,000 bootstrap samples. The random numbers are the
/// same in every run.
[[nodiscard]] inline Ratio ratio(std::span<const double> ours, std::span<const double> theirs,
                                 Statistic of = median) {
  gsl_rng* random = gsl_rng_alloc(gsl_rng_mt19937);
  std::vector<double> ratios(2000);
  std::vector<double> a(ours.size());
  std::vector<double> b(theirs.size());
  for (double& each : ratios) {
    gsl_ran_sample(random, a.data(), a.size(), const_cast<double*>(ours.data()), ours.size(),
                   sizeof(double));
    gsl_ran_sample(random, b.data(), b.size(), const_cast<double*>(theirs.data()), theirs.size(),
                   sizeof(double));
    each = of(a) / of(b);
  }
  gsl_rng_free(random);
  return {of(ours) / of(theirs), middle(std::move(ratios))};
}

/// y = c0 + c1 x + ... by a robust fit (bisquare weights): outliers of a noisy machine count less.
struct Fit {
  std::vector<double> coefficients;
  std::vector<Interval> intervals;
};

/// `degree` 1: a line; 2: with a quadratic term, whose interval contains 0 if growth is linear.
[[nodiscard]] inline Fit fit(std::span<const double> x, std::span<const double> y,
                             std::size_t degree) {
  const std::size_t terms = degree + 1;
  gsl_matrix* powers = gsl_matrix_alloc(x.size(), terms);
  gsl_vector* values = gsl_vector_alloc(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    gsl_vector_set(values, i, y[i]);
    double power = 1.0;
    for (std::size_t term = 0; term < terms; ++term, power *= x[i])
      gsl_matrix_set(powers, i, term, power);
  }
  gsl_vector* found = gsl_vector_alloc(terms);
  gsl_matrix* covariance = gsl_matrix_alloc(terms, terms);
  gsl_multifit_robust_workspace* work =
      gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, x.size(), terms);
  gsl_multifit_robust_maxiter(10000, work);
  gsl_multifit_robust(powers, values, found, covariance, work);
  const double width = gsl_cdf_tdist_Pinv(0.975, static_cast<double>(x.size() - terms));
  Fit result;
  for (std::size_t term = 0; term < terms; ++term) {
    const double value = gsl_vector_get(found, term);
    const double error = std::sqrt(gsl_matrix_get(covariance, term, term));
    result.coefficients.push_back(value);
    result.intervals.push_back({value - width * error, value + width * error});
  }
  gsl_multifit_robust_free(work);
  gsl_matrix_free(covariance);
  gsl_vector_free(found);
  gsl_vector_free(values);
  gsl_matrix_free(powers);
  return result;
}

}  // namespace bench
