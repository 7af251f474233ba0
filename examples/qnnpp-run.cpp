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
#include <exception>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/stop.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/json.hpp"
#include "qnnpp/report/manifest.hpp"
#include "qnnpp/report/profile_file.hpp"
#include "qnnpp/report/trace.hpp"
#include "qnnpp/throw.hpp"

#include "run/names.hpp"
#include "run/options.hpp"
#include "run/output_files.hpp"
#include "run/report.hpp"
#include "run/runnable.hpp"
#include "run/tensor_data.hpp"
#include "tool/interrupt.hpp"
#include "tool/output_to_stderr.hpp"
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

/// Records how long each phase of each context lasts.
class LoadTimes {
 public:
  explicit LoadTimes(std::vector<::run::ContextTimes>& contexts) : contexts_(contexts) {}
  /// Ends the phase before this one.
  void add(const model::Progress& progress) {
    if (phase_ != model::LoadPhase::loaded)
      contexts_.at(context_).step_ms.at(static_cast<std::size_t>(phase_)) += ms_since(begin_);
    context_ = progress.context;
    phase_ = progress.phase;
    begin_ = Clock::now();
  }

 private:
  std::vector<::run::ContextTimes>& contexts_;
  std::size_t context_ = 0;
  model::LoadPhase phase_ = model::LoadPhase::loaded;  // No phase has begun.
  Clock::time_point begin_;
};

class Program {
 public:
  /// `stop` ends what is being done when it is pulled. It must outlive this object.
  Program(const Options& options, const Stop& stop)
      : options_(options),
        stop_(stop),
        progress_(options.quiet || options.log),
        outputs_(options.output, ::run::all_files_of(options)) {}

  /// Measures, prints and writes the files. After a failure, writes to the files what exists, and
  /// throws the failure. After a stop or --timeout, also prints what was executed before.
  [[nodiscard]] int run() {
    std::exception_ptr failure;
    std::exception_ptr unwritten;
    {
      const tool::OutputToStderr guard;  // While the backend lives.
      try {
        measure();
        tool::stop_if_interrupted();
      } catch (const std::exception& error) {
        failure = std::current_exception();
        measured_.error = tool::Interrupt::requested() ? "interrupted" : error.what();
        is_stopped_ =
            tool::Interrupt::requested() || ::run::exit_code_of(error) == ::run::ExitCode::late;
      }
      progress_.erase();
      if (profile_) measured_.profile = profile_->records();
      unwritten = failure_of([&] { write_sdk_profile(); });
      profile_.reset();
      backend_.reset();
    }
    if (!failure || (is_stopped_ && !measured_.executed.empty())) print();
    if (auto other = failure_of([&] { write_files(); }); !unwritten) unwritten = std::move(other);
    // Of two failures, the first one is reported.
    if (failure) std::rethrow_exception(failure);
    if (unwritten) std::rethrow_exception(unwritten);
    return measured_.all_match() ? 0 : ::run::ExitCode::mismatch;
  }

 private:
  /// Returns the exception of a step; null without one.
  template <class Step>
  [[nodiscard]] static std::exception_ptr failure_of(const Step& step) {
    try {
      step();
    } catch (const std::exception&) {
      return std::current_exception();
    }
    return nullptr;
  }

