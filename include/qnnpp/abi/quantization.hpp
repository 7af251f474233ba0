#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// Qnn_QuantizationEncoding_t.
enum class QuantizationEncoding : std::uint32_t {
  scale_offset = 0,
  axis_scale_offset = 1,
  bw_scale_offset = 2,
  bw_axis_scale_offset = 3,
  block = 4,
  blockwise_expansion = 5,
  vector = 6,
  float_block = 7,
  bw_axis_scale_offset_mapped = 8,
  bw_block_mapped = 9,
  bw_blockwise_expansion_mapped = 10,
  bw_float_block = 11,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(QuantizationEncoding::scale_offset) == 0u);
static_assert(std::uint32_t(QuantizationEncoding::axis_scale_offset) == 1u);
static_assert(std::uint32_t(QuantizationEncoding::bw_scale_offset) == 2u);
static_assert(std::uint32_t(QuantizationEncoding::bw_axis_scale_offset) == 3u);
static_assert(std::uint32_t(QuantizationEncoding::block) == 4u);
static_assert(std::uint32_t(QuantizationEncoding::blockwise_expansion) == 5u);
static_assert(std::uint32_t(QuantizationEncoding::vector) == 6u);
static_assert(std::uint32_t(QuantizationEncoding::float_block) == 7u);
static_assert(std::uint32_t(QuantizationEncoding::bw_axis_scale_offset_mapped) == 8u);
static_assert(std::uint32_t(QuantizationEncoding::bw_block_mapped) == 9u);
static_assert(std::uint32_t(QuantizationEncoding::bw_blockwise_expansion_mapped) == 10u);
static_assert(std::uint32_t(QuantizationEncoding::bw_float_block) == 11u);
static_assert(std::uint32_t(QuantizationEncoding::undefined) == 0x7FFFFFFFu);

/// Qnn_QuantizationEncodingMapping_t.
enum class QuantizationEncodingMapping : std::uint32_t {
  standard_symmetric = 0,
  asymmetric_plus_one = 1,
  linear_symmetric_exclude_zero = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(QuantizationEncodingMapping::standard_symmetric) == 0u);
static_assert(std::uint32_t(QuantizationEncodingMapping::asymmetric_plus_one) == 1u);
static_assert(std::uint32_t(QuantizationEncodingMapping::linear_symmetric_exclude_zero) == 2u);
static_assert(std::uint32_t(QuantizationEncodingMapping::undefined) == 0x7FFFFFFFu);

/// Qnn_ScaleOffset_t.
struct ScaleOffset {
  float scale;
  std::int32_t offset;
};
static_assert(sizeof(ScaleOffset) == 8 && alignof(ScaleOffset) == 4);
static_assert(offsetof(ScaleOffset, scale) == 0);
static_assert(offsetof(ScaleOffset, offset) == 4);

/// Qnn_FloatScaleOffset_t.
struct FloatScaleOffset {
  float scale;
  float offset;
};
static_assert(sizeof(FloatScaleOffset) == 8 && alignof(FloatScaleOffset) == 4);
static_assert(offsetof(FloatScaleOffset, scale) == 0);
static_assert(offsetof(FloatScaleOffset, offset) == 4);

/// Qnn_BwScaleOffset_t.
struct BwScaleOffset {
  std::uint32_t bitwidth;
  float scale;
  std::int32_t offset;
};
static_assert(sizeof(BwScaleOffset) == 12 && alignof(BwScaleOffset) == 4);
static_assert(offsetof(BwScaleOffset, bitwidth) == 0);
static_assert(offsetof(BwScaleOffset, scale) == 4);
static_assert(offsetof(BwScaleOffset, offset) == 8);

/// Qnn_AxisScaleOffset_t.
struct AxisScaleOffset {
  std::int32_t axis;
  std::uint32_t num_scale_offsets;
  ScaleOffset* scale_offset;
};
static_assert(sizeof(AxisScaleOffset) == 16 && alignof(AxisScaleOffset) == 8);
static_assert(offsetof(AxisScaleOffset, axis) == 0);
static_assert(offsetof(AxisScaleOffset, num_scale_offsets) == 4);
static_assert(offsetof(AxisScaleOffset, scale_offset) == 8);

/// Qnn_BwAxisScaleOffset_t.
struct BwAxisScaleOffset {
  std::uint32_t bitwidth;
  std::int32_t axis;
  std::uint32_t num_elements;
  float* scales;
  std::int32_t* offsets;
};
static_assert(sizeof(BwAxisScaleOffset) == 32 && alignof(BwAxisScaleOffset) == 8);
static_assert(offsetof(BwAxisScaleOffset, bitwidth) == 0);
static_assert(offsetof(BwAxisScaleOffset, axis) == 4);
static_assert(offsetof(BwAxisScaleOffset, num_elements) == 8);
static_assert(offsetof(BwAxisScaleOffset, scales) == 16);
static_assert(offsetof(BwAxisScaleOffset, offsets) == 24);

