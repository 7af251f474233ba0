// A signal: aborts the call that uses it, or makes the call time out.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "qnnpp/abi/signal.hpp"

namespace qnnpp::sim {

/// Reason to end a call early.
enum class Interruption : std::uint8_t { none, aborted, timed_out };

/// What a call does with its signal, which depends on the host library, the DSP and the call.
struct Heed {
  bool aborts = true;         ///< the call ends early when the signal is triggered
  bool timeouts = true;       ///< the call ends early when the signal's time is over
  bool trigger_waits = true;  ///< signalTrigger returns when the call has ended
};

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
  [[nodiscard]] bool begin(const Heed& heed) {
    const std::lock_guard lock{mutex_};
    if (in_use_) return false;
    in_use_ = true;
    ++uses_;
    heed_ = heed;
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

  /// Changes what the call that uses the signal does with it. Forgets an abort.
  void change(const Heed& heed) {
    const std::lock_guard lock{mutex_};
    heed_ = heed;
    aborted_ = false;
  }

  /// Lets the call that uses the signal heed aborts, if it does not yet.
  void heed_aborts() {
    const std::lock_guard lock{mutex_};
    if (!heed_.aborts) heed_ = {};
  }

  [[nodiscard]] Interruption state() const {
    const std::lock_guard lock{mutex_};
    if (aborted_) return Interruption::aborted;
    if (heed_.timeouts && option_ == c_api::SignalConfigOption::timeout &&
        std::chrono::steady_clock::now() - started_ >= std::chrono::microseconds{timeout_us_})
      return Interruption::timed_out;
    return Interruption::none;
  }

  /// Waits for `time`, or until the call is to end early.
  void pause(std::chrono::microseconds time) {
    std::unique_lock lock{mutex_};
    auto until = std::chrono::steady_clock::now() + time;
    if (heed_.timeouts && option_ == c_api::SignalConfigOption::timeout)
      until = std::min(until, started_ + std::chrono::microseconds{timeout_us_});
    asked_.wait_until(lock, until, [this] { return aborted_; });
  }

  [[nodiscard]] bool in_use() const {
    const std::lock_guard lock{mutex_};
    return in_use_;
  }
  [[nodiscard]] c_api::SignalConfigOption option() const {
    const std::lock_guard lock{mutex_};
    return option_;
  }

  /// Blocks until the call that uses the signal has ended.
  void wait() {
    std::unique_lock lock{mutex_};
    wait_for_end(lock);
  }

  /// Aborts the call that uses the signal, and blocks until it has ended if the call wants that.
  /// Returns false if no call uses the signal, or if the call does not heed it. Nothing remembers
  /// such a trigger.
  [[nodiscard]] bool trigger() {
    std::unique_lock lock{mutex_};
    if (!in_use_) return false;
    const Heed heed = heed_;
    if (heed.aborts) aborted_ = true;
    asked_.notify_all();
    if (heed.trigger_waits) wait_for_end(lock);
    return heed.aborts;
  }

 private:
  /// Another call may use the signal directly afterwards.
  void wait_for_end(std::unique_lock<std::mutex>& lock) {
    idle_.wait(lock, [this, use = uses_] { return !in_use_ || uses_ != use; });
  }

  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::condition_variable asked_;
  c_api::SignalConfigOption option_ = c_api::SignalConfigOption::undefined;
  std::uint64_t timeout_us_ = 0;
  std::chrono::steady_clock::time_point started_{};
  Heed heed_;
  std::uint64_t uses_ = 0;  ///< calls that have used it
  bool in_use_ = false;
  bool aborted_ = false;
};

}  // namespace qnnpp::sim
