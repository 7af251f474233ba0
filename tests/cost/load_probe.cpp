// Loads one binary many times as one model, and destroys the model:
//   load_probe COUNT BINARY
// callgrind counts the function measured_load.
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "qnnpp/model/load.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace {

using namespace qnnpp;

struct Job {
  Backend<Htp> backend;
  RpcmemAllocator allocator;
  std::vector<model::BinarySource> binaries;
};

}  // namespace

extern "C" {

[[gnu::noinline]] int measured_load(const void* given) {
  const Job& job = *static_cast<const Job*>(given);
  // With a second thread, the count would depend on when each of them runs.
  const auto loaded = model::load(job.backend, job.allocator, job.binaries, {.ahead = 0});
  return loaded && loaded->size() == job.binaries.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // extern "C"

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  const std::string sim = QNNPP_SIM_DIR;
  Job job{value_or_throw(Backend<Htp>::load({.library = sim + "/libQnnHtp.so"})),
          value_or_throw(RpcmemAllocator::load(sim + "/libcdsprpc.so")),
          {}};
  const auto binary = value_or_throw(ContextBinary::map(argv[2]));
  for (int i = 0; i < std::atoi(argv[1]); ++i)
    job.binaries.push_back({"context_" + std::to_string(i) + ".bin", binary.bytes(), {}});
  return measured_load(&job);
}
