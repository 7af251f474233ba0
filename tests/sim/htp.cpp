// libQnnHtp.so of the simulated HTP: the only device of the process, and the exported symbols.
#include <pthread.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "sim/objects/device.hpp"
#include "sim/objects/process_exit.hpp"
#include "sim/objects/sync_filter.hpp"
#include "sim/tables/control_table.hpp"
#include "sim/tables/interface.hpp"

namespace qnnpp::sim {

// Never destroyed, because clients can call until the process ends, even from static destructors.
Device& device() noexcept {
  static Device* const the_device = new Device;
  return *the_device;
}

}  // namespace qnnpp::sim

namespace {

/// One provider for each host library.
const qnnpp::c_api::Interface* const* providers() {
  static const qnnpp::c_api::Interface* const* const made = [] {
    auto** const list = new const qnnpp::c_api::Interface*[std::size(qnnpp::sim::host_libraries)];
    std::transform(std::begin(qnnpp::sim::host_libraries), std::end(qnnpp::sim::host_libraries),
                   list, qnnpp::sim::make_provider);
    return list;
  }();
  return made;
}

// Never destroyed, because end() reads it.
qnnpp::sim::ExitWishes& exit_wishes() {
  static auto* const wishes =
      new qnnpp::sim::ExitWishes{qnnpp::sim::exit_wishes_from_environment()};
  return *wishes;
}

[[gnu::constructor]] void begin() {
  [[maybe_unused]] qnnpp::sim::ExitWishes& wishes = exit_wishes();
#ifdef __GLIBC__
  if (wishes.strict_code != 0 || wishes.strict_calls_code != 0)
    ::on_exit(
        [](int code, void* to) { static_cast<qnnpp::sim::ExitWishes*>(to)->client_code = code; },
        &wishes);
#endif
  qnnpp::sim::Device& d = qnnpp::sim::device();
  // The device is whole in a child, which may report there.
  (void)::pthread_atfork([] { qnnpp::sim::device().mutex.lock(); },
                         [] { qnnpp::sim::device().mutex.unlock(); },
                         [] {
                           qnnpp::sim::Device& inherited = qnnpp::sim::device();
                           if (inherited.counted.calls != 0) inherited.is_inherited = true;
                           // The mapped file is the parent's.
                           if (std::exchange(inherited.has_mapped_tally, false))
                             inherited.tally = new qnnpp::sim::Tally{*inherited.tally};
                           inherited.mutex.unlock();
                         });
  const std::lock_guard lock{d.mutex};
  if (d.config.see_syncs != 0 && !see_syncs(d)) d.original.see_syncs = d.config.see_syncs = 0;
}

// A destructor of the library, because an atexit handler runs before the program's static
// destructors.
[[gnu::destructor]] void end() { qnnpp::sim::end_process(exit_wishes()); }

}  // namespace

namespace {
/// Destroyed by exit(), as the objects of a host library: after what is younger than the load of
/// the library, and before what is older.
const struct HostObjects {
  ~HostObjects() { qnnpp::sim::device().is_over = true; }
} host_objects;
}  // namespace

#define QNNPP_SIM_EXPORT extern "C" __attribute__((visibility("default")))

QNNPP_SIM_EXPORT qnnpp::c_api::ErrorHandle QnnInterface_getProviders(
    const qnnpp::c_api::Interface* const** list, std::uint32_t* count) {
  if (list == nullptr || count == nullptr) {
    return static_cast<qnnpp::c_api::ErrorHandle>(qnnpp::c_api::InterfaceError::invalid_parameter);
  }
  qnnpp::sim::Device& device = qnnpp::sim::device();
  const std::lock_guard lock{device.mutex};
  *list = providers() + device.config.host_library;
  *count = 1;
  return 0;
}

QNNPP_SIM_EXPORT const qnnpp::sim::Control* qnnpp_sim_control() {
  return &qnnpp::sim::control::functions;
}
