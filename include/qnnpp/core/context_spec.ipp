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

QNNPP_INLINE void ContextSpec::keep_graphs(const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    bool wanted = false;
    for (const std::string& name : names) wanted = wanted || name == graphs[i].name;
    if (!wanted) continue;
    if (kept != i) {
      graphs[kept] = std::move(graphs[i]);
      needs[kept] = needs[i];
    }
    ++kept;
  }
  graphs.resize(kept);
  needs.resize(kept);
}

QNNPP_INLINE std::optional<std::uint64_t> ContextSpec::spill_fill_bytes() const noexcept {
  std::uint64_t largest = 0;
  for (const GraphNeeds& graph : needs) {
    if (!graph.spill_fill_bytes) return std::nullopt;
    if (*graph.spill_fill_bytes > largest) largest = *graph.spill_fill_bytes;
  }
  return needs.empty() ? std::nullopt : std::optional(largest);
}

}  // namespace qnnpp
