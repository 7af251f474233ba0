// Misuses of SharedSpillFill and SharedVtcmBackup.
#include "qnnpp/memory/shared_spill_fill.hpp"

#include "qnnpp/context/context.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_allocator_of_spill_fill(const std::vector<Context<Queried>>& contexts) {
#if MISUSE == 1
  return SharedSpillFill::allocate(RpcmemAllocator::load(), contexts).has_value();
#else
  const auto rpcmem = RpcmemAllocator::load();
  return rpcmem && SharedSpillFill::allocate(*rpcmem, contexts).has_value();
#endif
}

// EXPECT: this memory has another purpose; use allocate() of this shared buffer
Result<SharedSpillFill> tensor_memory_is_not_spill_fill(MemRegion<TensorIo> tensor,
                                                        const MemfdAllocator& allocator) {
#if MISUSE == 2
  return SharedSpillFill(std::move(tensor));
#else
  return SharedSpillFill::allocate(allocator,
                                   BufferRequirements{.spill_fill_bytes = tensor.size_bytes()});
#endif
}

// EXPECT: this memory has another purpose; use allocate() of this shared buffer
Result<SharedSpillFill> weights_memory_is_not_spill_fill(MemRegion<Weights> weights,
                                                         const MemfdAllocator& allocator) {
#if MISUSE == 3
  return SharedSpillFill(std::move(weights));
#else
  return SharedSpillFill::allocate(allocator,
                                   BufferRequirements{.spill_fill_bytes = weights.size_bytes()});
#endif
}

// EXPECT: this memory has another purpose; use allocate() of this shared buffer
SharedVtcmBackup spill_fill_memory_is_no_vtcm_backup(MemRegion<SpillFill> spill_fill,
                                                     MemRegion<VtcmBackup> vtcm_backup) {
#if MISUSE == 4
  return vtcm_backup ? SharedVtcmBackup(std::move(spill_fill)) : SharedVtcmBackup();
#else
  return spill_fill ? SharedVtcmBackup::from_region(std::move(vtcm_backup)) : SharedVtcmBackup();
#endif
}

// EXPECT: a region is not shared yet; use from_region() of this shared buffer
SharedVtcmBackup a_vtcm_backup_region_is_not_shared_yet(MemRegion<VtcmBackup> region) {
#if MISUSE == 5
  return SharedVtcmBackup(std::move(region));
#else
  return SharedVtcmBackup::from_region(std::move(region));
#endif
}
