// Converts the description to the C API's structs, for metadata and for clients that read a
// retrieved graph's tensors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qnnpp/abi/tensor.hpp"

#include "sim/ops/network.hpp"

namespace qnnpp::sim {

namespace detail {

inline c_api::QuantizeParams abi_view(const Quantization& quantization) noexcept {
  c_api::QuantizeParams view{};
  view.encoding_definition = quantization.definition;
  view.quantization_encoding = quantization.encoding;
  const std::vector<c_api::ScaleOffset>& pairs = quantization.scale_offsets;
  switch (quantization.encoding) {
    case c_api::QuantizationEncoding::scale_offset:
      if (!pairs.empty()) view.scale_offset_encoding = pairs[0];
      break;
    case c_api::QuantizationEncoding::bw_scale_offset:
      if (!pairs.empty())
        view.bw_scale_offset_encoding = {quantization.bitwidth, pairs[0].scale, pairs[0].offset};
      break;
    case c_api::QuantizationEncoding::axis_scale_offset:
      view.axis_scale_offset_encoding = {quantization.axis,
                                         static_cast<std::uint32_t>(pairs.size()),
                                         const_cast<c_api::ScaleOffset*>(pairs.data())};
      break;
    default: break;
  }
  return view;
}

template <typename View>
inline void fill_abi_view(const Tensor& tensor, View& view) noexcept {
  view.id = tensor.id;
  view.name = tensor.name.c_str();
  view.type = tensor.type;
  view.data_format = tensor.data_format;
  view.data_type = tensor.data_type;
  view.quantize_params = abi_view(tensor.quantization);
  view.rank = static_cast<std::uint32_t>(tensor.dimensions.size());
  view.dimensions = const_cast<std::uint32_t*>(tensor.dimensions.data());
  view.mem_type = tensor.mem_type;
  if (tensor.mem_type == c_api::TensorMemType::memhandle)
    view.mem_handle = nullptr;
  else
    view.client_buf = {nullptr, 0};
}

}  // namespace detail

/// Returns a read-only Qnn_Tensor_t with the version and memory type of the tensor's creation. Its
/// name, dimensions and quantisation point into `tensor`, so a change or destruction of `tensor`
/// invalidates it. clientBuf is {NULL, 0}, memHandle is NULL.
inline c_api::Tensor abi_view(const Tensor& tensor) noexcept {
  c_api::Tensor view{};
  view.version = tensor.version;
  if (tensor.version == c_api::TensorVersion::v2) {
    view.v2 = c_api::TensorV2{};
    view.v2.sparse_params.type = c_api::SparseLayoutType::undefined;
    detail::fill_abi_view(tensor, view.v2);
  } else {
    detail::fill_abi_view(tensor, view.v1);
  }
  return view;
}

/// Returns views of the tensors at these indices, in this order.
inline std::vector<c_api::Tensor> abi_views(const Graph& graph,
                                            std::span<const std::uint32_t> indices) {
  std::vector<c_api::Tensor> views;
  views.reserve(indices.size());
  for (const std::uint32_t index : indices) views.push_back(abi_view(graph.tensors[index]));
  return views;
}

}  // namespace qnnpp::sim
