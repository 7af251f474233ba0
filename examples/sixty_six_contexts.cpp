// A network of 66 contexts on a device that holds fewer: contexts take turns, by the known order of
// their use. The results equal the results of a device that holds all contexts.
//
//   sixty_six_contexts --backend libQnnHtp.so --rpcmem libcdsprpc.so --folder BINARIES
//
// The network is the digits network with 62 residual blocks in it (digits/deep_network.hpp). First
// writes its binaries to the folder. The library does not know how many contexts fit: the simulated
// device refuses one more, and the library learns the capacity from the refusal. The capacity of a
// real device cannot be set, so there the capacities are limits of the library. Exits with 1 if
// results differ.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "qnnpp/model/residency.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/sim/control.hpp"
#include "qnnpp/throw.hpp"

#include "digits/compose.hpp"
#include "digits/deep_network.hpp"
#include "digits/files.hpp"
#include "digits/program.hpp"
#include "tool/program.hpp"
#include "tool/progress.hpp"

namespace {

using namespace qnnpp;

constexpr std::size_t context_count = 66;

struct Options : digits::Arguments {
  std::string json;
  std::size_t passes = 5;
  std::vector<std::size_t> capacities{50, 33, 1};
  std::string prefetch = "off";
  bool quiet = false;
};

/// Built from each context: its graph, bound to the values between it and its neighbours.
using Payload = Graph<Bound>;
using Residency = model::Residency<Payload>;

/// Limits the number of contexts on the simulated device while this object lives.
class DeviceLimit {
 public:
  DeviceLimit(const std::string& library, std::size_t contexts)
      : library_(::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD)),
        control_(sim::Control::from(library_)) {
    if (control_) set(static_cast<std::uint32_t>(contexts));
  }
  DeviceLimit(const DeviceLimit&) = delete;
  DeviceLimit& operator=(const DeviceLimit&) = delete;
  ~DeviceLimit() {
    if (control_) set(0);
    if (library_ != nullptr) ::dlclose(library_);
  }
  [[nodiscard]] bool is_simulated() const { return static_cast<bool>(control_); }

 private:
  void set(std::uint32_t contexts) {
    sim::Config config = control_.config();
    config.max_contexts = contexts;
    (void)control_.set_config(config);
  }

  void* library_;
  sim::Control control_;
};

struct Run {
  std::size_t capacity = 0;
  std::vector<std::uint64_t> loads;  ///< By pass.
  std::uint64_t prefetched = 0;
  std::uint64_t refusals = 0;
  std::vector<std::vector<float>> results;  ///< By pass.
};

/// Returns the fewest possible loads of each pass with room for `capacity` contexts, if all
/// requests are known.
std::vector<std::uint64_t> optimal_loads(std::size_t passes, std::size_t capacity) {
  std::set<std::size_t> there;
  std::vector<std::uint64_t> loads(passes);
  for (std::size_t now = 0; now < passes * context_count; ++now) {
    const std::size_t wanted = now % context_count;
    if (there.count(wanted) != 0) continue;
    ++loads[now / context_count];
    if (there.size() == capacity) {
      // Distance to the next use in a cycle: farthest for the context that was used last.
      const auto next_use = [&](std::size_t each) {
        return (each + context_count - wanted) % context_count;
      };
      there.erase(*std::max_element(there.begin(), there.end(), [&](std::size_t a, std::size_t b) {
        return next_use(a) < next_use(b);
      }));
    }
    there.insert(wanted);
  }
  return loads;
}

double mean(const std::vector<std::uint64_t>& loads) {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : loads) sum += each;
  return static_cast<double>(sum) / static_cast<double>(loads.size());
}

model::Prefetch prefetch_of(const std::string& word) {
  return word == "ahead"        ? model::Prefetch::ahead
         : word == "spare_room" ? model::Prefetch::spare_room
                                : model::Prefetch::off;
}

class Program {
 public:
  explicit Program(const Options& options)
      : options_(options),
        backend_(value_or_throw(Backend<Htp>::load({.library = options.backend}))),
        rpcmem_(value_or_throw(RpcmemAllocator::load(options.rpcmem))) {
    std::string error;
    auto weights = digits::load_weights(options.data + "/weights.bin", error);
    if (!weights) throw std::runtime_error(error);
    auto images = digits::load_images(options.data + "/images.bin", error);
    if (!images) throw std::runtime_error(error);
    weights_ = std::move(*weights);
    images_ = std::move(*images);
    constexpr std::size_t blocks = context_count - 4;
    block_weights_ = digits::make_block_weights(blocks);
    segments_ = digits::make_deep_segments(weights_, block_weights_, blocks);
    write_binaries();
    // One vector for the values between each segment and the next.
    values_.resize(segments_.size() + 1);
    values_[0].resize(digits::batch * digits::image_pixels);
    for (std::size_t i = 0; i < segments_.size(); ++i)
      values_[i + 1].resize(segments_[i].tensors[segments_[i].output].elements());
  }