/// Qnn_BwAxisScaleOffsetMapped_t.
struct BwAxisScaleOffsetMapped {
  std::uint32_t bitwidth;
  std::int32_t axis;
  QuantizationEncodingMapping mapping;
  std::uint32_t num_elements;
  float* scales;
  std::int32_t* offsets;
};
static_assert(sizeof(BwAxisScaleOffsetMapped) == 32 && alignof(BwAxisScaleOffsetMapped) == 8);
static_assert(offsetof(BwAxisScaleOffsetMapped, bitwidth) == 0);
static_assert(offsetof(BwAxisScaleOffsetMapped, axis) == 4);
static_assert(offsetof(BwAxisScaleOffsetMapped, mapping) == 8);
static_assert(offsetof(BwAxisScaleOffsetMapped, num_elements) == 12);
static_assert(offsetof(BwAxisScaleOffsetMapped, scales) == 16);
static_assert(offsetof(BwAxisScaleOffsetMapped, offsets) == 24);

/// Qnn_BlockEncoding_t.
struct BlockEncoding {
  std::uint32_t* block_size;
  ScaleOffset* scale_offset;
};
static_assert(sizeof(BlockEncoding) == 16 && alignof(BlockEncoding) == 8);
static_assert(offsetof(BlockEncoding, block_size) == 0);
static_assert(offsetof(BlockEncoding, scale_offset) == 8);

/// Qnn_BwBlockMapped_t.
struct BwBlockMapped {
  std::uint32_t bitwidth;
  QuantizationEncodingMapping mapping;
  std::uint32_t* block_size;
  ScaleOffset* scale_offset;
};
static_assert(sizeof(BwBlockMapped) == 24 && alignof(BwBlockMapped) == 8);
static_assert(offsetof(BwBlockMapped, bitwidth) == 0);
static_assert(offsetof(BwBlockMapped, mapping) == 4);
static_assert(offsetof(BwBlockMapped, block_size) == 8);
static_assert(offsetof(BwBlockMapped, scale_offset) == 16);

/// Qnn_BlockwiseExpansionBlockScaleStorageType_t.
enum class BlockwiseExpansionBlockScaleStorageType : std::uint32_t {
  v8 = 0,
  v16 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(BlockwiseExpansionBlockScaleStorageType::v8) == 0u);
static_assert(std::uint32_t(BlockwiseExpansionBlockScaleStorageType::v16) == 1u);
static_assert(std::uint32_t(BlockwiseExpansionBlockScaleStorageType::undefined) == 0x7FFFFFFFu);

/// Qnn_BlockwiseExpansion_t.
struct BlockwiseExpansion {
  std::int32_t axis;
  ScaleOffset* scale_offsets;
  std::uint32_t num_blocks_per_axis;
  std::uint32_t block_scale_bitwidth;
  BlockwiseExpansionBlockScaleStorageType block_scale_storage_type;
  union {
    std::uint8_t* blocks_scale8;
    std::uint16_t* blocks_scale16;
  };
};
static_assert(sizeof(BlockwiseExpansion) == 40 && alignof(BlockwiseExpansion) == 8);
static_assert(offsetof(BlockwiseExpansion, axis) == 0);
static_assert(offsetof(BlockwiseExpansion, scale_offsets) == 8);
static_assert(offsetof(BlockwiseExpansion, num_blocks_per_axis) == 16);
static_assert(offsetof(BlockwiseExpansion, block_scale_bitwidth) == 20);
static_assert(offsetof(BlockwiseExpansion, block_scale_storage_type) == 24);
static_assert(offsetof(BlockwiseExpansion, blocks_scale8) == 32);
static_assert(offsetof(BlockwiseExpansion, blocks_scale16) == 32);

/// Qnn_BwBlockwiseExpansionMapped_t.
struct BwBlockwiseExpansionMapped {
  std::uint32_t bitwidth;
  QuantizationEncodingMapping mapping;
  std::int32_t axis;
  ScaleOffset* scale_offsets;
  std::uint32_t num_blocks_per_axis;
  std::uint32_t block_scale_bitwidth;
  BlockwiseExpansionBlockScaleStorageType block_scale_storage_type;
  union {
    std::uint8_t* blocks_scale8;
    std::uint16_t* blocks_scale16;
  };
};
static_assert(sizeof(BwBlockwiseExpansionMapped) == 48 && alignof(BwBlockwiseExpansionMapped) == 8);
static_assert(offsetof(BwBlockwiseExpansionMapped, bitwidth) == 0);
static_assert(offsetof(BwBlockwiseExpansionMapped, mapping) == 4);
static_assert(offsetof(BwBlockwiseExpansionMapped, axis) == 8);
static_assert(offsetof(BwBlockwiseExpansionMapped, scale_offsets) == 16);
static_assert(offsetof(BwBlockwiseExpansionMapped, num_blocks_per_axis) == 24);
static_assert(offsetof(BwBlockwiseExpansionMapped, block_scale_bitwidth) == 28);
static_assert(offsetof(BwBlockwiseExpansionMapped, block_scale_storage_type) == 32);
static_assert(offsetof(BwBlockwiseExpansionMapped, blocks_scale8) == 40);
static_assert(offsetof(BwBlockwiseExpansionMapped, blocks_scale16) == 40);

