// A graph of the binary is requested that the program has left out when it loaded the binary.
#include <cstdio>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main() try {
  using namespace qnnpp;
  const auto backend = value_or_throw(Backend<Htp>::load({}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load());

  auto chat = model::BinarySource::file("chat.bin");
  chat.enabled_graphs = {"prefill"};  // The other graph would take room.
  const auto network =
      value_or_throw(model::load(backend, rpcmem, std::vector<model::BinarySource>{chat}));
  const auto decode = value_or_throw(network.graph("decode"));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
