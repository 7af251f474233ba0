// Numbers of quantization.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/quantization.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum QuantizationEncoding;
  using detail::is;
  return is(scale_offset, 0) && is(axis_scale_offset, 1) && is(bw_scale_offset, 2) &&
         is(bw_axis_scale_offset, 3) && is(block, 4) && is(blockwise_expansion, 5) &&
         is(vector, 6) && is(float_block, 7) && is(bw_axis_scale_offset_mapped, 8) &&
         is(bw_block_mapped, 9) && is(bw_blockwise_expansion_mapped, 10) &&
         is(bw_float_block, 11) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum QuantizationEncodingMapping;
  using detail::is;
  return is(standard_symmetric, 0) && is(asymmetric_plus_one, 1) &&
         is(linear_symmetric_exclude_zero, 2) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum BlockwiseExpansionBlockScaleStorageType;
  using detail::is;
  return is(v8, 0) && is(v16, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
