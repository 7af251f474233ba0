// The engine: Qualcomm's libraries for x86-64 in the folder that QNNPP_SIM_ENGINE names. They are
// loaded beside the simulated ones when a binary first needs them, and stay until the process ends.
#pragma once

#include "qnnpp/platform.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <span>
#include <string>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/system_interface.hpp"

#include "sim/tables/status.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim::engine {

/// Returns the folder of the engine's libraries; NULL without an engine.
[[nodiscard]] inline const char* folder() noexcept {
  const char* const name = std::getenv("QNNPP_SIM_ENGINE");
  return name == nullptr || *name == '\0' ? nullptr : name;
}

/// True once nothing of the engine may be called: exit() destroys the engine's objects of static
/// storage from then on, or the process is a forked child, where an execution would hang.
[[nodiscard]] inline std::atomic<bool>& is_over() noexcept {
  static auto* const over = new std::atomic<bool>{false};
  return *over;
}

/// Sets is_over() before exit() destroys an object that the engine has made until now. Runs after
/// the first call of each kind, because such a call makes objects.
inline void guard_objects() noexcept {
  (void)std::atexit([] { is_over() = true; });
}

/// A failure of the engine, in one line. It is no misuse.
template <class Code>
[[nodiscard]] Status refusal(Code code, const std::string& what) {
  return failure(code, "the engine (QNNPP_SIM_ENGINE): " + what);
}

/// A library of the engine.
template <class Table>
struct Library {
  const Table* table = nullptr;  ///< NULL if it cannot be used
  std::string fault;             ///< then, why
};

/// Loads a library by its path, and finds its first provider.
template <class Table, class GetProviders>
[[nodiscard]] Library<Table> load(const char* file, const char* symbol) {
  const char* const name = folder();
  const std::string path = std::string(name == nullptr ? "" : name) + "/" + file;
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = library == nullptr ? nullptr : ::dlsym(library, symbol);
  if (found == nullptr) return {nullptr, ::dlerror()};
  Dl_info itself{}, loaded{};
  if (::dladdr(reinterpret_cast<void*>(&guard_objects), &itself) != 0 &&
      ::dladdr(found, &loaded) != 0 && itself.dli_fbase == loaded.dli_fbase)
    return {nullptr, path + " is the simulated HTP itself"};
  const auto** providers = static_cast<const Table**>(nullptr);
  std::uint32_t count = 0;
  if (reinterpret_cast<GetProviders>(found)(&providers, &count) != 0 || count == 0)
    return {nullptr, path + " has no provider"};
  guard_objects();
  (void)::pthread_atfork(nullptr, nullptr, [] { is_over() = true; });
  return {providers[0], {}};
}

/// The library that describes binaries.
[[nodiscard]] inline const Library<c_api::SystemInterface>& system() {
  static const auto* const loaded = new const Library<c_api::SystemInterface>{
      load<c_api::SystemInterface, c_api::SystemInterfaceGetProvidersFn>(
          "libQnnSystem.so", "QnnSystemInterface_getProviders")};
  return *loaded;
}

/// The library that restores and executes binaries, with its backend.
struct Htp : Library<c_api::Interface> {
  c_api::BackendHandle backend = nullptr;
  std::mutex mutex;              ///< for creations and releases
  std::uint64_t contexts = 0;    ///< alive
  std::uint64_t vtcm_bytes = 0;  ///< of all of them
};

[[nodiscard]] inline Htp& htp() {
  static Htp* const loaded = [] {
    auto* const made = new Htp;
    static_cast<Library<c_api::Interface>&>(*made) =
        load<c_api::Interface, c_api::InterfaceGetProvidersFn>("libQnnHtp.so",
                                                               "QnnInterface_getProviders");
    if (made->table == nullptr) return made;
    const auto code = made->table->table.backend_create(nullptr, nullptr, &made->backend);
    if (code == 0) return made;
    made->table = nullptr;
    made->fault = text("QnnBackend_create failed with %llu", static_cast<unsigned long long>(code));
    return made;
  }();
  return *loaded;
}

/// Returns the code with which the engine refuses a binary that has no description.
[[nodiscard]] inline std::uint32_t answer_to(std::span<const std::byte> binary) {
  constexpr auto malformed =
      static_cast<std::uint32_t>(c_api::SystemContextError::malformed_binary);
  Htp& library = htp();
  if (library.table == nullptr || is_over()) return malformed;
  const std::lock_guard lock{library.mutex};
  const c_api::InterfaceTable& table = library.table->table;
  c_api::ContextHandle context = nullptr;
  const auto code = table.context_create_from_binary(
      library.backend, nullptr, nullptr, binary.data(), binary.size(), &context, nullptr);
  if (code != 0) return static_cast<std::uint32_t>(code & 0xFFFF);
  (void)table.context_free(context, nullptr);
  return malformed;
}

}  // namespace qnnpp::sim::engine
