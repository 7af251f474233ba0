// A backend library that calls the simulated HTP and reports each call of qnnpp to a hook. It can
// also be loaded as the system library and as libcdsprpc.so; it then reports their calls.
#include "recorder.hpp"

#include <atomic>
#include <cstring>

#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/rpcmem.hpp"
#include "qnnpp/abi/system_interface.hpp"

namespace {

namespace c_api = qnnpp::c_api;
using Table = c_api::InterfaceTable;
using SystemTable = c_api::SystemInterfaceTable;
using PerfTable = c_api::HtpDevicePerfInfrastructure;

/// Number of entries in the table of core 2.32. Later entries are not read.
constexpr std::size_t known_slots = 71;

std::atomic<support::Hook> hook{nullptr};
/// Function tables of the simulated device.
template <class T>
const T* real = nullptr;
template <class T>
constexpr std::size_t first_slot = 0;
template <>
constexpr std::size_t first_slot<SystemTable> = support::first_system_slot;
template <>
constexpr std::size_t first_slot<PerfTable> =
    static_cast<std::size_t>(c_api::Slot::perf_create_power_config_id);

void tell(std::size_t slot, bool entering, const void* const* arguments) {
  if (const support::Hook told = hook.load()) told(slot, entering, arguments);
}

template <auto member>
struct Told;
template <class T, class... Arguments, c_api::ErrorHandle (*T::*member)(Arguments...)>
struct Told<member> {
  static std::size_t slot() {
    const auto* table = reinterpret_cast<const std::byte*>(real<T>);
    const auto* entry = reinterpret_cast<const std::byte*>(&(real<T>->*member));
    return first_slot<T> + static_cast<std::size_t>(entry - table) / sizeof(void (*)());
  }
  static c_api::ErrorHandle call(Arguments... arguments) {
    const void* addresses[] = {&arguments...};
    tell(slot(), true, addresses);
    const c_api::ErrorHandle result = (real<T>->*member)(arguments...);
    tell(slot(), false, addresses);
    return result;
  }
};

template <auto... members, class T>
void wrap(T& table) {
  ((table.*members = &Told<members>::call), ...);
}

/// Returns an infrastructure whose functions report their calls.
c_api::ErrorHandle get_infrastructure(const c_api::DeviceInfrastructure* out) {
  const c_api::ErrorHandle code = Told<&Table::device_get_infrastructure>::call(out);
  if (code != 0 || *out == nullptr) return code;
  static c_api::HtpDeviceInfrastructure told = [](const auto* from) {
    real<PerfTable> = &from->perf_infra;
    auto made = *from;
    wrap<&PerfTable::create_power_config_id, &PerfTable::destroy_power_config_id,
         &PerfTable::set_power_config, &PerfTable::set_memory_config>(made.perf_infra);
    return made;
  }(reinterpret_cast<const c_api::HtpDeviceInfrastructure*>(*out));
  *const_cast<c_api::DeviceInfrastructure*>(out) =
      reinterpret_cast<c_api::DeviceInfrastructure>(&told);
  return code;
}

/// Returns the first provider of a library.
template <class Interface>
const Interface* provider_of(const char* path, const char* symbol) {
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto get = reinterpret_cast<c_api::ErrorHandle (*)(const Interface***, std::uint32_t*)>(
      ::dlsym(library, symbol));
  const Interface** list = nullptr;
  std::uint32_t count = 0;
  return get == nullptr || get(&list, &count) != 0 || count == 0 ? nullptr : list[0];
}

/// Returns the provider, which the first call creates. The library has no constructors that dlopen
/// would run.
const c_api::Interface* provider() {
  static const c_api::Interface* const made = []() -> const c_api::Interface* {
    const auto* from =
        provider_of<c_api::Interface>(QNNPP_SIM_DIR "/libQnnHtp.so", "QnnInterface_getProviders");
    if (from == nullptr) return nullptr;
    real<Table> = &from->table;
    static c_api::Interface told;
    told.backend_id = from->backend_id;
    told.provider_name = from->provider_name;
    told.api_version = from->api_version;
    std::memcpy(static_cast<void*>(&told.table), &from->table, known_slots * sizeof(void (*)()));
    wrap<&Table::property_has_capability, &Table::backend_create, &Table::backend_get_build_id,
         &Table::backend_validate_op_config, &Table::backend_free, &Table::device_create,
         &Table::device_free, &Table::device_get_platform_info, &Table::device_free_platform_info,
         &Table::log_create, &Table::log_free, &Table::context_create,
         &Table::context_get_binary_size, &Table::context_get_binary,
         &Table::context_create_from_binary, &Table::context_create_from_binary_with_signal,
         &Table::context_create_from_binary_list_async, &Table::signal_create,
         &Table::signal_set_config, &Table::signal_trigger, &Table::signal_free,
         &Table::context_free, &Table::context_get_property, &Table::context_finalize,
         &Table::mem_register, &Table::mem_de_register, &Table::graph_create,
         &Table::graph_add_node, &Table::graph_finalize, &Table::graph_retrieve,
         &Table::graph_set_config, &Table::graph_execute, &Table::tensor_create_graph_tensor,
         &Table::profile_create, &Table::profile_set_config, &Table::profile_get_events,
         &Table::profile_get_sub_events, &Table::profile_get_event_data,
         &Table::profile_get_extended_event_data, &Table::profile_free>(told.table);
    told.table.device_get_infrastructure = &get_infrastructure;
    return &told;
  }();
  return made;
}

const c_api::SystemInterface* system_provider() {
  static const c_api::SystemInterface* const made = []() -> const c_api::SystemInterface* {
    const auto* from = provider_of<c_api::SystemInterface>(QNNPP_SIM_DIR "/libQnnSystem.so",
                                                           "QnnSystemInterface_getProviders");
    if (from == nullptr) return nullptr;
    real<SystemTable> = &from->table;
    static c_api::SystemInterface told = *from;
    wrap<&SystemTable::system_context_create, &SystemTable::system_context_get_binary_info,
         &SystemTable::system_context_get_meta_data, &SystemTable::system_context_free,
         &SystemTable::system_profile_create_serialization_target,
         &SystemTable::system_profile_serialize_event_data,
         &SystemTable::system_profile_free_serialization_target>(told.table);
    return &told;
  }();
  return made;
}

/// Calls a function of the simulated libcdsprpc.so.
template <class Function, class... Arguments>
auto call_rpcmem(std::size_t slot, const char* name, Arguments... arguments) {
  static void* const library = ::dlopen(QNNPP_SIM_DIR "/libcdsprpc.so", RTLD_NOW | RTLD_LOCAL);
  const void* addresses[] = {&arguments...};
  tell(slot, true, addresses);
  struct Left {
    std::size_t slot;
    const void* const* addresses;
    ~Left() { tell(slot, false, addresses); }
  } const left{slot, addresses};
  return reinterpret_cast<Function>(::dlsym(library, name))(arguments...);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) c_api::ErrorHandle QnnInterface_getProviders(
    const c_api::Interface*** list, std::uint32_t* count) {
  static const c_api::Interface* providers[1] = {provider()};
  *list = providers;
  *count = providers[0] == nullptr ? 0 : 1;
  return 0;
}

extern "C" __attribute__((visibility("default"))) c_api::ErrorHandle
QnnSystemInterface_getProviders(const c_api::SystemInterface*** list, std::uint32_t* count) {
  static const c_api::SystemInterface* providers[1] = {system_provider()};
  *list = providers;
  *count = providers[0] == nullptr ? 0 : 1;
  return 0;
}

extern "C" __attribute__((visibility("default"))) void* rpcmem_alloc(int heap, std::uint32_t flags,
                                                                     int bytes) {
  return call_rpcmem<c_api::RpcmemAllocFn>(support::rpcmem_alloc_slot, "rpcmem_alloc", heap, flags,
                                           bytes);
}
extern "C" __attribute__((visibility("default"))) void* rpcmem_alloc2(int heap, std::uint32_t flags,
                                                                      std::size_t bytes) {
  return call_rpcmem<c_api::RpcmemAlloc2Fn>(support::rpcmem_alloc2_slot, "rpcmem_alloc2", heap,
                                            flags, bytes);
}
extern "C" __attribute__((visibility("default"))) void rpcmem_free(void* start) {
  call_rpcmem<c_api::RpcmemFreeFn>(support::rpcmem_free_slot, "rpcmem_free", start);
}
extern "C" __attribute__((visibility("default"))) int rpcmem_to_fd(void* start) {
  return call_rpcmem<c_api::RpcmemToFdFn>(support::rpcmem_to_fd_slot, "rpcmem_to_fd", start);
}

extern "C" __attribute__((visibility("default"))) void recorder_set_hook(support::Hook told) {
  hook.store(told);
}
