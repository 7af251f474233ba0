// Misuses of Context<Queried>, before register_buffers().
#include "qnnpp/context/context.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

// EXPECT: this context is already queried; see requirements()
std::uint64_t a_queried_context_is_not_queried_again(Context<Queried> context) {
#if MISUSE == 1
  return std::move(context).query()->requirements().spill_fill_bytes;
#else
  return context.requirements().spill_fill_bytes;
#endif
}

// EXPECT: register_buffers() consumes the context; write std::move(context).register_buffers()
Result<Context<Registered>> buffers_are_registered_on_an_rvalue(Context<Queried> context,
                                                                SharedSpillFill spill_fill) {
#if MISUSE == 2
  return context.register_buffers({.spill_fill = spill_fill});
#else
  return std::move(context).register_buffers({.spill_fill = spill_fill});
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
std::uint64_t a_queried_context_is_not_used_after_register_buffers(Context<Queried> context) {
#if MISUSE == 3
  const auto registered = std::move(context).register_buffers({});
  return registered ? context.requirements().spill_fill_bytes : 0;
#else
  const std::uint64_t bytes = context.requirements().spill_fill_bytes;
  const auto registered = std::move(context).register_buffers({});
  return registered ? bytes : 0;
#endif
}

// EXPECT: buffers are not registered; call std::move(context).register_buffers() first
Result<Context<Finalized>> a_queried_context_is_not_finalized_before_its_buffers(
    Context<Queried> context) {
#if MISUSE == 4
  return std::move(context).finalize();
#else
  return std::move(context).register_buffers({}).and_then(transition::finalize);
#endif
}

// EXPECT: a memory region has one owner; write std::move(region)
bool one_weights_region_is_not_given_to_two_contexts(Context<Queried> context,
                                                     MemRegion<Weights> weights) {
#if MISUSE == 5
  return std::move(context).register_buffers({.weights = weights}).has_value();
#else
  return std::move(context).register_buffers({.weights = std::move(weights)}).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(region), or use value_or_throw()
bool a_result_is_no_weights(Context<Queried> context, const RpcmemAllocator& rpcmem) {
#if MISUSE == 6
  const auto needs = context.requirements();
  return std::move(context)
      .register_buffers({.weights = MemRegion<Weights>::allocate(rpcmem, needs)})
      .has_value();
#else
  auto weights = MemRegion<Weights>::allocate(rpcmem, context.requirements());
  return weights &&
         std::move(context).register_buffers({.weights = *std::move(weights)}).has_value();
#endif
}

// EXPECT: this memory is for something else; allocate a MemRegion<Weights>
bool spill_fill_memory_is_no_weights(Context<Queried> context, MemRegion<Weights> weights,
                                     MemRegion<SpillFill> spill_fill) {
#if MISUSE == 7
  return weights && std::move(context)
                        .register_buffers(ExternalBuffers{.weights = std::move(spill_fill)})
                        .has_value();
#else
  return spill_fill && std::move(context)
                           .register_buffers(ExternalBuffers{.weights = std::move(weights)})
                           .has_value();
#endif
}

// EXPECT: this memory is for something else; allocate a MemRegion<Weights>
bool the_shared_spill_fill_buffer_is_no_weights(Context<Queried> context,
                                                SharedSpillFill spill_fill) {
#if MISUSE == 8
  return std::move(context).register_buffers({.weights = spill_fill}).has_value();
#else
  return std::move(context).register_buffers({.spill_fill = spill_fill}).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *buffer, or use value_or_throw()
bool a_result_is_no_spill_fill(Context<Queried> context, Result<SharedSpillFill> spill_fill) {
#if MISUSE == 9
  return std::move(context).register_buffers({.spill_fill = spill_fill}).has_value();
#else
  return spill_fill && std::move(context).register_buffers({.spill_fill = *spill_fill}).has_value();
#endif
}

// EXPECT: a region is not shared yet; use from_region() of this shared buffer
bool a_spill_fill_region_is_not_shared_yet(Context<Queried> context, MemRegion<SpillFill> region) {
#if MISUSE == 10
  return std::move(context).register_buffers({.spill_fill = std::move(region)}).has_value();
#else
  const auto spill_fill = SharedSpillFill::from_region(std::move(region));
  return std::move(context).register_buffers({.spill_fill = spill_fill}).has_value();
#endif
}

// EXPECT: this memory has another purpose; use allocate() of this shared buffer
bool a_weights_region_is_not_registered_as_spill_fill(Context<Queried> context,
                                                      MemRegion<Weights> weights) {
#if MISUSE == 11
  return std::move(context).register_buffers({.spill_fill = std::move(weights)}).has_value();
#else
  return std::move(context).register_buffers({.weights = std::move(weights)}).has_value();
#endif
}

// EXPECT: this memory has another purpose; use allocate() of this shared buffer
bool the_shared_spill_fill_buffer_is_no_vtcm_backup(Context<Queried> context,
                                                    SharedSpillFill spill_fill,
                                                    SharedVtcmBackup vtcm_backup) {
#if MISUSE == 12
  return vtcm_backup &&
         std::move(context).register_buffers({.vtcm_backup = spill_fill}).has_value();
#else
  return spill_fill &&
         std::move(context).register_buffers({.vtcm_backup = vtcm_backup}).has_value();
#endif
}

// EXPECT: this memory is for something else; allocate a MemRegion<Weights>
bool the_vtcm_backup_buffer_is_no_weights(Context<Queried> context, SharedVtcmBackup vtcm_backup) {
#if MISUSE == 13
  return std::move(context).register_buffers({.weights = vtcm_backup}).has_value();
#else
  return std::move(context).register_buffers({.vtcm_backup = vtcm_backup}).has_value();
#endif
}
