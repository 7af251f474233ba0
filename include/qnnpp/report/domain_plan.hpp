// DomainPlan: which contexts fit a process domain together, and how many domains they need.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "qnnpp/model/memory_report.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Limit of the summed estimates (ContextMemory::pd_estimate()) of one process domain, in bytes.
/// Measured on one device only (SM8750, v79, SDK 2.48, unsigned). A context of 3506 MB loaded. A
/// context of 3535 MB, with a logged estimate of 3,652,345,600 bytes, did not load. In the same
/// proportion, the estimate of the first context was 3,622,382,882 bytes.
inline constexpr std::uint64_t process_domain_bytes = 3'622'400'000;

/// Bytes that a plan adds for the run list and the VTCM of a graph, which most binaries do not
/// report. The one graph whose estimate is known part by part needed 2,926,848 + 8,388,608 bytes.
inline constexpr std::uint64_t graph_allowance_bytes = std::uint64_t{16} << 20;

/// A distribution of a report's contexts over process domains. QNN chooses the domains by itself:
/// `packing` is a possible distribution, and `at_least` a limit that no distribution beats.
struct DomainPlan {
  /// Bytes that one process domain can hold.
  std::uint64_t budget_bytes = process_domain_bytes;
  /// Bytes added to a context's estimate for each graph, for its run list and VTCM.
  std::uint64_t allowance_bytes = graph_allowance_bytes;
  /// Estimates of all contexts, in the order of the report, with the allowances of their graphs. An
  /// estimate is inexact if it lacks a number that the binary or the backend can report, or if the
  /// context has graphs and the allowance is 0.
  std::vector<ByteSum> estimates;
  /// Places of the contexts whose estimate exceeds `budget_bytes`. No domain can hold them, and
  /// the packing excludes them.
  std::vector<std::size_t> too_large;
  /// Domains filled by first fit decreasing: at most 11/9 of the smallest possible number, plus 1.
  /// Each lists the indices of its contexts in the report, largest first.
  std::vector<std::vector<std::size_t>> packing;
  /// Lower bound on the number of domains for the contexts that fit in one.
  std::size_t at_least = 0;

  /// Returns the sum of the estimates of a domain of `packing`.
  [[nodiscard]] std::uint64_t bytes_of(const std::vector<std::size_t>& domain) const noexcept;
  /// Whether one domain can hold all contexts.
  [[nodiscard]] bool all_together() const noexcept {
    return too_large.empty() && packing.size() <= 1;
  }
  /// Whether one domain can hold the contexts with index `a` and `b`. If `a` equals `b`: whether it
  /// can hold this context alone.
  [[nodiscard]] bool can_share(std::size_t a, std::size_t b) const noexcept {
    if (a == b) return estimates[a].bytes <= budget_bytes;
    return estimates[a].bytes <= budget_bytes &&
           estimates[b].bytes <= budget_bytes - estimates[a].bytes;
  }
  /// Returns the indices of all contexts that fit in a domain alone: largest estimate first, equal
  /// ones by index. The contexts that cannot share a domain with a given one come first.
  [[nodiscard]] std::vector<std::size_t> by_estimate() const;
  /// Returns how many contexts of `order`, counted from its first, cannot share a domain with the
  /// context at `index`. Counts this context too if its estimate exceeds half the budget. `order`
  /// is by_estimate(), and the context fits in a domain alone.
  [[nodiscard]] std::size_t excluded(const std::vector<std::size_t>& order,
                                     std::size_t index) const noexcept;
  /// Returns excluded() without the context itself.
  [[nodiscard]] std::size_t others_excluded(const std::vector<std::size_t>& order,
                                            std::size_t index) const noexcept {
    const bool is_counted = estimates[index].bytes > budget_bytes - estimates[index].bytes;
    return excluded(order, index) - (is_counted ? 1 : 0);
  }
  /// Whether every estimate is exact. Otherwise the estimates are lower bounds: contexts that fit
  /// in the plan may not fit on the device, but contexts that do not fit in the plan never do.
  [[nodiscard]] bool exact() const noexcept;
};

/// Distributes contexts by their estimates (PD-01) over domains of `budget_bytes`, which is above
/// 0. Adds `allowance_bytes` to the estimate for each graph.
[[nodiscard]] DomainPlan plan_domains(const MemoryReport& report,
                                      std::uint64_t budget_bytes = process_domain_bytes,
                                      std::uint64_t allowance_bytes = graph_allowance_bytes);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/report/domain_plan.ipp"
#endif
