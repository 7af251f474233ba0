// J: signals, which stop a call early.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

#include "qnnpp/abi/op.hpp"

#include "results.hpp"

namespace conformance {

namespace { namespace signals {

using std::chrono::milliseconds;

constexpr int slow_call_us = 300'000;  ///< Time of each remote call.
constexpr double before_trigger_us = 200'000;
constexpr std::uint64_t limit_us = 100'000;

/// Kinds of a signal.
enum class Kind : std::uint8_t { plain, abort, timeout };

SignalHandle make(Host& host, Kind kind, std::uint64_t timeout_us = limit_us) {
  SignalConfig config{};
  config.option = kind == Kind::abort ? SignalConfigOption::abort : SignalConfigOption::timeout;
  config.timeout_duration_us = kind == Kind::abort ? 0 : timeout_us;
  const SignalConfig* list[] = {&config, nullptr};
  SignalHandle signal = nullptr;
  say_code("signalCreate",
           host.qnn.signal_create(host.backend, kind == Kind::plain ? nullptr : list, &signal));
  return signal;
}

ErrorHandle trigger(Host& host, SignalHandle signal) {
  return say_code("trigger", host.qnn.signal_trigger(signal));
}

void free(Host& host, SignalHandle signal) { say_code("signalFree", host.qnn.signal_free(signal)); }

/// Executes with ordinary memory under a signal.
ErrorHandle execute(Host& host, GraphHandle graph, GraphTensors& all, SignalHandle signal) {
  return host.qnn.graph_execute(graph, all.inputs.data(),
                                static_cast<std::uint32_t>(all.inputs.size()), all.outputs.data(),
                                static_cast<std::uint32_t>(all.outputs.size()), nullptr, signal);
}

/// Makes remote calls last, for one call of the library. A device has no such means.
class Slow {
 public:
  explicit Slow(Host& host) : host_(host) { delay(slow_call_us); }
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;
  ~Slow() { delay(0); }

 private:
  void delay(int microseconds) {
    if (host_.standin.delay != nullptr) host_.standin.delay(microseconds);
  }

