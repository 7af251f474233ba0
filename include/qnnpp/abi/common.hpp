// Types that all parts of the C API share: results, handles, versions, data types and scalars.
//
// The headers of this folder declare the binary interface of the QNN C API in C++. They need no
// header of the SDK. The project's tests compare every size, offset and number with the headers of
// seven SDKs; verify_sdk.hpp compares them with your SDK. Names follow the C names without the
// prefix: types are PascalCase, fields and enumerators are snake_case. Qnn_TensorV1_t::memHandle is
// TensorV1::mem_handle, and QNN_TENSOR_TYPE_APP_READ is TensorType::app_read. Comments give the C
// name after "C:".
//
// "Core 2.27.", "HTP 5.36." or "System 1.4." at the end of a comment is the first known API version
// that has the item. An item without a version is in core 2.18, HTP 5.25 and system 1.1 (SDK 2.25),
// the oldest supported versions. "Codes:" lists the error codes that a call returns.
//
// Unless a comment says otherwise, the client owns the structs that it passes to a call and may
// destroy them when the call returns. The library owns what results point to. A zero-filled option
// selects the option numbered 0 without a value, so set every field that applies. The enumerators
// undefined and unknown pad an enumeration to 32 bits and mean that nothing is set. An enumerator
// that selects a union member has the member's name in its comment.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>

#include "qnnpp/abi/soc_model.hpp"

