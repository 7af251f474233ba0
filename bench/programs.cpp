// What a program costs its compiler: CPU time, memory and text of the README's programs and of
// programs of fewer layers, in both forms of qnnpp, against a program of two lines that prints with
// {fmt}, in the same run. A time is the least of several, measured in random order.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/report.hpp"
#include "support/statistics.hpp"

namespace {

struct Compiler {
  const char* name;
  const char* program;
};
constexpr Compiler compilers[] = {{"g++", "g++"}, {"clang 19", "clang++-19"}};

/// What a command cost.
struct Cost {
  double cpu_seconds;
  double memory_mb;  ///< The largest resident set of one process.
};

using Command = std::vector<std::string>;

/// Runs a command. Throws if it fails.
Cost run(const Command& command) {
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
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) / 1024};
}

/// Returns the bytes of text of an object file.
double text_of(const std::string& object) {
  FILE* output = ::popen(("size " + object).c_str(), "r");
  unsigned long text = 0;
  if (output == nullptr || std::fscanf(output, "%*[^\n] %lu", &text) != 1)
    throw std::runtime_error("cannot read the size of " + object);
  if (::pclose(output) != 0) throw std::runtime_error("size failed with " + object);
  return static_cast<double>(text);
}

constexpr const char* folder_of_examples = QNNPP_EXAMPLES_DIR;

/// A program, and the largest costs that are goals: 0 for none.
struct Program {
  std::string name;
  std::string source;
  double compiled_at_most = 0;
  double precompiled_at_most = 0;
  double header_only_at_most = 0;
};

std::string written(const std::string& folder, const std::string& name, const std::string& text) {
  const std::string path = folder + "/" + name + ".cpp";
  std::ofstream(path) << text;
  return path;
}

std::vector<Program> programs(const std::string& folder) {
  const std::string one_layer = R"(#include "qnnpp/backend/backend.hpp"
int main(int, char** argv) {
  return qnnpp::Backend<qnnpp::Htp>::load({.library = argv[1]}).has_value() ? 0 : 1;
}
)";
  const std::string load = R"(#include "qnnpp/model/load.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"
using namespace qnnpp;
int main(int, char** argv) {
  const auto backend = Backend<Htp>::load({.library = argv[1]});
  const auto rpcmem = RpcmemAllocator::load(argv[2]);
  return backend && rpcmem && model::load(*backend, *rpcmem, {argv[3]}) ? 0 : 1;
}
)";
  return {{"first_program", std::string(folder_of_examples) + "/first_program.cpp", 6, 3, 27},
          {"quick_start", std::string(folder_of_examples) + "/quick_start.cpp", 6, 3, 27},
          {"a backend", written(folder, "one_layer", one_layer), 3},
          {"model::load", written(folder, "load", load), 5}};
}

/// Costs of one object, compiled several times.
struct Measured {
  std::vector<double> seconds;
  double memory_mb = 0;
  double text = 0;
};

/// Measures the commands in a new random order each round. Each writes the object `name`.o.
std::map<std::string, Measured> measure(std::vector<std::pair<std::string, Command>> commands,
                                        const std::string& folder, int rounds) {
  std::map<std::string, Measured> all;
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(commands.begin(), commands.end(), random);
    for (const auto& [name, command] : commands) {
      const Cost cost = run(command);
      Measured& one = all[name];
      one.seconds.push_back(cost.cpu_seconds);
      one.memory_mb = std::max(one.memory_mb, cost.memory_mb);
      one.text = text_of(folder + "/object.o");
    }
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Report report("programs", argc, argv);
  std::filesystem::create_directories(report.file("programs"));
  const std::string folder = std::filesystem::canonical(report.file("programs"));
  const std::string hello = written(
      folder, "hello", "#include <fmt/format.h>\nint main() { fmt::print(\"{}\\n\", 42); }\n");
  const std::string umbrella = folder + "/umbrella.hpp";
  std::ofstream(umbrella) << "#include \"qnnpp/qnnpp.hpp\"\n";

  for (const Compiler& compiler : compilers) {
    const auto suffix = [&](const std::string& name) { return name + ", " + compiler.name; };
    const Command flags{compiler.program, "-std=c++20", "-O2", "-I" QNNPP_INCLUDE_DIR};
    const auto with = [](Command command, std::initializer_list<std::string> more) {
      command.insert(command.end(), more);
      return command;
    };
    const std::string object = folder + "/object.o";
    const std::string header =
        umbrella + (compiler.program == std::string("g++") ? ".gch" : ".pch");
    run(with(flags, {"-DQNNPP_SEPARATE", "-x", "c++-header", umbrella, "-o", header}));

    std::vector<std::pair<std::string, Command>> commands{
        {"hello", with(flags, {"-c", "-o", object, hello})}};
    const std::vector<Program> all = programs(folder);
    for (const Program& program : all) {
      const std::string& source = program.source;
      commands.push_back({program.name + ", compiled form",
                          with(flags, {"-DQNNPP_SEPARATE", "-c", "-o", object, source})});
      if (program.precompiled_at_most > 0)
        commands.push_back(
            {program.name + ", compiled form, precompiled header",
             with(flags, {"-DQNNPP_SEPARATE", "-include", umbrella, "-c", "-o", object, source})});
      if (program.header_only_at_most > 0)
        commands.push_back(
            {program.name + ", header-only", with(flags, {"-c", "-o", object, source})});
    }
    auto measured = measure(commands, folder, 3);
    const double reference = bench::least(measured.at("hello").seconds);
    report.show(suffix("a program that prints with {fmt}"), reference * 1e3, "ms of CPU", "");
    const auto ratio = [&](const std::string& name, double at_most) {
      if (at_most > 0)
        report.at_most(at_most, suffix(name), bench::least(measured.at(name).seconds) / reference,
                       "ratio of times", "to that program");
    };
    for (const Program& program : all) {
      ratio(program.name + ", compiled form", program.compiled_at_most);
      ratio(program.name + ", compiled form, precompiled header", program.precompiled_at_most);
      ratio(program.name + ", header-only", program.header_only_at_most);
    }
    const Measured& largest = measured.at("first_program, header-only");
    report.at_most(500, suffix("first_program, header-only: memory of the compiler"),
                   largest.memory_mb, "MB", "");
    report.at_most(300, suffix("first_program, header-only: text"), largest.text * 1e-3, "KB", "");
  }
  std::filesystem::remove_all(folder);
  return report.finish();
}
