// execute_own_network BACKEND RPCMEM BINARY: executes the network that own_network composes.
#include <cstdio>
#include <stdexcept>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main(int argc, char** argv) try {
  using namespace qnnpp;
  if (argc != 4) throw std::runtime_error("usage: execute_own_network BACKEND RPCMEM BINARY");
  const auto backend = value_or_throw(Backend<Htp>::load({.library = argv[1]}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(argv[2]));

  const auto network = value_or_throw(model::load(backend, rpcmem, {argv[3]}));
  auto graph = value_or_throw(network.graph().and_then(
      [&](Graph<Retrieved> found) { return std::move(found).bind(rpcmem); }));

  const float rows[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  value_or_throw(write_elements(graph.input<float>("x"), {&rows[0][0], 8}));
  value_or_throw(graph.execute());

  const auto y = value_or_throw(graph.output<float>("y"));
  for (std::size_t i = 0; i < 4; ++i)
    std::printf("%g xor %g = %g\n", double(rows[i][0]), double(rows[i][1]), double(y[i]));
  if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "execute_own_network: %s\n", error.what());
  return 1;
}
