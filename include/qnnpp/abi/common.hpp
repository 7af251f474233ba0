#pragma once

#include <cstddef>
#include <cstdint>

namespace qnnpp::abi {

using ErrorHandle = std::uint64_t;
using ContextBinarySize = std::uint64_t;

struct OpaqueLog;
using LogHandle = OpaqueLog*;
struct OpaqueBackend;
using BackendHandle = OpaqueBackend*;
struct OpaqueDevice;
using DeviceHandle = OpaqueDevice*;
struct OpaqueContext;
using ContextHandle = OpaqueContext*;
struct OpaqueGraph;
using GraphHandle = OpaqueGraph*;
struct OpaqueMem;
using MemHandle = OpaqueMem*;
struct OpaqueProfile;
using ProfileHandle = OpaqueProfile*;
struct OpaqueSignal;
using SignalHandle = OpaqueSignal*;

/// Qnn_Version_t.
struct Version {
  std::uint32_t major;
  std::uint32_t minor;
  std::uint32_t patch;
};
static_assert(sizeof(Version) == 12 && alignof(Version) == 4);
static_assert(offsetof(Version, major) == 0);
static_assert(offsetof(Version, minor) == 4);
static_assert(offsetof(Version, patch) == 8);

/// Qnn_ApiVersion_t.
struct ApiVersion {
  Version core_api_version;
  Version backend_api_version;
};
static_assert(sizeof(ApiVersion) == 24 && alignof(ApiVersion) == 4);
static_assert(offsetof(ApiVersion, core_api_version) == 0);
static_assert(offsetof(ApiVersion, backend_api_version) == 12);

/// Qnn_ErrorReportingLevel_t.
enum class ErrorReportingLevel : std::uint32_t {
  brief = 0,
  detailed = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ErrorReportingLevel::brief) == 0u);
static_assert(std::uint32_t(ErrorReportingLevel::detailed) == 1u);
static_assert(std::uint32_t(ErrorReportingLevel::undefined) == 0x7FFFFFFFu);

/// Qnn_ErrorReportingConfig_t.
struct ErrorReportingConfig {
  ErrorReportingLevel reporting_level;
  std::uint32_t storage_limit;
};
static_assert(sizeof(ErrorReportingConfig) == 8 && alignof(ErrorReportingConfig) == 4);
static_assert(offsetof(ErrorReportingConfig, reporting_level) == 0);
static_assert(offsetof(ErrorReportingConfig, storage_limit) == 4);

/// Qnn_Priority_t.
enum class Priority : std::uint32_t {
  low = 0,
  normal = 100,
  default_ = 100,
  normal_high = 150,
  high = 200,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(Priority::low) == 0u);
static_assert(std::uint32_t(Priority::normal) == 100u);
static_assert(std::uint32_t(Priority::default_) == 100u);
static_assert(std::uint32_t(Priority::normal_high) == 150u);
static_assert(std::uint32_t(Priority::high) == 200u);
static_assert(std::uint32_t(Priority::undefined) == 0x7FFFFFFFu);

/// Qnn_DataType_t.
enum class DataType : std::uint32_t {
  int_8 = 8,
  int_16 = 22,
  int_32 = 50,
  int_64 = 100,
  uint_8 = 264,
  uint_16 = 278,
  uint_32 = 306,
  uint_64 = 356,
  float_16 = 534,
  bfloat_16 = 550,
  float_32 = 562,
  float_64 = 612,
  sfixed_point_4 = 772,
  sfixed_point_8 = 776,
  sfixed_point_16 = 790,
  sfixed_point_32 = 818,
  ufixed_point_4 = 1028,
  ufixed_point_8 = 1032,
  ufixed_point_16 = 1046,
  ufixed_point_32 = 1074,
  bool_8 = 1288,
  string = 1544,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(DataType::int_8) == 8u);
