// A complete app on one page: four contexts of one network share a spill-fill buffer and run as one
// chain without a copy, with the highest clocks while there is work. It shows its progress, logs,
// profiles one execution, ends after Ctrl-C with nothing left, and checks its results.
//
//   assistant --backend libQnnHtp.so --rpcmem libcdsprpc.so --folder BINARIES [--trace FILE]
//
// With --rpcmem memfd it runs on a library that emulates the HTP, which copies the tensors.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/format.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/report/format.hpp"
#include "qnnpp/report/trace.hpp"
#include "qnnpp/throw.hpp"

#include "digits/files.hpp"
#include "digits/network.hpp"
#include "digits/program.hpp"
#include "digits/reference.hpp"
#include "digits/task.hpp"
#include "tool/interrupt.hpp"
#include "tool/program.hpp"
#include "tool/progress.hpp"
#include "tool/tolerance.hpp"

namespace {

using namespace qnnpp;

struct Options : digits::Arguments {
  std::string trace;
  bool quiet = false;
};

/// Result of all images.
struct Answers {
  std::size_t images = 0;
  std::size_t correct = 0;
  float difference = 0;  ///< Largest difference from the float reference.
};

/// The network on the device, ready to execute. Its members keep each other alive.
class Assistant {
 public:
  /// `stop` ends what is being done when it is pulled. It must outlive this object.
  Assistant(const Options& options, const Stop& stop)
      : stop_(stop),
        progress_(options.quiet),
        backend_(value_or_throw(Backend<Htp>::load({.library = options.backend,
                                                    .log = log_above_progress(),
                                                    .tensor_memory = TensorMemory::either}))),
        memory_(digits::open_memory(options)),
        profile_(value_or_throw(Profile::create(backend_, ProfileLevel::detailed))) {
    model::LoadOptions how;
    how.progress = trace_.on_progress(tool::draw_loading(progress_));
    how.profile = &profile_;
    how.stop = stop_;
    const std::vector<std::string> names{"stem", "features", "gate", "classifier"};
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(options.folder + "/" + name + ".bin");

    network_.emplace(value_or_throw(model::load(backend_, memory_, paths, how)));
    pipeline_.emplace(value_or_throw(network_->pipeline(memory_, names)));
    trace_.add_memory(network_->report());
    trace_.add(profile_.take());
    progress_.erase();
    fmt::print("{}\n{} B of tensors in one buffer: {}\n", network_->report(),
               pipeline_->buffer_bytes(), pipeline_->io_cost());
  }

  /// Classifies all images with the highest clocks, which are given back before it returns.
  Answers work(const digits::Task& task, const digits::Images& images) {
    const auto burst = value_or_throw(Performance::vote(backend_, PerformanceMode::burst));
    for (const Error& refused : burst.refused()) fmt::print("no {}\n", refused.object);
    auto lease = value_or_throw(network_->spill_fill().lease());  // No execution waits.
    Answers answers;
    for (std::size_t first = 0; first < images.count(); first += digits::batch) {
      progress_.draw(first, images.count(), fmt::format("image {}", first));
      const std::vector<float> batch = digits::input_batch(images, first);
      value_or_throw(write_elements(pipeline_->input<float>("image"), batch));
      value_or_throw(pipeline_->execute(lease, {.stop = stop_}));
      const auto scores = value_or_throw(pipeline_->output<float>("probabilities"));
      answers.difference = std::max(
          answers.difference,
          digits::largest_difference(scores.elements(), digits::run_network(task.segments, batch)));
      const auto rows = std::min<std::size_t>(digits::batch, images.count() - first);
      for (std::size_t row = 0; row < rows; ++row) {
        const auto found =
            digits::best_class(scores.elements().subspan(row * digits::classes, digits::classes));
        answers.correct += found == images.labels[first + row] ? 1 : 0;
        ++answers.images;
      }
    }
    progress_.erase();
    return answers;
  }

  /// Largest difference from the float reference that the device may have.
  [[nodiscard]] float tolerance() const { return tool::tolerance(backend_).digits; }

  /// Profiles one execution. Prints its events and writes the trace of everything, if a file is
  /// given.
  void profile(const std::string& path) {
    // Does not wait longer for another thread that holds the lease.
    value_or_throw(
        pipeline_->execute({.wait_at_most = std::chrono::seconds(1), .profile = &profile_}));
    trace_.add(profile_);
    fmt::print("\n{}", profile_);
    if (path.empty()) return;
    tool::write(path, trace_.text());
    fmt::print("\nthe trace is in {}: open it in ui.perfetto.dev\n", escaped(path));
  }

  /// Gives the device back. Without the first line the error names the graphs of the pipeline,
  /// which hold the contexts.
  void close() {
    pipeline_.reset();
    value_or_throw(std::move(*network_).close());
    network_.reset();
  }

 private:
  /// Sends warnings above the line of progress. The backend logs on any thread until its end, which
  /// is before that of progress_.
  [[nodiscard]] LogOptions log_above_progress() {
    return log_to(
        [this](c_api::LogLevel level, std::string_view text) {
          // Ctrl-C makes calls fail.
          if (!tool::Interrupt::requested()) progress_.print(fmt::format("{}: {}", level, text));
        },
        c_api::LogLevel::warn);
  }

  const Stop& stop_;
  tool::ProgressLine progress_;
  Backend<Htp> backend_;
  AnyAllocator memory_;
  Profile profile_;
  model::Trace trace_;
  std::optional<model::Model> network_;
  std::optional<Pipeline> pipeline_;
};

void run(const Options& options, const Stop& stop) {
  if (!options.trace.empty()) tool::require_writable(options.trace);
  const digits::Task task = digits::load_task(options.data);
  const digits::Images images = digits::load_all_images(options.data);
  Assistant assistant(options, stop);
  const Answers answers = assistant.work(task, images);
  fmt::print("\n{} of {} images right, largest difference from the float reference: {:.3g}\n",
             answers.correct, answers.images, answers.difference);
  digits::print_copied(options.backend);
  assistant.profile(options.trace);
  assistant.close();
  if (!(answers.difference < assistant.tolerance()))
    throw std::runtime_error("the numbers differ from the float reference");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Runs a network of four contexts with everything that an app needs; with --rpcmem memfd on a "
      "library that emulates the HTP",
      "assistant");
  Options options;
  digits::add_options(app, options);
  app.add_option("--trace", options.trace, "write a trace to this file")->take_last();
  tool::add_quiet(app, options.quiet);
  return digits::run_and_count(app, argc, argv, options, [&] {
    return tool::interruptible(app.get_name(), [&](const Stop& stop) {
      run(options, stop);
      return 0;
    });
  });
}
