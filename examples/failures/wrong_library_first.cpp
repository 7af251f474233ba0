// Another copy of libQnnHtp.so, of an SDK before 2.25, comes first in the search path of the
// loader.
#include <cstdio>
#include <string>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main() try {
  using namespace qnnpp;
  const auto backend = value_or_throw(Backend<Htp>::load({}));  // The first libQnnHtp.so found.
  const auto rpcmem = value_or_throw(RpcmemAllocator::load());

  const auto network = value_or_throw(model::load(backend, rpcmem, {"stem.bin"}));
  for (const std::string& graph : network.graph_names()) std::printf("%s\n", graph.c_str());
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
