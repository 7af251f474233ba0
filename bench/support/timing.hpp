// Times of several alternatives in one process, by Google Benchmark: repetitions of all of them are
// interleaved at random, so that a disturbance of the machine affects each alike.
#pragma once

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// An alternative to time: one call of `run` is one iteration.
struct Alternative {
  std::string name;
  std::function<void()> run;
};

/// Nanoseconds of an iteration, one sample a repetition, by alternative.
using Samples = std::map<std::string, std::vector<double>>;

/// Runs each alternative `repetitions` times for at least `seconds` each (a run at least once).
[[nodiscard]] inline Samples time_interleaved(const std::vector<Alternative>& alternatives,
                                              int repetitions, double seconds = 0.01) {
  class Collector : public benchmark::BenchmarkReporter {
   public:
    explicit Collector(Samples& samples) : samples_(samples) {}
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
      for (const Run& run : runs)
        if (run.run_type == Run::RT_Iteration)
          samples_[run.run_name.function_name].push_back(run.real_accumulated_time * 1e9 /
                                                         static_cast<double>(run.iterations));
    }

   private:
    Samples& samples_;
  };

  std::string program = "bench";
  std::string interleaving = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program.data(), interleaving.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  for (const Alternative& each : alternatives)
    benchmark::RegisterBenchmark(each.name.c_str(),
                                 [run = each.run](benchmark::State& state) {
                                   for (auto _ : state) run();
                                 })
        ->Repetitions(repetitions)
        ->MinTime(seconds)
        ->UseRealTime();
  Samples samples;
  Collector collector(samples);
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  return samples;
}

/// Nanoseconds of both of a pair, by round.
struct PairedSamples {
  std::vector<double> ours;
  std::vector<double> theirs;
};

/// CPU time of this process in nanoseconds: other work on the machine does not count.
[[nodiscard]] inline double cpu_time() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Runs all pairs `rounds` times, in each round in another order, the two of a pair back to back:
/// a longer disturbance slows both of a pair, and all pairs of a round. Suits work that does not
/// wait.
[[nodiscard]] inline std::vector<PairedSamples> time_pairs(
    const std::vector<std::pair<std::function<void()>, std::function<void()>>>& pairs,
    std::size_t rounds) {
  const auto time = [](const std::function<void()>& run) {
    const double begin = cpu_time();
    run();
    return cpu_time() - begin;
  };
  std::mt19937 random;  // The same order in every run.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    order.push_back(i);
    pairs[i].first();
    pairs[i].second();
  }
  std::vector<PairedSamples> samples(pairs.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      const bool ours_first = random() % 2 == 0;
      if (ours_first) samples[i].ours.push_back(time(pairs[i].first));
      samples[i].theirs.push_back(time(pairs[i].second));
      if (!ours_first) samples[i].ours.push_back(time(pairs[i].first));
    }
  }
  return samples;
}

}  // namespace bench
