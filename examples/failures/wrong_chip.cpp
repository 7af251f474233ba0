// A binary was prepared for a newer chip than that of the phone.
#include <cstdio>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main() try {
  using namespace qnnpp;
  const auto backend = value_or_throw(Backend<Htp>::load({}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load());
  const auto network = value_or_throw(model::load(backend, rpcmem, {"stem.bin"}));
  auto stem = value_or_throw(network.graph("stem").and_then(
      [&](Graph<Retrieved> found) { return std::move(found).bind(rpcmem); }));
  {
    auto zeros = value_or_throw(stem.input<float>("image"));
  }
  value_or_throw(stem.execute());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
