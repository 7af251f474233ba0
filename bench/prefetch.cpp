// The time of a pass of 66 contexts that take turns, with and without loading ahead, if a load
// lasts as long as 1, 5 and 20 executions.
//
// Executions and loads are waits, as for a DSP. So the times show how the two overlap, not the
// speed of this machine.
//
// The bounds: a pass makes E executions of duration e. A residency with room for K of N contexts
// makes at least L = N - K loads of duration l, one at a time.
//
//   without overlap  E e + L l: with the fewest loads of a cycle, the context to evict is the one
//   that
//                    was executed last. Its room is free after its release, when the next context
//                    is requested.
//   with overlap     max(E e, (L + 1) l): a context that is loaded during an execution occupies
//   room
//                    before it is used. If loads never pause, this is one context at any time, as
//                    if there were room for K - 1.
//
// A pass that loads during a part f of its executions lasts max(E e, (L + f) l + (1 - f) E e),
// which is least for f = 0 or f = 1. So no schedule is faster than the smaller bound.
//
// e, l and the time of a pass are each the fastest of three runs of many waits. The runs alternate:
// a short disturbance only adds time to one run, and a long one affects all alike. Noise can put a
// pass slightly below its bound.
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/report.hpp"
#include "support/slow_htp.hpp"
#include "support/taking_turns.hpp"

namespace {

using bench::TurnModel;
using qnnpp::model::Prefetch;
using qnnpp::model::UseOrder;

constexpr std::size_t contexts = 66;

/// Duration of a load in executions. With shorter waits, this machine's own work is a larger part
/// of a pass.
struct Price {
  std::uint32_t executions;
  std::uint32_t execution_us;
  void charge() const { bench::set_waits(executions * execution_us, execution_us); }
  /// Makes loads free, for the loads before the measurement.
  void charge_executions_only() const { bench::set_waits(0, execution_us); }
};
constexpr std::array<Price, 3> prices{{{1, 1200}, {5, 700}, {20, 350}}};

struct Kind {
  const char* name;
  Prefetch prefetch;
  std::size_t depth;
};
constexpr std::array<Kind, 5> kinds{{{"off", Prefetch::off, 1},
                                     {"spare_room", Prefetch::spare_room, 1},
                                     {"ahead, 1 deep", Prefetch::ahead, 1},
                                     {"ahead, 4 deep", Prefetch::ahead, 4},
                                     {"ahead, 8 deep", Prefetch::ahead, 8}}};
constexpr int rounds = 3;
constexpr std::array<std::uint64_t, 3> percents{50, 75, 90};

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Pass {
  double ms = 0;
  double loads = 0;
  double slowest_ms = 0;  ///< Of the runs of a series.
};

/// Acquires, executes and releases each context once.
Pass run_pass(TurnModel::Residency& residency, bool executes = true) {
  const std::uint64_t loads_before = residency.stats().loads;
  const double start_ms = now_ms();
  for (std::size_t i = 0; i < contexts; ++i) {
    const auto pinned = qnnpp::value_or_throw(residency.acquire(i));
    if (executes) qnnpp::value_or_throw(pinned.payload()->graph->execute());
  }
  return {now_ms() - start_ms, static_cast<double>(residency.stats().loads - loads_before)};
}

/// Measures passes of one kind.
class Series {
 public:
  Series(const TurnModel& model, const Price& price, std::size_t room, const Kind& kind)
      : residency_(model.residency(options(model, room, kind))) {
    price.charge_executions_only();
    (void)run_pass(residency_);
    price.charge();
    for (int i = 0; i < passes_to_settle; ++i) (void)run_pass(residency_);
    qnnpp::value_or_throw(residency_.settle());
  }

  /// Measures the second of two passes: a load that was under way before has ended by then.
  void run() {
    (void)run_pass(residency_);
    const Pass pass = run_pass(residency_);
    qnnpp::value_or_throw(residency_.settle());
    ms_ = std::min(ms_, pass.ms);
    slowest_ms_ = std::max(slowest_ms_, pass.ms);
    loads_ += pass.loads;
    ++passes_;
  }

  /// Returns the time of the fastest pass and the average loads.
  [[nodiscard]] Pass result() const { return {ms_, loads_ / passes_, slowest_ms_}; }

 private:
  /// Number of passes that the slowest kind needs to settle.
  static constexpr int passes_to_settle = 3;

  static TurnModel::Options options(const TurnModel& model, std::size_t room, const Kind& kind) {
    TurnModel::Options options;
    options.order = UseOrder::cyclic();
    options.prefetch = kind.prefetch;
    options.prefetch_depth = kind.depth;
    options.budget_bytes = room * model.weights_bytes()[0] + TurnModel::spill_fill_bytes;
    return options;
  }

  TurnModel::Residency residency_;
  double ms_ = std::numeric_limits<double>::max();
  double slowest_ms_ = 0;
  double loads_ = 0;
  int passes_ = 0;
};

/// Measured durations of an execution and a load: a wait lasts slightly longer than requested, and
/// this machine's own work is added.
class Costs {
 public:
  Costs(const TurnModel& model, const Price& price)
      : all_(model.residency({})), one_(model.residency(room_for_one())) {
    price.charge_executions_only();
    (void)run_pass(all_, false);
    price.charge();
  }

