// OrderChecks: what must have happened before a graph executes. Checked without a C call.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <vector>

#include "qnnpp/memory/detail/cache_order.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// A KvCache whose memory a graph is bound to.
struct CacheUse {
  /// What the bound tensors are to one graph of the cache.
  struct Match {
    bool has_its_shapes = true;       ///< All bound tensors have the shapes of that graph.
    bool writes_its_outputs = false;  ///< Outputs that append() copies are among them.
  };
  CacheOrder* order = nullptr;  ///< Kept alive by the bound memory.
  std::size_t tensor = 0;       ///< The first bound tensor, by its index in the graph.
  std::vector<Match> matches;   ///< By the number of the graph in the cache.

  [[nodiscard]] const Match& now() const noexcept { return matches[order->in_use]; }
};

/// The order of calls that the executions of one bound graph depend on.
struct OrderChecks {
  std::vector<CacheUse> caches;
  /// Whether each tensor has memory that nobody has written. Empty after the first execution, and
  /// if bind() did not allocate the memory.
  std::vector<bool> is_unwritten;
  std::size_t unwritten_inputs = 0;  ///< Number of inputs among them.
  bool matters = false;              ///< Whether one of the lists is not empty.

  void update() noexcept { matters = !caches.empty() || !is_unwritten.empty(); }
  /// Adds a bound tensor in the memory of a cache: its index in the graph and in the memory.
  void note(CacheOrder& cache, std::size_t at, std::size_t tensor, bool is_output);
  /// Takes note of an execution: of its success, or of its failure.
  void executed(bool succeeded);
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
