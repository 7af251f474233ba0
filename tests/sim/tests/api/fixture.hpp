// Common parts of the tests of the simulated HTP's C API: the loaded libraries, a small network
// with a plain reference, one-line steps of a client, and checks that nothing stays alive.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/tables/host_library.hpp"

namespace sim_test {

namespace c_api = qnnpp::c_api;
namespace sim = qnnpp::sim;

/// The libraries, loaded once. Tests may read only slots 0 to 70 of the table.
struct Libraries {
  void* htp = ::dlopen(QNNPP_SIM_DIR "/libQnnHtp.so", RTLD_NOW | RTLD_LOCAL);
  void* rpc = ::dlopen(QNNPP_SIM_DIR "/libcdsprpc.so", RTLD_NOW | RTLD_LOCAL);
  const c_api::Interface* provider = nullptr;
  sim::Control control = sim::Control::from(htp);
  sim::RpcmemControl rpcmem_control = sim::RpcmemControl::from(rpc);
  void* (*alloc2)(int, std::uint32_t, std::size_t) = nullptr;
  void (*free)(void*) = nullptr;
  int (*to_fd)(void*) = nullptr;

  Libraries() {
    const auto get =
        reinterpret_cast<c_api::InterfaceGetProvidersFn>(::dlsym(htp, "QnnInterface_getProviders"));
    const c_api::Interface** list = nullptr;
    std::uint32_t count = 0;
    if (get != nullptr && get(&list, &count) == 0 && count == 1) provider = list[0];
    alloc2 = reinterpret_cast<decltype(alloc2)>(::dlsym(rpc, "rpcmem_alloc2"));
    free = reinterpret_cast<decltype(free)>(::dlsym(rpc, "rpcmem_free"));
    to_fd = reinterpret_cast<decltype(to_fd)>(::dlsym(rpc, "rpcmem_to_fd"));
  }
};

inline const Libraries& libraries() {
  static const Libraries loaded;
  return loaded;
}

inline const c_api::InterfaceTable& qnn() { return libraries().provider->table; }

/// Returns the code without the backend's high bits.
inline std::uint32_t code(c_api::ErrorHandle error) {
  return static_cast<std::uint32_t>(error & 0xFFFF);
}

/// All host libraries, and their answers.
inline constexpr sim::HostLibrary all_libraries[] = {
    sim::HostLibrary::v2_43_1, sim::HostLibrary::v2_46_0, sim::HostLibrary::v2_48_40,
    sim::HostLibrary::v2_51_0, sim::HostLibrary::v2_43_1_android};
inline const sim::HostAnswers& answers_of(sim::HostLibrary library) {
  return sim::host_libraries[static_cast<std::size_t>(library)];
}
/// Traces which library a check is about.
inline std::string trace_of(sim::HostLibrary library) {
  return std::string{sim::host_library_names[static_cast<std::size_t>(library)]};
}

/// Size of the pieces that weights and spill-fill are rounded up to, as the properties state them.
inline constexpr std::uint64_t piece_bytes = std::uint64_t{2} << 20;

/// DMA memory of the simulated rpcmem.
struct Dma {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  int fd = -1;

  explicit Dma(std::size_t size) : bytes(size) {
    data = static_cast<std::byte*>(libraries().alloc2(25, 1, size));
    fd = libraries().to_fd(data);
  }
  Dma(const Dma&) = delete;
  Dma& operator=(const Dma&) = delete;
  ~Dma() { release(); }
  void release() {
    if (data != nullptr) libraries().free(data);
    data = nullptr;
  }
  [[nodiscard]] float* floats() const { return reinterpret_cast<float*>(data); }
};

/// A chain of fully connected layers with relu between them: `width` floats in and out, weights
/// from `seed`.
struct Chain {
  std::string name = "chain";
  std::uint32_t width = 64;
  std::uint32_t layers = 4;
  std::uint32_t seed = 1;
  bool memhandle_io = false;    ///< prepares the I/O tensors for memory handles
  bool raw_out = false;         ///< prepares the output raw nevertheless
  std::uint32_t spill_mib = 0;  ///< size of a tensor that spills and that nothing reads

