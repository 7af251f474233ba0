// TensorPlacement: offset and size of a tensor in its DMA buffer. ScheduledTensor: the times at
// which its bytes are in use. Also the memory of every SharedBuffer: named tensors in DMA memory,
// with typed access for the CPU.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/abi/memory.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/detail/cache_order.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/tensor_access.hpp"
#include "qnnpp/memory/tensor_view.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Offset and size of a tensor in its DMA buffer.
struct TensorPlacement {
  TensorSpec spec;                 ///< Name, data type and dimensions.
  std::uint64_t offset_bytes = 0;  ///< Offset from the start of the DMA buffer.
  std::uint64_t size_bytes = 0;    ///< Size according to TensorSpec::size_bytes().
};

/// A tensor of a pipeline, and the times between which its bytes are in use.
struct ScheduledTensor {
  TensorSpec spec;              ///< Name, data type and dimensions.
  std::uint64_t first_use = 0;  ///< First time at which the bytes are used, in any unit.
  std::uint64_t last_use = 0;   ///< Last time at which the bytes are used; at least first_use.
};

namespace detail {

/// Message of the contract that a tensor buffer was not moved from.
inline constexpr char moved_buffer[] =
    "the tensor buffer was moved from; use the object it was moved to";

/// Checks that a tensor can be viewed as elements of type `view`; `carried`: whether they can hold
/// its elements. `name`: what the caller calls it. Error: `type_mismatch` with both types, or for a
/// layout of the HTP's own.
[[nodiscard]] Result<void> check_view(const TensorSpec& tensor, c_api::DataType view, bool carried,
                                      std::string_view name);

/// Returns the bytes of a tensor that has these actual extents.
[[nodiscard]] inline std::size_t bytes_of_extents(const TensorSpec& tensor,
                                                  std::span<const std::uint32_t> extents) noexcept {
  std::uint64_t bits = element_bits(tensor.data_type);
  for (const std::uint32_t extent : extents) bits *= extent;
  return static_cast<std::size_t>((bits + 7) / 8);
}

/// Makes the error `in_use` of a tensor that the CPU has open (ORD-18).
[[nodiscard]] Error open_for_cpu(const char* step, std::string_view tensor);

/// Tensors and their memory, kept alive by registrations (ION-04, BUF-06).
struct TensorMemoryBlock : RefCounted<TensorMemoryBlock> {
  TensorMemoryBlock() = default;
  TensorMemoryBlock(c_api::MemType form, std::vector<TensorPlacement> placed)
      : type(form), tensors(std::move(placed)) {}

  /// Memory type of the registrations.
  c_api::MemType type = c_api::MemType::custom;
  /// One block for all tensors (type custom), otherwise one for each, in the order of `tensors`.
  std::vector<Ref<DmaBlock>> memory;
  std::vector<TensorPlacement> tensors;
  /// Index into `tensors` by name; of several shapes of one tensor, the first.
  NameTable by_name;
  /// The next shape of the same tensor, by index; NameTable::none after the last. Empty if each
  /// tensor has one shape.
  std::vector<std::uint32_t> next_shape;
  /// What the graphs of a KvCache must do in order; null for other memory.
  Ref<CacheOrder> order;

  /// Memory that holds a tensor.
  [[nodiscard]] const DmaBlock& memory_of(std::size_t tensor) const {
    return *shared_memory_of(tensor);
  }
  /// Reference to the memory that holds a tensor.
  [[nodiscard]] const Ref<DmaBlock>& shared_memory_of(std::size_t tensor) const {
    return memory[type == c_api::MemType::custom ? 0 : tensor];
  }
  /// Sum of the sizes of all DMA buffers.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept;

  /// Indexes the tensors by name. Errors: `empty` if there are none; `duplicate_name` for tensors
  /// with the same name, unless they are one tensor in several shapes.
  [[nodiscard]] Result<void> index(bool in_several_shapes = false);

