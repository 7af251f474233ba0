// A network over the objects of an app in C: its context, and three with external buffers.
#include "network.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

using namespace qnnpp;
struct network {
  Backend<Htp> backend;
  Context<Finalized> stem;
  Pipeline pipeline;  // Keeps the other contexts alive.
};

static network make(const app& app, Ownership ownership) {
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(app.rpcmem));
  const std::string folder = app.binaries;
  const auto binary = value_or_throw(ContextBinary::map(folder + "stem.bin"));
  auto backend =
      value_or_throw(Backend<Htp>::adopt(static_cast<const c_api::Interface*>(app.interface),
                                         {.backend = static_cast<c_api::BackendHandle>(app.backend),
                                          .device = static_cast<c_api::DeviceHandle>(app.device),
                                          .log = static_cast<c_api::LogHandle>(app.log)},
                                         ownership, {.system_library = app.system_library}));
  auto stem = value_or_throw(
      Context<Finalized>::adopt(backend, static_cast<c_api::ContextHandle>(app.stem), ownership,
                                {.name = binary.name(), .binary = binary.bytes()}));
  const auto others = value_or_throw(model::load(
      backend, rpcmem, {folder + "features.bin", folder + "gate.bin", folder + "classifier.bin"}));
  std::vector<Graph<Retrieved>> graphs;
  graphs.push_back(value_or_throw(Graph<Retrieved>::retrieve(stem, "stem")));
  for (const char* const name : {"features", "gate", "classifier"})
    graphs.push_back(value_or_throw(others.graph(name)));
  auto pipeline = value_or_throw(Pipeline::create(rpcmem, std::move(graphs)));
  return {std::move(backend), std::move(stem), std::move(pipeline)};
}
network* network_create(const app* app, int owned) try {
  return new network(make(*app, owned != 0 ? Ownership::owned : Ownership::borrowed));
} catch (const std::exception& error) {
  return std::fprintf(stderr, "network: %s\n", error.what()), nullptr;
}
int network_run(network* network, const float image[IMAGE], float scores[SCORES]) try {
  value_or_throw(write_elements(network->pipeline.input<float>("image"), std::span(image, IMAGE)));
  value_or_throw(network->pipeline.execute());
  const auto output = value_or_throw(network->pipeline.output<float>("probabilities"));
  std::ranges::copy(output.elements(), scores);
  return 0;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "network: %s\n", error.what()), 1;
}
void network_destroy(network* network) { delete network; }
int network_give_back(network* network) {
  const std::unique_ptr<struct network> ended(network);
  (void)Pipeline(std::move(network->pipeline));  // Its graphs use the contexts.
  return std::move(network->stem).release() && std::move(network->backend).release() ? 0 : 1;
}
