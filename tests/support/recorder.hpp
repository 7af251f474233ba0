// What a test sees of the recording libraries (recorder.cpp): the simulated HTP behind tables that
// tell of each call.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

namespace support {

/// Calls of the system library are told as this and their index in its function table.
inline constexpr std::size_t first_system_slot = 100;
/// Calls of rpcmem.
inline constexpr std::size_t rpcmem_alloc_slot = 200;
inline constexpr std::size_t rpcmem_alloc2_slot = 201;
inline constexpr std::size_t rpcmem_free_slot = 202;
inline constexpr std::size_t rpcmem_to_fd_slot = 203;

/// Told of a call when it is entered and when it is left: `slot` is its index in the function
/// table, `arguments` are the addresses of the call's arguments.
using Hook = void (*)(std::size_t slot, bool entering, const void* const* arguments);
using SetHookFn = void (*)(Hook hook);

/// An argument of a call that a hook is told of.
template <class T>
const T& argument(const void* const* arguments, std::size_t index) {
  return *static_cast<const T*>(arguments[index]);
}

/// Every call of the recording libraries is told to `hook`, until this object goes. One at a time.
class Recording {
 public:
  explicit Recording(Hook hook) { set(hook); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { set(nullptr); }

 private:
  static void set(Hook hook) {
    // Not closed: the backend keeps itself loaded anyway.
    void* library = ::dlopen(QNNPP_RECORDER, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    if (const auto set_hook = reinterpret_cast<SetHookFn>(::dlsym(library, "recorder_set_hook")))
      set_hook(hook);
  }
};

}  // namespace support
