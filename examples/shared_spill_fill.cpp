// The main example: loads four contexts of one network, each with its own weights buffer, all with
// one spill-fill buffer of the largest need. Then classifies handwritten digits with the network.
//
//   shared_spill_fill --backend libQnnHtp.so --rpcmem libcdsprpc.so --folder BINARIES
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "qnnpp/format.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "digits/files.hpp"
#include "digits/network.hpp"
#include "digits/program.hpp"
#include "digits/reference.hpp"
#include "tool/program.hpp"
#include "tool/progress.hpp"

namespace {

using namespace qnnpp;

struct Options : digits::Arguments {
  std::vector<std::string> binaries;
  std::string json;
  bool quiet = false;
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
  /// Bytes that the device has mapped. Only the simulated HTP reports them.
  std::optional<std::uint64_t> device_bytes;
  /// Bytes of inputs and outputs that the device copied for all images. io_cost predicts, from the
  /// graphs' metadata, the copies of one inference and the memory that is unused.
  std::optional<std::uint64_t> copied_bytes;
  IoCost io_cost;
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

/// Chains the segments' graphs in order: the output of each is the input of the next, in place.
template <class Io>
Result<Pipeline> chain(const RpcmemAllocator& rpcmem,
                       const std::vector<Context<Finalized>>& contexts,
                       std::span<const digits::Segment> segments) {
  std::vector<Graph<Retrieved, Io>> graphs;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    auto graph = Graph<Retrieved, Io>::retrieve(contexts[i], segments[i].name);
    if (!graph) return fail(std::move(graph).error());
    graphs.push_back(std::move(*graph));
  }
  return Pipeline::create(rpcmem, std::move(graphs));
}

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

  // Creates and queries all contexts before it allocates the first buffer.
  tool::ProgressLine progress(options.quiet);
  std::vector<Context<Queried>> queried;
  for (const std::string& path : options.binaries) {
    progress.draw(queried.size(), options.binaries.size(), "querying: " + path);
    queried.push_back(value_or_throw(ContextBinary::map(path)
                                         .and_then([&](ContextBinary binary) {
                                           return Context<Deferred>::create(backend,
                                                                            std::move(binary));
                                         })
                                         .and_then(transition::query)));
  }

  const auto spill_fill = value_or_throw(SharedSpillFill::allocate(rpcmem, queried));
  report.shared_spill_fill_bytes = spill_fill.size_bytes();

  std::vector<Context<Finalized>> contexts;
  for (Context<Queried>& context : queried) {
    const BufferRequirements need = context.requirements();
    const std::string& path = context.name();
    progress.draw(contexts.size(), queried.size(), "finalizing: " + path);
    report.contexts.push_back({path.substr(path.rfind('/') + 1), need});
    report.weights_bytes += need.weights_bytes;
    report.separate_spill_fill_bytes += need.spill_fill_bytes;
    contexts.push_back(
        value_or_throw(MemRegion<Weights>::allocate(rpcmem, need)
                           .and_then([&](MemRegion<Weights> weights) {
                             return std::move(context).register_buffers(
                                 {.weights = std::move(weights), .spill_fill = spill_fill});
                           })
                           .and_then(transition::finalize)));
  }

  progress.erase();

  // Graphs that were prepared for plain memory also run in place, but keep unused memory for
  // copies.
  auto chained = chain<RegisteredIo>(rpcmem, contexts, segments);
  if (!chained && chained.error().kind == Errc::memory_type_mismatch)
    chained = chain<AnyIo>(rpcmem, contexts, segments);
  Pipeline pipeline = value_or_throw(std::move(chained));
  report.io_cost = pipeline.io_cost();

  if (const auto counters = digits::device_counters(options.backend))
    report.device_bytes = counters->device_bytes;

  // One lease for the whole run, so no execution waits.
  SpillFillLease lease = value_or_throw(spill_fill.lease());
  for (std::size_t first = 0; first < images->count(); first += digits::batch) {
    const std::vector<float> batch = digits::input_batch(*images, first);
    value_or_throw(write_elements(pipeline.input<float>("image"), batch));
    value_or_throw(pipeline.execute(lease));

    const auto found = value_or_throw(pipeline.output<float>("probabilities"));
    report.max_abs_difference = std::max(
        report.max_abs_difference,
        digits::largest_difference(found.elements(), digits::run_network(segments, batch)));
    const std::size_t rows = std::min<std::size_t>(digits::batch, images->count() - first);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto scores = found.elements().subspan(row * digits::classes, digits::classes);
      ++report.images;
      if (digits::best_class(scores) == images->labels[first + row]) ++report.correct;
    }
  }
  if (const auto counters = digits::device_counters(options.backend))
    report.copied_bytes = digits::copied_bytes(*counters);
  return report;
}

void print(const Report& report) {
  std::size_t width = 7;
  for (const ContextRow& row : report.contexts) width = std::max(width, escaped(row.name).size());
  fmt::print("{:<{}}  {:>12}  {:>12}  {:>10}\n", "context", width, "weights B", "spill-fill B",
             "alignment");
  for (const ContextRow& row : report.contexts)
    fmt::print("{:<{}}  {:>12}  {:>12}  {:>10}\n", escaped(row.name), width, row.need.weights_bytes,
               row.need.spill_fill_bytes, row.need.start_alignment);
  fmt::print("\nweights, all contexts         {:>12} B\n", report.weights_bytes);
  fmt::print("spill-fill, separate buffers  {:>12} B\n", report.separate_spill_fill_bytes);
  fmt::print("spill-fill, one shared buffer {:>12} B\n", report.shared_spill_fill_bytes);
  fmt::print("saved                         {:>12} B\n", report.saved_bytes());
  if (report.device_bytes)
    fmt::print("mapped by the device          {:>12} B\n", *report.device_bytes);
  if (report.copied_bytes)
    fmt::print("copied by the device          {:>12} B\n", *report.copied_bytes);
  fmt::print("\ninputs and outputs: {}\n", report.io_cost);
  fmt::print("{} of {} images right: accuracy {:.4f}\n", report.correct, report.images,
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
  json["copied_bytes"] = nullptr;
  if (report.copied_bytes) json["copied_bytes"] = *report.copied_bytes;
  json["io_cost"] = {
      {"copied_bytes_per_inference", report.io_cost.copied_bytes_per_inference},
      {"allocated_bytes_at_first_inference", report.io_cost.allocated_bytes_at_first_inference},
      {"preallocated_bytes_unused", report.io_cost.preallocated_bytes_unused}};
  json["images"] = report.images;
  json["correct"] = report.correct;
  json["accuracy"] = report.accuracy();
  json["max_abs_difference"] = report.max_abs_difference;
  tool::write(path, json.dump(2) + '\n');
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs the digits network: four contexts, one spill-fill buffer",
               "shared_spill_fill");
  Options options;
  digits::add_options(app, options);
  app.add_option("--binaries", options.binaries, "the four binaries, instead of --folder");
  app.add_option("--json", options.json, "write the numbers to this file")->take_last();
  tool::add_quiet(app, options.quiet);
  return digits::run_and_count(app, argc, argv, options, [&] {
    if (options.binaries.empty())
      for (const char* segment : {"stem", "features", "gate", "classifier"})
        options.binaries.push_back(options.folder + "/" + segment + ".bin");
    const Report report = run(options);
    print(report);
    if (!options.json.empty()) write_json(report, options.json);
    return 0;
  });
}
