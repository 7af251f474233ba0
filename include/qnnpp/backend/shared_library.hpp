// SharedLibrary: a library opened at run time.
#pragma once

#include "qnnpp/platform.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Owner of a dlopen handle (dlopen, RTLD_NOW | RTLD_LOCAL). Closed by the destructor unless
/// pinned.
class SharedLibrary {
 public:
  /// Opens `path`: a file, or a bare name for the loader's search path.
  /// Errors: `library_not_found` with the loader's message, and for an empty path, by which the
  /// loader means the program itself; `library_unusable` for a file that is there and says why it
  /// cannot be loaded, which the loader often reports as "No such file".
  [[nodiscard]] static Result<SharedLibrary> open(std::string path);

  /// A function it exports. Error: `symbol_missing` naming library and symbol (LOAD-01).
  template <class Function>
  [[nodiscard]] Result<Function> symbol(const char* name) const {
    QNNPP_EXPECTS(handle_, moved);  // To the loader, a null handle is the whole program.
    void* address = ::dlsym(handle_.get(), name);
    if (address == nullptr) return fail(Error::make(Errc::symbol_missing, "dlsym", path_, name));
    return reinterpret_cast<Function>(address);
  }

  /// A function it may export, or nullptr.
  template <class Function>
  [[nodiscard]] Function optional_symbol(const char* name) const noexcept {
    QNNPP_EXPECTS(handle_, moved);
    return reinterpret_cast<Function>(::dlsym(handle_.get(), name));
  }

  /// Keeps the library loaded until the process ends, whoever closes it: the HTP backend runs
  /// clean-up of its own after the last call (LOAD-05).
  void pin() const noexcept;

  /// The path or name it was opened with.
  [[nodiscard]] const std::string& path() const& noexcept { return path_; }
  [[nodiscard]] std::string path() const&& { return path_; }

  /// The folder part of path(), with its slash; empty for a bare name.
  [[nodiscard]] std::string folder() const;

  /// dlopen's handle; owned by this object.
  [[nodiscard]] void* native() const noexcept { return handle_.get(); }

 private:
  static constexpr char moved[] =
      "the shared library was moved from; use the object it was moved to";

  struct Policy {
    using Value = void*;
    static Value null() noexcept { return nullptr; }
    static std::uint64_t close(Value handle) noexcept { return ::dlclose(handle) == 0 ? 0u : 1u; }
  };

  SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

  Owner<Policy> handle_;
  std::string path_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/shared_library.ipp"
#endif
