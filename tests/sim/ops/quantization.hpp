// Quantisation of a tensor by value: Qnn_QuantizeParams_t copied, checked and viewed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/abi/quantization.hpp"

namespace qnnpp::sim {

/// Returns the bits of an element; 0 for a type without a size (string, undefined).
inline std::uint32_t element_bits(c_api::DataType type) noexcept {
  using enum c_api::DataType;
  switch (type) {
    case sfixed_point_4:
    case ufixed_point_4: return 4;
    case int_8:
    case uint_8:
    case sfixed_point_8:
    case ufixed_point_8:
    case bool_8: return 8;
    case int_16:
    case uint_16:
    case float_16:
    case bfloat_16:
    case sfixed_point_16:
    case ufixed_point_16: return 16;
    case int_32:
    case uint_32:
    case float_32:
    case sfixed_point_32:
    case ufixed_point_32: return 32;
    case int_64:
    case uint_64:
    case float_64: return 64;
    default: return 0;
  }
}

inline bool is_signed_fixed_point(c_api::DataType type) noexcept {
  using enum c_api::DataType;
  return type == sfixed_point_4 || type == sfixed_point_8 || type == sfixed_point_16 ||
         type == sfixed_point_32;
}
inline bool is_fixed_point(c_api::DataType type) noexcept {
  using enum c_api::DataType;
  return is_signed_fixed_point(type) || type == ufixed_point_4 || type == ufixed_point_8 ||
         type == ufixed_point_16 || type == ufixed_point_32;
}

/// real = scale * (code + offset). Several pairs belong to the indices along an axis, or to blocks.
struct Quantization {
  c_api::Definition definition = c_api::Definition::undefined;
  c_api::QuantizationEncoding encoding = c_api::QuantizationEncoding::undefined;
  /// Bits of a code in use, for bw_scale_offset and bw_axis_scale_offset. Bits of a block's scale,
  /// for blockwise_expansion.
  std::uint32_t bitwidth = 0;
  /// For axis_scale_offset, bw_axis_scale_offset and blockwise_expansion.
  std::int32_t axis = 0;
  /// One pair for the tensor, for each index along the axis, or for each block in row-major order.
  std::vector<c_api::ScaleOffset> pairs;
  /// For block: the extents of a block. For blockwise_expansion: the number of blocks of an index.
  std::vector<std::uint32_t> blocks;
  /// For blockwise_expansion: the scales of the blocks of each index, with 1 or 2 bytes each.
  std::vector<std::uint8_t> block_scales8;
  std::vector<std::uint16_t> block_scales16;
  /// For view_of() alone: the scales and offsets of bw_axis_scale_offset, and the struct of
  /// blockwise_expansion.
  mutable std::vector<float> scales;
  mutable std::vector<std::int32_t> offsets;
  mutable c_api::BlockwiseExpansion expansion{};