  [[nodiscard]] std::vector<float> weights(std::uint32_t layer) const {
    std::vector<float> values(std::size_t{width} * width);
    std::uint32_t state = seed * 2654435761u + layer * 40503u + 12345u;
    for (float& value : values) {
      state = state * 1664525u + 1013904223u;
      value = (static_cast<float>(state >> 8) / 16777216.0f - 0.5f) * 0.5f;
    }
    return values;
  }
  [[nodiscard]] std::vector<float> input() const {
    std::vector<float> values(width);
    for (std::uint32_t i = 0; i < width; ++i)
      values[i] = static_cast<float>((i * 7 + seed) % 13) / 13.0f;
    return values;
  }
  [[nodiscard]] std::vector<float> reference(std::vector<float> x) const {
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      const std::vector<float> w = weights(layer);
      std::vector<float> y(width);
      for (std::uint32_t o = 0; o < width; ++o)
        for (std::uint32_t i = 0; i < width; ++i) y[o] += w[std::size_t{o} * width + i] * x[i];
      if (layer + 1 < layers)
        for (float& value : y) value = value > 0.0f ? value : 0.0f;
      x = y;
    }
    return x;
  }
  [[nodiscard]] std::size_t io_bytes() const { return width * sizeof(float); }
};

inline float largest_difference(const std::vector<float>& a, const float* b) {
  float most = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float difference = std::fabs(a[i] - b[i]);
    most = std::isnan(difference) || difference > most ? difference : most;
    if (std::isnan(most)) return INFINITY;
  }
  return most;
}

/// Composes one chain in a context through the C API, and finalizes the graph. Returns the first
/// error.
inline std::uint32_t compose(c_api::ContextHandle context, const Chain& chain,
                             c_api::GraphHandle* out = nullptr) {
  c_api::GraphHandle graph = nullptr;
  if (const auto error = code(qnn().graph_create(context, chain.name.c_str(), nullptr, &graph)))
    return error;
  std::uint32_t io_dims[2] = {1, chain.width};
  std::uint32_t weight_dims[2] = {chain.width, chain.width};
  const auto tensor = [&](const std::string& name, c_api::TensorType type, std::uint32_t* dims,
                          c_api::Tensor& made) {
    made = {};
    made.version = c_api::TensorVersion::v1;
    made.v1.name = name.c_str();
    made.v1.type = type;
    made.v1.data_type = c_api::DataType::float_32;
    made.v1.quantize_params.encoding_definition = c_api::Definition::undefined;
    made.v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::undefined;
    made.v1.rank = 2;
    made.v1.dimensions = dims;
    const bool io = type == c_api::TensorType::app_write || type == c_api::TensorType::app_read;
    const bool raw = !chain.memhandle_io || (chain.raw_out && type == c_api::TensorType::app_read);
    made.v1.mem_type = io && !raw ? c_api::TensorMemType::memhandle : c_api::TensorMemType::raw;
  };
  c_api::Tensor previous;
  const std::string input_name = "in";
  tensor(input_name, c_api::TensorType::app_write, io_dims, previous);
  if (const auto error = code(qnn().tensor_create_graph_tensor(graph, &previous))) return error;
  for (std::uint32_t layer = 0; layer < chain.layers; ++layer) {
    const bool last = layer + 1 == chain.layers;
    std::vector<float> values = chain.weights(layer);
    const std::string weights_name = "w" + std::to_string(layer);
    c_api::Tensor weights;
    tensor(weights_name, c_api::TensorType::static_, weight_dims, weights);
    weights.v1.client_buf = {values.data(),
                             static_cast<std::uint32_t>(values.size() * sizeof(float))};
    if (const auto error = code(qnn().tensor_create_graph_tensor(graph, &weights))) return error;
    const std::string product_name = last ? "out" : "fc" + std::to_string(layer);
    c_api::Tensor product;
    tensor(product_name, last ? c_api::TensorType::app_read : c_api::TensorType::native, io_dims,
           product);
    if (const auto error = code(qnn().tensor_create_graph_tensor(graph, &product))) return error;
    c_api::Tensor inputs[2] = {previous, weights};
    const std::string node_name = "node" + std::to_string(layer);
    c_api::OpConfig op{};
    op.version = c_api::OpConfigVersion::v1;
    op.v1 = {node_name.c_str(), "qti.aisw", "FullyConnected", 0, nullptr, 2, inputs, 1, &product};
    if (const auto error = code(qnn().graph_add_node(graph, op))) return error;
    previous = product;
    if (last) break;
    const std::string relu_name = "relu" + std::to_string(layer);
    c_api::Tensor activation;
    tensor(relu_name, c_api::TensorType::native, io_dims, activation);
    if (const auto error = code(qnn().tensor_create_graph_tensor(graph, &activation))) return error;
    c_api::OpConfig relu{};
    relu.version = c_api::OpConfigVersion::v1;
    relu.v1 = {relu_name.c_str(), "qti.aisw", "Relu", 0, nullptr, 1, &product, 1, &activation};
    if (const auto error = code(qnn().graph_add_node(graph, relu))) return error;
    previous = activation;
  }
  if (chain.spill_mib != 0) {
    std::uint32_t column_dims[2] = {chain.spill_mib * 256, 1}, row_dims[2] = {1, 1024};
    std::uint32_t product_dims[2] = {column_dims[0], row_dims[1]};
    std::vector<float> column(column_dims[0], 0.5f), row(row_dims[1], 0.25f);
    const std::string column_name = "column", row_name = "row", spilled_name = "spilled";
    c_api::Tensor factors[2], spilled;
    tensor(column_name, c_api::TensorType::static_, column_dims, factors[0]);
    factors[0].v1.client_buf = {column.data(), column_dims[0] * 4};
    tensor(row_name, c_api::TensorType::static_, row_dims, factors[1]);
    factors[1].v1.client_buf = {row.data(), row_dims[1] * 4};
    tensor(spilled_name, c_api::TensorType::native, product_dims, spilled);
    for (c_api::Tensor* const made : {&factors[0], &factors[1], &spilled})
      if (const auto error = code(qnn().tensor_create_graph_tensor(graph, made))) return error;
    c_api::OpConfig product{};
    product.version = c_api::OpConfigVersion::v1;
    product.v1 = {"product", "qti.aisw", "MatMul", 0, nullptr, 2, factors, 1, &spilled};
    if (const auto error = code(qnn().graph_add_node(graph, product))) return error;
  }
  if (const auto error = code(qnn().graph_finalize(graph, nullptr, nullptr))) return error;
  if (out != nullptr) *out = graph;
  return 0;
}

