// Contexts of equal size that take turns on the simulated device, and the optimum to compare with.
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

#include "model_fixture.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"

namespace support {

using qnnpp::model::BinarySource;
using qnnpp::model::EvictionPolicy;
using qnnpp::model::Prefetch;
using qnnpp::model::ResidencyStats;
using qnnpp::model::UseOrder;

/// Requests of a pipeline of `contexts` that runs `passes` times.
inline std::vector<std::size_t> requests_of(std::size_t contexts, std::size_t passes) {
  std::vector<std::size_t> requests;
  for (std::size_t pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < contexts; ++i) requests.push_back(i);
  return requests;
}

/// The fewest loads that serve `requests` with room for `room` contexts, by looking at all that
/// come (Belady). Written apart from what it judges.
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

/// What runs in a residency's contexts: the network's graph, bound to memory of its own.
struct BoundNetwork {
  std::vector<float> in;
  std::vector<float> out;
  // At most one: it is made after the memory that it binds.
  std::vector<qnnpp::Graph<qnnpp::Bound>> graph;
};

/// Networks of equal size as binaries in memory, on a device with room for all unless told.
class ResidencyTest : public ModelTest {
 protected:
  using Payload = std::unique_ptr<BoundNetwork>;
  using Residency = qnnpp::model::Residency<qnnpp::RpcmemAllocator, Payload>;
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

  /// Weights of each, and what all share.
  std::uint64_t weights_bytes() const { return networks[0].weights_bytes(); }
  std::uint64_t spill_fill_bytes() const {
    return must(qnnpp::model::survey(backend(), sources[0])).spill_fill.or_zero();
  }
  /// A budget that `contexts` fill to the byte.
  std::uint64_t budget_for(std::size_t contexts) const {
    return contexts * weights_bytes() + spill_fill_bytes();
  }
  /// The same beside a residency that loads ahead: its setup calls come before these (THR-01).
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
  /// Contexts that are used in a cycle, of which so many fit the budget.
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

  /// Runs a context's graph; what it computes, or nothing where it cannot.
  static std::vector<float> run(const Pinned& pinned) {
    std::fill(pinned.payload()->out.begin(), pinned.payload()->out.end(), -1.0f);
    if (!pinned.payload()->graph[0].execute()) return {};
    return pinned.payload()->out;
  }
  /// Whether a context computes what its network does.
  testing::AssertionResult works(const Pinned& pinned) const {
    const Network& network = networks[pinned.place()];
    const auto found = run(pinned);
    if (largest_difference(found, network.reference(network.input())) < tolerance)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << network.name << " is wrong";
  }
  /// Acquires, runs and releases each.
  void serve(Residency& residency, const std::vector<std::size_t>& requests) const {
    for (const std::size_t i : requests) {
      const auto pinned = residency.acquire(i);
      ASSERT_TRUE(succeeds(pinned));
      EXPECT_TRUE(works(*pinned));
    }
  }
  /// Whether an error says whose binary or graph it is about.
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
