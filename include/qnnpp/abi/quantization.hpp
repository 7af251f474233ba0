// How the elements of a fixed-point tensor map to real numbers.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Which member of QuantizeParams' union is set. C: Qnn_QuantizationEncoding_t.
enum class QuantizationEncoding : std::uint32_t {
  scale_offset = 0,          ///< One scale and offset for the tensor.
  axis_scale_offset = 1,     ///< One pair for each index along an axis.
  bw_scale_offset = 2,       ///< As scale_offset, with a bit width of its own.
  bw_axis_scale_offset = 3,  ///< As axis_scale_offset, with a bit width of its own.
  block = 4,                 ///< One pair for each block of elements.
  blockwise_expansion = 5,   ///< Blocks with small scales, expanded along an axis.
  vector = 6,                ///< Vector quantization by code books.
  float_block = 7,           ///< As block, with float offsets. Core 2.30.
  /// As bw_axis_scale_offset, with a mapping of the codes. Core 2.32.
  bw_axis_scale_offset_mapped = 8,
  bw_block_mapped = 9,  ///< As block, with bit width and mapping. Core 2.32.
  /// As blockwise_expansion, with bit width and mapping. Core 2.32.
  bw_blockwise_expansion_mapped = 10,
  bw_float_block = 11,  ///< As float_block, with a bit width of its own. Core 2.32.
  undefined = 0x7FFFFFFF,
};

/// How the codes of a low bit width map onto numbers. C: Qnn_QuantizationEncodingMapping_t.
/// Core 2.32.
enum class QuantizationEncodingMapping : std::uint32_t {
  standard_symmetric = 0,             ///< Two's complement around 0.
  asymmetric_plus_one = 1,            ///< The range is moved up by one.
  linear_symmetric_exclude_zero = 2,  ///< Equal steps around 0 without a code for 0.
  undefined = 0x7FFFFFFF,
};

/// real = scale * (code + offset). C: Qnn_ScaleOffset_t.
struct ScaleOffset {
  float scale;          ///< Above 0.
  std::int32_t offset;  ///< Added to the code; so the negative of what others call zero point.
};

/// As ScaleOffset, with a float offset. C: Qnn_FloatScaleOffset_t. Core 2.30.
struct FloatScaleOffset {
  float scale;
  float offset;
};

/// ScaleOffset for codes of fewer bits than their container. C: Qnn_BwScaleOffset_t.
struct BwScaleOffset {
  std::uint32_t bitwidth;  ///< Bits used of each element.
  float scale;
  std::int32_t offset;
};

/// ScaleOffset for each index along one axis. C: Qnn_AxisScaleOffset_t.
struct AxisScaleOffset {
  std::int32_t axis;                ///< Index of the dimension.
  std::uint32_t num_scale_offsets;  ///< Extent of that dimension.
  ScaleOffset* scale_offset;        ///< That many pairs, owned by whoever filled the tensor.
};

/// Per-axis quantization with a bit width of its own. C: Qnn_BwAxisScaleOffset_t.
struct BwAxisScaleOffset {
  std::uint32_t bitwidth;      ///< Bits used of each element.
  std::int32_t axis;           ///< Index of the dimension.
  std::uint32_t num_elements;  ///< Extent of that dimension.
  float* scales;               ///< num_elements scales.
  std::int32_t* offsets;       ///< num_elements offsets, or NULL when all are 0.
};

/// Per-axis quantization with bit width and mapping. C: Qnn_BwAxisScaleOffsetMapped_t. Core 2.32.
struct BwAxisScaleOffsetMapped {
  std::uint32_t bitwidth;               ///< Bits used of each element.
  std::int32_t axis;                    ///< Index of the dimension.
  QuantizationEncodingMapping mapping;  ///< Meaning of the codes.
  std::uint32_t num_elements;           ///< Extent of that dimension.
  float* scales;                        ///< num_elements scales.
  std::int32_t* offsets;                ///< num_elements offsets, or NULL when all are 0.
};

/// ScaleOffset for each block of a tensor. C: Qnn_BlockEncoding_t.
struct BlockEncoding {
  /// Extent of a block in each dimension; as many as the tensor's rank.
  std::uint32_t* block_size;
  ScaleOffset* scale_offset;  ///< One pair for each block.
};

/// Block quantization with bit width and mapping. C: Qnn_BwBlockMapped_t. Core 2.32.
struct BwBlockMapped {
  std::uint32_t bitwidth;               ///< Bits used of each element.
  QuantizationEncodingMapping mapping;  ///< Meaning of the codes.
  /// Extent of a block in each dimension; as many as the tensor's rank.
  std::uint32_t* block_size;
  ScaleOffset* scale_offset;  ///< One pair for each block.
};

