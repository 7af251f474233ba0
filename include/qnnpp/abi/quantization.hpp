// Quantization: the mapping of a fixed-point tensor's elements to real numbers.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Selects the member of QuantizeParams' union. C: Qnn_QuantizationEncoding_t.
enum class QuantizationEncoding : std::uint32_t {
  scale_offset = 0,          ///< One scale and offset for the tensor.
  axis_scale_offset = 1,     ///< One pair for each index along an axis.
  bw_scale_offset = 2,       ///< As scale_offset, with its own bit width.
  bw_axis_scale_offset = 3,  ///< As axis_scale_offset, with its own bit width.
  block = 4,                 ///< One pair for each block of elements.
  blockwise_expansion = 5,   ///< Blocks with integer scales within each index along an axis.
  vector = 6,                ///< Vector quantization by code books.
  float_block = 7,           ///< As block, with float offsets. Core 2.30.
  /// As bw_axis_scale_offset, with a mapping of the codes. Core 2.32.
  bw_axis_scale_offset_mapped = 8,
  bw_block_mapped = 9,  ///< As block, with bit width and mapping. Core 2.32.
  /// As blockwise_expansion, with bit width and mapping. Core 2.32.
  bw_blockwise_expansion_mapped = 10,
  bw_float_block = 11,  ///< As float_block, with its own bit width. Core 2.32.
  undefined = 0x7FFFFFFF,
};

/// Mapping of codes with a low bit width to numbers. C: Qnn_QuantizationEncodingMapping_t.
/// Core 2.32.
enum class QuantizationEncodingMapping : std::uint32_t {
  standard_symmetric = 0,             ///< Two's complement around 0.
  asymmetric_plus_one = 1,            ///< Range moved up by one.
  linear_symmetric_exclude_zero = 2,  ///< Equal steps around 0 without a code for 0.
  undefined = 0x7FFFFFFF,
};

/// real = scale * (code + offset). C: Qnn_ScaleOffset_t.
struct ScaleOffset {
  float scale;          ///< Greater than 0.
  std::int32_t offset;  ///< Added to the code; the negative of the usual zero point.
};

/// As ScaleOffset, with a float offset. C: Qnn_FloatScaleOffset_t. Core 2.30.
struct FloatScaleOffset {
  float scale;   ///< Greater than 0.
  float offset;  ///< Added to the code.
};

/// ScaleOffset for codes with fewer bits than their container. C: Qnn_BwScaleOffset_t.
struct BwScaleOffset {
  std::uint32_t bitwidth;  ///< Bits of each element in use.
  float scale;             ///< Greater than 0.
  std::int32_t offset;     ///< Added to the code.
};

/// ScaleOffset for each index along one axis. C: Qnn_AxisScaleOffset_t.
struct AxisScaleOffset {
  std::int32_t axis;                ///< Index of the dimension.
  std::uint32_t num_scale_offsets;  ///< Extent of that dimension.
  /// num_scale_offsets pairs; the code that fills the tensor owns them.
  ScaleOffset* scale_offset;
};

/// Per-axis quantization with its own bit width. C: Qnn_BwAxisScaleOffset_t.
struct BwAxisScaleOffset {
  std::uint32_t bitwidth;      ///< Bits of each element in use.
  std::int32_t axis;           ///< Index of the dimension.
  std::uint32_t num_elements;  ///< Extent of that dimension.
  float* scales;               ///< num_elements scales.
  std::int32_t* offsets;       ///< num_elements offsets, or NULL when all are 0.
};

/// Per-axis quantization with bit width and mapping. C: Qnn_BwAxisScaleOffsetMapped_t. Core 2.32.
struct BwAxisScaleOffsetMapped {
  std::uint32_t bitwidth;               ///< Bits of each element in use.
  std::int32_t axis;                    ///< Index of the dimension.
  QuantizationEncodingMapping mapping;  ///< Meaning of the codes.
  std::uint32_t num_elements;           ///< Extent of that dimension.
  float* scales;                        ///< num_elements scales.
  std::int32_t* offsets;                ///< num_elements offsets, or NULL when all are 0.
};

/// ScaleOffset for each block of a tensor. C: Qnn_BlockEncoding_t.
struct BlockEncoding {
  /// Extent of a block in each dimension; the length is the tensor's rank.
  std::uint32_t* block_size;
  ScaleOffset* scale_offset;  ///< One pair for each block.
};

/// Block quantization with bit width and mapping. C: Qnn_BwBlockMapped_t. Core 2.32.
struct BwBlockMapped {
  std::uint32_t bitwidth;               ///< Bits of each element in use.
  QuantizationEncodingMapping mapping;  ///< Meaning of the codes.
  /// Extent of a block in each dimension; the length is the tensor's rank.
  std::uint32_t* block_size;
  ScaleOffset* scale_offset;  ///< One pair for each block.
};

