// first_program BACKEND [RPCMEM]: reads a digit that the program draws.
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main(int argc, char** argv) try {
  using namespace qnnpp;
  if (argc < 2) throw std::runtime_error("usage: first_program BACKEND [RPCMEM]");
  const auto backend = value_or_throw(
      Backend<Htp>::load({.library = argv[1], .tensor_memory = TensorMemory::either}));
  AnyAllocator memory = MemfdAllocator();  // For a library that emulates the HTP.
  if (argc > 2) memory = value_or_throw(RpcmemAllocator::load(argv[2]));

  // Four context binaries over one spill-fill buffer; then their graphs, chained without a copy.
  const auto network = value_or_throw(
      model::load(backend, memory, {"stem.bin", "features.bin", "gate.bin", "classifier.bin"}));
  auto pipeline =
      value_or_throw(network.pipeline(memory, {"stem", "features", "gate", "classifier"}));

  {
    auto images = value_or_throw(pipeline.input<float>("image"));  // four of 28 x 28 pixels
    std::ranges::fill(images.elements(), 0.0f);
    const auto draw = [&](std::size_t x, std::size_t y) {
      images[28 * y + x] = images[28 * y + x + 1] = 1.0f;
    };
    for (std::size_t i = 0; i < 14; ++i) {  // A 7 in the first image: its bar, then its stem.
      draw(7 + i, 6);
      draw(20 - i / 2, 6 + i);
    }
  }  // From here on the HTP sees the values.
  value_or_throw(pipeline.execute());

  const auto scores = value_or_throw(pipeline.output<float>("probabilities"));  // four of 10
  for (std::size_t digit = 0; digit < 10; ++digit)
    if (scores[digit] > 0.5f)
      std::printf("digit %zu, probability %.4f\n", digit, double(scores[digit]));
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "first_program: %s\n", error.what());
  return 1;
}