  void measure() {
    inputs_ = files(options_.inputs);
    expected_ = files(options_.expected);
    if (!options_.output.empty()) ::run::make_folder(options_.output);
    const auto begin = Clock::now();
    backend_.emplace(value_or_throw(
        Backend<Htp>::load({.library = options_.backend,
                            .system_library = options_.system,
                            .log = options_.log ? log_to_stderr(*options_.log) : LogOptions()})));
    measured_.backend_ms = ms_since(begin);
    measured_.backend = options_.backend;
    measured_.build_id = backend_->build_id().value_or("");
    measured_.core_version = backend_->core_version();
    measured_.backend_version = backend_->backend_version();
    measured_.chip = backend_->chip();
    choose_io();
    const auto allocator = ::run::open_allocator(memory(), options_.rpcmem, options_.heap);
    std::optional<Performance> performance;
    if (options_.power) {
      performance.emplace(value_or_throw(Performance::vote(*backend_, *options_.power)));
      const auto refused = performance->refused();
      measured_.power = {fmt::to_string(*options_.power), {refused.begin(), refused.end()}};
    }
    if (options_.profile)
      profile_.emplace(value_or_throw(Profile::create(*backend_, *options_.profile)));
    for (const std::string& binary : options_.binaries)
      measured_.contexts.push_back({.name = binary});
    measured_.repeat = options_.repeat;
    measured_.warmup = options_.warmup;
    measured_.seed = options_.seed;

    auto binaries = options_.opened.sources();
    if (!options_.manifest.empty())
      binaries =
          value_or_throw(model::expected_by(value_or_throw(model::read_manifest(options_.manifest)),
                                            std::move(binaries), model::digest_of));
    if (options_.residency)
      run_resident(*backend_, allocator, std::move(binaries));
    else
      run_loaded(*backend_, allocator, binaries);
  }

  /// Chooses the memory of inputs and outputs. Throws if the backend does not have what was asked
  /// for.
  void choose_io() {
    const bool has_none = backend_->is_emulation();
    const std::string reason = options_.backend + " registers no memory";
    if (has_none && options_.io == ::run::IoKind::registered)
      throw std::runtime_error(reason + "; use --io raw");
    if (has_none && !options_.pipeline.empty())
      throw std::runtime_error(reason + ", which a pipeline needs; execute each graph alone");
    io_ = options_.io.value_or(has_none ? ::run::IoKind::raw : ::run::IoKind::registered);
    measured_.io = io_ == ::run::IoKind::raw ? "raw" : "registered";
    if (has_none && !options_.io) measured_.io_reason = reason;
  }
  /// Returns the kind of memory for buffers. Opens no rpcmem for a load that allocates none.
  [[nodiscard]] ::run::MemoryKind memory() const {
    using enum model::SpillFillSharing;
    const bool may_share = options_.sharing == automatic || options_.sharing == external_buffer;
    const bool needs_buffers =
        io_ == ::run::IoKind::registered || (may_share && model::can_defer(*backend_));
    return options_.memory.value_or(needs_buffers ? ::run::MemoryKind::rpcmem
                                                  : ::run::MemoryKind::memfd);
  }

  void print() const {
    if (options_.prints())
      ::run::print(measured_);
    else if (measured_.power && !measured_.power->refused.empty())
      fmt::print(stderr, "qnnpp-run: {}\n", to_text(*measured_.power));
    for (const ::run::Executed& each : measured_.executed)
      for (const ::run::ComparedOutput& compared : each.compared) {
        const std::string line = to_text(label_of(measured_, each), compared) + "\n";
        if (options_.prints())
          fmt::print("{}", line);
        else if (!compared.result.matches)
          fmt::print(stderr, "qnnpp-run: {}", line);
      }
  }

  void write_files() {
    if (options_.json == "-")
      fmt::print("{}", to_json(measured_));
    else if (!options_.json.empty())
      tool::write(options_.json, to_json(measured_));
    if (!options_.trace.empty()) {
      trace_.add(measured_.profile);
      tool::write(options_.trace, trace_.text());
    }
    if (!report_.empty()) tool::write(options_.report, report_);
  }
  void write_sdk_profile() {
    if (options_.sdk_profile.empty() || !profile_) return;
    auto file = value_or_throw(ProfileFile::create(*backend_, options_.sdk_profile, "qnnpp-run"));
    value_or_throw(file.write(*profile_));
    value_or_throw(std::move(file).close());
  }

  static std::vector<::run::TensorFile> files(const std::vector<std::string>& arguments) {
    std::vector<::run::TensorFile> files;
    for (const std::string& argument : arguments)
      files.push_back(value_or_throw(::run::open_tensor_file(argument)));
    return files;
  }

