// Runs the tests on Qualcomm's library for x86-64. Finds it by tests/conformance/package.sh, which
// fetches it; where it is absent, each test counts as skipped, with the reason. Finds ONNX Runtime
// by tests/conformance/python.sh in the same way.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// Returns the folder that a script prints, without its last line break; empty if what it looks for
/// is absent. The script writes the reason to stderr.
std::string folder_of(const char* command) {
  std::string folder;
  std::FILE* const script = ::popen(command, "r");
  if (script == nullptr) return folder;
  std::array<char, 256> part{};
  while (std::fgets(part.data(), static_cast<int>(part.size()), script) != nullptr)
    folder += part.data();
  ::pclose(script);
  while (folder.ends_with('\n')) folder.pop_back();
  return folder;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!testing::GTEST_FLAG(list_tests) && std::getenv("QNNPP_REAL_HTP") == nullptr) {
    const std::string folder = folder_of(QNNPP_CONFORMANCE "/package.sh --cached x86_64");
    if (folder.empty()) {
      std::puts("[  SKIPPED ] Qualcomm's library for x86-64 is not here");  // CTest looks for it.
      return 0;
    }
    ::setenv("QNNPP_REAL_HTP", (folder + "/libQnnHtp.so").c_str(), 1);
    ::setenv("QNNPP_REAL_SYSTEM", (folder + "/libQnnSystem.so").c_str(), 1);
    if (const std::string python = folder_of(QNNPP_CONFORMANCE "/python.sh --cached");
        !python.empty())
      ::setenv("QNNPP_ONNX_PYTHON", (python + "/bin/python").c_str(), 1);
  }
  return RUN_ALL_TESTS();
}
