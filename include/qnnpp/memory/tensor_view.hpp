// TensorView: the elements of a tensor by their indices.
#pragma once

#include "qnnpp/platform.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <span>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Borrowed elements in rows, the last index running fastest: `view(n, y, x, c)`.
///
/// A view: it owns nothing and dangles when the memory goes.
template <class T, std::size_t Rank>
class TensorView {
 public:
  /// `elements` holds exactly the product of `extents` (contract).
  TensorView(std::span<T> elements, const std::array<std::size_t, Rank>& extents)
      : elements_(elements), extents_(extents) {
    std::size_t product = 1;
    for (const std::size_t extent : extents_) product *= extent;
    QNNPP_EXPECTS(
        product == elements_.size(),
        "the tensor view's extents do not fit; their product must be the number of elements");
  }

  /// The element at these indices, each below its extent (contract).
  template <std::convertible_to<std::size_t>... Indices>
    requires(sizeof...(Indices) == Rank)
  [[nodiscard]] T& operator()(Indices... indices) const {
    const std::array<std::size_t, Rank> at{static_cast<std::size_t>(indices)...};
    std::size_t index = 0;
    for (std::size_t dimension = 0; dimension < Rank; ++dimension) {
      QNNPP_EXPECTS(at[dimension] < extents_[dimension],
                    "an index of the tensor view is beyond its extent; use one below the extent");
      index = index * extents_[dimension] + at[dimension];
    }
    return elements_[index];
  }

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] std::size_t extent(std::size_t dimension) const {
    QNNPP_EXPECTS(dimension < Rank,
                  "the tensor view has no such dimension; use one below its rank");
    return extents_[dimension];
  }
  /// All elements in their order.
  [[nodiscard]] std::span<T> elements() const noexcept { return elements_; }

 private:
  std::span<T> elements_;
  std::array<std::size_t, Rank> extents_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE
