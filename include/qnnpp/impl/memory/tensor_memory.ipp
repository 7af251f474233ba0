// Definitions of tensor_memory.hpp.
#pragma once

#include "qnnpp/memory/tensor_memory.hpp"

#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE Result<void> check_view(const TensorSpec& tensor, c_api::DataType view, bool carried,
                                     std::string_view name) {
  auto checked = check_dense(tensor, "viewing a tensor");
  if (checked && !carried)
    checked = fail(Errc::type_mismatch, "viewing a tensor", name,
                   {"the tensor is ", name_of(tensor.data_type), ", the view is ", name_of(view)});
  if (!checked) checked.error().object = name;
  return checked;
}

QNNPP_INLINE std::uint64_t TensorMemoryBlock::size_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const Ref<DmaBlock>& each : memory) bytes += each->size_bytes;
  return bytes;
}

QNNPP_INLINE Result<void> TensorMemoryBlock::index(bool in_several_shapes) {
  constexpr const char* step = "making tensor memory";
  if (tensors.empty()) return fail(Errc::empty, step, "list of tensors");
  const auto name_of = [this](std::size_t tensor) {
    return std::string_view(tensors[tensor].spec.name);
  };
  by_name = NameTable(tensors.size());
  if (in_several_shapes) next_shape.assign(tensors.size(), NameTable::none);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::uint32_t& first = by_name(tensors[i].spec.name, name_of);
    const auto here = static_cast<std::uint32_t>(i);
    if (first == NameTable::none)
      first = here;
    else if (in_several_shapes)
      next_shape[i] = std::exchange(next_shape[first], here);
    else
      return fail(Errc::duplicate_name, step, tensors[i].spec.name, "two tensors of one buffer");
  }
  return {};
}

QNNPP_INLINE std::size_t TensorMemoryBlock::shape_for(std::size_t tensor,
                                                      const TensorSpec& wanted) const noexcept {
  if (next_shape.empty()) return tensor;
  for (std::size_t i = tensor; i != NameTable::none; i = next_shape[i])
    if (tensors[i].spec.data_type == wanted.data_type &&
        tensors[i].spec.dimensions == wanted.dimensions)
      return i;
  return tensor;
}

QNNPP_INLINE Result<void> TensorMemoryBlock::check_starts() const {
  constexpr const char* step = "making tensor memory";
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& [spec, offset_bytes, size_bytes] = tensors[i];
    const std::uint64_t alignment = element_alignment(spec.data_type);
    QNNPP_TRY(starts_aligned(memory_of(i), offset_bytes, alignment, step, spec.name));
    // Null if nothing mapped the memory yet; the library maps whole pages.
    const auto mapping = reinterpret_cast<std::uintptr_t>(memory_of(i).data());
    if (mapping % alignment != 0)
      return fail(misaligned_start(step, spec.name, alignment, mapping & (~mapping + 1)));
  }
  return {};
}

QNNPP_INLINE Error open_for_cpu(const char* step, std::string_view tensor) {
  return Error::make(Errc::in_use, step, tensor, "the CPU has it open");
}

QNNPP_INLINE Result<void> TensorMemoryBlock::check_closed(const char* step) const {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::uint64_t begin = tensors[i].offset_bytes;
    if (memory_of(i).open.meet(begin, begin + tensors[i].size_bytes))
      return fail(open_for_cpu(step, tensors[i].spec.name));
  }
  return {};
}

QNNPP_INLINE Error other_count(std::string_view tensor, std::size_t element_bytes,
                               std::size_t needed, std::size_t given) {
  Error error = Error::mismatch(Errc::size_mismatch, "copying elements", tensor,
                                element_bytes * needed, element_bytes * given);
  error.detail = detail::joined({"the tensor has ", needed, " elements, ", given, " were given"});
  return error;
}

QNNPP_INLINE Result<std::size_t> TensorMemoryBlock::find(std::string_view name) const {
  if (const std::uint32_t at = index_of(name); at != NameTable::none) return at;
  NameList known(name);
  for (const TensorPlacement& each : tensors) known.add("", each.spec.name);
  return fail(Errc::unknown_name, "finding a tensor", name, {"the buffer holds: ", known.text()});
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
