// The four-context job from beginning to end, as a program without exceptions writes it: it stops
// at the first error.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "fixture.hpp"

namespace support {

/// The binaries of four_networks(), and how to reach the device.
struct Parts {
  std::string backend = htp_library;
  std::string rpcmem = rpcmem_library;
  std::vector<Network> networks = four_networks();
  std::vector<std::vector<std::byte>> binaries;
};

/// What the job computed. `difference` is the largest from the reference of the whole pipeline.
struct Outcome {
  std::uint64_t weights_bytes = 0;
  std::uint64_t shared_spill_fill_bytes = 0;
  std::uint64_t separate_spill_fill_bytes = 0;
  std::uint64_t device_bytes = 0;
  float difference = std::numeric_limits<float>::infinity();
};

inline void log_nothing(qnnpp::abi::LogLevel, std::string_view) {}

/// All contexts deferred and queried, one pool, weights, register, finalize, retrieve, bind,
/// execute. The first stage reads registered memory, the last one writes it; between them is raw
/// memory.
inline qnnpp::Result<Outcome> run_job(const Parts& parts) {
  using namespace qnnpp;
  Outcome outcome;
  auto backend = Backend<Htp>::load({.library = parts.backend,
                                     .system_library = system_library,
                                     .log = log_to<log_nothing>(abi::LogLevel::error)});
  if (!backend) return fail(std::move(backend).error());
  auto rpcmem = RpcmemAllocator::load(parts.rpcmem);
  if (!rpcmem) return fail(std::move(rpcmem).error());

  std::vector<Context<Queried>> queried;
  for (std::size_t i = 0; i < parts.networks.size(); ++i) {
    auto asked = ContextBinary::borrow(parts.binaries[i], parts.networks[i].name + ".bin")
                     .and_then([&](ContextBinary binary) {
                       return Context<Deferred>::create(*backend, std::move(binary));
                     })
                     .and_then(query);
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
                       .and_then(finalize);
    if (!context) return fail(std::move(context).error());
    contexts.push_back(std::move(*context));
  }
  outcome.device_bytes = control().counters().device_bytes;

  const auto tensor = [&](const Context<Finalized>& context, const TensorSpec& spec) {
    return MemRegion<TensorIo>::allocate(*rpcmem, spec).and_then([&](MemRegion<TensorIo> memory) {
      return RegisteredTensor::create(context, std::move(memory), spec);
    });
  };
  auto first = tensor(contexts.front(), parts.networks.front().spec("x"));
  if (!first) return fail(std::move(first).error());
  auto last = tensor(contexts.back(), parts.networks.back().spec("y"));
  if (!last) return fail(std::move(last).error());

  std::vector<std::vector<float>> between(contexts.size() - 1,
                                          std::vector<float>(parts.networks[0].io_elements()));
  std::vector<Graph<Bound>> pipeline;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    auto stage = Graph<Retrieved>::retrieve(contexts[i], parts.networks[i].name)
                     .and_then([&](Graph<Retrieved> graph) {
                       return std::move(graph).bind(
                           {i == 0 ? registered(*first) : raw("x", between[i - 1]),
                            i + 1 == contexts.size() ? registered(*last) : raw("y", between[i])});
                     });
    if (!stage) return fail(std::move(stage).error());
    pipeline.push_back(std::move(*stage));
  }

  std::vector<float> expected = parts.networks[0].input();
  auto in = first->as<float>();
  if (!in) return fail(std::move(in).error());
  std::copy(expected.begin(), expected.end(), in->begin());
  for (Graph<Bound>& stage : pipeline)
    if (auto ran = stage.execute(); !ran) return fail(std::move(ran).error());
  for (const Network& network : parts.networks) expected = network.reference(expected);
  auto out = last->as<float>();
  if (!out) return fail(std::move(out).error());
  outcome.difference = largest_difference(*out, expected);
  return outcome;
}

}  // namespace support
