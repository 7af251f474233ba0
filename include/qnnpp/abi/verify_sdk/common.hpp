// Part of verify_sdk.hpp; do not include it alone. Compares abi/common.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/common.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/common.hpp"

// clang-format off
namespace qnnpp::c_api {

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
#if QNN_API_VERSION_MINOR >= 37
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

}  // namespace qnnpp::c_api

#endif
