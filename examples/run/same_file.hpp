// Whether two paths of the command line are one file, which a program would overwrite.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "../tool/program.hpp"

namespace run {

/// A file of the command line, and the option that names it.
struct NamedFile {
  std::string option;
  std::string path;
};

namespace detail {

/// Returns the path of the file that opening `path` finds or creates: absolute, without symbolic
/// links.
[[nodiscard]] inline std::filesystem::path target_of(std::filesystem::path path) {
  namespace fs = std::filesystem;
  std::error_code error;
  path = fs::absolute(path, error);
  // weakly_canonical() follows no link whose target does not exist.
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links)
    path = path.parent_path() / fs::read_symlink(path, error);
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : target;
}

}  // namespace detail

/// Returns whether both paths are one file, which may not exist yet. Of the devices, only
/// /dev/stdout is the same file as itself: others, such as /dev/null, keep nothing.
[[nodiscard]] inline bool is_same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (a == "/dev/stdout" && b == a) return true;
  if (fs::is_character_file(a, error)) return false;
  return fs::equivalent(a, b, error) || detail::target_of(a) == detail::target_of(b);
}

/// Throws an exception if `path` of an option is one of the other files.
inline void require_other(const std::string& option, const std::string& path,
                          const std::vector<NamedFile>& others) {
  for (const NamedFile& other : others)
    if (is_same_file(path, other.path))
      throw tool::UsageError(
          fmt::format("{} and {} name one file, {}; name two", other.option, option, path));
}

}  // namespace run
