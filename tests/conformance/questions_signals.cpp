// J: signals, which stop a call early.
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
constexpr milliseconds before_trigger{200};
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

/// Makes remote calls last, for one call of the library.
class Slow {
 public:
  explicit Slow(Host& host) : host_(host) { host_.standin.delay(slow_call_us); }
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;
  ~Slow() { host_.standin.delay(0); }

 private:
  Host& host_;
};

/// Makes `call` under a signal while another thread triggers the signal, if it aborts. Reports both
/// codes, and notes the times.
template <class Call>
ErrorHandle stop(Host& host, const char* what, Kind kind, SignalHandle signal, Call call) {
  ErrorHandle triggered = 0, code = 0;
  double of_trigger = 0;
  std::thread other([&] {
    if (kind != Kind::abort) return;
    std::this_thread::sleep_for(before_trigger);
    of_trigger = time_of([&] { triggered = host.qnn.signal_trigger(signal); });
  });
  const double of_call = time_of([&] { code = call(); });
  other.join();
  note("%s: %.0f ms, trigger: %.0f ms", what, of_call / 1e3, of_trigger / 1e3);
  say_code(what, code);
  if (kind == Kind::abort) say_code("trigger", triggered);
  return code;
}

void stop_execution(Host& host, Kind kind) {
  host.need(host.standin.delay);
  host.start();
  const Context context = host.create();
  const GraphHandle graph = context.retrieve();
  GraphTensors all = host.raw_tensors();
  const SignalHandle signal = make(host, kind);
  {
    const Slow slow(host);
    stop(host, "execute", kind, signal, [&] { return execute(host, graph, all, signal); });
  }
  say_code("execute", execute(host, graph, all, signal));
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
};
Made* made = nullptr;

void count(ContextHandle context, GraphHandle, const char*, ContextNotifyType type, void*,
           ErrorHandle status) {
  if (type != ContextNotifyType::context_init) return;
  const std::lock_guard lock(made->mutex);
  if (status == 0 && context != nullptr)
    made->contexts.push_back(context);
  else
    ++made->failed;
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
  note("%zu made, %d failed", made->contexts.size(), made->failed);
  say("%s", made->contexts.size() == 2 ? "both made" : "not both made");
  for (const ContextHandle context : made->contexts) host.free(context);
  free(host, signal);
  host.tear_down();
}

/// Composes a graph whose execution lasts: a chain of Relu over many codes.
GraphHandle compose_long(Host& host, Tensor& in, Tensor& out, std::uint32_t* dimensions) {
  constexpr int nodes = 24;
  ContextHandle context = nullptr;
  GraphHandle graph = nullptr;
  say_code("create", host.qnn.context_create(host.backend, host.device, nullptr, &context));
  if (say_code("graphCreate", host.qnn.graph_create(context, "long", nullptr, &graph)) != 0)
    return nullptr;
  static Tensor tensors[nodes + 1];
  static char names[nodes + 1][8];
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
    tensor.v1.quantize_params.scale_offset_encoding = {0.5F + 0.01F * static_cast<float>(i), -128};
    tensor.v1.rank = 4;
    tensor.v1.dimensions = dimensions;
    host.qnn.tensor_create_graph_tensor(graph, &tensor);
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
    if (const ErrorHandle code = host.qnn.graph_add_node(graph, node); code != 0)
      say_code("addNode", code);
  }
  in = tensors[0], out = tensors[nodes];
  if (say_code("graphFinalize", host.qnn.graph_finalize(graph, nullptr, nullptr)) != 0)
    return nullptr;
  return graph;
}

void stop_composed(Host& host, Kind kind) {
  host.need_dsp();
  host.start();
  static std::uint32_t dimensions[] = {1, 512, 512, 32};
  Tensor in{}, out{};
  const GraphHandle graph = compose_long(host, in, out, dimensions);
  if (graph == nullptr) return;
  std::vector<unsigned char> input(512 * 512 * 32), output(input.size());
  in.v1.client_buf = {input.data(), static_cast<std::uint32_t>(input.size())};
  out.v1.client_buf = {output.data(), static_cast<std::uint32_t>(output.size())};
  const auto run = [&](SignalHandle signal) {
    return host.qnn.graph_execute(graph, &in, 1, &out, 1, nullptr, signal);
  };
  note("without a signal: %.0f ms", time_of([&] { run(nullptr); }) / 1e3);
  const SignalHandle signal = make(host, kind, 20'000);
  stop(host, "execute", kind, signal, [&] { return run(signal); });
  say_code("execute", run(nullptr));
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
