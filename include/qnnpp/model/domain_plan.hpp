// DomainPlan: which contexts fit a process domain together, and how many domains they need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "qnnpp/core/process_domain.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// One process domain of a packing.
struct PlannedDomain {
  std::vector<std::size_t> contexts;  ///< Their places in the report, largest first.
  std::uint64_t bytes = 0;            ///< Their estimates together.
};

/// How the contexts of a report can be spread over process domains. QNN chooses domains by itself:
/// a packing says what is possible, `at_least` what nobody can do better.
struct DomainPlan {
  std::uint64_t budget_bytes = process_domain_bytes;
  /// What was added for each graph, for its run list and its VTCM.
  std::uint64_t allowance_bytes = graph_allowance_bytes;
  /// Estimates of all contexts with the allowances of their graphs, in the order of the report.
  /// Inexact if a number is missing that binary or backend could report, or without an allowance.
  std::vector<ByteSum> estimates;
  /// Contexts larger than a whole domain: no domain takes them. They are in no packing.
  std::vector<std::size_t> too_large;
  /// Contexts by first fit decreasing: never more than 11/9 of the least number of domains, plus 1.
  std::vector<PlannedDomain> packing;
  /// A lower bound on the number of domains for the contexts that fit one.
  std::size_t at_least = 0;

  /// Whether one domain takes all.
  [[nodiscard]] bool all_together() const noexcept {
    return too_large.empty() && packing.size() <= 1;
  }
  /// Whether a domain can take both contexts, by their places; a context beside itself: alone.
  [[nodiscard]] bool can_share(std::size_t a, std::size_t b) const noexcept {
    if (a == b) return estimates[a].bytes <= budget_bytes;
    return estimates[a].bytes <= budget_bytes &&
           estimates[b].bytes <= budget_bytes - estimates[a].bytes;
  }
  /// Whether every estimate is exact. If not, all that fits here may fail to fit; what does not fit
  /// here does not.
  [[nodiscard]] bool exact() const noexcept {
    return std::all_of(estimates.begin(), estimates.end(),
                       [](const ByteSum& estimate) { return estimate.exact; });
  }
};

namespace detail {

[[nodiscard]] inline std::size_t domains_for(std::uint64_t bytes, std::uint64_t budget) noexcept {
  return static_cast<std::size_t>(bytes / budget + (bytes % budget != 0 ? 1 : 0));
}

/// The bound of Martello and Toth. `sizes` are sorted, largest first, and none is above the budget.
/// For each limit k up to half a domain: those above budget - k share with nothing of k or more,
/// those above half share with none of their kind, and what is left of k or more fills the gaps
/// first.
[[nodiscard]] inline std::size_t domains_at_least(const std::vector<std::uint64_t>& sizes,
                                                  std::uint64_t budget) {
  ByteSum all;
  for (const std::uint64_t size : sizes) all.add(size);
  std::size_t bound = domains_for(all.bytes, budget);
  std::vector<std::uint64_t> limits{0};
  for (const std::uint64_t size : sizes)
    if (size <= budget / 2 && size != limits.back()) limits.push_back(size);
  for (const std::uint64_t limit : limits) {
    std::size_t alone = 0, large = 0;
    ByteSum gaps, small;
    for (const std::uint64_t size : sizes) {
      if (size > budget - limit)
        ++alone;
      else if (size > budget / 2)
        ++large, gaps.add(budget - size);
      else if (size >= limit)
        small.add(size);
    }
    const std::uint64_t rest = small.bytes > gaps.bytes ? small.bytes - gaps.bytes : 0;
    bound = std::max(bound, alone + large + domains_for(rest, budget));
  }
  return bound;
}

}  // namespace detail

/// Packs contexts by their estimates (PD-01) into domains of `budget_bytes`, which is above 0.
/// `allowance_bytes` are added for each graph.
[[nodiscard]] inline DomainPlan plan_domains(
    const MemoryReport& report, std::uint64_t budget_bytes = process_domain_bytes,
    std::uint64_t allowance_bytes = graph_allowance_bytes) {
  DomainPlan plan;
  plan.budget_bytes = budget_bytes == 0 ? 1 : budget_bytes;
  plan.allowance_bytes = allowance_bytes;
  for (const ContextMemory& context : report.contexts) {
    ByteSum estimate{context.pd_estimate().bytes,
                     context.is_known() && (allowance_bytes != 0 || context.graphs == 0)};
    for (std::size_t i = 0; i < context.graphs; ++i) estimate.add(allowance_bytes);
    plan.estimates.push_back(estimate);
  }

  std::vector<std::size_t> order(report.contexts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const std::uint64_t a_bytes = plan.estimates[a].bytes, b_bytes = plan.estimates[b].bytes;
    return a_bytes != b_bytes ? a_bytes > b_bytes : a < b;
  });
  std::vector<std::uint64_t> sizes;
  for (const std::size_t i : order) {
    const std::uint64_t bytes = plan.estimates[i].bytes;
    if (bytes > plan.budget_bytes) {
      plan.too_large.push_back(i);
      continue;
    }
    sizes.push_back(bytes);
    auto domain = std::find_if(
        plan.packing.begin(), plan.packing.end(),
        [&](const auto& candidate) { return candidate.bytes <= plan.budget_bytes - bytes; });
    if (domain == plan.packing.end()) domain = plan.packing.insert(domain, PlannedDomain{});
    domain->contexts.push_back(i);
    domain->bytes += bytes;
  }
  plan.at_least = detail::domains_at_least(sizes, plan.budget_bytes);
  return plan;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
