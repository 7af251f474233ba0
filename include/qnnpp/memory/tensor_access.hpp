// TensorAccess<T>: the elements of one tensor, and the guard under which the CPU may use them.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/tensor_view.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

template <class T>
class TensorAccess;

namespace detail {
struct TensorMemoryBlock;  // memory/tensor_memory.hpp

/// The error of as many elements as a tensor does not have: `size_mismatch` in bytes, and in words
/// both counts.
[[nodiscard]] Error other_count(const TensorMemoryBlock& block, std::size_t tensor,
                                std::size_t element_bytes, std::size_t needed, std::size_t given);

/// Compares a number of values with the elements of a tensor. Error: `size_mismatch`.
struct CountCheck {
  template <class T>
  [[nodiscard]] static Result<void> of(const TensorAccess<T>& access, std::size_t count) {
    if (count == access.size()) return success();
    return fail(other_count(*access.memory_, access.tensor_, sizeof(T), access.size(), count));
  }
};
}  // namespace detail

/// The CPU's turn at a tensor. While it lives the CPU may use the elements and the device may not
/// (SHB-07): destroy it, or leave its scope, before the graph executes. T is const for a tensor
/// that the device writes. write_elements() and read_elements() copy all elements and end the
/// access.
///
/// Its spans and views are good until it ends. It is no range itself, as one of a temporary would
/// end before its first element is read. Move-only. Keeps the memory alive. One thread at a time
/// uses it.
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

  QNNPP_REFUSE("an access is no range; name it, then loop over its elements()", T*, begin() const);
  // Makes `begin()` above the one error of a loop over an access.
  [[nodiscard]] T* end() const noexcept { return nullptr; }

  [[nodiscard]] std::size_t size() const { return elements().size(); }
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
  friend struct detail::CountCheck;

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

/// Writes all elements of a tensor and ends the access: the device sees them from then on. `access`
/// is what input() or access() returned: `write_elements(bound.input<float>("x"), pixels)`.
///
/// Errors, on which the access has ended too: the one of `access`; `size_mismatch` with both sizes
/// if `values` are more or fewer than the tensor has, before anything is written; `sync_failed`.
template <class T>
[[nodiscard]] Result<void> write_elements(TensorAccess<T> access,
                                          std::type_identity_t<std::span<const T>> values) {
  if (auto fits = detail::CountCheck::of(access, values.size()); !fits) return fits;
  if (!values.empty())
    std::memcpy(access.elements().data(), values.data(), values.size_bytes());
  return std::move(access).close();
}
template <class T>
[[nodiscard]] Result<void> write_elements(Result<TensorAccess<T>> access,
                                          std::type_identity_t<std::span<const T>> values) {
  if (!access) return fail(std::move(access).error());
  return write_elements(std::move(*access), values);
}
template <class T>
QNNPP_REFUSE("this access is read only; write read_elements(access, values)", Result<void>,
             write_elements(TensorAccess<const T>, std::type_identity_t<std::span<const T>>));
template <class T>
QNNPP_REFUSE("this access is read only; write read_elements(access, values)", Result<void>,
             write_elements(Result<TensorAccess<const T>>,
                            std::type_identity_t<std::span<const T>>));

/// Reads all elements of a tensor into `values` and ends the access. `access` is what output() or
/// access() returned: `read_elements(bound.output<float>("y"), scores)`. Errors: as of
/// write_elements(); on `sync_failed` the elements were read.
template <class T>
[[nodiscard]] Result<void> read_elements(
    TensorAccess<T> access, std::type_identity_t<std::span<std::remove_const_t<T>>> values) {
  if (auto fits = detail::CountCheck::of(access, values.size()); !fits) return fits;
  if (!values.empty())
    std::memcpy(values.data(), access.elements().data(), values.size_bytes());
  return std::move(access).close();
}
template <class T>
[[nodiscard]] Result<void> read_elements(
    Result<TensorAccess<T>> access,
    std::type_identity_t<std::span<std::remove_const_t<T>>> values) {
  if (!access) return fail(std::move(access).error());
  return read_elements(std::move(*access), values);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
