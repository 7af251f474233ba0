// TensorMemory: named tensors in DMA memory, and the CPU's typed access to them.
//
// What every form of SharedBuffer has; see there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/memory.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/tensor_access.hpp"
#include "qnnpp/memory/tensor_view.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Where a tensor lies.
struct TensorPlacement {
  TensorSpec spec;
  std::uint64_t offset_bytes = 0;  ///< From the start of its DMA buffer.
  std::uint64_t size_bytes = 0;    ///< As of TensorSpec::size_bytes().
};

namespace detail {

/// What a broken contract says of a buffer of tensors.
inline constexpr char moved_buffer[] =
    "the tensor buffer was moved from; use the object it was moved to";

/// Bytes of T-typed elements that a tensor of `type` and `bytes` carries. Error: `type_mismatch`.
template <class T>
[[nodiscard]] Result<std::span<T>> elements_of(const TensorPlacement& tensor, std::byte* data) {
  if (!carries<T>(tensor.spec.data_type))
    return fail(Error::make(Errc::type_mismatch, "viewing a tensor", tensor.spec.name,
                            std::string("the tensor is ") + name_of(tensor.spec.data_type) +
                                ", the view is " + name_of(data_type_of<T>)));
  return std::span<T>(reinterpret_cast<T*>(data),
                      static_cast<std::size_t>(tensor.size_bytes) / sizeof(T));
}

/// The same with one index a dimension. Errors: `shape_mismatch` for another rank; `type_mismatch`
/// for bytes of larger or smaller elements, which have no indices.
template <class T, std::size_t Rank>
[[nodiscard]] Result<TensorView<T, Rank>> view_of(const TensorPlacement& tensor, std::byte* data) {
  const auto& dimensions = tensor.spec.dimensions;
  if (dimensions.size() != Rank)
    return fail(Error::make(
        Errc::shape_mismatch, "viewing a tensor", tensor.spec.name,
        "the tensor is " + to_string(dimensions) + ", the view has rank " + std::to_string(Rank)));
  auto elements = elements_of<T>(tensor, data);
  if (!elements) return fail(std::move(elements).error());
  if (element_bits(tensor.spec.data_type) != 8 * sizeof(T))
    return fail(Error::make(Errc::type_mismatch, "viewing a tensor", tensor.spec.name,
                            std::string("the tensor is ") + name_of(tensor.spec.data_type) +
                                ", the view is single bytes"));
  std::array<std::size_t, Rank> extents{};
  for (std::size_t i = 0; i < Rank; ++i) extents[i] = dimensions[i];
  return TensorView<T, Rank>(*elements, extents);
}

/// Tensors and their memory. Registrations keep it alive (ION-04, BUF-06).
struct TensorMemoryBlock : RefCounted<TensorMemoryBlock> {
  TensorMemoryBlock();
  ~TensorMemoryBlock();

  /// How QNN is told of it.
  c_api::MemType type = c_api::MemType::custom;
  /// One for all tensors (custom), or one each, in their order.
  std::vector<Ref<DmaBlock>> memory;
  std::vector<TensorPlacement> tensors;
  /// Indices of the tensors.
  NameIndex by_name;

  [[nodiscard]] const DmaBlock& memory_of(std::size_t tensor) const {
    return *memory[type == c_api::MemType::custom ? 0 : tensor];
  }
  [[nodiscard]] const Ref<DmaBlock>& shared_memory_of(std::size_t tensor) const {
    return memory[type == c_api::MemType::custom ? 0 : tensor];
  }
  [[nodiscard]] std::byte* data_of(std::size_t tensor) const {
    return static_cast<std::byte*>(memory_of(tensor).data) + tensors[tensor].offset_bytes;
  }

  /// Indexes the tensors by name. Error: `duplicate_name`.
  [[nodiscard]] Result<void> index();

  /// Index of a tensor. Error: `unknown_name` with some of those that there are.
  [[nodiscard]] Result<std::size_t> find(std::string_view name) const;

  /// Opens a tensor for the CPU. Errors: `type_mismatch` (both types), `sync_failed`.
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> access(std::size_t tensor, CpuUse use) const {
    auto elements = elements_of<T>(tensors[tensor], data_of(tensor));
    if (!elements) return fail(std::move(elements).error());
    Result<CpuAccess> access = CpuAccess::begin(shared_memory_of(tensor), use);
    if (!access) return fail(std::move(access).error());
    return TensorAccess<T>(std::move(*access), *elements);
  }
};

}  // namespace detail

/// The part of a SharedBuffer that does not depend on its form.
///
/// Spans and views borrow: they dangle when the buffer and all its registrations are gone. Bracket
/// what the CPU does with access() where the allocator asks for it (SHB-07).
class TensorMemory {
 public:
  /// Its tensors, in the order they were given. They live as long as the buffer.
  [[nodiscard]] const std::vector<TensorPlacement>& tensors() const& { return block().tensors; }
  QNNPP_REFUSE("tensors() of a temporary would dangle; name the buffer first",
               const std::vector<TensorPlacement>&, tensors() const&&);

  /// Bytes of all its DMA buffers together.
  [[nodiscard]] std::uint64_t size_bytes() const;

  /// The elements of a tensor. T is what carries() allows: the type itself, the integer of a
  /// fixed-point type, std::byte for anything. Errors: `unknown_name`, `type_mismatch` (both
  /// types).
  template <class T>
  [[nodiscard]] Result<std::span<T>> tensor(std::string_view name) const& {
    const Result<std::size_t> at = block().find(name);
    if (!at) return fail(at.error());
    return detail::elements_of<T>(block().tensors[*at], block().data_of(*at));
  }
  template <class T>
  QNNPP_REFUSE("tensor() of a temporary would dangle; name the buffer first", Result<std::span<T>>,
               tensor(std::string_view) const&&);

  /// The elements by their indices: `view<float, 4>("image")`, `(n, y, x, c)`. Errors: those of
  /// tensor(); `shape_mismatch` for another rank.
  template <class T, std::size_t Rank>
  [[nodiscard]] Result<TensorView<T, Rank>> view(std::string_view name) const& {
    const Result<std::size_t> at = block().find(name);
    if (!at) return fail(at.error());
    return detail::view_of<T, Rank>(block().tensors[*at], block().data_of(*at));
  }
  template <class T, std::size_t Rank, class View = TensorView<T, Rank>>
  QNNPP_REFUSE("view() of a temporary would dangle; name the buffer first", Result<View>,
               view(std::string_view) const&&);

  /// Opens the DMA buffer that holds a tensor for the CPU, until the guard goes. Errors:
  /// `unknown_name`, `sync_failed`.
  [[nodiscard]] Result<CpuAccess> access(std::string_view name, CpuUse use) const;
  /// Opens it and gives its elements: `access<float>("x", CpuUse::write)`. T as for tensor().
  /// Errors: `unknown_name`, `type_mismatch`, `sync_failed`.
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> access(std::string_view name, CpuUse use) const {
    const Result<std::size_t> at = block().find(name);
    if (!at) return fail(at.error());
    return block().template access<T>(*at, use);
  }

 protected:
  explicit TensorMemory(Ref<detail::TensorMemoryBlock> block) : block_(std::move(block)) {}
  TensorMemory(TensorMemory&&) noexcept = default;
  TensorMemory& operator=(TensorMemory&&) noexcept = default;
  ~TensorMemory() = default;

 private:
  friend struct detail::Access;

  [[nodiscard]] const detail::TensorMemoryBlock& block() const;

  Ref<detail::TensorMemoryBlock> block_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/tensor_memory.ipp"
#endif
