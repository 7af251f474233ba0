// The same graph by plain C, by qnnpp and by ONNX Runtime, in turn in one process, on Qualcomm's
// library for x86-64: time outside QnnGraph_execute, and time to load a context binary.
//
//   real --output FOLDER TIMED_HTP SYSTEM ONNXRUNTIME PROVIDER MODELS
//
// bench/real.sh prepares the libraries and the models.
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "baseline/qnn_c.h"
#include "real/execute_c.h"
#include "real/onnxruntime_c.h"
#include "real/timed_htp.h"
#include "support/report.hpp"
#include "support/statistics.hpp"

using namespace qnnpp;

namespace {

/// A model whose executions are measured. An inference evicts the program's data from the caches,
/// the more the larger the model.
struct Network {
  const char* name;     ///< Of its files.
  std::size_t columns;  ///< Of its input and of its output.
  std::size_t executions;
};
constexpr Network networks[] = {{"small", 64, 3000}, {"medium", 512, 1000}};
constexpr std::size_t loads = 31;

struct Paths {
  std::string htp, system, onnxruntime, provider, models;
};

void require(int code, const char* what) {
  if (code != 0) throw std::runtime_error(std::string(what) + " failed; its message is above");
}

double nanoseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Nanoseconds of one tick of the processor's clock.
double nanoseconds_of_tick() {
  const double begin = nanoseconds_now();
  const std::uint64_t first = ticks();
  while (nanoseconds_now() < begin + 1e8) {
  }
  const double end = nanoseconds_now();
  return (end - begin) / static_cast<double>(ticks() - first);
}

/// The graph of a context in plain C, with its memory.
struct InC {
  InC(const Paths& paths, const std::string& binary, std::size_t columns = 0)
      : x(columns, 1.0f), y(columns) {
    const char* const path = binary.c_str();
    require(c_device_open(&device, paths.htp.c_str(), paths.system.c_str(), nullptr), "C's device");
    opened = nanoseconds_now();
    require(c_model_restore(&model, &device, &path, 1), "C's context");
    require(c_graph_retrieve(&graph, &model, 0, model.contexts[0].graphs[0].name), "C's graph");
    loaded = nanoseconds_now();
    if (columns != 0) bind();
  }
  InC(const InC&) = delete;
  InC& operator=(const InC&) = delete;
  ~InC() {
    c_model_free(&model);
    c_device_close(&device);
  }

  void bind() {
    const c_graph_info& info = model.contexts[0].graphs[0];
    describe(input, info.inputs[0], QNN_APP_WRITE, x);
    describe(output, info.outputs[0], QNN_APP_READ, y);
    graph.inputs = &input;
    graph.outputs = &output;
    graph.num_inputs = graph.num_outputs = 1;
  }
  static void describe(qnn_tensor& tensor, const c_tensor& described, std::uint32_t type,
                       std::vector<float>& memory) {
    tensor.version = 1;
    tensor.v1.id = described.id;
    tensor.v1.name = described.name;
    tensor.v1.type = type;
    tensor.v1.data_type = described.data_type;
    tensor.v1.quantization.definition = QNN_UNDEFINED;
    tensor.v1.quantization.encoding = QNN_UNDEFINED;
    tensor.v1.rank = described.rank;
    tensor.v1.dimensions = const_cast<std::uint32_t*>(described.dimensions);
    tensor.v1.mem_type = QNN_RAW;
    tensor.v1.memory.client.data = memory.data();
    tensor.v1.memory.client.size = static_cast<std::uint32_t>(memory.size() * sizeof(float));
  }

  c_device device{};
  c_model model{};
  c_graph graph{};
  qnn_tensor input{}, output{};
  std::vector<float> x, y;
  double opened = 0, loaded = 0;
};

/// The same by qnnpp.
struct InQnnpp {
  explicit InQnnpp(const Paths& paths, const std::string& path)
      : backend(value_or_throw(
            Backend<Htp>::load({.library = paths.htp, .system_library = paths.system}))),
        opened(nanoseconds_now()),
        context(value_or_throw(
            Context<Finalized>::restore(backend, value_or_throw(ContextBinary::map(path))))),
        retrieved(value_or_throw(Graph<Retrieved>::retrieve(context, context.graphs()[0].name))),
        loaded(nanoseconds_now()) {}

