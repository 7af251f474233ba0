// Misuses of SharedBuffer and TensorAccess.
#include "qnnpp/memory/shared_buffer.hpp"

#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/tensor_access.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

using namespace qnnpp;

bool holds_much(const SharedBuffer<MultiTensor>& buffer);

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

// EXPECT: a shared buffer has one owner; write std::move(buffer)
SharedBuffer<PerTensor> a_shared_buffer_is_not_copied(SharedBuffer<PerTensor>& buffer) {
#if MISUSE == 1
  return SharedBuffer<PerTensor>(buffer);
#else
  return SharedBuffer<PerTensor>(std::move(buffer));
#endif
}

// EXPECT: a shared buffer has one owner; write std::move(buffer)
SharedBuffer<MultiTensor> a_shared_buffer_of_many_tensors_is_not_copied(
    SharedBuffer<MultiTensor>& buffer) {
#if MISUSE == 2
  return SharedBuffer<MultiTensor>(buffer);
#else
  return SharedBuffer<MultiTensor>(std::move(buffer));
#endif
}

// EXPECT: this is a Result; test it and pass *buffer, or use value_or_throw()
bool a_result_is_no_shared_buffer(Result<SharedBuffer<MultiTensor>> buffer) {
#if MISUSE == 3
  return holds_much(buffer);
#else
  return buffer && holds_much(*buffer);
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_allocator_of_tensors(Result<DmaHeapAllocator> heap,
                                         const std::vector<TensorSpec>& tensors) {
#if MISUSE == 4
  return SharedBuffer<MultiTensor>::allocate(heap, tensors).has_value();
#else
  return heap && SharedBuffer<MultiTensor>::allocate(*heap, tensors).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool tensors_need_an_allocator_of_the_right_shape(const MemfdAllocator& allocator,
                                                  const OfAnotherShape& of_another_shape,
                                                  const std::vector<TensorSpec>& tensors) {
#if MISUSE == 5
  return SharedBuffer<PerTensor>::allocate(of_another_shape, tensors).has_value();
#else
  return SharedBuffer<PerTensor>::allocate(allocator, tensors).has_value();
#endif
}

// EXPECT: this memory has another purpose; allocate a MemRegion<TensorIo>
bool weights_memory_is_not_memory_of_many_tensors(MemRegion<Weights>& special,
                                                  MemRegion<TensorIo> memory,
                                                  const std::vector<TensorPlacement>& places) {
#if MISUSE == 6
  return SharedBuffer<MultiTensor>::from_region(special, places).has_value();
#else
  return SharedBuffer<MultiTensor>::from_region(std::move(memory), places).has_value();
#endif
}

// EXPECT: this memory has another purpose; allocate a MemRegion<TensorIo>
bool weights_memory_is_not_tensor_memory(MemRegion<Weights>& special, MemRegion<TensorIo> memory,
                                         TensorSpec spec) {
#if MISUSE == 7
  return SharedBuffer<PerTensor>::from_region(special, std::move(spec)).has_value();
#else
  return SharedBuffer<PerTensor>::from_region(std::move(memory), std::move(spec)).has_value();
#endif
}

// EXPECT: this memory has another purpose; allocate a MemRegion<TensorIo>
bool spill_fill_memory_is_not_memory_of_many_tensors(MemRegion<SpillFill>& special,
                                                     MemRegion<TensorIo> memory,
                                                     const std::vector<TensorPlacement>& places) {
#if MISUSE == 8
  return SharedBuffer<MultiTensor>::from_region(special, places).has_value();
#else
  return SharedBuffer<MultiTensor>::from_region(std::move(memory), places).has_value();
#endif
}

// EXPECT: this memory has another purpose; allocate a MemRegion<TensorIo>
bool spill_fill_memory_is_not_tensor_memory(MemRegion<SpillFill>& special,
                                            MemRegion<TensorIo> memory, TensorSpec spec) {
#if MISUSE == 9
  return SharedBuffer<PerTensor>::from_region(special, std::move(spec)).has_value();
#else
  return SharedBuffer<PerTensor>::from_region(std::move(memory), std::move(spec)).has_value();
#endif
}

// EXPECT: this memory has another purpose; allocate a MemRegion<TensorIo>
bool the_shared_spill_fill_buffer_is_not_memory_of_many_tensors(
    SharedSpillFill& special, MemRegion<TensorIo> memory,
    const std::vector<TensorPlacement>& places) {
#if MISUSE == 10
  return SharedBuffer<MultiTensor>::from_region(special, places).has_value();
#else
  return SharedBuffer<MultiTensor>::from_region(std::move(memory), places).has_value();
#endif
}

// EXPECT: this memory has another purpose; allocate a MemRegion<TensorIo>
bool the_shared_spill_fill_buffer_is_not_tensor_memory(SharedSpillFill& special,
                                                       MemRegion<TensorIo> memory,
                                                       TensorSpec spec) {
#if MISUSE == 11
  return SharedBuffer<PerTensor>::from_region(special, std::move(spec)).has_value();
#else
  return SharedBuffer<PerTensor>::from_region(std::move(memory), std::move(spec)).has_value();
#endif
}

// EXPECT: views come from the access guard; write buffer.access<T>(name, use), then view<N>()
bool no_view_of_a_buffer_is_handed_out_without_access(SharedBuffer<DmaBuf>& buffer) {
#if MISUSE == 12
  return buffer.view<float, 2>("image").has_value();
#else
  return buffer.access<float>("image", CpuUse::read).has_value();
#endif
}

// EXPECT: spans come from the access guard; write buffer.access<T>(name, use)
bool the_elements_of_a_buffer_are_not_handed_out_without_access(SharedBuffer<MultiTensor>& buffer) {
#if MISUSE == 13
  return buffer.tensor<float>("image").has_value();
#else
  return buffer.access<float>("image", CpuUse::read).has_value();
#endif
}

// EXPECT: tensors() of a temporary would dangle; name the buffer first
const std::vector<TensorPlacement>& the_tensors_of_a_temporary_buffer_are_not_handed_out(
    SharedBuffer<PerTensor>& buffer) {
#if MISUSE == 14
  return std::move(buffer).tensors();
#else
  return buffer.tensors();
#endif
}

// EXPECT: an access has one owner; write std::move(access)
TensorAccess<float> an_access_is_not_copied(TensorAccess<float>& access) {
#if MISUSE == 15
  return TensorAccess<float>(access);
#else
  return TensorAccess<float>(std::move(access));
#endif
}

// EXPECT: close() consumes the access; write std::move(access).close()
bool an_access_is_closed_as_an_rvalue(TensorAccess<float> access) {
#if MISUSE == 16
  return access.close().has_value();
#else
  return std::move(access).close().has_value();
#endif
}

// EXPECT: the access of a temporary ends at once; name it first
void the_elements_of_a_temporary_access_are_not_handed_out(TensorAccess<float> access) {
#if MISUSE == 17
  for (float& value : std::move(access).elements()) value = 0;
#else
  for (float& value : access.elements()) value = 0;
#endif
}

// EXPECT: placements() of a temporary would dangle; name the plan first
std::span<const TensorPlacement> the_placements_of_a_temporary_plan_are_not_handed_out(
    TensorArena& plan) {
#if MISUSE == 18
  return std::move(plan).placements();
#else
  return plan.placements();
#endif
}

// EXPECT: an access is no range; name it, then loop over its elements()
float a_temporary_access_is_not_looped_over(Result<TensorAccess<const float>> opened) {
  float sum = 0;
#if MISUSE == 19
  for (float value : std::move(*opened)) sum += value;
#else
  const TensorAccess<const float> access = std::move(*opened);
  for (float value : access.elements()) sum += value;
#endif
  return sum;
}

// EXPECT: the access of a temporary ends at once; name it first
float a_span_of_a_temporary_access_is_not_handed_out(Result<TensorAccess<const float>> opened) {
#if MISUSE == 20
  const std::span y = std::move(*opened).elements();
#else
  const TensorAccess<const float> access = std::move(*opened);
  const std::span y = access.elements();
#endif
  return y.front();
}

// EXPECT: this access is read only; write read_elements(access, values)
bool an_output_is_not_written(Result<TensorAccess<const float>> output, std::span<float> values) {
#if MISUSE == 21
  return write_elements(std::move(output), values).has_value();
#else
  return read_elements(std::move(output), values).has_value();
#endif
}

// EXPECT: this access is read only; write read_elements(access, values)
bool an_access_to_an_output_is_not_written(TensorAccess<const float> output,
                                           std::span<float> values) {
#if MISUSE == 22
  return write_elements(std::move(output), values).has_value();
#else
  return read_elements(std::move(output), values).has_value();
#endif
}

// EXPECT: this memory has another purpose; allocate a MemRegion<TensorIo>
Result<SharedBuffer<MultiTensor>> vtcm_backup_memory_is_no_tensor_memory(
    MemRegion<VtcmBackup> vtcm_backup, MemRegion<TensorIo> tensors,
    std::vector<TensorPlacement> places) {
#if MISUSE == 23
  return tensors ? SharedBuffer<MultiTensor>::from_region(std::move(vtcm_backup), std::move(places))
                 : fail(Error());
#else
  return vtcm_backup ? SharedBuffer<MultiTensor>::from_region(std::move(tensors), std::move(places))
                     : fail(Error());
#endif
}
