// Checks that a client's structs can be read, and everything that they point to and that the device
// reads (ORD-16).
#pragma once

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/tensor.hpp"

#include "sim/objects/client_memory.hpp"
#include "sim/tables/status.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Failure at a pointer that the host library dereferences without a check; it crashes there.
template <class Code>
[[nodiscard]] inline Status dead_pointer(Code code, const char* what) {
  return crashing(code, "ORD-16", text("%s cannot be read", what));
}

/// True for a text that can be read, and for NULL. Each call checks for a missing text itself.
[[nodiscard]] inline bool is_readable_text(const char* text) {
  return text == nullptr || read_client_text(text).has_value();
}

/// True for an array that can be read, and for NULL.
template <class Element>
[[nodiscard]] bool is_readable_array(const Element* first, std::uint64_t count) noexcept {
  return first == nullptr || is_readable(first, count * sizeof(Element));
}

/// Checks a NULL-terminated array of pointers to configs, and the configs.
template <class Config>
[[nodiscard]] bool are_readable_configs(const Config** configs) noexcept {
  if (configs == nullptr) return true;
  for (;; ++configs) {
    const auto entry = read_client(configs);
    if (!entry) return false;
    if (*entry == nullptr) return true;
    if (!is_readable(*entry, sizeof(Config))) return false;
  }
}

/// Checks what a tensor's quantisation points to; the tensor's dimensions are readable.
[[nodiscard]] inline bool is_readable_quantization(const c_api::QuantizeParams& params,
                                                   const c_api::TensorV1& tensor) {
  using enum c_api::QuantizationEncoding;
  if (params.encoding_definition != c_api::Definition::defined) return true;
  switch (params.quantization_encoding) {
    case axis_scale_offset: {
      const c_api::AxisScaleOffset& axis = params.axis_scale_offset_encoding;
      return is_readable_array(axis.scale_offset, axis.num_scale_offsets);
    }
    case bw_axis_scale_offset: {
      const c_api::BwAxisScaleOffset& axis = params.bw_axis_scale_offset_encoding;
      return is_readable_array(axis.scales, axis.num_elements) &&
             is_readable_array(axis.offsets, axis.num_elements);
    }
    case block: {
      const c_api::BlockEncoding& block = params.block_encoding;
      if (block.block_size == nullptr || tensor.dimensions == nullptr) return true;
      if (!is_readable_array(block.block_size, tensor.rank)) return false;
      std::uint64_t count = 1;
      for (std::uint32_t i = 0; i < tensor.rank; ++i)
        count *= block.block_size[i] == 0 ? 0 : tensor.dimensions[i] / block.block_size[i];
      return is_readable_array(block.scale_offset, count);
    }
    case blockwise_expansion: {
      const c_api::BlockwiseExpansion* const expansion = params.blockwise_expansion;
      if (expansion == nullptr) return true;
      if (!is_readable_array(expansion, 1)) return false;
      const auto axis = static_cast<std::uint32_t>(expansion->axis);
      const std::uint64_t indices =
          tensor.dimensions != nullptr && axis < tensor.rank ? tensor.dimensions[axis] : 0;
      const std::uint64_t blocks = indices * expansion->num_blocks_per_axis;
      using Width = c_api::BlockwiseExpansionBlockScaleStorageType;
      const std::uint64_t bytes = expansion->block_scale_storage_type == Width::v8 ? 1 : 2;
      return is_readable_array(expansion->scale_offsets, indices) &&
             is_readable_array(expansion->blocks_scale8, blocks * bytes);
    }
    default: return true;
  }
}

/// Checks what a tensor points to; the struct itself is readable. `contents` adds its client
/// buffer.
[[nodiscard]] inline bool is_readable_tensor(const c_api::Tensor& tensor, bool contents) {
  if (tensor.version != c_api::TensorVersion::v1 && tensor.version != c_api::TensorVersion::v2)
    return true;
  const c_api::TensorV1& v1 = tensor.v1;  // versions 1 and 2 begin with the same members
  if (!is_readable_text(v1.name) || !is_readable_array(v1.dimensions, v1.rank)) return false;
  if (!is_readable_quantization(v1.quantize_params, v1)) return false;
  if (tensor.version == c_api::TensorVersion::v2 &&
      !is_readable_array(tensor.v2.is_dynamic_dimensions, tensor.v2.rank))
    return false;
  if (!contents || v1.mem_type != c_api::TensorMemType::raw) return true;
  return is_readable_array(static_cast<const std::byte*>(v1.client_buf.data),
                           v1.client_buf.data_size);
}

/// Checks an array of tensors, and what they point to.
[[nodiscard]] inline bool are_readable_tensors(const c_api::Tensor* tensors, std::uint32_t count,
                                               bool contents) {
  if (tensors == nullptr) return true;
  if (!is_readable_array(tensors, count)) return false;
  for (std::uint32_t i = 0; i < count; ++i)
    if (!is_readable_tensor(tensors[i], contents)) return false;
  return true;
}

/// Checks a node, its parameters and its tensors.
[[nodiscard]] inline bool is_readable_op(const c_api::OpConfig& op) {
  if (op.version != c_api::OpConfigVersion::v1) return true;
  const c_api::OpConfigV1& v1 = op.v1;
  if (!is_readable_text(v1.name) || !is_readable_text(v1.package_name) ||
      !is_readable_text(v1.type_name) || !is_readable_array(v1.params, v1.num_of_params) ||
      !are_readable_tensors(v1.input_tensors, v1.num_of_inputs, false) ||
      !are_readable_tensors(v1.output_tensors, v1.num_of_outputs, false))
    return false;
  for (std::uint32_t i = 0; v1.params != nullptr && i < v1.num_of_params; ++i) {
    const c_api::Param& param = v1.params[i];
    if (!is_readable_text(param.name) || (param.param_type == c_api::ParamType::tensor &&
                                          !is_readable_tensor(param.tensor_param, true)))
      return false;
  }
  return true;
}

}  // namespace qnnpp::sim
