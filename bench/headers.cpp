// What including a header costs: instructions and CPU time of the compiler and preprocessed lines,
// against fmt/format.h in the same run. Of both libraries in both of their forms: all code in the
// headers, and all but templates compiled apart. A time is the least of several, taken in random
// order; instructions are the same at every run.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <initializer_list>
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

/// One header, with what is defined before it.
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

/// A file that includes one header and nothing else.
std::string includer(const std::string& folder, const Included& included) {
  const std::string path = folder + "/" + file_name(included);
  std::ofstream file(path);
  if (!included.define.empty()) file << "#define " << included.define << "\n";
  const bool is_local = included.header[0] == '/';
  file << "#include " << (is_local ? '"' : '<') << included.header << (is_local ? '"' : '>')
       << "\n";
  return path;
}

/// What a program prints.
std::string output_of(const std::string& command) {
  FILE* output = ::popen(command.c_str(), "r");
  if (output == nullptr) throw std::runtime_error("cannot run: " + command);
  std::string text;
  for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) text += static_cast<char>(c);
  if (::pclose(output) != 0) throw std::runtime_error("failed: " + command);
  return text;
}

std::string gcc(const std::string& option, const std::string& source) {
  return "g++ -std=c++20 -I" QNNPP_INCLUDE_DIR " " + option + " '" + source + "'";
}

double preprocessed_lines(const std::string& source) {
  const std::string text = output_of(gcc("-E -P", source));
  return static_cast<double>(std::count(text.begin(), text.end(), '\n'));
}

/// How many types of tl::expected a source makes the compiler complete.
int completed_results(const std::string& source) {
  const std::string text = output_of(gcc("-fsyntax-only -fdump-lang-class=stdout", source));
  const std::string type = "\nClass tl::expected<";
  int count = 0;
  for (auto at = text.find(type); at != std::string::npos; at = text.find(type, at + 1)) ++count;
  return count;
}

/// Instructions that a compiler takes for a source, without the assembler's. By valgrind's plainest
/// count, in two thirds of callgrind's time.
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

using Instructions = std::map<Included, double>;

/// Counts those of each header, two at a time.
Instructions count(const std::string& compiler, const std::vector<Included>& headers,
                   const std::string& folder) {
  Instructions counted;
  std::vector<std::string> sources;
  for (const Included& header : headers) {
    counted[header] = 0;
    sources.push_back(includer(folder, header));
  }
  const auto count_every_other = [&](std::size_t first) {
    for (std::size_t i = first; i < headers.size(); i += 2)
      counted.at(headers[i]) = instructions(compiler, sources[i]);
  };
  auto others = std::async(std::launch::async, count_every_other, 1);
  count_every_other(0);
  others.get();
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

/// Adds to `theirs` the headers of others that a header of qnnpp includes, by whatever way; those
/// of its definitions only where they are asked for.
void collect(const std::string& header, bool definitions, std::set<std::string>& ours,
             std::set<std::string>& theirs) {
  if (!ours.insert(header).second || (header.ends_with(".ipp") && !definitions)) return;
  std::ifstream file(QNNPP_INCLUDE_DIR "/" + header);
  for (std::string line; std::getline(file, line);) {
    const auto included = [&](const std::string& opening, char closing) {
      return line.compare(0, opening.size(), opening) == 0
                 ? line.substr(opening.size(), line.find(closing, opening.size()) - opening.size())
                 : std::string();
    };
    if (const std::string name = included("#include \"", '"'); !name.empty())
      collect(name, definitions, ours, theirs);
    if (const std::string name = included("#include <", '>'); !name.empty() && name != "expected")
      theirs.insert(name);
  }
}

/// The headers of others that a header needs.
std::set<std::string> others_of(const Included& included) {
  std::set<std::string> ours;
  std::set<std::string> theirs;
  collect(included.header, included.define.empty(), ours, theirs);
  return theirs;
}

/// The headers of others that a header needs, and as many Results: less than these cost, it cannot.
Included floor_of(const std::string& folder, const Included& included, int results) {
  const std::string path =
      folder + "/of_others_" + std::to_string(results) + "_" + file_name(included);
  std::ofstream file(path);
  for (const std::string& name : others_of(included)) file << "#include <" << name << ">\n";
  if (results > 0) file << "#include <qnnpp/core/error.hpp>\n";
  for (int i = 0; i < results; ++i) {
    const std::string n = std::to_string(i);
    file << "struct Value" << n << " { std::string text; };\n"
         << "inline tl::expected<Value" << n << ", qnnpp::Error> make" << n << "() { return Value"
         << n << "(); }\n";
  }
  return {path, separate};
}

/// The headers of the standard library that a header needs, itself or for the headers of others
/// that it needs: less than these cost, it cannot, whatever else those are made of.
Included standard_floor_of(const std::string& folder, const Included& included) {
  const std::string path = folder + "/of_standard_" + file_name(included);
  std::ofstream file(path);
  for (const std::string& name : others_of(included)) {
    if (name.find('/') == std::string::npos) {
      file << "#include <" << name << ">\n";
      continue;
    }
    // The compiler lists what it reads, with a dot for each file that it is within.
    const std::string list = output_of(gcc("-E -H", includer(folder, {name})) + " 2>&1 >/dev/null");
    const std::string within = "\n.. ";
    for (auto at = list.find(within); at != std::string::npos; at = list.find(within, at + 1)) {
      const auto start = at + within.size();
      const std::filesystem::path read = list.substr(start, list.find('\n', start) - start);
      if (read.string().find("/c++/") != std::string::npos)
        file << "#include <" << read.filename().string() << ">\n";
    }
  }
  return {path, separate};
}

std::vector<std::string> headers_of(const std::string& layer) {
  std::vector<std::string> headers;
  for (const auto& entry : std::filesystem::directory_iterator(QNNPP_INCLUDE_DIR "/qnnpp/" + layer))
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
  const Included reference{"fmt/format.h"};
  const Included whole_reference{"fmt/format.h", "FMT_HEADER_ONLY"};
  const std::string umbrella = "qnnpp/qnnpp.hpp";
  const Included result{"qnnpp/core/result.hpp", separate};
  const Included standard = standard_floor_of(folder, result);
  const std::vector<std::string> core = headers_of("core");
  struct Floor {
    Included of;
    int results;
    Included included;
  };
  std::vector<Floor> floors;
  for (const Included& header : std::initializer_list<Included>{{umbrella, separate}, {umbrella}}) {
    const int results = completed_results(includer(folder, header));
    floors.push_back({header, results, floor_of(folder, header, results)});
  }

  std::vector<Included> ours{{umbrella, separate}};
  for (const std::string& header : core) ours.push_back({header, separate});
  ours.push_back({umbrella});
  std::vector<Included> counted = ours;
  counted.insert(counted.end(), {reference, whole_reference, standard});
  for (const Floor& floor : floors) counted.push_back(floor.included);
  const std::vector<Included> timed{reference, {umbrella, separate}, {umbrella}};
  const auto described = [&](const Included& header) {
    return header.header + (header.define == separate ? "" : " with its definitions");
  };

  for (const Compiler compiler : {Compiler{"g++", "g++"}, {"clang 19", "clang++-19"}}) {
    const auto named = [&](const std::string& name) { return name + ", " + compiler.name; };
    const Instructions counts = count(compiler.program, counted, folder);
    const auto ratio_of = [&](const Included& header, const Included& to) {
      return counts.at(header) / counts.at(to);
    };
    report.show(named(reference.header), counts.at(reference) * 1e-6, "million instructions", "");
    for (const Included& header : ours)
      report.at_most(header.header != umbrella   ? 0.6
                     : header.define == separate ? 2.2
                                                 : 4.5,
                     named(described(header)), ratio_of(header, reference), "ratio",
                     "to fmt/format.h");
    report.show(named(described({umbrella})), ratio_of({umbrella}, whole_reference), "ratio",
                "to fmt/format.h with its definitions");
    for (const Floor& floor : floors)
      report.show(
          named("what " + described(floor.of) + " takes of others"),
          ratio_of(floor.included, reference), "ratio",
          "to fmt/format.h; with its types of tl::expected: " + std::to_string(floor.results));
    report.show(named("what " + described(result) + " takes of the standard library"),
                ratio_of(standard, reference), "ratio", "to fmt/format.h");

    const Times times = compile(compiler.program, timed, folder, 5);
    report.show(named(reference.header), bench::least(times.at(reference)) * 1e3, "ms of CPU", "");
    for (const Included& header : {timed[1], timed[2]}) {
      const bench::Ratio ratio = bench::ratio(times.at(header), times.at(reference), bench::least);
      report.show(named(described(header)), ratio.value, "ratio of times",
                  "to fmt/format.h; 95 %: " + bench::number(ratio.interval.low) + " to " +
                      bench::number(ratio.interval.high));
    }
  }

  std::vector<Included> others{reference};
  // Not verify_sdk.hpp, which needs the SDK.
  for (const char* layer : {"abi", "core", "backend", "memory", "context", "graph", "model"})
    for (const std::string& header : headers_of(layer))
      if (header != "qnnpp/abi/verify_sdk.hpp") others.push_back({header});
  const Times times = compile("g++", others, folder, 1);
  for (const Included& header : others)
    if (header != reference)
      report.detail(header.header + " with its definitions, g++",
                    bench::least(times.at(header)) / bench::least(times.at(reference)),
                    "ratio of times", "to fmt/format.h");

  const auto lines = [&](const Included& header) {
    return preprocessed_lines(includer(folder, header));
  };
  const char* without_blank = "preprocessed, without blank ones";
  report.show(reference.header, lines(reference), "lines", without_blank);
  report.show(umbrella, lines({umbrella, separate}), "lines", without_blank);
  report.show(umbrella + " with its definitions", lines({umbrella}), "lines", without_blank);
  others.erase(others.begin());
  for (const Included& header : others)
    report.detail("lines of " + header.header, lines(header), "lines", without_blank);
  std::filesystem::remove_all(folder);
  return report.finish();
}
