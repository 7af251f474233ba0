// Data of tensors: from files and from noise to the bytes of a tensor; from bytes to numbers and
// files.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/quantise.hpp"
#include "qnnpp/core/tensor_spec.hpp"

#include "../tool/files.hpp"
#include "npy.hpp"

namespace run {

static_assert(std::endian::native == std::endian::little, "elements are written as they are");

using Data = std::vector<std::byte>;

/// A file for a tensor: TENSOR=FILE on the command line.
struct TensorFile {
  std::string tensor;               ///< Text that names the tensor: see names_tensor().
  std::string path;                 ///< Path of the file.
  std::uint64_t elements_size = 0;  ///< Bytes of the elements in the file.
  std::optional<NpyHeader> npy;     ///< The header of a .npy file; empty for a .raw file.
  Data elements = {};               ///< The elements, after read_elements().

  /// The elements of a .npy file whose type is "<f2", "<f4", "<f8" or "<i8", as doubles.
  [[nodiscard]] std::vector<double> numbers() const;
};

namespace detail {

inline constexpr const char* using_file = "reading a tensor's file";

/// Copies the elements of any bytes.
template <class T>
[[nodiscard]] std::vector<double> as_numbers(std::span<const std::byte> bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    T element{};
    std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
    numbers[i] = static_cast<double>(element);
  }
  return numbers;
}

[[nodiscard]] constexpr bool has_four_bits(qnnpp::c_api::DataType type) noexcept {
  return qnnpp::element_bits(type) == 4;
}
[[nodiscard]] constexpr bool is_signed_four_bits(qnnpp::c_api::DataType type) noexcept {
  return type == qnnpp::c_api::DataType::sfixed_point_4;
}

}  // namespace detail

namespace detail {

/// Returns the element type of a .npy file in the spelling of NumPy: '<' for the order of this
/// machine, '|' for one byte, which has none.
[[nodiscard]] inline std::string npy_type_of(const TensorFile& file) {
  std::string type = file.npy->descr;
  if (type.size() == 3 && type[2] == '1') type[0] = '|';
  if (type.size() == 3 && type[0] == '=') type[0] = '<';
  return type;
}

/// Returns the numbers of 16-bit floats.
[[nodiscard]] inline std::vector<double> half_numbers(std::span<const std::byte> bytes) {
  std::vector<float> numbers(bytes.size() / 2);
  const qnnpp::TensorSpec half{.data_type = qnnpp::c_api::DataType::float_16,
                               .dimensions = {static_cast<std::uint32_t>(numbers.size())}};
  if (!qnnpp::dequantise(half, bytes, std::span(numbers))) numbers.clear();  // Without elements.
  return {numbers.begin(), numbers.end()};
}

}  // namespace detail

inline std::vector<double> TensorFile::numbers() const {
  const std::string type = detail::npy_type_of(*this);
  if (type == "<f2") return detail::half_numbers(elements);
  if (type == "<i8") return detail::as_numbers<std::int64_t>(elements);
  return type == "<f8" ? detail::as_numbers<double>(elements) : detail::as_numbers<float>(elements);
}

namespace detail {

/// Reads at most `most` bytes of a regular file from `offset` on; `size` receives the size of the
/// file. Errors: `file_unreadable` with the reason.
[[nodiscard]] inline qnnpp::Result<Data> read_part(const std::string& path, std::uint64_t offset,
                                                   std::uint64_t most, std::uint64_t& size) {
  std::string why;
  std::FILE* const stream = tool::detail::open_stream(path, false, why);
  Data bytes;
  if (stream != nullptr) {
    struct stat status{};
    (void)::fstat(::fileno(stream), &status);
    size = static_cast<std::uint64_t>(status.st_size);
    bytes.resize(static_cast<std::size_t>(std::min(most, size - std::min(offset, size))));
    if (::fseeko(stream, static_cast<off_t>(offset), SEEK_SET) != 0 ||
        std::fread(bytes.data(), 1, bytes.size(), stream) != bytes.size())
      why = "it cannot be read to its end";
    std::fclose(stream);
  }
  if (why.empty()) return bytes;
  return qnnpp::fail(
      qnnpp::Error::make(qnnpp::Errc::file_unreadable, using_file, path, std::move(why)));
}

}  // namespace detail

