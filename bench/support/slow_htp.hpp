// What a benchmark sees of the slow backend (slow_htp.cpp).
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>

namespace bench {

/// From here on each load of a context, and each execution, takes at least so many microseconds.
inline void set_waits(std::uint32_t load_us, std::uint32_t execution_us) {
  void* library = ::dlopen(QNNPP_SLOW_HTP, RTLD_NOW | RTLD_LOCAL);
  const auto set = library == nullptr ? nullptr
                                      : reinterpret_cast<void (*)(std::uint32_t, std::uint32_t)>(
                                            ::dlsym(library, "slow_htp_set_waits"));
  if (set == nullptr) throw std::runtime_error("no slow backend");
  set(load_us, execution_us);
}

}  // namespace bench
