// C objects that a program makes without qnnpp, for tests that adopt them.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/ownership.hpp"
#include "qnnpp/core/result.hpp"

namespace support {

namespace c_api = qnnpp::c_api;

/// Returns the provider of a library, as a C program finds it. Null if it cannot be found. The
/// library stays open.
inline const c_api::Interface* provider_of(const char* path) {
  void* const library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto get = reinterpret_cast<c_api::InterfaceGetProvidersFn>(
      ::dlsym(library, "QnnInterface_getProviders"));
  const c_api::Interface** providers = nullptr;
  std::uint32_t count = 0;
  if (get == nullptr || get(&providers, &count) != 0 || count == 0) return nullptr;
  return providers[0];
}

/// Returns a copy of a provider, to be changed: of the functions that its version has.
inline c_api::Interface copy_of(const c_api::Interface& provider) {
  c_api::Interface copy{};
  const std::size_t slots = c_api::slots_of_core(provider.api_version.core_api_version.minor);
  std::memcpy(&copy, &provider, offsetof(c_api::Interface, table) + slots * sizeof(void (*)()));
  return copy;
}

/// C objects of a backend with one context. The functions make no attempt to clean up: a test says
/// who frees what.
struct ByHand {
  const c_api::Interface* provider = nullptr;
  qnnpp::BackendHandles handles = {};
  c_api::ContextHandle context = nullptr;

  explicit ByHand(const c_api::Interface* chosen) : provider(chosen) {}

  /// Creates log, backend and device; none of them is left after an error.
  [[nodiscard]] qnnpp::Result<void> create() {
    const c_api::InterfaceTable& qnn = provider->table;
    auto made =
        check(qnn.log_create(nullptr, c_api::LogLevel::error, &handles.log), "QnnLog_create");
    if (made)
      made = check(qnn.backend_create(handles.log, nullptr, &handles.backend), "QnnBackend_create");
    if (made)
      made = check(qnn.device_create(handles.log, nullptr, &handles.device), "QnnDevice_create");
    if (!made) free();
    return made;
  }
  /// Creates a context from a binary.
  [[nodiscard]] qnnpp::Result<void> restore(std::span<const std::byte> binary) {
    return check(
        provider->table.context_create_from_binary(handles.backend, handles.device, nullptr,
                                                   binary.data(), binary.size(), &context, nullptr),
        "QnnContext_createFromBinary");
  }
  /// Frees what there is: context, device, backend, log.
  void free() {
    const c_api::InterfaceTable& qnn = provider->table;
    if (context != nullptr) (void)qnn.context_free(std::exchange(context, nullptr), nullptr);
    if (handles.device != nullptr) (void)qnn.device_free(handles.device);
    if (handles.backend != nullptr) (void)qnn.backend_free(handles.backend);
    if (handles.log != nullptr) (void)qnn.log_free(handles.log);
    handles = {};
  }

 private:
  static qnnpp::Result<void> check(std::uint64_t native, const char* step) {
    return qnnpp::check(native, step, "by hand");
  }
};

}  // namespace support
