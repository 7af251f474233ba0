// Definitions of quantisation.hpp.
#pragma once

#include "qnnpp/core/quantisation.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "qnnpp/core/data_type.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

inline constexpr const char* quantisation_step = "quantisation of a tensor";

/// Upper limit of the scales of a tensor from outside; real tensors have some thousands.
inline constexpr std::uint64_t most_scales = std::uint64_t{1} << 24;

/// Returns the extent of a dimension; 0 if there is no such dimension.
[[nodiscard]] inline std::uint32_t extent_of(std::span<const std::uint32_t> dimensions,
                                             std::int32_t axis) noexcept {
  const auto at = static_cast<std::size_t>(axis);
  return axis >= 0 && at < dimensions.size() ? dimensions[at] : 0;
}

/// Returns the number of blocks of this shape; 0 if they do not divide the dimensions.
[[nodiscard]] inline std::uint64_t blocks_of(std::span<const std::uint32_t> dimensions,
                                             std::span<const std::uint32_t> extents) noexcept {
  if (dimensions.size() != extents.size()) return 0;
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (extents[i] == 0 || dimensions[i] % extents[i] != 0) return 0;
    count *= dimensions[i] / extents[i];
    if (count > most_scales) return 0;
  }
  return count;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string scale_text(float scale) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), scale).ptr};
}

}  // namespace detail

QNNPP_INLINE Quantisation Quantisation::of(Ref<detail::QuantisationGroups> groups) {
  // Without its pairs, the data is unknown here. QNN knows the tensor by its id.
  const bool is_known = !groups->pairs.empty();
  c_api::QuantizeParams& native = groups->native;
  native.encoding_definition = is_known ? c_api::Definition::defined : c_api::Definition::undefined;
  native.quantization_encoding =
      is_known ? groups->encoding : c_api::QuantizationEncoding::undefined;
  Quantisation made(1.0f, 0);
  made.block_ = std::move(groups);
  return made;
}

QNNPP_INLINE Quantisation Quantisation::per_tensor(ScaleOffset pair, std::uint32_t bits) {
  auto groups = Ref<detail::QuantisationGroups>::make();
  groups->encoding = c_api::QuantizationEncoding::bw_scale_offset;
  groups->bits = bits;
  groups->pairs = std::vector<ScaleOffset>(1, pair);
  groups->native.bw_scale_offset_encoding = {bits, pair.scale, pair.offset};
  return of(std::move(groups));
}

QNNPP_INLINE Quantisation Quantisation::per_axis(std::int32_t axis, std::vector<ScaleOffset> pairs,
                                                 std::uint32_t bits) {
  auto groups = Ref<detail::QuantisationGroups>::make();
  const auto count = static_cast<std::uint32_t>(pairs.size());
  groups->bits = bits;
  groups->axis = axis;
  groups->pairs = std::move(pairs);
  if (bits == 0) {
    groups->encoding = c_api::QuantizationEncoding::axis_scale_offset;
    groups->native.axis_scale_offset_encoding = {axis, count, groups->pairs.data()};
  } else {
    groups->encoding = c_api::QuantizationEncoding::bw_axis_scale_offset;
    groups->scales = std::vector<float>(count);
    groups->offsets = std::vector<std::int32_t>(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      groups->scales[i] = groups->pairs[i].scale;
      groups->offsets[i] = groups->pairs[i].offset;
    }
    groups->native.bw_axis_scale_offset_encoding = {bits, axis, count, groups->scales.data(),
                                                    groups->offsets.data()};
  }
  return of(std::move(groups));
}

QNNPP_INLINE Quantisation Quantisation::per_block(std::vector<std::uint32_t> extents,
                                                  std::vector<ScaleOffset> pairs) {
  auto groups = Ref<detail::QuantisationGroups>::make();
  groups->encoding = c_api::QuantizationEncoding::block;
  groups->blocks = std::move(extents);
  groups->pairs = std::move(pairs);
  groups->native.block_encoding = {groups->blocks.data(), groups->pairs.data()};
  return of(std::move(groups));
}

QNNPP_INLINE Quantisation Quantisation::per_axis_and_block(std::int32_t axis,
                                                           std::vector<ScaleOffset> pairs,
                                                           std::uint32_t blocks,
                                                           std::vector<std::uint16_t> block_scales,
                                                           std::uint32_t bits) {
  using Width = c_api::BlockwiseExpansionBlockScaleStorageType;
  auto groups = Ref<detail::QuantisationGroups>::make();
  groups->encoding = c_api::QuantizationEncoding::blockwise_expansion;
  groups->bits = bits;
  groups->axis = axis;
  groups->pairs = std::move(pairs);
  groups->blocks = std::vector<std::uint32_t>(1, blocks);
  c_api::BlockwiseExpansion& expansion = groups->expansion;
  expansion.axis = axis;
  expansion.scale_offsets = groups->pairs.data();
  expansion.num_blocks_per_axis = blocks;
  expansion.block_scale_bitwidth = bits;
  if (bits > 8) {
    groups->scales16 = std::move(block_scales);
    expansion.block_scale_storage_type = Width::v16;
    expansion.blocks_scale16 = groups->scales16.data();
  } else {
    groups->scales8 = std::vector<std::uint8_t>(block_scales.begin(), block_scales.end());
    expansion.block_scale_storage_type = Width::v8;
    expansion.blocks_scale8 = groups->scales8.data();
  }
  groups->native.blockwise_expansion = &expansion;
  return of(std::move(groups));
}

