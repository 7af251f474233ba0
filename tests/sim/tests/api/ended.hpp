// Runs a program of this build, and keeps what it wrote to stderr.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace sim_test {

/// How a program ended, and what it wrote.
struct Ended {
  int code = -1;    ///< exit code; -1 for a signal
  int signal = -1;  ///< that ended it; -1 for none
  std::string said;

  [[nodiscard]] bool says(const std::string& words) const {
    return said.find(words) != std::string::npos;
  }
  [[nodiscard]] std::string first_line() const { return said.substr(0, said.find('\n')); }
  [[nodiscard]] std::size_t lines() const {
    return static_cast<std::size_t>(std::count(said.begin(), said.end(), '\n'));
  }
};

/// Runs a shell command, and keeps what it writes to stdout.
inline Ended run_command(const std::string& command) {
  Ended ended;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return ended;
  char part[4096];
  while (const std::size_t got = std::fread(part, 1, sizeof part, pipe))
    ended.said.append(part, got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

/// Runs a program of this build with variables ("A=1 B='2 3'") and with arguments after the folder.
inline Ended run(const std::string& variables, const char* program, const std::string& words) {
  return run_command(variables + " exec " + program + " " QNNPP_SIM_DIR " " + words +
                     " 2>&1 >/dev/null");
}

}  // namespace sim_test
