// Random numbers that are the same on every machine: splitmix64, and distributions from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace digits::train {

class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
    return z ^ z >> 31U;
  }

  /// Evenly spread over [-limit, limit).
  float within(float limit) noexcept {
    const float unit = static_cast<float>(next() >> 40U) / 16777216.0F;
    return (2.0F * unit - 1.0F) * limit;
  }

  template <class T>
  void shuffle(std::vector<T>& items) noexcept {
    for (std::size_t left = items.size(); left > 1; --left) {
      std::swap(items[left - 1], items[next() % left]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace digits::train