  Backend<Htp> backend;
  double opened;
  Context<Finalized> context;
  Graph<Retrieved> retrieved;
  double loaded;
};

// Handles errors as the C twin does.
[[gnu::noinline]] int failed(const Error& error) noexcept {
  return c_failed(error.native, error.step, error.object.c_str());
}

[[gnu::noinline]] timed_call timed_qnnpp(Graph<Bound>& graph) {
  timed_call call;
  call.begin = ticks();
  call.code = 0;
  if (const auto done = graph.execute(); !done) call.code = failed(done.error());
  call.end = ticks();
  return call;
}

constexpr std::array<const char*, 3> names = {"plain C", "qnnpp", "ONNX Runtime"};
enum Client : std::size_t { in_c, in_qnnpp, in_onnxruntime };

/// One sample for each round, by client.
using Samples = std::array<std::vector<double>, names.size()>;

/// Calls `run` with each client, in another order in each round.
template <class Run>
void take_turns(std::size_t rounds, Run run) {
  std::mt19937 random;  // The same order in every run.
  std::array<std::size_t, names.size()> order{in_c, in_qnnpp, in_onnxruntime};
  for (std::size_t round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t client : order) run(static_cast<Client>(client));
  }
}

std::string with_spread(const std::vector<double>& samples, const char* what) {
  return std::string("median ") + what + ", " + bench::text(bench::interval_of_median(samples)) +
         "; deviation " + bench::number(bench::spread(samples));
}

/// Combines the two samples of each round, so that a longer disturbance affects both alike.
template <class Combine>
std::vector<double> by_round(const std::vector<double>& a, const std::vector<double>& b,
                             Combine combine) {
  std::vector<double> all(a.size());
  std::transform(a.begin(), a.end(), b.begin(), all.begin(), combine);
  return all;
}

