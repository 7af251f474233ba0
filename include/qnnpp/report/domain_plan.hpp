// DomainPlan: which contexts fit a process domain together, and how many domains they need.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "qnnpp/model/memory_report.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Limit of the summed estimates (ContextMemory::pd_estimate()) of one process domain, in bytes:
/// 85 % of 4 GiB. On a device (SM8750, v79, SDK 2.48, unsigned) an estimate of 3,622,382,882 bytes
/// loaded, and one of 3,652,345,600 did not. Host library 2.48.40 puts 15 contexts of 242,198,784
/// bytes into a domain, and 45 of 79,838,720.
inline constexpr std::uint64_t process_domain_bytes = 3'650'722'201;

/// Process domains that a host library uses, in the order in which it tries them for a context.
inline constexpr std::array<std::uint32_t, 4> process_domains{0, 2, 3, 1};

/// Bytes that a plan counts for run list and VTCM together of a graph whose binary does not report
/// both, as binaries of SDKs before 2.35. Such graphs needed up to 2,926,848 + 8,388,608 bytes.
inline constexpr std::uint64_t graph_allowance_bytes = std::uint64_t{16} << 20;

/// A distribution of a report's contexts over process domains. QNN puts each context into the first
/// of `process_domains` with room: `packing` results if the contexts load in its order, largest
/// first. `at_least` is a limit that no order beats.
struct DomainPlan {
  /// Bytes that one process domain can hold.
  std::uint64_t budget_bytes = process_domain_bytes;
  /// Bytes for run list and VTCM of a graph whose binary does not report both.
  std::uint64_t allowance_bytes = graph_allowance_bytes;
  /// Bytes that the estimates have for run lists, for each context in the order of the report. A
  /// run list is larger than its op data, and nothing states by how much: the op data once more,
  /// and at least 32 KiB for each graph. 0 for a context without op data.
  std::vector<std::uint64_t> allowances;
  /// Estimates of all contexts, in the order of the report, with their allowances. Exact as
  /// ContextMemory::pd_estimate() is.
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
  /// Whether every estimate is exact. Otherwise contexts that fit in the plan may not fit on the
  /// device; without their allowances, the estimates are lower bounds.
  [[nodiscard]] bool exact() const noexcept;
};

/// Distributes contexts by their estimates (PD-01) over domains of `budget_bytes`, which is above
/// 0. Counts `allowance_bytes` for each graph whose binary does not report run list and VTCM.
[[nodiscard]] DomainPlan plan_domains(const MemoryReport& report,
                                      std::uint64_t budget_bytes = process_domain_bytes,
                                      std::uint64_t allowance_bytes = graph_allowance_bytes);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/report/domain_plan.ipp"
#endif