  /// Returns whether equal codes mean equal numbers.
  friend bool operator==(const Quantization& a, const Quantization& b) noexcept {
    if (a.pairs.size() != b.pairs.size()) return false;
    for (std::size_t i = 0; i < a.pairs.size(); ++i)
      if (a.pairs[i].scale != b.pairs[i].scale || a.pairs[i].offset != b.pairs[i].offset)
        return false;
    return a.definition == b.definition && a.encoding == b.encoding && a.bitwidth == b.bitwidth &&
           a.axis == b.axis && a.blocks == b.blocks && a.block_scales8 == b.block_scales8 &&
           a.block_scales16 == b.block_scales16;
  }
};

/// Returns the extent of the quantisation's axis; 0 if the tensor has no such dimension.
inline std::uint32_t axis_extent(const Quantization& quantization,
                                 std::span<const std::uint32_t> dimensions) noexcept {
  const auto axis = static_cast<std::size_t>(quantization.axis);
  return quantization.axis >= 0 && axis < dimensions.size() ? dimensions[axis] : 0;
}

/// Returns what is wrong with the quantisation of a tensor, or an empty text.
inline std::string fault_of(const Quantization& quantization, c_api::DataType type,
                            std::span<const std::uint32_t> dimensions) {
  using enum c_api::QuantizationEncoding;
  const bool axes = quantization.encoding == axis_scale_offset ||
                    quantization.encoding == bw_axis_scale_offset ||
                    quantization.encoding == blockwise_expansion;
  std::uint64_t pairs = 1;
  if (quantization.definition != c_api::Definition::defined || quantization.encoding == undefined) {
    pairs = 0;
  } else if (axes) {
    pairs = axis_extent(quantization, dimensions);
    if (pairs == 0) return "its quantisation is along a dimension that it lacks";
  } else if (quantization.encoding == block) {
    if (quantization.blocks.size() != dimensions.size()) return "its blocks have another rank";
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      const std::uint32_t extent = quantization.blocks[i];
      if (extent == 0 || dimensions[i] % extent != 0) return "its blocks do not divide it";
      pairs *= dimensions[i] / extent;
    }
  } else if (quantization.encoding != scale_offset && quantization.encoding != bw_scale_offset) {
    return "its quantisation has an unknown encoding";
  }
  if (quantization.pairs.size() != pairs)
    return "its quantisation has " + std::to_string(quantization.pairs.size()) + " scales, " +
           std::to_string(pairs) + " are needed";
  if (quantization.encoding == blockwise_expansion) {
    std::uint64_t elements = 1;
    for (const std::uint32_t dimension : dimensions) elements *= dimension;
    const std::uint64_t count = quantization.blocks.size() == 1 ? quantization.blocks[0] : 0;
    if (count == 0 || elements / pairs % count != 0) return "its blocks do not divide it";
    if (quantization.block_scales8.size() + quantization.block_scales16.size() != pairs * count)
      return "its blocks do not have one scale each";
  }
  if (!is_fixed_point(type)) return {};
  for (const c_api::ScaleOffset& pair : quantization.pairs)
    if (!(pair.scale > 0.0f) || std::isinf(pair.scale)) return "a scale is not positive";
  const bool narrow =
      quantization.encoding == bw_scale_offset || quantization.encoding == bw_axis_scale_offset;
  if (narrow && (quantization.bitwidth == 0 || quantization.bitwidth > element_bits(type)))
    return "its codes do not have " + std::to_string(quantization.bitwidth) + " bits";
  return {};
}

/// Copies the C struct without a check of its numbers. Returns a fault, or an empty text.
/// `dimensions` is the tensor's shape, because some arrays have no length of their own.
inline std::string copy_quantization(const c_api::QuantizeParams& source,
                                     std::span<const std::uint32_t> dimensions, Quantization& out) {
  using enum c_api::QuantizationEncoding;
  if (source.encoding_definition != c_api::Definition::defined) return {};
  out.definition = source.encoding_definition;
  out.encoding = source.quantization_encoding;
  constexpr const char* no_scales = "its quantisation has no scales";
  switch (source.quantization_encoding) {
    case scale_offset: out.pairs = {source.scale_offset_encoding}; return {};
    case bw_scale_offset: {
      const c_api::BwScaleOffset& from = source.bw_scale_offset_encoding;
      out.bitwidth = from.bitwidth;
      out.pairs = {c_api::ScaleOffset{from.scale, from.offset}};
      return {};
    }
    case axis_scale_offset: {
      const c_api::AxisScaleOffset& from = source.axis_scale_offset_encoding;
      out.axis = from.axis;
      if (from.scale_offset == nullptr) return no_scales;
      out.pairs.assign(from.scale_offset, from.scale_offset + from.num_scale_offsets);
      return {};
    }
    case bw_axis_scale_offset: {
      const c_api::BwAxisScaleOffset& from = source.bw_axis_scale_offset_encoding;
      out.bitwidth = from.bitwidth;
      out.axis = from.axis;
      if (from.scales == nullptr) return no_scales;
      for (std::uint32_t i = 0; i < from.num_elements; ++i)
        out.pairs.push_back({from.scales[i], from.offsets == nullptr ? 0 : from.offsets[i]});
      return {};
    }
    case block: {
      const c_api::BlockEncoding& from = source.block_encoding;
      if (from.block_size == nullptr || from.scale_offset == nullptr) return no_scales;
      out.blocks.assign(from.block_size, from.block_size + dimensions.size());
      std::uint64_t count = 1;
      for (std::size_t i = 0; i < dimensions.size(); ++i) {
        if (out.blocks[i] == 0) return "its blocks do not divide it";
        count *= dimensions[i] / out.blocks[i];
      }
      out.pairs.assign(from.scale_offset, from.scale_offset + count);
      return {};
    }
    case blockwise_expansion: {
      const c_api::BlockwiseExpansion* const from = source.blockwise_expansion;
      if (from == nullptr || from->scale_offsets == nullptr || from->blocks_scale8 == nullptr)
        return no_scales;
      out.axis = from->axis;
      out.bitwidth = from->block_scale_bitwidth;
      out.blocks = {from->num_blocks_per_axis};
      const std::uint64_t indices = axis_extent(out, dimensions);
      out.pairs.assign(from->scale_offsets, from->scale_offsets + indices);
      const std::uint64_t count = indices * from->num_blocks_per_axis;
      if (from->block_scale_storage_type == c_api::BlockwiseExpansionBlockScaleStorageType::v8)
        out.block_scales8.assign(from->blocks_scale8, from->blocks_scale8 + count);
      else
        out.block_scales16.assign(from->blocks_scale16, from->blocks_scale16 + count);
      return {};
    }
    case undefined: return {};
    default:
      return "quantisation encoding " +
             std::to_string(static_cast<std::uint32_t>(source.quantization_encoding));
  }
}

