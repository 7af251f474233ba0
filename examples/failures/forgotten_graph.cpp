// The program drops a model to load another one, but a graph of the first model still lives: it
// holds its context, whose room the second model needs.
#include <cstdio>
#include <optional>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main() try {
  using namespace qnnpp;
  const auto backend = value_or_throw(Backend<Htp>::load({}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load());

  std::optional<model::Model> network = value_or_throw(model::load(backend, rpcmem, {"gate.bin"}));
  auto gate = value_or_throw(network->graph("gate").and_then(
      [&](Graph<Retrieved> found) { return std::move(found).bind(rpcmem); }));
  {
    auto zeros = value_or_throw(gate.input<float>("parts"));
  }
  value_or_throw(gate.execute());

  network.reset();  // The graph `gate` keeps the context of the model.
  network = value_or_throw(model::load(backend, rpcmem, {"classifier.bin"}));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