static_assert(std::uint32_t(DataType::int_16) == 22u);
static_assert(std::uint32_t(DataType::int_32) == 50u);
static_assert(std::uint32_t(DataType::int_64) == 100u);
static_assert(std::uint32_t(DataType::uint_8) == 264u);
static_assert(std::uint32_t(DataType::uint_16) == 278u);
static_assert(std::uint32_t(DataType::uint_32) == 306u);
static_assert(std::uint32_t(DataType::uint_64) == 356u);
static_assert(std::uint32_t(DataType::float_16) == 534u);
static_assert(std::uint32_t(DataType::bfloat_16) == 550u);
static_assert(std::uint32_t(DataType::float_32) == 562u);
static_assert(std::uint32_t(DataType::float_64) == 612u);
static_assert(std::uint32_t(DataType::sfixed_point_4) == 772u);
static_assert(std::uint32_t(DataType::sfixed_point_8) == 776u);
static_assert(std::uint32_t(DataType::sfixed_point_16) == 790u);
static_assert(std::uint32_t(DataType::sfixed_point_32) == 818u);
static_assert(std::uint32_t(DataType::ufixed_point_4) == 1028u);
static_assert(std::uint32_t(DataType::ufixed_point_8) == 1032u);
static_assert(std::uint32_t(DataType::ufixed_point_16) == 1046u);
static_assert(std::uint32_t(DataType::ufixed_point_32) == 1074u);
static_assert(std::uint32_t(DataType::bool_8) == 1288u);
static_assert(std::uint32_t(DataType::string) == 1544u);
static_assert(std::uint32_t(DataType::undefined) == 0x7FFFFFFFu);

/// Qnn_Precision_t.
enum class Precision : std::uint32_t {
  float32 = 0,
  float16 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(Precision::float32) == 0u);
static_assert(std::uint32_t(Precision::float16) == 1u);
static_assert(std::uint32_t(Precision::undefined) == 0x7FFFFFFFu);

/// Qnn_Definition_t.
enum class Definition : std::uint32_t {
  impl_generated = 0,
  defined = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(Definition::impl_generated) == 0u);
static_assert(std::uint32_t(Definition::defined) == 1u);
static_assert(std::uint32_t(Definition::undefined) == 0x7FFFFFFFu);

/// Qnn_Scalar_t.
struct Scalar {
  DataType data_type;
  union {
    float float_value;
    double double_value;
    std::uint64_t uint64_value;
    std::int64_t int64_value;
    std::uint32_t uint32_value;
    std::int32_t int32_value;
    std::uint16_t uint16_value;
    std::int16_t int16_value;
    std::uint8_t uint8_value;
    std::int8_t int8_value;
    std::uint8_t bool8_value;
    std::int16_t bfloat16_value;
    const char* string_value;
  };
};
static_assert(sizeof(Scalar) == 16 && alignof(Scalar) == 8);
static_assert(offsetof(Scalar, data_type) == 0);
static_assert(offsetof(Scalar, float_value) == 8);
static_assert(offsetof(Scalar, double_value) == 8);
static_assert(offsetof(Scalar, uint64_value) == 8);
static_assert(offsetof(Scalar, int64_value) == 8);
static_assert(offsetof(Scalar, uint32_value) == 8);
static_assert(offsetof(Scalar, int32_value) == 8);
static_assert(offsetof(Scalar, uint16_value) == 8);
static_assert(offsetof(Scalar, int16_value) == 8);
static_assert(offsetof(Scalar, uint8_value) == 8);
static_assert(offsetof(Scalar, int8_value) == 8);
static_assert(offsetof(Scalar, bool8_value) == 8);
static_assert(offsetof(Scalar, bfloat16_value) == 8);
static_assert(offsetof(Scalar, string_value) == 8);

