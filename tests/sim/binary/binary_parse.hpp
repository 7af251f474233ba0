// Reads context binaries. Trusts no input: checks every length, count, index and offset before use.
// The size of the input limits every allocation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/error.hpp"

#include "sim/binary/binary_format.hpp"
#include "sim/binary/bytes.hpp"
#include "sim/binary/checksum.hpp"
#include "sim/engine/describe.hpp"
#include "sim/ops/compose.hpp"
#include "sim/ops/network.hpp"
#include "sim/ops/op_resolve.hpp"
#include "sim/plan/plan_verify.hpp"
#include "sim/plan/planner.hpp"
#include "sim/tables/status.hpp"

namespace qnnpp::sim {

namespace detail {

/// Failure for bytes that start like a context binary but are not a valid one.
inline Status damaged(std::string what) {
  return failure(c_api::SystemContextError::malformed_binary, "context binary: " + std::move(what));
}

/// Failure for bytes that do not start like a context binary.
inline Status foreign(std::span<const std::byte> binary) {
  const std::span<const std::byte> sdk = std::as_bytes(std::span(sdk_binary_magic));
  const bool is_sdk =
      binary.size() >= sdk.size() && std::equal(sdk.begin(), sdk.end(), binary.begin());
  return failure(
      c_api::SystemContextError::invalid_argument,
      is_sdk
          ? "context binary: made by the QNN SDK; QNNPP_SIM_ENGINE names the library that runs it"
          : "context binary: it was not made by the simulated HTP");
}

/// Fields of the header, in order.
struct BinaryHeader {
  std::uint64_t total_bytes = 0;
  std::uint64_t description_bytes = 0;
  std::uint64_t weights_offset = 0;
  std::uint64_t weights_bytes = 0;
  std::uint32_t description_crc = 0;
  std::uint32_t weights_crc = 0;
  BinaryTarget target;
  std::uint64_t spill_fill_bytes = 0;
  std::uint32_t graphs = 0;
  std::uint64_t shared_weights_bytes = 0;
};

inline c_api::Version read_version(ByteReader& reader) noexcept {
  c_api::Version version{};
  version.major = reader.get<std::uint32_t>();
  version.minor = reader.get<std::uint32_t>();
  version.patch = reader.get<std::uint32_t>();
  return version;
}

/// Checks magic, version and checksum first, then the sizes against each other and against the
/// input.
inline Status read_header(std::span<const std::byte> binary, BinaryHeader& header) {
  ByteReader reader(binary);
  const std::span<const std::byte> expected = std::as_bytes(std::span(binary_magic));
  const std::span<const std::byte> start = binary.first(std::min(binary.size(), expected.size()));
  if (!std::equal(start.begin(), start.end(), expected.begin())) return foreign(binary);
  (void)reader.get_bytes(expected.size());
  const std::uint32_t format_version = reader.get<std::uint32_t>();
  if (!reader.ok()) return damaged("it is truncated");
  if (format_version != binary_format_version)
    return failure(c_api::ContextError::binary_version,
                   "context binary: format version " + std::to_string(format_version) +
                       ", this backend reads " + std::to_string(binary_format_version));
  if (binary.size() < binary_header_bytes) return damaged("it is truncated");
  const std::uint32_t header_bytes = reader.get<std::uint32_t>();
  header.total_bytes = reader.get<std::uint64_t>();
  header.description_bytes = reader.get<std::uint64_t>();
  header.weights_offset = reader.get<std::uint64_t>();
  header.weights_bytes = reader.get<std::uint64_t>();
  header.description_crc = reader.get<std::uint32_t>();
  header.weights_crc = reader.get<std::uint32_t>();
  header.target.core_api_version = read_version(reader);
  header.target.backend_api_version = read_version(reader);
  header.target.soc_model = reader.get<std::uint32_t>();
  header.target.dsp_arch = reader.get<std::uint32_t>();
  header.target.vtcm_bytes = reader.get<std::uint64_t>();
  header.target.start_alignment_bytes = reader.get<std::uint64_t>();
  header.spill_fill_bytes = reader.get<std::uint64_t>();
  header.graphs = reader.get<std::uint32_t>();
  header.shared_weights_bytes = reader.get<std::uint64_t>();
  const std::uint32_t checksum = reader.get<std::uint32_t>();
  if (checksum != crc32(binary.first(binary_header_bytes - sizeof checksum)))
    return damaged("the header's checksum is wrong");

  const std::uint64_t alignment = header.target.start_alignment_bytes;
  if (header_bytes != binary_header_bytes || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return damaged("the header is inconsistent");
  if (header.total_bytes != binary.size())
    return damaged("it has " + std::to_string(binary.size()) + " bytes, its header says " +
                   std::to_string(header.total_bytes));
  if (header.description_bytes > binary.size() - binary_header_bytes ||
      header.weights_offset != round_to_placement(binary_header_bytes + header.description_bytes) ||
      header.weights_offset > binary.size() ||
      header.weights_bytes != binary.size() - header.weights_offset)
    return damaged("the sections do not fill it");
  if (header.shared_weights_bytes != 0 && header.shared_weights_bytes != header.weights_bytes)
    return damaged("the shared weights are neither all weights nor none");
  return success();
}

inline std::vector<std::uint32_t> read_indices(ByteReader& reader) {
  std::vector<std::uint32_t> indices(reader.get_count(sizeof(std::uint32_t)));
  for (std::uint32_t& index : indices) index = reader.get<std::uint32_t>();
  return indices;
}

inline Status read_tensor(ByteReader& reader, Tensor& tensor) {
  tensor.id = reader.get<std::uint32_t>();
  tensor.name = reader.get_text();
  tensor.version = reader.get<c_api::TensorVersion>();
  tensor.type = reader.get<c_api::TensorType>();
  tensor.data_format = reader.get<c_api::TensorDataFormat>();
  tensor.data_type = reader.get<c_api::DataType>();
  tensor.mem_type = reader.get<c_api::TensorMemType>();
  tensor.dimensions = read_indices(reader);
  const std::uint32_t dynamic = reader.get<std::uint32_t>();
  tensor.quantization.definition = reader.get<c_api::Definition>();
  tensor.quantization.encoding = reader.get<c_api::QuantizationEncoding>();
  tensor.quantization.bitwidth = reader.get<std::uint32_t>();
  tensor.quantization.axis = static_cast<std::int32_t>(reader.get<std::uint32_t>());
  tensor.quantization.pairs.resize(reader.get_count(8));
  for (c_api::ScaleOffset& pair : tensor.quantization.pairs) {
    pair.scale = std::bit_cast<float>(reader.get<std::uint32_t>());
    pair.offset = static_cast<std::int32_t>(reader.get<std::uint32_t>());
  }
  tensor.quantization.blocks = read_indices(reader);
  tensor.quantization.block_scales8.resize(reader.get_count(1));
  for (std::uint8_t& scale : tensor.quantization.block_scales8) scale = reader.get<std::uint8_t>();
  tensor.quantization.block_scales16.resize(reader.get_count(4));
  for (std::uint16_t& scale : tensor.quantization.block_scales16)
    scale = static_cast<std::uint16_t>(reader.get<std::uint32_t>());
  if (!reader.ok()) return damaged("a tensor does not end inside it");
  if (tensor.id == 0 || tensor.name.empty())
    return damaged("a tensor's description is inconsistent");
  Status status = check_tensor(tensor);
  if (!status.ok()) return damaged(status.reason);
  if (dynamic >> tensor.dimensions.size() != 0)
    return damaged("a dynamic dimension that its tensor does not have");
  for (std::size_t i = 0; dynamic != 0 && i < tensor.dimensions.size(); ++i)
    tensor.dynamic.push_back(static_cast<std::uint8_t>(dynamic >> i & 1));
  status = check_dynamic(tensor);
  if (!status.ok()) return damaged(status.reason);
  const std::string fault = fault_of(tensor.quantization, tensor.data_type, tensor.dimensions);
  return fault.empty() ? success() : damaged("tensor '" + tensor.name + "': " + fault);
}

/// Minimum sizes of the repeated records. They limit every count.
inline constexpr std::size_t param_record_bytes = 20;
inline constexpr std::size_t node_record_bytes = 24;
inline constexpr std::size_t tensor_record_bytes = 88;
inline constexpr std::size_t graph_record_bytes = 68;

inline Status read_param(ByteReader& reader, Param& param) {
  param.name = reader.get_text();
  param.type = reader.get<c_api::ParamType>();
  if (param.type == c_api::ParamType::scalar) {
    param.scalar.data_type = reader.get<c_api::DataType>();
    param.scalar.uint64_value = reader.get<std::uint64_t>();
    return reader.ok() ? success() : damaged("a parameter does not end inside it");
  }
  if (param.type != c_api::ParamType::tensor) return damaged("a parameter of no known type");
  Status status = read_tensor(reader, param.tensor);
  if (!status.ok()) return status;
  const std::span<const std::byte> data = reader.get_bytes(reader.get<std::uint32_t>());
  if (!reader.ok() || data.size() != tensor_bytes(param.tensor))
    return damaged("a parameter's contents do not fit its shape");
  param.tensor.data.assign(data.begin(), data.end());
  return success();
}

inline Status read_node(ByteReader& reader, std::size_t tensors, Node& node) {
  node.name = reader.get_text();
  node.package_name = reader.get_text();
  node.type_name = reader.get_text();
  node.params.resize(reader.get_count(param_record_bytes));
  if (node.params.size() > max_op_items) return damaged("a node has too many parameters");
  for (Param& param : node.params) {
    Status status = read_param(reader, param);
    if (!status.ok()) return status;
  }
  node.inputs = read_indices(reader);
  node.outputs = read_indices(reader);
  if (!reader.ok()) return damaged("a node does not end inside it");
  for (const std::vector<std::uint32_t>* indices : {&node.inputs, &node.outputs})
    for (const std::uint32_t index : *indices)
      if (index >= tensors) return damaged("a node names a tensor that does not exist");
  return success();
}

inline bool is_known(c_api::Priority priority) noexcept {
  return priority == c_api::Priority::low || priority == c_api::Priority::normal ||
         priority == c_api::Priority::normal_high || priority == c_api::Priority::high;
}

/// True if no two items have the same key.
template <typename Items, typename Key>
inline bool are_unique(const Items& items, Key key) {
  std::vector<decltype(key(items.front()))> keys;
  keys.reserve(items.size());
  for (const auto& item : items) keys.push_back(key(item));
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
}

inline Status read_graph(ByteReader& reader, const BinaryHeader& header, Graph& graph,
                         GraphPlan& plan) {
  graph.name = reader.get_text();
  graph.hints.priority = reader.get<c_api::Priority>();
  graph.hints.vtcm_bytes = reader.get<std::uint64_t>();
  graph.hints.optimization_level = reader.get<std::uint32_t>();
  graph.hints.hvx_threads = reader.get<std::uint32_t>();
  const std::uint32_t dlbc = reader.get<std::uint32_t>();
  graph.hints.dlbc = dlbc != 0;
  plan.vtcm_limit_bytes = reader.get<std::uint64_t>();
  plan.vtcm_bytes = reader.get<std::uint64_t>();
  plan.spill_fill_bytes = reader.get<std::uint64_t>();
  plan.io_copies_bytes = reader.get<std::uint64_t>();
  if (!reader.ok() || graph.name.empty() || !is_known(graph.hints.priority) || dlbc > 1 ||
      plan.vtcm_limit_bytes > header.target.vtcm_bytes)
    return damaged("a graph's description is inconsistent");

  graph.tensors.resize(reader.get_count(tensor_record_bytes));
  plan.placements.resize(graph.tensors.size());
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    Status status = read_tensor(reader, graph.tensors[t]);
    if (!status.ok()) return status;
    const std::uint32_t space = reader.get<std::uint32_t>();
    if (space > static_cast<std::uint32_t>(Space::io)) return damaged("an unknown memory");
    plan.placements[t].space = static_cast<Space>(space);
    plan.placements[t].alias_of = reader.get<std::uint32_t>();
    plan.placements[t].offset = reader.get<std::uint64_t>();
    plan.placements[t].size_bytes = tensor_bytes(graph.tensors[t]);
  }
  if (!are_unique(graph.tensors, [](const Tensor& tensor) { return tensor.id; }) ||
      !are_unique(graph.tensors, [](const Tensor& t) { return std::string_view(t.name); }))
    return damaged("two tensors of a graph have the same id or name");

  graph.nodes.resize(reader.get_count(node_record_bytes));
  plan.ops.resize(graph.nodes.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    Status status = read_node(reader, graph.tensors.size(), graph.nodes[n]);
    if (status.ok()) status = resolve(graph, graph.nodes[n], plan.ops[n]);
    if (!status.ok()) return damaged(std::move(status.reason));
  }
  plan.order.resize(graph.nodes.size());
  for (std::uint32_t& index : plan.order) index = reader.get<std::uint32_t>();
  if (!reader.ok()) return damaged("a graph does not end inside it");
  const Status status = verify(graph, plan, header.weights_bytes);
  if (!status.ok()) return damaged(status.reason);
  summarise(graph, plan);
  return success();
}

inline Status read_description(std::span<const std::byte> bytes, const BinaryHeader& header,
                               BinaryContents& out) {
  ByteReader reader(bytes);
  out.target = header.target;
  out.target.build_id = reader.get_text();
  if (header.graphs == 0 || header.graphs > reader.left() / graph_record_bytes)
    return damaged("the number of graphs is wrong");
  out.network.graphs.resize(header.graphs);
  out.plan.graphs.resize(header.graphs);
  out.plan.weights_bytes = header.weights_bytes;
  out.plan.shared_weights_bytes = header.shared_weights_bytes;
  for (std::size_t g = 0; g < header.graphs; ++g) {
    Status status = read_graph(reader, header, out.network.graphs[g], out.plan.graphs[g]);
    if (!status.ok()) return status;
    for (const Tensor& tensor : out.network.graphs[g].tensors)
      out.network.next_tensor_id =
          std::max(out.network.next_tensor_id, std::min(tensor.id, no_index - 1) + 1);
  }
  if (!reader.ok() || reader.left() != 0) return damaged("the description has another size");
  if (!are_unique(out.network.graphs, [](const Graph& g) { return std::string_view(g.name); }))
    return damaged("two graphs have the same name");
  if (spill_fill_bytes(out.plan) != header.spill_fill_bytes)
    return damaged("the spill-fill size is not the largest of its graphs");
  return success();
}

/// Reads everything except the weights' checksum and the fit to a device.
inline Status read_binary(std::span<const std::byte> binary, BinaryHeader& header,
                          BinaryContents& out) {
  out = BinaryContents{};
  Status status = read_header(binary, header);
  if (!status.ok()) return status;
  const std::span<const std::byte> description =
      binary.subspan(binary_header_bytes, static_cast<std::size_t>(header.description_bytes));
  if (crc32(description) != header.description_crc)
    return damaged("the description's checksum is wrong");
  const std::size_t padding = binary_header_bytes + description.size();
  for (const std::byte value :
       binary.subspan(padding, static_cast<std::size_t>(header.weights_offset) - padding))
    if (value != std::byte{0}) return damaged("the padding is not zero");
  out.weights_offset = header.weights_offset;
  out.total_bytes = header.total_bytes;
  return read_description(description, header, out);
}

}  // namespace detail

/// Whether to read and check a binary's weights, too.
enum class WithWeights : bool { no, yes };

/// Parses a binary, and checks checksums, bounds, shapes and plan. An engine describes the binaries
/// of the SDK, and answers with its own codes. `out` is unspecified on failure.
/// Returns 30001 if it is no binary of this backend; 30010 if it is truncated, damaged or
/// inconsistent; 5004 for another format version. Allocates at most a small multiple of the input's
/// size, without the weights.
inline Status take_apart(std::span<const std::byte> binary, WithWeights weights,
                         BinaryContents& out) {
  if (engine::reads(binary)) {
    Status status = engine::describe(binary, out);
    if (status.ok() && weights == WithWeights::yes) out.digest = crc32(binary);
    return status;
  }
  detail::BinaryHeader header;
  Status status = detail::read_binary(binary, header, out);
  if (!status.ok() || weights == WithWeights::no) return status;
  if (crc32(binary.subspan(static_cast<std::size_t>(header.weights_offset))) != header.weights_crc)
    return detail::damaged("the weights' checksum is wrong");
  return success();
}

/// Checks that a device can run the binary. Returns 5005 if it was prepared for a newer
/// architecture, and 5008 if it was planned for more VTCM than `device` has, or for dynamic
/// dimensions that `device` does not support.
inline Status check_fit(const BinaryContents& contents, const BinaryDevice& device) {
  if (contents.target.dsp_arch > device.dsp_arch)
    return failure(c_api::ContextError::create_from_binary,
                   "context binary: prepared for architecture v" +
                       std::to_string(contents.target.dsp_arch) + ", the device is v" +
                       std::to_string(device.dsp_arch));
  for (const GraphPlan& plan : contents.plan.graphs)
    if (plan.vtcm_limit_bytes > device.vtcm_bytes)
      return failure(c_api::ContextError::binary_configuration,
                     "context binary: prepared for " + std::to_string(plan.vtcm_limit_bytes) +
                         " bytes of VTCM, the device has " + std::to_string(device.vtcm_bytes));
  for (const Graph& graph : contents.network.graphs)
    if (is_dynamic(graph) && !device.dynamic_dimensions)
      return failure(c_api::ContextError::binary_configuration,
                     "context binary: graph '" + graph.name +
                         "' has dynamic dimensions, which the device does not support");
  return success();
}

/// Parses a binary with its weights, and checks that the device can run it.
inline Status parse(std::span<const std::byte> binary, const BinaryDevice& device,
                    BinaryContents& out) {
  Status status = take_apart(binary, WithWeights::yes, out);
  return status.ok() ? check_fit(out, device) : status;
}

/// Parses a binary without its weights, for metadata. Returns 30010 for every error.
inline Status inspect(std::span<const std::byte> binary, BinaryContents& out) {
  Status status = take_apart(binary, WithWeights::no, out);
  if (!status.ok())
    status.code = static_cast<std::uint32_t>(c_api::SystemContextError::malformed_binary);
  return status;
}

}  // namespace qnnpp::sim
