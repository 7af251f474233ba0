// The simulated HTP under a benchmark: its libraries, its counters, and binaries of any size.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/sim/control.hpp"
#include "qnnpp/throw.hpp"

namespace bench {

inline const char* const htp_library = QNNPP_SIM_DIR "/libQnnHtp.so";
inline const char* const system_library = QNNPP_SIM_DIR "/libQnnSystem.so";
inline const char* const rpcmem_library = QNNPP_SIM_DIR "/libcdsprpc.so";

/// Controls and counters of both libraries, which stay loaded.
struct Device {
  qnnpp::sim::Control htp;
  qnnpp::sim::RpcmemControl rpcmem;

  /// Loads the libraries. Intermediates that do not fit `vtcm_bytes` are spilled.
  [[nodiscard]] static Device load(std::uint64_t vtcm_bytes = 1024) {
    Device device{qnnpp::sim::Control::from(::dlopen(htp_library, RTLD_NOW | RTLD_LOCAL)),
                  qnnpp::sim::RpcmemControl::from(::dlopen(rpcmem_library, RTLD_NOW | RTLD_LOCAL))};
    if (!device.htp || !device.rpcmem) throw std::runtime_error("no simulated HTP");
    device.set(&qnnpp::sim::Config::vtcm_bytes, vtcm_bytes);
    return device;
  }

  /// Changes one value of its configuration.
  template <class Value>
  void set(Value qnnpp::sim::Config::* member, Value value) const {
    qnnpp::sim::Config config = htp.config();
    config.*member = value;
    if (!htp.set_config(config)) throw std::runtime_error("not a device");
  }

  /// DMA memory in use: the client's buffers and the device's own memory.
  [[nodiscard]] std::uint64_t dma_bytes() const {
    return rpcmem.counters().live_bytes + htp.counters().internal_bytes;
  }
  /// Upper bound of the DMA memory in use since forget_peaks(): the sum of both peaks.
  [[nodiscard]] std::uint64_t peak_dma_bytes() const {
    return rpcmem.counters().peak_bytes + htp.counters().peak_internal_bytes;
  }
  void forget_peaks() const {
    rpcmem.reset_counters();
    htp.reset_counters();
  }
  [[nodiscard]] std::uint64_t calls(qnnpp::sim::Slot slot) const { return htp.calls(slot); }
};

/// The device's buffers for weights and spill-fill are whole pieces of this size. Each graph has
/// its own pieces for its weights.
inline constexpr std::uint64_t piece_bytes = std::uint64_t{2} << 20;

/// Contents of a context.
struct ContextSize {
  std::string name;
  std::uint64_t weights_bytes = 0;     ///< of each graph, a multiple of 512
  std::uint64_t spill_fill_bytes = 0;  ///< of the first graph, a multiple of 512
  std::uint64_t graphs = 1;
};

namespace detail {

/// Adds a graph that needs exactly these bytes if the VTCM holds almost nothing: one matrix, and
/// two intermediate tensors that live at the same time. The client owns inputs and outputs.
inline void add_graph(qnnpp::Context<qnnpp::Composing>& context, const std::string& name,
                      std::uint64_t weights_bytes, std::uint64_t spill_fill_bytes) {
  using namespace qnnpp;
  using enum c_api::TensorType;
  const std::uint32_t in = weights_bytes % 4096 == 0 ? 1024 : 128;
  const auto out = static_cast<std::uint32_t>(weights_bytes / sizeof(float) / in);
  const auto spilled = static_cast<std::uint32_t>(spill_fill_bytes / 2 / sizeof(float));
  std::vector<float> values(std::size_t{in} * out);
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 16777216.0f - 0.5f;
  }

  auto graph = value_or_throw(Graph<Composing, RegisteredIo>::create(context, name));
  const auto tensor = [&](const char* which, c_api::TensorType kind, std::uint32_t elements) {
    return value_or_throw(
        graph.add_tensor({.name = which, .kind = kind, .dimensions = {1, elements}}));
  };
  const auto node = [&](const char* which, const char* type, std::vector<GraphTensor> inputs,
                        GraphTensor output) {
    value_or_throw(graph.add_node(
        {.name = which, .type = type, .inputs = std::move(inputs), .outputs = {output}}));
  };
  const auto matrix = value_or_throw(
      graph.add_static({.name = "W", .dimensions = {out, in}}, std::as_bytes(std::span(values))));
  const auto x = tensor("x", app_write, in);
  node("matrix", "FullyConnected", {x, matrix}, tensor("y", app_read, out));
  if (spilled != 0) {
    const auto a = tensor("a", app_write, spilled);
    const auto first = tensor("first", native, spilled);
    const auto second = tensor("second", native, spilled);
    node("to_first", "Relu", {a}, first);
    node("to_second", "Relu", {first}, second);
    node("to_b", "Relu", {second}, tensor("b", app_read, spilled));
  }
  (void)value_or_throw(std::move(graph).finalize());
}

}  // namespace detail

/// Returns a binary of these contents. The first graph has the name of the context.
[[nodiscard]] inline std::vector<std::byte> binary_of(const qnnpp::Backend<qnnpp::Htp>& backend,
                                                      const ContextSize& size) {
  using namespace qnnpp;
  auto context = value_or_throw(Context<Composing>::create(backend));
  detail::add_graph(context, size.name, size.weights_bytes, size.spill_fill_bytes);
  for (std::uint64_t i = 1; i < size.graphs; ++i)
    detail::add_graph(context, size.name + "_" + std::to_string(i), size.weights_bytes, 0);
  return value_or_throw(value_or_throw(std::move(context).finalize()).serialize());
}

}  // namespace bench
