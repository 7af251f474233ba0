// Contents of a context, by value: graphs of nodes and tensors, without pointers into the client's
// memory. compose.hpp (C API) or binary.hpp (context binary) fills it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/tensor.hpp"

#include "sim/ops/quantization.hpp"

namespace qnnpp::sim {

/// Highest supported rank. The limit spares kernels all allocations.
inline constexpr std::uint32_t max_rank = 8;

/// Largest supported tensor. The limit makes sums of sizes fit 64 bits.
inline constexpr std::uint64_t max_tensor_bytes = std::uint64_t{1} << 40;

/// Index that stands for no tensor, graph or node.
inline constexpr std::uint32_t no_index = 0xFFFFFFFFu;

/// One tensor of a graph: Qnn_Tensor_t by value.
struct Tensor {
  /// Assigned by the backend, unique in the context, never 0.
  std::uint32_t id = 0;
  std::string name;
  /// Struct version from the tensor's creation; the metadata reports the same version.
  c_api::TensorVersion version = c_api::TensorVersion::v1;
  c_api::TensorType type = c_api::TensorType::native;
  c_api::TensorDataFormat data_format = 0;
  c_api::DataType data_type = c_api::DataType::float_32;
  Quantization quantization;
  /// 1 to max_rank dimensions, none of them 0.
  std::vector<std::uint32_t> dimensions;
  /// One flag per dimension, 1 if executions set the extent and `dimensions` holds its maximum.
  /// Empty if no dimension is dynamic.
  std::vector<std::uint8_t> dynamic;
  /// Memory type that the client declared for an I/O tensor: raw or memhandle (QMEM-05).
  c_api::TensorMemType mem_type = c_api::TensorMemType::raw;
  /// Contents of a static tensor. Empty in a network from a binary: its contents are in the weights
  /// section, at the tensor's placement (plan.hpp).
  std::vector<std::byte> data;
};

/// A parameter of a node: a scalar (scalar.string_value is never used) or a small static tensor.
struct Param {
  std::string name;
  c_api::ParamType type = c_api::ParamType::scalar;
  c_api::Scalar scalar{};
  /// Contains its data, also in networks from a binary.
  Tensor tensor;
};

/// One operation of a graph.
struct Node {
  std::string name;
  std::string package_name;
  std::string type_name;
  std::vector<Param> params;
  /// Indices into Graph::tensors.
  std::vector<std::uint32_t> inputs;
  std::vector<std::uint32_t> outputs;
};

/// Options of a graph from QnnGraph_Config_t and QnnHtpGraph_CustomConfig_t.
struct GraphHints {
  c_api::Priority priority = c_api::Priority::default_;
  /// Maximum VTCM of the graph; 0 means the device's whole VTCM.
  std::uint64_t vtcm_bytes = 0;
  std::uint32_t optimization_level = 2;
  std::uint32_t hvx_threads = 0;
  bool dlbc = false;
  // Binaries do not store the options below, because no metadata reports them.
  /// `undefined`: the client states none.
  c_api::Precision precision = c_api::Precision::undefined;
  bool dlbc_weights = false;
};

/// A graph: tensors in order of creation, nodes in order of addition.
struct Graph {
  std::string name;
  GraphHints hints;
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;
};

/// All graphs and tensors of a context.
struct Network {
  std::vector<Graph> graphs;
  /// Tensors of the context itself. A graph gets a copy when one of its nodes uses the tensor.
  std::vector<Tensor> context_tensors;
  /// Id of the next tensor of this context.
  std::uint32_t next_tensor_id = 1;
  /// WEIGHT_SHARING_ENABLED: the graphs share all weights; otherwise each has its own.
  bool shares_weights = false;
};

/// Returns whether a tensor of the graph has dynamic dimensions.
inline bool is_dynamic(const Graph& graph) noexcept {
  for (const Tensor& tensor : graph.tensors)
    if (!tensor.dynamic.empty()) return true;
  return false;
}

/// Returns the bytes of all elements, where 4-bit elements share bytes. Returns 0 for rank 0, a
/// dimension of 0, a type without a size, or a product above max_tensor_bytes (SHB-06).
inline std::uint64_t tensor_bytes(const Tensor& tensor) noexcept {
  std::uint64_t bits = tensor.dimensions.empty() ? 0 : element_bits(tensor.data_type);
  for (const std::uint32_t dimension : tensor.dimensions) {
    if (dimension != 0 && bits > 8 * max_tensor_bytes / dimension) return 0;
    bits *= dimension;
  }
  return (bits + 7) / 8;
}

/// Returns the number of elements; 0 under the same conditions.
inline std::uint64_t element_count(const Tensor& tensor) noexcept {
  if (tensor_bytes(tensor) == 0) return 0;
  std::uint64_t count = 1;
  for (const std::uint32_t dimension : tensor.dimensions) count *= dimension;
  return count;
}

/// Returns whether the kernels can read and write the tensor's elements: every type except strings,
/// and fixed-point types only with a quantisation.
inline bool is_computable(const Tensor& tensor) noexcept {
  if (element_bits(tensor.data_type) == 0) return false;
  return !is_fixed_point(tensor.data_type) || !tensor.quantization.pairs.empty();
}

/// Returns whether equal bytes in both tensors mean equal numbers.
inline bool same_elements(const Tensor& a, const Tensor& b) noexcept {
  return a.data_type == b.data_type &&
         (!is_fixed_point(a.data_type) || a.quantization == b.quantization);
}

/// True if the client writes it: app_write or app_readwrite.
inline bool is_app_writable(c_api::TensorType type) noexcept {
  return type == c_api::TensorType::app_write || type == c_api::TensorType::app_readwrite;
}

/// True if the client reads it: app_read or app_readwrite.
inline bool is_app_readable(c_api::TensorType type) noexcept {
  return type == c_api::TensorType::app_read || type == c_api::TensorType::app_readwrite;
}

/// True if the client binds it at execution.
inline bool is_io(c_api::TensorType type) noexcept {
  return is_app_writable(type) || is_app_readable(type);
}

/// True if a node can produce it as an output.
inline bool is_producible(c_api::TensorType type) noexcept {
  return type == c_api::TensorType::native || is_app_readable(type);
}

/// Returns the index of the tensor with this id, or no_index.
inline std::uint32_t find_tensor(const Graph& graph, std::uint32_t id) noexcept {
  for (std::size_t i = 0; i < graph.tensors.size(); ++i)
    if (graph.tensors[i].id == id) return static_cast<std::uint32_t>(i);
  return no_index;
}

/// Returns the index of the tensor with this name, or no_index.
inline std::uint32_t find_tensor(const Graph& graph, std::string_view name) noexcept {
  for (std::size_t i = 0; i < graph.tensors.size(); ++i)
    if (graph.tensors[i].name == name) return static_cast<std::uint32_t>(i);
  return no_index;
}

/// Returns the index of the graph with this name, or no_index.
inline std::uint32_t find_graph(const Network& network, std::string_view name) noexcept {
  for (std::size_t i = 0; i < network.graphs.size(); ++i)
    if (network.graphs[i].name == name) return static_cast<std::uint32_t>(i);
  return no_index;
}

/// Returns, by tensor index, whether a node produces the tensor.
inline std::vector<bool> produced_tensors(const Graph& graph) {
  std::vector<bool> produced(graph.tensors.size(), false);
  for (const Node& node : graph.nodes)
    for (const std::uint32_t output : node.outputs) produced[output] = true;
  return produced;
}

/// Returns the indices of the tensors that a client binds as inputs, in order of creation:
/// app_write, and app_readwrite that no node produces.
inline std::vector<std::uint32_t> graph_inputs(const Graph& graph) {
  const std::vector<bool> produced = produced_tensors(graph);
  std::vector<std::uint32_t> inputs;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i)
    if (is_app_writable(graph.tensors[i].type) && !produced[i])
      inputs.push_back(static_cast<std::uint32_t>(i));
  return inputs;
}

/// Returns the indices of the tensors that a client binds as outputs, in order of creation:
/// app_read, and app_readwrite that a node produces.
inline std::vector<std::uint32_t> graph_outputs(const Graph& graph) {
  const std::vector<bool> produced = produced_tensors(graph);
  std::vector<std::uint32_t> outputs;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const c_api::TensorType type = graph.tensors[i].type;
    if (type == c_api::TensorType::app_read ||
        (type == c_api::TensorType::app_readwrite && produced[i]))
      outputs.push_back(static_cast<std::uint32_t>(i));
  }
  return outputs;
}

}  // namespace qnnpp::sim
