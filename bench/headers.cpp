// What including a header costs: CPU time of the compiler and preprocessed lines, against
// fmt/format.h in the same run.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
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

/// Seconds of CPU that `command` took. Throws where it fails.
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

/// A file that includes one header and nothing else.
std::string includer(const std::string& folder, const std::string& header) {
  std::string name = header;
  std::replace(name.begin(), name.end(), '/', '_');
  const std::string path = folder + "/" + name + ".cpp";
  std::ofstream(path) << (header[0] == '/' ? "#include \"" + header + "\"\n"
                                           : "#include <" + header + ">\n");
  return path;
}

double preprocessed_lines(const char* compiler, const std::string& source) {
  const std::string command =
      std::string(compiler) + " -std=c++20 -I" QNNPP_INCLUDE_DIR " -E -P '" + source + "'";
  FILE* output = ::popen(command.c_str(), "r");
  if (output == nullptr) throw std::runtime_error("cannot run: " + command);
  double lines = 0;
  for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) lines += c == '\n';
  if (::pclose(output) != 0) throw std::runtime_error("failed: " + command);
  return lines;
}

using Times = std::map<std::string, std::vector<double>>;

/// Compiles each header `rounds` times, in a new random order each round.
Times compile(const char* compiler, std::vector<std::string> headers, const std::string& folder,
              int rounds) {
  Times times;
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(headers.begin(), headers.end(), random);
    for (const std::string& header : headers)
      times[header].push_back(
          cpu_seconds({compiler, "-std=c++20", "-O2", "-I" QNNPP_INCLUDE_DIR, "-c", "-o",
                       "/dev/null", includer(folder, header)}));
  }
  return times;
}

/// Adds to `theirs` the headers of others that a header of qnnpp includes, by whatever way.
void collect(const std::string& header, std::set<std::string>& ours, std::set<std::string>& theirs) {
  if (!ours.insert(header).second) return;
  std::ifstream file(QNNPP_INCLUDE_DIR "/" + header);
  for (std::string line; std::getline(file, line);) {
    const auto included = [&](const std::string& opening, char closing) {
      return line.compare(0, opening.size(), opening) == 0
                 ? line.substr(opening.size(), line.find(closing, opening.size()) - opening.size())
                 : std::string();
    };
    if (const std::string name = included("#include \"", '"'); !name.empty())
      collect(name, ours, theirs);
    if (const std::string name = included("#include <", '>'); !name.empty() && name != "expected")
      theirs.insert(name);
  }
}

std::vector<std::string> headers_of(const std::string& layer) {
  std::vector<std::string> headers;
  for (const auto& entry :
       std::filesystem::directory_iterator(QNNPP_INCLUDE_DIR "/qnnpp/" + layer))
    if (entry.path().extension() == ".hpp")
      headers.push_back("qnnpp/" + layer + "/" + entry.path().filename().string());
  std::sort(headers.begin(), headers.end());
  return headers;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Report report("headers", argc, argv);
  std::filesystem::create_directories(report.file("headers"));
  const std::string folder = std::filesystem::canonical(report.file("headers"));
  const std::string reference = "fmt/format.h";
  const std::string umbrella = "qnnpp/qnnpp.hpp";
  const std::vector<std::string> core = headers_of("core");

  // The least that the umbrella could cost: what it includes of others, and nothing of its own.
  std::set<std::string> ours;
  std::set<std::string> theirs;
  collect(umbrella, ours, theirs);
  const std::string floor = folder + "/of_others.hpp";
  {
    std::ofstream file(floor);
    for (const std::string& header : theirs) file << "#include <" << header << ">\n";
  }

  for (const Compiler compiler : {Compiler{"g++", "g++"}, {"clang 19", "clang++-19"}}) {
    std::vector<std::string> judged = core;
    judged.push_back(umbrella);
    judged.push_back(reference);
    judged.push_back(floor);
    const Times times = compile(compiler.program, judged, folder, 7);
    const std::vector<double>& base = times.at(reference);
    report.show(reference + ", " + compiler.name, bench::median(base) * 1e3, "ms of CPU", "");
    for (const std::string& header : judged) {
      if (header == reference) continue;
      const bench::Ratio ratio = bench::ratio(times.at(header), base);
      if (header == floor) {
        report.show(std::string("what qnnpp/qnnpp.hpp includes of others, ") + compiler.name,
                    ratio.value, "ratio", "to fmt/format.h");
        continue;
      }
      report.at_most(header == umbrella ? 1.0 : 0.6, header + ", " + compiler.name, ratio.value,
                     "ratio",
                     "to fmt/format.h; 95 %: " + bench::number(ratio.interval.low) + " to " +
                         bench::number(ratio.interval.high));
    }
  }

  std::vector<std::string> others{reference};
  // Not verify_sdk.hpp, which needs the SDK.
  for (const char* layer : {"abi", "backend", "memory", "context", "graph", "model"})
    for (const std::string& header : headers_of(layer))
      if (header != "qnnpp/abi/verify_sdk.hpp") others.push_back(header);
  const Times times = compile("g++", others, folder, 2);
  for (const std::string& header : others)
    if (header != reference)
      report.detail(header + ", g++",
                  bench::median(times.at(header)) / bench::median(times.at(reference)), "ratio",
                  "to fmt/format.h");

  for (const std::string& header : {reference, umbrella})
    report.show(header, preprocessed_lines("g++", includer(folder, header)), "lines",
                "preprocessed, without blank ones");
  others.erase(others.begin());
  others.insert(others.end(), core.begin(), core.end());
  for (const std::string& header : others)
    report.detail("lines of " + header, preprocessed_lines("g++", includer(folder, header)),
                  "lines", "preprocessed, without blank ones");
  std::filesystem::remove_all(folder);
  return report.finish();
}
