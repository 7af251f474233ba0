// SharedLibrary: a library opened at run time.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Function that QNN's backend libraries export.
inline constexpr const char* host_entry = "QnnInterface_getProviders";
/// Function that QNN's system library exports.
inline constexpr const char* system_entry = "QnnSystemInterface_getProviders";

/// Returns what to copy if `text`, of the loader or of QNN's log, names a library of QAIRT; else
/// empty. Some libraries of QNN since SDK 2.50 pass their calls on to QAIRT's.
[[nodiscard]] std::string_view missing_qairt(std::string_view text) noexcept;

/// File of the loaded object that has `address`, a function or an object of it, by its absolute
/// path; empty if no object has it. The loader may have found a file in another folder than the one
/// that was meant.
[[nodiscard]] std::string file_of(const void* address);

/// Path of a file with the real path of its folder; the path itself if the folder does not exist,
/// as in an APK. The name of the file is kept even if it is a symbolic link: QNN searches for the
/// stub library in the folder of the link.
[[nodiscard]] std::string in_real_folder(std::string_view path);

/// Keeps a loaded shared object loaded until the process ends.
void pin_object(const char* path) noexcept;
/// Keeps the shared object loaded that has a function: for functions that QNN or the system may
/// call until the process ends. The program itself stays loaded anyway.
void pin_object_of(const void* code) noexcept;

struct BackendBlock;

}  // namespace detail

/// Owner of a library opened with dlopen (RTLD_NOW | RTLD_LOCAL). Move-only. The destructor closes
/// the library; a pinned library stays loaded. Threads: const members are thread-safe.
class SharedLibrary {
 public:
  /// Opens `path`: a file, or a bare name that the loader searches for.
  ///
  /// Errors: `library_not_found` with the loader's message, and for an empty path, which means the
  /// program itself to the loader; `library_unusable` with the reason if the file exists and cannot
  /// be loaded, which the loader often reports as "No such file"; `invalid_argument` for a path
  /// that contains a NUL. The error names `path`, or the file that a bare name stands for if it
  /// cannot be loaded.
  ///
  /// `entry`: a function that the library exports, by which path() finds the file. The entries of
  /// QNN's libraries and of FastRPC's are tried too.
  [[nodiscard]] static Result<SharedLibrary> open(std::string path,
                                                  const char* entry = detail::host_entry);

  /// Returns the address of an exported function, to be cast to its type. Error: `symbol_missing`,
  /// which names the library and the symbol (LOAD-01).
  [[nodiscard]] Result<void*> symbol(const char* name) const;

  /// Keeps the library loaded until the process ends, even if all its owners close it: the HTP
  /// backend runs its own clean-up after the last call (LOAD-05).
  void pin() const noexcept;

  /// Absolute path of the file that the loader opened, which for a bare name may be any copy of the
  /// library on the loader's search path (dladdr). Symbolic links of its folder are followed. For a
  /// library without the entry of open(), what was passed to open().
  [[nodiscard]] const std::string& path() const& noexcept { return path_; }
  /// Copy of the path of a temporary.
  [[nodiscard]] std::string path() const&& { return path_; }

  /// Folder of the path that was passed to open(), with its final slash; empty for a bare name.
  [[nodiscard]] std::string folder() const;

  /// Handle of dlopen, owned by this object; null after a move.
  [[nodiscard]] void* native() const noexcept { return handle_.get(); }

 private:
  friend struct detail::BackendBlock;

  /// The loaded library that has the function `code`, which stays loaded while this object lives.
  /// Loads none. If the loader finds it no more, such as the program itself, the object is without
  /// a handle. `name` replaces a path that is not known.
  [[nodiscard]] static SharedLibrary of(const void* code, const char* name);

  static constexpr char moved[] =
      "the shared library was moved from; use the object it was moved to";

  struct Policy {
    using Value = void*;
    static Value null() noexcept { return nullptr; }
    static std::uint64_t close(Value handle) noexcept { return ::dlclose(handle) == 0 ? 0u : 1u; }
  };

  SharedLibrary(void* handle, std::string asked) : handle_(handle), asked_(std::move(asked)) {}

  Owner<Policy> handle_;
  std::string asked_;  ///< Path or name that was passed to open().
  std::string path_;   ///< File that the loader opened.
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/shared_library.ipp"
#endif
