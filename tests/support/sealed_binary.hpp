// Repairs the checksums of a modified binary of the simulated HTP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "sim/binary/binary_format.hpp"
#include "sim/binary/checksum.hpp"

namespace support {

/// Corrects sizes and checksums of the sections that lie within the binary, so that a modification
/// passes these checks. The offsets are defined in sim/binary/binary_format.hpp.
inline void seal(std::vector<std::byte>& binary) {
  constexpr std::size_t header_bytes = qnnpp::sim::binary_header_bytes;
  if (binary.size() < header_bytes) return;
  const auto field = [&](std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, binary.data() + at, sizeof value);
    return value;
  };
  const auto put = [&](std::size_t at, auto value) {
    std::memcpy(binary.data() + at, &value, sizeof value);
  };
  const std::span<const std::byte> all(binary);
  put(16, std::uint64_t{all.size()});
  if (field(24) <= all.size() - header_bytes)
    put(48, qnnpp::sim::crc32(all.subspan(header_bytes, field(24))));
  if (field(32) <= all.size()) {
    put(40, std::uint64_t{all.size() - field(32)});
    put(52, qnnpp::sim::crc32(all.subspan(field(32))));
  }
  put(header_bytes - 4, qnnpp::sim::crc32(all.first(header_bytes - 4)));
}

}  // namespace support
