#pragma once

#include <cstdarg>
#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// QnnLog_Level_t.
enum class LogLevel : std::uint32_t {
  error = 1,
  warn = 2,
  info = 3,
  verbose = 4,
  debug = 5,
  max = 0x7FFFFFFF,
};
static_assert(std::uint32_t(LogLevel::error) == 1u);
static_assert(std::uint32_t(LogLevel::warn) == 2u);
static_assert(std::uint32_t(LogLevel::info) == 3u);
static_assert(std::uint32_t(LogLevel::verbose) == 4u);
static_assert(std::uint32_t(LogLevel::debug) == 5u);
static_assert(std::uint32_t(LogLevel::max) == 0x7FFFFFFFu);

using LogCallback = void (*)(const char* format, LogLevel level, std::uint64_t timestamp, std::va_list arguments);

}  // namespace qnnpp::abi
