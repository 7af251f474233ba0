// Results in tests: the value or the end of the program, the error or a failed test.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "qnnpp/core/result.hpp"

/// Expects that a broken contract ends the program (std::terminate), and not that it crashes by
/// luck.
#define EXPECT_CONTRACT(...) EXPECT_EXIT(__VA_ARGS__, testing::KilledBySignal(SIGABRT), "")

namespace support {

/// The value of a result that a test cannot do without: says what went wrong, and aborts, where
/// there is none.
template <class T>
T must(qnnpp::Result<T> result, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!result) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, result.error().message().c_str());
    std::abort();
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// The error of a result that has to be one; a failed test where it is not.
template <class T>
qnnpp::Error error_of(const qnnpp::Result<T>& result, const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
  if (!result) return result.error();
  ADD_FAILURE_AT(file, line) << "an error was expected";
  qnnpp::Error none;
  none.step = "(no error)";
  return none;
}

/// Expects a success; the message is the error's text.
template <class T>
testing::AssertionResult succeeds(const qnnpp::Result<T>& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result.error().message();
}

}  // namespace support