QNNPP_INLINE Quantisation Quantisation::from(const c_api::QuantizeParams& params,
                                             std::span<const std::uint32_t> dimensions) {
  using enum c_api::QuantizationEncoding;
  if (params.encoding_definition != c_api::Definition::defined) return {};
  const auto fits = [](const void* first, std::uint64_t found, std::uint64_t needed) {
    return first != nullptr && found == needed && needed != 0 && needed <= detail::most_scales;
  };
  switch (params.quantization_encoding) {
    case undefined: return {};
    case scale_offset: {
      // Tensors that are not quantised may have a scale of 0.
      return {params.scale_offset_encoding.scale, params.scale_offset_encoding.offset};
    }
    case bw_scale_offset: {
      const c_api::BwScaleOffset& from = params.bw_scale_offset_encoding;
      return per_tensor({from.scale, from.offset}, from.bitwidth);
    }
    case axis_scale_offset: {
      const c_api::AxisScaleOffset& from = params.axis_scale_offset_encoding;
      const std::uint32_t needed = detail::extent_of(dimensions, from.axis);
      if (!fits(from.scale_offset, from.num_scale_offsets, needed)) break;
      return per_axis(from.axis, {from.scale_offset, from.scale_offset + needed});
    }
    case bw_axis_scale_offset: {
      const c_api::BwAxisScaleOffset& from = params.bw_axis_scale_offset_encoding;
      const std::uint32_t needed = detail::extent_of(dimensions, from.axis);
      if (!fits(from.scales, from.num_elements, needed) || from.bitwidth == 0) break;
      std::vector<ScaleOffset> pairs(needed);
      for (std::uint32_t i = 0; i < needed; ++i)
        pairs[i] = {from.scales[i], from.offsets == nullptr ? 0 : from.offsets[i]};
      return per_axis(from.axis, std::move(pairs), from.bitwidth);
    }
    case block: {
      const c_api::BlockEncoding& from = params.block_encoding;
      if (from.block_size == nullptr) break;
      const std::span<const std::uint32_t> extents{from.block_size, dimensions.size()};
      const std::uint64_t needed = detail::blocks_of(dimensions, extents);
      if (!fits(from.scale_offset, needed, needed)) break;
      return per_block({extents.begin(), extents.end()},
                       {from.scale_offset, from.scale_offset + needed});
    }
    case blockwise_expansion: {
      const c_api::BlockwiseExpansion* const from = params.blockwise_expansion;
      if (from == nullptr || from->scale_offsets == nullptr) break;
      const std::uint32_t indices = detail::extent_of(dimensions, from->axis);
      const std::uint64_t blocks = std::uint64_t{indices} * from->num_blocks_per_axis;
      if (!fits(from->blocks_scale8, blocks, blocks)) break;
      using Width = c_api::BlockwiseExpansionBlockScaleStorageType;
      const bool narrow = from->block_scale_storage_type == Width::v8;
      std::vector<std::uint16_t> scales(static_cast<std::size_t>(blocks));
      for (std::size_t i = 0; i < scales.size(); ++i)
        scales[i] = narrow ? from->blocks_scale8[i] : from->blocks_scale16[i];
      return per_axis_and_block(from->axis, {from->scale_offsets, from->scale_offsets + indices},
                                from->num_blocks_per_axis, std::move(scales),
                                from->block_scale_bitwidth);
    }
    default: break;
  }
  auto groups = Ref<detail::QuantisationGroups>::make();
  groups->encoding = params.quantization_encoding;
  return of(std::move(groups));
}

QNNPP_INLINE c_api::QuantizationEncoding Quantisation::encoding() const noexcept {
  if (block_) return block_->encoding;
  return *this ? c_api::QuantizationEncoding::scale_offset : c_api::QuantizationEncoding::undefined;
}

QNNPP_INLINE std::span<const ScaleOffset> Quantisation::pairs() const& noexcept {
  if (block_) return block_->pairs;
  return {&whole_, *this ? std::size_t{1} : std::size_t{0}};
}

QNNPP_INLINE std::vector<ScaleOffset> Quantisation::pairs() const&& {
  const std::span<const ScaleOffset> all = pairs();  // The overload for an lvalue.
  return {all.begin(), all.end()};
}

QNNPP_INLINE std::uint32_t Quantisation::code_bits() const noexcept {
  const bool narrow = encoding() == c_api::QuantizationEncoding::bw_scale_offset ||
                      encoding() == c_api::QuantizationEncoding::bw_axis_scale_offset;
  return narrow ? block_->bits : 0;
}

