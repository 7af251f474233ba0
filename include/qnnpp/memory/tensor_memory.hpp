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

/// The bytes of a tensor as T-typed elements. Error: `type_mismatch` (both types).
template <class T>
[[nodiscard]] Result<std::span<T>> elements_of(const TensorSpec& tensor,
                                               std::span<std::byte> bytes) {
  if (!carries<T>(tensor.data_type))
    return fail(Error::make(Errc::type_mismatch, "viewing a tensor", tensor.name,
                            std::string("the tensor is ") + name_of(tensor.data_type) +
                                ", the view is " + name_of(data_type_of<T>)));
  return std::span<T>(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T));
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
  /// Indexes the tensors by name. Error: `duplicate_name`.
  [[nodiscard]] Result<void> index();

  /// Index of a tensor. Error: `unknown_name` with some of those that there are.
  [[nodiscard]] Result<std::size_t> find(std::string_view name) const;

  /// Opens the bytes of a tensor for the CPU. Errors: those of CpuAccess::begin().
  [[nodiscard]] Result<CpuAccess> access(std::size_t tensor, CpuUse use) const {
    return CpuAccess::begin(shared_memory_of(tensor), use, tensors[tensor].offset_bytes,
                            tensors[tensor].size_bytes);
  }
  /// Opens a tensor of `block` for the CPU. Errors: `type_mismatch`, before it begins; those of
  /// CpuAccess::begin().
  template <class T>
  [[nodiscard]] static Result<TensorAccess<T>> access(const Ref<TensorMemoryBlock>& block,
                                                      std::size_t tensor, CpuUse use) {
    const TensorSpec& spec = block->tensors[tensor].spec;
    if (auto typed = elements_of<T>(spec, {}); !typed) return fail(std::move(typed).error());
    Result<CpuAccess> access = block->access(tensor, use);
    if (!access) return fail(std::move(access).error());
    auto elements = elements_of<T>(spec, access->bytes());
    return TensorAccess<T>(std::move(*access), *elements, block, tensor);
  }
};

}  // namespace detail

/// The part of a SharedBuffer that does not depend on its form.
///
/// The CPU reaches tensors by access() alone, whose guard gives spans and views (SHB-07).
class TensorMemory {
 public:
  /// Its tensors, in the order they were given. They live as long as the buffer.
  [[nodiscard]] const std::vector<TensorPlacement>& tensors() const& { return block().tensors; }
  QNNPP_REFUSE("tensors() of a temporary would dangle; name the buffer first",
               const std::vector<TensorPlacement>&, tensors() const&&);

  /// Bytes of all its DMA buffers together.
  [[nodiscard]] std::uint64_t size_bytes() const;

  /// Opens the DMA buffer that holds a tensor for the CPU, until the guard goes; its bytes() are
  /// the tensor's. Errors: `unknown_name`; those of CpuAccess::begin().
  [[nodiscard]] Result<CpuAccess> access(std::string_view name, CpuUse use) const;
  /// Opens it and gives its elements: `access<float>("x", CpuUse::write)`. T is what carries()
  /// allows: the type itself, the integer of a fixed-point type, std::byte for anything. Errors:
  /// `unknown_name`, `type_mismatch` (both types); those of CpuAccess::begin().
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
  explicit TensorMemory(Ref<detail::TensorMemoryBlock> block) : block_(std::move(block)) {}
  TensorMemory(TensorMemory&&) noexcept = default;
  TensorMemory& operator=(TensorMemory&&) noexcept = default;
  ~TensorMemory() = default;

 private:
  friend struct detail::Access;

  [[nodiscard]] const detail::TensorMemoryBlock& block() const;

  Ref<detail::TensorMemoryBlock> block_;
};

template <class T>
template <std::size_t Rank>
Result<TensorView<T, Rank>> TensorAccess<T>::view() const& {
  const std::span<T> all = elements();
  const TensorSpec& tensor = memory_->tensors[tensor_].spec;
  const auto& dimensions = tensor.dimensions;
  if (dimensions.size() != Rank)
    return fail(Error::make(
        Errc::shape_mismatch, "viewing a tensor", tensor.name,
        "the tensor is " + to_string(dimensions) + ", the view has rank " + std::to_string(Rank)));
  if (element_bits(tensor.data_type) != 8 * sizeof(T))
    return fail(Error::make(
        Errc::type_mismatch, "viewing a tensor", tensor.name,
        std::string("the tensor is ") + name_of(tensor.data_type) + ", the view is single bytes"));
  std::array<std::size_t, Rank> extents{};
  for (std::size_t i = 0; i < Rank; ++i) extents[i] = dimensions[i];
  return TensorView<T, Rank>(all, extents);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/tensor_memory.ipp"
#endif
