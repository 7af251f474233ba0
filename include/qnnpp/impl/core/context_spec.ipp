// Definitions of context_spec.hpp.
#pragma once

#include "qnnpp/core/context_spec.hpp"

#include "qnnpp/config.hpp"

#include <cstddef>
#include <string_view>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE std::vector<std::string> keep_graphs(std::vector<GraphSpec>& graphs,
                                                  const std::vector<std::string>& names) {
  std::vector<std::string> removed;
  if (names.empty()) return removed;
  const detail::LazyNameTable wanted;
  auto end = graphs.begin();
  for (GraphSpec& graph : graphs) {
    if (wanted.find(graph.name, names) == detail::NameTable::none) {
      removed.push_back(std::move(graph.name));
      continue;
    }
    if (&*end != &graph) *end = std::move(graph);
    ++end;
  }
  graphs.erase(end, graphs.end());
  return removed;
}

[[gnu::noinline]] QNNPP_INLINE Result<void> require_no_dlbc(const std::vector<GraphSpec>& graphs,
                                                            const char* step,
                                                            const std::string& context) {
  for (const GraphSpec& graph : graphs)
    if (graph.preparation.dlbc == true)
      return fail(Errc::capability_missing, step, context,
                  {"graph '", graph.name,
                   "' was prepared with DLBC, which the HTP turns off where "
                   "spill-fill is shared; set share_without_dlbc to share all the "
                   "same, prepare the graph without DLBC, or load it with "
                   "SpillFillSharing::none"});
  return {};
}

QNNPP_INLINE Result<void> require_graphs(const std::vector<GraphSpec>& graphs,
                                         const std::vector<std::string>& names,
                                         const std::string& binary) {
  const detail::LazyNameTable known;
  for (const std::string& name : names) {
    if (known.find(name, graphs) != detail::NameTable::none) continue;
    detail::NameList all(name);
    for (const GraphSpec& graph : graphs) all.add("", graph.name);
    return fail(Errc::unknown_name, "enabling a graph", name, {binary, " has: ", all.text()});
  }
  return {};
}

QNNPP_INLINE std::optional<std::uint64_t> spill_fill_bytes(
    const std::vector<GraphSpec>& graphs) noexcept {
  std::uint64_t largest = 0;
  for (const GraphSpec& graph : graphs) {
    if (!graph.spill_fill_bytes) return std::nullopt;
    if (*graph.spill_fill_bytes > largest) largest = *graph.spill_fill_bytes;
  }
  return graphs.empty() ? std::nullopt : std::optional(largest);
}

namespace detail {

QNNPP_INLINE std::optional<std::uint64_t> weights_bytes(
    const std::vector<GraphSpec>& graphs) noexcept {
  std::uint64_t shared = 0, sum = 0;
  const auto add = [&](std::uint64_t bytes) {
    bytes = rounded_by_backend(bytes);
    sum = bytes > UINT64_MAX - sum ? UINT64_MAX : sum + bytes;
  };
  for (const GraphSpec& graph : graphs) {
    if (!graph.constant_bytes || !graph.shared_weights_bytes) return std::nullopt;
    add(*graph.constant_bytes);
    if (*graph.shared_weights_bytes > shared) shared = *graph.shared_weights_bytes;
  }
  add(shared);
  return graphs.empty() ? std::nullopt : std::optional(sum);
}

QNNPP_INLINE std::optional<std::uint64_t> io_bytes(const GraphSpec& graph) {
  if (graph.io_bytes) return graph.io_bytes;
  std::uint64_t sum = 0;
  for (const auto* tensors : {&graph.inputs, &graph.outputs})
    for (const TensorSpec& tensor : *tensors) {
      const auto bytes = tensor.size_bytes();
      if (!bytes || *bytes > UINT64_MAX - sum) return std::nullopt;
      sum += *bytes;
    }
  return sum;
}

QNNPP_INLINE bool IoNeeds::add(const std::vector<GraphSpec>& graphs) {
  constexpr std::uint64_t page = 4096, most = std::uint64_t{1} << 48;
  for (const GraphSpec& graph : graphs) {
    std::uint64_t mapped = 0;
    for (const auto* tensors : {&graph.inputs, &graph.outputs})
      for (const TensorSpec& tensor : *tensors) {
        const auto bytes = tensor.size_bytes();
        if (!bytes || *bytes > most) return false;
        const std::uint64_t pages = (*bytes + page - 1) / page * page;
        mapped += pages;
        if (tensor.mem_type == c_api::TensorMemType::raw) copies += pages;
      }
    const auto counted = io_bytes(graph);
    if (!counted || mapped == 0) return false;
    all += *counted;
    if (mapped > largest) largest = mapped;
  }
  return !graphs.empty();
}

QNNPP_INLINE std::uint64_t IoNeeds::limit_mb() const noexcept {
  const std::uint64_t megabytes = (copies + largest + (1u << 20) - 1) >> 20;
  return megabytes << 20 < all ? megabytes : 0;
}

QNNPP_INLINE BinaryNeeds needs_of(const std::vector<GraphSpec>& graphs) noexcept {
  return {weights_bytes(graphs), spill_fill_bytes(graphs)};
}

}  // namespace detail

QNNPP_INLINE std::optional<std::uint64_t> ContextSpec::spill_fill_bytes() const noexcept {
  return qnnpp::spill_fill_bytes(graphs);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