/// Ids of a chain's I/O tensors. The device assigns ids in order of creation: the input first, the
/// output last.
struct ChainIds {
  std::uint32_t in;
  std::uint32_t out;
};
inline ChainIds ids_of(const Chain& chain, std::uint32_t first_id = 1) {
  // The input, then weights, product and activation for each layer; the last layer has no
  // activation.
  return {first_id, first_id + 3 * (chain.layers - 1) + 2};
}

/// Returns a raw tensor for graphExecute.
inline c_api::Tensor raw(std::uint32_t id, c_api::TensorType type, void* data, std::size_t bytes) {
  c_api::Tensor tensor{};
  tensor.version = c_api::TensorVersion::v1;
  tensor.v1.id = id;
  tensor.v1.type = type;
  tensor.v1.data_type = c_api::DataType::float_32;
  tensor.v1.mem_type = c_api::TensorMemType::raw;
  tensor.v1.client_buf = {data, static_cast<std::uint32_t>(bytes)};
  return tensor;
}
inline c_api::Tensor registered(std::uint32_t id, c_api::TensorType type, c_api::MemHandle handle) {
  c_api::Tensor tensor = raw(id, type, nullptr, 0);
  tensor.v1.mem_type = c_api::TensorMemType::memhandle;
  tensor.v1.mem_handle = handle;
  return tensor;
}

/// Executes a chain with raw memory. Returns the call's code, and the result in `out`.
inline std::uint32_t run_raw(c_api::GraphHandle graph, const Chain& chain, std::vector<float>& out,
                             std::uint32_t first_id = 1, c_api::ProfileHandle profile = nullptr,
                             c_api::SignalHandle signal = nullptr) {
  std::vector<float> in = chain.input();
  out.assign(chain.width, -1.0f);
  const ChainIds ids = ids_of(chain, first_id);
  const c_api::Tensor input =
      raw(ids.in, c_api::TensorType::app_write, in.data(), chain.io_bytes());
  c_api::Tensor output = raw(ids.out, c_api::TensorType::app_read, out.data(), chain.io_bytes());
  return code(qnn().graph_execute(graph, &input, 1, &output, 1, profile, signal));
}

