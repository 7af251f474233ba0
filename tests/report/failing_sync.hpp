// Lets calls of fsync fail, for the tests of files.
#pragma once

#include <atomic>

namespace support {

/// Numbers of the next fsync calls on folders and on files that fail with EIO. The linker redirects
/// the program's calls of fsync and fchown (--wrap); manifest_test.cpp defines them.
inline std::atomic<int> unsynchronised_folders{0}, unsynchronised_files{0};

}  // namespace support
