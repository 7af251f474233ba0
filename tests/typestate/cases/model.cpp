// Misuses of model::load() and model::Model.
#include "qnnpp/model/model.hpp"

#include <array>

#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/model/load.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

// EXPECT: a model has one owner; write std::move(model)
model::Model a_model_is_not_copied(model::Model& loaded) {
#if MISUSE == 1
  return model::Model(loaded);
#else
  return model::Model(std::move(loaded));
#endif
}

// EXPECT: a path is no list of paths; write load(backend, allocator, {path})
bool a_path_is_no_list_of_paths(const Backend<Htp>& backend, const RpcmemAllocator& rpcmem,
                                const std::string& path) {
#if MISUSE == 2
  return model::load(backend, rpcmem, path).has_value();
#else
  return model::load(backend, rpcmem, {path}).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
bool a_result_is_no_backend_of_a_model(const RpcmemAllocator& rpcmem) {
#if MISUSE == 3
  return model::load(Backend<Htp>::load(), rpcmem, {"a.bin", "b.bin"}).has_value();
#else
  const auto backend = Backend<Htp>::load();
  return backend && model::load(*backend, rpcmem, {"a.bin", "b.bin"}).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_allocator_of_a_model(const Backend<Htp>& backend) {
#if MISUSE == 4
  return model::load(backend, RpcmemAllocator::load(), {"a.bin", "b.bin"}).has_value();
#else
  const auto rpcmem = RpcmemAllocator::load();
  return rpcmem && model::load(backend, *rpcmem, {"a.bin", "b.bin"}).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool a_model_needs_an_allocator_of_the_right_shape(const Backend<Htp>& backend,
                                                   const MemfdAllocator& allocator,
                                                   const OfAnotherShape& of_another_shape) {
#if MISUSE == 5
  return model::load(backend, of_another_shape, {"a.bin", "b.bin"}).has_value();
#else
  return model::load(backend, allocator, {"a.bin", "b.bin"}).has_value();
#endif
}

// EXPECT: context() of a temporary would dangle; name the model first
const Context<Finalized>& the_context_of_a_temporary_model_is_not_handed_out(model::Model& loaded) {
#if MISUSE == 6
  return std::move(loaded).context(0);
#else
  return loaded.context(0);
#endif
}

// EXPECT: report() of a temporary would dangle; name the model first
const model::MemoryReport& the_report_of_a_temporary_model_is_not_handed_out(model::Model& loaded) {
#if MISUSE == 7
  return std::move(loaded).report();
#else
  return loaded.report();
#endif
}

// EXPECT: a name is no list of names; write pipeline(allocator, {name})
bool a_name_is_no_list_of_graphs(const model::Model& network, const RpcmemAllocator& rpcmem) {
#if MISUSE == 8
  return network.pipeline(rpcmem, "encoder").has_value();
#else
  return network.pipeline(rpcmem, {"encoder"}).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_of_an_allocator_makes_no_pipeline_of_a_model(const model::Model& network,
                                                           const Result<RpcmemAllocator>& rpcmem) {
#if MISUSE == 9
  return network.pipeline(rpcmem, {"encoder", "decoder"}).has_value();
#else
  return rpcmem && network.pipeline(*rpcmem, {"encoder", "decoder"}).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool a_backend_allocates_no_pipeline_of_a_model(const model::Model& network,
                                                const Backend<Htp>& backend,
                                                const MemfdAllocator& allocator) {
#if MISUSE == 10
  return network.pipeline(backend, {"encoder", "decoder"}).has_value();
#else
  return network.pipeline(allocator, {"encoder", "decoder"}).has_value();
#endif
}

// EXPECT: spill_fill() of a temporary would dangle; name the model first
const SharedSpillFill& the_spill_fill_of_a_temporary_model_is_not_handed_out(model::Model& loaded) {
#if MISUSE == 11
  return std::move(loaded).spill_fill();
#else
  return loaded.spill_fill();
#endif
}

// EXPECT: bytes of a temporary would dangle; name them first
model::BinarySource bytes_of_a_temporary_are_no_source(std::vector<std::byte>& file) {
#if MISUSE == 12
  return {.name = "a", .bytes = std::move(file)};
#else
  return {.name = "a", .bytes = file};
#endif
}

// EXPECT: bytes of a temporary would dangle; name them first
void bytes_of_a_temporary_are_not_assigned_to_a_source(model::BinarySource& source,
                                                       const std::array<std::byte, 4>& file) {
#if MISUSE == 13
  source.bytes = std::array<std::byte, 4>(file);
#else
  source.bytes = file;
#endif
}

// EXPECT: close() consumes the model; write std::move(model).close()
Result<void> a_model_is_closed_as_an_rvalue(model::Model loaded) {
#if MISUSE == 14
  return loaded.close();
#else
  return std::move(loaded).close();
#endif
}
