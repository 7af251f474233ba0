// Definitions of domain_plan.hpp.
#pragma once

#include "qnnpp/report/domain_plan.hpp"

#include <algorithm>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// Returns the bytes of a context that its estimate lacks.
[[nodiscard]] QNNPP_INLINE std::uint64_t allowance_of(const ContextMemory& context,
                                                      std::uint64_t allowance_bytes) noexcept {
  // Run lists of 20,480 to 30,720 bytes were logged for graphs with 2,816 to 8,704 bytes of op
  // data, and of 1.2 to 1.9 times the op data for graphs with more.
  constexpr std::uint64_t least_bytes = std::uint64_t{32} << 10;
  const bool is_reported = context.op_data.value && context.vtcm.value;
  if (is_reported && *context.op_data.value == 0) return 0;
  ByteSum all;
  for (std::size_t i = 0; i < context.graphs; ++i)
    all.add(is_reported ? least_bytes : allowance_bytes);
  if (is_reported) return std::max(*context.op_data.value, all.bytes);
  const std::uint64_t known = ByteSum{}.add(context.op_data).add(context.vtcm).bytes;
  return all.bytes > known ? all.bytes - known : 0;
}

[[nodiscard]] QNNPP_INLINE std::size_t domains_for(std::uint64_t bytes,
                                                   std::uint64_t budget) noexcept {
  return static_cast<std::size_t>(bytes / budget + (bytes % budget != 0 ? 1 : 0));
}

/// Returns a lower bound on the number of domains. `sizes` are sorted, largest first, and at most
/// the budget. The larger one of two bounds: of counting, as the first n sizes are at least the
/// n-th; and that of Martello and Toth.
///
/// For each limit k up to half a domain, ignores sizes below k. Each size above half a domain
/// needs its own domain, and one above budget - k leaves no usable gap in it. The other sizes fill
/// the gaps first, and the rest needs more domains. The limits descend, so that each size is added
/// once.
[[nodiscard]] QNNPP_INLINE std::size_t domains_at_least(const std::vector<std::uint64_t>& sizes,
                                                        std::uint64_t budget) {
  ByteSum all, gaps, small;
  for (const std::uint64_t size : sizes) all.add(size);
  std::size_t bound = domains_for(all.bytes, budget);
  for (std::size_t i = 0; i < sizes.size() && sizes[i] != 0; ++i)
    bound = std::max(bound, domains_for(i + 1, budget / sizes[i]));
  const auto half = std::partition_point(
      sizes.begin(), sizes.end(), [budget](std::uint64_t size) { return size > budget / 2; });
  const auto large = static_cast<std::size_t>(half - sizes.begin());
  std::size_t without_gap = large;
  for (std::size_t next = large;;) {
    const std::uint64_t limit = next == sizes.size() ? 0 : sizes[next];
    while (next < sizes.size() && sizes[next] >= limit) small.add(sizes[next++]);
    while (without_gap > 0 && sizes[without_gap - 1] <= budget - limit)
      gaps.add(budget - sizes[--without_gap]);
    const std::uint64_t rest = small.bytes > gaps.bytes ? small.bytes - gaps.bytes : 0;
    bound = std::max(bound, large + domains_for(rest, budget));
    if (limit == 0) return bound;
  }
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

QNNPP_INLINE bool DomainPlan::exact() const noexcept {
  return std::all_of(estimates.begin(), estimates.end(),
                     [](const ByteSum& estimate) { return estimate.exact; });
}

QNNPP_INLINE std::uint64_t DomainPlan::bytes_of(
    const std::vector<std::size_t>& domain) const noexcept {
  ByteSum sum;
  for (const std::size_t index : domain) sum.add(estimates[index]);
  return sum.bytes;
}

QNNPP_INLINE std::vector<std::size_t> DomainPlan::by_estimate() const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < estimates.size(); ++i)
    if (can_share(i, i)) order.push_back(i);
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    const std::uint64_t a_bytes = estimates[a].bytes, b_bytes = estimates[b].bytes;
    return a_bytes != b_bytes ? a_bytes > b_bytes : a < b;
  });
  return order;
}

QNNPP_INLINE std::size_t DomainPlan::excluded(const std::vector<std::size_t>& order,
                                              std::size_t index) const noexcept {
  const std::uint64_t room = budget_bytes - estimates[index].bytes;
  const auto end = std::partition_point(order.begin(), order.end(),
                                        [&](std::size_t i) { return estimates[i].bytes > room; });
  return static_cast<std::size_t>(end - order.begin());
}

QNNPP_INLINE DomainPlan plan_domains(const MemoryReport& report, std::uint64_t budget_bytes,
                                     std::uint64_t allowance_bytes) {
  DomainPlan plan;
  plan.budget_bytes = budget_bytes == 0 ? 1 : budget_bytes;
  plan.allowance_bytes = allowance_bytes;
  for (const ContextMemory& context : report.contexts) {
    plan.allowances.push_back(detail::allowance_of(context, allowance_bytes));
    plan.estimates.push_back(context.pd_estimate().add(plan.allowances.back()));
  }

  for (std::size_t i = 0; i < plan.estimates.size(); ++i)
    if (!plan.can_share(i, i)) plan.too_large.push_back(i);
  std::vector<std::uint64_t> sizes, room;  // Sizes of what fits, and the room in each domain.
  for (const std::size_t i : plan.by_estimate()) {
    const std::uint64_t bytes = plan.estimates[i].bytes;
    sizes.push_back(bytes);
    const auto domain = static_cast<std::size_t>(
        std::find_if(room.begin(), room.end(), [&](std::uint64_t left) { return bytes <= left; }) -
        room.begin());
    if (domain == room.size()) {
      room.push_back(plan.budget_bytes);
      plan.packing.emplace_back();
    }
    room[domain] -= bytes;
    plan.packing[domain].push_back(i);
  }
  plan.at_least = detail::domains_at_least(sizes, plan.budget_bytes);
  return plan;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
