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

template <typename View>
inline void fill_abi_view(const Tensor& tensor, View& view) {
  view.id = tensor.id;
  view.name = tensor.name.c_str();
  view.type = tensor.type;
  view.data_format = tensor.data_format;
  view.data_type = tensor.data_type;
  view.quantize_params = view_of(tensor.quantization);
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
/// name, dimensions, flags and quantisation point into `tensor`, so a change or destruction of
/// `tensor` invalidates it. clientBuf is {NULL, 0}, memHandle is NULL.
inline c_api::Tensor abi_view(const Tensor& tensor) {
  c_api::Tensor view{};
  view.version = tensor.version;
  if (tensor.version == c_api::TensorVersion::v2) {
    view.v2 = c_api::TensorV2{};
    view.v2.sparse_params.type = c_api::SparseLayoutType::undefined;
    detail::fill_abi_view(tensor, view.v2);
    if (!tensor.dynamic.empty())
      view.v2.is_dynamic_dimensions = const_cast<std::uint8_t*>(tensor.dynamic.data());
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
