// What a test sees of the recording backend (recorder.cpp): the simulated HTP behind a table that
// tells of each call.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

namespace support {

/// Told of a call when it is entered and when it is left: `slot` is its index in the function
/// table, `arguments` are the addresses of the call's arguments.
using Hook = void (*)(std::size_t slot, bool entering, const void* const* arguments);
using SetHookFn = void (*)(Hook hook);

/// An argument of a call that a hook is told of.
template <class T>
const T& argument(const void* const* arguments, std::size_t index) {
  return *static_cast<const T*>(arguments[index]);
}

/// Every call of the recording backend is told to `hook`, until this object goes. One at a time.
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
