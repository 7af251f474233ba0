// DomainPlan: which contexts fit a process domain together, and how many domains they need.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
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
  /// Places of all contexts that fit a domain alone, largest estimate first, then by place. Those
  /// that cannot share one with a given context are the first of them.
  [[nodiscard]] std::vector<std::size_t> by_estimate() const;
  /// How many of `order`, which is by_estimate(), cannot share a domain with the context at this
  /// place, which fits one alone: the first so many, itself among them if it is above half.
  [[nodiscard]] std::size_t excluded(const std::vector<std::size_t>& order,
                                     std::size_t place) const noexcept;
  /// The same, without the context itself.
  [[nodiscard]] std::size_t others_excluded(const std::vector<std::size_t>& order,
                                            std::size_t place) const noexcept {
    const bool is_counted = estimates[place].bytes > budget_bytes - estimates[place].bytes;
    return excluded(order, place) - (is_counted ? 1 : 0);
  }
  /// Whether every estimate is exact. If not, all that fits here may fail to fit; what does not fit
  /// here does not.
  [[nodiscard]] bool exact() const noexcept;
};

/// Packs contexts by their estimates (PD-01) into domains of `budget_bytes`, which is above 0.
/// `allowance_bytes` are added for each graph.
[[nodiscard]] DomainPlan plan_domains(const MemoryReport& report,
                                      std::uint64_t budget_bytes = process_domain_bytes,
                                      std::uint64_t allowance_bytes = graph_allowance_bytes);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/domain_plan.ipp"
#endif
