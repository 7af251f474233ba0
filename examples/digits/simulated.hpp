// Counters of the simulated HTP: bytes copied, bytes mapped, objects alive. A real HTP has no
// counters; the programs run without them.
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "qnnpp/core/error.hpp"
#include "qnnpp/sim/control.hpp"

namespace digits {

/// Returns the counters of a loaded libQnnHtp.so; nothing if it is not the simulated one.
[[nodiscard]] inline std::optional<qnnpp::sim::Counters> device_counters(
    const std::string& library) {
  std::optional<qnnpp::sim::Counters> counters;
  void* loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (loaded == nullptr) return counters;
  if (const auto control = qnnpp::sim::Control::from(loaded)) counters = control.counters();
  ::dlclose(loaded);
  return counters;
}

/// Returns the bytes of inputs and outputs that the device copied because they were not registered.
[[nodiscard]] inline std::uint64_t copied_bytes(const qnnpp::sim::Counters& counters) {
  return counters.copied_in_bytes + counters.copied_out_bytes;
}

/// Prints the bytes that the device copied so far, if it counts them.
inline void print_copied(const std::string& library) {
  if (const auto counters = device_counters(library))
    fmt::print("copied by the device: {} B\n", copied_bytes(*counters));
}

/// Prints the objects and bytes that are left in the simulated libraries, at the end of a program.
inline void print_left(const std::string& library, const std::string& allocator_library) {
  if (const auto left = device_counters(library))
    fmt::print(
        "left on the device: {} contexts, {} graphs, {} registrations, {} devices, "
        "{} backends, {} logs, {} mapped bytes, {} misuses\n",
        left->live_contexts, left->live_graphs,
        left->live_tensor_registrations + left->live_weights_registrations +
            left->live_spill_fill_registrations,
        left->live_devices, left->live_backends, left->live_logs, left->mapped_bytes,
        left->misuses);
  else
    fmt::print("left on the device: {} is not a loaded simulated HTP\n", qnnpp::escaped(library));
  std::error_code unknown;
  if (std::filesystem::is_fifo(allocator_library, unknown)) return;  // dlopen() would wait for it.
  void* rpcmem = ::dlopen(allocator_library.c_str(), RTLD_NOW);
  if (const auto control = qnnpp::sim::RpcmemControl::from(rpcmem)) {
    const qnnpp::sim::RpcmemCounters left = control.counters();
    fmt::print("left in rpcmem: {} allocations, {} bytes, {} descriptors\n", left.live_allocations,
               left.live_bytes, left.live_fds);
  }
  if (rpcmem != nullptr) ::dlclose(rpcmem);
}

}  // namespace digits
