// Ctrl-C: a program stops at its next step, releases everything and ends with exit code 130.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

namespace tool {

/// While an object lives, the first SIGINT only sets a flag. A second SIGINT ends the process at
/// once, in case a call into the driver does not return. The destructor restores the old handler.
class Interrupt {
 public:
  Interrupt() {
    flag = false;
    struct sigaction action{};
    action.sa_handler = [](int) { flag = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &before_);
  }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt() { ::sigaction(SIGINT, &before_, nullptr); }

  /// Returns whether SIGINT arrived since the newest object was made.
  [[nodiscard]] static bool requested() noexcept { return flag; }

 private:
  static inline std::atomic<bool> flag = false;
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may use it");
  struct sigaction before_{};
};

/// Thrown by stop_if_interrupted().
struct Interrupted : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Throws Interrupted if SIGINT arrived. The objects of the program are then destroyed as after any
/// other exception.
inline void stop_if_interrupted() {
  if (Interrupt::requested()) throw Interrupted();
}

/// Returns the exit code of `body`; 130 after SIGINT, with one line on stderr. If SIGINT made a
/// call fail, for example a cancelled load, its exception is not printed.
template <class Body>
[[nodiscard]] int interruptible(const std::string& name, Body&& body) {
  const Interrupt guard;
  try {
    const int status = body();
    if (!Interrupt::requested()) return status;
  } catch (const std::exception&) {
    if (!Interrupt::requested()) throw;
  }
  std::fputs((name + ": interrupted; everything is released\n").c_str(), stderr);
  return 130;
}

}  // namespace tool
