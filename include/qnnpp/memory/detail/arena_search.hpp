// Search behind TensorArena: finds offsets for boxes, each of which occupies a range of sections.
//
// The packer makes a packing from an order of the boxes. It raises a skyline over the sections.
// Each valley gets the box that touches the most of its walls, and of these the first in the order.
// If no box fits, the valley is filled up to its lower wall, which wastes bytes. A packing is
// abandoned as soon as the used and wasted bytes of a section exceed the limit. Simulated annealing
// changes the order at random and accepts fewer and fewer higher packings.
//
// The packer never leaves a valley open if a box fits, but the best packing may require that. So
// most of the search moves boxes below a lid: a box without a place is put at the offset with the
// least conflict, and the boxes that it evicts need new places. Before that, boxes that find a gap
// in any case are set aside, and the others are split into independent parts.
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

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

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
  bool kinds_differ = false;        ///< Whether the boxes have more than one kind.

  [[nodiscard]] std::uint64_t lower_bound() const {
    return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
  }
};

/// Offset of each box, and the end of the highest box.
struct ArenaPlaces {
  std::vector<std::uint64_t> offsets;
  std::uint64_t height = 0;
};

/// Input from which the packer makes a packing.
struct ArenaOrder {
  std::vector<std::uint32_t> boxes;  ///< Each box once.
  bool walls_first = true;           ///< Whether boxes that touch walls come before others.
};

/// Makes a packing from an order. No height exceeds twice the sum of all sizes: below each box lies
/// a stack of others, with at most one unit of gap for each offset that another kind uses.
template <class Boxes>
class ArenaPacker {
 public:
  static constexpr std::uint64_t no_limit = UINT64_MAX;

  explicit ArenaPacker(const Boxes& input)
      : in_(input), starting_(input, &ArenaBox::first), ending_(input, &ArenaBox::last) {}

  /// Packs all boxes. Returns false, without places, if the height would exceed `limit`.
  bool pack(const ArenaOrder& order, std::uint64_t limit) {
    begin(order.boxes);
    std::uint32_t first = 0;
    for (std::size_t left = order.boxes.size(); left > 0;) {
      ++work_;
      const std::uint32_t last = last_[first];
      const std::uint64_t ground = skyline_[first];
      const std::uint64_t before = first > 0 ? skyline_[first - 1] : no_limit;
      const std::uint64_t after = last + 1 < sections() ? skyline_[last + 1] : no_limit;
      if (before <= ground) {  // move down, or join the equal plain before
        const std::uint32_t start = first_[first - 1];
        if (before == ground) join(start, last, ground);
        first = start;
      } else if (after < ground) {
        first = last + 1;
      } else if (after == ground) {
        join(first, last_[last + 1], ground);
      } else if (const std::uint32_t box = best_box(first, last, order.walls_first); box != none) {
        if (!put(box, ground, limit)) return false;
        if (in_.boxes[box].last < last) join(in_.boxes[box].last + 1, last, ground);
        if (first < in_.boxes[box].first) join(first, in_.boxes[box].first - 1, ground);
        --left;
      } else {
        const std::uint64_t wall = std::min(before, after);
        if (!waste(first, last, wall - ground, limit)) return false;
        join(first, last, wall);
      }
    }
    return true;
  }

  [[nodiscard]] const ArenaPlaces& places() const { return places_; }
  /// Number of steps so far, over all packings. The effort of a search limits it.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// Boxes sorted by their first or last section, without placed boxes.
  class Sorted {
   public:
    Sorted(const Boxes& in, std::uint32_t ArenaBox::* edge)
        : begin_(in.load.size() + 1), boxes_(in.boxes.size()), at_(in.boxes.size()) {
      for (const ArenaBox& box : in.boxes) ++begin_[box.*edge + 1];
      std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
      std::vector<std::uint32_t> next = begin_;
      for (std::uint32_t i = 0; i < at_.size(); ++i) boxes_[at_[i] = next[in.boxes[i].*edge]++] = i;
    }

    void begin() {
      next_.resize(boxes_.size() + 1);
      std::iota(next_.begin(), next_.end(), std::uint32_t{0});
    }
    void remove(std::uint32_t box) { next_[at_[box]] = at_[box] + 1; }

    /// Calls `visit` for each box whose edge is in these sections. Returns their number.
    template <class Visit>
    std::uint64_t visit(std::uint32_t first, std::uint32_t last, Visit visit) {
      std::uint64_t count = 0;
      const std::uint32_t end = begin_[last + 1];
      for (auto i = present(begin_[first]); i < end; i = present(i + 1), ++count) visit(boxes_[i]);
      return count;
    }

   private:
    /// Returns the first position from `i` on that is present. Shortens the path for the next call.
    std::uint32_t present(std::uint32_t i) {
      while (next_[i] != i) i = next_[i] = next_[next_[i]];
      return i;
    }