/// Width in which the scales of blocks are stored.
/// C: Qnn_BlockwiseExpansionBlockScaleStorageType_t.
enum class BlockwiseExpansionBlockScaleStorageType : std::uint32_t {
  v8 = 0,   ///< 1 byte each: blocks_scale8.
  v16 = 1,  ///< 2 bytes each: blocks_scale16.
  undefined = 0x7FFFFFFF,
};

/// Two levels of scales: a ScaleOffset for each index along an axis, and a small integer scale for
/// each block within it. C: Qnn_BlockwiseExpansion_t.
struct BlockwiseExpansion {
  std::int32_t axis;  ///< Index of the dimension.
  /// One pair for each index along the axis.
  ScaleOffset* scale_offsets;
  std::uint32_t num_blocks_per_axis;  ///< Blocks for each index.
  /// Bits used of a block's scale.
  std::uint32_t block_scale_bitwidth;
  BlockwiseExpansionBlockScaleStorageType block_scale_storage_type;  ///< Selects the union member.
  union {
    std::uint8_t* blocks_scale8;    ///< num_blocks_per_axis scales for each index, 1 byte each.
    std::uint16_t* blocks_scale16;  ///< The same, 2 bytes each.
  };
};

/// Blockwise expansion with bit width and mapping. C: Qnn_BwBlockwiseExpansionMapped_t. Core 2.32.
struct BwBlockwiseExpansionMapped {
  std::uint32_t bitwidth;               ///< Bits used of each element.
  QuantizationEncodingMapping mapping;  ///< Meaning of the codes.
  std::int32_t axis;                    ///< Index of the dimension.
  /// One pair for each index along the axis.
  ScaleOffset* scale_offsets;
  std::uint32_t num_blocks_per_axis;  ///< Blocks for each index.
  /// Bits used of a block's scale.
  std::uint32_t block_scale_bitwidth;
  BlockwiseExpansionBlockScaleStorageType block_scale_storage_type;  ///< Selects the union member.
  union {
    std::uint8_t* blocks_scale8;    ///< num_blocks_per_axis scales for each index, 1 byte each.
    std::uint16_t* blocks_scale16;  ///< The same, 2 bytes each.
  };
};

/// Vector quantization: each block of rows and columns has a code book, and the tensor holds
/// indices into it. C: Qnn_VectorEncoding_t.
struct VectorEncoding {
  BwAxisScaleOffset bw_axis_scale_offset;  ///< Quantization of the code book's entries.
  std::uint32_t rows_per_block;            ///< Rows that share a code book.
  std::uint32_t columns_per_block;         ///< Columns that share a code book.
  std::uint8_t vector_dimension;           ///< Elements in an entry.
  /// Distance between the elements of an entry, in elements.
  std::uint8_t vector_stride;
  std::uint8_t index_bitwidth;  ///< Bits of an index.
};

/// FloatScaleOffset for each block of a tensor. C: Qnn_FloatBlockEncoding_t. Core 2.30.
struct FloatBlockEncoding {
  /// Extent of a block in each dimension; as many as the tensor's rank.
  std::uint32_t* block_size;
  FloatScaleOffset* float_scale_offset;  ///< One pair for each block.
};

/// Float block quantization with a bit width of its own. C: Qnn_BwFloatBlockEncoding_t. Core 2.32.
struct BwFloatBlockEncoding {
  std::uint32_t bitwidth;  ///< Bits used of each element.
  /// Extent of a block in each dimension; as many as the tensor's rank.
  std::uint32_t* block_size;
  FloatScaleOffset* float_scale_offset;  ///< One pair for each block.
};

/// Quantization of a tensor. What the union points to belongs to whoever filled the tensor and is
/// copied by calls that create one. C: Qnn_QuantizeParams_t.
struct QuantizeParams {
  /// The rest counts only if this is Definition::defined.
  Definition encoding_definition;
  QuantizationEncoding quantization_encoding;  ///< Selects the union member.
  union {
    ScaleOffset scale_offset_encoding;
    AxisScaleOffset axis_scale_offset_encoding;
    BwScaleOffset bw_scale_offset_encoding;
    BwAxisScaleOffset bw_axis_scale_offset_encoding;
    BlockEncoding block_encoding;
    BlockwiseExpansion* blockwise_expansion;
    VectorEncoding* vector_encoding;
    FloatBlockEncoding float_block_encoding;                             ///< Core 2.30.
    BwAxisScaleOffsetMapped* bw_axis_scale_offset_mapped_encoding;       ///< Core 2.32.
    BwBlockMapped* bw_block_mapped_encoding;                             ///< Core 2.32.
    BwBlockwiseExpansionMapped* bw_blockwise_expansion_mapped_encoding;  ///< Core 2.32.
    BwFloatBlockEncoding bw_float_block_encoding;                        ///< Core 2.32.
  };
};

}  // namespace qnnpp::c_api
