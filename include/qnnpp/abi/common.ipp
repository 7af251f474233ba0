// Numbers of common.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/common.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum ErrorReportingLevel;
  using detail::is;
  return is(brief, 0) && is(detailed, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum Priority;
  using detail::is;
  return is(low, 0) && is(normal, 100) && is(default_, 100) && is(normal_high, 150) &&
         is(high, 200) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum DataType;
  using detail::is;
  return is(int_8, 0x0008) && is(int_16, 0x0016) && is(int_32, 0x0032) && is(int_64, 0x0064) &&
         is(uint_8, 0x0108) && is(uint_16, 0x0116) && is(uint_32, 0x0132) && is(uint_64, 0x0164) &&
         is(float_16, 0x0216) && is(bfloat_16, 0x0226) && is(float_32, 0x0232) &&
         is(float_64, 0x0264) && is(sfixed_point_4, 0x0304) && is(sfixed_point_8, 0x0308) &&
         is(sfixed_point_16, 0x0316) && is(sfixed_point_32, 0x0332) && is(ufixed_point_4, 0x0404) &&
         is(ufixed_point_8, 0x0408) && is(ufixed_point_16, 0x0416) && is(ufixed_point_32, 0x0432) &&
         is(bool_8, 0x0508) && is(string, 0x0608) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum Precision;
  using detail::is;
  return is(float32, 0) && is(float16, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum Definition;
  using detail::is;
  return is(impl_generated, 0) && is(defined, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