  /// Finds the shape of a tensor that has the type and the dimensions of `wanted`. Returns
  /// `tensor`, the first shape, if there is none.
  [[nodiscard]] std::size_t shape_for(std::size_t tensor, const TensorSpec& wanted) const noexcept;

  /// Checks that each tensor starts at a multiple of its element's size, both for the device and in
  /// the caller's mapping (NativeMemory::data). Error: `misaligned`.
  [[nodiscard]] Result<void> check_starts() const;

  /// Returns the index of a tensor; NameTable::none if there is none.
  [[nodiscard]] std::uint32_t index_of(std::string_view name) const noexcept {
    return by_name(name, [this](std::size_t i) { return std::string_view(tensors[i].spec.name); });
  }
  /// Finds a tensor. Error: `unknown_name` with the nearest names.
  [[nodiscard]] Result<std::size_t> find(std::string_view name) const;

  /// Checks that no tensor is open for the CPU. Error: `in_use` with the tensor's name.
  [[nodiscard]] Result<void> check_closed(const char* step) const;

  /// Opens the bytes of a tensor for the CPU. Reports the errors of CpuAccess::begin().
  [[nodiscard]] Result<CpuAccess> access(std::size_t tensor, CpuUse use) const {
    return CpuAccess::begin(shared_memory_of(tensor), use, tensors[tensor].offset_bytes,
                            tensors[tensor].size_bytes);
  }
  /// Opens a tensor of `block` for the CPU. `name`: what the caller calls it, which errors say: a
  /// graph's name of the tensor may be another than the memory's. `extents`: the actual extents of
  /// a tensor with dynamic dimensions, each at most its maximum; otherwise empty. Errors:
  /// `type_mismatch`, before the access begins; the errors of CpuAccess::begin().
  template <class T>
  [[nodiscard]] static Result<TensorAccess<T>> access(const Ref<TensorMemoryBlock>& block,
                                                      std::size_t tensor, CpuUse use,
                                                      std::string_view name,
                                                      std::span<const std::uint32_t> extents = {}) {
    const TensorSpec& spec = block->tensors[tensor].spec;
    if constexpr (!std::is_same_v<std::remove_const_t<T>, std::byte>)
      QNNPP_TRY(check_view(spec, data_type_of<T>, carries<T>(spec.data_type), name));
    QNNPP_LET(access, block->access(tensor, use));
    std::span<std::byte> bytes = access->bytes();
    if (!extents.empty()) bytes = bytes.first(bytes_of_extents(spec, extents));
    const std::span<T> elements(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T));
    return TensorAccess<T>(std::move(*access), elements, block, tensor,
                           name != spec.name ? name : std::string_view(), extents);
  }
};

}  // namespace detail

template <class T>
std::string_view TensorAccess<T>::name() const noexcept {
  return name_.empty() ? std::string_view(memory_->tensors[tensor_].spec.name) : name_;
}

/// Returns a view with one index for each dimension. The declaration in memory/tensor_access.hpp
/// lists the errors.
template <class T>
template <std::size_t Rank>
Result<TensorView<T, Rank>> TensorAccess<T>::view() const& {
  const std::span<T> all = elements();
  const TensorSpec& tensor = memory_->tensors[tensor_].spec;
  if (tensor.dimensions.size() != Rank)
    return fail(Errc::shape_mismatch, "viewing a tensor", name(),
                {"the tensor is ", to_string(tensor.dimensions), ", the view has rank ", Rank});
  if (auto checked = detail::check_dense(tensor, "viewing a tensor"); !checked) {
    checked.error().object = name();
    return fail(std::move(checked).error());
  }
  if (element_bits(tensor.data_type) != 8 * sizeof(T))
    return fail(Errc::type_mismatch, "viewing a tensor", name(),
                {"the tensor is ", name_of(tensor.data_type), ", the view is single bytes"});
  std::array<std::size_t, Rank> extents{};
  for (std::size_t i = 0; i < Rank; ++i)
    extents[i] = extents_.rank == 0 ? tensor.dimensions[i] : extents_.values[i];
  return TensorView<T, Rank>(all, extents);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/tensor_memory.ipp"
#endif
