// Misuses of MemRegion and its DmaBuffer.
#include "qnnpp/memory/mem_region.hpp"

#include "qnnpp/memory/any_allocator.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

// EXPECT: a DMA buffer has one owner; write std::move(buffer)
DmaBuffer a_dma_buffer_is_not_copied(DmaBuffer& buffer) {
#if MISUSE == 1
  return DmaBuffer(buffer);
#else
  return DmaBuffer(std::move(buffer));
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(buffer), or use value_or_throw()
bool a_result_is_no_dma_buffer(const MemfdAllocator& memfd) {
#if MISUSE == 2
  return MemRegion<TensorIo>::from_buffer(memfd.allocate(4096)).has_value();
#else
  auto buffer = memfd.allocate(4096);
  return buffer && MemRegion<TensorIo>::from_buffer(*std::move(buffer)).has_value();
#endif
}

// EXPECT: a memory region has one owner; write std::move(region)
MemRegion<Weights> a_memory_region_is_not_copied(MemRegion<Weights>& region) {
#if MISUSE == 3
  return MemRegion<Weights>(region);
#else
  return MemRegion<Weights>(std::move(region));
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_allocator_of_weights(Result<RpcmemAllocator> rpcmem) {
#if MISUSE == 4
  return MemRegion<Weights>::allocate(rpcmem, 4096).has_value();
#else
  return rpcmem && MemRegion<Weights>::allocate(*rpcmem, 4096).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool weights_need_an_allocator_of_the_right_shape(const MemfdAllocator& allocator,
                                                  const OfAnotherShape& of_another_shape) {
#if MISUSE == 5
  return MemRegion<Weights>::allocate(of_another_shape, 4096).has_value();
#else
  return MemRegion<Weights>::allocate(allocator, 4096).has_value();
#endif
}

// EXPECT: QNN alone writes this memory; only MemRegion<TensorIo> has access()
bool a_weights_region_has_no_writable_view(MemRegion<Weights>& weights,
                                           MemRegion<TensorIo>& tensor) {
#if MISUSE == 6
  return weights.access(CpuUse::write).has_value() && tensor.size_bytes() != 0;
#else
  return tensor.access(CpuUse::write).has_value() && weights.size_bytes() != 0;
#endif
}

// EXPECT: QNN alone writes this memory; only MemRegion<TensorIo> has access()
bool a_spill_fill_region_has_no_writable_view(MemRegion<SpillFill>& spill_fill,
                                              MemRegion<TensorIo>& tensor) {
#if MISUSE == 7
  return spill_fill.access(CpuUse::write).has_value() && tensor.size_bytes() != 0;
#else
  return tensor.access(CpuUse::write).has_value() && spill_fill.size_bytes() != 0;
#endif
}

// EXPECT: bytes come from the access guard; write region.access(use), then its bytes()
std::size_t the_bytes_of_a_region_are_not_handed_out_without_access(MemRegion<TensorIo>& tensor,
                                                                    const CpuAccess& access) {
#if MISUSE == 8
  return tensor.bytes().size() + access.bytes().size();
#else
  return tensor.size_bytes() + access.bytes().size();
#endif
}

// EXPECT: the access of a temporary ends at once; name it first
std::span<std::byte> the_bytes_of_a_temporary_access_are_not_handed_out(CpuAccess access) {
#if MISUSE == 9
  return std::move(access).bytes();
#else
  return access.bytes();
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(allocator), or use value_or_throw()
AnyAllocator a_result_is_no_allocator_of_any_class(Result<RpcmemAllocator> loaded) {
#if MISUSE == 10
  return loaded;
#else
  return loaded ? AnyAllocator(*std::move(loaded)) : AnyAllocator(MemfdAllocator());
#endif
}

// EXPECT: QNN alone writes this memory; only MemRegion<TensorIo> has access()
bool a_vtcm_backup_region_has_no_writable_view(MemRegion<VtcmBackup>& vtcm_backup,
                                               MemRegion<TensorIo>& tensor) {
#if MISUSE == 11
  return vtcm_backup.access(CpuUse::write).has_value() && tensor.size_bytes() != 0;
#else
  return tensor.access(CpuUse::write).has_value() && vtcm_backup.size_bytes() != 0;
#endif
}
