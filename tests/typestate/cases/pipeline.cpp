// Misuses of Pipeline.
#include "qnnpp/graph/pipeline.hpp"

#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

// EXPECT: a pipeline has one owner; write std::move(pipeline)
Pipeline a_pipeline_is_not_copied(Pipeline& pipeline) {
#if MISUSE == 1
  return Pipeline(pipeline);
#else
  return Pipeline(std::move(pipeline));
#endif
}

// EXPECT: a graph is no list; write create(allocator, {std::move(graph)})
bool a_graph_is_no_list_of_graphs(const RpcmemAllocator& rpcmem, Graph<Retrieved> graph) {
#if MISUSE == 2
  return Pipeline::create(rpcmem, std::move(graph)).has_value();
#else
  return Pipeline::create(rpcmem, {std::move(graph)}).has_value();
#endif
}

// EXPECT: raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo
bool graphs_prepared_for_raw_memory_make_no_pipeline(
    std::vector<Graph<Retrieved, RawIo>> raw, std::vector<Graph<Retrieved, RegisteredIo>> shared) {
#if MISUSE == 3
  return Pipeline::create(MemfdAllocator(), std::move(raw)).has_value();
#else
  return Pipeline::create(MemfdAllocator(), std::move(shared)).has_value();
#endif
}

// EXPECT: raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo
bool graphs_prepared_for_raw_memory_make_no_pipeline_in_place(
    const RpcmemAllocator& rpcmem, Graph<Retrieved, RawIo> raw,
    Graph<Retrieved, RegisteredIo> shared) {
#if MISUSE == 4
  return Pipeline::create(rpcmem, {std::move(raw)}).has_value();
#else
  return Pipeline::create(rpcmem, {std::move(shared)}).has_value();
#endif
}

// EXPECT: raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo
bool graphs_prepared_for_raw_memory_make_no_pipeline_with_options(
    std::vector<Graph<Retrieved, RawIo>> raw, std::vector<Graph<Retrieved>> any) {
#if MISUSE == 5
  return Pipeline::create(MemfdAllocator(), std::move(raw), {.wires = {}}).has_value();
#else
  return Pipeline::create(MemfdAllocator(), std::move(any), {.wires = {}}).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_allocator_of_a_pipeline(Result<RpcmemAllocator> rpcmem,
                                            std::vector<Graph<Retrieved>> graphs) {
#if MISUSE == 6
  return Pipeline::create(rpcmem, std::move(graphs)).has_value();
#else
  return rpcmem && Pipeline::create(*rpcmem, std::move(graphs)).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool a_pipeline_needs_an_allocator_of_the_right_shape(const MemfdAllocator& allocator,
                                                      const OfAnotherShape& of_another_shape,
                                                      std::vector<Graph<Retrieved>> graphs) {
#if MISUSE == 7
  return Pipeline::create(of_another_shape, std::move(graphs)).has_value();
#else
  return Pipeline::create(allocator, std::move(graphs)).has_value();
#endif
}

// EXPECT: input() of a temporary would dangle; name the pipeline first
Result<TensorAccess<float>> the_input_of_a_temporary_pipeline_is_not_handed_out(
    Pipeline& pipeline) {
#if MISUSE == 8
  return std::move(pipeline).input<float>("image");
#else
  return pipeline.input<float>("image");
#endif
}

// EXPECT: output() of a temporary would dangle; name the pipeline first
Result<TensorAccess<const float>> the_output_of_a_temporary_pipeline_is_not_handed_out(
    Pipeline& pipeline) {
#if MISUSE == 9
  return std::move(pipeline).output<float>("scores");
#else
  return pipeline.output<float>("scores");
#endif
}

// EXPECT: stages() of a temporary would dangle; name the pipeline first
std::span<const PipelineStage> the_stages_of_a_temporary_pipeline_are_not_handed_out(
    Pipeline& pipeline) {
#if MISUSE == 10
  return std::move(pipeline).stages();
#else
  return pipeline.stages();
#endif
}
