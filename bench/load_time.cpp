// Instructions and CPU time to load 8 to 128 contexts over one spill-fill buffer, retrieve their
// graphs and free everything, against plain C that makes the same calls. Measures how both grow.
// Both use one thread; load_ahead.cpp measures a second one.
#include <gsl/gsl_fit.h>
#include <gsl/gsl_rng.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"

#include "baseline/qnn_c.h"
#include "support/callgrind.hpp"
#include "support/device.hpp"
#include "support/report.hpp"
#include "support/statistics.hpp"
#include "support/timing.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace qnnpp;

constexpr std::array<std::size_t, 5> counts{8, 16, 32, 66, 128};
/// More of them, because a count has no noise but that of the allocator.
constexpr std::array<std::size_t, 9> instruction_counts{8, 16, 32, 48, 66, 80, 96, 112, 128};
constexpr const char* graph_name = "graph";

/// One entry for each count of contexts; each entry has one sample for each round.
using Samples = std::vector<bench::PairedSamples>;

/// Slope of a line through one value for each count.
double slope(const std::vector<double>& y) {
  const std::vector<double> x(counts.begin(), counts.end());
  double c0 = 0.0;
  double c1 = 0.0;
  double covariance[4];
  gsl_fit_linear(x.data(), 1, y.data(), 1, x.size(), &c0, &c1, &covariance[0], &covariance[1],
                 &covariance[2], &covariance[3]);
  return c1;
}

/// c2 of the fit c0 + c1 x + c2 x^2 by least squares: projects y on the part of x^2 that is not
/// linear in x.
double quadratic_term(const std::array<double, counts.size()>& y) {
  const std::vector<double> x(counts.begin(), counts.end());
  std::vector<double> rest;
  for (const double each : x) rest.push_back(each * each);
  double c0 = 0.0;
  double c1 = 0.0;
  double ignored[4];
  gsl_fit_linear(x.data(), 1, rest.data(), 1, x.size(), &c0, &c1, &ignored[0], &ignored[1],
                 &ignored[2], &ignored[3]);
  double product = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    rest[i] -= c0 + c1 * x[i];
    product += rest[i] * y[i];
    square += rest[i] * rest[i];
  }
  return product / square;
}

/// Time of one more context, ours / theirs. Uses the medians of their times, and of the differences
/// within each pair.
double slope_ratio(const Samples& samples) {
  std::vector<double> theirs;
  std::vector<double> longer;
  for (const auto& [our_times, their_times] : samples) {
    std::vector<double> differences(our_times.size());
    for (std::size_t i = 0; i < differences.size(); ++i)
      differences[i] = our_times[i] - their_times[i];
    theirs.push_back(bench::median(their_times));
    longer.push_back(bench::median(differences));
  }
  return 1.0 + slope(longer) / slope(theirs);
}

/// slope_ratio() with its interval, by 2,000 bootstrap samples of the rounds.
bench::Ratio slope_ratio_with_interval(const Samples& samples) {
  gsl_rng* random = gsl_rng_alloc(gsl_rng_mt19937);
  std::vector<double> ratios(2000);
  Samples drawn = samples;
  for (double& each : ratios) {
    const std::size_t rounds = samples.front().ours.size();
    for (std::size_t i = 0; i < rounds; ++i) {
      const std::size_t round = gsl_rng_uniform_int(random, rounds);
      for (std::size_t k = 0; k < samples.size(); ++k) {
        drawn[k].ours[i] = samples[k].ours[round];
        drawn[k].theirs[i] = samples[k].theirs[round];
      }
    }
    each = slope_ratio(drawn);
  }
  gsl_rng_free(random);
  return {slope_ratio(samples), bench::middle(std::move(ratios))};
}

/// One binary file for each context.
class Binaries {
 public:
  /// Writes the files, with `weights_bytes` of weights each. The destructor removes them.
  Binaries(const Backend<Htp>& backend, std::uint64_t weights_bytes) : made_(std::in_place) {
    list(made_->path());
    const auto binary = bench::binary_of(backend, {graph_name, weights_bytes, 4 << 10});
    for (const std::string& path : paths_) {
      std::ofstream file(path, std::ios::binary);
      file.write(reinterpret_cast<const char*>(binary.data()),
                 static_cast<std::streamsize>(binary.size()));
      if (!file.flush()) throw std::runtime_error("a binary cannot be written");
    }
  }
  /// Refers to files that another object wrote.
  explicit Binaries(const std::string& folder) { list(folder); }
  Binaries(const Binaries&) = delete;
  Binaries& operator=(const Binaries&) = delete;

