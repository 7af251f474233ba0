// quantise() and dequantise(): numbers to the elements of a tensor, and back.
//
// Elements of every type with a size are converted: fixed point by the tensor's quantisation,
// float16 and bfloat16, integers, bool. Numbers are rounded to the nearest element, ties to even,
// and limited to the type's range. In fixed point, number / scale is rounded, ties to even, before
// the offset is subtracted: with an odd offset, ties become odd codes. NaN becomes the code of 0,
// and stays NaN in floats. Elements of 4 bits share bytes, the lower half first.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <span>

#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

[[nodiscard]] Result<void> quantise(const TensorSpec& tensor, std::span<const float> numbers,
                                    std::span<std::byte> elements, bool fits);
[[nodiscard]] Result<void> dequantise(const TensorSpec& tensor, std::span<const std::byte> elements,
                                      std::span<float> numbers, bool fits);

}  // namespace detail

/// Writes the element of each number. `numbers` and `elements` have all elements of the tensor, in
/// row-major order. For other extents than the maxima of dynamic dimensions, pass a copy of
/// `tensor` whose `dimensions` are the actual extents. T is a type that carries() the tensor's
/// type; std::byte for 4-bit types.
///
/// Errors, before anything is written:
/// - `type_mismatch`: T does not carry the tensor's type, or the tensor's layout is the HTP's own;
/// - `size_mismatch`: a span has another size than the tensor;
/// - `invalid_argument`: a fixed-point tensor without a quantisation;
/// - the errors of TensorSpec::size_bytes() and of Quantisation::check().
///
/// Threads: any, if no two calls write the same bytes.
template <class T>
[[nodiscard]] Result<void> quantise(const TensorSpec& tensor, std::span<const float> numbers,
                                    std::span<T> elements) {
  return detail::quantise(tensor, numbers, std::as_writable_bytes(elements),
                          carries<T>(tensor.data_type));
}

/// Writes the number of each element; the reverse of quantise(), with the same parameters and
/// errors. A 32-bit code becomes the nearest float.
template <class T>
[[nodiscard]] Result<void> dequantise(const TensorSpec& tensor, std::span<const T> elements,
                                      std::span<float> numbers) {
  return detail::dequantise(tensor, std::as_bytes(elements), numbers, carries<T>(tensor.data_type));
}

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/quantise.ipp"
#endif
