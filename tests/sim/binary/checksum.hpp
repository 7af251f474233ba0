// CRC-32 (IEEE 802.3, reflected, polynomial 0xEDB88320), eight bytes at a time.
#pragma once

#include "qnnpp/platform.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace qnnpp::sim {

namespace detail {

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables make_crc_tables() noexcept {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1u) * 0xEDB88320u);
    tables[0][i] = value;
  }
  for (std::size_t t = 1; t < 8; ++t)
    for (std::size_t i = 0; i < 256; ++i)
      tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xFFu];
  return tables;
}

inline constexpr CrcTables crc_tables = make_crc_tables();

}  // namespace detail

/// Returns the CRC-32 of `bytes`. `crc` is the result for the bytes before them, or 0 at the start.
inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0) noexcept {
  const detail::CrcTables& tables = detail::crc_tables;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  const auto octet = [&at](std::size_t i) { return static_cast<std::uint32_t>(at[i]); };
  std::uint32_t state = ~crc;
  for (; left >= 8; left -= 8, at += 8) {
    const std::uint32_t low = state ^ (octet(0) | octet(1) << 8 | octet(2) << 16 | octet(3) << 24);
    state = tables[7][low & 0xFFu] ^ tables[6][(low >> 8) & 0xFFu] ^
            tables[5][(low >> 16) & 0xFFu] ^ tables[4][low >> 24] ^ tables[3][octet(4)] ^
            tables[2][octet(5)] ^ tables[1][octet(6)] ^ tables[0][octet(7)];
  }
  for (; left > 0; --left, ++at) state = (state >> 8) ^ tables[0][(state ^ octet(0)) & 0xFFu];
  return ~state;
}

}  // namespace qnnpp::sim
