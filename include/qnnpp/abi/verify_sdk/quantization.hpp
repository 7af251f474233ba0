// Part of verify_sdk.hpp; do not include it alone. Compares abi/quantization.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/quantization.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/quantization.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(QuantizationEncoding::scale_offset, QNN_QUANTIZATION_ENCODING_SCALE_OFFSET);
QNNPP_SAME_VALUE(QuantizationEncoding::axis_scale_offset, QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_scale_offset, QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_axis_scale_offset, QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET);
QNNPP_SAME_VALUE(QuantizationEncoding::block, QNN_QUANTIZATION_ENCODING_BLOCK);
QNNPP_SAME_VALUE(QuantizationEncoding::blockwise_expansion, QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION);
QNNPP_SAME_VALUE(QuantizationEncoding::vector, QNN_QUANTIZATION_ENCODING_VECTOR);
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(QuantizationEncoding::float_block, QNN_QUANTIZATION_ENCODING_FLOAT_BLOCK);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_VALUE(QuantizationEncoding::bw_axis_scale_offset_mapped, QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET_MAPPED);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_block_mapped, QNN_QUANTIZATION_ENCODING_BW_BLOCK_MAPPED);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_blockwise_expansion_mapped, QNN_QUANTIZATION_ENCODING_BW_BLOCKWISE_EXPANSION_MAPPED);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_float_block, QNN_QUANTIZATION_ENCODING_BW_FLOAT_BLOCK);
#endif
QNNPP_SAME_VALUE(QuantizationEncoding::undefined, QNN_QUANTIZATION_ENCODING_UNDEFINED);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_VALUE(QuantizationEncodingMapping::standard_symmetric, QNN_QUANTIZATION_ENCODING_MAPPING_STANDARD_SYMMETRIC);
QNNPP_SAME_VALUE(QuantizationEncodingMapping::asymmetric_plus_one, QNN_QUANTIZATION_ENCODING_MAPPING_ASYMMETRIC_PLUS_ONE);
QNNPP_SAME_VALUE(QuantizationEncodingMapping::linear_symmetric_exclude_zero, QNN_QUANTIZATION_ENCODING_MAPPING_LINEAR_SYMMETRIC_EXCLUDE_ZERO);
QNNPP_SAME_VALUE(QuantizationEncodingMapping::undefined, QNN_QUANTIZATION_ENCODING_MAPPING_UNDEFINED);
#endif
QNNPP_SAME_SIZE(ScaleOffset, Qnn_ScaleOffset_t);
QNNPP_SAME_FIELD(ScaleOffset, scale, Qnn_ScaleOffset_t, scale);
QNNPP_SAME_FIELD(ScaleOffset, offset, Qnn_ScaleOffset_t, offset);
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_SIZE(FloatScaleOffset, Qnn_FloatScaleOffset_t);
QNNPP_SAME_FIELD(FloatScaleOffset, scale, Qnn_FloatScaleOffset_t, scale);
QNNPP_SAME_FIELD(FloatScaleOffset, offset, Qnn_FloatScaleOffset_t, offset);
#endif
QNNPP_SAME_SIZE(BwScaleOffset, Qnn_BwScaleOffset_t);
QNNPP_SAME_FIELD(BwScaleOffset, bitwidth, Qnn_BwScaleOffset_t, bitwidth);
QNNPP_SAME_FIELD(BwScaleOffset, scale, Qnn_BwScaleOffset_t, scale);
QNNPP_SAME_FIELD(BwScaleOffset, offset, Qnn_BwScaleOffset_t, offset);
QNNPP_SAME_SIZE(AxisScaleOffset, Qnn_AxisScaleOffset_t);
QNNPP_SAME_FIELD(AxisScaleOffset, axis, Qnn_AxisScaleOffset_t, axis);
QNNPP_SAME_FIELD(AxisScaleOffset, num_scale_offsets, Qnn_AxisScaleOffset_t, numScaleOffsets);
QNNPP_SAME_FIELD(AxisScaleOffset, scale_offset, Qnn_AxisScaleOffset_t, scaleOffset);
QNNPP_SAME_SIZE(BwAxisScaleOffset, Qnn_BwAxisScaleOffset_t);
QNNPP_SAME_FIELD(BwAxisScaleOffset, bitwidth, Qnn_BwAxisScaleOffset_t, bitwidth);
QNNPP_SAME_FIELD(BwAxisScaleOffset, axis, Qnn_BwAxisScaleOffset_t, axis);
QNNPP_SAME_FIELD(BwAxisScaleOffset, num_elements, Qnn_BwAxisScaleOffset_t, numElements);
QNNPP_SAME_FIELD(BwAxisScaleOffset, scales, Qnn_BwAxisScaleOffset_t, scales);
QNNPP_SAME_FIELD(BwAxisScaleOffset, offsets, Qnn_BwAxisScaleOffset_t, offsets);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_SIZE(BwAxisScaleOffsetMapped, Qnn_BwAxisScaleOffsetMapped_t);
QNNPP_SAME_FIELD(BwAxisScaleOffsetMapped, bitwidth, Qnn_BwAxisScaleOffsetMapped_t, bitwidth);
QNNPP_SAME_FIELD(BwAxisScaleOffsetMapped, axis, Qnn_BwAxisScaleOffsetMapped_t, axis);
QNNPP_SAME_FIELD(BwAxisScaleOffsetMapped, mapping, Qnn_BwAxisScaleOffsetMapped_t, mapping);
QNNPP_SAME_FIELD(BwAxisScaleOffsetMapped, num_elements, Qnn_BwAxisScaleOffsetMapped_t, numElements);
QNNPP_SAME_FIELD(BwAxisScaleOffsetMapped, scales, Qnn_BwAxisScaleOffsetMapped_t, scales);
QNNPP_SAME_FIELD(BwAxisScaleOffsetMapped, offsets, Qnn_BwAxisScaleOffsetMapped_t, offsets);
#endif
QNNPP_SAME_SIZE(BlockEncoding, Qnn_BlockEncoding_t);
QNNPP_SAME_FIELD(BlockEncoding, block_size, Qnn_BlockEncoding_t, blockSize);
QNNPP_SAME_FIELD(BlockEncoding, scale_offset, Qnn_BlockEncoding_t, scaleOffset);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_SIZE(BwBlockMapped, Qnn_BwBlockMapped_t);
QNNPP_SAME_FIELD(BwBlockMapped, bitwidth, Qnn_BwBlockMapped_t, bitwidth);
QNNPP_SAME_FIELD(BwBlockMapped, mapping, Qnn_BwBlockMapped_t, mapping);
QNNPP_SAME_FIELD(BwBlockMapped, block_size, Qnn_BwBlockMapped_t, blockSize);
QNNPP_SAME_FIELD(BwBlockMapped, scale_offset, Qnn_BwBlockMapped_t, scaleOffset);
#endif
QNNPP_SAME_VALUE(BlockwiseExpansionBlockScaleStorageType::v8, QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8);
QNNPP_SAME_VALUE(BlockwiseExpansionBlockScaleStorageType::v16, QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_16);
QNNPP_SAME_VALUE(BlockwiseExpansionBlockScaleStorageType::undefined, QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_UNDEFINED);
QNNPP_SAME_SIZE(BlockwiseExpansion, Qnn_BlockwiseExpansion_t);
QNNPP_SAME_FIELD(BlockwiseExpansion, axis, Qnn_BlockwiseExpansion_t, axis);
QNNPP_SAME_FIELD(BlockwiseExpansion, scale_offsets, Qnn_BlockwiseExpansion_t, scaleOffsets);
QNNPP_SAME_FIELD(BlockwiseExpansion, num_blocks_per_axis, Qnn_BlockwiseExpansion_t, numBlocksPerAxis);
QNNPP_SAME_FIELD(BlockwiseExpansion, block_scale_bitwidth, Qnn_BlockwiseExpansion_t, blockScaleBitwidth);
QNNPP_SAME_FIELD(BlockwiseExpansion, block_scale_storage_type, Qnn_BlockwiseExpansion_t, blockScaleStorageType);
QNNPP_SAME_FIELD(BlockwiseExpansion, blocks_scale8, Qnn_BlockwiseExpansion_t, blocksScale8);
QNNPP_SAME_FIELD(BlockwiseExpansion, blocks_scale16, Qnn_BlockwiseExpansion_t, blocksScale16);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_SIZE(BwBlockwiseExpansionMapped, Qnn_BwBlockwiseExpansionMapped_t);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, bitwidth, Qnn_BwBlockwiseExpansionMapped_t, bitwidth);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, mapping, Qnn_BwBlockwiseExpansionMapped_t, mapping);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, axis, Qnn_BwBlockwiseExpansionMapped_t, axis);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, scale_offsets, Qnn_BwBlockwiseExpansionMapped_t, scaleOffsets);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, num_blocks_per_axis, Qnn_BwBlockwiseExpansionMapped_t, numBlocksPerAxis);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, block_scale_bitwidth, Qnn_BwBlockwiseExpansionMapped_t, blockScaleBitwidth);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, block_scale_storage_type, Qnn_BwBlockwiseExpansionMapped_t, blockScaleStorageType);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, blocks_scale8, Qnn_BwBlockwiseExpansionMapped_t, blocksScale8);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, blocks_scale16, Qnn_BwBlockwiseExpansionMapped_t, blocksScale16);
#endif
QNNPP_SAME_SIZE(VectorEncoding, Qnn_VectorEncoding_t);
QNNPP_SAME_FIELD(VectorEncoding, bw_axis_scale_offset, Qnn_VectorEncoding_t, bwAxisScaleOffset);
QNNPP_SAME_FIELD(VectorEncoding, rows_per_block, Qnn_VectorEncoding_t, rowsPerBlock);
QNNPP_SAME_FIELD(VectorEncoding, columns_per_block, Qnn_VectorEncoding_t, columnsPerBlock);
QNNPP_SAME_FIELD(VectorEncoding, vector_dimension, Qnn_VectorEncoding_t, vectorDimension);
QNNPP_SAME_FIELD(VectorEncoding, vector_stride, Qnn_VectorEncoding_t, vectorStride);
QNNPP_SAME_FIELD(VectorEncoding, index_bitwidth, Qnn_VectorEncoding_t, indexBitwidth);
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_SIZE(FloatBlockEncoding, Qnn_FloatBlockEncoding_t);
QNNPP_SAME_FIELD(FloatBlockEncoding, block_size, Qnn_FloatBlockEncoding_t, blockSize);
QNNPP_SAME_FIELD(FloatBlockEncoding, float_scale_offset, Qnn_FloatBlockEncoding_t, floatScaleOffset);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_SIZE(BwFloatBlockEncoding, Qnn_BwFloatBlockEncoding_t);
QNNPP_SAME_FIELD(BwFloatBlockEncoding, bitwidth, Qnn_BwFloatBlockEncoding_t, bitwidth);
QNNPP_SAME_FIELD(BwFloatBlockEncoding, block_size, Qnn_BwFloatBlockEncoding_t, blockSize);
QNNPP_SAME_FIELD(BwFloatBlockEncoding, float_scale_offset, Qnn_BwFloatBlockEncoding_t, floatScaleOffset);
#endif
QNNPP_SAME_SIZE(QuantizeParams, Qnn_QuantizeParams_t);
QNNPP_SAME_FIELD(QuantizeParams, encoding_definition, Qnn_QuantizeParams_t, encodingDefinition);
QNNPP_SAME_FIELD(QuantizeParams, quantization_encoding, Qnn_QuantizeParams_t, quantizationEncoding);
QNNPP_SAME_FIELD(QuantizeParams, scale_offset_encoding, Qnn_QuantizeParams_t, scaleOffsetEncoding);
QNNPP_SAME_FIELD(QuantizeParams, axis_scale_offset_encoding, Qnn_QuantizeParams_t, axisScaleOffsetEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_scale_offset_encoding, Qnn_QuantizeParams_t, bwScaleOffsetEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_axis_scale_offset_encoding, Qnn_QuantizeParams_t, bwAxisScaleOffsetEncoding);
QNNPP_SAME_FIELD(QuantizeParams, block_encoding, Qnn_QuantizeParams_t, blockEncoding);
QNNPP_SAME_FIELD(QuantizeParams, blockwise_expansion, Qnn_QuantizeParams_t, blockwiseExpansion);
QNNPP_SAME_FIELD(QuantizeParams, vector_encoding, Qnn_QuantizeParams_t, vectorEncoding);
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(QuantizeParams, float_block_encoding, Qnn_QuantizeParams_t, floatBlockEncoding);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_FIELD(QuantizeParams, bw_axis_scale_offset_mapped_encoding, Qnn_QuantizeParams_t, bwAxisScaleOffsetMappedEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_block_mapped_encoding, Qnn_QuantizeParams_t, bwBlockMappedEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_blockwise_expansion_mapped_encoding, Qnn_QuantizeParams_t, bwBlockwiseExpansionMappedEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_float_block_encoding, Qnn_QuantizeParams_t, bwFloatBlockEncoding);
#endif

}  // namespace qnnpp::c_api

#endif
