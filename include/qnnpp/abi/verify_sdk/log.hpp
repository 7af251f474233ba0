// Part of verify_sdk.hpp; do not include it alone. Compares abi/log.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/log.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/log.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(LogLevel::error, QNN_LOG_LEVEL_ERROR);
QNNPP_SAME_VALUE(LogLevel::warn, QNN_LOG_LEVEL_WARN);
QNNPP_SAME_VALUE(LogLevel::info, QNN_LOG_LEVEL_INFO);
QNNPP_SAME_VALUE(LogLevel::verbose, QNN_LOG_LEVEL_VERBOSE);
QNNPP_SAME_VALUE(LogLevel::debug, QNN_LOG_LEVEL_DEBUG);
QNNPP_SAME_VALUE(LogLevel::max, QNN_LOG_LEVEL_MAX);

}  // namespace qnnpp::c_api

#endif