/// Opens the file of "TENSOR=FILE" and reads its size, and the header of a .npy file, but no
/// elements. A file whose name ends in .npy is a .npy file, every other one has the bytes of the
/// tensor. Errors: `invalid_argument` for a text without tensor or file; `file_unreadable` with the
/// reason; the errors of parse_npy().
[[nodiscard]] inline qnnpp::Result<TensorFile> open_tensor_file(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == argument.size())
    return qnnpp::fail(qnnpp::Error::make(qnnpp::Errc::invalid_argument, "reading the command line",
                                          argument, "write TENSOR=FILE"));
  TensorFile file{.tensor = argument.substr(0, equals),
                  .path = argument.substr(equals + 1),
                  .elements_size = 0,
                  .npy = {}};
  const auto start = detail::read_part(file.path, 0, npy_start_bytes, file.elements_size);
  if (!start) return qnnpp::fail(start.error());
  if (file.path.size() > 4 && file.path.ends_with(".npy")) {
    auto header = parse_npy(*start, file.elements_size, file.path);
    if (!header) return qnnpp::fail(std::move(header).error());
    file.npy = std::move(*header);
    file.elements_size -= file.npy->data_offset;
  }
  return file;
}

/// Reads the elements, unless they are read. Errors: `file_unreadable` with the reason;
/// `size_mismatch` if the file became shorter.
[[nodiscard]] inline qnnpp::Result<void> read_elements(TensorFile& file) {
  if (file.elements.size() == file.elements_size) return {};
  std::uint64_t size = 0;
  auto elements =
      detail::read_part(file.path, file.npy ? file.npy->data_offset : 0, file.elements_size, size);
  if (!elements) return qnnpp::fail(std::move(elements).error());
  if (elements->size() != file.elements_size)
    return qnnpp::fail(qnnpp::Error::mismatch(qnnpp::Errc::size_mismatch, detail::using_file,
                                              file.path, file.elements_size, elements->size()));
  file.elements = std::move(*elements);
  return {};
}

/// Returns NumPy's name for the elements of a type; empty for a type without a size. 4-bit codes
/// are written as one byte each, bfloat16 as its 16 bits.
[[nodiscard]] inline std::string_view npy_type(qnnpp::c_api::DataType type) {
  using enum qnnpp::c_api::DataType;
  switch (type) {
    case int_8:
    case sfixed_point_8:
    case sfixed_point_4: return "|i1";
    case uint_8:
    case ufixed_point_8:
    case ufixed_point_4: return "|u1";
    case bool_8: return "|b1";
    case int_16:
    case sfixed_point_16: return "<i2";
    case uint_16:
    case ufixed_point_16:
    case bfloat_16: return "<u2";
    case float_16: return "<f2";
    case int_32:
    case sfixed_point_32: return "<i4";
    case uint_32:
    case ufixed_point_32: return "<u4";
    case float_32: return "<f4";
    case int_64: return "<i8";
    case uint_64: return "<u8";
    case float_64: return "<f8";
    default: return {};
  }
}

/// Returns whether quantise() and dequantise() convert this tensor: a fixed-point type with a
/// quantisation, or a 16-bit float.
[[nodiscard]] inline bool is_coded(const qnnpp::TensorSpec& tensor) {
  using enum qnnpp::c_api::DataType;
  return tensor.data_type == float_16 || tensor.data_type == bfloat_16 || tensor.quantisation;
}

/// Returns one byte for each 4-bit code, and the bytes themselves for every other type.
[[nodiscard]] inline Data unpacked(const qnnpp::TensorSpec& tensor,
                                   std::span<const std::byte> bytes) {
  if (!detail::has_four_bits(tensor.data_type)) return {bytes.begin(), bytes.end()};
  std::uint64_t count = 1;
  for (const std::uint32_t extent : tensor.dimensions) count *= extent;
  Data codes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    std::uint32_t code = std::to_integer<std::uint32_t>(bytes[i / 2]) >> (4 * (i % 2)) & 0xFu;
    if (detail::is_signed_four_bits(tensor.data_type) && code > 7) code |= 0xF0u;
    codes[i] = static_cast<std::byte>(code);
  }
  return codes;
}

namespace detail {

/// Packs one byte for each code to 4-bit codes. Error: `invalid_argument` for a code outside.
[[nodiscard]] inline qnnpp::Result<Data> packed(const qnnpp::TensorSpec& tensor,
                                                std::span<const std::byte> codes,
                                                const std::string& path) {
  Data bytes((codes.size() + 1) / 2);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto code = std::to_integer<std::uint32_t>(codes[i]);
    const bool fits = is_signed_four_bits(tensor.data_type) ? code < 8 || code >= 0xF8u : code < 16;
    if (!fits)
      return qnnpp::fail(qnnpp::Error::make(
          qnnpp::Errc::invalid_argument, using_file, path,
          "element " + std::to_string(i) + " is no 4-bit code of tensor " + tensor.name));
    bytes[i / 2] |= static_cast<std::byte>((code & 0xFu) << (4 * (i % 2)));
  }
  return bytes;
}

[[nodiscard]] inline std::string text_of(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

/// Returns the extents other than 1.
template <class Extents>
[[nodiscard]] std::vector<std::uint64_t> without_ones(const Extents& extents) {
  std::vector<std::uint64_t> others;
  for (const auto extent : extents)
    if (extent != 1) others.push_back(extent);
  return others;
}

/// Checks that a .npy file has the tensor's shape, except for extents of 1, which do not change the
/// order of the elements. Error: `shape_mismatch`.
[[nodiscard]] inline qnnpp::Result<void> check_shape(const qnnpp::TensorSpec& tensor,
                                                     const TensorFile& file) {
  const auto& found = file.npy->shape;
  if (without_ones(tensor.dimensions) == without_ones(found)) return {};
  return qnnpp::fail(qnnpp::Error::make(qnnpp::Errc::shape_mismatch, using_file, file.path,
                                        "tensor " + tensor.name + " has " +
                                            qnnpp::to_string(tensor.dimensions) +
                                            ", the file has " + text_of(found)));
}

/// Makes the error of a file with other elements than the tensor's own or one of `others`.
[[nodiscard]] inline qnnpp::Error other_type(const qnnpp::TensorSpec& tensor,
                                             const TensorFile& file,
                                             const std::vector<std::string_view>& others) {
  const std::string_view own = npy_type(tensor.data_type);
  std::string types = "'" + std::string(own) + "'";
  for (const std::string_view other : others)
    if (other != own) types += " or '" + std::string(other) + "'";
  return qnnpp::Error::make(qnnpp::Errc::type_mismatch, using_file, file.path,
                            "tensor " + tensor.name + " is " + qnnpp::name_of(tensor.data_type) +
                                ", which is " + types + ", the file has '" + file.npy->descr + "'");
}

/// Checks that a raw file has as many bytes as the tensor. Error: `size_mismatch`; the errors of
/// size_bytes().
[[nodiscard]] inline qnnpp::Result<void> check_size(const qnnpp::TensorSpec& tensor,
                                                    const TensorFile& file) {
  const auto size = tensor.size_bytes();
  if (!size) return qnnpp::fail(size.error());
  if (*size == file.elements_size) return {};
  auto error = qnnpp::Error::mismatch(qnnpp::Errc::size_mismatch, using_file, file.path, *size,
                                      file.elements_size);
  error.detail = "tensor " + tensor.name;
  return qnnpp::fail(std::move(error));
}

/// Returns the tensor's bytes, from a file with elements of the tensor's own type. Errors: those of
/// packed().
[[nodiscard]] inline qnnpp::Result<Data> own_bytes(const qnnpp::TensorSpec& tensor,
                                                   const TensorFile& file) {
  if (file.npy && has_four_bits(tensor.data_type)) return packed(tensor, file.elements, file.path);
  return file.elements;
}

/// Whether a .npy file has the elements of the tensor's own type. A bool is also accepted as a
/// byte.
[[nodiscard]] inline bool has_own_type(const qnnpp::TensorSpec& tensor, const TensorFile& file) {
  const std::string_view own = npy_type(tensor.data_type);
  const std::string found = npy_type_of(file);
  return found == own || (own == "|b1" && found == "|u1");
}

/// Returns the element types other than the tensor's own that the .npy file of an input may have:
/// numbers to quantise, or numbers that all fit.
[[nodiscard]] inline std::vector<std::string_view> other_types(const qnnpp::TensorSpec& tensor) {
  if (is_coded(tensor)) return {"<f4", "<f2"};
  switch (tensor.data_type) {
    using enum qnnpp::c_api::DataType;
    case float_32:
    case float_64: return {"<f2", "<i8"};
    case int_8:
    case int_16:
    case int_32:
    case uint_8:
    case uint_16:
    case uint_32:
    case uint_64:
    case bool_8: return {"<i8"};
    default: return {};
  }
}

/// Whether a .npy file has elements of one of these types.
[[nodiscard]] inline bool has_one_of(const TensorFile& file,
                                     const std::vector<std::string_view>& types) {
  return std::find(types.begin(), types.end(), npy_type_of(file)) != types.end();
}

/// Converts the elements of a file, of type From, to those of a tensor, of type To. `most`: the
/// largest element of the tensor. Error: `invalid_argument` for the first element that does not
/// fit.
template <class To, class From>
[[nodiscard]] qnnpp::Result<Data> converted(const qnnpp::TensorSpec& tensor, const TensorFile& file,
                                            std::span<const From> elements,
                                            To most = std::numeric_limits<To>::max()) {
  Data bytes(elements.size() * sizeof(To));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const From element = elements[i];
    bool fits = false;
    if constexpr (std::is_integral_v<To>)
      fits = std::in_range<To>(element) && !std::cmp_greater(element, most);
    else if constexpr (std::is_integral_v<From>)  // Every integer that the float has exactly.
      fits = static_cast<To>(element) < static_cast<To>(9223372036854775808.0) &&
             static_cast<From>(static_cast<To>(element)) == element;
    else
      fits = true;
    if (!fits)
      return qnnpp::fail(qnnpp::Error::make(
          qnnpp::Errc::invalid_argument, using_file, file.path,
          "element " + std::to_string(i) + " is " + std::to_string(element) + ", which tensor " +
              tensor.name + " of type " + qnnpp::name_of(tensor.data_type) + " cannot have"));
    const To value = static_cast<To>(element);
    std::memcpy(bytes.data() + i * sizeof(To), &value, sizeof(To));
  }
  return bytes;
}

/// Returns the tensor's bytes from a file of one of other_types(), for a tensor that is not coded.
[[nodiscard]] inline qnnpp::Result<Data> converted(const qnnpp::TensorSpec& tensor,
                                                   const TensorFile& file) {
  using enum qnnpp::c_api::DataType;
  if (npy_type_of(file) == "<f2") {
    const std::vector<double> numbers = half_numbers(file.elements);
    const std::span<const double> all(numbers);
    return tensor.data_type == float_32 ? converted<float>(tensor, file, all)
                                        : converted<double>(tensor, file, all);
  }
  std::vector<std::int64_t> integers(file.elements.size() / sizeof(std::int64_t));
  if (!integers.empty())
    std::memcpy(integers.data(), file.elements.data(), integers.size() * sizeof(std::int64_t));
  const std::span<const std::int64_t> all(integers);
  switch (tensor.data_type) {
    case int_8: return converted<std::int8_t>(tensor, file, all);
    case int_16: return converted<std::int16_t>(tensor, file, all);
    case int_32: return converted<std::int32_t>(tensor, file, all);
    case uint_8: return converted<std::uint8_t>(tensor, file, all);
    case uint_16: return converted<std::uint16_t>(tensor, file, all);
    case uint_32: return converted<std::uint32_t>(tensor, file, all);
    case uint_64: return converted<std::uint64_t>(tensor, file, all);
    case bool_8: return converted<std::uint8_t>(tensor, file, all, 1);
    case float_32: return converted<float>(tensor, file, all);
    default: return converted<double>(tensor, file, all);
  }
}

}  // namespace detail

/// Returns the shape of a .npy file as the extents of an input with dynamic dimensions. Error:
/// `shape_mismatch` if the tensor cannot have them.
[[nodiscard]] inline qnnpp::Result<std::vector<std::uint32_t>> extents_of(
    const qnnpp::TensorSpec& tensor, const TensorFile& file) {
  const auto& found = file.npy->shape;
  std::vector<std::uint32_t> extents;
  std::string limits;
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    const std::uint32_t most = tensor.dimensions[i];
    const std::uint32_t least = tensor.dynamic_dimensions[i] != 0 ? 1 : most;
    limits +=
        (i == 0 ? "" : ", ") + std::string(least != most ? "1 to " : "") + std::to_string(most);
    if (i < found.size() && found[i] >= least && found[i] <= most)
      extents.push_back(static_cast<std::uint32_t>(found[i]));
  }
  if (extents.size() == tensor.dimensions.size() && extents.size() == found.size()) return extents;
  return qnnpp::fail(qnnpp::Error::make(
      qnnpp::Errc::shape_mismatch, detail::using_file, file.path,
      "tensor " + tensor.name + " has [" + limits + "], the file has " + detail::text_of(found)));
}

/// Checks that a file is one of this input, by its size or its header. Errors name file, expected
/// and found: `size_mismatch`, `shape_mismatch`, `type_mismatch`.
[[nodiscard]] inline qnnpp::Result<void> check_input(const qnnpp::TensorSpec& tensor,
                                                     const TensorFile& file) {
  using qnnpp::fail;
  if (!file.npy) return detail::check_size(tensor, file);
  if (auto fits = detail::check_shape(tensor, file); !fits) return fits;
  const auto others = detail::other_types(tensor);
  if (detail::has_own_type(tensor, file) || detail::has_one_of(file, others)) return {};
  return fail(detail::other_type(tensor, file, others));
}

/// The same for the expected numbers of an output.
[[nodiscard]] inline qnnpp::Result<void> check_expected(const qnnpp::TensorSpec& tensor,
                                                        const TensorFile& file) {
  if (!file.npy) return detail::check_size(tensor, file);
  if (auto fits = detail::check_shape(tensor, file); !fits) return fits;
  std::vector<std::string_view> others{"<f4", "<f8", "<f2"};
  // Integers for a quantised tensor may be its codes or numbers.
  if (!tensor.quantisation) others.push_back("<i8");
  if (detail::has_own_type(tensor, file) || detail::has_one_of(file, others)) return {};
  return qnnpp::fail(detail::other_type(tensor, file, others));
}

/// Returns the bytes of an input from its file, whose elements are read. A .npy file of float32 or
/// float16 is converted by quantise() if the tensor is quantised or has 16-bit floats. One of int64
/// or float16 is converted for other tensors if every element fits. Errors: those of check_input();
/// `invalid_argument` for an element that does not fit, and for a NaN that would be quantised; the
/// errors of quantise().
[[nodiscard]] inline qnnpp::Result<Data> input_bytes(const qnnpp::TensorSpec& tensor,
                                                     const TensorFile& file) {
  using qnnpp::fail;
  if (auto fits = check_input(tensor, file); !fits) return fail(std::move(fits).error());
  if (!file.npy || detail::has_own_type(tensor, file)) return detail::own_bytes(tensor, file);
  if (!is_coded(tensor)) return detail::converted(tensor, file);
  std::vector<float> numbers;
  for (const double number : file.numbers()) numbers.push_back(static_cast<float>(number));
  for (std::size_t i = 0; tensor.quantisation && i < numbers.size(); ++i)
    if (std::isnan(numbers[i]))
      return fail(qnnpp::Error::make(
          qnnpp::Errc::invalid_argument, detail::using_file, file.path,
          "element " + std::to_string(i) + " is NaN, and tensor " + tensor.name + " is quantised"));
  const auto size = tensor.size_bytes();
  if (!size) return fail(size.error());
  Data bytes(static_cast<std::size_t>(*size));
  if (auto written = qnnpp::quantise(tensor, numbers, std::span<std::byte>(bytes)); !written)
    return fail(std::move(written).error());
  return bytes;
}

/// Returns the number of each element: the elements themselves, or the numbers that a quantised
/// tensor's codes mean. 64-bit integers are rounded to double. Errors: those of dequantise().
[[nodiscard]] inline qnnpp::Result<std::vector<double>> numbers_of(
    const qnnpp::TensorSpec& tensor, std::span<const std::byte> bytes) {
  using enum qnnpp::c_api::DataType;
  if (!is_coded(tensor)) {
    const std::string_view type = npy_type(tensor.data_type);
    if (type == "|i1") return detail::as_numbers<std::int8_t>(unpacked(tensor, bytes));
    if (type == "|u1" || type == "|b1")
      return detail::as_numbers<std::uint8_t>(unpacked(tensor, bytes));
    if (type == "<i2") return detail::as_numbers<std::int16_t>(bytes);
    if (type == "<u2") return detail::as_numbers<std::uint16_t>(bytes);
    if (type == "<i4") return detail::as_numbers<std::int32_t>(bytes);
    if (type == "<u4") return detail::as_numbers<std::uint32_t>(bytes);
    if (type == "<i8") return detail::as_numbers<std::int64_t>(bytes);
    if (type == "<u8") return detail::as_numbers<std::uint64_t>(bytes);
    if (type == "<f4") return detail::as_numbers<float>(bytes);
    if (type == "<f8") return detail::as_numbers<double>(bytes);
  }
  std::uint64_t count = 1;
  for (const std::uint32_t extent : tensor.dimensions) count *= extent;
  std::vector<float> numbers(static_cast<std::size_t>(count));
  if (auto read = qnnpp::dequantise(tensor, bytes, std::span(numbers)); !read)
    return qnnpp::fail(std::move(read).error());
  return std::vector<double>(numbers.begin(), numbers.end());
}

/// Returns the numbers of a file with the expected output, whose elements are read: the tensor's
/// own type, or a .npy file of float16, float32, float64 or int64. Errors: those of
/// check_expected().
[[nodiscard]] inline qnnpp::Result<std::vector<double>> expected_numbers(
    const qnnpp::TensorSpec& tensor, const TensorFile& file) {
  using qnnpp::fail;
  if (auto fits = check_expected(tensor, file); !fits) return fail(std::move(fits).error());
  if (file.npy && !detail::has_own_type(tensor, file)) return file.numbers();
  const auto bytes = detail::own_bytes(tensor, file);
  if (!bytes) return fail(bytes.error());
  return numbers_of(tensor, *bytes);
}

/// Random numbers that are the same on every machine (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}
  [[nodiscard]] std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

/// Returns noise for an input. Floats are in [-1, 1). So are the numbers of a quantisation whose
/// codes have fewer bits than the elements; other fixed-point tensors get any code. Integers are 0
/// or 1, because a graph may use them as indices. The same seed and name give the same noise.
/// Errors: those of quantise() and of TensorSpec::size_bytes().
[[nodiscard]] inline qnnpp::Result<Data> noise(const qnnpp::TensorSpec& tensor,
                                               std::uint64_t seed) {
  using enum qnnpp::c_api::DataType;
  const auto size = tensor.size_bytes();
  if (!size) return qnnpp::fail(size.error());
  for (const char c : tensor.name)  // FNV-1a
    seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  Random random(seed);
  Data bytes(static_cast<std::size_t>(*size));
  const std::string_view type = npy_type(tensor.data_type);
  const bool is_float = type == "<f4" || type == "<f8" || type == "<f2" ||
                        tensor.data_type == bfloat_16 || tensor.quantisation.code_bits() != 0;
  const bool is_fixed = tensor.data_type == sfixed_point_4 || tensor.data_type == ufixed_point_4 ||
                        tensor.data_type == sfixed_point_8 || tensor.data_type == ufixed_point_8 ||
                        tensor.data_type == sfixed_point_16 ||
                        tensor.data_type == ufixed_point_16 ||
                        tensor.data_type == sfixed_point_32 || tensor.data_type == ufixed_point_32;
  if (is_float) {
    std::uint64_t count = 1;
    for (const std::uint32_t extent : tensor.dimensions) count *= extent;
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers)
      number = static_cast<float>(static_cast<double>(random.next() >> 40) / 8388608.0 - 1.0);
    if (auto written = qnnpp::quantise(tensor, numbers, std::span<std::byte>(bytes)); !written)
      return qnnpp::fail(std::move(written).error());
  } else if (is_fixed) {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next() >> 56);
  } else {
    const std::size_t step = qnnpp::element_bits(tensor.data_type) / 8;
    for (std::size_t i = 0; i < bytes.size(); i += step)
      bytes[i] = static_cast<std::byte>(random.next() >> 63);
  }
  return bytes;
}

}  // namespace run
