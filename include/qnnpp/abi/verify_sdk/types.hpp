// Part of verify_sdk.hpp; do not include it alone. Compares data types, quantization, tensors and
// ops.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/quantization.hpp"
#include "qnnpp/abi/soc_model.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

// common.hpp
QNNPP_SAME_SIZE(Version, Qnn_Version_t);
QNNPP_SAME_FIELD(Version, major, Qnn_Version_t, major);
QNNPP_SAME_FIELD(Version, minor, Qnn_Version_t, minor);
QNNPP_SAME_FIELD(Version, patch, Qnn_Version_t, patch);
QNNPP_SAME_SIZE(ApiVersion, Qnn_ApiVersion_t);
QNNPP_SAME_FIELD(ApiVersion, core_api_version, Qnn_ApiVersion_t, coreApiVersion);
QNNPP_SAME_FIELD(ApiVersion, backend_api_version, Qnn_ApiVersion_t, backendApiVersion);
QNNPP_SAME_VALUE(ErrorReportingLevel::brief, QNN_ERROR_REPORTING_LEVEL_BRIEF);
QNNPP_SAME_VALUE(ErrorReportingLevel::detailed, QNN_ERROR_REPORTING_LEVEL_DETAILED);
QNNPP_SAME_VALUE(ErrorReportingLevel::undefined, QNN_ERROR_REPORTING_LEVEL_UNDEFINED);
QNNPP_SAME_SIZE(ErrorReportingConfig, Qnn_ErrorReportingConfig_t);
QNNPP_SAME_FIELD(ErrorReportingConfig, reporting_level, Qnn_ErrorReportingConfig_t, reportingLevel);
QNNPP_SAME_FIELD(ErrorReportingConfig, storage_limit, Qnn_ErrorReportingConfig_t, storageLimit);
QNNPP_SAME_VALUE(Priority::low, QNN_PRIORITY_LOW);
QNNPP_SAME_VALUE(Priority::normal, QNN_PRIORITY_NORMAL);
QNNPP_SAME_VALUE(Priority::default_, QNN_PRIORITY_DEFAULT);
QNNPP_SAME_VALUE(Priority::normal_high, QNN_PRIORITY_NORMAL_HIGH);
QNNPP_SAME_VALUE(Priority::high, QNN_PRIORITY_HIGH);
QNNPP_SAME_VALUE(Priority::undefined, QNN_PRIORITY_UNDEFINED);
QNNPP_SAME_VALUE(DataType::int_8, QNN_DATATYPE_INT_8);
QNNPP_SAME_VALUE(DataType::int_16, QNN_DATATYPE_INT_16);
QNNPP_SAME_VALUE(DataType::int_32, QNN_DATATYPE_INT_32);
QNNPP_SAME_VALUE(DataType::int_64, QNN_DATATYPE_INT_64);
QNNPP_SAME_VALUE(DataType::uint_8, QNN_DATATYPE_UINT_8);
QNNPP_SAME_VALUE(DataType::uint_16, QNN_DATATYPE_UINT_16);
QNNPP_SAME_VALUE(DataType::uint_32, QNN_DATATYPE_UINT_32);
QNNPP_SAME_VALUE(DataType::uint_64, QNN_DATATYPE_UINT_64);
#if QNN_API_VERSION_MINOR >= 40
QNNPP_SAME_VALUE(DataType::float_4, QNN_DATATYPE_FLOAT_4);
QNNPP_SAME_VALUE(DataType::float_8, QNN_DATATYPE_FLOAT_8);
#endif
QNNPP_SAME_VALUE(DataType::float_16, QNN_DATATYPE_FLOAT_16);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_VALUE(DataType::bfloat_16, QNN_DATATYPE_BFLOAT_16);
#endif
QNNPP_SAME_VALUE(DataType::float_32, QNN_DATATYPE_FLOAT_32);
QNNPP_SAME_VALUE(DataType::float_64, QNN_DATATYPE_FLOAT_64);
QNNPP_SAME_VALUE(DataType::sfixed_point_4, QNN_DATATYPE_SFIXED_POINT_4);
QNNPP_SAME_VALUE(DataType::sfixed_point_8, QNN_DATATYPE_SFIXED_POINT_8);
QNNPP_SAME_VALUE(DataType::sfixed_point_16, QNN_DATATYPE_SFIXED_POINT_16);
QNNPP_SAME_VALUE(DataType::sfixed_point_32, QNN_DATATYPE_SFIXED_POINT_32);
QNNPP_SAME_VALUE(DataType::ufixed_point_4, QNN_DATATYPE_UFIXED_POINT_4);
QNNPP_SAME_VALUE(DataType::ufixed_point_8, QNN_DATATYPE_UFIXED_POINT_8);
QNNPP_SAME_VALUE(DataType::ufixed_point_16, QNN_DATATYPE_UFIXED_POINT_16);
QNNPP_SAME_VALUE(DataType::ufixed_point_32, QNN_DATATYPE_UFIXED_POINT_32);
QNNPP_SAME_VALUE(DataType::bool_8, QNN_DATATYPE_BOOL_8);
QNNPP_SAME_VALUE(DataType::string, QNN_DATATYPE_STRING);
QNNPP_SAME_VALUE(DataType::undefined, QNN_DATATYPE_UNDEFINED);
QNNPP_SAME_VALUE(Precision::float32, QNN_PRECISION_FLOAT32);
QNNPP_SAME_VALUE(Precision::float16, QNN_PRECISION_FLOAT16);
QNNPP_SAME_VALUE(Precision::undefined, QNN_PRECISION_UNDEFINED);
QNNPP_SAME_VALUE(Definition::impl_generated, QNN_DEFINITION_IMPL_GENERATED);
QNNPP_SAME_VALUE(Definition::defined, QNN_DEFINITION_DEFINED);
QNNPP_SAME_VALUE(Definition::undefined, QNN_DEFINITION_UNDEFINED);
QNNPP_SAME_SIZE(Scalar, Qnn_Scalar_t);
QNNPP_SAME_FIELD(Scalar, data_type, Qnn_Scalar_t, dataType);
QNNPP_SAME_FIELD(Scalar, float_value, Qnn_Scalar_t, floatValue);
QNNPP_SAME_FIELD(Scalar, double_value, Qnn_Scalar_t, doubleValue);
QNNPP_SAME_FIELD(Scalar, uint64_value, Qnn_Scalar_t, uint64Value);
QNNPP_SAME_FIELD(Scalar, int64_value, Qnn_Scalar_t, int64Value);
QNNPP_SAME_FIELD(Scalar, uint32_value, Qnn_Scalar_t, uint32Value);
QNNPP_SAME_FIELD(Scalar, int32_value, Qnn_Scalar_t, int32Value);
QNNPP_SAME_FIELD(Scalar, uint16_value, Qnn_Scalar_t, uint16Value);
QNNPP_SAME_FIELD(Scalar, int16_value, Qnn_Scalar_t, int16Value);
QNNPP_SAME_FIELD(Scalar, uint8_value, Qnn_Scalar_t, uint8Value);
QNNPP_SAME_FIELD(Scalar, int8_value, Qnn_Scalar_t, int8Value);
QNNPP_SAME_FIELD(Scalar, bool8_value, Qnn_Scalar_t, bool8Value);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_FIELD(Scalar, bfloat16_value, Qnn_Scalar_t, bfloat16Value);
#endif
QNNPP_SAME_FIELD(Scalar, string_value, Qnn_Scalar_t, stringValue);
QNNPP_SAME_SIZE(NotifyStatus, Qnn_NotifyStatus_t);
QNNPP_SAME_FIELD(NotifyStatus, error, Qnn_NotifyStatus_t, error);
QNNPP_SAME_SIZE(OpaqueObject, Qnn_OpaqueObject_t);
QNNPP_SAME_FIELD(OpaqueObject, data, Qnn_OpaqueObject_t, data);
QNNPP_SAME_FIELD(OpaqueObject, len, Qnn_OpaqueObject_t, len);

