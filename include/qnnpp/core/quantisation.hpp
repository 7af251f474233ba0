// Quantisation: the mapping of a fixed-point tensor's codes to numbers.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/abi/quantization.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Scale and offset of a group of elements: real = scale * (code + offset). The offset is the
/// negative of the usual zero point.
using ScaleOffset = c_api::ScaleOffset;

namespace detail {

/// Returns the shortest text that reads back as the same scale.
[[nodiscard]] std::string scale_text(float scale);

/// Data of a quantisation that a scale and an offset do not describe.
struct QuantisationGroups : RefCounted<QuantisationGroups> {
  QuantisationGroups() = default;
  [[gnu::noinline]] ~QuantisationGroups() = default;  // Keeps the destructors of tensors small.

  c_api::QuantizationEncoding encoding = c_api::QuantizationEncoding::undefined;
  std::uint32_t bits = 0;
  std::int32_t axis = 0;
  std::vector<ScaleOffset> pairs = {};
  std::vector<std::uint32_t> blocks = {};
  std::vector<std::uint8_t> scales8 = {};
  std::vector<std::uint16_t> scales16 = {};
  // The C struct of bw_axis_scale_offset points to separate arrays, that of blockwise_expansion is
  // passed by pointer.
  std::vector<float> scales = {};
  std::vector<std::int32_t> offsets = {};
  c_api::BlockwiseExpansion expansion{};
  c_api::QuantizeParams native{};  ///< Points to the members above.
};

}  // namespace detail

/// Quantisation of a tensor: how its codes map to numbers. A value: copies share immutable data.
///
/// Other encodings of QNN (code books, mapped codes, float offsets) are read from binaries as
/// `encoding()` alone: such tensors can be bound, but neither composed nor converted.
///
/// Threads: as for std::string.
class Quantisation {
 public:
  /// No quantisation: the elements are the numbers themselves.
  Quantisation() noexcept = default;
  /// One scale and offset for the whole tensor. A scale of 0 is no quantisation.
  Quantisation(float scale, std::int32_t offset) noexcept : whole_{scale, offset} {}

  /// One scale and offset for the whole tensor, whose codes use only the low `bits` bits of an
  /// element: a signed code is in two's complement (bw_scale_offset).
  [[nodiscard]] static Quantisation per_tensor(ScaleOffset pair, std::uint32_t bits);
  /// One pair for each index along dimension `axis`. If `bits` is not 0, codes use only the low
  /// `bits` bits of an element (bw_axis_scale_offset).
  [[nodiscard]] static Quantisation per_axis(std::int32_t axis, std::vector<ScaleOffset> pairs,
                                             std::uint32_t bits = 0);
  /// One pair for each block, in row-major order of the blocks. `extents` is the shape of a block;
  /// it divides the tensor's shape.
  [[nodiscard]] static Quantisation per_block(std::vector<std::uint32_t> extents,
                                              std::vector<ScaleOffset> pairs);
  /// One pair for each index along `axis`, times an integer scale for each block of that index. The
  /// elements of an index, in row-major order, consist of `blocks` equal runs. `block_scales` holds
  /// `blocks` scales for each index, of `bits` bits (blockwise_expansion).
  [[nodiscard]] static Quantisation per_axis_and_block(std::int32_t axis,
                                                       std::vector<ScaleOffset> pairs,
                                                       std::uint32_t blocks,
                                                       std::vector<std::uint16_t> block_scales,
                                                       std::uint32_t bits);
  /// Copies the C struct of a tensor with these dimensions. Copies only `encoding()` if there is no
  /// factory for it, or if its scales are missing or do not fit the dimensions.
  [[nodiscard]] static Quantisation from(const c_api::QuantizeParams& params,
                                         std::span<const std::uint32_t> dimensions);

  /// Returns whether there is a quantisation.
  [[nodiscard]] explicit operator bool() const noexcept { return whole_.scale != 0.0f; }
  /// Encoding of QNN; `undefined` without a quantisation.
  [[nodiscard]] c_api::QuantizationEncoding encoding() const noexcept;
  /// Scale of the whole tensor; 0 if there is none, or several.
  [[nodiscard]] float scale() const noexcept { return pairs().size() == 1 ? pairs()[0].scale : 0; }
  /// Offset of the whole tensor; 0 if there is none, or several.
  [[nodiscard]] std::int32_t offset() const noexcept {
    return pairs().size() == 1 ? pairs()[0].offset : 0;
  }
  /// Pairs: one for the tensor, for each index along the axis, or for each block.
  /// Valid until the object is changed or destroyed.
  [[nodiscard]] std::span<const ScaleOffset> pairs() const& noexcept;
  /// Pairs of a temporary, as a copy that cannot dangle.
  [[nodiscard]] std::vector<ScaleOffset> pairs() const&&;
  /// Dimension with a pair for each index; 0 for other encodings.
  [[nodiscard]] std::int32_t axis() const noexcept { return block_ ? block_->axis : 0; }
  /// Bits of a code in use, if fewer than the element has; else 0.
  [[nodiscard]] std::uint32_t code_bits() const noexcept;

  /// Checks that the quantisation fits a tensor of this type and shape. Errors:
  /// - `unsupported_tensor` for an encoding that was read without its scales;
  /// - `invalid_argument` for an axis or blocks that the shape lacks, a wrong number of pairs, a
  ///   scale that is not positive, or more bits than the type has.
  [[nodiscard]] Result<void> check(c_api::DataType type, std::span<const std::uint32_t> dimensions,
                                   const std::string& tensor) const;

  /// Returns the C struct. It points into this object's data, which copies keep alive too.
  [[nodiscard]] c_api::QuantizeParams native() const noexcept;

  /// Returns whether equal codes mean equal numbers.
  friend bool operator==(const Quantisation& a, const Quantisation& b) noexcept {
    return a.equals(b);
  }

 private:
  friend struct detail::Access;
  [[nodiscard]] bool equals(const Quantisation& other) const noexcept;
  [[nodiscard]] static Quantisation of(Ref<detail::QuantisationGroups> groups);

  // The pair of the whole tensor. The scale is 0 only without a quantisation: with groups, which
  // have their own pairs, it is 1.
  ScaleOffset whole_{0.0f, 0};
  Ref<detail::QuantisationGroups> block_;  // Null if the scale and offset are those of whole_.
};

/// Returns "scale 0.5, offset -3", "16 scales along axis 0" and the like, for messages.
[[nodiscard]] std::string to_string(const Quantisation& quantisation);

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/quantisation.ipp"
#endif
