// Search behind TensorArena: finds offsets for boxes, each of which occupies a range of sections.
//
// Simulated annealing changes the order of a packer at random and accepts fewer and fewer higher
// packings. Most of the search then squeezes the boxes below a lid. Before that, boxes that find a
// gap in any case are set aside, and the others are split into independent parts.
//
// All code consists of templates on Boxes, so that programs that plan nothing compile nothing.
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
#include "qnnpp/memory/detail/arena_squeezer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Returns the boxes by descending key; boxes with equal keys keep their order.
template <class Boxes, class Key>
[[nodiscard]] std::vector<std::uint32_t> order_by(const Boxes& in, Key key) {
  std::vector<std::uint32_t> order(in.boxes.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(key(in.boxes[b]), a) < std::pair(key(in.boxes[a]), b);
  });
  return order;
}

/// Places boxes alternately at the bottom and at the top, which is optimal if no three boxes meet.
/// Returns false if three meet.
template <class Boxes>
bool place_at_two_ends(const Boxes& in, ArenaPlaces& places) {
  const auto by_first = order_by(in, [](const ArenaBox& box) { return -std::int64_t{box.first}; });
  const std::uint64_t height = in.lower_bound();
  std::uint32_t bottom_free = 0, top_free = 0;  // from this section on
  ArenaPlaces two_ends{std::vector<std::uint64_t>(in.boxes.size()), height};
  for (const std::uint32_t i : by_first) {
    const ArenaBox& box = in.boxes[i];
    const bool at_top = box.first < bottom_free;
    std::uint32_t& free = at_top ? top_free : bottom_free;
    if (box.first < free) return false;
    free = box.last + 1;
    two_ends.offsets[i] = at_top ? height - box.size : 0;
  }
  places = std::move(two_ends);
  return true;
}