QNNPP_INLINE Result<void> Quantisation::check(c_api::DataType type,
                                              std::span<const std::uint32_t> dimensions,
                                              const std::string& tensor) const {
  using enum c_api::QuantizationEncoding;
  if (!*this) return {};
  const auto refuse = [&](std::string why, Errc kind = Errc::invalid_argument) -> Result<void> {
    return fail(kind, detail::quantisation_step, tensor, why);
  };
  std::uint64_t needed = 1;
  if (pairs().empty())
    return refuse(
        detail::joined({"encoding ", static_cast<std::uint32_t>(encoding()),
                        " can be neither composed nor converted, or its scales are missing"}),
        Errc::unsupported_tensor);
  switch (encoding()) {
    case scale_offset:
    case bw_scale_offset: break;
    case axis_scale_offset:
    case bw_axis_scale_offset:
    case blockwise_expansion:
      needed = detail::extent_of(dimensions, block_->axis);
      if (needed == 0)
        return refuse(detail::joined({"its axis is ", block_->axis, ", the tensor has ",
                                      dimensions.size(), " dimensions; give the axis of one"}));
      break;
    case block:
      needed = detail::blocks_of(dimensions, block_->blocks);
      if (needed == 0)
        return refuse("its blocks do not divide its dimensions; give blocks that do");
      break;
    default: break;
  }
  if (pairs().size() != needed)
    return refuse(detail::joined({"it has ", pairs().size(), " scales, the dimensions need ",
                                  needed, "; give one for each"}));
  if (encoding() == blockwise_expansion) {
    std::uint64_t elements = 1;
    for (const std::uint32_t extent : dimensions) elements *= extent;
    const std::uint64_t blocks = block_->blocks[0];
    if (blocks == 0 || elements / needed % blocks != 0)
      return refuse("its blocks do not divide its dimensions; give blocks that do");
    if (block_->scales8.size() + block_->scales16.size() != needed * blocks)
      return refuse(detail::joined({"it has ", block_->scales8.size() + block_->scales16.size(),
                                    " scales of blocks, the dimensions need ", needed * blocks,
                                    "; give one for each"}));
  }
  for (const ScaleOffset& pair : pairs())
    if (!(pair.scale > 0.0f && pair.scale <= std::numeric_limits<float>::max()))
      return refuse(
          detail::joined({"a scale is ", detail::scale_text(pair.scale), "; give a positive one"}));
  const bool narrow = encoding() == bw_scale_offset || encoding() == bw_axis_scale_offset;
  if (narrow && (block_->bits == 0 || block_->bits > element_bits(type)))
    return refuse(
        detail::joined({"its codes have ", block_->bits, " bits, elements of type ", name_of(type),
                        " have ", element_bits(type), "; give a type with as many"}));
  return {};
}

QNNPP_INLINE c_api::QuantizeParams Quantisation::native() const noexcept {
  if (block_) return block_->native;
  c_api::QuantizeParams params{};
  params.encoding_definition = *this ? c_api::Definition::defined : c_api::Definition::undefined;
  params.quantization_encoding = encoding();
  if (*this) params.scale_offset_encoding = whole_;
  return params;
}

QNNPP_INLINE bool Quantisation::equals(const Quantisation& other) const noexcept {
  if (encoding() != other.encoding() || pairs().size() != other.pairs().size()) return false;
  for (std::size_t i = 0; i < pairs().size(); ++i) {
    const ScaleOffset &a = pairs()[i], &b = other.pairs()[i];
    if (a.scale < b.scale || b.scale < a.scale || a.offset != b.offset) return false;
  }
  if (!block_ || block_.get() == other.block_.get()) return true;
  return block_->bits == other.block_->bits && block_->axis == other.block_->axis &&
         block_->blocks == other.block_->blocks && block_->scales8 == other.block_->scales8 &&
         block_->scales16 == other.block_->scales16;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string to_string(const Quantisation& quantisation) {
  using enum c_api::QuantizationEncoding;
  const std::size_t count = quantisation.pairs().size();
  const auto bits = quantisation.code_bits() == 0
                        ? std::string()
                        : detail::joined({", ", quantisation.code_bits(), " bits"});
  switch (quantisation.encoding()) {
    case undefined: return "no quantisation";
    case scale_offset:
    case bw_scale_offset:
      return detail::joined({"scale ", detail::scale_text(quantisation.scale()), ", offset ",
                             quantisation.offset(), bits});
    case axis_scale_offset:
    case bw_axis_scale_offset:
      return detail::joined(
          {count, " scales along axis ", quantisation.axis(),
           quantisation.pairs().empty()
               ? std::string()
               : detail::joined({" from ", detail::scale_text(quantisation.pairs()[0].scale)}),
           bits});
    case block: return detail::joined({count, " scales of blocks"});
    case blockwise_expansion:
      return detail::joined({count, " scales of blocks along axis ", quantisation.axis()});
    default:
      return detail::joined(
          {"quantisation encoding ", static_cast<std::uint32_t>(quantisation.encoding())});
  }
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
