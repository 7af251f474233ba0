// Ctrl-C and the signals TERM and HUP: a program ends the call that it is in, or its next step,
// releases everything and ends with exit code 128 + signal, which is 130 for Ctrl-C.
#pragma once

#include <semaphore.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>

#include "qnnpp/core/stop.hpp"

namespace tool {

/// While an object lives, the first SIGINT, SIGTERM or SIGHUP is noted and pulls stop(). The same
/// signal again ends the process at once, in case a call into the driver does not return. A signal
/// that the process ignores, for example below nohup, stays ignored. The destructor restores the
/// old handlers. At most one object lives at a time.
///
/// No handler may pull a stop, so the handler wakes a thread that does. Unlike a thread that waits
/// for blocked signals, it does not depend on which threads the process had before.
class Interrupt {
 public:
  Interrupt() {
    arrived = 0;
    thread_ = std::thread([this] {
      while (::sem_wait(&wake.semaphore) != 0 && errno == EINTR) continue;
      if (requested()) stop_.pull();
    });
    struct sigaction action{};
    action.sa_handler = [](int signal) {
      const int before = errno;
      arrived = signal;
      ::sem_post(&wake.semaphore);
      errno = before;
    };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < signals.size(); ++i) {
      ::sigaction(signals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
    }
  }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
    ::sem_post(&wake.semaphore);  // Ends the thread if no signal did.
    thread_.join();
    while (::sem_trywait(&wake.semaphore) == 0) continue;
  }

  /// The stop that a signal pulls. Valid while this object lives.
  [[nodiscard]] const qnnpp::Stop& stop() const noexcept { return stop_; }
  /// Returns the signal that arrived since the newest object was made; 0 if none did.
  [[nodiscard]] static int signal() noexcept { return arrived; }
  /// Returns whether a signal arrived.
  [[nodiscard]] static bool requested() noexcept { return signal() != 0; }

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  static inline std::atomic<int> arrived = 0;
  static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may use it");
  /// Is never destroyed, because a handler may still run.
  struct Wake {
    Wake() noexcept { ::sem_init(&semaphore, 0, 0); }
    sem_t semaphore;
  };
  static inline Wake wake;

  qnnpp::Stop stop_;
  std::thread thread_;
  std::array<struct sigaction, signals.size()> before_{};
};

/// Thrown by stop_if_interrupted().
struct Interrupted : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Throws Interrupted if a signal arrived. The objects of the program are then destroyed as after
/// any other exception.
inline void stop_if_interrupted() {
  if (Interrupt::requested()) throw Interrupted();
}

/// Returns the exit code of `body`, which receives the stop that a signal pulls; after a signal 128
/// + its number, with one line on stderr. If the signal made a call fail, for example a cancelled
/// load, its exception is not printed.
template <class Body>
[[nodiscard]] int interruptible(const std::string& name, Body&& body) {
  const Interrupt guard;
  try {
    const int status = body(guard.stop());
    if (!Interrupt::requested()) return status;
  } catch (const std::exception&) {
    if (!Interrupt::requested()) throw;
  }
  std::fputs((name + ": interrupted; everything is released\n").c_str(), stderr);
  return 128 + Interrupt::signal();
}

}  // namespace tool
