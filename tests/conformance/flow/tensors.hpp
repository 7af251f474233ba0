// Ways to tensor memory and pipelines: raw, ION, multi-tensor shared buffers, and refusals.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/memory/kv_cache.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

#include "flow/ways.hpp"

namespace flow {

/// First graph of the first binary, with its context.
struct FirstGraph {
  explicit FirstGraph(Tools& t)
      : context(must(Context<Finalized>::restore(t.backend(), t.binary()))),
        name(context.graphs().empty() ? "none" : context.graphs().front().name) {}
  [[nodiscard]] Graph<Retrieved> retrieve() const {
    return must(Graph<Retrieved>::retrieve(context, name));
  }
  Context<Finalized> context;
  std::string name;
};

/// Executes the first graph with all its tensors in buffers of one form.
template <class Form>
std::string execute_in(Tools& t) {
  const FirstGraph first(t);
  auto graph = first.retrieve();
  const auto buffer =
      must(SharedBuffer<Form>::allocate(t.rpcmem(), graph.inputs(), graph.outputs()));
  clear(buffer);
  auto tensors = must(RegisteredTensors::create(first.context, buffer));
  auto bound = must(std::move(graph).bind(tensors));
  for (int i = 0; i < 3; ++i) must(bound.execute());
  return {};
}

/// Retrieves the first graph of each context.
inline std::vector<Graph<Retrieved>> chain(const std::vector<Context<Finalized>>& contexts) {
  std::vector<Graph<Retrieved>> graphs;
  for (const auto& context : contexts)
    if (!context.graphs().empty())
      graphs.push_back(must(Graph<Retrieved>::retrieve(context, context.graphs().front().name)));
  return graphs;
}

inline std::vector<Context<Finalized>> restore_all(Tools& t) {
  std::vector<Context<Finalized>> contexts;
  for (const std::string& path : t.given.binaries)
    contexts.push_back(
        must(Context<Finalized>::restore(t.backend(), must(ContextBinary::map(path)))));
  return contexts;
}

inline void add_tensor_ways(Ways& ways) {
  ways.push_back({"tensors.raw", [](Tools& t) {
                    const FirstGraph first(t);
                    auto graph = first.retrieve();
                    std::vector<std::vector<std::byte>> memory;
                    std::vector<TensorSpec> specs(graph.inputs().begin(), graph.inputs().end());
                    specs.insert(specs.end(), graph.outputs().begin(), graph.outputs().end());
                    for (const TensorSpec& spec : specs)
                      memory.emplace_back(must(spec.size_bytes()));
                    std::vector<Binding<>> bindings;
                    for (std::size_t i = 0; i < specs.size(); ++i)
                      bindings.push_back(raw(specs[i].name, memory[i]));
                    auto bound = must(std::move(graph).bind(std::span<const Binding<>>(bindings)));
                    must(bound.execute());
                    return std::string();
                  }});
  ways.push_back({"tensors.ion", &execute_in<PerTensor>});
  ways.push_back({"tensors.multi_tensor_buffer", &execute_in<MultiTensor>});
  ways.push_back({"tensors.dma_buf", &execute_in<DmaBuf>});
  ways.push_back({"tensors.bound_by_an_allocator", [](Tools& t) {
                    const FirstGraph first(t);
                    auto bound = must(bound_and_written(first.retrieve(), t.rpcmem()));
                    must(bound.execute());
                    return std::string();
                  }});
  ways.push_back({"tensors.memfd", [](Tools& t) {
                    const FirstGraph first(t);
                    auto bound = must(bound_and_written(first.retrieve(), MemfdAllocator{}));
                    must(bound.execute());
                    return std::string();
                  }});
  ways.push_back({"tensors.under_a_lease", [](Tools& t) {
                    const FirstGraph first(t);
                    auto bound = must(bound_and_written(first.retrieve(), t.rpcmem()));
                    auto lease = must(first.context.spill_fill().lease());
                    for (int i = 0; i < 3; ++i) must(bound.execute(lease));
                    return std::string();
                  }});
  ways.push_back({"tensors.unbound_and_bound_again", [](Tools& t) {
                    const FirstGraph first(t);
                    auto bound = must(bound_and_written(first.retrieve(), t.rpcmem()));
                    auto again = must(bound_and_written(std::move(bound).unbind(), t.rpcmem()));
                    must(again.execute());
                    return std::string();
                  }});
  ways.push_back({"tensors.changed_between_executions", [](Tools& t) {
                    const FirstGraph first(t);
                    auto graph = first.retrieve();
                    const TensorSpec input = graph.inputs().front();
                    std::vector<Binding<RegisteredIo>> ring;
                    for (int i = 0; i < 3; ++i) {
                      const auto buffer = must(SharedBuffer<PerTensor>::allocate(
                          t.rpcmem(), std::vector<TensorSpec>{input}));
                      const auto tensor = must(RegisteredTensors::create(first.context, buffer));
                      ring.push_back(registered(tensor, input.name));
                    }
                    auto bound = must(bound_and_written(std::move(graph), t.rpcmem()));
                    for (std::size_t i = 0; i < 6; ++i) {
                      must(bound.rebind(ring[i % 3]));
                      must(bound.execute());
                    }
                    return std::string();
                  }});
  ways.push_back(
      {"tensors.of_a_buffer_with_more_tensors", [](Tools& t) {
         const FirstGraph first(t);
         auto graph = first.retrieve();
         TensorSpec more = graph.inputs().front();
         more.name = "more";
         const auto buffer = must(SharedBuffer<MultiTensor>::allocate(
             t.rpcmem(), graph.inputs(), std::vector<TensorSpec>{more}, graph.outputs()));
         const auto tensors = must(RegisteredTensors::create(first.context, buffer));
         auto bound = must(std::move(graph).bind(tensors));
         must(bound.execute());
         return std::string();
       }});
  ways.push_back(
      {"tensors.of_a_cache", [](Tools& t) {
         const FirstGraph first(t);
         auto graph = first.retrieve();
         // The first input as a cache of this graph and of one with another shape.
         GraphSpec here{.name = "here", .inputs = {graph.inputs().front()}};
         TensorSpec next = here.inputs.front();
         next.name = "the next position";
         next.dimensions.back() = 1;
         here.outputs = {next};
         GraphSpec there = here;
         there.inputs.front().dimensions.back() += 3;
         const std::vector<KvTensor> grown{{.cache = here.inputs.front().name,
                                            .next = next.name,
                                            .axis = next.dimensions.size() - 1}};
         auto cache = must(KvCache::allocate(t.rpcmem(), grown, there, here));
         auto tensors = must(RegisteredTensors::create(first.context, cache.memory()));
         const std::vector<TensorSpec> inputs(graph.inputs().begin() + 1, graph.inputs().end());
         const auto others =
             must(SharedBuffer<PerTensor>::allocate(t.rpcmem(), inputs, graph.outputs()));
         clear(others);
         auto rest = must(RegisteredTensors::create(first.context, others));
         must(cache.set_length(1));
         must(cache.use(1));
         auto bound = must(std::move(graph).bind(tensors, rest));
         must(bound.execute());
         must(cache.rewind(0));
         must(cache.set_length(1));
         must(bound.execute());
         return std::string();
       }});
  ways.push_back({"tensors.exchanged", [](Tools& t) {
                    const FirstGraph first(t);
                    auto graph = first.retrieve();
                    for (const TensorSpec& in : graph.inputs())
                      for (const TensorSpec& out : graph.outputs())
                        if (in.data_type == out.data_type && in.dimensions == out.dimensions &&
                            in.quantisation == out.quantisation) {
                          const std::string input = in.name, output = out.name;
                          auto bound = must(bound_and_written(std::move(graph), t.rpcmem()));
                          for (int i = 0; i < 3; ++i) {
                            must(bound.execute());
                            must(bound.exchange(input, output));
                          }
                          return std::string();
                        }
                    return std::string("no output is like an input");
                  }});
  ways.push_back({"tensors.other_extents_than_prepared", [](Tools& t) {
                    const FirstGraph first(t);
                    auto graph = first.retrieve();
                    const TensorSpec spec = graph.inputs().front();
                    auto bound = must(bound_and_written(std::move(graph), t.rpcmem()));
                    must(bound.set_extents(spec.name, spec.dimensions));
                    return std::string();
                  }});
  ways.push_back({"tensors.registered_twice", [](Tools& t) {
                    const FirstGraph first(t);
                    const auto graph = first.retrieve();
                    const auto buffer = must(SharedBuffer<MultiTensor>::allocate(
                        t.rpcmem(), graph.inputs(), graph.outputs()));
                    const auto once = must(RegisteredTensors::create(first.context, buffer));
                    (void)must(RegisteredTensors::create(first.context, buffer));
                    return std::string();
                  }});
  ways.push_back({"tensors.registered_closed_and_registered", [](Tools& t) {
                    const FirstGraph first(t);
                    const auto graph = first.retrieve();
                    const auto buffer = must(SharedBuffer<MultiTensor>::allocate(
                        t.rpcmem(), graph.inputs(), graph.outputs()));
                    for (int i = 0; i < 3; ++i)
                      must(must(RegisteredTensors::create(first.context, buffer)).close());
                    return std::string();
                  }});
  ways.push_back({"tensors.one_buffer_in_two_contexts", [](Tools& t) {
                    const FirstGraph first(t);
                    const FirstGraph second(t);
                    auto graph = first.retrieve();
                    auto other = second.retrieve();
                    const auto buffer = must(SharedBuffer<MultiTensor>::allocate(
                        t.rpcmem(), graph.inputs(), graph.outputs()));
                    const auto here = must(RegisteredTensors::create(first.context, buffer));
                    const auto there = must(RegisteredTensors::create(second.context, buffer));
                    auto bound = must(std::move(graph).bind(here));
                    auto also = must(std::move(other).bind(there));
                    must(bound.execute());
                    must(also.execute());
                    return std::string();
                  }});
  ways.push_back({"tensors.registered_with_another_context", [](Tools& t) {
                    const FirstGraph first(t);
                    const FirstGraph second(t);
                    auto graph = first.retrieve();
                    const auto buffer = must(SharedBuffer<MultiTensor>::allocate(
                        t.rpcmem(), graph.inputs(), graph.outputs()));
                    const auto there = must(RegisteredTensors::create(second.context, buffer));
                    (void)must(std::move(graph).bind(there));
                    return std::string();
                  }});
  ways.push_back({"tensors.that_share_bytes", [](Tools& t) {
                    const FirstGraph first(t);
                    const auto graph = first.retrieve();
                    std::vector<ScheduledTensor> tensors;
                    for (const TensorSpec& spec : graph.inputs()) tensors.push_back({spec, 0, 0});
                    for (const TensorSpec& spec : graph.outputs()) tensors.push_back({spec, 1, 1});
                    const auto buffer = must(SharedBuffer<MultiTensor>::allocate(
                        t.rpcmem(), std::span<const ScheduledTensor>(tensors)));
                    (void)must(RegisteredTensors::create(first.context, buffer));
                    return std::string();
                  }});
  ways.push_back({"tensors.in_a_region_of_your_own", [](Tools& t) {
                    const FirstGraph first(t);
                    const auto graph = first.retrieve();
                    const TensorSpec spec = graph.inputs().front();
                    const auto buffer = must(SharedBuffer<PerTensor>::from_region(
                        must(MemRegion<TensorIo>::allocate(t.rpcmem(), spec)), spec));
                    (void)must(RegisteredTensors::create(first.context, buffer));
                    return std::string();
                  }});
  ways.push_back({"tensors.of_2_gib", [](Tools& t) {
                    const FirstGraph first(t);
                    const TensorSpec spec{.name = "large",
                                          .data_type = c_api::DataType::uint_8,
                                          .dimensions = {2048, 1024, 1024}};
                    const auto buffer = must(SharedBuffer<PerTensor>::from_region(
                        must(MemRegion<TensorIo>::allocate(MemfdAllocator{}, spec)), spec));
                    (void)must(RegisteredTensors::create(first.context, buffer));
                    return std::string();
                  }});
  ways.push_back(
      {"tensors.weights_memory_for_a_tensor", [](Tools& t) {
         // The type refuses weights memory for a tensor. So this way registers a region that was
         // not made for the context.
         auto context = queried(t);
         const auto need = context.requirements();
         auto buffer = must(t.rpcmem().allocate(need.weights_bytes + need.spill_fill_bytes + 8192));
         auto weights = must(MemRegion<Weights>::from_buffer(std::move(buffer)));
         (void)must(std::move(context).register_buffers({.weights = std::move(weights)}));
         return std::string();
       }});
  ways.push_back({"graph.unknown_name", [](Tools& t) {
                    const FirstGraph first(t);
                    (void)must(Graph<Retrieved>::retrieve(first.context, "no such graph"));
                    return std::string();
                  }});
  ways.push_back({"graph.priority", [](Tools& t) {
                    const auto context = must(Context<Finalized>::restore(t.backend(), t.binary()));
                    for (const GraphSpec& spec : context.graphs()) {
                      auto graph = must(Graph<Retrieved>::retrieve(context, spec.name));
                      for (const auto priority : {c_api::Priority::low, c_api::Priority::normal})
                        must(graph.set_priority(priority));
                    }
                    return std::string();
                  }});
  ways.push_back({"graph.hvx_threads", [](Tools& t) {
                    const FirstGraph first(t);
                    auto graph = first.retrieve();
                    must(graph.set_hvx_threads(2));
                    must(must(bound_and_written(std::move(graph), t.rpcmem())).execute());
                    return std::string();
                  }});
  ways.push_back({"graph.retrieved_twice", [](Tools& t) {
                    const FirstGraph first(t);
                    auto one = must(bound_and_written(first.retrieve(), t.rpcmem()));
                    auto two = must(bound_and_written(first.retrieve(), t.rpcmem()));
                    must(one.execute());
                    must(two.execute());
                    return std::string();
                  }});

  ways.push_back({"pipeline.of_one_graph", [](Tools& t) {
                    const FirstGraph first(t);
                    std::vector<Graph<Retrieved>> graphs;
                    graphs.push_back(first.retrieve());
                    execute(must(Pipeline::create(t.rpcmem(), std::move(graphs))));
                    return std::string();
                  }});
  ways.push_back({"pipeline.of_all_binaries", [](Tools& t) {
                    const auto contexts = restore_all(t);
                    auto graphs = chain(contexts);
                    const auto options = in_any_order(graphs);
                    execute(must(Pipeline::create(t.rpcmem(), std::move(graphs), options)));
                    return std::string();
                  }});
  ways.push_back({"pipeline.that_shares_bytes", [](Tools& t) {
                    const auto contexts = restore_all(t);
                    auto graphs = chain(contexts);
                    auto options = in_any_order(graphs);
                    options.share_bytes = TensorArena::lay_out;
                    execute(must(Pipeline::create(t.rpcmem(), std::move(graphs), options)));
                    return std::string();
                  }});
}

}  // namespace flow