/// Qnn_SocModel_t.
enum class SocModel : std::uint32_t {
  unknown = 0,
  sdm845 = 1,
  sdm835 = 2,
  sdm821 = 3,
  sdm820 = 4,
  sdm801 = 5,
  sdm670 = 6,
  sdm660 = 7,
  sdm652 = 8,
  sdm636 = 9,
  sdm630 = 10,
  sdm625 = 11,
  sdm855 = 12,
  sdm710 = 13,
  sdm632 = 15,
  sm6150 = 16,
  sm7150 = 17,
  qcs405 = 18,
  sm6125 = 19,
  qcs403 = 20,
  sdm865 = 21,
  ipq6018 = 23,
  ipq6028 = 24,
  sm7250 = 25,
  sa8195 = 26,
  sm6250 = 27,
  sm4250 = 28,
  sm6350 = 29,
  sm8350 = 30,
  sm4350 = 31,
  sm7350 = 32,
  qcs410 = 33,
  sm8325 = 34,
  sm7325 = 35,
  sm8450 = 36,
  sc8280x = 37,
  sm7315 = 38,
  sa8295 = 39,
  sm6225 = 40,
  sm7450 = 41,
  sm8475 = 42,
  sm8550 = 43,
  sxr1230p = 45,
  ssg2115p = 46,
  stp6225p = 47,
  qcs6125 = 48,
  qrb4210 = 49,
  sm6450 = 50,
  qcs7230 = 51,
  sa8255 = 52,
  sxr2230p = 53,
  sm7475 = 54,
  sm4375 = 55,
  qcm4325 = 56,
  sm8650 = 57,
  ssg2125p = 58,
  sm4450 = 59,
  sc8380xp = 60,
  sm7435 = 61,
  sa8540 = 62,
  aic100 = 63,
  sm7550 = 64,
  sm6450q = 65,
  qcs8550 = 66,
  sa8620p = 67,
  sm8635 = 68,
  sm8750 = 69,
  sm7675 = 70,
  sm4635 = 71,
  sa8797 = 72,
  sm7635 = 73,
  sm6650 = 74,
  sxr2330p = 75,
  sm6475 = 76,
  qcs9100 = 77,
  qcm6690 = 78,
  ipq9574 = 79,
  ipq5404 = 80,
  ipq5424 = 81,
  qcs8300 = 82,
  qcs2290 = 83,
  sa525m = 84,
  sm8735 = 85,
  sm7750 = 86,
  sm8850 = 87,
  dynamic_sdm = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SocModel::unknown) == 0u);
