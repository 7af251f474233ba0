// The cost of creating contexts up to their graphs, without QNN's own work: calls and instructions.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "../examples/digits/compose.hpp"
#include "../examples/digits/deep_network.hpp"
#include "../examples/digits/files.hpp"
#include "probes/jobs.hpp"
#include "recorder.hpp"
#include "support/callgrind.hpp"
#include "support/report.hpp"
#include "support/small_binary.hpp"

namespace {

using namespace qnnpp;

/// Calls of all three libraries, in the order in which they begin.
std::vector<std::size_t> calls;
void record(std::size_t slot, bool entering, const void* const*) {
  if (entering) calls.push_back(slot);
}

std::vector<std::size_t> calls_of(const bench::Job& job, bool by_c) {
  calls.clear();
  const support::Recording recording(record);
  if (!by_c)
    bench::run_job(job);
  else if (bench::run_job_c(job) != 0)
    throw std::runtime_error("the twin failed");
  return calls;
}

/// Returns the number of places at which two orders of calls differ.
double differences(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::size_t differing = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) differing += a[i] != b[i];
  return static_cast<double>(differing);
}

/// Writes the binaries of segments to `folder`; adds them to the job.
void prepare(const std::vector<digits::Segment>& segments, const std::string& folder,
             bench::Job& job) {
  const auto backend =
      value_or_throw(Backend<Htp>::load({.library = QNNPP_SIM_DIR "/libQnnHtp.so"}));
  for (const digits::Segment& segment : segments) {
    const std::string path = folder + segment.name + ".bin";
    bench::write_file(path, digits::make_binary<RegisteredIo>(backend, segment));
    job.binaries.push_back(path);
    job.graphs.push_back(segment.name);
  }
}

}  // namespace

int main(int argc, char** argv) {
  // The VTCM is so small that every context spills.
  ::setenv("QNNPP_SIM_VTCM_BYTES", "32768", 1);
  bench::Report report("setup", argc, argv);
  std::string error;
  const auto weights = digits::load_weights(QNNPP_DIGITS_DATA "/weights.bin", error);
  if (!weights) throw std::runtime_error(error);
  const auto block_weights = digits::make_block_weights(62);

  struct Both {
    bench::Instructions c;
    bench::Instructions cpp;
    double contexts = 0;
  };
  std::vector<Both> jobs;
  for (const std::size_t blocks : {std::size_t{0}, std::size_t{62}}) {
    bench::Job job{QNNPP_RECORDER, QNNPP_RECORDER, QNNPP_RECORDER, {}, {}};
    prepare(digits::make_deep_segments(*weights, block_weights, blocks), report.file("setup_"),
            job);
    const std::string contexts =
        bench::number(static_cast<double>(job.binaries.size())) + " contexts";
    auto ours = calls_of(job, false);
    const auto theirs = calls_of(job, true);
    report.show("C calls, " + contexts, static_cast<double>(ours.size()), "calls",
                "of the HTP backend, the system library and rpcmem");
    // qnnpp creates one logger for the backend, which keeps the error lines that messages quote.
    std::size_t of_logger = 0;
    for (const auto slot : {c_api::Slot::log_create, c_api::Slot::log_free})
      of_logger += std::erase(ours, static_cast<std::size_t>(slot));
    report.exactly(2, "C calls of a logger, " + contexts, static_cast<double>(of_logger), "calls",
                   "which plain C does not create");
    report.exactly(0, "other C calls that differ, " + contexts, differences(ours, theirs), "calls",
                   "place by place from those of plain C");

    std::string arguments = " " + bench::number(static_cast<double>(job.binaries.size()));
    for (std::size_t i = 0; i < job.binaries.size(); ++i)
      arguments += " " + job.graphs[i] + " '" + job.binaries[i] + "'";
    const std::string scratch = report.file("setup.callgrind");
    const auto by = [&](const char* way) {
      return bench::count_instructions(std::string("measured_") + way,
                                       std::string(BENCH_SETUP_PROBE " ") + way + arguments,
                                       scratch);
    };
    const bench::Instructions c = by("c");
    const bench::Instructions cpp = by("qnnpp");
    jobs.push_back({c, cpp, static_cast<double>(job.binaries.size())});
    report.show("instructions of plain C, " + contexts, static_cast<double>(c.own()),
                "instructions", "");
    report.show("instructions of the simulated device, " + contexts, static_cast<double>(c.device),
                "instructions", "in neither of the others");
    report.show("instructions of qnnpp, " + contexts, static_cast<double>(cpp.own()),
                "instructions", "");
    report.show("instructions, " + contexts,
                static_cast<double>(cpp.own()) / static_cast<double>(c.own()), "ratio",
                "to plain C, without the simulated device's own work");
    const auto whole = [](const bench::Instructions& of) {
      return static_cast<double>(of.own() + of.device);
    };
    report.show("instructions with the device's, " + contexts, whole(cpp) / whole(c), "ratio",
                "to plain C, the simulated device's work included");
    report.show("allocations of a context, " + contexts,
                (static_cast<double>(cpp.allocations) - static_cast<double>(c.allocations)) /
                    static_cast<double>(job.binaries.size()),
                "allocations", "beyond plain C");
    for (const std::string& path : job.binaries) std::remove(path.c_str());
  }
  const auto further = [&](bench::Instructions Both::* way) {
    return static_cast<double>((jobs[1].*way).own() - (jobs[0].*way).own()) /
           (jobs[1].contexts - jobs[0].contexts);
  };
  const double c = further(&Both::c);
  const double cpp = further(&Both::cpp);
  report.show("instructions of plain C, a further context", c, "instructions",
              "66 contexts less 4, by 62");
  report.show("instructions of plain C, all but the contexts",
              static_cast<double>(jobs[0].c.own()) - jobs[0].contexts * c, "instructions",
              "libraries, backend, device");
  report.show("instructions of qnnpp, a further context", cpp, "instructions",
              "66 contexts less 4, by 62");
  report.show("instructions, a further context", cpp / c, "ratio",
              "to plain C, without the simulated device's own work");
  return report.finish();
}
