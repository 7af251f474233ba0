// Simulated device of the tests: its control tables, and the answers that depend on its seed.
#pragma once

#include <dlfcn.h>

#include <cstdint>

#include "qnnpp/sim/control.hpp"

#include "sim/tables/unconfirmed.hpp"

namespace support {

namespace sim = qnnpp::sim;

inline const char* const htp_library = QNNPP_SIM_DIR "/libQnnHtp.so";
inline const char* const system_library = QNNPP_SIM_DIR "/libQnnSystem.so";
inline const char* const rpcmem_library = QNNPP_SIM_DIR "/libcdsprpc.so";

/// Holds both control tables, which are loaded once.
struct Controls {
  sim::Control htp = sim::Control::from(::dlopen(htp_library, RTLD_NOW | RTLD_LOCAL));
  sim::RpcmemControl rpcmem =
      sim::RpcmemControl::from(::dlopen(rpcmem_library, RTLD_NOW | RTLD_LOCAL));
};
inline const Controls& controls() {
  static const Controls loaded;
  return loaded;
}
inline const sim::Control& control() { return controls().htp; }
inline const sim::RpcmemControl& rpcmem_control() { return controls().rpcmem; }

/// Returns the answer that the device's seed selects, or the default answer without a seed.
inline std::uint64_t drawn(sim::Unconfirmed answer) {
  return sim::drawn(control().config().seed, answer);
}
/// Returns the error code that the device's seed selects, or `own_code` without a seed.
inline std::uint32_t drawn_code(sim::Unconfirmed answer, std::uint32_t own_code) {
  return sim::drawn_code(control().config().seed, answer, own_code);
}

}  // namespace support
