// Loads context binaries in any way of sharing memory, executes their graphs with files or noise,
// compares the outputs and measures. On a device, a host library and the simulated HTP alike.
//
//   qnnpp-run --backend libQnnHtp.so --rpcmem libcdsprpc.so BINARY... [--repeat N] [--json FILE]
//   qnnpp-run ... --graph NAME --input x=x.npy --expect y=y.npy --tolerance 0.01
//   qnnpp-run ... --pipeline encoder,decoder --output FOLDER
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/backend/profile_file.hpp"
#include "qnnpp/model/json.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/model/trace.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "run/options.hpp"
#include "run/report.hpp"
#include "run/runnable.hpp"
#include "run/tensor_data.hpp"
#include "tool/interrupt.hpp"
#include "tool/program.hpp"
#include "tool/progress.hpp"

namespace {

using namespace qnnpp;
using ::run::Options;

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// A time as model::Trace has it.
std::uint64_t ns_of(Clock::time_point time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

/// Records how long each step of each context lasts.
class LoadTimes {
 public:
  explicit LoadTimes(std::vector<::run::ContextTimes>& contexts) : contexts_(contexts) {}
  /// Ends the step before this one.
  void add(const model::Progress& progress) {
    if (step_ != model::Step::loaded)
      contexts_.at(context_).step_ms.at(static_cast<std::size_t>(step_)) += ms_since(begin_);
    context_ = progress.context;
    step_ = progress.step;
    begin_ = Clock::now();
  }

 private:
  std::vector<::run::ContextTimes>& contexts_;
  std::size_t context_ = 0;
  model::Step step_ = model::Step::loaded;  // No step has begun.
  Clock::time_point begin_;
};

class Program {
 public:
  explicit Program(const Options& options)
      : options_(options),
        progress_(options.quiet || options.log),
        inputs_(files(options.inputs)),
        expected_(files(options.expected)) {}

  [[nodiscard]] int run() {
    if (!options_.output.empty()) make_folder(options_.output);
    const auto begin = Clock::now();
    const auto backend = value_or_throw(
        Backend<Htp>::load({.library = options_.backend,
                            .system_library = options_.system,
                            .log = options_.log ? log_to_stderr(*options_.log) : LogOptions()}));
    measured_.backend_ms = ms_since(begin);
    measured_.backend = options_.backend;
    measured_.build_id = backend.build_id().value_or("");
    measured_.core_version = backend.core_version();
    measured_.backend_version = backend.backend_version();
    measured_.chip = backend.chip();
    const auto allocator = ::run::Allocator::open(options_.memory, options_.rpcmem, options_.heap);
    std::optional<Performance> performance;
    if (options_.power) {
      performance.emplace(value_or_throw(Performance::vote(backend, *options_.power)));
      const auto refused = performance->refused();
      measured_.power = {fmt::to_string(*options_.power), {refused.begin(), refused.end()}};
    }
    if (options_.profile)
      profile_.emplace(value_or_throw(Profile::create(backend, {.level = *options_.profile})));
    for (const std::string& binary : options_.binaries)
      measured_.contexts.push_back({.name = binary});
    measured_.io = options_.io == ::run::IoKind::raw ? "raw" : "registered";
    measured_.repeat = options_.repeat;
    measured_.warmup = options_.warmup;
    measured_.seed = options_.seed;

    if (options_.residency)
      run_resident(backend, allocator);
    else
      run_loaded(backend, allocator);
    progress_.erase();
    if (profile_) measured_.profile = profile_->records();
    if (options_.prints()) print(measured_);
    print_comparisons();
    if (options_.json == "-")
      fmt::print("{}", to_json(measured_));
    else if (!options_.json.empty())
      tool::write(options_.json, to_json(measured_));
    if (!options_.trace.empty()) {
      trace_.add(measured_.profile);
      tool::write(options_.trace, trace_.text());
    }
    if (!options_.sdk_profile.empty()) {
      auto file = value_or_throw(
          ProfileFile::create(backend, options_.sdk_profile, {.app_name = "qnnpp-run"}));
      value_or_throw(file.write(*profile_));
      value_or_throw(std::move(file).close());
    }
    return measured_.all_match() ? 0 : 1;
  }

 private:
  static std::vector<::run::TensorFile> files(const std::vector<std::string>& arguments) {
    std::vector<::run::TensorFile> files;
    for (const std::string& argument : arguments) {
      files.push_back(value_or_throw(::run::read_tensor_file(argument)));
      for (std::size_t i = 0; i + 1 < files.size(); ++i)
        if (files[i].tensor == files.back().tensor)
          throw std::runtime_error(files.back().tensor + ": two files are given for this tensor");
    }
    return files;
  }

  /// Loads all contexts at once, and executes the graphs or the pipeline.
  void run_loaded(const Backend<Htp>& backend, const ::run::Allocator& allocator) {
    LoadTimes times(measured_.contexts);
    const auto draw = tool::draw_loading(progress_);
    model::LoadOptions how{.sharing = options_.sharing,
                           .external_weights = !options_.weights_in_qnn,
                           .share_without_dlbc = options_.share_without_dlbc};
    how.progress = trace_.on_progress([&](const model::Progress& progress) {
      times.add(progress);
      return draw(progress);
    });
    how.profile = profile_ ? &*profile_ : nullptr;
    const auto begin = Clock::now();
    const auto loaded = value_or_throw(model::load(backend, allocator, options_.binaries, how));
    measured_.load_ms = ms_since(begin);
    measured_.sharing = name_of(loaded.report().sharing);
    measured_.reason = loaded.report().reason;
    measured_.external_weights = loaded.report().external_weights;
    trace_.add_memory(loaded.report());
    if (!options_.report.empty()) tool::write(options_.report, model::to_json(loaded.report()));

    for (std::size_t i = 0; i < loaded.size(); ++i) note(loaded.context(i).graphs());
    if (!options_.pipeline.empty()) {
      require_known(options_.pipeline);
      std::vector<Graph<Retrieved>> graphs;
      for (const std::string& name : options_.pipeline)
        graphs.push_back(value_or_throw(loaded.graph(name)));
      auto pipeline = value_or_throw(::run::Runnable::from_pipeline(std::move(graphs), allocator));
      known_inputs_.clear();
      known_outputs_.clear();
      note(pipeline.inputs(), pipeline.outputs());
      require_known();
      execute(std::move(pipeline));
      return;
    }
    require_known();
    for (std::size_t i = 0; i < loaded.size(); ++i) execute_graphs(loaded.context(i), allocator);
  }

  /// Checks the names of the command line by the metadata of the binaries, if all can be read.
  void check_names(const Backend<Htp>& backend, const std::vector<model::BinarySource>& binaries) {
    if (options_.graphs.empty() && inputs_.empty() && expected_.empty()) return;
    for (const model::BinarySource& binary : binaries) {
      const auto survey = model::read_graphs(backend, binary);
      if (!survey) return;
      note(survey->graphs);
    }
    require_known();
  }

  /// Loads one context after another, and executes its graphs.
  void run_resident(const Backend<Htp>& backend, const ::run::Allocator& allocator) {
    std::vector<model::BinarySource> binaries;
    for (const std::string& path : options_.binaries)
      binaries.push_back(model::BinarySource::file(path));
    check_names(backend, binaries);
    auto residency = value_or_throw(model::Residency<::run::Allocator>::create(
        backend, allocator, std::move(binaries),
        {.max_contexts = *options_.residency, .share_without_dlbc = options_.share_without_dlbc}));
    for (std::size_t i = 0; i < residency.size(); ++i) {
      progress_.draw(
          i, residency.size(),
          fmt::format("{} of {}, loading: {}", i + 1, residency.size(), residency.name(i)));
      tool::stop_if_interrupted();
      const auto begin = Clock::now();
      const auto pinned = value_or_throw(residency.acquire(i));
      const double ms = ms_since(begin);
      measured_.load_ms += ms;
      measured_.contexts[i].acquire_ms = ms;
      const std::uint64_t end_ns = ns_of(Clock::now());
      trace_.add({.call = "acquire",
                  .object = residency.name(i),
                  .start_ns = ns_of(begin),
                  .end_ns = end_ns,
                  .thread = static_cast<std::uint64_t>(::gettid())});
      trace_.add_memory("resident memory", end_ns, residency.stats().total_bytes());
      note(pinned.context().graphs());
      execute_graphs(pinned.context(), allocator);
    }
    require_known();  // Without metadata, all names are known only now.
    measured_.sharing = name_of(residency.stats().sharing);
    measured_.external_weights = residency.stats().external_weights;
    measured_.reason = fmt::format("by a residency, {} evictions", residency.stats().evictions);
  }

  [[nodiscard]] bool is_chosen(const std::string& graph) const {
    const auto& names = options_.graphs;
    return names.empty() || std::find(names.begin(), names.end(), graph) != names.end();
  }
  /// Executes the chosen graphs of a context.
  void execute_graphs(const Context<Finalized>& context, const ::run::Allocator& allocator) {
    for (const GraphSpec& spec : context.graphs()) {
      if (!is_chosen(spec.name)) continue;
      execute(value_or_throw(::run::Runnable::from_graph(
          context.name(), value_or_throw(Graph<Retrieved>::retrieve(context, spec.name)), allocator,
          options_.io)));
    }
  }

  /// Writes the inputs, executes, compares and writes the outputs.
  void execute(::run::Runnable runnable) {
    ::run::Executed executed{.name = runnable.name(), .context = runnable.context()};
    for (const TensorSpec& input : runnable.inputs()) executed.inputs.push_back(input);
    for (TensorSpec& input : executed.inputs) fill(runnable, input);

    std::vector<double> us;
    const std::uint64_t total = options_.warmup + options_.repeat;
    for (std::uint64_t i = 0; i < total; ++i) {
      tool::stop_if_interrupted();
      progress_.draw(i, total,
                     fmt::format("{}: execution {} of {}", runnable.name(), i + 1, total));
      const auto begin = Clock::now();
      const auto done = runnable.execute();
      const double duration = 1000 * ms_since(begin);
      if (!done) throw Exception(done.error());
      if (i == 0) executed.first_us = duration;
      if (i >= options_.warmup) us.push_back(duration);
    }
    executed.us = ::run::statistics_of(std::move(us));
    executed.io_cost = runnable.io_cost();
    executed.stages.assign(runnable.stages().begin(), runnable.stages().end());

    if (profile_) value_or_throw(runnable.execute(*profile_));
    for (const TensorSpec& output : runnable.outputs()) {
      executed.outputs.push_back(value_or_throw(runnable.actual(output)));
      const TensorSpec& actual = executed.outputs.back();
      const auto bytes = value_or_throw(runnable.read(actual));
      if (!options_.output.empty()) write(runnable, actual, bytes);
      for (const ::run::TensorFile& file : expected_)
        if (file.tensor == actual.name)
          executed.compared.push_back({actual.name, file.path, compare(actual, bytes, file)});
    }
    measured_.executed.push_back(std::move(executed));
  }

  /// Writes the input's file, or noise. `input` receives the actual extents.
  void fill(::run::Runnable& runnable, TensorSpec& input) {
    for (const ::run::TensorFile& file : inputs_) {
      if (file.tensor != input.name) continue;
      if (file.npy && input.is_dynamic() && runnable.has_extents()) {
        auto extents = value_or_throw(::run::extents_of(input, file));
        value_or_throw(runnable.set_extents(input.name, extents));
        input.dimensions = std::move(extents);
      }
      const auto bytes = value_or_throw(::run::input_bytes(input, file));
      value_or_throw(runnable.write(input.name, bytes));
      return;
    }
    value_or_throw(runnable.write(input.name, value_or_throw(::run::noise(input, options_.seed))));
  }

  [[nodiscard]] ::run::Comparison compare(const TensorSpec& output, const ::run::Data& bytes,
                                          const ::run::TensorFile& file) const {
    const auto expected = value_or_throw(::run::expected_numbers(output, file));
    const auto found = value_or_throw(::run::numbers_of(output, bytes));
    return ::run::compare(found, expected, output.dimensions, options_.criterion);
  }

  /// Returns a name for a file or folder: letters, digits, and "-", "_" or "." inside.
  static std::string file_name(const std::string& name) {
    std::string file;
    for (const char c : name) {
      const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || c == '-' || (c == '.' && !file.empty());
      file += is_plain ? c : '_';
    }
    return file.empty() ? "_" : file.substr(0, 200);
  }
  /// Returns a path that this program has not used yet: adds "-2" and so on.
  [[nodiscard]] std::string new_path(const std::string& wanted) {
    std::string path = wanted;
    for (std::size_t i = 2; !paths_.insert(path).second; ++i)
      path = wanted + "-" + std::to_string(i);
    return path;
  }

  static void make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw std::runtime_error(path + ": the folder cannot be made: " + error.message());
  }

  void write(const ::run::Runnable& runnable, const TensorSpec& output, const ::run::Data& bytes) {
    if (folder_of_ != measured_.executed.size()) {
      folder_of_ = measured_.executed.size();
      folder_ = new_path(options_.output + "/" + file_name(runnable.name()));
      make_folder(folder_);
    }
    const std::string path = new_path(folder_ + "/" + file_name(output.name));
    tool::write(path + ".raw", bytes);
    tool::write(path + ".npy", ::run::npy_file(::run::npy_type(output.data_type), output.dimensions,
                                               ::run::unpacked(output, bytes)));
  }

  /// Notes the names of a context's graphs, and those of the chosen ones' inputs and outputs.
  void note(const std::vector<GraphSpec>& graphs) {
    for (const GraphSpec& spec : graphs) {
      known_graphs_.insert(spec.name);
      if (is_chosen(spec.name)) note(spec.inputs, spec.outputs);
    }
  }
  void note(const std::vector<TensorSpec>& inputs, const std::vector<TensorSpec>& outputs) {
    for (const TensorSpec& input : inputs) known_inputs_.insert(input.name);
    for (const TensorSpec& output : outputs) known_outputs_.insert(output.name);
  }
  static void require(const std::string& name, const std::set<std::string>& known, const char* step,
                      const char* what) {
    if (!known.contains(name))
      throw Exception(Error::make(Errc::unknown_name, step, name, what + list(known)));
  }
  /// Throws if a graph is none of those that were noted.
  void require_known(const std::vector<std::string>& graphs) const {
    for (const std::string& graph : graphs)
      require(graph, known_graphs_, "choosing graphs", "the graphs are ");
  }
  /// Throws if a graph or a tensor of the command line is none of those that were noted.
  void require_known() const {
    require_known(options_.graphs);
    for (const ::run::TensorFile& file : inputs_)
      require(file.tensor, known_inputs_, "choosing inputs", "the inputs are ");
    for (const ::run::TensorFile& file : expected_)
      require(file.tensor, known_outputs_, "choosing outputs", "the outputs are ");
  }
  static std::string list(const std::set<std::string>& names) {
    std::string text;
    std::size_t count = 0;
    for (const std::string& name : names) {
      if (++count > 8) return text + " and more";
      text += (text.empty() ? "" : ", ") + name;
    }
    return text;
  }

  void print_comparisons() const {
    for (const ::run::Executed& each : measured_.executed)
      for (const ::run::ComparedOutput& compared : each.compared) {
        const std::string line = to_text(each, compared) + "\n";
        if (options_.prints())
          fmt::print("{}", line);
        else if (!compared.result.matches)
          fmt::print(stderr, "qnnpp-run: {}", line);
      }
  }

  const Options& options_;
  tool::ProgressLine progress_;
  std::vector<::run::TensorFile> inputs_;
  std::vector<::run::TensorFile> expected_;
  ::run::Measured measured_;
  std::optional<Profile> profile_;
  model::Trace trace_;
  std::set<std::string> known_graphs_;
  std::set<std::string> known_inputs_;
  std::set<std::string> known_outputs_;
  std::set<std::string> paths_;
  std::string folder_;
  std::size_t folder_of_ = SIZE_MAX;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Executes the graphs of context binaries, compares and measures", "qnnpp-run");
  Options options;
  ::run::OptionTexts texts;
  ::run::add_options(app, options, texts);
  return tool::run(app, argc, argv, [&] {
    ::run::finish_options(options, texts);
    return tool::interruptible(app.get_name(), [&] { return Program(options).run(); });
  });
}
