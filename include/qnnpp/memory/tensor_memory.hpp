// TensorMemory: named tensors in DMA memory, with typed access for the CPU.
//
// Base of every form of SharedBuffer.
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
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/tensor_access.hpp"
#include "qnnpp/memory/tensor_view.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Position of a tensor in its DMA buffer.
struct TensorPlacement {
  TensorSpec spec;                 ///< Name, data type and dimensions.
  std::uint64_t offset_bytes = 0;  ///< Offset from the start of the DMA buffer.
  std::uint64_t size_bytes = 0;    ///< Size according to TensorSpec::size_bytes().
};

namespace detail {

/// Message of the contract that a tensor buffer was not moved from.
inline constexpr char moved_buffer[] =
    "the tensor buffer was moved from; use the object it was moved to";

/// Returns the bytes of a tensor as elements of T. Error: `type_mismatch` with both types, or for a
/// layout of the HTP's own unless T is std::byte.
template <class T>
[[nodiscard]] Result<std::span<T>> elements_of(const TensorSpec& tensor,
                                               std::span<std::byte> bytes) {
  if constexpr (!std::is_same_v<std::remove_const_t<T>, std::byte>)
    QNNPP_TRY(check_dense(tensor, "viewing a tensor"));
  if (!carries<T>(tensor.data_type))
    return fail(Error::make(Errc::type_mismatch, "viewing a tensor", tensor.name,
                            std::string("the tensor is ") + name_of(tensor.data_type) +
                                ", the view is " + name_of(data_type_of<T>)));
  return std::span<T>(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T));
}

/// Returns the bytes of a tensor that has these actual extents.
[[nodiscard]] inline std::size_t bytes_of_extents(const TensorSpec& tensor,
                                                  std::span<const std::uint32_t> extents) noexcept {
  std::uint64_t bits = element_bits(tensor.data_type);
  for (const std::uint32_t extent : extents) bits *= extent;
  return static_cast<std::size_t>((bits + 7) / 8);
}

/// Tensors and their memory, kept alive by registrations (ION-04, BUF-06).
struct TensorMemoryBlock : RefCounted<TensorMemoryBlock> {
  TensorMemoryBlock();
  ~TensorMemoryBlock();

  /// Memory type of the registrations.
  c_api::MemType type = c_api::MemType::custom;
  /// One block for all tensors (type custom), otherwise one for each, in the order of `tensors`.
  std::vector<Ref<DmaBlock>> memory;
  std::vector<TensorPlacement> tensors;
  /// Index into `tensors` by name; of several shapes of one tensor, the first.
  NameIndex by_name;
  /// The next shape of the same tensor, by index; NameIndex::none after the last. Empty if each
  /// tensor has one shape.
  std::vector<std::uint32_t> next_shape;

  /// Memory that holds a tensor.
  [[nodiscard]] const DmaBlock& memory_of(std::size_t tensor) const {
    return *memory[type == c_api::MemType::custom ? 0 : tensor];
  }
  /// Reference to the memory that holds a tensor.
  [[nodiscard]] const Ref<DmaBlock>& shared_memory_of(std::size_t tensor) const {
    return memory[type == c_api::MemType::custom ? 0 : tensor];
  }
  /// Indexes the tensors by name. Errors: `empty` if there are none; `duplicate_name` for tensors
  /// with the same name, unless they are one tensor in several shapes.
  [[nodiscard]] Result<void> index(bool in_several_shapes = false);

  /// Finds the shape of a tensor that has the type and the dimensions of `wanted`. Returns
  /// `tensor`, the first shape, if there is none.
  [[nodiscard]] std::size_t shape_for(std::size_t tensor, const TensorSpec& wanted) const noexcept;

  /// Checks that each tensor starts at a multiple of its element's size, both for the device and in
  /// the caller's mapping (NativeMemory::data). Error: `misaligned`.
  [[nodiscard]] Result<void> check_starts() const;

  /// Finds a tensor. Error: `unknown_name` with some of the names that exist.
  [[nodiscard]] Result<std::size_t> find(std::string_view name) const;

  /// Opens the bytes of a tensor for the CPU. Reports the errors of CpuAccess::begin().
  [[nodiscard]] Result<CpuAccess> access(std::size_t tensor, CpuUse use) const {
    return CpuAccess::begin(shared_memory_of(tensor), use, tensors[tensor].offset_bytes,
                            tensors[tensor].size_bytes);
  }
  /// Opens a tensor of `block` for the CPU. `extents`: the actual extents of a tensor with dynamic
  /// dimensions, each at most its maximum; otherwise empty. Errors: `type_mismatch`, before the
  /// access begins; the errors of CpuAccess::begin().
  template <class T>
  [[nodiscard]] static Result<TensorAccess<T>> access(const Ref<TensorMemoryBlock>& block,
                                                      std::size_t tensor, CpuUse use,
                                                      std::span<const std::uint32_t> extents = {}) {
    const TensorSpec& spec = block->tensors[tensor].spec;
    QNNPP_TRY(elements_of<T>(spec, {}));
    Result<CpuAccess> access = block->access(tensor, use);
    if (!access) return fail(std::move(access).error());
    std::span<std::byte> bytes = access->bytes();
    if (!extents.empty()) bytes = bytes.first(bytes_of_extents(spec, extents));
    auto elements = elements_of<T>(spec, bytes);
    return TensorAccess<T>(std::move(*access), *elements, block, tensor, extents);
  }
};

}  // namespace detail

