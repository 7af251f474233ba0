// Test cases for the planner of tensor offsets: pipelines like those of real networks, and puzzles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/memory/tensor_arena.hpp"

namespace arena {

using Tensors = std::vector<qnnpp::ScheduledTensor>;

/// Makes a tensor of `bytes`. Tensors of different sizes have different dimensions.
inline qnnpp::ScheduledTensor tensor(std::string name, std::uint32_t bytes, std::uint64_t first,
                                     std::uint64_t last) {
  return {
      {.name = std::move(name), .data_type = qnnpp::c_api::DataType::uint_8, .dimensions = {bytes}},
      first,
      last};
}

inline std::uint64_t bytes_of(const qnnpp::ScheduledTensor& tensor) {
  return tensor.spec.size_bytes().value();
}

/// Seeded generator with the same numbers for every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed), smallest_(seed % 2 == 0 ? 18 : 10) {}

  /// Returns a number from `low` to `high`, both included.
  std::uint64_t from(std::uint64_t low, std::uint64_t high) {
    return low + bits_() % (high - low + 1);
  }
  bool one_in(std::uint64_t n) { return from(1, n) == 1; }
  /// Returns the bytes of an activation, from 1 KiB to 2 MiB, evenly distributed over the
  /// magnitudes. An even seed starts at 256 KiB, so that many steps need similar amounts.
  std::uint64_t bytes() {
    const std::uint64_t magnitude = std::uint64_t{1} << from(smallest_, 20);
    return from(magnitude, 2 * magnitude);
  }

 private:
  std::mt19937_64 bits_;
  std::uint64_t smallest_;
};

inline void add(Tensors& tensors, std::uint64_t bytes, std::uint64_t first, std::uint64_t last) {
  tensors.push_back(
      tensor("t" + std::to_string(tensors.size()), static_cast<std::uint32_t>(bytes), first, last));
}

/// Step i writes tensor i, and step i + 1 reads it.
inline Tensors chain(std::size_t count, Random random) {
  Tensors tensors;
  for (std::uint64_t step = 0; step < count; ++step) add(tensors, random.bytes(), step, step + 1);
  return tensors;
}

/// A chain in which some tensors are read once more, up to 24 steps later.
inline Tensors skips(std::size_t count, Random random) {
  Tensors tensors;
  for (std::uint64_t step = 0; step < count; ++step)
    add(tensors, random.bytes(), step, step + (random.one_in(5) ? random.from(2, 24) : 1));
  return tensors;
}

/// Blocks of 2 to 6 branches of 1 to 4 steps each. The branches run one after another and are
/// joined at the end.
inline Tensors branches(std::size_t count, Random random) {
  Tensors tensors;
  std::uint64_t step = 0;
  while (tensors.size() < count) {
    const std::uint64_t fan = random.from(2, 6), input = step;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ends;
    for (std::uint64_t branch = 0; branch < fan; ++branch) {
      for (std::uint64_t length = random.from(0, 3); length > 0; --length, ++step)
        add(tensors, random.bytes(), step + 1, step + 2);
      ends.push_back({++step, random.bytes()});
    }
    add(tensors, random.bytes(), input, step);
    ++step;
    for (const auto& [first, bytes] : ends) add(tensors, bytes, first, step);
  }
  tensors.resize(count);
  return tensors;
}

/// Decoder layers: a residual, queries, keys, values, scores, a gated MLP. Caches live throughout.
inline Tensors transformer(std::size_t count, Random random) {
  Tensors tensors;
  const std::uint64_t tokens = random.from(1, 64), width = 64 * random.from(4, 32);
  const std::uint64_t hidden = width * random.from(2, 4), past = 128 * random.from(1, 8);
  const std::uint64_t layers = (count + 10) / 11, last = layers * 9;
  for (std::uint64_t layer = 0; layer < layers; ++layer) {
    const std::uint64_t at = layer * 9;
    const std::uint64_t x = tokens * width * 4;
    add(tensors, past * width / random.from(1, 8), 0, last);          // cache of this layer
    add(tensors, x, at, at + 6);                                      // residual
    add(tensors, x, at + 1, at + 4);                                  // queries
    add(tensors, x / 4, at + 2, at + 4);                              // keys
    add(tensors, x / 4, at + 3, at + 5);                              // values
    add(tensors, tokens * past * random.from(1, 8), at + 4, at + 5);  // scores
    add(tensors, x, at + 5, at + 6);                                  // context
    add(tensors, x, at + 6, at + 9);                                  // second residual
    add(tensors, tokens * hidden * 4, at + 7, at + 9);                // gate
    add(tensors, tokens * hidden * 4, at + 8, at + 9);                // up
    add(tensors, x, at + 9, at + 9);                                  // down
  }
  tensors.resize(count);
  return tensors;
}

/// A puzzle with a known optimum: 2^20 steps by `capacity_bytes`, cut into `count` boxes. One box
/// in `jitter` then shrinks in time or size. With 0 no box shrinks, and every byte of every step is
/// in use.
inline Tensors puzzle(std::size_t count, std::uint64_t capacity_bytes, std::uint64_t jitter,
                      Random random) {
  struct Box {
    std::uint64_t first, steps, bytes;
  };
  constexpr std::uint64_t grain = 1024;  // unit of steps and of bytes
  std::vector<Box> boxes{{0, std::uint64_t{1} << 20, capacity_bytes}};
  while (boxes.size() < count) {
    // Cuts the largest of three random boxes, so that sizes differ widely but few boxes are tiny.
    std::size_t chosen = 0;
    for (int draw = 0; draw < 3; ++draw) {
      const std::size_t other = static_cast<std::size_t>(random.from(0, boxes.size() - 1));
      const auto area = [&](std::size_t i) {
        return (boxes[i].steps / grain) * (boxes[i].bytes / grain);
      };
      if (draw == 0 || area(other) > area(chosen)) chosen = other;
    }
    Box& box = boxes[chosen];
    const bool in_time = random.one_in(2);
    std::uint64_t& length = in_time ? box.steps : box.bytes;
    if (length < 2 * grain) continue;
    const std::uint64_t cut = grain * random.from(1, length / grain - 1);
    Box rest = box;
    (in_time ? rest.steps : rest.bytes) = length - cut;
    if (in_time) rest.first += cut;
    length = cut;
    boxes.push_back(rest);
  }
  Tensors tensors;
  for (Box& box : boxes) {
    if (jitter != 0 && random.one_in(jitter)) {
      std::uint64_t& length = random.one_in(2) ? box.steps : box.bytes;
      length -= random.from(0, length / 4);
    }
    add(tensors, box.bytes, box.first, box.first + box.steps - 1);
  }
  for (std::size_t i = tensors.size(); i > 1; --i)
    std::swap(tensors[i - 1], tensors[static_cast<std::size_t>(random.from(0, i - 1))]);
  return tensors;
}

}  // namespace arena
