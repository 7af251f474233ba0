// The cost of including the umbrella: instructions and CPU time of the compiler, and preprocessed
// lines, against fmt/format.h in the same run. Measures both forms of qnnpp: all code in the
// headers, and everything except templates compiled apart. A time is the least of several, measured
// in random order; instructions are the same in every run.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/report.hpp"
#include "support/statistics.hpp"

namespace {

struct Compiler {
  const char* name;
  const char* program;
};
constexpr Compiler compilers[] = {{"g++", "g++"}, {"clang 19", "clang++-19"}};

/// Returns the CPU seconds of `command`. Throws if it fails.
double cpu_seconds(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child || status != 0)
    throw std::runtime_error(command[0] + " failed with " + command.back());
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// One header, and the macro that is defined before it.
struct Included {
  std::string header;
  std::string define = {};
  auto operator<=>(const Included&) const = default;
};

constexpr const char* separate = "QNNPP_SEPARATE";

std::string file_name(const Included& included) {
  std::string name = included.header + included.define;
  std::replace(name.begin(), name.end(), '/', '_');
  return name + ".cpp";
}

/// Writes a file that includes only one header; returns its path.
std::string includer(const std::string& folder, const Included& included) {
  const std::string path = folder + "/" + file_name(included);
  std::ofstream file(path);
  if (!included.define.empty()) file << "#define " << included.define << "\n";
  file << "#include <" << included.header << ">\n";
  return path;
}

/// Runs a program and returns its output.
std::string output_of(const std::string& command) {
  FILE* output = ::popen(command.c_str(), "r");
  if (output == nullptr) throw std::runtime_error("cannot run: " + command);
  std::string text;
  for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) text += static_cast<char>(c);
  if (::pclose(output) != 0) throw std::runtime_error("failed: " + command);
  return text;
}

double preprocessed_lines(const std::string& source) {
  const std::string text =
      output_of("g++ -std=c++20 -I" QNNPP_INCLUDE_DIR " -E -P '" + source + "'");
  return static_cast<double>(std::count(text.begin(), text.end(), '\n'));
}

/// Counts the instructions of a compiler for a source, without the assembler's. Uses valgrind's
/// exp-bbv, which needs two thirds of callgrind's time.
double instructions(const std::string& compiler, const std::string& source) {
  const std::string text =
      output_of("valgrind --tool=exp-bbv --trace-children=yes --bb-out-file=/dev/null " + compiler +
                " -std=c++20 -O2 -I" QNNPP_INCLUDE_DIR " -S -o /dev/null '" + source + "' 2>&1");
  const std::string label = "Total instructions: ";
  double sum = 0;
  for (auto at = text.find(label); at != std::string::npos; at = text.find(label, at + 1))
    sum += std::strtod(text.c_str() + at + label.size(), nullptr);
  if (sum <= 0) throw std::runtime_error("nothing was counted: " + text);
  return sum;
}

/// Instructions of each compiler for each header.
using Instructions = std::map<std::string, std::map<Included, double>>;

/// Counts on two threads. The headers are sorted from the costliest to the cheapest, so that both
/// threads end at about the same time.
Instructions count(const std::vector<Included>& headers, const std::string& folder) {
  struct Job {
    const char* program;
    std::string source;
    double& instructions;
  };
  Instructions counted;
  std::vector<Job> jobs;
  for (const Included& header : headers)
    for (const Compiler& compiler : compilers)
      jobs.push_back(
          {compiler.program, includer(folder, header), counted[compiler.program][header]});
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++)
      jobs[i].instructions = instructions(jobs[i].program, jobs[i].source);
  };
  auto other = std::async(std::launch::async, work);
  work();
  other.get();
  return counted;
}

using Times = std::map<Included, std::vector<double>>;

/// Compiles each header `rounds` times, in a new random order each round.
Times compile(const char* compiler, std::vector<Included> headers, const std::string& folder,
              int rounds) {
  Times times;
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(headers.begin(), headers.end(), random);
    for (const Included& header : headers)
      times[header].push_back(cpu_seconds({compiler, "-std=c++20", "-O2", "-I" QNNPP_INCLUDE_DIR,
                                           "-c", "-o", "/dev/null", includer(folder, header)}));
  }
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Report report("headers", argc, argv);
  std::filesystem::create_directories(report.file("headers"));
  const std::string folder = std::filesystem::canonical(report.file("headers"));
  const Included reference{"fmt/format.h"};
  const Included whole{"qnnpp/qnnpp.hpp"};
  const Included apart{"qnnpp/qnnpp.hpp", separate};
  const std::string whole_name = whole.header + " with its definitions";
  struct Goal {
    const Included& header;
    std::string name;
    double at_most;
  };
  const Goal goals[] = {{apart, apart.header, 2.2}, {whole, whole_name, 4.5}};

  const Instructions counted = count({whole, apart, reference}, folder);
  for (const Compiler& compiler : compilers) {
    const std::string suffix = std::string(", ") + compiler.name;
    const auto& counts = counted.at(compiler.program);
    const double fmt = counts.at(reference);
    report.show(reference.header + suffix, fmt * 1e-6, "million instructions", "");
    for (const auto& [header, name, most] : goals)
      report.at_most(most, name + suffix, counts.at(header) / fmt, "ratio", "to fmt/format.h");

    const Times times = compile(compiler.program, {reference, apart, whole}, folder, 3);
    report.show(reference.header + suffix, bench::least(times.at(reference)) * 1e3, "ms of CPU",
                "");
    for (const auto& [header, name, most] : goals)
      report.show(name + suffix, bench::least(times.at(header)) / bench::least(times.at(reference)),
                  "ratio of times", "to fmt/format.h");
  }

  const auto show_lines = [&](const Included& header, const std::string& name) {
    report.show(name, preprocessed_lines(includer(folder, header)), "lines",
                "preprocessed, without blank ones");
  };
  show_lines(reference, reference.header);
  for (const auto& [header, name, most] : goals) show_lines(header, name);
  std::filesystem::remove_all(folder);
  return report.finish();
}
