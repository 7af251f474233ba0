// Loggers and their callback.
#pragma once

#include <cstdarg>

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Severity of a message, or the highest level that a logger reports. C: QnnLog_Level_t.
enum class LogLevel : std::uint32_t {
  error = 1,    ///< Failures.
  warn = 2,     ///< Unexpected conditions.
  info = 3,     ///< Milestones.
  verbose = 4,  ///< Single steps.
  debug = 5,    ///< All messages.
  max = 0x7FFFFFFF,
};

/// Callback that receives each message as a printf format with arguments. Requires a re-entrant
/// function: several threads may call it at once, also during calls into QNN. timestamp is in
/// nanoseconds of an unspecified clock. C: QnnLog_Callback_t.
using LogCallback = void (*)(const char* format, LogLevel level, std::uint64_t timestamp,
                             std::va_list arguments);

/// Creates a logger; a NULL callback selects the platform's log. Callable before backend_create.
/// C: QnnLog_create. Codes: 1000, 1002, 1007, 1011, 11002, 11003.
using LogCreateFn = ErrorHandle (*)(LogCallback callback, LogLevel max_log_level,
                                    LogHandle* logger);

/// Changes the level of a logger. C: QnnLog_setLogLevel. Codes: 1007, 1011, 11003, 11004.
using LogSetLogLevelFn = ErrorHandle (*)(LogHandle logger, LogLevel max_log_level);

/// Frees a logger. Free the backend and the device that use it first. C: QnnLog_free. Codes: 1002,
/// 11004.
using LogFreeFn = ErrorHandle (*)(LogHandle logger);

}  // namespace qnnpp::c_api
