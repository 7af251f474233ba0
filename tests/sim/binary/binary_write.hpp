// Writes context binaries.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/binary/binary_format.hpp"
#include "sim/binary/bytes.hpp"
#include "sim/binary/checksum.hpp"
#include "sim/objects/weights.hpp"
#include "sim/ops/network.hpp"
#include "sim/plan/placement.hpp"

namespace qnnpp::sim {

namespace detail {

template <typename Items>
inline std::uint32_t count_of(const Items& items) noexcept {
  return static_cast<std::uint32_t>(items.size());
}

inline void write_indices(ByteWriter& writer, const std::vector<std::uint32_t>& indices) {
  writer.put(count_of(indices));
  for (const std::uint32_t index : indices) writer.put(index);
}

inline void write_tensor(ByteWriter& writer, const Tensor& tensor) {
  writer.put(tensor.id);
  writer.put_text(tensor.name);
  writer.put(tensor.version);
  writer.put(tensor.type);
  writer.put(tensor.data_format);
  writer.put(tensor.data_type);
  writer.put(tensor.mem_type);
  write_indices(writer, tensor.dimensions);
  std::uint32_t dynamic = 0;
  for (std::size_t i = 0; i < tensor.dynamic.size(); ++i)
    dynamic |= std::uint32_t{tensor.dynamic[i]} << i;
  writer.put(dynamic);
  const Quantization& quantization = tensor.quantization;
  writer.put(quantization.definition);
  writer.put(quantization.encoding);
  writer.put(quantization.bitwidth);
  writer.put(static_cast<std::uint32_t>(quantization.axis));
  writer.put(count_of(quantization.pairs));
  for (const c_api::ScaleOffset& pair : quantization.pairs) {
    writer.put(std::bit_cast<std::uint32_t>(pair.scale));
    writer.put(static_cast<std::uint32_t>(pair.offset));
  }
  write_indices(writer, quantization.blocks);
  writer.put(count_of(quantization.block_scales8));
  writer.put_bytes(std::as_bytes(std::span(quantization.block_scales8)));
  writer.put(count_of(quantization.block_scales16));
  for (const std::uint16_t scale : quantization.block_scales16)
    writer.put(static_cast<std::uint32_t>(scale));
}

inline void write_node(ByteWriter& writer, const Node& node) {
  writer.put_text(node.name);
  writer.put_text(node.package_name);
  writer.put_text(node.type_name);
  writer.put(count_of(node.params));
  for (const Param& param : node.params) {
    writer.put_text(param.name);
    writer.put(param.type);
    if (param.type == c_api::ParamType::scalar) {
      writer.put(param.scalar.data_type);
      writer.put(param.scalar.uint64_value);
    } else {
      write_tensor(writer, param.tensor);
      writer.put(count_of(param.tensor.data));
      writer.put_bytes(param.tensor.data);
    }
  }
  write_indices(writer, node.inputs);
  write_indices(writer, node.outputs);
}

inline void write_graph(ByteWriter& writer, const Graph& graph, const GraphPlan& plan) {
  writer.put_text(graph.name);
  writer.put(graph.hints.priority);
  writer.put(graph.hints.vtcm_bytes);
  writer.put(graph.hints.optimization_level);
  writer.put(graph.hints.hvx_threads);
  writer.put(static_cast<std::uint32_t>(graph.hints.dlbc));
  writer.put(plan.vtcm_limit_bytes);
  writer.put(plan.vtcm_bytes);
  writer.put(plan.spill_fill_bytes);
  writer.put(plan.io_copies_bytes);
  writer.put(count_of(graph.tensors));
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    const Placement& placement = plan.placements[t];
    write_tensor(writer, graph.tensors[t]);
    writer.put(static_cast<std::uint32_t>(placement.space));
    writer.put(placement.alias_of);
    writer.put(placement.offset);
  }
  writer.put(count_of(graph.nodes));
  for (const Node& node : graph.nodes) write_node(writer, node);
  for (const std::uint32_t index : plan.order) writer.put(index);
}

inline void write_version(ByteWriter& writer, const c_api::Version& version) {
  writer.put(version.major);
  writer.put(version.minor);
  writer.put(version.patch);
}

}  // namespace detail

/// Serializes the planned network. Requires a complete plan (after layout_weights()) and the data
/// of all static tensors.
inline std::vector<std::byte> serialize(const Network& network, const NetworkPlan& plan,
                                        const BinaryTarget& target) {
  ByteWriter description;
  description.put_text(target.build_id);
  for (std::size_t g = 0; g < network.graphs.size(); ++g)
    detail::write_graph(description, network.graphs[g], plan.graphs[g]);

  const std::uint64_t weights_offset =
      round_to_placement(std::uint64_t{binary_header_bytes} + description.size());
  std::vector<std::byte> weights(static_cast<std::size_t>(plan.weights_bytes));
  write_weights(network, plan, weights);

  ByteWriter writer;
  writer.put_bytes(std::as_bytes(std::span(binary_magic)));
  writer.put(binary_format_version);
  writer.put(binary_header_bytes);
  writer.put(weights_offset + plan.weights_bytes);
  writer.put(std::uint64_t{description.size()});
  writer.put(weights_offset);
  writer.put(plan.weights_bytes);
  writer.put(crc32(description.bytes()));
  writer.put(crc32(weights));
  detail::write_version(writer, target.core_api_version);
  detail::write_version(writer, target.backend_api_version);
  writer.put(target.soc_model);
  writer.put(target.dsp_arch);
  writer.put(target.vtcm_bytes);
  writer.put(target.start_alignment_bytes);
  writer.put(spill_fill_bytes(plan));
  writer.put(detail::count_of(network.graphs));
  writer.put(plan.shared_weights_bytes);
  writer.put(crc32(writer.bytes()));
  writer.put_bytes(description.bytes());
  writer.pad_to(placement_alignment);
  writer.put_bytes(weights);
  return writer.take();
}

}  // namespace qnnpp::sim
