// TensorView: the elements of a tensor, addressed by indices.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <span>

#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Borrows elements in row-major order and addresses them by indices: `view(n, y, x, c)`.
///
/// Owns nothing: invalid as soon as the access that gave it ends. Threads: as for std::span.
template <class T, std::size_t Rank>
class TensorView {
 public:
  /// Makes a view. The product of `extents` must be the number of elements (contract).
  TensorView(std::span<T> elements, const std::array<std::size_t, Rank>& extents)
      : elements_(elements), extents_(extents) {
    std::size_t product = 1;
    for (const std::size_t extent : extents_) product *= extent;
    qnnpp::detail::expects(
        product == elements_.size(),
        "the tensor view's extents do not fit; their product must be the number of elements");
  }

  /// Returns the element at these indices, each less than its extent (contract).
  template <std::convertible_to<std::size_t>... Indices>
    requires(sizeof...(Indices) == Rank)
  [[nodiscard]] T& operator()(Indices... indices) const {
    const std::array<std::size_t, Rank> at{static_cast<std::size_t>(indices)...};
    std::size_t index = 0;
    for (std::size_t dimension = 0; dimension < Rank; ++dimension) {
      qnnpp::detail::expects(
          at[dimension] < extents_[dimension],
          "an index of the tensor view is beyond its extent; use one below the extent");
      index = index * extents_[dimension] + at[dimension];
    }
    return elements_[index];
  }

  /// Number of dimensions.
  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  /// Extent of a dimension, which must be less than rank() (contract).
  [[nodiscard]] std::size_t extent(std::size_t dimension) const {
    qnnpp::detail::expects(dimension < Rank,
                           "the tensor view has no such dimension; use one below its rank");
    return extents_[dimension];
  }
  /// Returns all elements in row-major order.
  [[nodiscard]] std::span<T> elements() const noexcept { return elements_; }

 private:
  std::span<T> elements_;
  std::array<std::size_t, Rank> extents_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
