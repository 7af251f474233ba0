// A backend library that is the simulated HTP, but tells a hook of each call that qnnpp makes.
#include "recorder.hpp"

#include <atomic>
#include <cstring>

#include "qnnpp/abi/interface.hpp"

namespace {

namespace abi = qnnpp::abi;
using Table = abi::InterfaceTable;

/// Entries that a library of core 2.32 has: nothing behind them is read.
constexpr std::size_t known_slots = 71;

std::atomic<support::Hook> hook{nullptr};
const abi::Interface* real = nullptr;

void tell(std::size_t slot, bool entering, const void* const* arguments) {
  if (const support::Hook told = hook.load()) told(slot, entering, arguments);
}

template <auto member>
struct Told;
template <class... Arguments, abi::ErrorHandle (*Table::*member)(Arguments...)>
struct Told<member> {
  static std::size_t slot() {
    const auto* table = reinterpret_cast<const std::byte*>(&real->table);
    const auto* entry = reinterpret_cast<const std::byte*>(&(real->table.*member));
    return static_cast<std::size_t>(entry - table) / sizeof(void (*)());
  }
  static abi::ErrorHandle call(Arguments... arguments) {
    const void* addresses[] = {&arguments...};
    tell(slot(), true, addresses);
    const abi::ErrorHandle result = (real->table.*member)(arguments...);
    tell(slot(), false, addresses);
    return result;
  }
};

template <auto... members>
void wrap(Table& table) {
  ((table.*members = &Told<members>::call), ...);
}

/// The provider, made at the first call: the library has no constructors that dlopen would run.
const abi::Interface* provider() {
  static const abi::Interface* const made = []() -> const abi::Interface* {
    void* library = ::dlopen(QNNPP_SIM_DIR "/libQnnHtp.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    const auto get = reinterpret_cast<abi::InterfaceGetProvidersFn>(
        ::dlsym(library, "QnnInterface_getProviders"));
    const abi::Interface** list = nullptr;
    std::uint32_t count = 0;
    if (get == nullptr || get(&list, &count) != 0 || count == 0) return nullptr;
    real = list[0];
    static abi::Interface told;
    told.backend_id = real->backend_id;
    told.provider_name = real->provider_name;
    told.api_version = real->api_version;
    std::memcpy(static_cast<void*>(&told.table), &real->table, known_slots * sizeof(void (*)()));
    wrap<&Table::property_has_capability, &Table::backend_create, &Table::backend_get_build_id,
         &Table::backend_free, &Table::device_create, &Table::device_free, &Table::log_create,
         &Table::log_free, &Table::context_create, &Table::context_get_binary_size,
         &Table::context_get_binary, &Table::context_create_from_binary,
         &Table::context_create_from_binary_list_async, &Table::context_free,
         &Table::context_get_property, &Table::context_finalize, &Table::mem_register,
         &Table::mem_de_register, &Table::graph_create, &Table::graph_add_node,
         &Table::graph_finalize, &Table::graph_retrieve, &Table::graph_execute,
         &Table::tensor_create_graph_tensor>(told.table);
    return &told;
  }();
  return made;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) abi::ErrorHandle QnnInterface_getProviders(
    const abi::Interface*** list, std::uint32_t* count) {
  static const abi::Interface* providers[1] = {provider()};
  *list = providers;
  *count = providers[0] == nullptr ? 0 : 1;
  return 0;
}

extern "C" __attribute__((visibility("default"))) void recorder_set_hook(support::Hook told) {
  hook.store(told);
}
