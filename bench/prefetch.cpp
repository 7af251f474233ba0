// The time of a pass of 66 contexts that take turns, with and without loading ahead, where a load
// takes as long as 1, 5 and 20 executions.
//
// Executing and loading are waits, as for a DSP: the times say how the two overlap, not how fast
// this machine is.
//
// What to compare with. A pass executes E contexts, e each, and a residency with room for K of N
// loads L = N - K of them at least, l each, one at a time.
//
//   without overlap  E e + L l: in a cycle the context to go, if no more are to be loaded, is the
//                    one that has just been executed; its room is free once it is released, and the
//                    next one is asked for then.
//   with overlap     max(E e, (L + 1) l): what is loaded during an execution takes room that is not
//                    of use yet. Where loads go on all the time that is a context at any time, as
//                    if there were room for K - 1.
//
// In between lie passes of which a part f is executed while something is loaded:
// max(E e, (L + f) l + (1 - f) E e), which is least for f = 0 or f = 1. So no schedule takes less
// than the smaller of the two.
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
#include "support/statistics.hpp"
#include "support/taking_turns.hpp"

namespace {

using bench::TurnModel;
using qnnpp::model::Prefetch;
using qnnpp::model::UseOrder;

constexpr std::size_t contexts = 66;
constexpr std::uint32_t execution_us = 600;

struct Kind {
  const char* name;
  Prefetch prefetch;
  std::size_t depth;
  int passes_before;  ///< those that are measured
};
constexpr std::array<Kind, 5> kinds{{{"off", Prefetch::off, 1, 1},
                                     {"spare_room", Prefetch::spare_room, 1, 1},
                                     {"ahead, 1 deep", Prefetch::ahead, 1, 2},
                                     {"ahead, 4 deep", Prefetch::ahead, 4, 5},
                                     {"ahead, 8 deep", Prefetch::ahead, 8, 3}}};

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Pass {
  double ms = 0;
  double loads = 0;
};

/// Acquires, executes and releases each context once.
Pass run_pass(TurnModel::Residency& residency, bool executes = true) {
  const std::uint64_t loads_before = residency.stats().loads;
  const double start_ms = now_ms();
  for (std::size_t i = 0; i < contexts; ++i) {
    const auto lease = qnnpp::value_or_throw(residency.acquire(i));
    if (executes) qnnpp::value_or_throw(lease.payload()->graph->execute());
  }
  return {now_ms() - start_ms, static_cast<double>(residency.stats().loads - loads_before)};
}

/// The fastest of three passes of a residency that has settled: what disturbs it adds time only.
Pass settled_pass(const TurnModel& model, std::size_t room, const Kind& kind) {
  TurnModel::Options options;
  options.order = UseOrder::cyclic();
  options.prefetch = kind.prefetch;
  options.prefetch_depth = kind.depth;
  options.budget_bytes = room * model.weights_bytes()[0] + TurnModel::spill_fill_bytes;
  auto residency = model.residency(std::move(options));
  for (int i = 0; i < kind.passes_before; ++i) (void)run_pass(residency);
  Pass best = run_pass(residency);
  for (int i = 0; i < 2; ++i)
    if (const Pass pass = run_pass(residency); pass.ms < best.ms) best = pass;
  return best;
}

/// What an execution and a load take, as measured: waits last a little longer than asked for, and
/// the rest of them is this machine's.
struct Costs {
  double execution_ms = 0;
  double load_ms = 0;
};
Costs measure(const TurnModel& model) {
  const auto median_ms = [&](std::size_t room, std::size_t requests, bool executes) {
    TurnModel::Options options;
    options.max_contexts = room;
    auto residency = model.residency(std::move(options));
    if (room != 1) (void)run_pass(residency, false);
    std::vector<double> ms;
    for (std::size_t i = 0; i < requests; ++i) {
      const double start_ms = now_ms();
      const auto lease = qnnpp::value_or_throw(residency.acquire(i % contexts));
      if (executes) qnnpp::value_or_throw(lease.payload()->graph->execute());
      ms.push_back(now_ms() - start_ms);
    }
    return bench::median(ms);
  };
  Costs costs;
  // Each load lets another context go first.
  costs.load_ms = median_ms(1, contexts, false);
  bench::set_waits(0, execution_us);
  costs.execution_ms = median_ms(contexts, 3 * contexts, true);
  return costs;
}

void compare(bench::Report& report, const TurnModel& model, std::uint32_t executions,
             std::uint64_t percent, std::ofstream& data) {
  const std::size_t room = contexts * percent / 100;
  bench::set_waits(executions * execution_us, execution_us);
  const Costs costs = measure(model);
  bench::set_waits(executions * execution_us, execution_us);
  const double executing = contexts * costs.execution_ms;
  const double loads = static_cast<double>(contexts - room);
  const double without_overlap = executing + loads * costs.load_ms;
  const double with_overlap = std::max(executing, (loads + 1) * costs.load_ms);
  const double bound = std::min(without_overlap, with_overlap);

  const std::string at = "a load = " + std::to_string(executions) + " executions, room for " +
                         std::to_string(percent) + " %: ";
  data << percent << ' ' << executions;
  double best = std::numeric_limits<double>::max();
  std::string best_kind;
  for (const Kind& kind : kinds) {
    const Pass pass = settled_pass(model, room, kind);
    const std::string figure = at + kind.name;
    report.detail(figure, pass.ms, "ms/pass", bench::number(pass.loads) + " loads a pass");
    data << ' ' << pass.ms;
    if (kind.prefetch == Prefetch::spare_room)
      report.at_most(1.1, figure + ", ratio", pass.ms / without_overlap, "ratio",
                     "bound without overlap, " + bench::number(without_overlap) + " ms");
    if (kind.prefetch == Prefetch::ahead)
      report.show(figure + ", ratio", pass.ms / with_overlap, "ratio",
                  "bound with overlap, " + bench::number(with_overlap) + " ms");
    if (pass.ms < best) {
      best = pass.ms;
      best_kind = kind.name;
    }
  }
  data << ' ' << bound << '\n';
  report.at_most(1.1, at + "best kind, ratio", best / bound, "ratio",
                 best_kind + "; the smaller bound, " + bench::number(bound) + " ms");
}

}  // namespace

int main(int argc, char** argv) {
  // Waits end when they should, not 50 us later. Threads to come inherit it.
  (void)::prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  bench::Report report("prefetch", argc, argv);
  (void)bench::Device::load();
  const TurnModel model(contexts, 16384, QNNPP_SLOW_HTP);
  std::ofstream data(report.file("prefetch.dat"));
  data << "# room in percent of all contexts; executions that a load takes; ms of a pass: off, "
          "spare_room, ahead 1, 4 and 8 deep, the least possible\n";
  for (const std::uint64_t percent : {50u, 75u, 90u})
    for (const std::uint32_t executions : {1u, 5u, 20u})
      compare(report, model, executions, percent, data);
  return report.finish();
}
