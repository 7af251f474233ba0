// ArenaSqueezer: moves boxes below a lid.
//
// A packer never leaves a valley open if a box fits, but the best packing may require that. The
// squeezer puts a box without a place at the offset with the least conflict, and the boxes that it
// evicts need new places.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/memory/detail/arena_boxes.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

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

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
