// Definitions of manifest.hpp.
#pragma once

#include "qnnpp/report/manifest.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <map>
#include <utility>

#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/core/owner.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

QNNPP_INLINE std::string to_string(const Digest& digest) {
  std::array<char, 16> digits{};
  char* const end = digits.data() + digits.size();
  char* const last = std::to_chars(digits.data(), end, digest.value, 16).ptr;
  std::string text = digest.kind == DigestKind::whole ? "whole:" : "sampled:";
  return text.append(static_cast<std::size_t>(end - last), '0').append(digits.data(), last);
}

QNNPP_INLINE std::optional<Digest> digest_from(std::string_view text) {
  Digest digest;
  if (text.starts_with("whole:")) digest.kind = DigestKind::whole;
  const std::string_view digits = text.substr(text.find(':') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), digest.value, 16);
  return to_string(digest) == text ? std::optional(digest) : std::nullopt;
}

QNNPP_INLINE std::string Manifest::path_of(const Survey& entry) const {
  return folder.empty() ? entry.memory.name : folder + "/" + entry.memory.name;
}

namespace detail {

/// Returns device and inode of a file; nothing if the file does not exist.
[[nodiscard]] QNNPP_INLINE std::optional<std::pair<std::uint64_t, std::uint64_t>> identity_of(
    const std::string& path) {
  struct stat status{};
  if (path.find('\0') != std::string::npos || ::stat(path.c_str(), &status) != 0) return {};
  return std::pair(static_cast<std::uint64_t>(status.st_dev),
                   static_cast<std::uint64_t>(status.st_ino));
}

}  // namespace detail

QNNPP_INLINE MemoryReport Manifest::report(SpillFillSharing sharing, std::string reason) const {
  MemoryReport report{.sharing = sharing,
                      .reason = std::move(reason),
                      .external_weights = external_weights,
                      .contexts = {}};
  for (const Survey& entry : entries) {
    ContextMemory memory = entry.memory;
    detail::add_io(entry.graphs, memory);
    report.contexts.push_back(detail::from_manifest(std::move(memory)));
  }
  return report;
}

namespace detail {

/// Error of a null digest function, which `object` requires.
[[nodiscard]] QNNPP_INLINE Result<void> check_function(DigestFunction digest, const char* object) {
  if (digest != nullptr) return {};
  return fail(Errc::invalid_argument, "checking the manifest", object,
              "it requires a digest function; write model::digest_of");
}

/// Compares the digest of a file's bytes with what is expected. Error: `stale`.
[[nodiscard]] QNNPP_INLINE Result<void> compare_digest(std::span<const std::byte> bytes,
                                                       const std::string& name,
                                                       const Digest& expected,
                                                       DigestFunction digest) {
  const Digest found = digest(bytes, expected.kind);
  if (found == expected) return {};
  return fail(stale(name, found.value, expected.value,
                    "the file has the digest " + to_string(found) + ", the manifest says " +
                        to_string(expected)));
}

}  // namespace detail

QNNPP_INLINE Result<void> check_digest(const ContextBinary& binary, const Digest& expected,
                                       DigestFunction digest) {
  QNNPP_TRY(detail::check_function(digest, "check_digest"));
  return detail::compare_digest(binary.bytes(), binary.name(), expected, digest);
}

QNNPP_INLINE Result<std::vector<BinarySource>> expected_by(const Manifest& manifest,
                                                           std::vector<BinarySource> binaries,
                                                           DigestFunction digest) {
  constexpr const char* step = "checking the manifest";
  QNNPP_TRY(detail::check_function(digest, "expected_by"));
  std::map<std::pair<std::uint64_t, std::uint64_t>, const Survey*> files;
  std::map<std::string_view, const Survey*> names;
  for (const Survey& entry : manifest.entries) {
    if (const auto file = detail::identity_of(manifest.path_of(entry)))
      files.try_emplace(*file, &entry);
    names.try_emplace(entry.memory.name, &entry);
  }
  for (BinarySource& source : binaries) {
    const Survey* entry = nullptr;
    if (const auto named = names.find(source.name); named != names.end()) entry = named->second;
    if (source.is_file())
      if (const auto file = detail::identity_of(source.name))
        if (const auto found = files.find(*file); found != files.end()) entry = found->second;
    if (entry == nullptr) {
      qnnpp::detail::NameList known(source.name);
      for (const Survey& each : manifest.entries) known.add("", each.memory.name);
      return fail(
          Errc::unknown_name, step, source.name,
          {"the manifest does not list it; it has ", known.empty() ? "no binary" : known.text()});
    }
    source.expected = *entry;
    source.external_weights = manifest.external_weights;
    source.check = [name = source.name, digest,
                    said = entry->digest](std::span<const std::byte> bytes) -> Result<void> {
      if (!said) return fail(detail::stale(name, 0, 0, "the manifest has no digest of it"));
      return detail::compare_digest(bytes, name, *said, digest);
    };
  }
  return binaries;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

QNNPP_INLINE std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash == 0 ? 1 : slash);
}