/// Changes an order at random so that the box `too_high` may become lower.
template <class Boxes>
void change_order(std::vector<std::uint32_t>& boxes, std::uint32_t too_high, const Boxes& in,
                  ArenaRandom& random) {
  if (random.below(2) == 0) {  // move the high box to an earlier position
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

/// Places the boxes as low as possible, but not below `goal`, in about `effort` steps of a packer.
template <class Boxes>
ArenaPlaces pack_down_to(std::uint64_t goal, const Boxes& in, std::uint64_t effort) {
  ArenaPlaces best;
  if (!in.kinds_differ && place_at_two_ends(in, best)) return best;
  ArenaPacker<Boxes> packer(in);
  ArenaOrder order, changed;
  best.height = ArenaPacker<Boxes>::no_limit;
  const auto start_from = [&](const std::vector<std::uint32_t>& boxes) {
    for (const bool walls_first : {true, false}) {
      changed = {boxes, walls_first};
      if (best.height <= goal || !packer.pack(changed, best.height - 1)) continue;
      best = packer.places();
      order = changed;
    }
  };
  const auto length = [](const ArenaBox& box) { return box.last - box.first + 1; };
  start_from(order_by(in, [](const ArenaBox& box) { return box.size; }));
  start_from(order_by(in, length));
  start_from(order_by(
      in, [&](const ArenaBox& box) { return static_cast<double>(box.size) * length(box); }));

  ArenaRandom random;
  std::uint64_t height = 0;
  std::vector<std::uint32_t> high;  // the boxes that end above the goal
  const auto find_high = [&](const std::vector<std::uint64_t>& offsets) {
    high.clear();
    for (std::uint32_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] + in.boxes[i].size > goal) high.push_back(i);
  };
  const auto change = [&](std::vector<std::uint32_t>& boxes) {
    change_order(boxes, high[random.below(high.size())], in, random);
  };
  const auto anneal = [&](std::uint64_t steps) {
    height = best.height;
    find_high(best.offsets);
    while (best.height > goal && packer.work() < steps) {
      changed = order;
      change(changed.boxes);
      if (random.below(2) == 0) change(changed.boxes);
      if (random.below(32) == 0) changed.walls_first = !changed.walls_first;
      // At first, half of the packings may be 1 % higher, a quarter 2 %, and so on; at the end
      // none.
      const std::uint64_t percent = 100 * (steps - packer.work()) / steps;
      const std::uint64_t heat = goal / 10'000 * percent + goal % 10'000 * percent / 10'000;
      const auto times = static_cast<std::uint64_t>(std::countl_zero(random.bits()));
      if (!packer.pack(changed, height + heat * times)) continue;
      std::swap(order, changed);
      height = packer.places().height;
      find_high(packer.places().offsets);
      if (height < best.height) best = packer.places();
    }
  };
  if (in.kinds_differ || in.boxes.size() > ArenaSqueezer<Boxes>::boxes_to_search) {
    anneal(effort);
    return best;
  }
  anneal(effort / 3);
  if (best.height <= goal || effort == 0) return best;
  constexpr std::uint64_t turns = 10;
  const std::uint64_t turn = (effort - effort / 3) / turns;
  // Halfway from the best height to the goal or, after a failure, to the lid that failed.
  ArenaSqueezer<Boxes> squeezer(in);
  std::uint64_t out_of_reach = goal;
  for (std::uint64_t i = 1; i <= turns && best.height > goal; ++i) {
    const std::uint64_t lid = out_of_reach + (best.height - out_of_reach) / 2;
    out_of_reach = squeezer.squeeze(best, lid, i * turn) ? goal : lid;
  }
  return best;
}

/// Returns the boxes for which the boxes that they meet always leave a gap below `goal`. They are
/// placed after all others, in the returned order.
template <class Boxes>
std::vector<std::uint32_t> boxes_to_place_last(const Boxes& in, std::uint64_t goal) {
  struct Sum {
    std::uint64_t size = 0, count = 0;
    void add(const ArenaBox& box) { size += box.size, ++count; }
    Sum operator-(const Sum& other) const { return {size - other.size, count - other.count}; }
  };
  std::vector<std::uint32_t> left(in.boxes.size()), last;
  std::iota(left.begin(), left.end(), std::uint32_t{0});
  for (std::size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    std::vector<Sum> begun(in.load.size() + 1), ended(in.load.size() + 1);  // before a section
    for (const std::uint32_t i : left) {
      begun[in.boxes[i].first + 1].add(in.boxes[i]);
      ended[in.boxes[i].last + 1].add(in.boxes[i]);
    }
    for (std::size_t i = 1; i < begun.size(); ++i) {
      begun[i] = {begun[i].size + begun[i - 1].size, begun[i].count + begun[i - 1].count};
      ended[i] = {ended[i].size + ended[i - 1].size, ended[i].count + ended[i - 1].count};
    }
    std::erase_if(left, [&](std::uint32_t i) {
      const ArenaBox& box = in.boxes[i];
      const Sum meets = begun[box.last + 1] - ended[box.first] - Sum{box.size, 1};
      if (meets.size >= goal || (goal - meets.size - 1) / (meets.count + 1) < box.size - 1)
        return false;
      last.push_back(i);
      return true;
    });
  }
  std::reverse(last.begin(), last.end());
  return last;
}

/// Boxes that meet no box of another part.
struct ArenaPart {
  ArenaBoxes in;
  std::vector<std::uint32_t> boxes;  ///< Their indices in the whole.
  ArenaPlaces places;
};

/// Splits the boxes that are not in `placed_last` into parts. Boxes that meet, directly or through
/// others, are in one part.
template <class Boxes>
std::vector<ArenaPart> parts_of(const Boxes& in, const std::vector<std::uint32_t>& placed_last) {
  std::vector<bool> is_left(in.boxes.size(), true);
  for (const std::uint32_t i : placed_last) is_left[i] = false;
  std::vector<ArenaPart> parts;
  std::uint32_t end = 0, from = 0;  // of the part: end of its sections; its latest first section
  for (const std::uint32_t i :
       order_by(in, [](const ArenaBox& box) { return -std::int64_t{box.first}; })) {
    const ArenaBox& box = in.boxes[i];
    if (!is_left[i]) continue;
    if (parts.empty() || box.first >= end) parts.emplace_back();
    ArenaBoxes& part = parts.back().in;
    if (part.load.empty() || box.first > from) part.load.push_back(box.first);
    from = box.first;
    end = std::max(end, box.last + 1);
    part.boxes.push_back(box);
    parts.back().boxes.push_back(i);
  }
  // From here on, the sections of a part are those in which one of its boxes begins.
  for (ArenaPart& part : parts) {
    const std::vector<std::uint64_t> begins = std::move(part.in.load);
    part.in.load.assign(begins.size(), 0);
    for (ArenaBox& box : part.in.boxes) {
      const auto at = [&](std::uint32_t section) {
        return static_cast<std::uint32_t>(std::upper_bound(begins.begin(), begins.end(), section) -
                                          begins.begin() - 1);
      };
      box.first = at(box.first);
      box.last = at(box.last);
      for (std::uint32_t i = box.first; i <= box.last; ++i) part.in.load[i] += box.size;
    }
  }
  return parts;
}

/// Places the boxes as low as possible in about `effort` steps of a packer.
template <class Boxes>
ArenaPlaces search_places(const Boxes& in, std::uint64_t effort) {
  // The lower bound ignores kinds, which cost a few units.
  std::uint64_t goal = in.lower_bound() + (in.kinds_differ ? in.lower_bound() / 1024 : 0);
  if (in.kinds_differ || in.boxes.size() > ArenaSqueezer<Boxes>::most_boxes)
    return pack_down_to(goal, in, effort);
  ArenaPlaces whole = pack_down_to(goal, in, 0);
  if (whole.height <= goal || effort == 0) return whole;

  // The highest part first: its height becomes the goal of the other parts.
  const std::vector<std::uint32_t> placed_last = boxes_to_place_last(in, goal);
  std::vector<ArenaPart> parts = parts_of(in, placed_last);
  for (ArenaPart& part : parts) part.places = pack_down_to(goal, part.in, 0);
  std::sort(parts.begin(), parts.end(), [](const ArenaPart& a, const ArenaPart& b) {
    return std::pair(b.places.height, a.boxes[0]) < std::pair(a.places.height, b.boxes[0]);
  });
  const auto is_high = [&](const ArenaPart& part) { return part.places.height > goal; };
  const auto high = static_cast<std::uint64_t>(std::count_if(parts.begin(), parts.end(), is_high));
  for (ArenaPart& part : parts) {
    if (!is_high(part)) break;
    part.places = pack_down_to(goal, part.in, effort / high);
    goal = std::max(goal, part.places.height);
  }
  ArenaSqueezer<Boxes> all(in);
  for (const ArenaPart& part : parts)
    for (std::size_t i = 0; i < part.boxes.size(); ++i)
      all.set(part.boxes[i], part.places.offsets[i]);
  for (const std::uint32_t i : placed_last) all.put(i, goal);
  ArenaPlaces joined = all.places();
  return joined.height < whole.height ? joined : whole;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