  /// Loads all contexts at once, and executes the graphs or the pipeline.
  void run_loaded(const Backend<Htp>& backend, const ::run::Allocator& allocator,
                  const std::vector<model::BinarySource>& binaries) {
    LoadTimes times(measured_.contexts);
    const auto draw = tool::draw_loading(progress_);
    model::LoadOptions how{.sharing = options_.sharing,
                           .contexts = {.external_weights = !options_.weights_in_qnn,
                                        .share_without_dlbc = options_.share_without_dlbc,
                                        .one_graph_at_a_time = options_.one_graph_at_a_time}};
    how.progress = trace_.on_progress([&](const model::Progress& progress) {
      times.add(progress);
      return draw(progress);
    });
    how.profile = profile_ ? &*profile_ : nullptr;
    how.stop = stop_;
    const auto begin = Clock::now();
    const auto loaded = value_or_throw(model::load(backend, allocator, binaries, how));
    measured_.load_ms = ms_since(begin);
    measured_.sharing = name_of(loaded.report().sharing);
    measured_.reason = loaded.report().reason;
    measured_.external_weights = loaded.report().external_weights;
    trace_.add_memory(loaded.report());
    if (!options_.report.empty()) report_ = model::to_json(loaded.report());

    for (std::size_t i = 0; i < loaded.size(); ++i) note(i, loaded.context(i).graphs());
    if (!options_.pipeline.empty()) {
      std::vector<Graph<Retrieved>> graphs;
      for (const std::string& name : options_.pipeline) graphs.push_back(find(loaded, name));
      std::set<std::string> given;
      for (const ::run::TensorFile& file : inputs_) given.insert(file.tensor);
      auto pipeline =
          value_or_throw(::run::Runnable::from_pipeline(std::move(graphs), allocator, given));
      known_inputs_ = {};
      known_outputs_ = {};
      const ::run::GraphRef ref{pipeline.context(), pipeline.name()};
      note(ref, pipeline.inputs(), pipeline.outputs());
      require_known();
      prepare(0, ref, pipeline.inputs(), pipeline.outputs());
      execute(0, ref, std::move(pipeline));
      return;
    }
    require_known();
    for (std::size_t i = 0; i < loaded.size(); ++i) prepare(i, loaded.context(i).graphs());
    for (std::size_t i = 0; i < loaded.size(); ++i) execute_graphs(i, loaded.context(i), allocator);
  }

  /// Retrieves the only graph that `text` names.
  [[nodiscard]] Graph<Retrieved> find(const model::Model& loaded, const std::string& text) const {
    known_graphs_.require(text, "choosing graphs", "the graphs are ");
    std::optional<std::size_t> place;
    std::string name;
    for (std::size_t i = 0; i < loaded.size(); ++i)
      for (const ::run::GraphRef& spec : refs(i, loaded.context(i).graphs())) {
        if (!::run::names_graph(text, spec)) continue;
        if (place)
          throw Exception(
              Error::make(Errc::invalid_argument, "choosing graphs", text,
                          fmt::format("several binaries have it; write BINARY:GRAPH, such as {}:{}",
                                      ::run::file_of(options_.binaries[*place]), spec.name)));
        place = i;
        name = spec.name;
      }
    return value_or_throw(Graph<Retrieved>::retrieve(loaded.context(*place), name));
  }

  /// Checks names and files of the command line by the metadata of the binaries, if all can be
  /// read.
  void check_by_metadata(const Backend<Htp>& backend,
                         const std::vector<model::BinarySource>& binaries) {
    if (options_.graphs.empty() && inputs_.empty() && expected_.empty() && options_.output.empty())
      return;
    std::vector<model::Survey> surveys;
    for (const model::BinarySource& binary : binaries) {
      auto survey = model::read_metadata(backend, binary);
      if (!survey) return;
      surveys.push_back(std::move(*survey));
    }
    for (std::size_t i = 0; i < surveys.size(); ++i) note(i, surveys[i].graphs);
    require_known();
    for (std::size_t i = 0; i < surveys.size(); ++i) prepare(i, surveys[i].graphs);
  }

