// run_main: runs the main() of a program inside a test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace support {

/// Exit code and output of a program.
struct Ended {
  int status = -1;
  std::string out;
  std::string error;
};

/// Runs a program's main() with arguments, the first of which is its name.
inline Ended run_main(int (*program)(int, char**), std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ended ended;
  ended.status = program(static_cast<int>(arguments.size()), words.data());
  ended.error = testing::internal::GetCapturedStderr();
  ended.out = testing::internal::GetCapturedStdout();
  return ended;
}

}  // namespace support
