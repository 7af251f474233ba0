// Definitions of shared_library.hpp.
#pragma once

#include "qnnpp/backend/shared_library.hpp"

#include <dlfcn.h>

#include <string>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE Result<SharedLibrary> SharedLibrary::open(std::string path) {
  if (path.empty())
    return fail(Error::make(Errc::library_not_found, "dlopen", "library", "the path is empty"));
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* message = ::dlerror();
    return fail(Error::make(Errc::library_not_found, "dlopen", std::move(path),
                            message == nullptr ? "" : message));
  }
  return SharedLibrary(handle, std::move(path));
}

QNNPP_INLINE void SharedLibrary::pin() const noexcept {
  // One more count on the library that is loaded, with the flag that unloading never removes.
  constexpr int flags = RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE;
  if (void* again = ::dlopen(path_.c_str(), flags)) ::dlclose(again);
}

QNNPP_INLINE std::string SharedLibrary::folder() const {
  const auto slash = path_.rfind('/');
  return slash == std::string::npos ? std::string() : path_.substr(0, slash + 1);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