  /// Measures both again.
  void run() {
    execution_ms_ = std::min(execution_ms_, run_pass(all_).ms / contexts);
    const double start_ms = now_ms();
    // Each load first evicts another context.
    for (std::size_t i = 0; i < loads_of_a_run; ++i)
      (void)qnnpp::value_or_throw(one_.acquire(next_++ % contexts));
    load_ms_ = std::min(load_ms_, (now_ms() - start_ms) / loads_of_a_run);
  }

  [[nodiscard]] double execution_ms() const { return execution_ms_; }
  [[nodiscard]] double load_ms() const { return load_ms_; }

 private:
  /// The loads of a pass with room for 75 %.
  static constexpr std::size_t loads_of_a_run = 17;

  static TurnModel::Options room_for_one() {
    TurnModel::Options options;
    options.max_contexts = 1;
    return options;
  }

  TurnModel::Residency all_;
  TurnModel::Residency one_;
  std::size_t next_ = 0;
  double execution_ms_ = std::numeric_limits<double>::max();
  double load_ms_ = std::numeric_limits<double>::max();
};

struct Bounds {
  double without_overlap = 0;
  double with_overlap = 0;
  [[nodiscard]] double smaller() const { return std::min(without_overlap, with_overlap); }
};

constexpr std::size_t room_of(std::uint64_t percent) { return contexts * percent / 100; }

Bounds bounds(const Costs& costs, std::uint64_t percent) {
  const double executing = contexts * costs.execution_ms();
  const auto loads = static_cast<double>(contexts - room_of(percent));
  return {executing + loads * costs.load_ms(), std::max(executing, (loads + 1) * costs.load_ms())};
}

/// One pass of each kind.
using Passes = std::array<Pass, kinds.size()>;

void compare(bench::Report& report, const Bounds& bounds, const Passes& passes,
             const std::string& at) {
  const auto of = [](const char* what, double ms) {
    return std::string(what) + ", " + bench::number(ms) + " ms";
  };
  std::size_t best = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string figure = at + kinds[i].name;
    const double ms = passes[i].ms;
    if (ms < passes[best].ms) best = i;
    const std::string loads = bench::number(passes[i].loads) + " loads a pass";
    report.detail(figure, ms, "ms/pass", loads);
    switch (kinds[i].prefetch) {
      case Prefetch::off:
        report.show(figure + ", ratio", ms / bounds.smaller(), "ratio",
                    loads + "; " + of("the smaller bound", bounds.smaller()));
        break;
      case Prefetch::spare_room:
        report.at_most(1.1, figure + ", ratio", ms / bounds.without_overlap, "ratio",
                       loads + "; " + of("bound without overlap", bounds.without_overlap));
        break;
      case Prefetch::ahead:
        report.show(figure + ", ratio", ms / bounds.with_overlap, "ratio",
                    loads + "; " + of("bound with overlap", bounds.with_overlap));
        break;
    }
  }
  report.at_most(1.1, at + "best kind, ratio", passes[best].ms / bounds.smaller(), "ratio",
                 std::string(kinds[best].name) + "; " + of("the smaller bound", bounds.smaller()));
}

}  // namespace

int main(int argc, char** argv) {
  // Makes waits end in time, not 50 us later. Threads that start later inherit this.
  (void)::prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  bench::Report report("prefetch", argc, argv);
  (void)bench::Device::load();
  const TurnModel model(contexts, bench::slow_htp);

  // By the duration of a load, then by room.
  std::array<std::array<Bounds, percents.size()>, prices.size()> least;
  std::array<std::array<Passes, percents.size()>, prices.size()> passes;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    for (std::size_t room = 0; room < percents.size(); ++room) {
      Costs costs(model, prices[i]);
      std::vector<Series> all;
      all.reserve(kinds.size());
      for (const Kind& kind : kinds)
        all.emplace_back(model, prices[i], room_of(percents[room]), kind);
      for (int round = 0; round < rounds; ++round) {
        costs.run();
        for (Series& each : all) each.run();
      }
      for (std::size_t k = 0; k < kinds.size(); ++k) passes[i][room][k] = all[k].result();
      least[i][room] = bounds(costs, percents[room]);
    }
  }

  std::ofstream data(report.file("prefetch.dat"));
  data << "# room in percent of all contexts; executions that a load takes; ms of the fastest and "
          "the slowest pass: off, spare_room, ahead 1, 4 and 8 deep; the least possible\n";
  for (std::size_t room = 0; room < percents.size(); ++room)
    for (std::size_t i = 0; i < prices.size(); ++i) {
      compare(report, least[i][room], passes[i][room],
              "a load = " + std::to_string(prices[i].executions) + " executions, room for " +
                  std::to_string(percents[room]) + " %: ");
      data << percents[room] << ' ' << prices[i].executions;
      for (const Pass& pass : passes[i][room]) data << ' ' << pass.ms << ' ' << pass.slowest_ms;
      data << ' ' << least[i][room].smaller() << '\n';
    }
  return report.finish();
}
