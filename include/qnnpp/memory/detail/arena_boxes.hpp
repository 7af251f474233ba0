// Input and result of the search behind TensorArena.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// A tensor in the search: its size in units, and its first and last section (both included). Two
/// boxes meet if they have a section in common.
struct ArenaBox {
  std::uint64_t size = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t kind = 0;  ///< Boxes of different kinds never begin at one offset.
};

/// Input of the search. The sum of the sizes is below 2^63.
struct ArenaBoxes {
  std::vector<ArenaBox> boxes;      ///< All boxes.
  std::vector<std::uint64_t> load;  ///< Sum of the sizes in each section.

  [[nodiscard]] std::uint64_t lower_bound() const {
    return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
  }
};

/// Offset of each box, and the end of the highest box.
struct ArenaPacking {
  std::vector<std::uint64_t> offsets;
  std::uint64_t height = 0;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
