// The complete four-context job, graph by graph and as a pipeline. It is written as in a program
// without exceptions: it stops at the first error.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

#include "fixture.hpp"

namespace support {

/// Binaries of four_networks(), and the libraries of the device.
struct Parts {
  std::string backend = htp_library;
  std::string rpcmem = rpcmem_library;
  std::string system = system_library;
  std::vector<Network> networks = four_networks();
  std::vector<std::vector<std::byte>> binaries;
  /// Whether the outcome includes the device's memory, which the simulated device reports. No job
  /// of qnnpp needs this value.
  bool asks_the_device = true;
};

/// Returns the binaries of these networks, for the backend that reports its calls.
inline Parts recorded_parts(std::vector<Network> networks) {
  Parts parts{.backend = QNNPP_RECORDER, .networks = std::move(networks), .binaries = {}};
  const auto backend = must(qnnpp::Backend<qnnpp::Htp>::load({.library = htp_library}));
  for (const Network& network : parts.networks)
    parts.binaries.push_back(binary_of(backend, {network}));
  return parts;
}

/// Results of the job. `difference` is the largest difference from the reference of the whole
/// pipeline.
struct Outcome {
  std::uint64_t weights_bytes = 0;
  std::uint64_t shared_spill_fill_bytes = 0;
  std::uint64_t separate_spill_fill_bytes = 0;
  std::uint64_t device_bytes = 0;
  float difference = std::numeric_limits<float>::infinity();
};

inline void log_nothing(qnnpp::c_api::LogLevel, std::string_view) {}

/// Objects that the jobs have in common: the backend, and all contexts finalized over one pool. The
/// members are destroyed from the last to the first.
struct Prepared {
  qnnpp::Backend<qnnpp::Htp> backend;
  qnnpp::RpcmemAllocator rpcmem;
  qnnpp::SharedSpillFill pool;
  std::vector<qnnpp::Context<qnnpp::Finalized>> contexts;
};

/// Creates all contexts deferred, queries them, allocates one pool and the weights, registers and
/// finalizes.
inline qnnpp::Result<Prepared> prepare(const Parts& parts, Outcome& outcome) {
  using namespace qnnpp;
  auto backend = Backend<Htp>::load({.library = parts.backend,
                                     .system_library = parts.system,
                                     .log = log_to<log_nothing>(c_api::LogLevel::error)});
  if (!backend) return fail(std::move(backend).error());
  auto rpcmem = RpcmemAllocator::load(parts.rpcmem);
  if (!rpcmem) return fail(std::move(rpcmem).error());

  std::vector<Context<Queried>> queried;
  for (std::size_t i = 0; i < parts.networks.size(); ++i) {
    auto asked = ContextBinary::borrow(parts.binaries[i], parts.networks[i].name + ".bin")
                     .and_then([&](ContextBinary binary) {
                       return Context<Deferred>::create(*backend, std::move(binary));
                     })
                     .and_then(transition::query);
    if (!asked) return fail(std::move(asked).error());
    outcome.weights_bytes += asked->requirements().weights_bytes;
    outcome.separate_spill_fill_bytes += asked->requirements().spill_fill_bytes;
    queried.push_back(std::move(*asked));
  }
  auto pool = SharedSpillFill::allocate(*rpcmem, queried);
  if (!pool) return fail(std::move(pool).error());
  outcome.shared_spill_fill_bytes = pool->size_bytes();

  std::vector<Context<Finalized>> contexts;
  for (Context<Queried>& asked : queried) {
    auto context = MemRegion<Weights>::allocate(*rpcmem, asked.requirements())
                       .and_then([&](MemRegion<Weights> weights) {
                         return std::move(asked).register_buffers(
                             {.weights = std::move(weights), .spill_fill = *pool});
                       })
                       .and_then(transition::finalize);
    if (!context) return fail(std::move(context).error());
    contexts.push_back(std::move(*context));
  }
  if (parts.asks_the_device) outcome.device_bytes = control().counters().device_bytes;
  return Prepared{std::move(*backend), std::move(*rpcmem), std::move(*pool), std::move(contexts)};
}

/// Returns the reference output of the whole chain of networks.
inline std::vector<float> expected_of(const Parts& parts) {
  std::vector<float> values = parts.networks[0].input();
  for (const Network& network : parts.networks) values = network.reference(values);
  return values;
}

/// Retrieves, binds and executes the graphs. The first stage reads registered memory and the last
/// one writes registered memory; raw memory connects the stages between them.
inline qnnpp::Result<Outcome> run_job(const Parts& parts) {
  using namespace qnnpp;
  Outcome outcome;
  auto prepared = prepare(parts, outcome);
  if (!prepared) return fail(std::move(prepared).error());
  auto& contexts = prepared->contexts;

  const auto memory_of = [&](TensorSpec spec) {
    return SharedBuffer<PerTensor>::allocate(prepared->rpcmem,
                                             std::vector<TensorSpec>{std::move(spec)});
  };
  auto first_memory = memory_of(parts.networks.front().spec("x"));
  if (!first_memory) return fail(std::move(first_memory).error());
  auto first = RegisteredTensors::create(contexts.front(), *first_memory);
  if (!first) return fail(std::move(first).error());
  auto last_memory = memory_of(parts.networks.back().spec("y"));
  if (!last_memory) return fail(std::move(last_memory).error());
  auto last = RegisteredTensors::create(contexts.back(), *last_memory);
  if (!last) return fail(std::move(last).error());

  std::vector<std::vector<float>> between(contexts.size() - 1,
                                          std::vector<float>(parts.networks[0].io_elements()));
  std::vector<Graph<Bound>> pipeline;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    auto stage = Graph<Retrieved>::retrieve(contexts[i], parts.networks[i].name)
                     .and_then([&](Graph<Retrieved> graph) {
                       std::vector<Binding<>> io;
                       if (i == 0)
                         io.push_back(registered(*first, "x"));
                       else
                         io.push_back(raw("x", between[i - 1]));
                       if (i + 1 == contexts.size())
                         io.push_back(registered(*last, "y"));
                       else
                         io.push_back(raw("y", between[i]));
                       return std::move(graph).bind(io);
                     });
    if (!stage) return fail(std::move(stage).error());
    pipeline.push_back(std::move(*stage));
  }

