// Runs the tests on Qualcomm's library for x86-64. Finds it by tests/conformance/package.sh, which
// fetches it; where it is absent, each test counts as skipped, with the reason.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// Returns the output of the script, without its last line break; empty if the library is absent.
/// The script writes the reason to stderr.
std::string folder_of_library() {
  std::string folder;
  std::FILE* const script = ::popen(QNNPP_PACKAGE_SCRIPT " --cached x86_64", "r");
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
    const std::string folder = folder_of_library();
    if (folder.empty()) {
      std::puts("[  SKIPPED ] Qualcomm's library for x86-64 is not here");  // CTest looks for it.
      return 0;
    }
    ::setenv("QNNPP_REAL_HTP", (folder + "/libQnnHtp.so").c_str(), 1);
    ::setenv("QNNPP_REAL_SYSTEM", (folder + "/libQnnSystem.so").c_str(), 1);
  }
  return RUN_ALL_TESTS();
}
