// Search behind TensorArena: finds offsets for boxes, each of which occupies a range of sections.
//
// Simulated annealing changes the order of a packer at random and accepts fewer and fewer higher
// packings.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "qnnpp/memory/detail/arena_boxes.hpp"
#include "qnnpp/memory/detail/arena_packer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Random numbers with a fixed seed, the same on every machine (splitmix64).
class ArenaRandom {
 public:
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits() % count); }

 private:
  std::uint64_t state_ = 0;
};

/// Returns the boxes by descending key; boxes with equal keys keep their order.
template <class Key>
[[nodiscard]] std::vector<std::uint32_t> order_by(const ArenaBoxes& in, Key key) {
  std::vector<std::uint32_t> order(in.boxes.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(key(in.boxes[b]), a) < std::pair(key(in.boxes[a]), b);
  });
  return order;
}

/// Changes an order at random so that the box `too_high` may become lower.
inline void change_order(std::vector<std::uint32_t>& boxes, std::uint32_t too_high,
                         const ArenaBoxes& in, ArenaRandom& random) {
  if (random.below(2) == 0) {  // move the high box to an earlier index
    const auto at = std::find(boxes.begin(), boxes.end(), too_high);
    const auto before = random.below(static_cast<std::size_t>(at - boxes.begin()) + 1);
    std::rotate(boxes.begin() + static_cast<std::ptrdiff_t>(before), at, at + 1);
    return;
  }
  // Swap two boxes, the first of which is likely to be in the way of the high box.
  const ArenaBox& box = in.boxes[too_high];
  std::size_t one = random.below(boxes.size());
  for (int tries = 16; tries > 0; --tries, one = random.below(boxes.size()))
    if (in.boxes[boxes[one]].first <= box.last + 1 && box.first <= in.boxes[boxes[one]].last + 1)
      break;
  std::swap(boxes[one], boxes[random.below(boxes.size())]);
}

/// Places the boxes as low as possible in about `effort` units of work of a packer.
[[nodiscard]] inline ArenaPacking search_packing(const ArenaBoxes& in, std::uint64_t effort) {
  // The lower bound ignores kinds, which cost a few units.
  const std::uint64_t goal = in.lower_bound() + in.lower_bound() / 1024;
  ArenaPacker packer(in);
  ArenaOrder order, changed;
  ArenaPacking best{{}, ArenaPacker::no_limit};
  const auto start_from = [&](const std::vector<std::uint32_t>& boxes) {
    for (const bool walls_first : {true, false}) {
      changed = {boxes, walls_first};
      if (best.height <= goal || !packer.pack(changed, best.height - 1)) continue;
      best = packer.packing();
      order = changed;
    }
  };
  const auto length = [](const ArenaBox& box) { return box.last - box.first + 1; };
  start_from(order_by(in, [](const ArenaBox& box) { return box.size; }));
  start_from(order_by(in, length));
  start_from(order_by(
      in, [&](const ArenaBox& box) { return static_cast<double>(box.size) * length(box); }));

  ArenaRandom random;
  std::vector<std::uint32_t> high;  // the boxes that end above the goal
  const auto find_high = [&](const std::vector<std::uint64_t>& offsets) {
    high.clear();
    for (std::uint32_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] + in.boxes[i].size > goal) high.push_back(i);
  };
  const auto change = [&](std::vector<std::uint32_t>& boxes) {
    change_order(boxes, high[random.below(high.size())], in, random);
  };
  std::uint64_t height = best.height;
  find_high(best.offsets);
  while (best.height > goal && packer.work() < effort) {
    changed = order;
    change(changed.boxes);
    if (random.below(2) == 0) change(changed.boxes);
    if (random.below(32) == 0) changed.walls_first = !changed.walls_first;
    // At first, half of the packings may be 1 % higher, a quarter 2 %, and so on; at the end
    // none.
    const std::uint64_t percent = 100 * (effort - packer.work()) / effort;
    const std::uint64_t heat = goal / 10'000 * percent + goal % 10'000 * percent / 10'000;
    const auto times = static_cast<std::uint64_t>(std::countl_zero(random.bits()));
    if (!packer.pack(changed, height + heat * times)) continue;
    std::swap(order, changed);
    height = packer.packing().height;
    find_high(packer.packing().offsets);
    if (height < best.height) best = packer.packing();
  }
  return best;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
