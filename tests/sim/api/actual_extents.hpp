// Dynamic dimensions in graphExecute: takes the extents of the inputs from the client's tensors,
// and writes the extents of the outputs to them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "qnnpp/abi/tensor.hpp"

#include "sim/objects/client_structs.hpp"
#include "sim/objects/context.hpp"
#include "sim/plan/actual.hpp"

namespace qnnpp::sim::detail {

/// Checks the extents of a tensor with dynamic dimensions, and sets those of an input.
inline Status take_extents(const c_api::Tensor& given, const Tensor& maximum, bool is_output,
                           ActualGraph& actual, BoundTensor& bound) {
  const c_api::TensorV2& tensor = given.v2;
  if (given.version != c_api::TensorVersion::v2 || tensor.is_dynamic_dimensions == nullptr ||
      tensor.dimensions == nullptr || tensor.rank != maximum.dimensions.size())
    return wrong_extents(maximum,
                         "it has dynamic dimensions; give a tensor of version 2 with "
                         "flags and extents");
  if (!is_readable_array(tensor.dimensions, tensor.rank) ||
      !is_readable_array(tensor.is_dynamic_dimensions, tensor.rank))
    return dead_pointer(c_api::GraphError::invalid_tensor, "the dimensions of a tensor");
  for (std::size_t i = 0; i < tensor.rank; ++i) {
    if ((tensor.is_dynamic_dimensions[i] != 0) != (maximum.dynamic[i] != 0))
      return wrong_extents(maximum, "its flags are not those of the preparation");
    if (maximum.dynamic[i] == 0 && tensor.dimensions[i] != maximum.dimensions[i])
      return failure(c_api::GraphError::invalid_tensor,
                     text("tensor id %u has extent %u in dimension %zu, %u is given", tensor.id,
                          maximum.dimensions[i], i, tensor.dimensions[i]));
  }
  if (!is_output) return set_extents(actual, maximum, {tensor.dimensions, tensor.rank});
  bound.extents = tensor.dimensions;
  return success();
}

/// Resolves a graph with dynamic dimensions for the extents of the bound inputs.
inline Status resolve_actual(const GraphState& state, const Graph& maxima, Scratch& scratch) {
  ActualGraph* const actual = scratch.actual.get();
  if (actual == nullptr) return success();
  Status status = resolve_extents(*actual, maxima);
  if (!status.ok()) return status;
  const auto set_sizes = [&](const IoTensors& io, std::vector<BoundTensor>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      tensors[i].size_bytes = tensor_bytes(actual->graph.tensors[io.tensors[i].index]);
  };
  set_sizes(state.inputs, scratch.inputs);
  set_sizes(state.outputs, scratch.outputs);
  return success();
}

/// Writes the actual extents of the outputs with dynamic dimensions to the client's arrays.
inline void write_extents(const GraphState& state, const Scratch& scratch) {
  if (scratch.actual == nullptr) return;
  for (std::size_t i = 0; i < scratch.outputs.size(); ++i) {
    if (scratch.outputs[i].extents == nullptr) continue;
    const std::uint32_t index = state.outputs.tensors[i].index;
    const std::vector<std::uint32_t>& actual = scratch.actual->graph.tensors[index].dimensions;
    std::copy(actual.begin(), actual.end(), scratch.outputs[i].extents);
  }
}

}  // namespace qnnpp::sim::detail