  /// Loads one context after another, and executes its graphs.
  void run_resident(const Backend<Htp>& backend, const ::run::Allocator& allocator,
                    std::vector<model::BinarySource> binaries) {
    check_by_metadata(backend, binaries);
    auto residency = value_or_throw(model::Residency<>::create(
        backend, allocator, std::move(binaries),
        {.max_contexts = *options_.residency,
         .contexts = {.share_without_dlbc = options_.share_without_dlbc,
                      .one_graph_at_a_time = options_.one_graph_at_a_time},
         .stop = stop_}));
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
      const auto stats = residency.stats();
      measured_.sharing = name_of(stats.sharing);
      measured_.external_weights = stats.external_weights;
      measured_.reason = fmt::format("by a residency, {} eviction{}", stats.evictions,
                                     stats.evictions == 1 ? "" : "s");
      note(i, pinned.context().graphs());
      prepare(i, pinned.context().graphs());
      execute_graphs(i, pinned.context(), allocator);
    }
    require_known();  // Without metadata, all names are known only now.
  }

  /// Returns the graphs of the binary at `place`.
  [[nodiscard]] std::vector<::run::GraphRef> refs(std::size_t place,
                                                  const std::vector<GraphSpec>& graphs) const {
    std::vector<::run::GraphRef> refs;
    for (std::size_t i = 0; i < graphs.size(); ++i)
      refs.push_back(::run::graph_ref(options_.binaries[place], graphs, i));
    return refs;
  }
  [[nodiscard]] bool is_chosen(const ::run::GraphRef& graph) const {
    const auto& texts = options_.graphs;
    return texts.empty() || std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
             return ::run::names_graph(text, graph);
           });
  }
  /// Executes the chosen graphs of the context at `place`.
  void execute_graphs(std::size_t place, const Context<Finalized>& context,
                      const ::run::Allocator& allocator) {
    for (const ::run::GraphRef& ref : refs(place, context.graphs())) {
      if (!is_chosen(ref)) continue;
      execute(place, ref,
              value_or_throw(::run::Runnable::from_graph(
                  ref.binary, value_or_throw(Graph<Retrieved>::retrieve(context, ref.name)),
                  allocator, io_)));
    }
  }

  /// Writes the inputs, executes, compares and writes the outputs.
  void execute(std::size_t place, const ::run::GraphRef& ref, ::run::Runnable runnable) {
    ::run::Executed executed{.name = ref.name, .context = ref.binary, .index = ref.index};
    for (const TensorSpec& input : runnable.inputs()) executed.inputs.push_back(input);
    for (TensorSpec& input : executed.inputs)
      executed.sources.push_back(fill(runnable, ref, input));

    std::vector<double> us;
    std::vector<PipelineStage> warmed_up;
    const std::uint64_t total = options_.warmup + options_.repeat;
    const auto count = [&] {
      executed.us = ::run::statistics_of(std::move(us));
      executed.io_cost = runnable.io_cost();
      executed.stages.assign(runnable.stages().begin(), runnable.stages().end());
      executed.wires = runnable.wires();
      for (std::size_t i = 0; i < warmed_up.size(); ++i) {
        executed.stages[i].executions -= warmed_up[i].executions;
        executed.stages[i].total_ns -= warmed_up[i].total_ns;
      }
    };
    for (std::uint64_t i = 0; i < total; ++i) {
      progress_.draw(i, total,
                     fmt::format("{}: execution {} of {}", runnable.name(), i + 1, total));
      if (i == options_.warmup)
        warmed_up.assign(runnable.stages().begin(), runnable.stages().end());
      const auto begin = Clock::now();
      auto done = runnable.execute(limits());
      const double duration = 1000 * ms_since(begin);
      if (done && i == 0) executed.first_us = duration;
      if (done && i >= options_.warmup) us.push_back(duration);
      if (done && options_.timeout_s && duration > 1e6 * *options_.timeout_s)
        done = fail(Errc::timed_out, "executing", runnable.name(),
                    fmt::format("it ended by itself after {:.0f} ms of at most {:.0f} ms",
                                duration / 1e3, 1e3 * *options_.timeout_s));
      if (!done && is_end(done.error()) && !us.empty()) {  // Keeps what was measured.
        count();
        measured_.executed.push_back(std::move(executed));
      }
      if (!done) throw Exception(done.error());
    }
    count();

    if (profile_) {
      const auto done = runnable.execute(limits(&*profile_));
      if (!done && is_end(done.error())) measured_.executed.push_back(executed);
      if (!done) throw Exception(done.error());
    }
    for (const TensorSpec& output : runnable.outputs()) {
      executed.outputs.push_back(value_or_throw(runnable.actual(output)));
      const TensorSpec& actual = executed.outputs.back();
      const auto bytes = value_or_throw(runnable.read(actual));
      if (!options_.output.empty())
        write(outputs_.path(place, runnable.name(), actual.name), actual, bytes);
      if (auto* file = file_of(expected_, ref, actual.name))
        executed.compared.push_back({actual.name, file->path, compare(actual, bytes, *file)});
    }
    measured_.executed.push_back(std::move(executed));
  }

  /// Returns the options of an execution: what ends it, and its profile, or null.
  [[nodiscard]] ExecuteOptions limits(Profile* profile = nullptr) const {
    ExecuteOptions options{.profile = profile, .stop = stop_};
    if (options_.timeout_s) options.at_most = std::chrono::duration<double>(*options_.timeout_s);
    return options;
  }
  /// Whether an execution was ended by a signal or by --timeout.
  [[nodiscard]] static bool is_end(const Error& error) {
    return error.kind == Errc::cancelled || error.kind == Errc::timed_out;
  }

  /// Returns the file whose text names a tensor; null without one.
  [[nodiscard]] static ::run::TensorFile* file_of(std::vector<::run::TensorFile>& files,
                                                  const ::run::GraphRef& graph,
                                                  const std::string& tensor) {
    ::run::TensorFile* found = nullptr;
    for (::run::TensorFile& file : files) {
      if (!::run::names_tensor(file.tensor, graph, tensor)) continue;
      if (found != nullptr)
        throw std::runtime_error(tensor + ": two files are given for this tensor");
      found = &file;
    }
    return found;
  }

  /// Checks the files of a graph before it executes, and reads them. Makes its folder of outputs.
  void prepare(std::size_t place, const ::run::GraphRef& graph, std::vector<TensorSpec> inputs,
               std::vector<TensorSpec> outputs) {
    if (!options_.output.empty()) outputs_.prepare(place, graph.name, outputs);
    const bool has_extents = options_.pipeline.empty();  // As Runnable::has_extents().
    for (TensorSpec& input : inputs)
      if (auto* file = file_of(inputs_, graph, input.name)) {
        if (has_extents) set_extents(input, *file);
        value_or_throw(check_input(input, *file));
        value_or_throw(read_elements(*file));
        (void)value_or_throw(input_bytes(input, *file));
      }
    for (TensorSpec& output : outputs)
      if (auto* file = file_of(expected_, graph, output.name)) {
        // The actual extents of an output are known after the execution.
        const bool is_known = !output.is_dynamic() || !has_extents || file->npy;
        if (has_extents) set_extents(output, *file);
        if (is_known) value_or_throw(check_expected(output, *file));
        value_or_throw(read_elements(*file));
      }
  }
  /// The same for the chosen graphs of a binary.
  void prepare(std::size_t place, const std::vector<GraphSpec>& graphs) {
    const auto all = refs(place, graphs);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_chosen(all[i])) prepare(place, all[i], graphs[i].inputs, graphs[i].outputs);
  }
  /// Gives a tensor with dynamic dimensions those of its .npy file.
  static void set_extents(TensorSpec& tensor, const ::run::TensorFile& file) {
    if (file.npy && tensor.is_dynamic())
      tensor.dimensions = value_or_throw(::run::extents_of(tensor, file));
  }

  /// Writes the input's file, or noise. `input` receives the actual extents. Returns what was
  /// written.
  [[nodiscard]] std::string fill(::run::Runnable& runnable, const ::run::GraphRef& ref,
                                 TensorSpec& input) {
    const auto* const file = file_of(inputs_, ref, input.name);
    if (file == nullptr) {
      value_or_throw(
          runnable.write(input.name, value_or_throw(::run::noise(input, options_.seed))));
      return "noise";
    }
    if (file->npy && input.is_dynamic() && runnable.has_extents()) {
      set_extents(input, *file);
      value_or_throw(runnable.set_extents(input.name, input.dimensions));
    }
    value_or_throw(runnable.write(input.name, value_or_throw(::run::input_bytes(input, *file))));
    return file->path;
  }

  [[nodiscard]] ::run::Comparison compare(const TensorSpec& output, const ::run::Data& bytes,
                                          const ::run::TensorFile& file) const {
    const auto expected = value_or_throw(::run::expected_numbers(output, file));
    const auto found = value_or_throw(::run::numbers_of(output, bytes));
    return ::run::compare(found, expected, output.dimensions, options_.criterion);
  }

  static void write(const std::string& path, const TensorSpec& output, const ::run::Data& bytes) {
    tool::write(path + ".raw", bytes);
    tool::write(path + ".npy", ::run::npy_file(::run::npy_type(output.data_type), output.dimensions,
                                               ::run::unpacked(output, bytes)));
  }

  /// Notes the names of a binary's graphs, and those of the chosen ones' inputs and outputs.
  void note(std::size_t place, const std::vector<GraphSpec>& graphs) {
    const auto all = refs(place, graphs);
    for (std::size_t i = 0; i < all.size(); ++i) {
      known_graphs_.names.insert(all[i].name);
      for (const auto* const texts : {&options_.graphs, &options_.pipeline})
        for (const std::string& text : *texts)
          if (::run::names_graph(text, all[i])) known_graphs_.named.insert(text);
      if (is_chosen(all[i])) note(all[i], graphs[i].inputs, graphs[i].outputs);
    }
  }
  void note(const ::run::GraphRef& graph, const std::vector<TensorSpec>& inputs,
            const std::vector<TensorSpec>& outputs) {
    const auto add = [&](const std::vector<TensorSpec>& tensors,
                         const std::vector<::run::TensorFile>& files, ::run::Known& known) {
      for (const TensorSpec& tensor : tensors) {
        known.names.insert(tensor.name);
        for (const ::run::TensorFile& file : files)
          if (::run::names_tensor(file.tensor, graph, tensor.name)) known.named.insert(file.tensor);
      }
    };
    add(inputs, inputs_, known_inputs_);
    add(outputs, expected_, known_outputs_);
  }
  /// Throws if a graph or a tensor of the command line is none of those that were noted.
  void require_known() const {
    for (const std::string& graph : options_.graphs)
      known_graphs_.require(graph, "choosing graphs", "the graphs are ");
    for (const ::run::TensorFile& file : inputs_) known_inputs_.require_input(file.tensor);
    for (const ::run::TensorFile& file : expected_)
      known_outputs_.require(file.tensor, "choosing outputs", "the outputs are ");
  }

  const Options& options_;
  const Stop& stop_;
  tool::ProgressLine progress_;
  std::optional<Backend<Htp>> backend_;
  std::vector<::run::TensorFile> inputs_;
  std::vector<::run::TensorFile> expected_;
  ::run::OutputFiles outputs_;
  ::run::Measured measured_;
  bool is_stopped_ = false;  // By a signal or by --timeout.
  ::run::IoKind io_ = ::run::IoKind::registered;
  std::string report_;  // The memory report; empty before the load and without --report.
  std::optional<Profile> profile_;
  model::Trace trace_;
  ::run::Known known_graphs_;
  ::run::Known known_inputs_;
  ::run::Known known_outputs_;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Executes the graphs of context binaries, compares and measures", "qnnpp-run");
  Options options;
  ::run::OptionTexts texts;
  ::run::add_options(app, options, texts);
  return tool::run(
      app, argc, argv,
      [&] {
        ::run::finish_options(options, texts);
        return tool::interruptible(
            app.get_name(), [&](const qnnpp::Stop& stop) { return Program(options, stop).run(); });
      },
      ::run::exit_code_of);
}