  /// Returns the first files.
  [[nodiscard]] std::vector<std::string> first(std::size_t count) const {
    return {paths_.begin(), paths_.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  [[nodiscard]] const char* const* c_paths() const { return c_paths_.data(); }

  [[nodiscard]] std::string folder() const { return made_->path(); }

 private:
  void list(const std::filesystem::path& folder) {
    for (std::size_t i = 0; i < counts.back(); ++i) paths_.push_back(folder / std::to_string(i));
    for (const std::string& path : paths_) c_paths_.push_back(path.c_str());
  }

  std::optional<support::TemporaryFolder> made_;
  std::vector<std::string> paths_;
  std::vector<const char*> c_paths_;
};

class Program;

}  // namespace

extern "C" {
void measured_qnnpp(const Program& program, const std::vector<std::string>& paths);
void measured_c(Program& program, const Binaries& binaries, std::size_t count);
}

namespace {

class Program {
 public:
  Program(int argc, char** argv) : report_("load-time", argc, argv) {
    if (c_device_open(&c_, bench::htp_library, bench::system_library, bench::rpcmem_library) != 0)
      throw std::runtime_error("no device in C");
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { c_device_close(&c_); }

  int run() {
    {
      // Almost no weights: the extra time of qnnpp shows most.
      const Binaries tiny(backend_, 4 << 10);
      count_calls(tiny);
      count_instructions(tiny);
      slopes("4 KiB", measure(tiny, 100), {});
    }
    const Binaries small(backend_, 1 << 20);
    const Samples samples = measure(small, 30);
    write(samples);
    growth(samples);
    slopes("1 MiB", samples, 1.02);
    return report_.finish();
  }

  /// Under callgrind: loads once, in the function that callgrind watches.
  void run_child(const std::string& whose, std::size_t count, const std::string& folder) {
    const Binaries binaries(folder);
    if (whose == "c")
      measured_c(*this, binaries, count);
    else
      measured_qnnpp(*this, binaries.first(count));
  }

  void load(const std::vector<std::string>& paths) const {
    const auto model = value_or_throw(
        model::load(backend_, rpcmem_, paths,
                    {.sharing = model::SpillFillSharing::external_buffer, .ahead = 0}));
    std::vector<Graph<Retrieved>> graphs;
    graphs.reserve(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
      graphs.push_back(value_or_throw(Graph<Retrieved>::retrieve(model.context(i), graph_name)));
  }

  void load_in_c(const Binaries& binaries, std::size_t count) {
    c_model model;
    if (c_model_load(&model, &c_, binaries.c_paths(), count) != 0)
      throw std::runtime_error("not loaded in C");
    for (std::size_t i = 0; i < count; ++i) {
      c_graph graph;
      if (c_graph_retrieve(&graph, &model, i, graph_name) != 0)
        throw std::runtime_error("no graph in C");
    }
    c_model_free(&model);
  }

 private:
  /// Counts the calls of the first load. Only there qnnpp asks the backend whether it can defer; C
  /// asks in each load.
  void count_calls(const Binaries& binaries) {
    constexpr std::size_t count = 66;
    const auto calls = [&] { return device_.htp.counters().calls; };
    const std::uint64_t first = calls();
    load(binaries.first(count));
    const std::uint64_t second = calls();
    load_in_c(binaries, count);
    const std::uint64_t third = calls();
    report_.exactly(static_cast<double>(third - second), "66 contexts: calls of QNN",
                    static_cast<double>(second - first), "calls", "C");
  }

  /// Counts instructions outside the device's libraries; noise does not affect them.
  void count_instructions(const Binaries& binaries) {
    for (const std::string whose : {"qnnpp", "c"}) {
      std::vector<double> x;
      std::vector<double> y;
      for (const std::size_t count : instruction_counts) {
        const auto counted =
            bench::count_instructions("measured_" + whose,
                                      "'" + program_ + "' --child " + whose + " " +
                                          std::to_string(count) + " '" + binaries.folder() + "'",
                                      binaries.folder() + "/profile");
        x.push_back(static_cast<double>(count));
        y.push_back(static_cast<double>(counted.own()));
      }
      const std::string name = whose == "c" ? "C" : whose;
      const bench::Fit fit = bench::fit(x, y, 2);
      report_.show("instructions of one more context: " + name, bench::fit(x, y, 1).coefficients[1],
                   "instructions", "without the device's libraries");
      const std::string quadratic = "instructions: quadratic term of " + name;
      if (whose == "qnnpp") {
        report_.judged("holds 0", fit.intervals[2].holds(0.0), quadratic, fit.coefficients[2],
                       "instructions", bench::text(fit.intervals[2]));
        report_.at_most(2, quadratic + " at 128 contexts, at most",
                        most_percent(fit.intervals[2], y.back()), "%",
                        "upper end of the interval, of all instructions");
      } else {
        report_.show(quadratic, fit.coefficients[2], "instructions", bench::text(fit.intervals[2]));
      }
    }
  }

  Samples measure(const Binaries& binaries, std::size_t rounds) {
    std::vector<std::pair<std::function<void()>, std::function<void()>>> pairs;
    for (std::size_t i = 0; i < counts.size(); ++i)
      pairs.push_back({[this, paths = binaries.first(counts[i])] { load(paths); },
                       [&, i] { load_in_c(binaries, counts[i]); }});
    return bench::time_pairs(pairs, rounds);
  }

  void write(const Samples& samples) {
    std::ofstream data(report_.file("load-time.dat"));
    data << "# contexts; medians in ms with the ends of their intervals: qnnpp, C\n";
    const auto middle = [&](const std::vector<double>& times) {
      const bench::Interval interval = bench::interval_of_median(times);
      data << ' ' << bench::median(times) / 1e6 << ' ' << interval.low / 1e6 << ' '
           << interval.high / 1e6;
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double ours = bench::median(samples[i].ours) / 1e6;
      const double theirs = bench::median(samples[i].theirs) / 1e6;
      report_.show("1 MiB of weights, " + std::to_string(counts[i]) + " contexts: qnnpp", ours,
                   "ms", "C " + bench::number(theirs));
      data << counts[i];
      middle(samples[i].ours);
      middle(samples[i].theirs);
      data << '\n';
    }
  }

  void slopes(const std::string& size, const Samples& samples, std::optional<double> bound) {
    const bench::Ratio ratio = slope_ratio_with_interval(samples);
    std::vector<double> theirs;
    for (const bench::PairedSamples& each : samples) theirs.push_back(bench::median(each.theirs));
    const double of_c = slope(theirs);
    const std::string name = size + " of weights, one more context: ";
    report_.show(name + "C", of_c / 1000.0, "us", "");
    if (bound) {
      report_.at_most(*bound, name + "qnnpp / C", ratio.value, "ratio", ratio.interval);
    } else {
      report_.show(name + "qnnpp - C", (ratio.value - 1.0) * of_c / 1000.0, "us", "");
      report_.show(name + "qnnpp / C", ratio.value, "ratio", bench::text(ratio.interval));
    }
  }

  /// Fits the quadratic term of each round separately, because a disturbance affects all times of
  /// one round and no other round. The growth of the simulated device and the kernel is also in C's
  /// times, so the difference to C excludes it.
  void growth(const Samples& samples) {
    const std::size_t rounds = samples.front().theirs.size();
    std::vector<double> ours(rounds);
    std::vector<double> theirs(rounds);
    std::vector<double> difference(rounds);
    for (std::size_t round = 0; round < rounds; ++round) {
      std::array<double, counts.size()> y{};
      for (std::size_t i = 0; i < counts.size(); ++i) y[i] = samples[i].ours[round] / 1000.0;
      ours[round] = quadratic_term(y);
      for (std::size_t i = 0; i < counts.size(); ++i) y[i] = samples[i].theirs[round] / 1000.0;
      theirs[round] = quadratic_term(y);
      difference[round] = ours[round] - theirs[round];
    }
    const std::string name = "1 MiB of weights: quadratic term of ";
    report_.show(name + "qnnpp", bench::median(ours), "us",
                 bench::text(bench::interval_of_median(ours)));
    report_.show(name + "C", bench::median(theirs), "us",
                 bench::text(bench::interval_of_median(theirs)));
    const bench::Interval interval = bench::interval_of_median(difference);
    report_.judged("holds 0", interval.holds(0.0), name + "qnnpp - C", bench::median(difference),
                   "us", bench::text(interval));
    report_.show(name + "qnnpp - C at 128 contexts, at most",
                 most_percent(interval, bench::median(samples.back().theirs) / 1000.0), "%",
                 "upper end of the interval, of all time");
  }

  /// Returns the largest possible part of a quadratic term in the time of the largest count, in
  /// percent.
  [[nodiscard]] static double most_percent(const bench::Interval& term, double all) {
    const auto contexts = static_cast<double>(counts.back());
    return 100.0 * term.high * contexts * contexts / all;
  }

  bench::Report report_;
  std::string program_ = std::filesystem::canonical("/proc/self/exe");
  bench::Device device_ = bench::Device::load();
  Backend<Htp> backend_ = value_or_throw(Backend<Htp>::load({.library = bench::htp_library}));
  RpcmemAllocator rpcmem_ = value_or_throw(RpcmemAllocator::load(bench::rpcmem_library));
  c_device c_{};
};

}  // namespace

extern "C" {
[[gnu::noinline]] void measured_qnnpp(const Program& program,
                                      const std::vector<std::string>& paths) {
  program.load(paths);
}
[[gnu::noinline]] void measured_c(Program& program, const Binaries& binaries, std::size_t count) {
  program.load_in_c(binaries, count);
}
}

int main(int argc, char** argv) {
  try {
    if (argc == 5 && std::strcmp(argv[1], "--child") == 0) {
      Program(argc, argv).run_child(argv[2], std::stoul(argv[3]), argv[4]);
      return 0;
    }
    return Program(argc, argv).run();
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "load-time: %s\n", exception.what());
    return 1;
  }
}
