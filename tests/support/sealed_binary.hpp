// Repairs the checksums of a modified binary of the simulated HTP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
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

/// Returns a binary of the simulated HTP as a newer SDK would have made it: with another build id,
/// and a backend API with this minor version.
inline std::vector<std::byte> made_by(std::span<const std::byte> binary, std::string_view build_id,
                                      std::uint32_t backend_minor) {
  constexpr std::size_t header_bytes = qnnpp::sim::binary_header_bytes;
  constexpr std::size_t backend_minor_at = 72;
  std::uint64_t description_bytes = 0;
  std::uint64_t weights_offset = 0;
  std::uint32_t old_length = 0;
  std::memcpy(&description_bytes, binary.data() + 24, sizeof description_bytes);
  std::memcpy(&weights_offset, binary.data() + 32, sizeof weights_offset);
  std::memcpy(&old_length, binary.data() + header_bytes, sizeof old_length);
  const auto length = static_cast<std::uint32_t>(build_id.size());
  std::vector<std::byte> made(binary.begin(), binary.begin() + header_bytes);
  const auto add = [&made](std::span<const std::byte> bytes) {
    made.insert(made.end(), bytes.begin(), bytes.end());
  };
  add(std::as_bytes(std::span(&length, 1)));
  add(std::as_bytes(std::span(build_id)));
  add(binary.subspan(header_bytes + sizeof old_length + old_length,
                     description_bytes - sizeof old_length - old_length));
  description_bytes += length;
  description_bytes -= old_length;
  made.resize(qnnpp::sim::round_to_placement(made.size()));
  const std::uint64_t new_offset = made.size();
  add(binary.subspan(weights_offset));
  std::memcpy(made.data() + 24, &description_bytes, sizeof description_bytes);
  std::memcpy(made.data() + 32, &new_offset, sizeof new_offset);
  std::memcpy(made.data() + backend_minor_at, &backend_minor, sizeof backend_minor);
  seal(made);
  return made;
}

}  // namespace support