/// Descriptor of a weights or spill-fill buffer.
struct ExternalDescriptor {
  c_api::HtpMemDescriptor custom{};
  c_api::MemDescriptor descriptor{};

  ExternalDescriptor(c_api::HtpMemType type, int fd, std::uint64_t size, std::uint64_t offset = 0) {
    custom.type = type;
    custom.size = size;
    custom.weights_buffer_config = {fd, offset};
    descriptor.data_type = c_api::DataType::undefined;
    descriptor.mem_type = c_api::MemType::custom;
    descriptor.custom_info = &custom;
  }
  ExternalDescriptor(const ExternalDescriptor&) = delete;
  ExternalDescriptor& operator=(const ExternalDescriptor&) = delete;
};

/// Descriptor of a tensor's memory.
struct TensorDescriptor {
  std::uint32_t dims[2];
  c_api::HtpMemDescriptor custom{};
  c_api::MemDescriptor descriptor{};

  /// ION memory, one fd for one tensor.
  TensorDescriptor(int fd, std::uint32_t width) : dims{1, width} {
    fill();
    descriptor.mem_type = c_api::MemType::ion;
    descriptor.ion_info.fd = fd;
  }
  /// A tensor in a shared buffer.
  TensorDescriptor(int fd, std::uint32_t width, std::uint64_t total, std::uint64_t offset)
      : dims{1, width} {
    fill();
    custom.type = c_api::HtpMemType::shared_buffer;
    custom.size = total;
    custom.shared_buffer_config = {fd, offset};
    descriptor.mem_type = c_api::MemType::custom;
    descriptor.custom_info = &custom;
  }
  TensorDescriptor(const TensorDescriptor&) = delete;
  TensorDescriptor& operator=(const TensorDescriptor&) = delete;

 private:
  void fill() {
    descriptor.mem_shape = {2, dims, nullptr};
    descriptor.data_type = c_api::DataType::float_32;
  }
};

/// A config array with DEFER_GRAPH_INIT.
struct DeferredConfig {
  c_api::ContextConfig defer{};
  const c_api::ContextConfig* array[2] = {&defer, nullptr};
  const c_api::ContextConfig** configs() { return array; }
  DeferredConfig() {
    defer.option = c_api::ContextConfigOption::defer_graph_init;
    defer.is_graph_init_deferred = 1;
  }
  DeferredConfig(const DeferredConfig&) = delete;
  DeferredConfig& operator=(const DeferredConfig&) = delete;
};

/// A config array with WEIGHT_SHARING_ENABLED.
struct SharedWeights {
  c_api::HtpContextCustomConfig custom{};
  c_api::ContextConfig config{};
  const c_api::ContextConfig* array[2] = {&config, nullptr};
  const c_api::ContextConfig** configs() { return array; }
  SharedWeights() {
    custom.option = c_api::HtpContextConfigOption::weight_sharing_enabled;
    custom.weight_sharing_enabled = true;
    config.option = c_api::ContextConfigOption::custom;
    config.custom_config = &custom;
  }
  SharedWeights(const SharedWeights&) = delete;
  SharedWeights& operator=(const SharedWeights&) = delete;
};

/// Needs that a deferred context reports.
struct AskedFor {
  std::uint64_t alignment = 0;
  std::uint64_t spill_fill = 0;
  std::uint64_t weights = 0;
};
inline AskedFor ask(c_api::ContextHandle context) {
  c_api::HtpContextCustomProperty customs[3]{};
  c_api::ContextProperty properties[3]{};
  c_api::ContextProperty* array[4] = {&properties[0], &properties[1], &properties[2], nullptr};
  for (std::uint32_t i = 0; i < 3; ++i) {
    customs[i].option = static_cast<c_api::HtpContextPropertyOption>(i + 1);
    properties[i].option = c_api::ContextPropertyOption::custom;
    properties[i].custom_property = &customs[i];
  }
  EXPECT_EQ(code(qnn().context_get_property(context, array)), 0u);
  return {customs[0].buffer_start_alignment, customs[1].spillfill_buffer_size,
          customs[2].weights_buffer_size};
}

/// Client buffers for everything that a deferred context needs.
struct ExternalBuffers {
  Dma weights;
  Dma spill_fill;
  c_api::MemHandle handles[2]{};

