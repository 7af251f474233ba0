// What a library prints to standard output is no output of the program.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace tool {

/// While an object lives, standard output is stderr: a program makes one before it loads QNN, which
/// prints to standard output, and prints its own output after the object is destroyed. Does nothing
/// if there is no standard output, or no descriptor is free.
class OutputToStderr {
 public:
  OutputToStderr() {
    std::fflush(stdout);
    kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept_ >= 0) (void)::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  OutputToStderr(const OutputToStderr&) = delete;
  OutputToStderr& operator=(const OutputToStderr&) = delete;
  ~OutputToStderr() {
    if (kept_ < 0) return;
    std::fflush(stdout);
    (void)::dup2(kept_, STDOUT_FILENO);
    (void)::close(kept_);
  }

 private:
  int kept_ = -1;
};

}  // namespace tool
