// The simplest packing, for comparison with TensorArena.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace bench {

/// A tensor: its size, and the first and last section of time in which it lives.
struct Box {
  std::uint64_t size = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  [[nodiscard]] bool meets(const Box& other) const {
    return first <= other.last && other.first <= last;
  }
};

/// Returns the height of the packing that puts the largest box first, each into the lowest gap.
[[nodiscard]] inline std::uint64_t largest_first(const std::vector<Box>& boxes) {
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(boxes[b].size, a) < std::pair(boxes[a].size, b);
  });
  std::vector<std::pair<Box, std::uint64_t>> placed;  // by offset
  std::uint64_t height = 0;
  for (const std::size_t i : order) {
    std::uint64_t offset = 0;
    for (const auto& [other, at] : placed) {
      if (!other.meets(boxes[i])) continue;
      if (at >= offset + boxes[i].size) break;
      offset = std::max(offset, at + other.size);
    }
    const auto behind =
        std::upper_bound(placed.begin(), placed.end(), offset,
                         [](std::uint64_t value, const auto& each) { return value < each.second; });
    placed.insert(behind, {boxes[i], offset});
    height = std::max(height, offset + boxes[i].size);
  }
  return height;
}

}  // namespace bench