/// Members that all forms of SharedBuffer share.
///
/// The CPU accesses tensors only through access(), whose guard gives spans and views (SHB-07).
/// A moved-from buffer refuses all members (contract).
///
/// Threads: const members are thread-safe.
class TensorMemory {
 public:
  /// Tensors in the order in which they were given. Valid while the buffer lives.
  [[nodiscard]] const std::vector<TensorPlacement>& tensors() const& { return block().tensors; }
  QNNPP_REFUSE("tensors() of a temporary would dangle; name the buffer first",
               const std::vector<TensorPlacement>&, tensors() const&&);

  /// Sum of the sizes of all DMA buffers.
  [[nodiscard]] std::uint64_t size_bytes() const;

  /// Opens a tensor for the CPU while the returned guard lives; its bytes() are the tensor's bytes.
  /// The cache sync covers the whole DMA buffer that holds the tensor. Errors: `unknown_name`; the
  /// errors of CpuAccess::begin().
  [[nodiscard]] Result<CpuAccess> access(std::string_view name, CpuUse use) const;
  /// Opens the elements of a tensor for the CPU: `access<float>("x", CpuUse::write)`. carries()
  /// defines the types that T may be: the tensor's own type, the integer of a fixed-point type, or
  /// std::byte. With CpuUse::read, write `access<const float>`: a non-const T also compiles, but
  /// the device may not see what is written. Errors: `unknown_name`; `type_mismatch` with both
  /// types, and for another T than std::byte if the tensor has a layout of the HTP's own; the
  /// errors of CpuAccess::begin().
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> access(std::string_view name, CpuUse use) const {
    const Result<std::size_t> at = block().find(name);
    if (!at) return fail(at.error());
    return detail::TensorMemoryBlock::access<T>(block_, *at, use);
  }
  template <class T>
  QNNPP_REFUSE("spans come from the access guard; write buffer.access<T>(name, use)",
               Result<std::span<T>>, tensor(std::string_view) const);
  template <class T, std::size_t Rank, class View = TensorView<T, Rank>>
  QNNPP_REFUSE(
      "views come from the access guard; write buffer.access<T>(name, use), then view<N>()",
      Result<View>, view(std::string_view) const);

 protected:
  /// Made by the forms of SharedBuffer.
  explicit TensorMemory(Ref<detail::TensorMemoryBlock> block) : block_(std::move(block)) {}
  /// Moves the buffer; the moved-from object refuses its members (contract).
  TensorMemory(TensorMemory&&) noexcept = default;
  /// Releases the current buffer, then moves the other.
  TensorMemory& operator=(TensorMemory&&) noexcept = default;
  ~TensorMemory() = default;

 private:
  friend struct detail::Access;

  [[nodiscard]] const detail::TensorMemoryBlock& block() const;

  Ref<detail::TensorMemoryBlock> block_;
};

/// Returns a view with one index for each dimension. The declaration in memory/tensor_access.hpp
/// lists the errors.
template <class T>
template <std::size_t Rank>
Result<TensorView<T, Rank>> TensorAccess<T>::view() const& {
  const std::span<T> all = elements();
  const TensorSpec& tensor = memory_->tensors[tensor_].spec;
  if (tensor.dimensions.size() != Rank)
    return fail(Error::make(Errc::shape_mismatch, "viewing a tensor", tensor.name,
                            "the tensor is " + to_string(tensor.dimensions) +
                                ", the view has rank " + std::to_string(Rank)));
  QNNPP_TRY(detail::check_dense(tensor, "viewing a tensor"));
  if (element_bits(tensor.data_type) != 8 * sizeof(T))
    return fail(Error::make(
        Errc::type_mismatch, "viewing a tensor", tensor.name,
        std::string("the tensor is ") + name_of(tensor.data_type) + ", the view is single bytes"));
  std::array<std::size_t, Rank> extents{};
  for (std::size_t i = 0; i < Rank; ++i)
    extents[i] = extents_.rank == 0 ? tensor.dimensions[i] : extents_.values[i];
  return TensorView<T, Rank>(all, extents);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/tensor_memory.ipp"
#endif