  Host& host_;
};

/// Makes `call` under a signal while another thread triggers the signal, if it aborts, and again
/// until the call has ended: a slow machine may begin the call late. Reports both codes, and notes
/// the times.
template <class Call>
ErrorHandle stop(Host& host, const char* what, Kind kind, SignalHandle signal, Call call,
                 double after_us = before_trigger_us) {
  ErrorHandle triggered = 0, code = 0;
  double of_trigger = 0;
  std::atomic<bool> has_ended{false};
  std::thread other([&] {
    if (kind != Kind::abort) return;
    do {
      std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(after_us));
      of_trigger = time_of([&] { triggered = host.qnn.signal_trigger(signal); });
    } while (triggered == code_of(SignalError::signal_idle) && !has_ended);
  });
  const double of_call = time_of([&] { code = call(); });
  has_ended = true;
  other.join();
  note("%s: %.0f ms, trigger: %.0f ms", what, of_call / 1e3, of_trigger / 1e3);
  say_code(what, code);
  if (kind == Kind::abort) say_code("trigger", triggered);
  return code;
}

/// Returns the shorter time of two executions, in microseconds.
template <class Run>
double time_of_two(Run run) {
  return std::min(time_of(run), time_of(run));
}

/// On a device the execution takes its own time, and is stopped in the middle of it.
void stop_execution(Host& host, Kind kind) {
  if (host.standin.delay == nullptr) host.need_dsp();
  host.start();
  const Context context = host.create();
  const GraphHandle graph = context.retrieve();
  GraphTensors all = host.raw_tensors();
  double after_us = before_trigger_us;
  std::uint64_t timeout_us = limit_us;
  if (host.standin.delay == nullptr) {
    const double whole_us = time_of_two([&] { execute(host, graph, all, nullptr); });
    note("without a signal: %.0f us", whole_us);
    after_us = whole_us / 2;
    timeout_us = static_cast<std::uint64_t>(after_us) + 1;
  }
  const SignalHandle signal = make(host, kind, timeout_us);
  {
    const Slow slow(host);
    stop(
        host, "execute", kind, signal, [&] { return execute(host, graph, all, signal); }, after_us);
  }
  say_code("execute", execute(host, graph, all, kind == Kind::timeout ? nullptr : signal));
  free(host, signal);
  host.tear_down();
}

void stop_creation(Host& host, Kind kind, Options options = {}) {
  host.need(host.standin.delay);
  host.start();
  const SignalHandle signal = make(host, kind);
  const Pages binary = Pages::copy(given.main->bytes.data(), given.main->bytes.size());
  auto context = preset<ContextHandle>();
  ErrorHandle code = 0;
  {
    const Slow slow(host);
    code = stop(host, "create", kind, signal, [&] {
      return host.qnn.context_create_from_binary_with_signal(
          host.backend, host.device, options.get(), binary.data, binary.size, &context, nullptr,
          signal);
    });
  }
  say("context %s", word_for(context));
  if (code == 0) host.free(context);
  free(host, signal);
  const Context again = host.create();
  again.free();
  host.tear_down();
}

/// Contexts that a list has made.
struct Made {
  std::mutex mutex;
  std::vector<ContextHandle> contexts;
  int failed = 0;
  ErrorHandle failure = 0;  ///< of the last one that was not made
};
Made* made = nullptr;

void count(ContextHandle context, GraphHandle, const char*, ContextNotifyType type, void*,
           ErrorHandle status) {
  if (type != ContextNotifyType::context_init) return;
  const std::lock_guard lock(made->mutex);
  if (status == 0 && context != nullptr)
    made->contexts.push_back(context);
  else
    ++made->failed, made->failure = status;
}

void stop_list(Host& host, Kind kind) {
  host.need(host.standin.delay);
  host.start();
  made = new Made;
  const SignalHandle signal = make(host, kind);
  const ContextParams entry{ContextParamsVersion::v1,
                            {.v1 = {nullptr, given.main->bytes.data(), given.main->bytes.size(),
                                    nullptr, count, nullptr}}};
  const ContextParams* entries[] = {&entry, &entry, nullptr};
  {
    const Slow slow(host);
    stop(host, "list", kind, signal, [&] {
      return host.qnn.context_create_from_binary_list_async(host.backend, host.device, entries,
                                                            nullptr, signal);
    });
  }
  std::this_thread::sleep_for(milliseconds(100));
  const std::lock_guard lock(made->mutex);
  say("%zu made, %d failed", made->contexts.size(), made->failed);
  if (made->failed != 0) say_code("with", made->failure);
  for (const ContextHandle context : made->contexts) host.free(context);
  free(host, signal);
  host.tear_down();
}

/// A chain of Relu over many codes, and a run of it.
struct Chain {
  static constexpr int nodes = 24;
  std::uint32_t dimensions[4];
  char names[nodes + 1][8]{};
  Tensor tensors[nodes + 1]{};
  std::vector<unsigned char> input, output;
  ContextHandle context = nullptr;
  GraphHandle graph = nullptr;

  explicit Chain(std::uint32_t side) : dimensions{1, side, side, 32} {}

  /// Composes and finalizes the graph. Adds the first code that is not 0 to the answer.
  bool compose(Host& host) {
    const auto done = [](const char* what, ErrorHandle code) {
      if (code != 0) say_code(what, code);
      return code == 0;
    };
    if (!done("create", host.qnn.context_create(host.backend, host.device, nullptr, &context)) ||
        !done("graphCreate", host.qnn.graph_create(context, "long", nullptr, &graph)))
      return false;
    for (int i = 0; i <= nodes; ++i) {
      Tensor& tensor = tensors[i];
      std::snprintf(names[i], sizeof names[i], "t%d", i);
      tensor.version = TensorVersion::v1;
      tensor.v1.name = names[i];
      tensor.v1.type = i == 0       ? TensorType::app_write
                       : i == nodes ? TensorType::app_read
                                    : TensorType::native;
      tensor.v1.data_type = DataType::ufixed_point_8;
      tensor.v1.quantize_params.encoding_definition = Definition::defined;
      tensor.v1.quantize_params.quantization_encoding = QuantizationEncoding::scale_offset;
      tensor.v1.quantize_params.scale_offset_encoding = {0.5F + 0.01F * static_cast<float>(i),
                                                         -128};
      tensor.v1.rank = 4;
      tensor.v1.dimensions = dimensions;
      if (!done("createGraphTensor", host.qnn.tensor_create_graph_tensor(graph, &tensor)))
        return false;
    }
    for (int i = 0; i < nodes; ++i) {
      OpConfig node{};
      node.version = OpConfigVersion::v1;
      node.v1 = {names[i],
                 op_names::package_qti_aisw,
                 op_names::relu::type,
                 0,
                 nullptr,
                 1,
                 &tensors[i],
                 1,
                 &tensors[i + 1]};
      if (!done("addNode", host.qnn.graph_add_node(graph, node))) return false;
    }
    if (!done("graphFinalize", host.qnn.graph_finalize(graph, nullptr, nullptr))) return false;
    input.resize(std::size_t{32} * dimensions[1] * dimensions[2]);
    output.resize(input.size());
    const auto bytes = static_cast<std::uint32_t>(input.size());
    tensors[0].v1.client_buf = {input.data(), bytes};
    tensors[nodes].v1.client_buf = {output.data(), bytes};
    return true;
  }
  ErrorHandle run(Host& host, SignalHandle signal) {
    return host.qnn.graph_execute(graph, tensors, 1, tensors + nodes, 1, nullptr, signal);
  }
};

/// Stops an execution in the first quarter of its time. It lasts long, if the processor and the
/// memory can make it do so.
void stop_composed(Host& host, Kind kind) {
  constexpr double long_us = 400'000;
  constexpr std::uint32_t largest_side = 512;
  host.need_dsp();
  host.start();
  std::uint32_t side = 32;
  double whole_us = 0;
  static Chain* chain = nullptr;
  for (;; side *= 2) {
    chain = new Chain(side);
    if (!chain->compose(host)) return;
    whole_us = time_of_two([&] { chain->run(host, nullptr); });
    if (whole_us >= long_us || side == largest_side) break;
    host.qnn.context_free(chain->context, nullptr);
  }
  note("without a signal: %.0f ms for %u x %u", whole_us / 1e3, side, side);
  const SignalHandle signal = make(host, kind, static_cast<std::uint64_t>(whole_us / 4) + 1);
  stop(host, "execute", kind, signal, [&] { return chain->run(host, signal); }, whole_us / 4);
  say_code("execute", chain->run(host, nullptr));
  free(host, signal);
}

}}  // namespace ::signals

