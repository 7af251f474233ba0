// ArenaPacker: makes a packing of boxes from an order.
//
// It raises a skyline over the sections. Each valley gets the box that touches the most of its
// walls, and of these the first in the order. If no box fits, the valley is filled up to its lower
// wall, which wastes bytes. A packing is abandoned as soon as the used and wasted bytes of a
// section exceed the limit.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "qnnpp/memory/detail/arena_boxes.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Input from which the packer makes a packing.
struct ArenaOrder {
  std::vector<std::uint32_t> boxes;  ///< Each box once.
  bool walls_first = true;           ///< Whether boxes that touch walls come before others.
};

/// Makes a packing from an order. No height exceeds twice the sum of all sizes: below each box lies
/// a stack of others, with at most one unit of gap for each offset that another kind uses.
class ArenaPacker {
 public:
  static constexpr std::uint64_t no_limit = UINT64_MAX;

  explicit ArenaPacker(const ArenaBoxes& input)
      : in_(input), starting_(input, &ArenaBox::first), ending_(input, &ArenaBox::last) {}

  /// Packs all boxes. Returns false, without a packing, if the height would exceed `limit`.
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

  [[nodiscard]] const ArenaPacking& packing() const { return packing_; }
  /// Work so far, over all packings. The effort of a search limits it.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// Boxes sorted by their first or last section, without placed boxes.
  class Sorted {
   public:
    Sorted(const ArenaBoxes& in, std::uint32_t ArenaBox::* edge)
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
    /// Returns the first index from `i` on that is present. Shortens the path for the next call.
    std::uint32_t present(std::uint32_t i) {
      while (next_[i] != i) i = next_[i] = next_[next_[i]];
      return i;
    }

    std::vector<std::uint32_t> begin_;  // by section: its first index
    std::vector<std::uint32_t> boxes_;  // by index
    std::vector<std::uint32_t> at_;     // by box: its index
    std::vector<std::uint32_t> next_;   // by index: itself, or a later one if removed
  };

  [[nodiscard]] std::uint32_t sections() const {
    return static_cast<std::uint32_t>(in_.load.size());
  }

  void begin(const std::vector<std::uint32_t>& order) {
    rank_.resize(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
    work_ += 64 + order.size() / 4;
    needed_ = in_.load;
    starts_.clear();
    starting_.begin();
    ending_.begin();
    packing_.offsets.resize(order.size());
    packing_.height = 0;
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
    const std::uint64_t offset = take_start(ground, box.kind);
    starting_.remove(index);
    ending_.remove(index);
    packing_.offsets[index] = offset;
    packing_.height = std::max(packing_.height, offset + box.size);
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

  const ArenaBoxes& in_;
  Sorted starting_, ending_;
  std::vector<std::uint32_t> rank_;          // by box: its index in the order
  std::vector<std::uint64_t> needed_;        // by section: load and waste so far
  std::vector<std::uint64_t> skyline_;       // by section, at the ends of plains
  std::vector<std::uint32_t> first_, last_;  // of the plain that ends or begins here
  std::vector<std::pair<std::uint64_t, std::uint64_t>> starts_;  // offset and kind, sorted
  ArenaPacking packing_;
  std::uint64_t work_ = 0;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
