// The simulated HTP with a duration for each load and each execution: the caller waits, as for a
// working DSP.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "qnnpp/sim/control.hpp"

#include "recorder.hpp"

namespace bench {

/// The library that waits.
inline const char* const slow_htp = QNNPP_RECORDER;

namespace detail {

inline std::atomic<std::uint32_t> load_us{0};
inline std::atomic<std::uint32_t> execution_us{0};

inline void wait(std::size_t slot, bool entering, const void* const*) {
  using qnnpp::sim::Slot;
  if (!entering) return;
  if (slot == static_cast<std::size_t>(Slot::context_finalize))
    std::this_thread::sleep_for(std::chrono::microseconds(load_us.load()));
  if (slot == static_cast<std::size_t>(Slot::graph_execute))
    std::this_thread::sleep_for(std::chrono::microseconds(execution_us.load()));
}

}  // namespace detail

/// Sets the least duration of each later load of a context and of each execution, in microseconds.
inline void set_waits(std::uint32_t load_us, std::uint32_t execution_us) {
  static const support::Recording recording(&detail::wait);
  detail::load_us.store(load_us);
  detail::execution_us.store(execution_us);
}

}  // namespace bench
