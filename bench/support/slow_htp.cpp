// A backend library that is the simulated HTP, but takes its time to load and to execute: the
// caller waits in QnnContext_finalize and QnnGraph_execute, as for a DSP that works.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>

#include "qnnpp/abi/interface.hpp"

namespace {

namespace c_api = qnnpp::c_api;

/// Entries that a library of core 2.32 has: nothing behind them is read.
constexpr std::size_t known_slots = 71;

std::atomic<std::uint32_t> load_us{0};
std::atomic<std::uint32_t> execution_us{0};
const c_api::Interface* real = nullptr;

template <auto member, std::atomic<std::uint32_t>& wait_us>
struct Slow;
template <class... Arguments, c_api::ErrorHandle (*c_api::InterfaceTable::*member)(Arguments...),
          std::atomic<std::uint32_t>& wait_us>
struct Slow<member, wait_us> {
  static c_api::ErrorHandle call(Arguments... arguments) {
    std::this_thread::sleep_for(std::chrono::microseconds(wait_us.load()));
    return (real->table.*member)(arguments...);
  }
};

const c_api::Interface* provider() {
  static const c_api::Interface* const made = []() -> const c_api::Interface* {
    void* library = ::dlopen(QNNPP_SIM_DIR "/libQnnHtp.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    const auto get = reinterpret_cast<c_api::InterfaceGetProvidersFn>(
        ::dlsym(library, "QnnInterface_getProviders"));
    const c_api::Interface** list = nullptr;
    std::uint32_t count = 0;
    if (get == nullptr || get(&list, &count) != 0 || count == 0) return nullptr;
    real = list[0];
    static c_api::Interface slow;
    slow.backend_id = real->backend_id;
    slow.provider_name = real->provider_name;
    slow.api_version = real->api_version;
    std::memcpy(static_cast<void*>(&slow.table), &real->table, known_slots * sizeof(void (*)()));
    using Table = c_api::InterfaceTable;
    slow.table.context_finalize = &Slow<&Table::context_finalize, load_us>::call;
    slow.table.graph_execute = &Slow<&Table::graph_execute, execution_us>::call;
    return &slow;
  }();
  return made;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) c_api::ErrorHandle QnnInterface_getProviders(
    const c_api::Interface*** list, std::uint32_t* count) {
  static const c_api::Interface* providers[1] = {provider()};
  *list = providers;
  *count = providers[0] == nullptr ? 0 : 1;
  return 0;
}

extern "C" __attribute__((visibility("default"))) void slow_htp_set_waits(std::uint32_t load,
                                                                          std::uint32_t execution) {
  load_us.store(load);
  execution_us.store(execution);
}
