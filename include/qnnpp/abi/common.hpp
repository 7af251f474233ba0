// The C API's types that all of its parts share: results, handles, versions, data types and
// scalars.
//
// The headers of this folder declare the binary interface of the QNN C API in C++, complete in
// themselves: no header of the SDK is needed. Every size and offset is asserted where it is
// declared, every number in the .ipp beside it. Names follow from C's: the prefix goes, types are
// PascalCase, fields and enumerators snake_case (Qnn_TensorV1_t::memHandle is TensorV1::mem_handle,
// QNN_TENSOR_TYPE_APP_READ is TensorType::app_read). What is C's own name stands at the end of each
// comment.
//
// "Core 2.27.", "HTP 5.36." or "System 1.4." at the end of a comment is the first version of that
// API in which the item has been seen; without it the item is in core 2.18, HTP 5.25 and system 1.1
// (SDK 2.25), the oldest supported. Unless a comment says otherwise, structs given to a call belong
// to the client and may go when the call returns, pointers in results belong to the library, and a
// zero-filled option is the option numbered 0 with nothing behind it: set every field that counts.
// The enumerators undefined and unknown pad an enumeration to 32 bits and mean that nothing is set.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>

#include "qnnpp/abi/soc_model.hpp"

namespace qnnpp::c_api {

/// Result of every call: 0 is success, the code is in the low 16 bits, the rest is internal
/// (LOAD-06). C: Qnn_ErrorHandle_t.
using ErrorHandle = std::uint64_t;

/// A size or offset in a context binary, in bytes. C: Qnn_ContextBinarySize_t.
using ContextBinarySize = std::uint64_t;

// Handles. In C each is a void*; here each points to a type of its own, which is never defined.
struct OpaqueLog;
/// A logger, from log_create. C: Qnn_LogHandle_t.
using LogHandle = OpaqueLog*;

struct OpaqueBackend;
/// A backend, from backend_create. C: Qnn_BackendHandle_t.
using BackendHandle = OpaqueBackend*;

struct OpaqueDevice;
/// A device, from device_create; NULL is the default device. C: Qnn_DeviceHandle_t.
using DeviceHandle = OpaqueDevice*;

struct OpaqueContext;
/// A context, from the context_create functions. Dies in context_free and in a restart of the DSP
/// (SSR-01). C: Qnn_ContextHandle_t.
using ContextHandle = OpaqueContext*;

struct OpaqueGraph;
/// A graph; lives as long as its context. C: Qnn_GraphHandle_t.
using GraphHandle = OpaqueGraph*;

struct OpaqueMem;
/// Memory registered in a context, from mem_register. C: Qnn_MemHandle_t.
using MemHandle = OpaqueMem*;

struct OpaqueProfile;
/// A collection of events, from profile_create. A call that is given one resets and refills it.
/// C: Qnn_ProfileHandle_t.
using ProfileHandle = OpaqueProfile*;

struct OpaqueSignal;
/// Ends or times calls, from signal_create. One call at a time. C: Qnn_SignalHandle_t.
using SignalHandle = OpaqueSignal*;

struct OpaqueSystemDlc;
/// An open DLC, from the system library. Core 2.39 takes it too. C: QnnSystemDlc_Handle_t.
using SystemDlcHandle = OpaqueSystemDlc*;

/// A semantic version. Equal majors are compatible; a higher minor only adds. C: Qnn_Version_t.
struct Version {
  std::uint32_t major;  ///< Raised by changes that break clients.
  std::uint32_t minor;  ///< Raised by additions; gates the late slots of a function table.
  std::uint32_t patch;  ///< Raised by repairs.
};

/// Versions of a backend library: the API common to all backends, and its own. C: Qnn_ApiVersion_t.
struct ApiVersion {
  Version core_api_version;  ///< Core API; 2.18 is the oldest that InterfaceTable fits.
  /// The backend's own API; for HTP the minor is the SDK's minor (5.36 is SDK 2.36).
  Version backend_api_version;
};

/// How much a backend or context remembers about its errors. C: Qnn_ErrorReportingLevel_t.
enum class ErrorReportingLevel : std::uint32_t {
  brief = 0,     ///< Enough for a short text.
  detailed = 1,  ///< Everything it knows, at a cost in memory.
  undefined = 0x7FFFFFFF,
};

/// Error reporting wanted of a backend or a context. C: Qnn_ErrorReportingConfig_t.
struct ErrorReportingConfig {
  ErrorReportingLevel reporting_level;  ///< How much is kept.
  std::uint32_t storage_limit;          ///< Most memory spent on it, in kilobytes.
};

/// Share of the hardware a context or graph asks for. Other values in between are not defined.
/// C: Qnn_Priority_t.
enum class Priority : std::uint32_t {
  low = 0,            ///< Yields to all others.
  normal = 100,       ///< The middle.
  default_ = 100,     ///< Another name of normal.
  normal_high = 150,  ///< Above normal.
  high = 200,         ///< Goes before all others; not every process may ask for it.
  undefined = 0x7FFFFFFF,
};

/// Type of a tensor's elements. The two low hex digits spell the element's bits in decimal, the two
/// above them tell the kind; bfloat_16 is out of line. C: Qnn_DataType_t.
enum class DataType : std::uint32_t {
  int_8 = 0x0008,            ///< Signed, 1 byte.
  int_16 = 0x0016,           ///< Signed, 2 bytes.
  int_32 = 0x0032,           ///< Signed, 4 bytes.
  int_64 = 0x0064,           ///< Signed, 8 bytes.
  uint_8 = 0x0108,           ///< Unsigned, 1 byte.
  uint_16 = 0x0116,          ///< Unsigned, 2 bytes.
  uint_32 = 0x0132,          ///< Unsigned, 4 bytes.
  uint_64 = 0x0164,          ///< Unsigned, 8 bytes.
  float_16 = 0x0216,         ///< IEEE half.
  bfloat_16 = 0x0226,        ///< The upper half of a float32. Core 2.32.
  float_32 = 0x0232,         ///< IEEE single.
  float_64 = 0x0264,         ///< IEEE double.
  sfixed_point_4 = 0x0304,   ///< Quantized, signed; two elements a byte where packed.
  sfixed_point_8 = 0x0308,   ///< Quantized, signed.
  sfixed_point_16 = 0x0316,  ///< Quantized, signed.
  sfixed_point_32 = 0x0332,  ///< Quantized, signed.
  ufixed_point_4 = 0x0404,   ///< Quantized, unsigned; two elements a byte where packed.
  ufixed_point_8 = 0x0408,   ///< Quantized, unsigned.
  ufixed_point_16 = 0x0416,  ///< Quantized, unsigned.
  ufixed_point_32 = 0x0432,  ///< Quantized, unsigned.
  bool_8 = 0x0508,           ///< One byte, 0 is false.
  string = 0x0608,           ///< NUL-ended text, as a scalar.
  /// No type; also the type in a descriptor of memory that holds no tensor.
  undefined = 0x7FFFFFFF,
};

/// Precision in which float32 tensors are computed. C: Qnn_Precision_t.
enum class Precision : std::uint32_t {
  float32 = 0,  ///< Full.
  float16 = 1,  ///< Half.
  undefined = 0x7FFFFFFF,
};

/// Where quantization parameters come from. C: Qnn_Definition_t.
enum class Definition : std::uint32_t {
  impl_generated = 0,  ///< The backend works them out.
  defined = 1,         ///< QuantizeParams holds them.
  undefined = 0x7FFFFFFF,
};

/// A typed value. The union member that belongs to data_type is the one set. C: Qnn_Scalar_t.
struct Scalar {
  DataType data_type;  ///< Selects the union member.
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
    std::uint8_t bool8_value;     ///< 0 is false.
    std::int16_t bfloat16_value;  ///< The 16 bits of the number. Core 2.32.
    const char* string_value;     ///< NUL-ended; lives as long as its owner says.
  };
};

/// What an asynchronous execution hands to its NotifyFn. C: Qnn_NotifyStatus_t.
struct NotifyStatus {
  ErrorHandle error;  ///< Outcome of the execution; 0 is success.
};

/// Called by graph_execute_async when a run is over, on a thread of the backend whose priority is
/// at most the caller's. C: Qnn_NotifyFn_t.
using NotifyFn = void (*)(void* notify_param, NotifyStatus notify_status);

/// Bytes that only their maker understands. C: Qnn_OpaqueObject_t.
struct OpaqueObject {
  void* data;         ///< Start of the bytes.
  std::uint64_t len;  ///< Number of bytes.
};

}  // namespace qnnpp::c_api
