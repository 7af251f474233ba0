// The fake backend library, from the tests' side.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fakes/qnn.hpp"

namespace fakes {

/// Reports whether a library is loaded in this process.
inline bool is_loaded(const char* path) {
  void* handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

/// Provides the fake backend, reset for every test.
class Fake : public ::testing::Test {
 protected:
  static constexpr const char* path = FAKES_DIR "fake_backend.so";

  void SetUp() override {
    // Starts the program again: a forked child may not use QNN (PRC-01).
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    library_ = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    control = reinterpret_cast<ControlFn>(::dlsym(library_, "fake_control"))();
    control->behaviour = Behaviour();
    control->record = Record();
  }
  void TearDown() override {
    if (library_ != nullptr) ::dlclose(library_);
  }

  [[nodiscard]] Behaviour& fake() const { return control->behaviour; }
  [[nodiscard]] const Record& record() const { return control->record; }
  [[nodiscard]] std::vector<std::string> calls() const {
    return {record().calls, record().calls + record().call_count};
  }
  /// Expects that every created object was freed, each by the correct handle.
  void expect_nothing_open() const {
    EXPECT_EQ(record().live_logs, 0);
    EXPECT_EQ(record().live_backends, 0);
    EXPECT_EQ(record().live_devices, 0);
    EXPECT_EQ(record().foreign_handles, 0);
  }

  Control* control = nullptr;

 private:
  void* library_ = nullptr;
};

}  // namespace fakes