/// Returns the C struct. It points into `quantization`, so a change or destruction of that
/// invalidates it. Not thread-safe for one object.
inline c_api::QuantizeParams view_of(const Quantization& quantization) {
  using enum c_api::QuantizationEncoding;
  c_api::QuantizeParams view{};
  view.encoding_definition = quantization.definition;
  view.quantization_encoding = quantization.encoding;
  if (quantization.pairs.empty()) return view;
  const c_api::ScaleOffset& first = quantization.pairs[0];
  auto* const pairs = const_cast<c_api::ScaleOffset*>(quantization.pairs.data());
  const auto count = static_cast<std::uint32_t>(quantization.pairs.size());
  switch (quantization.encoding) {
    case scale_offset: view.scale_offset_encoding = first; break;
    case bw_scale_offset:
      view.bw_scale_offset_encoding = {quantization.bitwidth, first.scale, first.offset};
      break;
    case axis_scale_offset:
      view.axis_scale_offset_encoding = {quantization.axis, count, pairs};
      break;
    case bw_axis_scale_offset:
      if (quantization.scales.size() != count) {
        for (const c_api::ScaleOffset& pair : quantization.pairs) {
          quantization.scales.push_back(pair.scale);
          quantization.offsets.push_back(pair.offset);
        }
      }
      view.bw_axis_scale_offset_encoding = {quantization.bitwidth, quantization.axis, count,
                                            quantization.scales.data(),
                                            quantization.offsets.data()};
      break;
    case block:
      view.block_encoding = {const_cast<std::uint32_t*>(quantization.blocks.data()), pairs};
      break;
    case blockwise_expansion: {
      c_api::BlockwiseExpansion& expansion = quantization.expansion;
      using Width = c_api::BlockwiseExpansionBlockScaleStorageType;
      const bool narrow = quantization.block_scales16.empty();
      expansion.axis = quantization.axis;
      expansion.scale_offsets = pairs;
      expansion.num_blocks_per_axis = quantization.blocks[0];
      expansion.block_scale_bitwidth = quantization.bitwidth;
      expansion.block_scale_storage_type = narrow ? Width::v8 : Width::v16;
      if (narrow)
        expansion.blocks_scale8 = const_cast<std::uint8_t*>(quantization.block_scales8.data());
      else
        expansion.blocks_scale16 = const_cast<std::uint16_t*>(quantization.block_scales16.data());
      view.blockwise_expansion = &expansion;
      break;
    }
    default: break;
  }
  return view;
}

}  // namespace qnnpp::sim
