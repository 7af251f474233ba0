// The main job: four contexts of one network, each with its own weights buffer, all with one
// spill-fill buffer of the largest need - and then the network at work on handwritten digits.
//
//   shared_spill_fill --backend libQnnHtp.so --rpcmem libcdsprpc.so --folder BINARIES
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "digits/files.hpp"
#include "digits/network.hpp"
#include "digits/reference.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/sim/control.hpp"
#include "qnnpp/throw.hpp"

namespace {

using namespace qnnpp;

struct Options {
  std::string backend = "libQnnHtp.so";
  std::string rpcmem = "libcdsprpc.so";
  std::string folder = ".";
  std::vector<std::string> binaries;
  std::string data = QNNPP_DIGITS_DATA;
  std::string json;
  bool counters = false;
};

struct ContextRow {
  std::string name;
  BufferRequirements need;
};

struct Report {
  std::vector<ContextRow> contexts;
  std::uint64_t weights_bytes = 0;
  std::uint64_t separate_spill_fill_bytes = 0;
  std::uint64_t shared_spill_fill_bytes = 0;
  /// What the device has mapped, where the backend is the simulated one and can tell.
  std::optional<std::uint64_t> device_bytes;
  std::size_t images = 0;
  std::size_t correct = 0;
  float max_abs_difference = 0.0f;

