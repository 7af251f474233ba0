// Writer and reader of little-endian fixed-width fields. The reader checks every read against the
// end.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace qnnpp::sim {

/// Appends fields to a growing vector.
class ByteWriter {
 public:
  /// Writes an unsigned integer, or an enum as its underlying type.
  template <typename Value>
  void put(Value value) {
    if constexpr (std::is_enum_v<Value>) {
      put(static_cast<std::underlying_type_t<Value>>(value));
    } else {
      static_assert(std::is_unsigned_v<Value>);
      for (std::size_t i = 0; i < sizeof(Value); ++i)
        bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFFu));
    }
  }

  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  /// Writes the length in 32 bits, then the characters.
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    put_bytes(std::as_bytes(std::span(text)));
  }

  /// Writes zeros up to the next multiple of `alignment`.
  void pad_to(std::size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment, std::byte{0});
  }

  std::size_t size() const noexcept { return bytes_.size(); }
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads fields from a span. After a read past the end, ok() is false and every read returns zero.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : left_(bytes) {}

  bool ok() const noexcept { return ok_; }
  std::size_t left() const noexcept { return left_.size(); }

  template <typename Value>
  Value get() noexcept {
    if constexpr (std::is_enum_v<Value>) {
      return static_cast<Value>(get<std::underlying_type_t<Value>>());
    } else {
      static_assert(std::is_unsigned_v<Value>);
      Value value = 0;
      const std::span<const std::byte> bytes = get_bytes(sizeof(Value));
      for (std::size_t i = 0; i < bytes.size(); ++i)
        value = static_cast<Value>(value | static_cast<Value>(bytes[i]) << (8 * i));
      return value;
    }
  }

  /// Returns a view of the next bytes, which is empty past the end.
  std::span<const std::byte> get_bytes(std::uint64_t count) noexcept {
    if (!ok_ || count > left_.size()) {
      ok_ = false;
      left_ = {};
      return {};
    }
    const std::span<const std::byte> bytes = left_.first(static_cast<std::size_t>(count));
    left_ = left_.subspan(static_cast<std::size_t>(count));
    return bytes;
  }

  /// Reads a text. A NUL inside it is an error.
  std::string get_text() {
    const std::span<const std::byte> bytes = get_bytes(get<std::uint32_t>());
    std::string text(bytes.size(), '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      text[i] = static_cast<char>(bytes[i]);
      if (text[i] == '\0') ok_ = false;
    }
    return text;
  }

  /// Reads a count of items that need at least `item_bytes` each. Returns 0 and fails if fewer
  /// bytes are left.
  std::uint32_t get_count(std::size_t item_bytes) noexcept {
    const std::uint32_t count = get<std::uint32_t>();
    if (count <= left_.size() / item_bytes) return count;
    ok_ = false;
    left_ = {};
    return 0;
  }

 private:
  std::span<const std::byte> left_;
  bool ok_ = true;
};

}  // namespace qnnpp::sim
