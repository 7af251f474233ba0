// A folder for the files of one test, gone with its object.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

namespace support {

/// Makes a folder where the system keeps temporary files (TMPDIR). The destructor removes it, and
/// the files that were added to it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = testing::TempDir() + "qnnpp-test-XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    ::unlink(file_.c_str());
    ::rmdir(path_.c_str());
  }

  /// Empty where the folder could not be made.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The one file that the folder is for; the caller creates it.
  [[nodiscard]] const std::string& file(const std::string& name) {
    file_ = path_ + "/" + name;
    return file_;
  }

 private:
  std::string path_;
  std::string file_;
};

}  // namespace support
