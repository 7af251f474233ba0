// TensorAccess<T>: guard under which the CPU may use the elements of one tensor.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/tensor_view.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

template <class T>
class TensorAccess;

namespace detail {
struct TensorMemoryBlock;  // memory/tensor_memory.hpp

/// Copy of the actual extents of a tensor with dynamic dimensions. Rank 0 for other tensors.
struct ActualExtents {
  ActualExtents() = default;
  /// Copies at most most::rank extents.
  explicit ActualExtents(std::span<const std::uint32_t> extents) noexcept
      : rank(static_cast<std::uint32_t>(extents.size())) {
    for (std::size_t i = 0; i < extents.size(); ++i) values[i] = extents[i];
  }
  std::array<std::uint32_t, most::rank> values = {};
  std::uint32_t rank = 0;
};

/// Makes the error `size_mismatch` for a number of values that the tensor does not have: both sizes
/// in bytes, and both counts in the detail.
[[nodiscard]] Error other_count(std::string_view tensor, std::size_t element_bytes,
                                std::size_t needed, std::size_t given);

/// Compares a number of values with the number of elements. Error: `size_mismatch`.
struct CountCheck {
  template <class T>
  /// Checks that the tensor of `access` has `count` elements.
  [[nodiscard]] static Result<void> of(const TensorAccess<T>& access, std::size_t count) {
    if (count == access.size()) return {};
    return fail(other_count(access.name(), sizeof(T), access.size(), count));
  }
};
}  // namespace detail

/// Guard under which the CPU may use the elements of one tensor (SHB-07).
///
/// While it is open, the device must not use the tensor: destroy or close it before the graph
/// executes, or execute() returns `in_use` (ORD-18). T is const for a tensor that the device
/// writes. write_elements() and read_elements() copy all elements and end the access.
///
/// Spans and views of the access are valid until it ends. An access is not a range, because a
/// temporary one would end before its first element is read. Move-only. Keeps the memory alive.
///
/// Threads: only one at a time may use an access.
template <class T>
class TensorAccess {
 public:
  /// Type of the elements, const if they are read only.
  using element_type = T;

  QNNPP_MOVE_ONLY(TensorAccess, "an access has one owner; write std::move(access)");

  /// Returns all elements in row-major order, valid until the access ends; of a tensor with dynamic
  /// dimensions, the elements of its actual extents. An access that was moved from or closed has
  /// none (contract).
  [[nodiscard]] std::span<T> elements() const& {
    qnnpp::detail::expects(access_.is_open(),
                           "the tensor's access was moved from or closed; open the tensor again");
    return elements_;
  }
  QNNPP_REFUSE("the access of a temporary ends at once; name it first", std::span<T>,
               elements() const&&);

  /// Returns a view with one index for each dimension: `view<4>()`, then `(n, y, x, c)`. Valid
  /// until the access ends. Errors: `shape_mismatch` if Rank is not the tensor's rank;
  /// `type_mismatch` if T is std::byte and the elements are not single bytes. Defined in
  /// memory/tensor_memory.hpp.
  template <std::size_t Rank>
  [[nodiscard]] Result<TensorView<T, Rank>> view() const&;
  template <std::size_t Rank, class View = TensorView<T, Rank>>
  QNNPP_REFUSE("the access of a temporary ends at once; name it first", Result<View>,
               view() const&&);

  QNNPP_REFUSE("an access is no range; name it, then loop over its elements()", T*, begin() const);
  /// Declared only so that a range-for over an access reports the refusal of begin() and no other
  /// error. Returns null.
  [[nodiscard]] T* end() const noexcept { return nullptr; }

  /// Number of elements. An access that was moved from or closed has none (contract).
  [[nodiscard]] std::size_t size() const { return elements().size(); }
  /// Returns the element at `index`, which must be less than size() (contract).
  [[nodiscard]] T& operator[](std::size_t index) const& {
    qnnpp::detail::expects(index < size(),
                           "the index is outside the tensor; use one below its size");
    return elements_[index];
  }
  /// Returns a copy of the element at `index`: a reference would outlive the access of a temporary.
  [[nodiscard]] std::remove_const_t<T> operator[](std::size_t index) const&& {
    return (*this)[index];
  }

  /// Ends the access: the device sees what the CPU wrote. The destructor does the same and is
  /// silent. Error: `sync_failed`.
  [[nodiscard]] Result<void> close() && { return std::move(access_).end(); }
  QNNPP_REFUSE("close() consumes the access; write std::move(access).close()", Result<void>,
               close() const&);

 private:
  friend struct detail::TensorMemoryBlock;
  friend struct detail::CountCheck;

  /// Called by `input()`, `output()` and `access()` of the classes that own the memory.
  TensorAccess(CpuAccess access, std::span<T> elements, Ref<detail::TensorMemoryBlock> memory,
               std::size_t tensor, std::string_view name, std::span<const std::uint32_t> extents)
      : access_(std::move(access)),
        elements_(elements),
        memory_(std::move(memory)),
        tensor_(tensor),
        name_(name),
        extents_(extents) {}

  /// What the caller calls the tensor, for messages. Defined in memory/tensor_memory.hpp.
  [[nodiscard]] std::string_view name() const noexcept;

  CpuAccess access_;
  std::span<T> elements_;
  Ref<detail::TensorMemoryBlock> memory_;
  std::size_t tensor_;
  std::string name_;  ///< Empty if it is the memory's name.
  detail::ActualExtents extents_;
};

/// Writes all elements of a tensor and ends the access; the device then sees them. `access` comes
/// from input() or access(): `write_elements(bound.input<float>("x"), pixels)`.
///
/// Errors, each of which also ends the access: the error in `access`; `size_mismatch` with both
/// sizes if `values` has another number of elements than the tensor, in which case nothing is
/// written; `sync_failed`.
template <class T>
[[nodiscard]] Result<void> write_elements(TensorAccess<T> access,
                                          std::type_identity_t<std::span<const T>> values) {
  QNNPP_TRY(detail::CountCheck::of(access, values.size()));
  if (!values.empty()) std::memcpy(access.elements().data(), values.data(), values.size_bytes());
  return std::move(access).close();
}
/// Writes all elements of a tensor and ends the access, or returns the error in `access`.
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

/// Copies all elements of a tensor to `values` and ends the access. `access` comes from output() or
/// access(): `read_elements(bound.output<float>("y"), scores)`. Reports the errors of
/// write_elements(); after `sync_failed`, `values` holds the elements.
template <class T>
[[nodiscard]] Result<void> read_elements(
    TensorAccess<T> access, std::type_identity_t<std::span<std::remove_const_t<T>>> values) {
  QNNPP_TRY(detail::CountCheck::of(access, values.size()));
  if (!values.empty()) std::memcpy(values.data(), access.elements().data(), values.size_bytes());
  return std::move(access).close();
}
/// Copies all elements of a tensor and ends the access, or returns the error in `access`.
template <class T>
[[nodiscard]] Result<void> read_elements(
    Result<TensorAccess<T>> access,
    std::type_identity_t<std::span<std::remove_const_t<T>>> values) {
  if (!access) return fail(std::move(access).error());
  return read_elements(std::move(*access), values);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
