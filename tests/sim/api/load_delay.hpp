// The time that a load takes (Config::load_delay_us), and the signals that end a load in it.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include "qnnpp/abi/error.hpp"

#include "sim/api/call.hpp"
#include "sim/objects/device.hpp"

namespace qnnpp::sim::detail {

/// Where in a creation its signal is looked at.
enum class Place : std::uint8_t { on_the_way, at_end };

/// Reports a failure if a signal has stopped the creation.
inline Status interrupted(const Device& d, const SignalUse& signal, Place place) {
  switch (signal.state()) {
    case Interruption::aborted:
      return failure(c_api::ContextError::aborted, "aborted by its signal");
    case Interruption::timed_out:
      if (place == Place::on_the_way && d.host().timeouts_end_late) break;
      return failure(c_api::ContextError::timed_out, "timed out");
    case Interruption::none: break;
  }
  return success();
}

/// Waits as long as a load lasts, in equal parts, which stand for its remote calls. Returns the
/// failure if the signal, which may be NULL, stops the load between two of them. From 2.46.0 on the
/// first of them is not under the signal yet. Unlocks the device meanwhile, so the caller's checks
/// of other objects must follow.
inline Status take_load_time(Call& call, const SignalUse* signal) {
  constexpr std::uint64_t parts = 10;
  const std::uint64_t delay_us = call.dev().config.load_delay_us;
  if (delay_us == 0) return success();
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t part = 1; part <= parts; ++part) {
    call.unlocked([&] {
      std::this_thread::sleep_until(start + std::chrono::microseconds{delay_us * part / parts});
    });
    if (signal == nullptr) continue;
    if (part == 1 && call.dev().host().first_call_ignores_aborts) signal->heed();
    const Place place = part == parts ? Place::at_end : Place::on_the_way;
    if (Status status = interrupted(call.dev(), *signal, place); !status.ok()) return status;
  }
  return success();
}

}  // namespace qnnpp::sim::detail
