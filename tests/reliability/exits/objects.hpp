// Objects of every kind, made on any HTP library without shared memory, for the programs that exit
// while they live.
#pragma once

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/stop.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/memory/shared_buffer.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

namespace exits {

using namespace qnnpp;

/// Returns the value, or ends the program with 9.
template <class Value>
Value must(Result<Value> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message().c_str());
  std::_Exit(9);
}
inline void must(const Result<void>& done) {
  if (done) return;
  std::fprintf(stderr, "%s\n", done.error().message().c_str());
  std::_Exit(9);
}

/// A backend with a composed context, a restored one, a bound graph, a profile and a vote; and with
/// registered tensors, if QNNPP_EXITS_RPCMEM names a library.
struct Objects {
  std::string library;
  std::vector<float> in = std::vector<float>(8, 1.0f), out = std::vector<float>(8);
  std::optional<Backend<Htp>> backend;
  std::optional<Performance> vote;
  std::optional<Profile> profile;
  std::optional<Context<Composed>> composed;
  std::optional<Context<Finalized>> context;
  std::optional<Graph<Bound>> graph;  ///< With a signal that expires.
  Stop stop;
  std::optional<RegisteredTensors> tensors;
  std::optional<Context<Finalized>> with_buffers;

  void make(const std::string& from) {
    load(from);
    make_others();
  }

  void load(const std::string& from) {
    library = from;
    backend = must(Backend<Htp>::load({.library = library}));
  }

  void make_others() {
    if (auto voted = Performance::vote(*backend, PerformanceMode::balanced))
      vote = std::move(*voted);
    profile = must(Profile::create(*backend));
    auto composing = must(Context<Composing>::create(*backend, {.name = "net"}));
    auto graph_of = must(Graph<Composing, AnyIo>::create(composing, "net"));
    using enum c_api::TensorType;
    auto x = must(graph_of.add_tensor({.name = "x", .kind = app_write, .dimensions = {2, 4}}));
    auto y = must(graph_of.add_tensor({.name = "y", .kind = app_read, .dimensions = {2, 4}}));
    must(graph_of.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}}));
    (void)must(std::move(graph_of).finalize());
    composed = must(std::move(composing).finalize());
    auto binary = must(ContextBinary::own(must(composed->serialize()), "net.bin"));
    context = must(Context<Finalized>::restore(*backend, std::move(binary)));
    auto retrieved = must(Graph<Retrieved>::retrieve(*context, "net"));
    graph = must(std::move(retrieved).bind({raw("x", in), raw("y", out)}));
    must(graph->execute());
    must(graph->execute(&*profile));
    must(graph->execute({.at_most = std::chrono::hours(1)}));
    if (const char* const rpcmem = std::getenv("QNNPP_EXITS_RPCMEM")) {
      const auto allocator = must(RpcmemAllocator::load(rpcmem));
      const auto buffer = must(SharedBuffer<MultiTensor>::allocate(
          allocator, std::vector<TensorSpec>{{.name = "x", .dimensions = {2, 4}}}));
      tensors = must(RegisteredTensors::create(*context, buffer));
      auto queried = must(ContextBinary::own(must(composed->serialize()), "net.bin")
                              .and_then([&](ContextBinary own) {
                                return Context<Deferred>::create(*backend, std::move(own));
                              })
                              .and_then(transition::query));
      const auto need = queried.requirements();
      auto weights = must(MemRegion<Weights>::allocate(allocator, need));
      auto spill_fill = must(SharedSpillFill::allocate(allocator, need));
      with_buffers = must(std::move(queried)
                              .register_buffers({std::move(weights), std::move(spill_fill)})
                              .and_then(transition::finalize));
    }
  }
};

}  // namespace exits
