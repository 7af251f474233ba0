// Results in tests: functions that return the value or end the program, and that return the error
// or fail the test.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "qnnpp/core/result.hpp"

namespace support {

/// Returns the value of a result that the test needs. Prints the error and aborts if there is no
/// value.
template <class T>
T must(qnnpp::Result<T> result, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!result) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, result.error().message().c_str());
    std::abort();
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// Returns the error of a result. The test fails if the result has a value.
template <class T>
qnnpp::Error error_of(const qnnpp::Result<T>& result, const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
  if (!result) return result.error();
  ADD_FAILURE_AT(file, line) << "an error was expected";
  qnnpp::Error none;
  none.step = "(no error)";
  return none;
}

/// Expects a success; the message is the text of the error.
template <class T>
testing::AssertionResult succeeds(const qnnpp::Result<T>& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result.error().message();
}

}  // namespace support
