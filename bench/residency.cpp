// Loads and loaded bytes of 66 contexts that take turns, by policy and room; and the cost of a hit.
#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/report.hpp"
#include "support/statistics.hpp"
#include "support/taking_turns.hpp"
#include "support/timing.hpp"

namespace {

using bench::Requests;
using bench::TurnModel;
using qnnpp::model::Prefetch;
using qnnpp::model::UseOrder;

constexpr std::size_t contexts = 66;
constexpr std::size_t passes = 11;
constexpr std::array<std::uint64_t, 3> percents{50, 75, 90};

const bench::Device& device() {
  static const bench::Device loaded = bench::Device::load();
  return loaded;
}

/// Loads of a pass after the first: the loads of all passes, without one load of each context that
/// no policy can avoid, divided by the number of passes after the first.
struct Loads {
  double count = 0;
  double bytes = 0;
};

/// Residencies with and without a known order: they evict the context with the farthest next use,
/// or the least recently used one.
struct Policy {
  const char* name;
  bool knows_order;
};
constexpr std::array policies{Policy{"farthest next use", true}, Policy{"LRU", false}};

/// Acquires the contexts of all passes and returns the loads, which the device counts.
Loads run(const TurnModel& model, const Requests& pass, TurnModel::Options options,
          const Policy& policy = policies[0]) {
  if (policy.knows_order) options.order = UseOrder::cyclic(pass);
  device().htp.reset_counters();
  auto residency = model.residency(std::move(options));
  for (const std::size_t each : bench::repeated(pass, passes))
    (void)qnnpp::value_or_throw(residency.acquire(each));
  const double loads = static_cast<double>(residency.stats().loads);
  // Each graph fills one piece.
  const std::uint64_t bytes =
      device().htp.counters().weights_loaded_bytes / TurnModel::graph_bytes * bench::piece_bytes;
  return {(loads - contexts) / (passes - 1),
          static_cast<double>(bytes - model.all_bytes()) / (passes - 1)};
}

TurnModel::Options within(const TurnModel& model, std::uint64_t percent) {
  TurnModel::Options options;
  options.budget_bytes = model.all_bytes() * percent / 100 + TurnModel::spill_fill_bytes;
  return options;
}

/// Returns the fewest possible bytes for each pass, counted in the same way, if all requests are
/// known.
double fewest_bytes(const TurnModel& model, const Requests& pass, std::uint64_t percent) {
  std::uint64_t room = model.all_bytes() * percent / 100;
  // A part of a context is never of use if all contexts have the same size.
  if (const auto& sizes = model.weights_bytes();
      std::count(sizes.begin(), sizes.end(), sizes[0]) == std::ptrdiff_t{contexts})
    room = room / sizes[0] * sizes[0];
  const std::uint64_t all =
      bench::fewest_bytes(bench::repeated(pass, passes), model.weights_bytes(), room);
  return static_cast<double>(all - model.all_bytes()) / (passes - 1);
}
/// Returns the fewest loads for contexts of equal size.
double fewest_loads(const TurnModel& model, const Requests& pass, std::uint64_t percent) {
  return fewest_bytes(model, pass, percent) / static_cast<double>(model.weights_bytes()[0]);
}

std::string at(const std::string& name, std::uint64_t percent, const std::string& policy) {
  return name + ", room for " + std::to_string(percent) + " %: " + policy;
}

/// Contexts of equal size: the optimum is known.
void equal(bench::Report& report, const TurnModel& model, const std::string& name,
           const Requests& pass) {
  for (const std::uint64_t percent : percents) {
    const double optimum = fewest_loads(model, pass, percent);
    for (const Policy& each : policies) {
      const Loads loads = run(model, pass, within(model, percent), each);
      const std::string row = at(name, percent, each.name);
      if (each.knows_order) {
        report.exactly(optimum, row, loads.count, "loads/pass", "optimum (Belady)");
        report.exactly(fewest_bytes(model, pass, percent), row + ", bytes", loads.bytes,
                       "bytes/pass", "optimum (Belady)");
      } else {
        report.show(row, loads.count, "loads/pass", "optimum " + bench::number(optimum));
      }
    }
  }
}

/// The device refuses one more context, and the library learns the capacity from the refusal.
void learnt(bench::Report& report, const TurnModel& model, const Requests& pass) {
  for (const std::uint64_t percent : percents) {
    device().set(&qnnpp::sim::Config::max_contexts,
                 static_cast<std::uint32_t>(contexts * percent / 100));
    const Loads loads = run(model, pass, {});
    report.exactly(fewest_loads(model, pass, percent),
                   at("cycle, capacity learnt", percent, "farthest next use"), loads.count,
                   "loads/pass", "optimum (Belady)");
  }
  device().set(&qnnpp::sim::Config::max_contexts, 0u);
}

/// Contexts of unequal size. The bound assumes that parts of a context can stay, so no residency
/// may reach it.
void unequal(bench::Report& report, const TurnModel& model, const Requests& pass) {
  for (const std::uint64_t percent : percents) {
    const double bound = fewest_bytes(model, pass, percent);
    for (const Policy& each : policies) {
      const Loads loads = run(model, pass, within(model, percent), each);
      const std::string row = at("unequal contexts", percent, each.name);
      report.show(row, loads.count, "loads/pass", "66 contexts of 2 to 8 MiB");
      report.show(row + ", bytes", loads.bytes / bound, "ratio",
                  "lower bound, " + bench::number(bound) + " bytes/pass");
    }
  }
}

void draw(const bench::Report& report, const TurnModel& model, const Requests& pass) {
  std::ofstream data(report.file("residency.dat"));
  data << "# room in percent of all contexts; loads per pass: farthest next use, LRU, fewest "
          "possible\n";
  for (std::uint64_t percent = 5; percent <= 100; percent += 5) {
    data << percent;
    for (const Policy& each : policies)
      data << ' ' << run(model, pass, within(model, percent), each).count;
    data << ' ' << fewest_loads(model, pass, percent) << '\n';
  }
}

/// Measures acquire() and release of loaded contexts.
void hits(bench::Report& report, const TurnModel& model, const Requests& cycle) {
  class Hits {
   public:
    Hits(TurnModel::Residency residency, Requests requests)
        : residency_(std::move(residency)), requests_(std::move(requests)) {
      for (const std::size_t each : requests_)
        (void)qnnpp::value_or_throw(residency_.acquire(each));
      qnnpp::value_or_throw(residency_.settle());
    }
    void operator()() {
      const auto pinned = residency_.acquire(requests_[next_]);
      benchmark::DoNotOptimize(&pinned->payload());
      if (++next_ == requests_.size()) next_ = 0;
    }

   private:
    TurnModel::Residency residency_;
    Requests requests_;
    std::size_t next_ = 0;
  };
  const Requests some(cycle.begin(), cycle.begin() + contexts / 2);
  TurnModel::Options whole;
  whole.order = UseOrder::cyclic();
  TurnModel::Options part = within(model, 75);
  part.order = UseOrder::cyclic(some);
  TurnModel::Options ahead = part;
  ahead.prefetch = Prefetch::ahead;
  Hits in_order(model.residency(whole), cycle);
  Hits of_part(model.residency(part), some);
  Hits with_thread(model.residency(ahead), some);

  const std::uint64_t calls = device().htp.counters().calls;
  const auto samples =
      bench::time_interleaved({{"all are there, in order", std::ref(in_order)},
                               {"half are there, in order", std::ref(of_part)},
                               {"with a thread that loads ahead", std::ref(with_thread)}},
                              15);
  report.exactly(0, "calls of QNN in all hits",
                 static_cast<double>(device().htp.counters().calls - calls), "calls", "none");
  for (const auto& [name, times] : samples) {
    const std::string row = "hit, " + name;
    report.at_most(200, row, bench::median(times), "ns",
                   "acquire and release; spread " + bench::number(bench::spread(times)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::Report report("residency", argc, argv);
  (void)device();
  const TurnModel same(contexts);
  Requests cycle(contexts);
  std::iota(cycle.begin(), cycle.end(), std::size_t{0});
  // An encoder of 22 contexts, then a decoder of 44 that runs three times.
  Requests decoder(cycle.begin(), cycle.begin() + 22);
  for (int round = 0; round < 3; ++round)
    decoder.insert(decoder.end(), cycle.begin() + 22, cycle.end());

  equal(report, same, "cycle", cycle);
  equal(report, same, "decoder", decoder);
  learnt(report, same, cycle);
  std::vector<std::uint64_t> graphs;
  for (std::uint64_t i = 0; i < contexts; ++i) graphs.push_back(1 + i * 37 % 16 / 4);
  unequal(report, TurnModel(graphs), cycle);
  draw(report, same, cycle);
  hits(report, same, cycle);
  return report.finish();
}
