// A signal: aborts the one call it was given to, or lets it time out.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "qnnpp/abi/signal.hpp"

namespace qnnpp::sim {

/// Why a call with a signal is to end early.
enum class Interruption : std::uint8_t { none, aborted, timed_out };

/// Guards itself: the thread that triggers it is not the one that runs.
class Signal {
 public:
  std::uint64_t backend = 0;

  /// Its kind; `undefined` for one that was created without configs: it can do nothing.
  void configure(c_api::SignalConfigOption option, std::uint64_t timeout_us) {
    const std::lock_guard lock{mutex_};
    option_ = option;
    timeout_us_ = timeout_us;
  }

  /// False if another call uses it.
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

  /// Stops the call that uses it and waits until that call has let go. False if none does.
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
