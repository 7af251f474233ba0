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

namespace qnnpp {

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

QNNPP_INLINE std::optional<std::uint64_t> ContextSpec::spill_fill_bytes() const noexcept {
  std::uint64_t largest = 0;
  for (const GraphSpec& graph : graphs) {
    if (!graph.needs.spill_fill_bytes) return std::nullopt;
    if (*graph.needs.spill_fill_bytes > largest) largest = *graph.needs.spill_fill_bytes;
  }
  return graphs.empty() ? std::nullopt : std::optional(largest);
}

}  // namespace qnnpp
