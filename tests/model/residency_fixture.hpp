// Contexts of equal size that take turns on the simulated device, and the optimal number of loads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"

#include "model_fixture.hpp"

namespace support {

using qnnpp::model::BinarySource;
using qnnpp::model::Prefetch;
using qnnpp::model::ResidencyStats;
using qnnpp::model::UseOrder;

/// Returns the requests of a pipeline of `contexts` that runs `passes` times.
inline std::vector<std::size_t> requests_of(std::size_t contexts, std::size_t passes) {
  std::vector<std::size_t> requests;
  for (std::size_t pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < contexts; ++i) requests.push_back(i);
  return requests;
}

/// Returns the least number of loads that serve `requests` with room for `room` contexts, with all
/// requests known (Belady). It shares no code with the library.
inline std::uint64_t optimal_loads(const std::vector<std::size_t>& requests, std::size_t room) {
  std::set<std::size_t> there;
  std::uint64_t loads = 0;
  for (std::size_t now = 0; now < requests.size(); ++now) {
    if (there.count(requests[now]) != 0) continue;
    ++loads;
    if (there.size() == room) {
      std::size_t victim = 0, farthest = 0;
      for (const std::size_t each : there) {
        std::size_t next = now + 1;
        while (next < requests.size() && requests[next] != each) ++next;
        if (next >= farthest) {
          farthest = next;
          victim = each;
        }
      }
      there.erase(victim);
    }
    there.insert(requests[now]);
  }
  return loads;
}

/// Payload of a residency's context: the network's graph, bound to memory that only this payload
/// uses.
struct BoundNetwork {
  std::vector<float> in;
  std::vector<float> out;
  // At most one element, which is made after the memory that it binds.
  std::vector<qnnpp::Graph<qnnpp::Bound>> graph;
};

/// Networks of equal size as binaries in memory. The device has room for all contexts by default.
class ResidencyTest : public ModelTest {
 protected:
  using Payload = std::unique_ptr<BoundNetwork>;
  using Residency = qnnpp::model::Residency<Payload>;
  using Pinned = Residency::Pinned;
  using Options = Residency::Options;

  void SetUp() override {
    ModelTest::SetUp();
    if (HasFatalFailure()) return;
    make_networks(6);
  }
  void make_networks(std::size_t count) {
    clear_networks();
    for (std::size_t i = 0; i < count; ++i)
      add_network({.name = "n" + std::to_string(i),
                   .width = 16,
                   .hidden = 64,
                   .seed = static_cast<std::uint32_t>(i + 1)});
    control().reset_counters();
  }

  /// Return the bytes of one context's weights, and of the spill-fill memory that all share.
  std::uint64_t weights_bytes() const { return networks[0].weights_bytes(); }
  std::uint64_t spill_fill_bytes() const {
    return must(qnnpp::model::survey(backend(), sources[0])).memory.spill_fill.or_zero();
  }
  /// Expects of each binary what the backend reports, so that a residency does not query it.
  void expect_needs() {
    for (BinarySource& source : sources)
      source.expected = must(qnnpp::model::survey(backend(), source));
  }
  /// Returns the budget that exactly `contexts` contexts fill.
  std::uint64_t budget_for(std::size_t contexts) const {
    return contexts * weights_bytes() + spill_fill_bytes();
  }
  /// Same, but waits until the residency has finished loading ahead, because setup calls must not
  /// overlap (THR-01).
  std::uint64_t budget_for(std::size_t contexts, Residency& residency) const {
    must(residency.settle());
    return budget_for(contexts);
  }

  Options options() const {
    Options made;
    made.payload = [this](std::size_t i, const qnnpp::Context<qnnpp::Finalized>& context) {
      return bind(i, context);
    };
    return made;
  }
  /// Returns options for contexts used in a cycle, with a budget for `contexts` of them.
  Options cyclic(std::size_t contexts) const {
    Options made = options();
    made.order = UseOrder::cyclic();
    made.budget_bytes = budget_for(contexts);
    return made;
  }
  qnnpp::Result<Payload> bind(std::size_t i,
                              const qnnpp::Context<qnnpp::Finalized>& context) const {
    auto bound = std::make_unique<BoundNetwork>();
    bound->in = networks[i].input();
    bound->out.resize(networks[i].io_elements());
    auto graph = qnnpp::Graph<qnnpp::Retrieved>::retrieve(context, networks[i].name)
                     .and_then([&](qnnpp::Graph<qnnpp::Retrieved> found) {
                       return std::move(found).bind(
                           {qnnpp::raw("x", bound->in), qnnpp::raw("y", bound->out)});
                     });
    if (!graph) return qnnpp::fail(std::move(graph).error());
    bound->graph.push_back(std::move(*graph));
    return bound;
  }
  qnnpp::Result<Residency> create(Options made) const {
    return Residency::create(backend(), allocator(), sources, std::move(made));
  }

  /// Executes a context's graph. Returns its output, or nothing on failure.
  static std::vector<float> run(const Pinned& pinned) {
    std::fill(pinned.payload()->out.begin(), pinned.payload()->out.end(), -1.0f);
    if (!pinned.payload()->graph[0].execute()) return {};
    return pinned.payload()->out;
  }
  /// Reports whether a context computes the output of its network.
  testing::AssertionResult works(const Pinned& pinned) const {
    const Network& network = networks[pinned.index()];
    const auto found = run(pinned);
    if (largest_difference(found, network.reference(network.input())) < tolerance)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << network.name << " is wrong";
  }
  /// Acquires, executes and releases each context.
  void serve(Residency& residency, const std::vector<std::size_t>& requests) const {
    for (const std::size_t i : requests) {
      const auto pinned = residency.acquire(i);
      ASSERT_TRUE(succeeds(pinned));
      EXPECT_TRUE(works(*pinned));
    }
  }
  /// Reports whether an error names the binary or the graph of context `i`.
  bool names(const qnnpp::Error& error, std::size_t i) const {
    return error.object.find(networks[i].name) == 0 ||
           error.detail.find(sources[i].name) != std::string::npos;
  }
  static std::set<std::size_t> resident(const Residency& residency) {
    std::set<std::size_t> places;
    for (std::size_t i = 0; i < residency.size(); ++i)
      if (residency.is_resident(i)) places.insert(i);
    return places;
  }
};

}  // namespace support
