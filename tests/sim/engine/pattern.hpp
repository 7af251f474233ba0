// Patterns that stand for the contents of weights and spill-fill memory, which the engine keeps to
// itself.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace qnnpp::sim::engine {

/// The word at this index of the pattern with this seed.
[[nodiscard]] constexpr std::uint64_t word_at(std::uint64_t seed, std::uint64_t index) noexcept {
  const std::uint64_t mixed = (index + (seed << 32 | seed >> 32) + 1) * 0x9E3779B97F4A7C15u;
  return mixed ^ (mixed >> 29);
}

/// Writes the words of a pattern from `first_byte` on, a multiple of 8.
inline void write_pattern(std::span<std::byte> memory, std::uint64_t seed,
                          std::uint64_t first_byte = 0) noexcept {
  for (std::size_t at = 0; at + 8 <= memory.size(); at += 8) {
    const std::uint64_t word = word_at(seed, (first_byte + at) / 8);
    std::memcpy(memory.data() + at, &word, sizeof word);
  }
}

/// True if the memory still has what write_pattern() wrote.
[[nodiscard]] inline bool has_pattern(std::span<const std::byte> memory, std::uint64_t seed,
                                      std::uint64_t first_byte = 0) noexcept {
  std::uint64_t difference = 0;
  for (std::size_t at = 0; at + 8 <= memory.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, memory.data() + at, sizeof word);
    difference |= word ^ word_at(seed, (first_byte + at) / 8);
  }
  return difference == 0;
}

}  // namespace qnnpp::sim::engine
