// Requests of a residency of COUNT binaries; a few of them are used, and fit at the same time:
//   residency_probe hits|evictions COUNT REQUESTS BINARY
// For callgrind: measured_requests holds the requests.
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

using Residency = qnnpp::model::Residency<>;

extern "C" {

/// Acquires and releases the first `used` contexts in turn.
[[gnu::noinline]] void measured_requests(Residency& residency, int requests, int used) {
  for (int i = 0; i < requests; ++i)
    (void)qnnpp::value_or_throw(residency.acquire(static_cast<std::size_t>(i % used)));
}

}  // extern "C"

int main(int argc, char** argv) {
  using namespace qnnpp;
  if (argc != 5) return EXIT_FAILURE;
  const std::string sim = QNNPP_SIM_DIR;
  const auto backend = value_or_throw(Backend<Htp>::load(
      {.library = sim + "/libQnnHtp.so", .system_library = sim + "/libQnnSystem.so"}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(sim + "/libcdsprpc.so"));
  auto binary = model::BinarySource::file(argv[4]);
  binary.expected = value_or_throw(model::survey(backend, binary));
  const auto count = static_cast<std::size_t>(std::atoi(argv[2]));
  Residency::Options options;
  options.max_contexts = 8;
  auto residency = value_or_throw(Residency::create(
      backend, rpcmem, std::vector<model::BinarySource>(count, binary), std::move(options)));
  const int used = argv[1][0] == 'h' ? 8 : 12;
  // Not counted: what the residency learns and allocates at first.
  for (int i = 0; i < used; ++i)
    (void)value_or_throw(residency.acquire(static_cast<std::size_t>(i)));
  measured_requests(residency, std::atoi(argv[3]), used);
  return EXIT_SUCCESS;
}