// soc_model.hpp
QNNPP_SAME_VALUE(SocModel::unknown, QNN_SOC_MODEL_UNKNOWN);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::sdm845, QNN_SOC_MODEL_SDM845);
QNNPP_SAME_VALUE(SocModel::sdm835, QNN_SOC_MODEL_SDM835);
QNNPP_SAME_VALUE(SocModel::sdm821, QNN_SOC_MODEL_SDM821);
QNNPP_SAME_VALUE(SocModel::sdm820, QNN_SOC_MODEL_SDM820);
QNNPP_SAME_VALUE(SocModel::sdm801, QNN_SOC_MODEL_SDM801);
QNNPP_SAME_VALUE(SocModel::sdm670, QNN_SOC_MODEL_SDM670);
QNNPP_SAME_VALUE(SocModel::sdm660, QNN_SOC_MODEL_SDM660);
QNNPP_SAME_VALUE(SocModel::sdm652, QNN_SOC_MODEL_SDM652);
QNNPP_SAME_VALUE(SocModel::sdm636, QNN_SOC_MODEL_SDM636);
QNNPP_SAME_VALUE(SocModel::sdm630, QNN_SOC_MODEL_SDM630);
QNNPP_SAME_VALUE(SocModel::sdm625, QNN_SOC_MODEL_SDM625);
QNNPP_SAME_VALUE(SocModel::sdm855, QNN_SOC_MODEL_SDM855);
QNNPP_SAME_VALUE(SocModel::sdm710, QNN_SOC_MODEL_SDM710);
QNNPP_SAME_VALUE(SocModel::sdm632, QNN_SOC_MODEL_SDM632);
QNNPP_SAME_VALUE(SocModel::sm6150, QNN_SOC_MODEL_SM6150);
QNNPP_SAME_VALUE(SocModel::sm7150, QNN_SOC_MODEL_SM7150);
QNNPP_SAME_VALUE(SocModel::qcs405, QNN_SOC_MODEL_QCS405);
QNNPP_SAME_VALUE(SocModel::sm6125, QNN_SOC_MODEL_SM6125);
QNNPP_SAME_VALUE(SocModel::qcs403, QNN_SOC_MODEL_QCS403);
QNNPP_SAME_VALUE(SocModel::sdm865, QNN_SOC_MODEL_SDM865);
QNNPP_SAME_VALUE(SocModel::ipq6018, QNN_SOC_MODEL_IPQ6018);
QNNPP_SAME_VALUE(SocModel::ipq6028, QNN_SOC_MODEL_IPQ6028);
QNNPP_SAME_VALUE(SocModel::sm7250, QNN_SOC_MODEL_SM7250);
QNNPP_SAME_VALUE(SocModel::sa8195, QNN_SOC_MODEL_SA8195);
QNNPP_SAME_VALUE(SocModel::sm6250, QNN_SOC_MODEL_SM6250);
QNNPP_SAME_VALUE(SocModel::sm4250, QNN_SOC_MODEL_SM4250);
QNNPP_SAME_VALUE(SocModel::sm6350, QNN_SOC_MODEL_SM6350);
#endif
QNNPP_SAME_VALUE(SocModel::sm8350, QNN_SOC_MODEL_SM8350);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::sm4350, QNN_SOC_MODEL_SM4350);
#endif
QNNPP_SAME_VALUE(SocModel::sm7350, QNN_SOC_MODEL_SM7350);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::qcs410, QNN_SOC_MODEL_QCS410);
#endif
QNNPP_SAME_VALUE(SocModel::sm8325, QNN_SOC_MODEL_SM8325);
QNNPP_SAME_VALUE(SocModel::sm7325, QNN_SOC_MODEL_SM7325);
QNNPP_SAME_VALUE(SocModel::sm8450, QNN_SOC_MODEL_SM8450);
QNNPP_SAME_VALUE(SocModel::sc8280x, QNN_SOC_MODEL_SC8280X);
QNNPP_SAME_VALUE(SocModel::sm7315, QNN_SOC_MODEL_SM7315);
QNNPP_SAME_VALUE(SocModel::sa8295, QNN_SOC_MODEL_SA8295);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::sm6225, QNN_SOC_MODEL_SM6225);
#endif
QNNPP_SAME_VALUE(SocModel::sm7450, QNN_SOC_MODEL_SM7450);
QNNPP_SAME_VALUE(SocModel::sm8475, QNN_SOC_MODEL_SM8475);
QNNPP_SAME_VALUE(SocModel::sm8550, QNN_SOC_MODEL_SM8550);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::sxr1230p, QNN_SOC_MODEL_SXR1230P);
QNNPP_SAME_VALUE(SocModel::ssg2115p, QNN_SOC_MODEL_SSG2115P);
QNNPP_SAME_VALUE(SocModel::stp6225p, QNN_SOC_MODEL_STP6225P);
QNNPP_SAME_VALUE(SocModel::qcs6125, QNN_SOC_MODEL_QCS6125);
QNNPP_SAME_VALUE(SocModel::qrb4210, QNN_SOC_MODEL_QRB4210);
#endif
QNNPP_SAME_VALUE(SocModel::sm6450, QNN_SOC_MODEL_SM6450);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::qcs7230, QNN_SOC_MODEL_QCS7230);
#endif
QNNPP_SAME_VALUE(SocModel::sa8255, QNN_SOC_MODEL_SA8255);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::sxr2230p, QNN_SOC_MODEL_SXR2230P);
#endif
QNNPP_SAME_VALUE(SocModel::sm7475, QNN_SOC_MODEL_SM7475);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::sm4375, QNN_SOC_MODEL_SM4375);
QNNPP_SAME_VALUE(SocModel::qcm4325, QNN_SOC_MODEL_QCM4325);
QNNPP_SAME_VALUE(SocModel::sm8650, QNN_SOC_MODEL_SM8650);
QNNPP_SAME_VALUE(SocModel::ssg2125p, QNN_SOC_MODEL_SSG2125P);
#endif
QNNPP_SAME_VALUE(SocModel::sm4450, QNN_SOC_MODEL_SM4450);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(SocModel::sc8380xp, QNN_SOC_MODEL_SC8380XP);
QNNPP_SAME_VALUE(SocModel::sm7435, QNN_SOC_MODEL_SM7435);
QNNPP_SAME_VALUE(SocModel::sa8540, QNN_SOC_MODEL_SA8540);
QNNPP_SAME_VALUE(SocModel::aic100, QNN_SOC_MODEL_AIC100);
QNNPP_SAME_VALUE(SocModel::sm7550, QNN_SOC_MODEL_SM7550);
QNNPP_SAME_VALUE(SocModel::sm6450q, QNN_SOC_MODEL_SM6450Q);
QNNPP_SAME_VALUE(SocModel::qcs8550, QNN_SOC_MODEL_QCS8550);
QNNPP_SAME_VALUE(SocModel::sa8620p, QNN_SOC_MODEL_SA8620P);
QNNPP_SAME_VALUE(SocModel::sm8635, QNN_SOC_MODEL_SM8635);
QNNPP_SAME_VALUE(SocModel::sm8750, QNN_SOC_MODEL_SM8750);
QNNPP_SAME_VALUE(SocModel::sm7675, QNN_SOC_MODEL_SM7675);
QNNPP_SAME_VALUE(SocModel::sm4635, QNN_SOC_MODEL_SM4635);
QNNPP_SAME_VALUE(SocModel::sa8797, QNN_SOC_MODEL_SA8797);
QNNPP_SAME_VALUE(SocModel::sm7635, QNN_SOC_MODEL_SM7635);
QNNPP_SAME_VALUE(SocModel::sm6650, QNN_SOC_MODEL_SM6650);
QNNPP_SAME_VALUE(SocModel::sxr2330p, QNN_SOC_MODEL_SXR2330P);
QNNPP_SAME_VALUE(SocModel::sm6475, QNN_SOC_MODEL_SM6475);
QNNPP_SAME_VALUE(SocModel::qcs9100, QNN_SOC_MODEL_QCS9100);
QNNPP_SAME_VALUE(SocModel::qcm6690, QNN_SOC_MODEL_QCM6690);
QNNPP_SAME_VALUE(SocModel::ipq9574, QNN_SOC_MODEL_IPQ9574);
QNNPP_SAME_VALUE(SocModel::ipq5404, QNN_SOC_MODEL_IPQ5404);
QNNPP_SAME_VALUE(SocModel::ipq5424, QNN_SOC_MODEL_IPQ5424);
QNNPP_SAME_VALUE(SocModel::qcs8300, QNN_SOC_MODEL_QCS8300);
QNNPP_SAME_VALUE(SocModel::qcs2290, QNN_SOC_MODEL_QCS2290);
QNNPP_SAME_VALUE(SocModel::sa525m, QNN_SOC_MODEL_SA525M);
QNNPP_SAME_VALUE(SocModel::sm8735, QNN_SOC_MODEL_SM8735);
QNNPP_SAME_VALUE(SocModel::sm7750, QNN_SOC_MODEL_SM7750);
QNNPP_SAME_VALUE(SocModel::sm8850, QNN_SOC_MODEL_SM8850);
QNNPP_SAME_VALUE(SocModel::dynamic_sdm, QNN_SOC_MODEL_DYNAMIC_SDM);
#endif

