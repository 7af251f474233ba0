// The patterns that stand for what an engine keeps to itself.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "sim/engine/pattern.hpp"

namespace qnnpp::sim::testing { namespace {

TEST(engine_pattern, is_found_again_and_notices_each_changed_byte) {
  std::vector<std::byte> memory(256);
  engine::write_pattern(memory, 7);
  EXPECT_TRUE(engine::has_pattern(memory, 7));
  for (std::byte& byte : memory) {
    byte ^= std::byte{1};
    EXPECT_FALSE(engine::has_pattern(memory, 7));
    byte ^= std::byte{1};
  }
  EXPECT_TRUE(engine::has_pattern({}, 7));
}

TEST(engine_pattern, of_another_seed_is_another_one) {
  std::vector<std::byte> memory(8);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    engine::write_pattern(memory, seed);
    EXPECT_FALSE(engine::has_pattern(memory, seed + 1));
    EXPECT_FALSE(engine::has_pattern(memory, ~seed));
    EXPECT_FALSE(engine::has_pattern(memory, seed, 8));
  }
}

TEST(engine_pattern, is_written_in_parts) {
  std::vector<std::byte> memory(64);
  engine::write_pattern({memory.data(), 16}, 3);
  engine::write_pattern({memory.data() + 16, 48}, 3, 16);
  EXPECT_TRUE(engine::has_pattern(memory, 3));
}

}}  // namespace qnnpp::sim::testing