void ask_signals(Catalogue& ask) {
  using namespace signals;
  ask("J-1", "an execution under an abort signal that is triggered",
      [](Host& host) { stop_execution(host, Kind::abort); });
  ask("J-2", "an execution under a timeout that expires",
      [](Host& host) { stop_execution(host, Kind::timeout); });
  ask("J-1c", "a composed execution under an abort signal that is triggered",
      [](Host& host) { stop_composed(host, Kind::abort); });
  ask("J-2c", "a composed execution under a timeout that expires",
      [](Host& host) { stop_composed(host, Kind::timeout); });
  ask("J-3", "an idle signal without an option, and with a timeout: trigger", [](Host& host) {
    host.start();
    for (const Kind kind : {Kind::plain, Kind::timeout}) {
      const SignalHandle signal = make(host, kind);
      trigger(host, signal), free(host, signal);
    }
  });
  ask("J-4", "an idle abort signal: trigger, an execution under it, trigger", [](Host& host) {
    host.start();
    const Context context = host.create();
    const GraphHandle graph = context.retrieve();
    GraphTensors all = host.raw_tensors();
    const SignalHandle signal = make(host, Kind::abort);
    trigger(host, signal);
    say_code("execute", execute(host, graph, all, signal));
    trigger(host, signal), free(host, signal);
  });
  ask("J-5", "two executions of a graph under one signal, at once", [](Host& host) {
    host.need(host.standin.delay);
    host.start();
    const Context context = host.create();
    const GraphHandle graph = context.retrieve();
    GraphTensors one = host.raw_tensors(), two = host.raw_tensors();
    const SignalHandle signal = make(host, Kind::abort);
    ErrorHandle first = 0, second = 0;
    {
      const Slow slow(host);
      std::thread other([&] { first = execute(host, graph, one, signal); });
      std::this_thread::sleep_for(milliseconds(100));
      second = execute(host, graph, two, signal);
      other.join();
    }
    say_code("execute", first), say_code("execute", second);
    free(host, signal);
  });
  ask("J-6", "a creation under an abort signal that is triggered",
      [](Host& host) { stop_creation(host, Kind::abort); });
  ask("J-7", "a creation under a timeout that expires",
      [](Host& host) { stop_creation(host, Kind::timeout); });
  ask("J-8", "a deferred creation under an abort signal that is triggered", [](Host& host) {
    if (given.no_deferral) give_up("not asked: no deferred creation");
    stop_creation(host, Kind::abort, Options().deferred());
  });
  ask("J-9a", "a list of two under an abort signal that is triggered",
      [](Host& host) { stop_list(host, Kind::abort); });
  ask("J-9b", "a list of two under a timeout that expires",
      [](Host& host) { stop_list(host, Kind::timeout); });
}

}  // namespace conformance