// quantization.hpp
QNNPP_SAME_VALUE(QuantizationEncoding::scale_offset, QNN_QUANTIZATION_ENCODING_SCALE_OFFSET);
QNNPP_SAME_VALUE(QuantizationEncoding::axis_scale_offset,
                 QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_scale_offset, QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_axis_scale_offset,
                 QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET);
QNNPP_SAME_VALUE(QuantizationEncoding::block, QNN_QUANTIZATION_ENCODING_BLOCK);
QNNPP_SAME_VALUE(QuantizationEncoding::blockwise_expansion,
                 QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION);
QNNPP_SAME_VALUE(QuantizationEncoding::vector, QNN_QUANTIZATION_ENCODING_VECTOR);
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(QuantizationEncoding::float_block, QNN_QUANTIZATION_ENCODING_FLOAT_BLOCK);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_VALUE(QuantizationEncoding::bw_axis_scale_offset_mapped,
                 QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET_MAPPED);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_block_mapped, QNN_QUANTIZATION_ENCODING_BW_BLOCK_MAPPED);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_blockwise_expansion_mapped,
                 QNN_QUANTIZATION_ENCODING_BW_BLOCKWISE_EXPANSION_MAPPED);
QNNPP_SAME_VALUE(QuantizationEncoding::bw_float_block, QNN_QUANTIZATION_ENCODING_BW_FLOAT_BLOCK);
#endif
QNNPP_SAME_VALUE(QuantizationEncoding::undefined, QNN_QUANTIZATION_ENCODING_UNDEFINED);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_VALUE(QuantizationEncodingMapping::standard_symmetric,
                 QNN_QUANTIZATION_ENCODING_MAPPING_STANDARD_SYMMETRIC);
