// crc32 against published check values and a bit-by-bit computation.

#include "sim/binary/checksum.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace qnnpp::sim { namespace {

std::uint32_t bit_by_bit(std::span<const std::byte> bytes) {
  std::uint32_t state = 0xFFFFFFFFu;
  for (const std::byte value : bytes) {
    state ^= static_cast<std::uint32_t>(value);
    for (int bit = 0; bit < 8; ++bit)
      state = (state & 1u) != 0 ? (state >> 1) ^ 0xEDB88320u : state >> 1;
  }
  return ~state;
}

TEST(checksum, gives_the_published_check_value) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32(std::as_bytes(std::span(text))), 0xCBF43926u);
  EXPECT_EQ(crc32({}), 0u);
}

TEST(checksum, agrees_with_a_computation_bit_by_bit_for_every_length) {
  std::vector<std::byte> bytes(67);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + 11);
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    const std::span<const std::byte> part = std::span(bytes).first(length);
    EXPECT_EQ(crc32(part), bit_by_bit(part)) << length;
  }
}

TEST(checksum, can_be_continued_from_an_earlier_part) {
  const std::string text = "a text that is cut in two pieces";
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut)
    EXPECT_EQ(crc32(bytes.subspan(cut), crc32(bytes.first(cut))), crc32(bytes));
}

}}  // namespace qnnpp::sim