/// Storage width of block scales. C: Qnn_BlockwiseExpansionBlockScaleStorageType_t.
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
  std::uint32_t num_blocks_per_axis;  ///< Number of blocks for each index.
  /// Bits of a block's scale in use.
  std::uint32_t block_scale_bitwidth;
  BlockwiseExpansionBlockScaleStorageType block_scale_storage_type;  ///< Selects the union member.
  union {
    std::uint8_t* blocks_scale8;    ///< num_blocks_per_axis scales for each index, 1 byte each.
    std::uint16_t* blocks_scale16;  ///< num_blocks_per_axis scales for each index, 2 bytes each.
  };
};

/// Blockwise expansion with bit width and mapping. C: Qnn_BwBlockwiseExpansionMapped_t. Core 2.32.
struct BwBlockwiseExpansionMapped {
  std::uint32_t bitwidth;               ///< Bits of each element in use.
  QuantizationEncodingMapping mapping;  ///< Meaning of the codes.
  std::int32_t axis;                    ///< Index of the dimension.
  /// One pair for each index along the axis.
  ScaleOffset* scale_offsets;
  std::uint32_t num_blocks_per_axis;  ///< Number of blocks for each index.
  /// Bits of a block's scale in use.
  std::uint32_t block_scale_bitwidth;
  BlockwiseExpansionBlockScaleStorageType block_scale_storage_type;  ///< Selects the union member.
  union {
    std::uint8_t* blocks_scale8;    ///< num_blocks_per_axis scales for each index, 1 byte each.
    std::uint16_t* blocks_scale16;  ///< num_blocks_per_axis scales for each index, 2 bytes each.
  };
};

/// Vector quantization: each block of rows and columns has a code book, and the tensor has indices
/// into the code books. C: Qnn_VectorEncoding_t.
struct VectorEncoding {
  BwAxisScaleOffset bw_axis_scale_offset;  ///< Quantization of the code book's entries.
  std::uint32_t rows_per_block;            ///< Number of rows that share a code book.
  std::uint32_t columns_per_block;         ///< Number of columns that share a code book.
  std::uint8_t vector_dimension;           ///< Number of elements in an entry.
  /// Distance between the elements of an entry, in elements.
  std::uint8_t vector_stride;
  std::uint8_t index_bitwidth;  ///< Bits of an index.
};

/// FloatScaleOffset for each block of a tensor. C: Qnn_FloatBlockEncoding_t. Core 2.30.
struct FloatBlockEncoding {
  /// Extent of a block in each dimension; the length is the tensor's rank.
  std::uint32_t* block_size;
  FloatScaleOffset* float_scale_offset;  ///< One pair for each block.
};

/// Float block quantization with its own bit width. C: Qnn_BwFloatBlockEncoding_t. Core 2.32.
struct BwFloatBlockEncoding {
  std::uint32_t bitwidth;  ///< Bits of each element in use.
  /// Extent of a block in each dimension; the length is the tensor's rank.
  std::uint32_t* block_size;
  FloatScaleOffset* float_scale_offset;  ///< One pair for each block.
};

/// Quantization of a tensor. The code that fills the tensor owns everything that the union points
/// to. Calls that create a tensor copy it. C: Qnn_QuantizeParams_t.
struct QuantizeParams {
  /// The other members apply only if this is Definition::defined.
  Definition encoding_definition;
  QuantizationEncoding quantization_encoding;  ///< Selects the union member.
  union {
    ScaleOffset scale_offset_encoding;                              ///< For scale_offset.
    AxisScaleOffset axis_scale_offset_encoding;                     ///< For axis_scale_offset.
    BwScaleOffset bw_scale_offset_encoding;                         ///< For bw_scale_offset.
    BwAxisScaleOffset bw_axis_scale_offset_encoding;                ///< For bw_axis_scale_offset.
    BlockEncoding block_encoding;                                   ///< For block.
    BlockwiseExpansion* blockwise_expansion;                        ///< For blockwise_expansion.
    VectorEncoding* vector_encoding;                                ///< For vector.
    FloatBlockEncoding float_block_encoding;                        ///< Core 2.30.
    BwAxisScaleOffsetMapped* bw_axis_scale_offset_mapped_encoding;  ///< Core 2.32.
    BwBlockMapped* bw_block_mapped_encoding;                        ///< Core 2.32.
    BwBlockwiseExpansionMapped* bw_blockwise_expansion_mapped_encoding;  ///< Core 2.32.
    BwFloatBlockEncoding bw_float_block_encoding;                        ///< Core 2.32.
  };
};

}  // namespace qnnpp::c_api
