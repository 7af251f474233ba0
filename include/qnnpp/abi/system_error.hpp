// Error codes of the system library. Its groups share one range of numbers.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>

namespace qnnpp::c_api {

/// Codes common to the system library's calls. C: QnnSystemCommon_Error_t. System 1.6.
enum class SystemCommonError : std::uint32_t {
  no_error = 0,                ///< Success.
  unsupported_feature = 1000,  ///< No such feature.
  invalid_handle = 30000,      ///< No such object.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
};

/// Codes of QnnSystemInterface_getProviders. C: QnnSystemInterface_Error_t.
enum class SystemInterfaceError : std::uint32_t {
  min_error = 30000,         ///< Lowest code of the group.
  no_error = 0,              ///< Success.
  not_supported = 1000,      ///< The library provides no interface.
  invalid_parameter = 1004,  ///< An argument is NULL.
  max_error = 49999,         ///< Highest code of the group.
};

/// Codes of the system context calls. C: QnnSystemContext_Error_t.
enum class SystemContextError : std::uint32_t {
  minerror = 30000,            ///< Lowest code of the group.
  no_error = 0,                ///< Success.
  unsupported_feature = 1000,  ///< No such feature.
  invalid_handle = 30000,      ///< No such system context.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
  operation_failed = 30002,    ///< Nothing more is known.
  malformed_binary = 30010,    ///< Not a context binary, or a damaged one.
  maxerror = 49999,            ///< Highest code of the group.
};

/// Codes of the system tensor calls. C: QnnSystemTensor_Error_t. System 1.4.
enum class SystemTensorError : std::uint32_t {
  min_error = 30000,           ///< Lowest code of the group.
  no_error = 0,                ///< Success.
  unsupported_feature = 1000,  ///< No such feature.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
  invalid_tensor = 30002,      ///< The tensor's fields make no sense.
  max_error = 49999,           ///< Highest code of the group.
};

/// Codes of the DLC calls. C: QnnSystemDlc_Error_t. System 1.4.
enum class SystemDlcError : std::uint32_t {
  minerror = 30000,            ///< Lowest code of the group.
  no_error = 0,                ///< Success.
  unsupported_feature = 1000,  ///< No such feature.
  invalid_handle = 30000,      ///< No such DLC.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
  operation_failed = 30002,    ///< Nothing more is known.
  malformed_binary = 30010,    ///< Not a DLC, or a damaged one.
  maxerror = 49999,            ///< Highest code of the group.
};

/// Codes of the system profile calls. C: QnnSystemProfile_Error_t. System 1.6.
enum class SystemProfileError : std::uint32_t {
  no_error = 0,                ///< Success.
  unsupported_feature = 1000,  ///< No such feature.
  invalid_handle = 30000,      ///< No such serialization target.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
  mem_alloc = 31000,           ///< Out of memory.
};

}  // namespace qnnpp::c_api
