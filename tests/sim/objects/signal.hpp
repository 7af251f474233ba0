// A signal: aborts the call that uses it, or makes the call time out.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "qnnpp/abi/signal.hpp"

namespace qnnpp::sim {

/// Reason to end a call early.
enum class Interruption : std::uint8_t { none, aborted, timed_out };

/// Thread-safe: a thread triggers it while another thread runs the call.
class Signal {
 public:
  std::uint64_t backend = 0;

  /// Sets the kind. A signal created without configs stays `undefined` and has no effect.
  void configure(c_api::SignalConfigOption option, std::uint64_t timeout_us) {
    const std::lock_guard lock{mutex_};
    option_ = option;
    timeout_us_ = timeout_us;
  }

  /// Starts the use by a call. Returns false if another call uses the signal.
  [[nodiscard]] bool begin() {
    const std::lock_guard lock{mutex_};
    if (in_use_) return false;
    in_use_ = true;
    aborted_ = false;
    started_ = std::chrono::steady_clock::now();
    return true;
  }
  void end() {
    {
      const std::lock_guard lock{mutex_};
      in_use_ = false;
    }
    idle_.notify_all();
  }

  [[nodiscard]] Interruption state() const {
    const std::lock_guard lock{mutex_};
    if (aborted_) return Interruption::aborted;
    if (option_ == c_api::SignalConfigOption::timeout &&
        std::chrono::steady_clock::now() - started_ >= std::chrono::microseconds{timeout_us_})
      return Interruption::timed_out;
    return Interruption::none;
  }

  [[nodiscard]] bool in_use() const {
    const std::lock_guard lock{mutex_};
    return in_use_;
  }
  [[nodiscard]] c_api::SignalConfigOption option() const {
    const std::lock_guard lock{mutex_};
    return option_;
  }

  /// Aborts the call that uses the signal, and blocks until it has ended. Returns false if no
  /// call uses it.
  [[nodiscard]] bool trigger() {
    std::unique_lock lock{mutex_};
    if (!in_use_) return false;
    aborted_ = true;
    idle_.wait(lock, [this] { return !in_use_; });
    return true;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  c_api::SignalConfigOption option_ = c_api::SignalConfigOption::undefined;
  std::uint64_t timeout_us_ = 0;
  std::chrono::steady_clock::time_point started_{};
  bool in_use_ = false;
  bool aborted_ = false;
};

}  // namespace qnnpp::sim