void measure_executions(bench::Report& report, const Paths& paths, const ort_device& ort,
                        const Network& network) {
  const std::string path = paths.models + "/" + network.name + "_ctx";
  const std::string binary = path + "_qnn.bin";
  void* const library = ::dlopen(paths.htp.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto last_execution = library == nullptr ? nullptr
                                                 : reinterpret_cast<timed_last_execution_function>(
                                                       ::dlsym(library, "timed_last_execution"));
  if (last_execution == nullptr) throw std::runtime_error(paths.htp + ": not the timed library");

  const InC c(paths, binary, network.columns);
  InQnnpp qnnpp(paths, binary);
  std::vector<float> x(network.columns, 1.0f), y(network.columns), ort_y(network.columns);
  auto graph = value_or_throw(std::move(qnnpp.retrieved).bind({raw("x", x), raw("y", y)}));
  ort_model model;
  require(ort_model_load(&model, &ort, (path + ".onnx").c_str()), "ONNX Runtime's session");
  require(ort_model_bind(&model, "x", x.data(), "y", ort_y.data(),
                         static_cast<std::int64_t>(network.columns)),
          "ONNX Runtime's memory");

  const double tick_us = nanoseconds_of_tick() / 1000;
  Samples outside, whole;
  const auto run = [&](Client client) {
    const timed_call call = client == in_c       ? timed_c(&c.graph)
                            : client == in_qnnpp ? timed_qnnpp(graph)
                                                 : ort_model_run(&model);
    require(call.code, names[client]);
    const timed_execution& within = *last_execution();
    if (within.begin < call.begin || within.end > call.end)
      throw std::runtime_error(std::string(names[client]) + " executed nothing");
    const double all = static_cast<double>(call.end - call.begin) * tick_us;
    whole[client].push_back(all);
    const std::uint64_t inside = within.end - within.begin;
    outside[client].push_back(static_cast<double>(call.end - call.begin - inside) * tick_us);
  };
  take_turns(network.executions / 50, run);  // Warms up.
  outside = whole = {};
  take_turns(network.executions, run);
  if (c.y != y || ort_y != y) throw std::runtime_error("the clients' outputs differ");

  for (const Client client : {in_c, in_qnnpp, in_onnxruntime})
    report.show(network.name + std::string(": outside QnnGraph_execute, ") + names[client],
                bench::median(outside[client]), "us",
                with_spread(outside[client], "of an inference"));
  const auto beyond = by_round(outside[in_qnnpp], outside[in_c], std::minus<>());
  report.at_most(0.3, network.name + std::string(": outside QnnGraph_execute, qnnpp - plain C"),
                 bench::median(beyond), "us", with_spread(beyond, "of the rounds"));
  const auto times = by_round(outside[in_onnxruntime], outside[in_qnnpp], std::divides<>());
  report.show(network.name + std::string(": outside QnnGraph_execute, ONNX Runtime / qnnpp"),
              bench::median(times), "ratio", with_spread(times, "of the rounds"));
  for (const Client client : {in_c, in_qnnpp, in_onnxruntime})
    report.show(network.name + std::string(": a whole inference, ") + names[client],
                bench::median(whole[client]), "us",
                with_spread(whole[client], "with QnnGraph_execute"));
  ort_model_free(&model);
}

void measure_loads(bench::Report& report, const Paths& paths, const ort_device& ort) {
  const std::string binary = paths.models + "/large_ctx_qnn.bin";
  const std::string model_path = paths.models + "/large_ctx.onnx";
  Samples whole, context;
  const auto run = [&](Client client) {
    const double begin = nanoseconds_now();
    double opened = begin, loaded = begin;
    if (client == in_c) {
      const InC c(paths, binary);
      opened = c.opened;
      loaded = c.loaded;
    } else if (client == in_qnnpp) {
      const InQnnpp qnnpp(paths, binary);
      opened = qnnpp.opened;
      loaded = qnnpp.loaded;
    } else {
      ort_model model;
      require(ort_model_load(&model, &ort, model_path.c_str()), "ONNX Runtime's session");
      loaded = nanoseconds_now();
      ort_model_free(&model);
    }
    whole[client].push_back((loaded - begin) / 1e6);
    context[client].push_back((loaded - opened) / 1e6);
  };
  take_turns(1, run);  // The first reads the file into the page cache.
  whole = context = {};
  take_turns(loads, run);

  for (const Client client : {in_c, in_qnnpp, in_onnxruntime})
    report.show(std::string("load of 84 MB, ") + names[client], bench::median(whole[client]), "ms",
                with_spread(whole[client], "of backend, device, context and graph"));
  for (const Client client : {in_c, in_qnnpp})
    report.show(std::string("load of 84 MB on an open device, ") + names[client],
                bench::median(context[client]), "ms",
                with_spread(context[client], "of context and graph"));
  const auto ours = by_round(whole[in_qnnpp], whole[in_c], std::divides<>());
  report.at_most(1.05, "load of 84 MB, qnnpp / plain C", bench::median(ours), "ratio",
                 with_spread(ours, "of the rounds"));
  const auto theirs = by_round(whole[in_onnxruntime], whole[in_qnnpp], std::divides<>());
  report.show("load of 84 MB, ONNX Runtime / qnnpp", bench::median(theirs), "ratio",
              with_spread(theirs, "of the rounds"));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 8) throw std::runtime_error("wrong arguments; run bench/real.sh");
  bench::Report report("real", argc, argv);
  const Paths paths{argv[3], argv[4], argv[5], argv[6], argv[7]};
  ort_device ort;
  require(
      ort_device_open(&ort, paths.onnxruntime.c_str(), paths.provider.c_str(), paths.htp.c_str()),
      "ONNX Runtime");
  for (const Network& network : networks) measure_executions(report, paths, ort, network);
  measure_loads(report, paths, ort);
  ort_device_close(&ort);
  return report.finish();
} catch (const std::exception& error) {
  std::fprintf(stderr, "real: %s\n", error.what());
  return EXIT_FAILURE;
}
