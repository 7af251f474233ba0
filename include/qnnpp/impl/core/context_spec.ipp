// Definitions of context_spec.hpp.
#pragma once

#include "qnnpp/core/context_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE void keep_graphs(std::vector<GraphSpec>& graphs,
                              const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    bool wanted = false;
    for (const std::string& name : names) wanted = wanted || name == graphs[i].name;
    if (!wanted) continue;
    if (kept != i) graphs[kept] = std::move(graphs[i]);
    ++kept;
  }
  graphs.resize(kept);
}

QNNPP_INLINE Result<void> require_graphs(const std::vector<GraphSpec>& graphs,
                                         const std::vector<std::string>& names,
                                         const std::string& binary) {
  for (const std::string& name : names) {
    bool known = false;
    for (const GraphSpec& graph : graphs) known = known || graph.name == name;
    if (known) continue;
    std::string all;
    for (const GraphSpec& graph : graphs) all += (all.empty() ? "" : ", ") + graph.name;
    return fail(Error::make(Errc::unknown_name, "enabling a graph", name, binary + " has: " + all));
  }
  return success();
}

QNNPP_INLINE std::optional<std::uint64_t> spill_fill_bytes(
    const std::vector<GraphSpec>& graphs) noexcept {
  std::uint64_t largest = 0;
  for (const GraphSpec& graph : graphs) {
    if (!graph.needs.spill_fill_bytes) return std::nullopt;
    if (*graph.needs.spill_fill_bytes > largest) largest = *graph.needs.spill_fill_bytes;
  }
  return graphs.empty() ? std::nullopt : std::optional(largest);
}

QNNPP_INLINE std::optional<std::uint64_t> ContextSpec::spill_fill_bytes() const noexcept {
  return qnnpp::spill_fill_bytes(graphs);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
