// Graphs with up to 1,000 inputs and outputs: instructions of binding, of an execution, and of
// giving one tensor other memory.
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>

#include "support/callgrind.hpp"
#include "support/report.hpp"
#include "temporary_folder.hpp"

namespace {

constexpr std::array<std::size_t, 4> counts{2, 400, 500, 1000};
/// Calls in the functions of the probe that repeat them.
constexpr double calls = 100;

int run(int argc, char** argv) {
  bench::Report report("tensors", argc, argv);
  const support::TemporaryFolder folder;
  const auto count = [&](const std::string& way, std::size_t tensors) {
    return static_cast<double>(
        bench::count_instructions("measured_" + way,
                                  BENCH_BIND_PROBE " " + way + " " + std::to_string(tensors / 2),
                                  folder.file("profile"))
            .own());
  };
  for (const std::size_t tensors : counts) {
    const std::string of = " with " + std::to_string(tensors) + " tensors";
    if (tensors > counts.front())
      report.at_most(3, "registering and binding a graph" + of + ": qnnpp / C",
                     count("qnnpp", tensors) / count("c", tensors), "ratio", "");
    report.at_most(50, "execute()" + of + ", beyond C",
                   (count("execute", tensors) - count("execute_c", tensors)) / calls,
                   "instructions", "of a context that shares no spill-fill");
    for (const std::string way : {"exchange", "rebind"}) {
      const double found = count(way, tensors) / calls;
      if (tensors <= 400)
        report.at_most(1000, way + "()" + of, found, "instructions", "");
      else
        report.show(way + "()" + of, found, "instructions", "");
    }
  }
  return report.finish();
}

}  // namespace

int main(int argc, char** argv) try {
  return run(argc, argv);
} catch (const std::exception& error) {
  std::fprintf(stderr, "tensors: %s\n", error.what());
  return 1;
}