/// A temporary file, which is removed unless it is renamed.
class FileBeside {
 public:
  explicit FileBeside(int folder) noexcept : folder_(folder) {}
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;
  ~FileBeside() {
    if (!name_.empty()) (void)::unlinkat(folder_, name_.c_str(), 0);
  }

  /// Creates an empty file with an unused name. Returns false with errno on failure.
  [[nodiscard]] bool create(mode_t mode) {
    constexpr int attempts = 100;
    for (int i = 0; i < attempts; ++i) {
      timespec now{};
      (void)::clock_gettime(CLOCK_REALTIME, &now);
      // Differs between processes, threads and attempts. O_EXCL detects a name that is used anyway.
      const auto number = static_cast<std::uint64_t>(now.tv_nsec) ^
                          (static_cast<std::uint64_t>(::getpid()) << 32) ^
                          reinterpret_cast<std::uintptr_t>(this) ^ static_cast<std::uint64_t>(i);
      std::string name = ".qnnpp-" + std::to_string(number) + ".new";
      constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
      file_ = Owner<qnnpp::detail::FilePolicy>(::openat(folder_, name.c_str(), flags, mode));
      if (file_) name_ = std::move(name);
      if (file_ || errno != EEXIST) return bool(file_);
    }
    return false;
  }
  [[nodiscard]] bool write(std::string_view text) const noexcept {
    while (!text.empty()) {
      const ssize_t done = ::write(file_.get(), text.data(), text.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(done));
    }
    return ::fsync(file_.get()) == 0;
  }
  /// Copies owner, group and mode of another file. The owner stays if the process may not change
  /// it. Returns false with errno if the mode could not be set.
  [[nodiscard]] bool take_over(const struct stat& other) const noexcept {
    // Sets the mode last, because a change of the owner clears some bits.
    if (::fchown(file_.get(), other.st_uid, other.st_gid) != 0)
      (void)::fchown(file_.get(), static_cast<uid_t>(-1), other.st_gid);
    return ::fchmod(file_.get(), other.st_mode & 07777) == 0;
  }
  [[nodiscard]] bool rename_to(const std::string& name) noexcept {
    if (file_.close() != 0 || ::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0)
      return false;
    name_.clear();
    return true;
  }

 private:
  int folder_;
  std::string name_;
  Owner<qnnpp::detail::FilePolicy> file_;
};

/// Follows symbolic links to the final path. Returns nothing with errno on failure.
[[nodiscard]] QNNPP_INLINE std::optional<std::string> target_of(std::string path) {
  constexpr int most_links = 40;
  char to[4096];
  for (int i = 0; i < most_links; ++i) {
    const ssize_t bytes = ::readlink(path.c_str(), to, sizeof to);
    // The path is not a link, or does not exist yet.
    if (bytes < 0 && (errno == EINVAL || errno == ENOENT)) return path;
    if (bytes < 0) return {};
    std::string next(to, static_cast<std::size_t>(bytes));
    const std::string folder = folder_of(path);
    path = next.starts_with('/') || folder.empty() ? std::move(next) : folder + "/" + next;
  }
  errno = ELOOP;
  return {};
}

QNNPP_INLINE Result<void> replace_file(const std::string& path, std::string_view text) {
  constexpr const char* step = "writing a file";
  QNNPP_TRY(qnnpp::detail::check_path(path, step));
  const auto unwritable = [&](const char* why = "") {
    const int code = errno;
    Error error = Error::make(Errc::file_unwritable, step, path, why);
    error.code = static_cast<std::uint16_t>(code);
    return fail(std::move(error));
  };
  const auto target = target_of(path);
  if (!target) return unwritable();
  const std::string folder = folder_of(*target);
  const std::string name = target->substr(target->rfind('/') + 1);
  const Owner<qnnpp::detail::FilePolicy> opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened)
    return unwritable(errno == EACCES ? "its folder must be readable, to be synchronised" : "");
  struct stat old{};
  const bool exists = ::fstatat(opened.get(), name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && !S_ISREG(old.st_mode))
    return fail(Errc::file_unwritable, step, path, "not a regular file");
  FileBeside beside(opened.get());
  // A replaced file may be private: nobody else may read the new one before it has its mode.
  if (!beside.create(exists ? 0600 : 0666) || (exists && !beside.take_over(old)) ||
      !beside.write(text) || !beside.rename_to(name))
    return unwritable();
  // Synchronises the folder, which contains the new name. Some file systems do not support it
  // (EINVAL).
  if (::fsync(opened.get()) != 0 && errno != EINVAL)
    return unwritable("the new text is in place, but may not be on the disk");
  return {};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
