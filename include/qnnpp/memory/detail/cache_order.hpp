// CacheOrder: which graph of a KvCache may execute, and whether it has.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/ref.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Order of use(), executions and append() of one KvCache. The cache writes it, and so does each
/// execution of a graph that is bound to the cache's memory; one thread at a time.
struct CacheOrder : RefCounted<CacheOrder> {
  /// A graph of the cache.
  struct Graph {
    std::string name;
    std::vector<std::size_t> caches;   ///< Its inputs in the memory, by index.
    std::vector<std::size_t> outputs;  ///< Its outputs in the memory, by index.
  };

  explicit CacheOrder(std::vector<Graph> of) : graphs(std::move(of)) {}

  std::vector<Graph> graphs;
  std::size_t in_use = 0;     ///< The graph for which the positions are laid out.
  bool has_executed = false;  ///< Whether that graph wrote positions that append() may copy.

  /// Takes note of the positions that are laid out for a graph.
  void lay_out(std::size_t graph) noexcept {
    in_use = graph;
    has_executed = false;
  }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
