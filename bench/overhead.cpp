// The cost of an execution without QNN's own work: instructions, heap allocations, bytes of code.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "support/callgrind.hpp"
#include "support/report.hpp"
#include "support/small_binary.hpp"

namespace {

struct PerCall {
  double instructions = 0;
  double allocations = 0;
};

/// Cost of one more call.
PerCall per_call(const std::string& probe, const std::string& way, const std::string& binary,
                 const std::string& scratch) {
  constexpr double few = 100;
  constexpr double many = 600;
  const auto run = [&](double calls) {
    return bench::count_instructions(
        "measured_" + way, probe + " " + way + " " + binary + " " + bench::number(calls), scratch);
  };
  const bench::Instructions first = run(few);
  const bench::Instructions second = run(many);
  const double calls = many - few;
  return {static_cast<double>(second.own() - first.own()) / calls,
          static_cast<double>(second.allocations - first.allocations) / calls};
}

/// Size of a function of the program in bytes, with its cold part, by nm.
double function_bytes(const std::string& program, const std::string& function) {
  const std::string command = "nm -S --defined-only " + program;
  FILE* lines = ::popen(command.c_str(), "r");
  if (lines == nullptr) throw std::runtime_error("nm cannot be run");
  double bytes = 0;
  char line[4096];
  while (std::fgets(line, sizeof line, lines) != nullptr) {
    unsigned long long at = 0;
    unsigned long long size = 0;
    char kind = 0;
    char name[4000];
    if (std::sscanf(line, "%llx %llx %c %3999s", &at, &size, &kind, name) != 4) continue;
    if (name == function || name == function + ".cold") bytes += static_cast<double>(size);
  }
  ::pclose(lines);
  if (bytes == 0) throw std::runtime_error(function + " is not in " + program);
  return bytes;
}

double call_site_bytes(const std::string& probe, const std::string& way) {
  return (function_bytes(probe, "five_calls_" + way) - function_bytes(probe, "one_call_" + way)) /
         4;
}

}  // namespace

int main(int argc, char** argv) {
  // The VTCM is smaller than the intermediates, so the graphs spill and share the spill-fill
  // buffer.
  ::setenv("QNNPP_SIM_VTCM_BYTES", "64", 1);
  bench::Report report("overhead", argc, argv);
  const std::string binary = report.file("overhead.bin");
  const std::string scratch = report.file("overhead.callgrind");
  {
    const auto backend = qnnpp::value_or_throw(
        qnnpp::Backend<qnnpp::Htp>::load({.library = QNNPP_SIM_DIR "/libQnnHtp.so"}));
    bench::write_file(binary, bench::small_binary(backend));
  }
  struct Compiler {
    const char* name;
    const char* probe;
  };
  for (const Compiler compiler : {Compiler{"g++", BENCH_PROBE_GCC}, {"clang", BENCH_PROBE_CLANG}}) {
    const std::string probe = compiler.probe;
    const std::string suffix = std::string(", ") + compiler.name + " -O2";
    const PerCall plain = per_call(probe, "c", binary, scratch);
    const double site = call_site_bytes(probe, "c");
    report.show("execute() in plain C" + suffix, plain.instructions, "instructions", "");
    report.show("a call site in plain C" + suffix, site, "bytes of code", "");
    const double kept = per_call(probe, "kept", binary, scratch).instructions;
    report.show("the same where C keeps the function with the graph" + suffix, kept, "instructions",
                "");
    const double sites = per_call(probe, "sites_c", binary, scratch).instructions;
    report.show("execute() at one of five call sites" + suffix,
                per_call(probe, "sites", binary, scratch).instructions - sites, "instructions",
                "with a lease, beyond the same in plain C");
    struct Way {
      const char* probed;
      const char* described;
      double bound;
    };
    for (const auto& [way, described, bound] : {Way{"lease", "with the lease", 50},
                                                {"given", "with a lease of the caller", 50},
                                                {"lock", "with the lock", 250}}) {
      const PerCall ours = per_call(probe, way, binary, scratch);
      const std::string name = std::string("execute() ") + described;
      report.at_most(bound, name + suffix, ours.instructions - plain.instructions, "instructions",
                     "beyond the same call in plain C");
      report.exactly(0, name + ": allocations" + suffix, ours.allocations, "allocations", "a call");
      if (way == std::string("lease"))
        report.show("code of a call site" + suffix, call_site_bytes(probe, way) / site, "ratio",
                    "to one of plain C");
      if (way == std::string("lock"))
        report.show("code of a call site that locks" + suffix, call_site_bytes(probe, way) / site,
                    "ratio", "to one of plain C, which locks nothing");
    }
    struct Level {
      const char* probed;
      const char* described;
      double bound;
      const char* events;
    };
    for (const auto& [way, described, bound, events] :
         {Level{"basic", "a basic profile", 1'500, "a call with the lock; reads 6 events"},
          {"detailed", "a detailed profile", 2'700, "a call with the lock; reads 14 events"}}) {
      const PerCall ours = per_call(probe, way, binary, scratch);
      const std::string name = std::string("execute() with ") + described;
      report.at_most(bound, name + suffix, ours.instructions, "instructions", events);
      report.exactly(0, name + ": allocations" + suffix, ours.allocations, "allocations",
                     "a call after the first, with clear() after each");
    }
    report.show("execute() with a basic profile that keeps all records: allocations" + suffix,
                per_call(probe, "recorded", binary, scratch).allocations, "allocations",
                "a call, on average of 500 after the first 100");
  }
  std::remove(binary.c_str());
  return report.finish();
}
