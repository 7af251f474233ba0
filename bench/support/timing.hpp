// Times of several alternatives in one process, by Google Benchmark: repetitions of all of them are
// interleaved at random, so that what disturbs the machine disturbs each alike.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// What is timed: `run` once is one iteration.
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

}  // namespace bench