  [[nodiscard]] std::uint64_t saved_bytes() const {
    return separate_spill_fill_bytes - shared_spill_fill_bytes;
  }
  [[nodiscard]] double accuracy() const {
    return images == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(images);
  }
};

Report run(const Options& options) {
  std::string error;
  const auto weights_file = digits::load_weights(options.data + "/weights.bin", error);
  if (!weights_file) throw std::runtime_error(error);
  const auto images = digits::load_images(options.data + "/images.bin", error);
  if (!images) throw std::runtime_error(error);
  const auto segments = digits::make_segments(*weights_file);
  if (options.binaries.size() != segments.size())
    throw std::runtime_error(fmt::format("the network has {} segments, {} binaries were given",
                                         segments.size(), options.binaries.size()));

  const auto backend = value_or_throw(Backend<Htp>::load({.library = options.backend}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(options.rpcmem));
  Report report;

  // All contexts are created and asked for their needs before the first buffer is allocated.
  std::vector<Context<Queried>> queried;
  for (const std::string& path : options.binaries)
    queried.push_back(value_or_throw(
        ContextBinary::map(path)
            .and_then([&](ContextBinary binary) {
              return Context<Deferred>::create(backend, std::move(binary));
            })
            .and_then(query)));

  const auto spill_fill = value_or_throw(SharedSpillFill::allocate(rpcmem, queried));
  report.shared_spill_fill_bytes = spill_fill.size_bytes();

  std::vector<Context<Finalized>> contexts;
  for (Context<Queried>& context : queried) {
    const BufferRequirements need = context.requirements();
    const std::string& path = context.name();
    report.contexts.push_back({path.substr(path.rfind('/') + 1), need});
    report.weights_bytes += need.weights_bytes;
    report.separate_spill_fill_bytes += need.spill_fill_bytes;
    contexts.push_back(value_or_throw(
        MemRegion<Weights>::allocate(rpcmem, need)
            .and_then([&](MemRegion<Weights> weights) {
              return std::move(context).register_buffers(
                  {.weights = std::move(weights), .spill_fill = spill_fill});
            })
            .and_then(finalize)));
  }

  // The output of each graph is the input of the next.
  std::vector<std::vector<float>> buffers(segments.size() + 1);
  buffers[0].resize(digits::batch * digits::image_pixels);
  std::vector<Graph<Bound>> pipeline;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const digits::Segment& segment = segments[i];
    const digits::TensorSpec& input = segment.tensors[segment.input];
    const digits::TensorSpec& output = segment.tensors[segment.output];
    buffers[i + 1].resize(output.elements());
    auto graph = value_or_throw(Graph<Retrieved>::retrieve(contexts[i], segment.name));
    pipeline.push_back(value_or_throw(
        std::move(graph).bind({raw(input.name, buffers[i], input.dims),
                               raw(output.name, buffers[i + 1], output.dims)})));
  }

  if (void* library = ::dlopen(options.backend.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
    if (const auto control = sim::Control::from(library))
      report.device_bytes = control.counters().device_bytes;
    ::dlclose(library);
  }

  // One lease for the whole run: no lock is taken for any of its executions.
  const SpillFillLease lease = spill_fill.lease();
  for (std::size_t first = 0; first < images->count(); first += digits::batch) {
    // Copied into place: the bound graph holds the buffer's address.
    const std::vector<float> batch = digits::input_batch(*images, first);
    std::copy(batch.begin(), batch.end(), buffers[0].begin());
    for (Graph<Bound>& graph : pipeline) value_or_throw(graph.execute(lease));

    const std::vector<float>& found = buffers.back();
    const std::vector<float> expected = digits::run_network(segments, buffers[0]);
    for (std::size_t i = 0; i < found.size(); ++i)
      report.max_abs_difference =
          std::max(report.max_abs_difference, std::abs(found[i] - expected[i]));
    const std::size_t rows = std::min<std::size_t>(digits::batch, images->count() - first);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto scores = std::span(found).subspan(row * digits::classes, digits::classes);
      ++report.images;
      if (digits::best_class(scores) == images->labels[first + row]) ++report.correct;
    }
  }
  return report;
}

void print(const Report& report) {
  std::size_t width = 7;
  for (const ContextRow& row : report.contexts) width = std::max(width, row.name.size());
  fmt::print("{:<{}}  {:>12}  {:>12}  {:>10}\n", "context", width, "weights B", "spill-fill B",
             "alignment");
  for (const ContextRow& row : report.contexts)
    fmt::print("{:<{}}  {:>12}  {:>12}  {:>10}\n", row.name, width, row.need.weights_bytes,
               row.need.spill_fill_bytes, row.need.start_alignment);
  fmt::print("\nweights, all contexts         {:>12} B\n", report.weights_bytes);
  fmt::print("spill-fill, separate buffers  {:>12} B\n", report.separate_spill_fill_bytes);
  fmt::print("spill-fill, one shared buffer {:>12} B\n", report.shared_spill_fill_bytes);
  fmt::print("saved                         {:>12} B\n", report.saved_bytes());
  if (report.device_bytes)
    fmt::print("mapped by the device          {:>12} B\n", *report.device_bytes);
  fmt::print("\n{} of {} images right: accuracy {:.4f}\n", report.correct, report.images,
             report.accuracy());
  fmt::print("largest difference from the float reference: {:.3g}\n", report.max_abs_difference);
}

void write_json(const Report& report, const std::string& path) {
  nlohmann::ordered_json json;
  json["contexts"] = nlohmann::ordered_json::array();
  for (const ContextRow& row : report.contexts)
    json["contexts"].push_back({{"name", row.name},
                                {"weights_bytes", row.need.weights_bytes},
                                {"spill_fill_bytes", row.need.spill_fill_bytes},
                                {"start_alignment", row.need.start_alignment}});
  json["weights_bytes"] = report.weights_bytes;
  json["separate_spill_fill_bytes"] = report.separate_spill_fill_bytes;
  json["shared_spill_fill_bytes"] = report.shared_spill_fill_bytes;
  json["saved_bytes"] = report.saved_bytes();
  json["device_bytes"] = nullptr;
  if (report.device_bytes) json["device_bytes"] = *report.device_bytes;
  json["images"] = report.images;
  json["correct"] = report.correct;
  json["accuracy"] = report.accuracy();
  json["max_abs_difference"] = report.max_abs_difference;
  std::ofstream file(path);
  file << json.dump(2) << '\n';
  if (!file.flush()) throw std::runtime_error(path + ": the file cannot be written");
}

/// What the simulated libraries still hold after everything is gone.
void print_counters(const Options& options) {
  void* backend = ::dlopen(options.backend.c_str(), RTLD_NOW | RTLD_NOLOAD);
  void* rpcmem = ::dlopen(options.rpcmem.c_str(), RTLD_NOW);
  if (const auto control = sim::Control::from(backend)) {
    const sim::Counters left = control.counters();
    fmt::print("left on the device: {} contexts, {} graphs, {} registrations, {} devices, "
               "{} backends, {} logs, {} mapped bytes, {} misuses\n",
               left.live_contexts, left.live_graphs,
               left.live_tensor_registrations + left.live_weights_registrations +
                   left.live_spill_fill_registrations,
               left.live_devices, left.live_backends, left.live_logs, left.mapped_bytes,
               left.misuses);
  } else {
    fmt::print("left on the device: {} is not a loaded simulated HTP\n", options.backend);
  }
  if (const auto control = sim::RpcmemControl::from(rpcmem)) {
    const sim::RpcmemCounters left = control.counters();
    fmt::print("left in rpcmem: {} allocations, {} bytes, {} descriptors\n", left.live_allocations,
               left.live_bytes, left.live_fds);
  }
  if (backend != nullptr) ::dlclose(backend);
  if (rpcmem != nullptr) ::dlclose(rpcmem);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs the digits network: four contexts, one spill-fill buffer");
  Options options;
  app.add_option("--backend", options.backend, "libQnnHtp.so")->take_last();
  app.add_option("--rpcmem", options.rpcmem, "libcdsprpc.so")->take_last();
  app.add_option("--folder", options.folder, "folder that make_binaries wrote to")->take_last();
  app.add_option("--binaries", options.binaries, "the four binaries, instead of --folder");
  app.add_option("--data", options.data, "folder with weights.bin and images.bin")->take_last();
  app.add_option("--json", options.json, "write the numbers to this file")->take_last();
  app.add_flag("--counters", options.counters, "print what the simulated libraries still hold");
  CLI11_PARSE(app, argc, argv);
  if (options.binaries.empty())
    for (const char* segment : {"stem", "features", "gate", "classifier"})
      options.binaries.push_back(options.folder + "/" + segment + ".bin");

  int status = 0;
  try {
    const Report report = run(options);
    print(report);
    if (!options.json.empty()) write_json(report, options.json);
  } catch (const std::exception& exception) {
    fmt::print(stderr, "shared_spill_fill: {}\n", exception.what());
    status = 1;
  }
  if (options.counters) print_counters(options);
  return status;
}
