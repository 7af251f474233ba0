// TensorAccess<T>: the elements of one tensor, and the guard under which the CPU may use them.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/tensor_view.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {
struct TensorMemoryBlock;  // memory/tensor_memory.hpp
}  // namespace detail

/// The CPU's turn at a tensor: a contiguous range of its elements. While it lives the CPU may use
/// them and the device may not (SHB-07): destroy it, or leave its scope, before the graph executes.
/// T is const for a tensor that the device writes.
///
/// Its spans and views are good until it ends. Move-only. Keeps the memory alive. One thread at a
/// time uses it.
template <class T>
class TensorAccess {
 public:
  using element_type = T;

  QNNPP_MOVE_ONLY(TensorAccess, "an access has one owner; write std::move(access)");

  /// All elements in their order. An access that was moved from or closed has none (contract).
  [[nodiscard]] std::span<T> elements() const& {
    QNNPP_EXPECTS(access_.is_open(),
                  "the tensor's access was moved from or closed; open the tensor again");
    return elements_;
  }
  QNNPP_REFUSE("the access of a temporary ends at once; name it first", std::span<T>,
               elements() const&&);

  /// The elements by their indices: `view<4>()`, `(n, y, x, c)`. Errors: `shape_mismatch` for
  /// another rank than the tensor's; `type_mismatch` for bytes of larger or smaller elements, which
  /// have no indices. Defined in memory/tensor_memory.hpp.
  template <std::size_t Rank>
  [[nodiscard]] Result<TensorView<T, Rank>> view() const&;
  template <std::size_t Rank, class View = TensorView<T, Rank>>
  QNNPP_REFUSE("the access of a temporary ends at once; name it first", Result<View>,
               view() const&&);

  [[nodiscard]] T* data() const { return elements().data(); }
  [[nodiscard]] std::size_t size() const { return elements().size(); }
  [[nodiscard]] T* begin() const { return data(); }
  [[nodiscard]] T* end() const { return data() + size(); }
  /// The element at `index`, which is below size() (contract).
  [[nodiscard]] T& operator[](std::size_t index) const {
    QNNPP_EXPECTS(index < size(), "the index is outside the tensor; use one below its size");
    return elements_[index];
  }

  /// Ends the access now: the device sees what the CPU wrote. The destructor does the same and is
  /// silent. Error: `sync_failed`.
  [[nodiscard]] Result<void> close() && { return std::move(access_).end(); }
  QNNPP_REFUSE("close() consumes the access; write std::move(access).close()", Result<void>,
               close() const&);

 private:
  friend struct detail::TensorMemoryBlock;

  /// Made by the `input()`, `output()` and `access()` of what owns the memory.
  TensorAccess(CpuAccess access, std::span<T> elements, Ref<detail::TensorMemoryBlock> memory,
               std::size_t tensor) noexcept
      : access_(std::move(access)),
        elements_(elements),
        memory_(std::move(memory)),
        tensor_(tensor) {}

  CpuAccess access_;
  std::span<T> elements_;
  Ref<detail::TensorMemoryBlock> memory_;
  std::size_t tensor_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE
