// NumPy's file format .npy, versions 1.0, 2.0 and 3.0: arrays of plain numbers in C order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"

namespace run {

/// Header of a .npy file.
struct NpyHeader {
  std::string descr;                 ///< Element type, such as "<f4".
  std::vector<std::uint64_t> shape;  ///< Extents, outermost first; empty for a single number.
  std::size_t data_offset = 0;       ///< Offset of the first element in the file.

  /// Returns the product of the extents. parse_npy() has checked that it does not overflow.
  [[nodiscard]] std::uint64_t count() const noexcept {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : shape) product *= extent;
    return product;
  }
};

namespace detail {

inline constexpr std::string_view npy_magic = "\x93NUMPY";
inline constexpr std::size_t most_header_bytes = 65536;  // NumPy itself writes 128 or so.
inline constexpr std::size_t most_dimensions = 64;       // NumPy's own limit.

[[nodiscard]] inline qnnpp::Error malformed_npy(const std::string& file, std::string what) {
  return qnnpp::Error::make(qnnpp::Errc::malformed, "reading .npy", file, std::move(what));
}

/// Reads the header's text, which is a Python dictionary of three values.
class NpyHeaderReader {
 public:
  explicit NpyHeaderReader(std::string_view text) : rest_(text) {}

  /// Returns whether the text is a valid header. If not, what() says why.
  [[nodiscard]] bool read(NpyHeader& header) {
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    if (!take('{')) return wrong("the header is no dictionary");
    while (!take('}')) {
      std::string key;
      if (!string(key) || !take(':')) return wrong("the header is no dictionary of names");
      if (key == "descr" && !std::exchange(has_descr, true)) {
        if (!string(header.descr)) return wrong("its elements are no plain numbers");
      } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
        if (!boolean(fortran_order_)) return wrong("fortran_order is neither True nor False");
      } else if (key == "shape" && !std::exchange(has_shape, true)) {
        if (!tuple(header.shape)) return false;
      } else {
        return wrong("the header has another key than descr, fortran_order and shape, once each");
      }
      if (!take(',') && !next_is('}')) return wrong("the header is no dictionary");
    }
    skip_spaces();
    if (!rest_.empty()) return wrong("text follows the header's dictionary");
    if (!has_descr || !has_order || !has_shape)
      return wrong("the header lacks descr, fortran_order or shape");
    if (fortran_order_ && header.shape.size() > 1)
      return wrong("it is in Fortran order; save numpy.ascontiguousarray(array)");
    return true;
  }
  [[nodiscard]] const std::string& what() const noexcept { return what_; }

 private:
  bool wrong(const char* what) {
    what_ = what;
    return false;
  }
  void skip_spaces() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }
  [[nodiscard]] bool next_is(char c) {
    skip_spaces();
    return !rest_.empty() && rest_.front() == c;
  }
  [[nodiscard]] bool take(char c) {
    if (!next_is(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] bool take_word(std::string_view word) {
    skip_spaces();
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  [[nodiscard]] bool string(std::string& value) {
    const char quote = next_is('"') ? '"' : '\'';
    if (!take(quote)) return false;
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) return false;
    value = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return value.find('\\') == std::string::npos;
  }
  [[nodiscard]] bool boolean(bool& value) {
    value = take_word("True");
    return value || take_word("False");
  }
  /// Reads "()", "(3,)", "(3, 4)" and the like. Checks that the product of the numbers does not
  /// overflow.
  [[nodiscard]] bool tuple(std::vector<std::uint64_t>& values) {
    if (!take('(')) return wrong("its shape is no tuple");
    std::uint64_t product = 1;
    bool overflows = false;
    while (!take(')')) {
      std::uint64_t value = 0;
      if (values.size() == most_dimensions) return wrong("it has more than 64 dimensions");
      if (!number(value)) return wrong("its shape has no whole number from 0 to 2^63 - 1");
      values.push_back(value);
      overflows = overflows || (value != 0 && product > INT64_MAX / value);
      product *= value;
      if (!take(',') && (!next_is(')') || values.size() == 1))
        return wrong("its shape is no tuple");
    }
    if (overflows && std::find(values.begin(), values.end(), 0u) == values.end())
      return wrong("its shape has more than 2^63 - 1 elements");
    return true;
  }
  [[nodiscard]] bool number(std::uint64_t& value) {
    skip_spaces();
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      const auto digit = static_cast<std::uint64_t>(rest_[digits] - '0');
      if (value > (INT64_MAX - digit) / 10) return false;
      value = 10 * value + digit;
    }
    rest_.remove_prefix(digits);
    return digits != 0;
  }

  std::string_view rest_;
  std::string what_;
  bool fortran_order_ = false;
};

/// Returns the bytes of one element; 0 for a type that is no plain number.
[[nodiscard]] inline std::uint64_t npy_element_bytes(std::string_view descr) {
  if (descr.size() != 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos ||
      std::string_view("biuf").find(descr[1]) == std::string_view::npos)
    return 0;
  const char size = descr[2];
  return size == '1' || size == '2' || size == '4' || size == '8'
             ? static_cast<std::uint64_t>(size - '0')
             : 0;
}

}  // namespace detail

/// Most bytes of a file that parse_npy() needs.
inline constexpr std::size_t npy_start_bytes = 12 + detail::most_header_bytes;

/// Reads the header of a .npy file of `file_bytes` and checks that the file has exactly its
/// elements. `file` is the start of the file, npy_start_bytes of it or all. `name` is the file's
/// name for messages. Errors: `malformed`; `type_mismatch` for elements that are no plain numbers;
/// `size_mismatch` for a file that is too short or too long.
[[nodiscard]] inline qnnpp::Result<NpyHeader> parse_npy(std::span<const std::byte> file,
                                                        std::uint64_t file_bytes,
                                                        const std::string& name) {
  using qnnpp::fail;
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const auto byte = [&](std::size_t at) { return std::to_integer<std::uint32_t>(file[at]); };
  if (text.substr(0, detail::npy_magic.size()) != detail::npy_magic)
    return fail(detail::malformed_npy(name, "it does not begin as a .npy file"));
  if (file.size() < 10) return fail(detail::malformed_npy(name, "the header is cut off"));
  if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0)
    return fail(detail::malformed_npy(name, "its version is " + std::to_string(byte(6)) + "." +
                                                std::to_string(byte(7)) +
                                                "; 1.0, 2.0 and 3.0 are known"));
  const std::size_t begin = byte(6) == 1 ? 10 : 12;
  if (file.size() < begin) return fail(detail::malformed_npy(name, "the header is cut off"));
  std::uint64_t length = byte(8) | byte(9) << 8;
  if (begin == 12) length |= byte(10) << 16 | byte(11) << 24;
  if (length > detail::most_header_bytes)
    return fail(detail::malformed_npy(
        name, "its header has " + std::to_string(length) + " bytes; at most 65536 are read"));
  if (length > file.size() - begin)
    return fail(detail::malformed_npy(name, "the header is cut off"));

  NpyHeader header;
  header.data_offset = begin + static_cast<std::size_t>(length);
  detail::NpyHeaderReader reader(text.substr(begin, static_cast<std::size_t>(length)));
  if (!reader.read(header)) return fail(detail::malformed_npy(name, reader.what()));
  const std::uint64_t element = detail::npy_element_bytes(header.descr);
  if (element == 0)
    return fail(qnnpp::Error::make(
        qnnpp::Errc::type_mismatch, "reading .npy", name,
        "its elements are '" + header.descr + "'; plain numbers such as '<f4' are read"));
  const std::uint64_t found = file_bytes - header.data_offset;
  if (header.count() > UINT64_MAX / element || header.count() * element != found)
    return fail(qnnpp::Error::mismatch(
        qnnpp::Errc::size_mismatch, "reading .npy", name,
        header.count() > UINT64_MAX / element ? UINT64_MAX : header.count() * element, found));
  return header;
}

/// The same for a whole file.
[[nodiscard]] inline qnnpp::Result<NpyHeader> parse_npy(std::span<const std::byte> file,
                                                        const std::string& name) {
  return parse_npy(file, file.size(), name);
}

/// Returns a .npy file of version 1.0 with these elements.
[[nodiscard]] inline std::vector<std::byte> npy_file(std::string_view descr,
                                                     std::span<const std::uint32_t> shape,
                                                     std::span<const std::byte> elements) {
  std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint32_t extent : shape) header += std::to_string(extent) + ", ";
  if (shape.size() > 1) header.resize(header.size() - 2);  // (3, 4), but (3, )
  header += "), }";
  // Spaces and a line feed, so that the elements begin at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string start(detail::npy_magic);
  start +=
      {'\1', '\0', static_cast<char>(header.size() & 0xFFu), static_cast<char>(header.size() >> 8)};
  start += header;
  std::vector<std::byte> file(start.size() + elements.size());
  std::memcpy(file.data(), start.data(), start.size());
  if (!elements.empty()) std::memcpy(file.data() + start.size(), elements.data(), elements.size());
  return file;
}

}  // namespace run
