// Contexts that take turns on the simulated HTP: their binaries, a residency of them, requests, and
// the fewest loads that satisfy the requests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/residency.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "support/device.hpp"

namespace bench {

using Requests = std::vector<std::size_t>;

/// The graph of a context, bound to its own memory.
struct BoundGraph {
  std::vector<float> x, y, a, b;
  std::unique_ptr<qnnpp::Graph<qnnpp::Bound>> graph;
};

/// Context binaries in memory, one graph each, and residencies of them.
class TurnModel {
 public:
  using Residency = qnnpp::model::Residency<std::unique_ptr<BoundGraph>>;
  using Options = Residency::Options;

  /// Bytes of the buffers: a piece for the shared spill-fill, and one for the weights of each
  /// graph.
  static constexpr std::uint64_t spill_fill_bytes = piece_bytes;
  /// Weights of a graph, which fill only a part of their piece so that a load is fast.
  static constexpr std::uint64_t graph_bytes = 16384;

  /// Makes a context for each of these numbers of graphs. `library`: the backend.
  explicit TurnModel(const std::vector<std::uint64_t>& graphs, const char* library = htp_library)
      : backend_(qnnpp::value_or_throw(qnnpp::Backend<qnnpp::Htp>::load(
            {.library = library, .system_library = QNNPP_SIM_DIR "/libQnnSystem.so"}))),
        rpcmem_(qnnpp::value_or_throw(qnnpp::RpcmemAllocator::load(rpcmem_library))) {
    for (const std::uint64_t each : graphs) {
      const std::string name = "context_" + std::to_string(binaries_.size());
      binaries_.push_back(binary_of(backend_, {name, graph_bytes, spilled_bytes, each}));
      sources_.push_back({name, binaries_.back(), {}});
      weights_bytes_.push_back(each * piece_bytes);
    }
  }
  /// Makes contexts of one graph each.
  explicit TurnModel(std::size_t contexts, const char* library = htp_library)
      : TurnModel(std::vector<std::uint64_t>(contexts, 1), library) {}

  /// Bytes of the weights buffer of each context.
  [[nodiscard]] const std::vector<std::uint64_t>& weights_bytes() const { return weights_bytes_; }
  /// Bytes of the weights buffers of all contexts.
  [[nodiscard]] std::uint64_t all_bytes() const {
    return std::accumulate(weights_bytes_.begin(), weights_bytes_.end(), std::uint64_t{0});
  }

  [[nodiscard]] Residency residency(Options options) const {
    options.payload = [this](std::size_t i, const qnnpp::Context<qnnpp::Finalized>& context) {
      return bind(i, context);
    };
    return qnnpp::value_or_throw(
        Residency::create(backend_, rpcmem_, sources_, std::move(options)));
  }

 private:
  /// More than the VTCM holds. The device rounds it up to spill_fill_bytes.
  static constexpr std::uint64_t spilled_bytes = 4096;

  [[nodiscard]] qnnpp::Result<std::unique_ptr<BoundGraph>> bind(
      std::size_t i, const qnnpp::Context<qnnpp::Finalized>& context) const {
    using namespace qnnpp;
    auto bound = std::make_unique<BoundGraph>();
    bound->x.resize(1024);
    bound->y.resize(static_cast<std::size_t>(graph_bytes / 4096));
    bound->a.resize(spilled_bytes / 8);
    bound->b.resize(spilled_bytes / 8);
    auto graph =
        Graph<Retrieved>::retrieve(context, sources_[i].name).and_then([&](Graph<Retrieved> found) {
          return std::move(found).bind(
              {raw("x", bound->x), raw("y", bound->y), raw("a", bound->a), raw("b", bound->b)});
        });
    if (!graph) return fail(std::move(graph).error());
    bound->graph = std::make_unique<Graph<Bound>>(std::move(*graph));
    return bound;
  }

  std::vector<std::uint64_t> weights_bytes_;
  qnnpp::Backend<qnnpp::Htp> backend_;
  qnnpp::RpcmemAllocator rpcmem_;
  std::deque<std::vector<std::byte>> binaries_;
  std::vector<qnnpp::model::BinarySource> sources_;
};

/// Returns `passes` repetitions of a pass.
[[nodiscard]] inline Requests repeated(const Requests& pass, std::size_t passes) {
  Requests all;
  for (std::size_t i = 0; i < passes; ++i) all.insert(all.end(), pass.begin(), pass.end());
  return all;
}

/// Returns for each request the place of the next request for the same context, or the number of
/// requests if there is none.
[[nodiscard]] inline std::vector<std::size_t> next_uses(const Requests& requests,
                                                        std::size_t contexts) {
  std::vector<std::size_t> next(requests.size());
  std::vector<std::size_t> later(contexts, requests.size());
  for (std::size_t now = requests.size(); now-- > 0;)
    next[now] = std::exchange(later[requests[now]], now);
  return next;
}

/// Returns the fewest bytes that the requests must load with `room` bytes of room. Evicts byte by
/// byte the context whose next use is farthest (Belady), with all requests known. For contexts of
/// size 1 the result is the fewest loads. For unequal sizes it is a lower bound, because a
/// residency cannot keep parts of a context.
[[nodiscard]] inline std::uint64_t fewest_bytes(const Requests& requests,
                                                const std::vector<std::uint64_t>& size_bytes,
                                                std::uint64_t room) {
  const std::vector<std::size_t> next = next_uses(requests, size_bytes.size());
  std::vector<std::uint64_t> there(size_bytes.size());
  std::vector<std::size_t> use(size_bytes.size());
  std::uint64_t loaded = 0;
  std::uint64_t taken = 0;
  for (std::size_t now = 0; now < requests.size(); ++now) {
    const std::size_t wanted = requests[now];
    loaded += size_bytes[wanted] - there[wanted];
    taken += size_bytes[wanted] - there[wanted];
    there[wanted] = size_bytes[wanted];
    use[wanted] = next[now];
    while (taken > room) {
      std::size_t victim = wanted;
      for (std::size_t each = 0; each < there.size(); ++each)
        if (each != wanted && there[each] != 0 && (victim == wanted || use[each] > use[victim]))
          victim = each;
      const std::uint64_t gone = std::min(there[victim], taken - room);
      there[victim] -= gone;
      taken -= gone;
    }
  }
  return loaded;
}

}  // namespace bench