    std::vector<std::uint32_t> begin_;  // by section: its first position
    std::vector<std::uint32_t> boxes_;  // by position
    std::vector<std::uint32_t> at_;     // by box: its position
    std::vector<std::uint32_t> next_;   // by position: itself, or a later one if removed
  };

  [[nodiscard]] auto sections() const { return static_cast<std::uint32_t>(in_.load.size()); }

  void begin(const std::vector<std::uint32_t>& order) {
    rank_.resize(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
    work_ += 64 + order.size() / 4;
    needed_ = in_.load;
    starts_.clear();
    starting_.begin();
    ending_.begin();
    places_.offsets.resize(order.size());
    places_.height = 0;
    skyline_.assign(sections(), 0);
    first_.resize(sections());
    last_.resize(sections());
    if (sections() > 0) join(0, sections() - 1, 0);
  }

  /// Joins the sections into one plain. Only the entries at its ends are used.
  void join(std::uint32_t first, std::uint32_t last, std::uint64_t height) {
    skyline_[first] = skyline_[last] = height;
    last_[first] = last;
    first_[last] = first;
  }

  /// Returns the unplaced box that touches the most walls of the valley, the first in the order.
  std::uint32_t best_box(std::uint32_t first, std::uint32_t last, bool walls_first) {
    std::uint32_t best = none;
    const auto look = [&](Sorted& boxes, std::uint32_t from, std::uint32_t to, auto fits) {
      work_ += boxes.visit(from, to, [&](std::uint32_t i) {
        if (fits(in_.boxes[i]) && (best == none || rank_[i] < rank_[best])) best = i;
      });
      return best != none;
    };
    const auto fills = [&](const ArenaBox& box) { return box.last == last; };
    const auto ends_within = [&](const ArenaBox& box) { return box.last <= last; };
    const auto begins_within = [&](const ArenaBox& box) { return box.first >= first; };
    if (walls_first) {
      if (look(starting_, first, first, fills)) return best;
      look(starting_, first, first, ends_within);
      if (look(ending_, last, last, begins_within)) return best;
    }
    look(starting_, first, last, ends_within);
    return best;
  }

  bool put(std::uint32_t index, std::uint64_t ground, std::uint64_t limit) {
    const ArenaBox& box = in_.boxes[index];
    const std::uint64_t offset = in_.kinds_differ ? take_start(ground, box.kind) : ground;
    starting_.remove(index);
    ending_.remove(index);
    places_.offsets[index] = offset;
    places_.height = std::max(places_.height, offset + box.size);
    join(box.first, box.last, offset + box.size);
    return waste(box.first, box.last, offset - ground, limit);
  }

  /// Reserves the lowest offset from `ground` on at which no other kind begins.
  std::uint64_t take_start(std::uint64_t ground, std::uint64_t kind) {
    std::pair<std::uint64_t, std::uint64_t> start{ground, kind};
    auto at = std::lower_bound(starts_.begin(), starts_.end(), std::pair{ground, std::uint64_t{0}});
    for (; at != starts_.end() && at->first == start.first; ++at, ++start.first, ++work_)
      if (at->second == kind) return start.first;
    work_ += starts_.size() / 16;
    starts_.insert(at, start);
    return start.first;
  }

  /// Adds wasted units to the sections. Returns false if one of them exceeds `limit`.
  bool waste(std::uint32_t first, std::uint32_t last, std::uint64_t units, std::uint64_t limit) {
    if (units == 0) return true;
    std::uint64_t most = 0;
    for (std::uint32_t i = first; i <= last; ++i) most = std::max(most, needed_[i] += units);
    work_ += (last - first) / 8;
    return most <= limit;
  }

  const Boxes& in_;
  Sorted starting_, ending_;
  std::vector<std::uint32_t> rank_;          // by box: its place in the order
  std::vector<std::uint64_t> needed_;        // by section: load and waste so far
  std::vector<std::uint64_t> skyline_;       // by section, at the ends of plains
  std::vector<std::uint32_t> first_, last_;  // of the plain that ends or begins here
  std::vector<std::pair<std::uint64_t, std::uint64_t>> starts_;  // offset and kind, sorted
  ArenaPlaces places_;
  std::uint64_t work_ = 0;
};

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

/// Moves boxes below a lid. A box without a gap is put at the offset with the least conflict and
/// evicts the boxes there. It gains weight each time, so that boxes that are hard to place are
/// evicted less often. Not for boxes of different kinds.
template <class Boxes>
class ArenaSqueezer {
 public:
  /// Largest number of boxes that it supports: each box has a list of the boxes that it meets.
  static constexpr std::size_t most_boxes = 2048;
  /// Largest number of boxes for which it pays off: its time grows with overlapping lifetimes.
  static constexpr std::size_t boxes_to_search = 256;