  /// Runs the network `passes` times on a device that holds `capacity` contexts.
  Run run(std::size_t capacity, model::UseOrder order, model::Prefetch prefetch) {
    const DeviceLimit limit(options_.backend, capacity);
    Residency::Options options;
    options.order = std::move(order);
    options.prefetch = prefetch;
    if (!limit.is_simulated()) options.max_contexts = capacity;
    options.payload = [this](std::size_t i, const Context<Finalized>& context) {
      return bind(i, context);
    };
    auto residency =
        value_or_throw(Residency::create(backend_, rpcmem_, binaries_, std::move(options)));
    Run run;
    run.capacity = capacity;
    std::uint64_t loads_before = 0;
    tool::ProgressLine progress(options_.quiet);
    for (std::size_t pass = 0; pass < options_.passes; ++pass) {
      const auto input = digits::input_batch(images_, pass * digits::batch % images_.count());
      std::copy(input.begin(), input.end(), values_[0].begin());
      for (std::size_t i = 0; i < residency.size(); ++i) {
        progress.draw(pass * residency.size() + i, options_.passes * residency.size(),
                      fmt::format("device for {} contexts, pass {}", capacity, pass + 1));
        const auto pinned = value_or_throw(residency.acquire(i));
        value_or_throw(pinned.payload().execute());
      }
      run.results.push_back(values_.back());
      const std::uint64_t loads = residency.stats().loads;
      run.loads.push_back(loads - loads_before);
      loads_before = loads;
    }
    run.prefetched = residency.stats().prefetched;
    run.refusals = residency.stats().capacity_retries;
    return run;
  }

  [[nodiscard]] std::size_t correct(const Run& run) const {
    std::size_t right = 0;
    for (std::size_t pass = 0; pass < run.results.size(); ++pass)
      for (std::size_t row = 0; row < digits::batch; ++row) {
        const std::size_t image = pass * digits::batch % images_.count() + row;
        const auto probabilities =
            std::span(run.results[pass]).subspan(row * digits::classes, digits::classes);
        if (image < images_.count() && digits::best_class(probabilities) == images_.labels[image])
          ++right;
      }
    return right;
  }

 private:
  void write_binaries() {
    std::filesystem::create_directories(options_.folder);
    for (const digits::Segment& segment : segments_) {
      const auto binary = digits::make_binary<RawIo>(backend_, segment);
      const std::string path = options_.folder + "/" + segment.name + ".bin";
      tool::write(path, binary);
      binaries_.push_back(model::BinarySource::file(path));
    }
  }

  Result<Payload> bind(std::size_t i, const Context<Finalized>& context) {
    const digits::Segment& segment = segments_[i];
    const digits::TensorSpec& input = segment.tensors[segment.input];
    const digits::TensorSpec& output = segment.tensors[segment.output];
    return Graph<Retrieved>::retrieve(context, segment.name).and_then([&](Graph<Retrieved> graph) {
      return std::move(graph).bind(
          {raw(input.name, values_[i], input.dims), raw(output.name, values_[i + 1], output.dims)});
    });
  }

  const Options& options_;
  Backend<Htp> backend_;
  RpcmemAllocator rpcmem_;
  std::vector<float> weights_;
  std::vector<float> block_weights_;
  digits::Images images_;
  std::vector<digits::Segment> segments_;
  std::vector<model::BinarySource> binaries_;
  std::vector<std::vector<float>> values_;
};

/// Prints the runs and returns them as JSON, with whether their results are identical.
std::pair<nlohmann::ordered_json, bool> run_all(const Options& options) {
  Program program(options);
  const auto prefetch = prefetch_of(options.prefetch);
  const Run all = program.run(context_count, model::UseOrder::cyclic(), model::Prefetch::off);
  fmt::print("{} contexts, {} passes; all resident: {} loads, {} of {} images right\n",
             context_count, options.passes, all.loads[0], program.correct(all),
             options.passes * digits::batch);
  nlohmann::ordered_json json;
  json["runs"] = nlohmann::ordered_json::array();
  bool all_identical = true;
  fmt::print("{:>8}  {:>26}  {:>10}  {:>10}  {:>10}  {}\n", "capacity", "loads of each pass",
             "a pass", "optimum", "LRU", "results");
  for (const std::size_t capacity : options.capacities) {
    const Run run = program.run(capacity, model::UseOrder::cyclic(), prefetch);
    const Run lru = program.run(capacity, model::UseOrder::unknown(), model::Prefetch::off);
    const auto optimum = optimal_loads(options.passes, capacity);
    const bool identical = run.results == all.results && lru.results == all.results;
    all_identical = all_identical && identical;
    fmt::print("{:>8}  {:>26}  {:>10.2f}  {:>10.2f}  {:>10.2f}  {}\n", capacity,
               fmt::format("{}", fmt::join(run.loads, " ")), mean(run.loads), mean(optimum),
               mean(lru.loads), identical ? "identical" : "DIFFERENT");
    json["runs"].push_back({{"capacity_contexts", capacity},
                            {"loads_per_pass", mean(run.loads)},
                            {"optimum_loads_per_pass", mean(optimum)},
                            {"lru_loads_per_pass", mean(lru.loads)},
                            {"identical", identical},
                            {"prefetched", run.prefetched},
                            {"capacity_refusals", run.refusals}});
  }
  return {std::move(json), all_identical};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs 66 contexts on a device that holds fewer", "sixty_six_contexts");
  Options options;
  digits::add_options(app, options, "folder to which the binaries are written");
  app.add_option("--passes", options.passes, "how often the network runs")
      ->check(tool::whole_number(1, 1000))
      ->take_last();
  app.add_option("--capacities", options.capacities, "contexts that the device holds")
      ->check(tool::whole_number(1, context_count));
  app.add_option("--prefetch", options.prefetch, "load contexts before they are requested")
      ->check(CLI::IsMember({"off", "spare_room", "ahead"}))
      ->take_last();
  app.add_option("--json", options.json, "write the numbers to this file")->take_last();
  tool::add_quiet(app, options.quiet);
  return digits::run_and_count(app, argc, argv, options, [&] {
    const auto [json, all_identical] = run_all(options);
    if (!options.json.empty()) tool::write(options.json, json.dump(2) + '\n');
    return all_identical ? 0 : 1;
  });
}
