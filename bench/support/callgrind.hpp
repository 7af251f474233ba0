// Instructions of one function and its callees, counted by valgrind's callgrind, without the
// instructions of the simulated device's libraries.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Cost of one run of a function.
struct Instructions {
  std::uint64_t total = 0;
  /// Instructions within libQnnHtp.so, libQnnSystem.so, libcdsprpc.so and their callees.
  std::uint64_t device = 0;
  /// Calls of malloc, calloc and realloc (also by operator new), except calls by those libraries.
  std::uint64_t allocations = 0;

  [[nodiscard]] std::uint64_t own() const { return total - device; }
};

namespace detail {

[[nodiscard]] inline bool is_device(std::string_view object) {
  for (const char* name : {"/libQnnHtp.so", "/libQnnSystem.so", "/libcdsprpc.so"})
    if (object.find(name) != std::string_view::npos) return true;
  return false;
}

/// Whether a function allocates. `name` may contain parameters or a version.
[[nodiscard]] inline bool is_allocation(std::string_view function) {
  const std::string_view name = function.substr(0, function.find_first_of("(@'"));
  return name == "malloc" || name == "calloc" || name == "realloc";
}

/// Reads a profile that was written with full names.
[[nodiscard]] inline Instructions read_profile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": callgrind wrote no profile");
  Instructions sum;
  std::string object;
  std::string called_object;
  std::string called;
  bool is_call_cost = false;
  for (std::string line; std::getline(file, line);) {
    const auto value_of = [&](std::string_view key) {
      return line.compare(0, key.size(), key) == 0;
    };
    if (value_of("ob=")) {
      object = called_object = line.substr(3);
    } else if (value_of("fn=")) {
      called_object = object;
    } else if (value_of("cob=")) {
      called_object = line.substr(4);
    } else if (value_of("cfn=")) {
      called = line.substr(4);
    } else if (value_of("calls=")) {
      if (is_allocation(called) && !is_device(object))
        sum.allocations += std::strtoull(line.c_str() + 6, nullptr, 10);
      is_call_cost = true;
    } else if (!line.empty() && (line[0] == '+' || line[0] == '-' || line[0] == '*' ||
                                 (line[0] >= '0' && line[0] <= '9'))) {
      const auto space = line.find(' ');
      if (space == std::string::npos) continue;
      const std::uint64_t cost = std::strtoull(line.c_str() + space, nullptr, 10);
      if (!is_call_cost)
        sum.total += cost;
      else if (is_device(called_object) && !is_device(object))
        sum.device += cost;
      if (is_call_cost) called_object = object;
      is_call_cost = false;
    }
  }
  return sum;
}

}  // namespace detail

/// Runs `command` (a program and its arguments) and counts the cost of its function `function`,
/// which has C linkage. Writes the profile to the file `scratch`. Throws if valgrind or the program
/// fails.
[[nodiscard]] inline Instructions count_instructions(const std::string& function,
                                                     const std::string& command,
                                                     const std::string& scratch) {
  const std::string run =
      "LD_BIND_NOW=1 valgrind --tool=callgrind --quiet --collect-atstart=no --toggle-collect=" +
      function + " --compress-strings=no --compress-pos=no --callgrind-out-file='" + scratch +
      "' " + command;
  if (const int status = std::system(run.c_str()); status != 0)
    throw std::runtime_error("status " + std::to_string(status) + " of: " + run);
  const Instructions counted = detail::read_profile(scratch);
  ::unlink(scratch.c_str());
  if (counted.total == 0) throw std::runtime_error("nothing was counted by: " + run);
  return counted;
}

}  // namespace bench