QNNPP_SAME_VALUE(QuantizationEncodingMapping::asymmetric_plus_one,
                 QNN_QUANTIZATION_ENCODING_MAPPING_ASYMMETRIC_PLUS_ONE);
QNNPP_SAME_VALUE(QuantizationEncodingMapping::linear_symmetric_exclude_zero,
                 QNN_QUANTIZATION_ENCODING_MAPPING_LINEAR_SYMMETRIC_EXCLUDE_ZERO);
QNNPP_SAME_VALUE(QuantizationEncodingMapping::undefined,
                 QNN_QUANTIZATION_ENCODING_MAPPING_UNDEFINED);
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
QNNPP_SAME_VALUE(BlockwiseExpansionBlockScaleStorageType::v8,
                 QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8);
QNNPP_SAME_VALUE(BlockwiseExpansionBlockScaleStorageType::v16,
                 QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_16);
QNNPP_SAME_VALUE(BlockwiseExpansionBlockScaleStorageType::undefined,
                 QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_UNDEFINED);
QNNPP_SAME_SIZE(BlockwiseExpansion, Qnn_BlockwiseExpansion_t);
QNNPP_SAME_FIELD(BlockwiseExpansion, axis, Qnn_BlockwiseExpansion_t, axis);
QNNPP_SAME_FIELD(BlockwiseExpansion, scale_offsets, Qnn_BlockwiseExpansion_t, scaleOffsets);
QNNPP_SAME_FIELD(BlockwiseExpansion, num_blocks_per_axis, Qnn_BlockwiseExpansion_t,
                 numBlocksPerAxis);