  explicit ArenaSqueezer(const Boxes& input)
      : in_(input),
        meets_(input.boxes.size()),
        weights_(input.boxes.size(), 1),
        offsets_(input.boxes.size(), nowhere) {
    for (std::uint32_t i = 0; i < meets_.size(); ++i)
      for (std::uint32_t j = 0; j < i; ++j)
        if (in_.boxes[i].first <= in_.boxes[j].last && in_.boxes[j].first <= in_.boxes[i].last) {
          meets_[i].push_back(j);
          meets_[j].push_back(i);
        }
  }

  /// Moves the boxes until all are below `lid`, which is at least the size of the largest. Returns
  /// false, with unchanged `places`, if the steps of all calls reach `steps` first.
  bool squeeze(ArenaPlaces& places, std::uint64_t lid, std::uint64_t steps) {
    offsets_ = places.offsets;
    homeless_.clear();
    for (std::uint32_t i = 0; i < offsets_.size(); ++i)
      if (offsets_[i] + in_.boxes[i].size > lid) evict(i);
    while (!homeless_.empty() && work_ < steps) {
      const std::uint32_t box = take_heaviest();
      if (put(box, lid)) continue;
      ++weights_[box];
      // Moves neighbours, so that the same boxes do not evict each other in a cycle.
      for (int moves = 3; moves > 0; --moves) {
        const std::uint32_t other = meets_[box][random_.below(meets_[box].size())];
        if (offsets_[other] != nowhere) put(other, lid);
      }
    }
    if (homeless_.empty()) places = this->places();
    return homeless_.empty();
  }

  /// Places a box at the offset with the least conflict. Returns whether it evicted no box.
  bool put(std::uint32_t index, std::uint64_t lid) {
    near_.clear();
    const std::uint64_t size = in_.boxes[index].size;
    for (const std::uint32_t i : meets_[index])
      if (offsets_[i] != nowhere)
        near_.push_back({offsets_[i] - size + 1, in_.boxes[i].size + size - 1, weights_[i], i});
    work_ += meets_[index].size() + 8 + near_.size() * (near_.size() + 5) / 3;
    std::uint64_t least = UINT64_MAX, best = 0, best_lot = 0;
    const auto look = [&](std::uint64_t offset) {
      if (offset > lid - size) return;
      std::uint64_t weight = 0;
      for (const Near& each : near_) weight += each.weight * std::uint64_t{each.meets(offset)};
      if (weight > least) return;
      const std::uint64_t lot = random_.bits();
      if (weight == least && lot <= best_lot) return;
      least = weight, best = offset, best_lot = lot;
    };
    look(0);
    look(lid - size);
    for (const Near& each : near_) {
      look(each.from - 1);
      look(each.from + each.count);
    }
    set(index, best);
    for (const Near& each : near_)
      if (each.meets(best)) evict(each.box);
    return least == 0;
  }
  void set(std::uint32_t index, std::uint64_t offset) { offsets_[index] = offset; }

  /// Returns the places of all boxes. Each box must have one.
  [[nodiscard]] ArenaPlaces places() const {
    ArenaPlaces result{offsets_, 0};
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      result.height = std::max(result.height, offsets_[i] + in_.boxes[i].size);
    return result;
  }

 private:
  static constexpr std::uint64_t nowhere = UINT64_MAX;

  /// Box that meets the one to be placed: the offsets at which both overlap, modulo 2^64.
  struct Near {
    std::uint64_t from = 0, count = 0, weight = 0;
    std::uint32_t box = 0;
    [[nodiscard]] bool meets(std::uint64_t offset) const { return offset - from < count; }
  };

  void evict(std::uint32_t box) {
    offsets_[box] = nowhere;
    homeless_.push_back(box);
  }

  std::uint32_t take_heaviest() {
    work_ += homeless_.size();
    std::uint32_t& heaviest = *std::max_element(
        homeless_.rbegin(), homeless_.rend(),
        [&](std::uint32_t a, std::uint32_t b) { return weights_[a] < weights_[b]; });
    std::swap(heaviest, homeless_.back());
    const std::uint32_t box = homeless_.back();
    homeless_.pop_back();
    return box;
  }

  const Boxes& in_;
  std::vector<std::vector<std::uint32_t>> meets_;  // by box
  std::vector<std::uint64_t> weights_;             // by box
  std::vector<std::uint64_t> offsets_;             // by box
  std::vector<std::uint32_t> homeless_;
  std::vector<Near> near_;  // for put()
  ArenaRandom random_;
  std::uint64_t work_ = 0;
};

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
    const std::uint32_t too_high = high[random.below(high.size())];
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
