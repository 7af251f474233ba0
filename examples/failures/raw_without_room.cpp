// A graph that was prepared for registered memory is executed with plain memory: QNN copies its
// tensors, and the device has no room for the copies.
#include <cstdio>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main() try {
  using namespace qnnpp;
  const auto backend = value_or_throw(Backend<Htp>::load({}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load());
  const auto network = value_or_throw(model::load(backend, rpcmem, {"stem.bin"}));

  const std::vector<float> image(4 * 28 * 28);
  std::vector<float> strokes(4 * 28 * 28 * 8);
  auto stem = value_or_throw(network.graph("stem").and_then([&](Graph<Retrieved> found) {
    return std::move(found).bind({raw("image", image), raw("strokes", strokes)});
  }));
  value_or_throw(stem.execute());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