  explicit ExternalBuffers(const AskedFor& asked)
      : weights(asked.weights), spill_fill(asked.spill_fill) {}
  /// Registers both buffers. Returns the first error.
  std::uint32_t add_to(c_api::ContextHandle context) {
    const std::uint32_t error =
        add(context, c_api::HtpMemType::weights_buffer, weights, handles[0]);
    return error != 0 ? error : add_spill_fill_to(context);
  }
  std::uint32_t add_spill_fill_to(c_api::ContextHandle context) {
    return add(context, c_api::HtpMemType::shared_spillfill_buffer, spill_fill, handles[1]);
  }

 private:
  static std::uint32_t add(c_api::ContextHandle context, c_api::HtpMemType type, const Dma& memory,
                           c_api::MemHandle& handle) {
    const ExternalDescriptor external{type, memory.fd, memory.bytes};
    return code(qnn().mem_register(context, &external.descriptor, 1, &handle));
  }
};

/// Base of all tests: a device with little VTCM, so that chains spill. At the end of a test nothing
/// may be alive.
class SimTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(libraries().provider, nullptr) << ::dlerror();
    ASSERT_TRUE(control());
    control().reset_config();
    control().reset_counters();
    libraries().rpcmem_control.reset_counters();
    sim::Config config = control().config();
    config.vtcm_bytes = 256;
    ASSERT_TRUE(control().set_config(config));
    ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
  }
  void TearDown() override {
    control().clear_faults();
    for (const c_api::ContextHandle context : contexts) {
      static_cast<void>(qnn().context_free(context, nullptr));
    }
    EXPECT_EQ(code(qnn().backend_free(backend)), 0u);
    const sim::Counters left = control().counters();
    EXPECT_EQ(left.live_contexts + left.live_graphs + left.live_backends + left.live_devices +
                  left.live_logs + left.live_profiles + left.live_signals + left.live_messages +
                  left.live_platform_infos,
              0u);
    EXPECT_EQ(left.mapped_fds, 0u);
    EXPECT_EQ(left.device_bytes, 0u);
    EXPECT_EQ(left.internal_bytes, 0u);
    for (const std::uint64_t used : left.pd_used_bytes) EXPECT_EQ(used, 0u);
    control().reset_config();
  }

  static const sim::Control& control() { return libraries().control; }

  /// Returns the binary of a context with these chains.
  std::vector<std::byte> binary_of(const std::vector<Chain>& chains,
                                   const c_api::ContextConfig** configs = nullptr) {
    return binary_by(configs, [&](c_api::ContextHandle context) {
      for (const Chain& chain : chains) EXPECT_EQ(compose(context, chain), 0u);
    });
  }
  /// Returns the binary of a context that a function composes.
  template <class Compose>
  std::vector<std::byte> binary_by(const c_api::ContextConfig** configs, Compose compose_graphs) {
    c_api::ContextHandle context = nullptr;
    EXPECT_EQ(code(qnn().context_create(backend, nullptr, configs, &context)), 0u);
    compose_graphs(context);
    c_api::ContextBinarySize size = 0;
    EXPECT_EQ(code(qnn().context_get_binary_size(context, &size)), 0u);
    std::vector<std::byte> binary(size);
    c_api::ContextBinarySize written = 0;
    EXPECT_EQ(code(qnn().context_get_binary(context, binary.data(), size, &written)), 0u);
    EXPECT_EQ(written, size);
    EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
    return binary;
  }

  /// Creates a context. The end of the test frees it if it is still alive.
  std::uint32_t create(const std::vector<std::byte>& binary, const c_api::ContextConfig** configs,
                       c_api::ContextHandle& context) {
    const std::uint32_t error = code(qnn().context_create_from_binary(
        backend, nullptr, configs, binary.data(), binary.size(), &context, nullptr));
    if (error == 0) contexts.push_back(context);
    return error;
  }
  std::uint32_t free_context(c_api::ContextHandle context) {
    std::erase(contexts, context);
    return code(qnn().context_free(context, nullptr));
  }
  c_api::GraphHandle graph_of(c_api::ContextHandle context, const char* name = "chain") {
    c_api::GraphHandle graph = nullptr;
    EXPECT_EQ(code(qnn().graph_retrieve(context, name, &graph)), 0u);
    return graph;
  }

  c_api::BackendHandle backend = nullptr;
  std::vector<c_api::ContextHandle> contexts;
};

}  // namespace sim_test