  if (auto in = write_elements(first_memory->template access<float>("x", CpuUse::write),
                               parts.networks[0].input());
      !in)
    return fail(std::move(in).error());
  for (Graph<Bound>& stage : pipeline)
    if (auto ran = stage.execute(); !ran) return fail(std::move(ran).error());
  auto out = last_memory->template access<const float>("y", CpuUse::read);
  if (!out) return fail(std::move(out).error());
  outcome.difference = largest_difference(*out, expected_of(parts));
  return outcome;
}

/// Executes the same contexts as one pipeline.
inline qnnpp::Result<Outcome> run_pipeline(const Parts& parts, bool share_bytes) {
  using namespace qnnpp;
  Outcome outcome;
  auto prepared = prepare(parts, outcome);
  if (!prepared) return fail(std::move(prepared).error());
  std::vector<Graph<Retrieved>> graphs;
  std::vector<Wire> wires;
  for (std::size_t i = 0; i < parts.networks.size(); ++i) {
    auto graph = Graph<Retrieved>::retrieve(prepared->contexts[i], parts.networks[i].name);
    if (!graph) return fail(std::move(graph).error());
    graphs.push_back(std::move(*graph));
    if (i != 0) wires.push_back({i - 1, "y", i, "x"});
  }
  auto pipeline = Pipeline::create(
      prepared->rpcmem, std::move(graphs),
      {.wires = std::move(wires), .share_bytes = share_bytes ? TensorArena::lay_out : nullptr});
  if (!pipeline) return fail(std::move(pipeline).error());
  if (auto in = write_elements(pipeline->input<float>("x"), parts.networks[0].input()); !in)
    return fail(std::move(in).error());
  if (auto ran = pipeline->execute(); !ran) return fail(std::move(ran).error());
  auto out = pipeline->output<float>("y");
  if (!out) return fail(std::move(out).error());
  outcome.difference = largest_difference(*out, expected_of(parts));
  return outcome;
}

}  // namespace support