QNNPP_SAME_FIELD(BlockwiseExpansion, block_scale_bitwidth, Qnn_BlockwiseExpansion_t,
                 blockScaleBitwidth);
QNNPP_SAME_FIELD(BlockwiseExpansion, block_scale_storage_type, Qnn_BlockwiseExpansion_t,
                 blockScaleStorageType);
QNNPP_SAME_FIELD(BlockwiseExpansion, blocks_scale8, Qnn_BlockwiseExpansion_t, blocksScale8);
QNNPP_SAME_FIELD(BlockwiseExpansion, blocks_scale16, Qnn_BlockwiseExpansion_t, blocksScale16);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_SIZE(BwBlockwiseExpansionMapped, Qnn_BwBlockwiseExpansionMapped_t);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, bitwidth, Qnn_BwBlockwiseExpansionMapped_t, bitwidth);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, mapping, Qnn_BwBlockwiseExpansionMapped_t, mapping);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, axis, Qnn_BwBlockwiseExpansionMapped_t, axis);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, scale_offsets, Qnn_BwBlockwiseExpansionMapped_t,
                 scaleOffsets);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, num_blocks_per_axis, Qnn_BwBlockwiseExpansionMapped_t,
                 numBlocksPerAxis);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, block_scale_bitwidth, Qnn_BwBlockwiseExpansionMapped_t,
                 blockScaleBitwidth);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, block_scale_storage_type,
                 Qnn_BwBlockwiseExpansionMapped_t, blockScaleStorageType);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, blocks_scale8, Qnn_BwBlockwiseExpansionMapped_t,
                 blocksScale8);
QNNPP_SAME_FIELD(BwBlockwiseExpansionMapped, blocks_scale16, Qnn_BwBlockwiseExpansionMapped_t,
                 blocksScale16);
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
QNNPP_SAME_FIELD(FloatBlockEncoding, float_scale_offset, Qnn_FloatBlockEncoding_t,
                 floatScaleOffset);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_SIZE(BwFloatBlockEncoding, Qnn_BwFloatBlockEncoding_t);
QNNPP_SAME_FIELD(BwFloatBlockEncoding, bitwidth, Qnn_BwFloatBlockEncoding_t, bitwidth);
QNNPP_SAME_FIELD(BwFloatBlockEncoding, block_size, Qnn_BwFloatBlockEncoding_t, blockSize);
QNNPP_SAME_FIELD(BwFloatBlockEncoding, float_scale_offset, Qnn_BwFloatBlockEncoding_t,
                 floatScaleOffset);
#endif
QNNPP_SAME_SIZE(QuantizeParams, Qnn_QuantizeParams_t);
QNNPP_SAME_FIELD(QuantizeParams, encoding_definition, Qnn_QuantizeParams_t, encodingDefinition);
QNNPP_SAME_FIELD(QuantizeParams, quantization_encoding, Qnn_QuantizeParams_t, quantizationEncoding);
QNNPP_SAME_FIELD(QuantizeParams, scale_offset_encoding, Qnn_QuantizeParams_t, scaleOffsetEncoding);
QNNPP_SAME_FIELD(QuantizeParams, axis_scale_offset_encoding, Qnn_QuantizeParams_t,
                 axisScaleOffsetEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_scale_offset_encoding, Qnn_QuantizeParams_t,
                 bwScaleOffsetEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_axis_scale_offset_encoding, Qnn_QuantizeParams_t,
                 bwAxisScaleOffsetEncoding);
