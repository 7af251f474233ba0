// Reads and writes files for the programs; a named pipe never blocks them.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace tool {

namespace detail {

/// Returns whether a program may read or write a file of this mode: a regular file, or for output
/// also a device such as /dev/null.
inline bool may_open(mode_t mode, bool to_write) noexcept {
  return S_ISREG(mode) || (to_write && S_ISCHR(mode));
}

/// Opens `path` as a stream, which the caller closes. On failure returns null, and `error` says
/// why.
inline std::FILE* open_stream(const std::string& path, bool to_write, std::string& error) {
  // O_NONBLOCK: opening a named pipe does not wait for its other end.
  const int flags = to_write ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY;
  const int descriptor =
      ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, static_cast<mode_t>(0666));
  const int opened = errno;
  struct stat status{};
  const bool exists =
      (descriptor >= 0 ? ::fstat(descriptor, &status) : ::stat(path.c_str(), &status)) == 0;
  if (exists && !may_open(status.st_mode, to_write)) {
    error = "not a regular file";
  } else if (descriptor < 0) {
    error = std::strerror(opened);
  } else {
    (void)::fcntl(descriptor, F_SETFL, 0);  // Writing to a device blocks again.
    if (std::FILE* stream = ::fdopen(descriptor, to_write ? "wb" : "rb")) return stream;
    error = std::strerror(errno);
  }
  if (descriptor >= 0) ::close(descriptor);
  return nullptr;
}

}  // namespace detail

/// Opens a regular file to read it; the caller closes it. On failure returns null, and `error` says
/// which file and why.
[[nodiscard]] inline std::FILE* open_input(const std::string& path, std::string& error) {
  std::FILE* stream = detail::open_stream(path, false, error);
  if (stream == nullptr) error = path + ": cannot be read: " + error;
  return stream;
}

/// Returns whether write_file() is expected to succeed: the file or its folder exists and may be
/// written. Opens and creates nothing. If not, `error` says which file and why.
[[nodiscard]] inline bool can_write_file(const std::string& path, std::string& error) {
  if (path == "/dev/stdout") return true;
  struct stat status{};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  const std::string folder = path.substr(0, path.rfind('/') + 1) + ".";
  if (exists && !detail::may_open(status.st_mode, true))
    error = "not a regular file";
  else if (::access(exists ? path.c_str() : folder.c_str(), W_OK) == 0)
    return true;
  else
    error = std::strerror(errno);
  error = path + ": the file cannot be written: " + error;
  return false;
}

/// Writes a regular file, new or old, or a device such as /dev/null; /dev/stdout is the program's
/// own output, even if that is a pipe. On failure returns false, and `error` says which file and
/// why.
[[nodiscard]] inline bool write_file(const std::string& path, std::span<const std::byte> bytes,
                                     std::string& error) {
  const bool own = path == "/dev/stdout";
  std::FILE* stream = own ? stdout : detail::open_stream(path, true, error);
  if (stream != nullptr) {
    bool written = std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
    if ((own ? std::fflush(stream) : std::fclose(stream)) != 0) written = false;
    if (written) return true;
    error = std::strerror(errno);
  }
  error = path + ": the file cannot be written: " + error;
  return false;
}

}  // namespace tool