static_assert(std::uint32_t(SocModel::sdm845) == 1u);
static_assert(std::uint32_t(SocModel::sdm835) == 2u);
static_assert(std::uint32_t(SocModel::sdm821) == 3u);
static_assert(std::uint32_t(SocModel::sdm820) == 4u);
static_assert(std::uint32_t(SocModel::sdm801) == 5u);
static_assert(std::uint32_t(SocModel::sdm670) == 6u);
static_assert(std::uint32_t(SocModel::sdm660) == 7u);
static_assert(std::uint32_t(SocModel::sdm652) == 8u);
static_assert(std::uint32_t(SocModel::sdm636) == 9u);
static_assert(std::uint32_t(SocModel::sdm630) == 10u);
static_assert(std::uint32_t(SocModel::sdm625) == 11u);
static_assert(std::uint32_t(SocModel::sdm855) == 12u);
static_assert(std::uint32_t(SocModel::sdm710) == 13u);
static_assert(std::uint32_t(SocModel::sdm632) == 15u);
static_assert(std::uint32_t(SocModel::sm6150) == 16u);
static_assert(std::uint32_t(SocModel::sm7150) == 17u);
static_assert(std::uint32_t(SocModel::qcs405) == 18u);
static_assert(std::uint32_t(SocModel::sm6125) == 19u);
static_assert(std::uint32_t(SocModel::qcs403) == 20u);
static_assert(std::uint32_t(SocModel::sdm865) == 21u);
static_assert(std::uint32_t(SocModel::ipq6018) == 23u);
static_assert(std::uint32_t(SocModel::ipq6028) == 24u);
static_assert(std::uint32_t(SocModel::sm7250) == 25u);
static_assert(std::uint32_t(SocModel::sa8195) == 26u);
static_assert(std::uint32_t(SocModel::sm6250) == 27u);
static_assert(std::uint32_t(SocModel::sm4250) == 28u);
static_assert(std::uint32_t(SocModel::sm6350) == 29u);
static_assert(std::uint32_t(SocModel::sm8350) == 30u);
static_assert(std::uint32_t(SocModel::sm4350) == 31u);
static_assert(std::uint32_t(SocModel::sm7350) == 32u);
static_assert(std::uint32_t(SocModel::qcs410) == 33u);
static_assert(std::uint32_t(SocModel::sm8325) == 34u);
static_assert(std::uint32_t(SocModel::sm7325) == 35u);
static_assert(std::uint32_t(SocModel::sm8450) == 36u);
static_assert(std::uint32_t(SocModel::sc8280x) == 37u);
static_assert(std::uint32_t(SocModel::sm7315) == 38u);
static_assert(std::uint32_t(SocModel::sa8295) == 39u);
static_assert(std::uint32_t(SocModel::sm6225) == 40u);
static_assert(std::uint32_t(SocModel::sm7450) == 41u);
static_assert(std::uint32_t(SocModel::sm8475) == 42u);
static_assert(std::uint32_t(SocModel::sm8550) == 43u);
static_assert(std::uint32_t(SocModel::sxr1230p) == 45u);
static_assert(std::uint32_t(SocModel::ssg2115p) == 46u);
static_assert(std::uint32_t(SocModel::stp6225p) == 47u);
static_assert(std::uint32_t(SocModel::qcs6125) == 48u);
static_assert(std::uint32_t(SocModel::qrb4210) == 49u);
static_assert(std::uint32_t(SocModel::sm6450) == 50u);
static_assert(std::uint32_t(SocModel::qcs7230) == 51u);
static_assert(std::uint32_t(SocModel::sa8255) == 52u);
static_assert(std::uint32_t(SocModel::sxr2230p) == 53u);
static_assert(std::uint32_t(SocModel::sm7475) == 54u);
static_assert(std::uint32_t(SocModel::sm4375) == 55u);
static_assert(std::uint32_t(SocModel::qcm4325) == 56u);
static_assert(std::uint32_t(SocModel::sm8650) == 57u);
static_assert(std::uint32_t(SocModel::ssg2125p) == 58u);
static_assert(std::uint32_t(SocModel::sm4450) == 59u);
static_assert(std::uint32_t(SocModel::sc8380xp) == 60u);
static_assert(std::uint32_t(SocModel::sm7435) == 61u);
static_assert(std::uint32_t(SocModel::sa8540) == 62u);
static_assert(std::uint32_t(SocModel::aic100) == 63u);
static_assert(std::uint32_t(SocModel::sm7550) == 64u);
static_assert(std::uint32_t(SocModel::sm6450q) == 65u);
static_assert(std::uint32_t(SocModel::qcs8550) == 66u);
static_assert(std::uint32_t(SocModel::sa8620p) == 67u);
static_assert(std::uint32_t(SocModel::sm8635) == 68u);
static_assert(std::uint32_t(SocModel::sm8750) == 69u);
static_assert(std::uint32_t(SocModel::sm7675) == 70u);
static_assert(std::uint32_t(SocModel::sm4635) == 71u);
static_assert(std::uint32_t(SocModel::sa8797) == 72u);
static_assert(std::uint32_t(SocModel::sm7635) == 73u);
static_assert(std::uint32_t(SocModel::sm6650) == 74u);
static_assert(std::uint32_t(SocModel::sxr2330p) == 75u);
static_assert(std::uint32_t(SocModel::sm6475) == 76u);
static_assert(std::uint32_t(SocModel::qcs9100) == 77u);
static_assert(std::uint32_t(SocModel::qcm6690) == 78u);
static_assert(std::uint32_t(SocModel::ipq9574) == 79u);
static_assert(std::uint32_t(SocModel::ipq5404) == 80u);
static_assert(std::uint32_t(SocModel::ipq5424) == 81u);
static_assert(std::uint32_t(SocModel::qcs8300) == 82u);
static_assert(std::uint32_t(SocModel::qcs2290) == 83u);
static_assert(std::uint32_t(SocModel::sa525m) == 84u);
static_assert(std::uint32_t(SocModel::sm8735) == 85u);
static_assert(std::uint32_t(SocModel::sm7750) == 86u);
static_assert(std::uint32_t(SocModel::sm8850) == 87u);
static_assert(std::uint32_t(SocModel::dynamic_sdm) == 0x7FFFFFFFu);

/// Qnn_NotifyStatus_t.
struct NotifyStatus {
  ErrorHandle error;
};
static_assert(sizeof(NotifyStatus) == 8 && alignof(NotifyStatus) == 8);
static_assert(offsetof(NotifyStatus, error) == 0);

using NotifyFn = void (*)(void* notify_param, NotifyStatus notify_status);

/// Qnn_OpaqueObject_t.
struct OpaqueObject {
  void* data;
  std::uint64_t len;
};
static_assert(sizeof(OpaqueObject) == 16 && alignof(OpaqueObject) == 8);
static_assert(offsetof(OpaqueObject, data) == 0);
static_assert(offsetof(OpaqueObject, len) == 8);

}  // namespace qnnpp::abi