QNNPP_SAME_FIELD(QuantizeParams, block_encoding, Qnn_QuantizeParams_t, blockEncoding);
QNNPP_SAME_FIELD(QuantizeParams, blockwise_expansion, Qnn_QuantizeParams_t, blockwiseExpansion);
QNNPP_SAME_FIELD(QuantizeParams, vector_encoding, Qnn_QuantizeParams_t, vectorEncoding);
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(QuantizeParams, float_block_encoding, Qnn_QuantizeParams_t, floatBlockEncoding);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_FIELD(QuantizeParams, bw_axis_scale_offset_mapped_encoding, Qnn_QuantizeParams_t,
                 bwAxisScaleOffsetMappedEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_block_mapped_encoding, Qnn_QuantizeParams_t,
                 bwBlockMappedEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_blockwise_expansion_mapped_encoding, Qnn_QuantizeParams_t,
                 bwBlockwiseExpansionMappedEncoding);
QNNPP_SAME_FIELD(QuantizeParams, bw_float_block_encoding, Qnn_QuantizeParams_t,
                 bwFloatBlockEncoding);
#endif

// tensor.hpp
QNNPP_SAME_VALUE(TensorType::app_write, QNN_TENSOR_TYPE_APP_WRITE);
QNNPP_SAME_VALUE(TensorType::app_read, QNN_TENSOR_TYPE_APP_READ);
QNNPP_SAME_VALUE(TensorType::app_readwrite, QNN_TENSOR_TYPE_APP_READWRITE);
QNNPP_SAME_VALUE(TensorType::native, QNN_TENSOR_TYPE_NATIVE);
QNNPP_SAME_VALUE(TensorType::static_, QNN_TENSOR_TYPE_STATIC);
QNNPP_SAME_VALUE(TensorType::null_, QNN_TENSOR_TYPE_NULL);
QNNPP_SAME_VALUE(TensorType::updateable_static, QNN_TENSOR_TYPE_UPDATEABLE_STATIC);
QNNPP_SAME_VALUE(TensorType::updateable_native, QNN_TENSOR_TYPE_UPDATEABLE_NATIVE);
QNNPP_SAME_VALUE(TensorType::updateable_app_write, QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE);
QNNPP_SAME_VALUE(TensorType::updateable_app_read, QNN_TENSOR_TYPE_UPDATEABLE_APP_READ);
QNNPP_SAME_VALUE(TensorType::updateable_app_readwrite, QNN_TENSOR_TYPE_UPDATEABLE_APP_READWRITE);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(TensorType::optional_app_write, QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE);
QNNPP_SAME_VALUE(TensorType::optional_app_read, QNN_TENSOR_TYPE_OPTIONAL_APP_READ);
QNNPP_SAME_VALUE(TensorType::optional_app_readwrite, QNN_TENSOR_TYPE_OPTIONAL_APP_READWRITE);
#endif
QNNPP_SAME_VALUE(TensorType::undefined, QNN_TENSOR_TYPE_UNDEFINED);
QNNPP_SAME_VALUE(TensorMemType::raw, QNN_TENSORMEMTYPE_RAW);
QNNPP_SAME_VALUE(TensorMemType::memhandle, QNN_TENSORMEMTYPE_MEMHANDLE);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(TensorMemType::retrieve_raw, QNN_TENSORMEMTYPE_RETRIEVE_RAW);
#endif
QNNPP_SAME_VALUE(TensorMemType::undefined, QNN_TENSORMEMTYPE_UNDEFINED);
QNNPP_SAME_SIZE(ClientBuffer, Qnn_ClientBuffer_t);
QNNPP_SAME_FIELD(ClientBuffer, data, Qnn_ClientBuffer_t, data);
QNNPP_SAME_FIELD(ClientBuffer, data_size, Qnn_ClientBuffer_t, dataSize);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_SIZE(TensorRetrieveRaw, Qnn_TensorRetrieveRaw_t);
QNNPP_SAME_FIELD(TensorRetrieveRaw, get_tensor_data, Qnn_TensorRetrieveRaw_t, getTensorData);
QNNPP_SAME_FIELD(TensorRetrieveRaw, free_tensor_data, Qnn_TensorRetrieveRaw_t, freeTensorData);
#endif
QNNPP_SAME_VALUE(TensorVersion::v1, QNN_TENSOR_VERSION_1);
QNNPP_SAME_VALUE(TensorVersion::v2, QNN_TENSOR_VERSION_2);
QNNPP_SAME_VALUE(TensorVersion::undefined, QNN_TENSOR_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(TensorV1, Qnn_TensorV1_t);
QNNPP_SAME_FIELD(TensorV1, id, Qnn_TensorV1_t, id);
QNNPP_SAME_FIELD(TensorV1, name, Qnn_TensorV1_t, name);
QNNPP_SAME_FIELD(TensorV1, type, Qnn_TensorV1_t, type);
QNNPP_SAME_FIELD(TensorV1, data_format, Qnn_TensorV1_t, dataFormat);
QNNPP_SAME_FIELD(TensorV1, data_type, Qnn_TensorV1_t, dataType);
QNNPP_SAME_FIELD(TensorV1, quantize_params, Qnn_TensorV1_t, quantizeParams);
QNNPP_SAME_FIELD(TensorV1, rank, Qnn_TensorV1_t, rank);
QNNPP_SAME_FIELD(TensorV1, dimensions, Qnn_TensorV1_t, dimensions);
QNNPP_SAME_FIELD(TensorV1, mem_type, Qnn_TensorV1_t, memType);
QNNPP_SAME_FIELD(TensorV1, client_buf, Qnn_TensorV1_t, clientBuf);
QNNPP_SAME_FIELD(TensorV1, mem_handle, Qnn_TensorV1_t, memHandle);
QNNPP_SAME_VALUE(SparseLayoutType::hybrid_coo, QNN_SPARSE_LAYOUT_HYBRID_COO);
QNNPP_SAME_VALUE(SparseLayoutType::undefined, QNN_SPARSE_LAYOUT_UNDEFINED);
QNNPP_SAME_SIZE(SparseLayoutHybridCoo, Qnn_SparseLayoutHybridCoo_t);
QNNPP_SAME_FIELD(SparseLayoutHybridCoo, num_specified_elements, Qnn_SparseLayoutHybridCoo_t,
                 numSpecifiedElements);
QNNPP_SAME_FIELD(SparseLayoutHybridCoo, num_sparse_dimensions, Qnn_SparseLayoutHybridCoo_t,
                 numSparseDimensions);
QNNPP_SAME_SIZE(SparseParams, Qnn_SparseParams_t);
QNNPP_SAME_FIELD(SparseParams, type, Qnn_SparseParams_t, type);
QNNPP_SAME_FIELD(SparseParams, hybrid_coo, Qnn_SparseParams_t, hybridCoo);
QNNPP_SAME_SIZE(TensorV2, Qnn_TensorV2_t);
QNNPP_SAME_FIELD(TensorV2, id, Qnn_TensorV2_t, id);
QNNPP_SAME_FIELD(TensorV2, name, Qnn_TensorV2_t, name);
QNNPP_SAME_FIELD(TensorV2, type, Qnn_TensorV2_t, type);
QNNPP_SAME_FIELD(TensorV2, data_format, Qnn_TensorV2_t, dataFormat);
QNNPP_SAME_FIELD(TensorV2, data_type, Qnn_TensorV2_t, dataType);
QNNPP_SAME_FIELD(TensorV2, quantize_params, Qnn_TensorV2_t, quantizeParams);
QNNPP_SAME_FIELD(TensorV2, rank, Qnn_TensorV2_t, rank);
QNNPP_SAME_FIELD(TensorV2, dimensions, Qnn_TensorV2_t, dimensions);
QNNPP_SAME_FIELD(TensorV2, mem_type, Qnn_TensorV2_t, memType);
QNNPP_SAME_FIELD(TensorV2, client_buf, Qnn_TensorV2_t, clientBuf);
QNNPP_SAME_FIELD(TensorV2, mem_handle, Qnn_TensorV2_t, memHandle);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_FIELD(TensorV2, retrieve_raw, Qnn_TensorV2_t, retrieveRaw);
#endif
QNNPP_SAME_FIELD(TensorV2, is_dynamic_dimensions, Qnn_TensorV2_t, isDynamicDimensions);
QNNPP_SAME_FIELD(TensorV2, sparse_params, Qnn_TensorV2_t, sparseParams);
QNNPP_SAME_FIELD(TensorV2, is_produced, Qnn_TensorV2_t, isProduced);
QNNPP_SAME_SIZE(Tensor, Qnn_Tensor_t);
QNNPP_SAME_FIELD(Tensor, version, Qnn_Tensor_t, version);
QNNPP_SAME_FIELD(Tensor, v1, Qnn_Tensor_t, v1);
QNNPP_SAME_FIELD(Tensor, v2, Qnn_Tensor_t, v2);
QNNPP_SAME_VALUE(TensorSetVersion::v1, QNN_TENSOR_SET_VERSION_1);
QNNPP_SAME_VALUE(TensorSetVersion::undefined, QNN_TENSOR_SET_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(TensorSetV1, Qnn_TensorSetV1_t);
QNNPP_SAME_FIELD(TensorSetV1, num_inputs, Qnn_TensorSetV1_t, numInputs);
QNNPP_SAME_FIELD(TensorSetV1, inputs, Qnn_TensorSetV1_t, inputs);
QNNPP_SAME_FIELD(TensorSetV1, num_outputs, Qnn_TensorSetV1_t, numOutputs);
QNNPP_SAME_FIELD(TensorSetV1, outputs, Qnn_TensorSetV1_t, outputs);
QNNPP_SAME_SIZE(TensorSet, Qnn_TensorSet_t);
QNNPP_SAME_FIELD(TensorSet, version, Qnn_TensorSet_t, version);
QNNPP_SAME_FIELD(TensorSet, v1, Qnn_TensorSet_t, v1);

// tensor.hpp: tensor_data_format
#if defined(QNN_TENSOR_DATA_FORMAT_DENSE)
QNNPP_SAME_VALUE(tensor_data_format::dense, QNN_TENSOR_DATA_FORMAT_DENSE);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER)
QNNPP_SAME_VALUE(tensor_data_format::flat_buffer, QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_SPARSE)
QNNPP_SAME_VALUE(tensor_data_format::sparse, QNN_TENSOR_DATA_FORMAT_SPARSE);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_CODEBOOK)
QNNPP_SAME_VALUE(tensor_data_format::codebook, QNN_TENSOR_DATA_FORMAT_CODEBOOK);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_MX)
QNNPP_SAME_VALUE(tensor_data_format::mx, QNN_TENSOR_DATA_FORMAT_MX);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_rgba8888, QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12, QNN_TENSOR_DATA_FORMAT_UBWC_NV12);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12_y, QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12_uv, QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT)
QNNPP_SAME_VALUE(tensor_data_format::hmx_weight_layout, QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV124R)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv124r, QNN_TENSOR_DATA_FORMAT_UBWC_NV124R);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_Y)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv124r_y, QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_Y);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_UV)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv124r_uv, QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_UV);
#endif

