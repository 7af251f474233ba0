// The contexts of a network are loaded, but the device cannot map the memory of their tensors.
#include <cstdio>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main() try {
  using namespace qnnpp;
  const auto backend = value_or_throw(Backend<Htp>::load({}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load());
  const auto network = value_or_throw(
      model::load(backend, rpcmem, {"stem.bin", "features.bin", "gate.bin", "classifier.bin"}));

  auto pipeline =
      value_or_throw(network.pipeline(rpcmem, {"stem", "features", "gate", "classifier"}));
  {
    auto zeros = value_or_throw(pipeline.input<float>("image"));
  }
  value_or_throw(pipeline.execute());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
