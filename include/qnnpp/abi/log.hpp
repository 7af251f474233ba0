// Loggers and their callback.
#pragma once

#include <cstdarg>

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// How serious a message is, or up to which level messages are wanted. C: QnnLog_Level_t.
enum class LogLevel : std::uint32_t {
  error = 1,    ///< Something failed.
  warn = 2,     ///< Something is odd.
  info = 3,     ///< Milestones.
  verbose = 4,  ///< Steps.
  debug = 5,    ///< Everything.
  max = 0x7FFFFFFF,
};

/// Gets each message as a printf format with its arguments. May be called from several threads at
/// once, and during calls into QNN: it must be re-entrant. timestamp is in nanoseconds of some
/// clock. C: QnnLog_Callback_t.
using LogCallback = void (*)(const char* format, LogLevel level, std::uint64_t timestamp,
                             std::va_list arguments);

/// Creates a logger; a NULL callback is the platform's log. Callable before backend_create.
/// C: QnnLog_create. Codes: 1000, 1002, 1007, 1011, 11002, 11003.
using LogCreateFn = ErrorHandle (*)(LogCallback callback, LogLevel max_log_level,
                                    LogHandle* logger);

/// Changes the level. C: QnnLog_setLogLevel. Codes: 1007, 1011, 11003, 11004.
using LogSetLogLevelFn = ErrorHandle (*)(LogHandle logger, LogLevel max_log_level);

/// Frees a logger after the backend and device that use it. C: QnnLog_free. Codes: 1002, 11004.
using LogFreeFn = ErrorHandle (*)(LogHandle logger);

}  // namespace qnnpp::c_api