// op.hpp
QNNPP_SAME_VALUE(ParamType::scalar, QNN_PARAMTYPE_SCALAR);
QNNPP_SAME_VALUE(ParamType::tensor, QNN_PARAMTYPE_TENSOR);
QNNPP_SAME_VALUE(ParamType::undefined, QNN_PARAMTYPE_UNDEFINED);
QNNPP_SAME_SIZE(Param, Qnn_Param_t);
QNNPP_SAME_FIELD(Param, param_type, Qnn_Param_t, paramType);
QNNPP_SAME_FIELD(Param, name, Qnn_Param_t, name);
QNNPP_SAME_FIELD(Param, scalar_param, Qnn_Param_t, scalarParam);
QNNPP_SAME_FIELD(Param, tensor_param, Qnn_Param_t, tensorParam);
QNNPP_SAME_VALUE(OpConfigVersion::v1, QNN_OPCONFIG_VERSION_1);
QNNPP_SAME_VALUE(OpConfigVersion::undefined, QNN_OPCONFIG_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(OpConfigV1, Qnn_OpConfigV1_t);
QNNPP_SAME_FIELD(OpConfigV1, name, Qnn_OpConfigV1_t, name);
QNNPP_SAME_FIELD(OpConfigV1, package_name, Qnn_OpConfigV1_t, packageName);
QNNPP_SAME_FIELD(OpConfigV1, type_name, Qnn_OpConfigV1_t, typeName);
QNNPP_SAME_FIELD(OpConfigV1, num_of_params, Qnn_OpConfigV1_t, numOfParams);
QNNPP_SAME_FIELD(OpConfigV1, params, Qnn_OpConfigV1_t, params);
QNNPP_SAME_FIELD(OpConfigV1, num_of_inputs, Qnn_OpConfigV1_t, numOfInputs);
QNNPP_SAME_FIELD(OpConfigV1, input_tensors, Qnn_OpConfigV1_t, inputTensors);
QNNPP_SAME_FIELD(OpConfigV1, num_of_outputs, Qnn_OpConfigV1_t, numOfOutputs);
QNNPP_SAME_FIELD(OpConfigV1, output_tensors, Qnn_OpConfigV1_t, outputTensors);
QNNPP_SAME_SIZE(OpConfig, Qnn_OpConfig_t);
QNNPP_SAME_FIELD(OpConfig, version, Qnn_OpConfig_t, version);
QNNPP_SAME_FIELD(OpConfig, v1, Qnn_OpConfig_t, v1);

}  // namespace qnnpp::c_api

#endif
