// How far the HTP's results may be from the references of the examples.
#pragma once

#include <cstdint>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/throw.hpp"

namespace tool {

/// Bounds of the largest difference from a reference. A result must be below them.
struct Tolerance {
  float digits;  ///< Of the digits network, whose reference computes in float32.
  /// Of the decoder's hidden state, whose reference rounds only this state and the cache. A step of
  /// the cache's codes is 1 / 16.
  float decoder;
};

/// Returns the bounds for a Hexagon architecture, such as 79. Architecture 68 computes a float32
/// graph in float32; later ones compute it in half precision. Products of 16-bit codes are less
/// exact before 73. docs/kv-cache.md has the differences of the decoder.
[[nodiscard]] constexpr Tolerance tolerance(std::uint32_t arch) noexcept {
  return {.digits = arch <= 68 ? 1e-4F : 0.02F, .decoder = (arch < 73 ? 2.0F : 1.0F) / 16.0F};
}
/// Returns the bounds for the first device of a backend. Throws qnnpp::Exception.
[[nodiscard]] inline Tolerance tolerance(const qnnpp::Backend<qnnpp::Htp>& backend) {
  const auto platform = qnnpp::value_or_throw(backend.platform_info());
  return tolerance(platform.empty() ? 0 : static_cast<std::uint32_t>(platform.front().arch));
}

}  // namespace tool
