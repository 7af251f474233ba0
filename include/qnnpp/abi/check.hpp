// Check of an enumeration's numbers, for the static_asserts of this folder.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>

namespace qnnpp::c_api {

namespace detail {

/// Whether an enumerator has the number it has in the C API.
template <typename Enum>
consteval bool is(Enum enumerator, std::uint32_t number) {
  return static_cast<std::uint32_t>(enumerator) == number;
}

}  // namespace detail

}  // namespace qnnpp::c_api
