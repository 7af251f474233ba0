// Definitions of shared_library.hpp.
#pragma once

#include "qnnpp/backend/shared_library.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <climits>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Processor that an ELF file is for, from its first bytes.
struct ElfTarget {
  std::uint16_t machine;  ///< e_machine
  bool is_64_bit;
  bool is_big_endian;
  bool operator==(const ElfTarget&) const = default;
};

/// Target of this process; its machine is 0 if the compiler names no known one.
inline constexpr ElfTarget own_target{
#if defined(__x86_64__)
    62,
#elif defined(__aarch64__)
    183,
#elif defined(__arm__)
    40,
#elif defined(__i386__)
    3,
#elif defined(__riscv)
    243,
#else
    0,
#endif
    sizeof(void*) == 8,
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    true
#else
    false
#endif
};

[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string text_of(
    const ElfTarget& target) {
  std::string name;
  switch (target.machine) {
    case 3: name = "x86"; break;
    case 40: name = "ARM"; break;
    case 62: name = "x86-64"; break;
    case 164: name = "Hexagon"; break;
    case 183: name = "AArch64"; break;
    case 243: name = "RISC-V"; break;
    default: name = detail::joined({"ELF machine ", target.machine});
  }
  return name + (target.is_64_bit ? ", 64 bit" : ", 32 bit") +
         (target.is_big_endian ? ", big endian" : "");
}

QNNPP_INLINE std::string in_real_folder(std::string_view path) {
  char folder[PATH_MAX];
  char real[PATH_MAX];
  const auto slash = path.rfind('/');
  if (slash == path.npos || slash + 1 >= sizeof(folder)) return std::string(path);
  folder[path.copy(folder, slash + 1)] = '\0';
  if (::realpath(folder, real) == nullptr) return std::string(path);
  return joined({real, path.substr(slash)});
}

QNNPP_INLINE std::string file_of(const void* address) {
  Dl_info object = {};
  if (::dladdr(address, &object) == 0 || object.dli_fname == nullptr) return {};
  return in_real_folder(object.dli_fname);
}

/// Returns the file of an open library, by an address in it: bionic has no dlinfo(). `asked`, the
/// path or name that opened it, if it exports neither `entry` nor another one.
[[nodiscard]] QNNPP_INLINE std::string opened_file(void* handle, const char* entry,
                                                   const std::string& asked) {
  for (const char* const name : {entry, host_entry, system_entry, "rpcmem_alloc"})
    if (const void* const address = ::dlsym(handle, name))
      if (std::string file = file_of(address); !file.empty()) return file;
  return asked;
}

/// Opens the file that the loader probably uses for `path`: a bare name is searched for in the
/// folders of LD_LIBRARY_PATH only, and replaced by the path of the file. Returns null with the
/// reason in errno if there is none to read.
[[nodiscard]] QNNPP_INLINE std::FILE* open_library(std::string& path) {
  if (path.find('/') != std::string::npos) return std::fopen(path.c_str(), "rbe");
  const char* const listed = std::getenv("LD_LIBRARY_PATH");
  std::string folders = listed == nullptr ? "" : listed;
  while (!folders.empty()) {
    const auto end = folders.find_first_of(":;");
    const std::string folder = folders.substr(0, end);
    folders.erase(0, end == std::string::npos ? end : end + 1);
    if (folder.empty()) continue;
    std::string candidate = detail::joined({folder, "/", path});
    if (std::FILE* file = std::fopen(candidate.c_str(), "rbe")) {
      path = in_real_folder(candidate);
      return file;
    }
  }
  errno = ENOENT;
  return nullptr;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string_view missing_qairt(
    std::string_view text) noexcept {
  if (text.find("libQairt") == text.npos) return {};
  return "it passes calls on to QAIRT; copy libQairtHtp.so, libQairtSystem.so and "
         "libQairtHtpV..Stub.so of the same SDK beside it; ";
}

/// Error for `path`, which the loader refused with `message`. Reads the file itself if it exists,
/// because the loader reports "No such file" for a library of another processor too.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
why_not_loaded(std::string path, std::string_view message) {
  const auto unusable = [&path](std::string_view why) {
    return Error::make(Errc::library_unusable, "dlopen", path, why);
  };
  std::FILE* const file = open_library(path);
  if (file == nullptr) {
    if (errno == EACCES) return unusable("no permission to read it");
    return Error::make(Errc::library_not_found, "dlopen", path, message);
  }
  unsigned char head[20] = {};
  const std::size_t bytes = std::fread(head, 1, sizeof head, file);
  const bool is_folder = std::ferror(file) != 0 && errno == EISDIR;
  (void)std::fclose(file);
  if (is_folder) return unusable("it is a folder");
  if (bytes < sizeof head || head[0] != 0x7F || head[1] != 'E' || head[2] != 'L' || head[3] != 'F')
    return unusable(bytes == 0 ? "it is empty" : "it is no ELF file");
  const bool is_big_endian = head[5] == 2;
  const ElfTarget target{static_cast<std::uint16_t>(is_big_endian ? head[18] << 8 | head[19]
                                                                  : head[19] << 8 | head[18]),
                         head[4] == 2, is_big_endian};
  if (own_target.machine != 0 && target != own_target)
    return unusable(
        detail::joined({"it is for ", text_of(target), ", this process is ", text_of(own_target)}));
  return unusable(joined({missing_qairt(message), message}));
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<SharedLibrary> SharedLibrary::open(std::string path, const char* entry) {
  if (path.empty()) return fail(Errc::library_not_found, "dlopen", "library", "the path is empty");
  QNNPP_TRY(detail::check_path(path, "dlopen"));
  // The loader would block on a named pipe until a process writes to it.
  struct stat status{};
  if (path.find('/') != std::string::npos && ::stat(path.c_str(), &status) == 0 &&
      !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    return fail(Errc::library_unusable, "dlopen", path, "it is no regular file");
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* message = ::dlerror();
    return fail(detail::why_not_loaded(path, message == nullptr ? "" : message));
  }
  SharedLibrary library(handle, std::move(path));
  library.path_ = detail::opened_file(handle, entry, library.asked_);
  return library;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE SharedLibrary SharedLibrary::of(const void* code,
                                                                          const char* name) {
  Dl_info object = {};
  const bool is_known = ::dladdr(code, &object) != 0 && object.dli_fname != nullptr;
  std::string file = is_known ? object.dli_fname : name;
  std::string path = is_known ? detail::in_real_folder(file) : file;
  void* const handle =
      is_known ? ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD) : nullptr;
  SharedLibrary library(handle, std::move(file));
  library.path_ = std::move(path);
  return library;
}

[[gnu::noinline]] QNNPP_INLINE Result<void*> SharedLibrary::symbol(const char* name) const {
  qnnpp::detail::expects(handle_, moved);  // dlsym searches the whole program for null.
  void* const address = ::dlsym(handle_.get(), name);
  if (address == nullptr) return fail(Errc::symbol_missing, "dlsym", path_, name);
  return address;
}

namespace detail {

QNNPP_INLINE void pin_object(const char* path) noexcept {
  // Opens the loaded object once more, with the flag that keeps it loaded, and closes that handle.
  constexpr int flags = RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE;
  if (void* again = ::dlopen(path, flags)) ::dlclose(again);
}

QNNPP_INLINE void pin_object_of(const void* code) noexcept {
  Dl_info object = {};
  if (::dladdr(code, &object) != 0 && object.dli_fname != nullptr) pin_object(object.dli_fname);
}

}  // namespace detail

QNNPP_INLINE void SharedLibrary::pin() const noexcept {
  // By the name that the loader knows: the file may have been replaced since.
  detail::pin_object(asked_.c_str());
}

QNNPP_INLINE std::string SharedLibrary::folder() const {
  const auto slash = asked_.rfind('/');
  return slash == std::string::npos ? std::string() : asked_.substr(0, slash + 1);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
