// Time limit of a child process that does not depend on the load of the machine.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <ctime>

/// Time that a child process may use: its CPU time, and the time during which it does not run. A
/// child that gets little of a loaded machine therefore has more time; one that waits for ever has
/// not.
class TimeLimit {
 public:
  TimeLimit(pid_t child, int seconds) : left_(seconds) {
    if (::clock_getcpuclockid(child, &cpu_clock_) != 0) cpu_clock_ = CLOCK_MONOTONIC;
    cpu_ = seconds_of(cpu_clock_, 0);
  }

  /// Returns whether the time is used up. Call it at least each half of a second.
  [[nodiscard]] bool is_over() {
    const double waited = seconds_of(CLOCK_MONOTONIC, time_) - time_;
    if (waited < 0.1) return false;
    const double ran = seconds_of(cpu_clock_, cpu_) - cpu_;
    // A child that waits may have threads that wake for a moment.
    left_ -= ran < waited / 50 ? waited : std::min(ran, waited);
    time_ += waited;
    cpu_ += ran;
    return left_ <= 0;
  }

 private:
  [[nodiscard]] static double seconds_of(clockid_t clock, double otherwise) {
    timespec now{};
    if (::clock_gettime(clock, &now) != 0) return otherwise;
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
  }

  double left_;
  double time_ = seconds_of(CLOCK_MONOTONIC, 0);
  double cpu_ = 0;
  clockid_t cpu_clock_ = CLOCK_MONOTONIC;
};
