// Converts the C API's structs to the network description, with deep copies and a NULL check of
// every pointer. Implements tensorCreateGraphTensor, tensorCreateContextTensor, graphAddNode and
// validateOpConfig.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/tensor.hpp"

#include "sim/ops/network.hpp"
#include "sim/ops/op_resolve.hpp"
#include "sim/tables/status.hpp"

namespace qnnpp::sim {

namespace detail {

inline Status invalid_tensor(const Tensor& tensor, std::string what) {
  return failure(c_api::TensorError::invalid_tensor_param,
                 "tensor '" + tensor.name + "': " + std::move(what));
}

inline Status unsupported_tensor(const Tensor& tensor, std::string what) {
  return failure(c_api::TensorError::unsupported_tensor_param,
                 "tensor '" + tensor.name + "': " + std::move(what));
}

inline bool is_supported(c_api::TensorType type) noexcept {
  return is_io(type) || type == c_api::TensorType::native || type == c_api::TensorType::static_;
}

}  // namespace detail

/// Checks a tensor's description, without its contents. 7004: version, rank 0, a dimension of 0,
/// size above max_tensor_bytes, memhandle for a tensor that is not I/O. 7005: type, format, data
/// type, rank, memory type. Inputs and outputs may have the HMX weight layout, whose order of
/// elements only the HTP knows: here they stay in row-major order.
inline Status check_tensor(const Tensor& tensor) {
  if (tensor.version != c_api::TensorVersion::v1 && tensor.version != c_api::TensorVersion::v2)
    return detail::invalid_tensor(tensor, "unknown struct version");
  if (!detail::is_supported(tensor.type))
    return detail::unsupported_tensor(
        tensor, "tensor type " + std::to_string(static_cast<std::uint32_t>(tensor.type)));
  if (tensor.data_format != c_api::tensor_data_format::dense &&
      (tensor.data_format != c_api::tensor_data_format::hmx_weight_layout || !is_io(tensor.type)))
    return detail::unsupported_tensor(tensor, "data format " + std::to_string(tensor.data_format));
  if (element_bits(tensor.data_type) == 0)
    return detail::unsupported_tensor(
        tensor, "data type " + std::to_string(static_cast<std::uint32_t>(tensor.data_type)));
  if (tensor.dimensions.empty()) return detail::invalid_tensor(tensor, "rank 0");
  if (tensor.dimensions.size() > max_rank)
    return detail::unsupported_tensor(tensor, "rank " + std::to_string(tensor.dimensions.size()));
  for (const std::uint32_t dimension : tensor.dimensions)
    if (dimension == 0) return detail::invalid_tensor(tensor, "a dimension is 0");
  if (tensor_bytes(tensor) == 0) return detail::invalid_tensor(tensor, "too large");
  if (tensor.mem_type != c_api::TensorMemType::raw &&
      tensor.mem_type != c_api::TensorMemType::memhandle)
    return detail::unsupported_tensor(
        tensor, "memory type " + std::to_string(static_cast<std::uint32_t>(tensor.mem_type)));
  if (tensor.mem_type == c_api::TensorMemType::memhandle && !is_io(tensor.type))
    return detail::invalid_tensor(tensor, "only inputs and outputs may be memory handles");
  return success();
}

/// Checks that a tensor with dynamic dimensions has version 2, is not static, and has at most one
/// scale. Returns 7005.
inline Status check_dynamic(const Tensor& tensor) {
  if (tensor.dynamic.empty()) return success();
  if (tensor.version != c_api::TensorVersion::v2)
    return detail::unsupported_tensor(tensor, "dynamic dimensions in version 1");
  if (tensor.type == c_api::TensorType::static_)
    return detail::unsupported_tensor(tensor, "dynamic dimensions of a static tensor");
  if (tensor.quantization.pairs.size() > 1)
    return detail::unsupported_tensor(tensor, "dynamic dimensions with several scales");
  return success();
}

namespace detail {

/// Whether a static tensor needs its contents.
enum class Contents { required, optional };

/// Copies the fields that both struct versions have.
template <typename Source>
inline Status copy_fields(const Source& source, Contents contents, Tensor& out) {
  out.id = source.id;
  out.name = source.name == nullptr ? "" : source.name;
  out.type = source.type;
  out.data_format = source.data_format;
  out.data_type = source.data_type;
  out.mem_type = source.mem_type;
  if (source.rank > max_rank) return unsupported_tensor(out, "rank " + std::to_string(source.rank));
  if (source.rank != 0 && source.dimensions == nullptr)
    return invalid_tensor(out, "dimensions are NULL");
  out.dimensions.assign(source.dimensions, source.dimensions + source.rank);
  Status status = check_tensor(out);
  if (!status.ok()) return status;
  if (out.mem_type == c_api::TensorMemType::memhandle && source.mem_handle != nullptr)
    return misused(c_api::TensorError::invalid_tensor_param, "QMEM-05",
                   "tensor '" + out.name + "': its memory handle must be NULL in preparation");
  if (std::string fault =
          copy_quantization(source.quantize_params, out.dimensions, out.quantization);
      !fault.empty())
    return invalid_tensor(out, std::move(fault));
  if (std::string fault = fault_of(out.quantization, out.data_type, out.dimensions); !fault.empty())
    return invalid_tensor(out, std::move(fault));
  if (out.type != c_api::TensorType::static_) return status;

  const c_api::ClientBuffer& buffer = source.client_buf;
  if (buffer.data == nullptr)
    return contents == Contents::optional ? success()
                                          : invalid_tensor(out, "a static tensor without contents");
  if (buffer.data_size != tensor_bytes(out))
    return invalid_tensor(out, "contents of " + std::to_string(buffer.data_size) +
                                   " bytes, the shape needs " + std::to_string(tensor_bytes(out)));
  const std::byte* bytes = static_cast<const std::byte*>(buffer.data);
  out.data.assign(bytes, bytes + buffer.data_size);
  return success();
}

inline Status copy_tensor(const c_api::Tensor& source, Contents contents, Tensor& out) {
  out = Tensor{};
  out.version = source.version;
  if (source.version == c_api::TensorVersion::v1) return copy_fields(source.v1, contents, out);
  if (source.version != c_api::TensorVersion::v2)
    return invalid_tensor(out, "unknown struct version");
  Status status = copy_fields(source.v2, contents, out);
  if (!status.ok() || source.v2.is_dynamic_dimensions == nullptr) return status;
  for (std::uint32_t i = 0; i < source.v2.rank; ++i) {
    if (source.v2.is_dynamic_dimensions[i] == 0) continue;
    out.dynamic.resize(source.v2.rank);
    out.dynamic[i] = 1;
  }
  return check_dynamic(out);
}

}  // namespace detail

/// Copies a Qnn_Tensor_t (version 1 or 2) with its static contents and its id. Returns the codes of
/// check_tensor(), and also 7004 for NULL dimensions, missing static contents, contents of the
/// wrong size, a quantisation that does not fit the tensor or that quantization.hpp does not know,
/// or a memory handle that is not NULL (QMEM-05). Also the codes of check_dynamic().
inline Status copy_tensor(const c_api::Tensor& source, Tensor& out) {
  return detail::copy_tensor(source, detail::Contents::required, out);
}

/// Whether the device supports dynamic dimensions (Config::dynamic_dimensions).
enum class DynamicDimensions : bool { unsupported, supported };

namespace detail {

inline Status check_supported(const Tensor& tensor, DynamicDimensions dynamic) {
  return tensor.dynamic.empty() || dynamic == DynamicDimensions::supported
             ? success()
             : unsupported_tensor(tensor, "dynamic dimensions");
}

inline std::uint32_t tensor_id(const c_api::Tensor& tensor) noexcept {
  return tensor.version == c_api::TensorVersion::v2 ? tensor.v2.id : tensor.v1.id;
}

inline Status add_tensor(Network& network, std::vector<Tensor>& tensors, c_api::Tensor& source,
                         DynamicDimensions dynamic) {
  Tensor tensor;
  Status status = copy_tensor(source, Contents::required, tensor);
  if (status.ok()) status = check_supported(tensor, dynamic);
  if (!status.ok()) return status;
  tensor.id = network.next_tensor_id;
  if (tensor.name.empty()) tensor.name = "tensor_" + std::to_string(tensor.id);
  for (const Tensor& other : tensors)
    if (other.name == tensor.name)
      return failure(c_api::TensorError::already_exists,
                     "tensor '" + tensor.name + "' exists already");
  ++network.next_tensor_id;
  (source.version == c_api::TensorVersion::v2 ? source.v2.id : source.v1.id) = tensor.id;
  tensors.push_back(std::move(tensor));
  return success();
}

}  // namespace detail

/// QnnTensor_createGraphTensor: copies the tensor into the graph, and writes a new id into
/// `tensor`. A NULL name becomes "tensor_<id>". Returns 7003 if the name exists in the graph, and
/// the codes of copy_tensor(). Returns 7005 for dynamic dimensions, if they are unsupported. A
/// failure changes nothing.
inline Status add_graph_tensor(Network& network, Graph& graph, c_api::Tensor& tensor,
                               DynamicDimensions dynamic = DynamicDimensions::unsupported) {
  return detail::add_tensor(network, graph.tensors, tensor, dynamic);
}

/// QnnTensor_createContextTensor: like add_graph_tensor(), for all graphs of the context. Supports
/// only static tensors (7005).
inline Status add_context_tensor(Network& network, c_api::Tensor& tensor) {
  const c_api::TensorType type =
      tensor.version == c_api::TensorVersion::v2 ? tensor.v2.type : tensor.v1.type;
  if (type != c_api::TensorType::static_)
    return failure(c_api::TensorError::unsupported_tensor_param,
                   "only static tensors are supported as tensors of a context");
  return detail::add_tensor(network, network.context_tensors, tensor,
                            DynamicDimensions::unsupported);
}

namespace detail {

inline Status invalid_config(std::string what) {
  return failure(c_api::GraphError::invalid_op_config, std::move(what));
}

/// Limit on tensors and on parameters of a node; every supported op needs fewer.
inline constexpr std::uint32_t max_op_items = 16;

/// Copies the names and checks the counts of a config. `node` gets no tensors and no parameters.
inline Status copy_head(const c_api::OpConfig& config, Node& node) {
  if (config.version != c_api::OpConfigVersion::v1)
    return invalid_config("unknown version of the op config");
  const c_api::OpConfigV1& op = config.v1;
  if (op.name == nullptr || op.package_name == nullptr || op.type_name == nullptr)
    return invalid_config("a name of the op config is NULL");
  node.name = op.name;
  node.package_name = op.package_name;
  node.type_name = op.type_name;
  if (OpKind kind; node.package_name == op_package_name && !find_op_kind(node.type_name, kind))
    return missing_op(node);
  if (op.num_of_params > max_op_items || op.num_of_inputs > max_op_items ||
      op.num_of_outputs > max_op_items)
    return invalid_op(node, "more tensors or parameters than any op has");
  if ((op.num_of_params != 0 && op.params == nullptr) ||
      (op.num_of_inputs != 0 && op.input_tensors == nullptr) ||
      (op.num_of_outputs != 0 && op.output_tensors == nullptr))
    return invalid_op(node, "an array of the op config is NULL");
  return success();
}

/// Copies a parameter's name and scalar value. The caller copies a tensor.
inline Status copy_param_head(const Node& node, const c_api::Param& source, Param& out) {
  if (source.name == nullptr) return invalid_op(node, "the name of a parameter is NULL");
  out.name = source.name;
  out.type = source.param_type;
  if (source.param_type == c_api::ParamType::tensor) return success();
  if (source.param_type != c_api::ParamType::scalar)
    return invalid_op(node, "parameter '" + out.name + "' is neither scalar nor tensor");
  const std::uint64_t bytes = element_bits(source.scalar_param.data_type) / 8;
  if (bytes == 0) return invalid_op(node, "parameter '" + out.name + "' has the wrong data type");
  out.scalar.data_type = source.scalar_param.data_type;
  out.scalar.uint64_value = 0;
  std::memcpy(&out.scalar.uint64_value, &source.scalar_param.uint64_value, bytes);
  return success();
}

inline Status invalid_node_tensor(const Node& node, std::string what) {
  return failure(c_api::GraphError::invalid_tensor, "node '" + node.name + "': " + std::move(what));
}

/// Returns the graph's index of the tensor with this id, or no_index. Copies a context tensor into
/// the graph first.
inline std::uint32_t import_tensor(const Network& network, Graph& graph, std::uint32_t id) {
  const std::uint32_t index = find_tensor(graph, id);
  if (index != no_index) return index;
  for (const Tensor& tensor : network.context_tensors) {
    if (tensor.id != id || find_tensor(graph, tensor.name) != no_index) continue;
    graph.tensors.push_back(tensor);
    return static_cast<std::uint32_t>(graph.tensors.size() - 1);
  }
  return no_index;
}

/// Checks that a node repeats its tensors' memory types from their creation, or leaves them
/// undefined (QMEM-05).
inline Status check_memory(const Node& node, const Tensor& created, const c_api::Tensor& source) {
  // Versions 1 and 2 begin with the same members.
  const c_api::TensorV1& tensor = source.v1;
  if (tensor.mem_type == c_api::TensorMemType::undefined) return success();
  if (tensor.mem_type != created.mem_type)
    return misused(c_api::GraphError::invalid_tensor, "QMEM-05",
                   "node '" + node.name + "': tensor '" + created.name +
                       "' has another memory type than it was created with");
  if (created.mem_type == c_api::TensorMemType::memhandle && tensor.mem_handle != nullptr)
    return misused(c_api::GraphError::invalid_tensor, "QMEM-05",
                   "node '" + node.name + "': the memory handle of '" + created.name +
                       "' must be NULL in preparation");
  return success();
}

inline Status add_params(const Network& network, Graph& graph, const c_api::OpConfigV1& op,
                         Node& node) {
  for (const c_api::Param& source : std::span(op.params, op.num_of_params)) {
    Param param;
    Status status = copy_param_head(node, source, param);
    if (!status.ok()) return status;
    if (param.type == c_api::ParamType::tensor) {
      const std::uint32_t index = import_tensor(network, graph, tensor_id(source.tensor_param));
      if (index == no_index)
        return invalid_node_tensor(
            node, "the tensor of parameter '" + param.name + "' was not created in this graph");
      if (graph.tensors[index].type != c_api::TensorType::static_)
        return invalid_node_tensor(node,
                                   "the tensor of parameter '" + param.name + "' must be static");
      param.tensor = graph.tensors[index];
    }
    node.params.push_back(std::move(param));
  }
  return success();
}

inline Status add_inputs(const Network& network, Graph& graph, const c_api::OpConfigV1& op,
                         Node& node) {
  const std::vector<bool> produced = produced_tensors(graph);
  for (const c_api::Tensor& source : std::span(op.input_tensors, op.num_of_inputs)) {
    const std::uint32_t index = import_tensor(network, graph, tensor_id(source));
    if (index == no_index)
      return invalid_node_tensor(node, "an input with id " + std::to_string(tensor_id(source)) +
                                           " was not created in this graph");
    const Tensor& tensor = graph.tensors[index];
    if (Status status = check_memory(node, tensor, source); !status.ok()) return status;
    const bool needs_producer =
        tensor.type == c_api::TensorType::native || tensor.type == c_api::TensorType::app_read;
    if (needs_producer && (index >= produced.size() || !produced[index]))
      return failure(c_api::GraphError::unconnected_node,
                     "node '" + node.name + "': no earlier node " + "produces its input '" +
                         tensor.name + "'");
    node.inputs.push_back(index);
  }
  return success();
}

inline Status add_outputs(Graph& graph, const c_api::OpConfigV1& op, Node& node) {
  const auto contains = [](const std::vector<std::uint32_t>& indices, std::uint32_t index) {
    return std::find(indices.begin(), indices.end(), index) != indices.end();
  };
  for (const c_api::Tensor& source : std::span(op.output_tensors, op.num_of_outputs)) {
    const std::uint32_t index = find_tensor(graph, tensor_id(source));
    if (index == no_index)
      return invalid_node_tensor(node, "an output with id " + std::to_string(tensor_id(source)) +
                                           " was not created in this graph");
    const Tensor& tensor = graph.tensors[index];
    if (!is_producible(tensor.type))
      return invalid_node_tensor(node, "'" + tensor.name + "' cannot be an output of a node");
    if (Status status = check_memory(node, tensor, source); !status.ok()) return status;
    bool taken = contains(node.outputs, index) || contains(node.inputs, index);
    for (const Node& other : graph.nodes)
      taken = taken || contains(other.outputs, index) || contains(other.inputs, index);
    if (taken)
      return invalid_node_tensor(node, "'" + tensor.name + "' has been produced or read before");
    node.outputs.push_back(index);
  }
  return success();
}

inline Status build_node(const Network& network, Graph& graph, const c_api::OpConfig& config,
                         Node& node) {
  Status status = copy_head(config, node);
  if (status.ok()) status = add_params(network, graph, config.v1, node);
  if (status.ok()) status = add_inputs(network, graph, config.v1, node);
  if (status.ok()) status = add_outputs(graph, config.v1, node);
  Op op;
  if (status.ok()) status = resolve(graph, node, op);
  return status;
}

}  // namespace detail

/// QnnGraph_addNode. Finds tensors by id only, as the C API requires, also for parameters. 6005:
/// version, names, package, type, parameters or shapes differ from the op's definition. 6004: a
/// tensor that was not created in this graph or context; a wrong role (a static or app_write tensor
/// as output, a parameter that is not static); an output that was produced or read before; memory
/// that contradicts the tensor's creation (QMEM-05). 6007: a native input that no earlier node
/// produces. A failure changes nothing.
inline Status add_node(const Network& network, Graph& graph, const c_api::OpConfig& config) {
  const std::size_t tensors = graph.tensors.size();
  Node node;
  Status status = detail::build_node(network, graph, config, node);
  if (status.ok())
    graph.nodes.push_back(std::move(node));
  else
    graph.tensors.resize(tensors);
  return status;
}

/// QnnBackend_validateOpConfig. Reads the tensors from the config itself; ids do not matter, and
/// static inputs may lack contents. 4005: unknown package or op. 3110: any other error of the op
/// that add_node() refuses.
inline Status validate_op_config(const c_api::OpConfig& config,
                                 DynamicDimensions dynamic = DynamicDimensions::unsupported) {
  Graph graph;
  Node node;
  Status status = detail::copy_head(config, node);
  if (status.ok() && node.package_name != op_package_name)
    return failure(c_api::BackendError::op_package_not_found,
                   "there is no op package '" + node.package_name + "'");
  if (!status.lacks.empty()) {
    status.code = static_cast<std::uint32_t>(c_api::BackendError::op_package_not_found);
    return status;
  }
  const auto add = [&](const c_api::Tensor& source, std::vector<std::uint32_t>& indices) {
    Tensor tensor;
    Status copied = detail::copy_tensor(source, detail::Contents::optional, tensor);
    if (copied.ok()) copied = detail::check_supported(tensor, dynamic);
    indices.push_back(static_cast<std::uint32_t>(graph.tensors.size()));
    graph.tensors.push_back(std::move(tensor));
    return copied;
  };
  const c_api::OpConfigV1& op = config.v1;
  for (std::uint32_t i = 0; status.ok() && i < op.num_of_params; ++i) {
    Param param;
    status = detail::copy_param_head(node, op.params[i], param);
    if (status.ok() && param.type == c_api::ParamType::tensor)
      status = copy_tensor(op.params[i].tensor_param, param.tensor);
    node.params.push_back(std::move(param));
  }
  for (std::uint32_t i = 0; status.ok() && i < op.num_of_inputs; ++i)
    status = add(op.input_tensors[i], node.inputs);
  for (std::uint32_t i = 0; status.ok() && i < op.num_of_outputs; ++i)
    status = add(op.output_tensors[i], node.outputs);
  Op resolved;
  if (status.ok()) status = resolve(graph, node, resolved);
  if (!status.ok())
    status.code = static_cast<std::uint32_t>(c_api::OpPackageError::validation_failure);
  return status;
}

}  // namespace qnnpp::sim
