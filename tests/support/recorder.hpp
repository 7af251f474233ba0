// Interface of the recording libraries (recorder.cpp): the simulated HTP behind tables that report
// each call.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

namespace support {

/// Slot of the system library's first function; slots of the others add their index in its table.
inline constexpr std::size_t first_system_slot = 100;
/// Slots of rpcmem's functions.
inline constexpr std::size_t rpcmem_alloc_slot = 200;
inline constexpr std::size_t rpcmem_alloc2_slot = 201;
inline constexpr std::size_t rpcmem_free_slot = 202;
inline constexpr std::size_t rpcmem_to_fd_slot = 203;

/// Function that is called at the entry and at the exit of a reported call. `slot` is the index in
/// the function table; `arguments` holds the addresses of the call's arguments.
using Hook = void (*)(std::size_t slot, bool entering, const void* const* arguments);
using SetHookFn = void (*)(Hook hook);

/// Returns one argument of a reported call.
template <class T>
const T& argument(const void* const* arguments, std::size_t index) {
  return *static_cast<const T*>(arguments[index]);
}

/// Reports every call of the recording libraries to `hook` until this object is destroyed. Only one
/// may live at a time.
class Recording {
 public:
  explicit Recording(Hook hook) { set(hook); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { set(nullptr); }

 private:
  static void set(Hook hook) {
    // Not closed, because the backend stays loaded anyway.
    void* library = ::dlopen(QNNPP_RECORDER, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    if (const auto set_hook = reinterpret_cast<SetHookFn>(::dlsym(library, "recorder_set_hook")))
      set_hook(hook);
  }
};

}  // namespace support