/// Qnn_VectorEncoding_t.
struct VectorEncoding {
  BwAxisScaleOffset bw_axis_scale_offset;
  std::uint32_t rows_per_block;
  std::uint32_t columns_per_block;
  std::uint8_t vector_dimension;
  std::uint8_t vector_stride;
  std::uint8_t index_bitwidth;
};
static_assert(sizeof(VectorEncoding) == 48 && alignof(VectorEncoding) == 8);
static_assert(offsetof(VectorEncoding, bw_axis_scale_offset) == 0);
static_assert(offsetof(VectorEncoding, rows_per_block) == 32);
static_assert(offsetof(VectorEncoding, columns_per_block) == 36);
static_assert(offsetof(VectorEncoding, vector_dimension) == 40);
static_assert(offsetof(VectorEncoding, vector_stride) == 41);
static_assert(offsetof(VectorEncoding, index_bitwidth) == 42);

/// Qnn_FloatBlockEncoding_t.
struct FloatBlockEncoding {
  std::uint32_t* block_size;
  FloatScaleOffset* float_scale_offset;
};
static_assert(sizeof(FloatBlockEncoding) == 16 && alignof(FloatBlockEncoding) == 8);
static_assert(offsetof(FloatBlockEncoding, block_size) == 0);
static_assert(offsetof(FloatBlockEncoding, float_scale_offset) == 8);

/// Qnn_BwFloatBlockEncoding_t.
struct BwFloatBlockEncoding {
  std::uint32_t bitwidth;
  std::uint32_t* block_size;
  FloatScaleOffset* float_scale_offset;
};
static_assert(sizeof(BwFloatBlockEncoding) == 24 && alignof(BwFloatBlockEncoding) == 8);
static_assert(offsetof(BwFloatBlockEncoding, bitwidth) == 0);
static_assert(offsetof(BwFloatBlockEncoding, block_size) == 8);
static_assert(offsetof(BwFloatBlockEncoding, float_scale_offset) == 16);

/// Qnn_QuantizeParams_t.
struct QuantizeParams {
  Definition encoding_definition;
  QuantizationEncoding quantization_encoding;
  union {
    ScaleOffset scale_offset_encoding;
    AxisScaleOffset axis_scale_offset_encoding;
    BwScaleOffset bw_scale_offset_encoding;
    BwAxisScaleOffset bw_axis_scale_offset_encoding;
    BlockEncoding block_encoding;
    BlockwiseExpansion* blockwise_expansion;
    VectorEncoding* vector_encoding;
    FloatBlockEncoding float_block_encoding;
    BwAxisScaleOffsetMapped* bw_axis_scale_offset_mapped_encoding;
    BwBlockMapped* bw_block_mapped_encoding;
    BwBlockwiseExpansionMapped* bw_blockwise_expansion_mapped_encoding;
    BwFloatBlockEncoding bw_float_block_encoding;
  };
};
static_assert(sizeof(QuantizeParams) == 40 && alignof(QuantizeParams) == 8);
static_assert(offsetof(QuantizeParams, encoding_definition) == 0);
static_assert(offsetof(QuantizeParams, quantization_encoding) == 4);
static_assert(offsetof(QuantizeParams, scale_offset_encoding) == 8);
static_assert(offsetof(QuantizeParams, axis_scale_offset_encoding) == 8);
static_assert(offsetof(QuantizeParams, bw_scale_offset_encoding) == 8);
static_assert(offsetof(QuantizeParams, bw_axis_scale_offset_encoding) == 8);
static_assert(offsetof(QuantizeParams, block_encoding) == 8);
static_assert(offsetof(QuantizeParams, blockwise_expansion) == 8);
static_assert(offsetof(QuantizeParams, vector_encoding) == 8);
static_assert(offsetof(QuantizeParams, float_block_encoding) == 8);
static_assert(offsetof(QuantizeParams, bw_axis_scale_offset_mapped_encoding) == 8);
static_assert(offsetof(QuantizeParams, bw_block_mapped_encoding) == 8);
static_assert(offsetof(QuantizeParams, bw_blockwise_expansion_mapped_encoding) == 8);
static_assert(offsetof(QuantizeParams, bw_float_block_encoding) == 8);

}  // namespace qnnpp::abi
