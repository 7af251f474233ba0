// Creates and destroys contexts, by qnnpp or by the plain C twin:
//   setup_probe c|qnnpp COUNT (GRAPH BINARY)...
// Makes COUNT contexts from the binaries in turn. For callgrind: measured_c and measured_qnnpp
// contain the job.
#include <cstdlib>
#include <string>

#include "jobs.hpp"

extern "C" {

[[gnu::noinline]] int measured_qnnpp(const bench::Job& job) {
  bench::run_job(job);
  return EXIT_SUCCESS;
}

[[gnu::noinline]] int measured_c(const bench::Job& job) { return bench::run_job_c(job); }

}  // extern "C"

int main(int argc, char** argv) {
  if (argc < 5) return EXIT_FAILURE;
  const std::string sim = QNNPP_SIM_DIR;
  bench::Job job{sim + "/libQnnHtp.so", sim + "/libQnnSystem.so", sim + "/libcdsprpc.so", {}, {}};
  const int binaries = (argc - 3) / 2;
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    job.graphs.emplace_back(argv[3 + 2 * (i % binaries)]);
    job.binaries.emplace_back(argv[4 + 2 * (i % binaries)]);
  }
  return argv[1][0] == 'c' ? measured_c(job) : measured_qnnpp(job);
}
