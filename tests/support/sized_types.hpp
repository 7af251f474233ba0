// The element types that have a size.
#pragma once

#include <array>

#include "qnnpp/abi/common.hpp"

namespace support {

inline constexpr auto sized_types = [] {
  using enum qnnpp::c_api::DataType;
  return std::to_array({int_8,           int_16,          int_32,         int_64,
                        uint_8,          uint_16,         uint_32,        uint_64,
                        float_4,         float_8,         float_16,       bfloat_16,
                        float_32,        float_64,        sfixed_point_4, sfixed_point_8,
                        sfixed_point_16, sfixed_point_32, ufixed_point_4, ufixed_point_8,
                        ufixed_point_16, ufixed_point_32, bool_8});
}();

}  // namespace support