namespace qnnpp::c_api {

/// Result of every call: 0 is success. The low 16 bits are the code; the other bits are internal to
/// the backend (LOAD-06). C: Qnn_ErrorHandle_t.
using ErrorHandle = std::uint64_t;

/// Size or offset in a context binary, in bytes. C: Qnn_ContextBinarySize_t.
using ContextBinarySize = std::uint64_t;

// Handles. C declares each of them as void*; here each points to a distinct type that is never
// defined.
struct OpaqueLog;
/// Logger, created by log_create. C: Qnn_LogHandle_t.
using LogHandle = OpaqueLog*;

struct OpaqueBackend;
/// Backend, created by backend_create. C: Qnn_BackendHandle_t.
using BackendHandle = OpaqueBackend*;

struct OpaqueDevice;
/// Device, created by device_create; NULL is the default device. C: Qnn_DeviceHandle_t.
using DeviceHandle = OpaqueDevice*;

struct OpaqueContext;
/// Context, created by the context_create functions. Becomes invalid in context_free and when the
/// DSP restarts (SSR-01). C: Qnn_ContextHandle_t.
using ContextHandle = OpaqueContext*;

struct OpaqueGraph;
/// Graph; valid until its context is freed. C: Qnn_GraphHandle_t.
using GraphHandle = OpaqueGraph*;

struct OpaqueMem;
/// Memory registered in a context by mem_register. C: Qnn_MemHandle_t.
using MemHandle = OpaqueMem*;

struct OpaqueProfile;
/// Collection of events, created by profile_create. A call with a profile argument clears it and
/// fills it again. C: Qnn_ProfileHandle_t.
using ProfileHandle = OpaqueProfile*;

struct OpaqueSignal;
/// Signal that aborts a call or limits its time, created by signal_create. Controls one call at a
/// time. C: Qnn_SignalHandle_t.
using SignalHandle = OpaqueSignal*;

struct OpaqueSystemDlc;
/// Open DLC, created by the system library. context_add_to_dlc of core 2.34 uses it too.
/// C: QnnSystemDlc_Handle_t.
using SystemDlcHandle = OpaqueSystemDlc*;

/// Semantic version. Versions of the same major are compatible; a higher minor only adds.
/// C: Qnn_Version_t.
struct Version {
  std::uint32_t major;  ///< Raised by changes that break clients.
  std::uint32_t minor;  ///< Raised by additions; reveals which late slots a function table has.
  std::uint32_t patch;  ///< Raised by repairs.
};

/// API versions of a backend library: of the API common to all backends, and of the backend's API.
/// C: Qnn_ApiVersion_t.
struct ApiVersion {
  Version core_api_version;  ///< Core API; 2.18 is the oldest that InterfaceTable fits.
  /// The backend's own API; for HTP the minor is the SDK's minor (5.36 is SDK 2.36).
  Version backend_api_version;
};

/// Amount of error information that a backend or context keeps. C: Qnn_ErrorReportingLevel_t.
enum class ErrorReportingLevel : std::uint32_t {
  brief = 0,     ///< Enough for a short text.
  detailed = 1,  ///< All information; uses more memory.
  undefined = 0x7FFFFFFF,
};

/// Error reporting of a backend or a context. C: Qnn_ErrorReportingConfig_t.
struct ErrorReportingConfig {
  ErrorReportingLevel reporting_level;  ///< Amount of information to keep.
  std::uint32_t storage_limit;          ///< Upper limit of the memory for it, in kilobytes.
};

/// Priority of a context or graph on the hardware. Values between the enumerators are not defined.
/// QNN may restrict normal_high and high; it then uses normal and reports nothing.
/// C: Qnn_Priority_t.
enum class Priority : std::uint32_t {
  low = 0,            ///< Yields to all others.
  normal = 100,       ///< The middle.
  default_ = 100,     ///< Another name of normal.
  normal_high = 150,  ///< Above normal.
  high = 200,         ///< Precedes all others.
  undefined = 0x7FFFFFFF,
};

/// Type of a tensor's elements. The two low hex digits are the element's bits in decimal; the two
/// digits above are the kind. bfloat_16 is an exception. C: Qnn_DataType_t.
enum class DataType : std::uint32_t {
  int_8 = 0x0008,            ///< Signed, 1 byte.
  int_16 = 0x0016,           ///< Signed, 2 bytes.
  int_32 = 0x0032,           ///< Signed, 4 bytes.
  int_64 = 0x0064,           ///< Signed, 8 bytes.
  uint_8 = 0x0108,           ///< Unsigned, 1 byte.
  uint_16 = 0x0116,          ///< Unsigned, 2 bytes.
  uint_32 = 0x0132,          ///< Unsigned, 4 bytes.
  uint_64 = 0x0164,          ///< Unsigned, 8 bytes.
  float_4 = 0x0204,          ///< 4 bits. Core 2.37.
  float_8 = 0x0208,          ///< 8 bits. Core 2.37.
  float_16 = 0x0216,         ///< IEEE half.
  bfloat_16 = 0x0226,        ///< The upper half of a float32. Core 2.32.
  float_32 = 0x0232,         ///< IEEE single.
  float_64 = 0x0264,         ///< IEEE double.
  sfixed_point_4 = 0x0304,   ///< Quantized, signed; two elements in a byte if packed.
  sfixed_point_8 = 0x0308,   ///< Quantized, signed.
  sfixed_point_16 = 0x0316,  ///< Quantized, signed.
  sfixed_point_32 = 0x0332,  ///< Quantized, signed.
  ufixed_point_4 = 0x0404,   ///< Quantized, unsigned; two elements in a byte if packed.
  ufixed_point_8 = 0x0408,   ///< Quantized, unsigned.
  ufixed_point_16 = 0x0416,  ///< Quantized, unsigned.
  ufixed_point_32 = 0x0432,  ///< Quantized, unsigned.
  bool_8 = 0x0508,           ///< One byte, 0 is false.
  string = 0x0608,           ///< NUL-ended text, as a scalar.
  /// No type; also used in the descriptor of memory that holds no tensor.
  undefined = 0x7FFFFFFF,
};

/// Precision of computation with float32 tensors. C: Qnn_Precision_t.
enum class Precision : std::uint32_t {
  float32 = 0,  ///< Full.
  float16 = 1,  ///< Half.
  undefined = 0x7FFFFFFF,
};

/// Source of the quantization parameters. C: Qnn_Definition_t.
enum class Definition : std::uint32_t {
  impl_generated = 0,  ///< The backend computes them.
  defined = 1,         ///< QuantizeParams has them.
  undefined = 0x7FFFFFFF,
};

/// Typed value. data_type selects the union member. C: Qnn_Scalar_t.
struct Scalar {
  DataType data_type;  ///< Selects the union member.
  union {
    float float_value;            ///< For float_32.
    double double_value;          ///< For float_64.
    std::uint64_t uint64_value;   ///< For uint_64.
    std::int64_t int64_value;     ///< For int_64.
    std::uint32_t uint32_value;   ///< For uint_32.
    std::int32_t int32_value;     ///< For int_32.
    std::uint16_t uint16_value;   ///< For uint_16.
    std::int16_t int16_value;     ///< For int_16.
    std::uint8_t uint8_value;     ///< For uint_8.
    std::int8_t int8_value;       ///< For int_8.
    std::uint8_t bool8_value;     ///< For bool_8; 0 is false.
    std::int16_t bfloat16_value;  ///< For bfloat_16: the 16 bits of the number. Core 2.32.
    const char* string_value;  ///< For string: NUL-ended text, owned by the creator of the scalar.
  };
};

/// Argument of NotifyFn. C: Qnn_NotifyStatus_t.
struct NotifyStatus {
  ErrorHandle error;  ///< Outcome of the execution; 0 is success.
};

/// Callback that the backend calls when an asynchronous execution has ended. The call is on a
/// thread of the backend whose priority is at most the caller's priority. C: Qnn_NotifyFn_t.
using NotifyFn = void (*)(void* notify_param, NotifyStatus notify_status);

/// Bytes in a format that the backend defines. C: Qnn_OpaqueObject_t.
struct OpaqueObject {
  void* data;         ///< Start of the bytes.
  std::uint64_t len;  ///< Number of bytes.
};

}  // namespace qnnpp::c_api
