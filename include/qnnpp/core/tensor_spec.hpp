// TensorSpec: the description of a tensor - name, type, dimensions - without its memory.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/quantisation.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Description of one tensor. A value that owns all its data.
struct TensorSpec {
  std::string name = {};  ///< Name of the tensor.
  /// Number that the backend assigns; 0 until the backend has created the tensor.
  std::uint32_t id = 0;
  /// Role: input (app_write), output (app_read), constant (static_), intermediate (native).
  c_api::TensorType kind = c_api::TensorType::native;
  c_api::DataType data_type = c_api::DataType::float_32;  ///< Type of the elements.
  /// Layout of QNN, see c_api::tensor_data_format; 0: dense. In another layout, such as that of HMX
  /// weights, only the whole bytes can be used.
  c_api::TensorDataFormat format = 0;
  /// Extents, outermost first.
  std::vector<std::uint32_t> dimensions = {};
  /// One flag per dimension: not 0 if each execution sets the extent, and `dimensions` holds its
  /// maximum. Empty if no dimension is dynamic.
  std::vector<std::uint8_t> dynamic_dimensions = {};
  /// Kind of memory that the graph was prepared for.
  c_api::TensorMemType mem_type = c_api::TensorMemType::raw;
  /// How the codes of a fixed-point type map to numbers.
  Quantisation quantisation = {};

  /// Returns whether each execution sets an extent of the tensor.
  [[nodiscard]] bool is_dynamic() const noexcept {
    for (const std::uint8_t flag : dynamic_dimensions)
      if (flag != 0) return true;
    return false;
  }

  /// Returns the bytes of the tensor: the product of the dimensions times the element size; for
  /// dynamic dimensions, the bytes of the maximum. Rounds 4-bit types up to whole bytes. Errors:
  /// `unsupported_tensor` for a dimension of 0, rank 0, a type without size or another number of
  /// dynamic flags than dimensions; `too_large` if the product overflows (SHB-06).
  [[nodiscard]] Result<std::uint64_t> size_bytes() const;
};

/// Returns whether equal stored values in both tensors mean equal numbers. Returns true if one of
/// them states no quantisation.
[[nodiscard]] inline bool same_quantisation(const TensorSpec& a, const TensorSpec& b) noexcept {
  return !a.quantisation || !b.quantisation || a.quantisation == b.quantisation;
}

/// Copies the description of a C tensor (v1 or v2). Error: `unsupported_tensor` for another
/// version, a rank above 16 or a name of more than 4096 bytes.
[[nodiscard]] Result<TensorSpec> tensor_spec(const c_api::Tensor& tensor);

namespace detail {

/// Limits for data from outside: a binary's metadata, a library's lists, a manifest. Real data
/// stays far below them. A larger count is invalid data: qnnpp allocates nothing for it and does
/// not iterate over it. ManifestLimits uses `rank` and `name_bytes`.
namespace most {
inline constexpr std::uint32_t rank = 16;
inline constexpr std::uint32_t name_bytes = 4096;
inline constexpr std::uint32_t graphs = 65536;                   ///< per binary
inline constexpr std::uint32_t tensors = 262144;                 ///< per binary, in all its graphs
inline constexpr std::uint32_t providers = 256;                  ///< per library
inline constexpr std::uint32_t devices = 256;                    ///< per backend
inline constexpr std::uint32_t cores = 256;                      ///< per device
inline constexpr std::uint32_t profile_events = 4194304;         ///< per call
inline constexpr std::uint32_t profile_depth = 16;               ///< levels of events
inline constexpr std::uint64_t profile_object_bytes = 1u << 30;  ///< per call
}  // namespace most

/// Fails as check_count() does.
[[nodiscard]] Failure wrong_count(std::uint64_t count, std::uint64_t limit, const void* first,
                                  const char* what, Errc kind, const char* step,
                                  std::string_view object);
/// Checks that an array of `count` elements at `first` may be read: `count` is at most `limit`, and
/// `first` is not null unless `count` is 0. `what` names the elements. Error: `kind`, with the
/// count and the limit.
[[nodiscard]] [[gnu::always_inline]] inline Result<void> check_count(
    std::uint64_t count, std::uint64_t limit, const void* first, const char* what, Errc kind,
    const char* step, std::string_view object) {
  if (count <= limit && (first != nullptr || count == 0)) [[likely]]
    return {};
  return wrong_count(count, limit, first, what, kind, step, object);
}

/// Copies a C string into `name`, unless `from` is null. Error: `kind`, if the string is longer
/// than most::name_bytes.
[[nodiscard]] Result<void> read_name(const char* from, std::string& name, Errc kind,
                                     const char* step, std::string_view object);

/// Checks that a name for a C function contains no NUL: C would end the name there. Error:
/// `invalid_argument`.
[[nodiscard]] Result<void> check_name(std::string_view name, const char* step);

/// Checks a name that a C function is to keep: as check_name(), and that it has at most
/// most::name_bytes bytes. QNN writes longer ones, which read_name() refuses (CMP-02). Error:
/// `invalid_argument`.
[[nodiscard]] Result<void> check_new_name(std::string_view name, const char* step);

/// Checks that the elements of a tensor are in row-major order. Error: `type_mismatch` for a layout
/// of the HTP's own (TensorSpec::format).
[[nodiscard]] Result<void> check_dense(const TensorSpec& tensor, const char* step);

/// Hash table from names to indices in a list.
class NameTable {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  NameTable() = default;
  /// Makes an empty table with room for `count` names.
  explicit NameTable(std::size_t count) : slots_(std::bit_ceil(2 * count + 1), none) {}

  /// Returns the entry for `name`: its index in the list, or `none` if it is not in the table.
  /// Assign the index to add the name. `name_of(index)` returns the name with an index.
  template <class NameOf>
  [[nodiscard]] std::uint32_t& operator()(std::string_view name, const NameOf& name_of) {
    std::size_t at = std::hash<std::string_view>()(name) & (slots_.size() - 1);
    while (slots_[at] != none && name_of(slots_[at]) != name) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  template <class NameOf>
  [[nodiscard]] std::uint32_t operator()(std::string_view name, const NameOf& name_of) const {
    return const_cast<NameTable&>(*this)(name, name_of);
  }

 private:
  std::vector<std::uint32_t> slots_ = {none};  // Size: a power of two; at least half are free.
};

/// View of the names of a list: of its strings, or of its elements' members `name`.
class NamesView {
 public:
  /// Views the names of `size` things; `name_of(of, i)` returns one of them.
  NamesView(const void* of, std::size_t size,
            std::string_view (*name_of)(const void*, std::size_t) noexcept) noexcept
      : list_(of), size_(size), name_of_(name_of) {}
  template <class Element>
  NamesView(const std::vector<Element>& list) noexcept
      : list_(&list), size_(list.size()), name_of_([](const void* of, std::size_t i) noexcept {
          const Element& element = (*static_cast<const std::vector<Element>*>(of))[i];
          if constexpr (std::is_same_v<Element, std::string>)
            return std::string_view(element);
          else
            return std::string_view(element.name);
        }) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Returns the name with an index.
  [[nodiscard]] std::string_view operator()(std::size_t i) const& noexcept {
    return name_of_(list_, i);
  }

 private:
  const void* list_;
  std::size_t size_;
  std::string_view (*name_of_)(const void*, std::size_t) noexcept;
};

/// NameTable of a list that only grows, built by the first search in more than 8 names. Threads:
/// one at a time, except for searches without that one if the list has not grown since.
class LazyNameTable {
 public:
  LazyNameTable() = default;
  LazyNameTable(const LazyNameTable&) = delete;
  LazyNameTable& operator=(const LazyNameTable&) = delete;
  ~LazyNameTable() { delete made_.load(std::memory_order_relaxed); }

  /// Returns whether find() builds nothing.
  [[nodiscard]] bool is_built(const NamesView& names) const noexcept;
  /// Returns the index of the first of these names that is `name`, or NameTable::none.
  [[nodiscard]] std::uint32_t find(std::string_view name, const NamesView& names) const;

 private:
  static constexpr std::size_t few = 8;  // Up to here, comparing all names is cheaper than a table.
  struct Made {
    NameTable table;
    std::size_t count;
  };
  // Only one pointer, to keep the size of a context small.
  mutable std::atomic<const Made*> made_{nullptr};
};

/// Text with three names of a list: "a, b, c and 3 more". For messages.
class NameList {
 public:
  /// Shows the first names.
  NameList() = default;
  /// Shows the names that are most like `wanted`, a name that the list lacks. Refers to `wanted`.
  explicit NameList(std::string_view wanted) : wanted_(wanted) {}

  void add(std::string_view kind, std::string_view name);
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::size_t shown = 3;
  struct Shown {
    std::size_t difference = 0;  ///< From `wanted_`; 0 without it.
    std::string text = {};
  };
  std::string_view wanted_;
  std::size_t count_ = 0;
  std::array<Shown, shown> names_;  ///< By difference, then in the order of the list.
};
}  // namespace detail

/// Returns "[1, 28, 28, 1]", for messages.
[[nodiscard]] std::string to_string(const std::vector<std::uint32_t>& dimensions);

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/tensor_spec.ipp"
#endif
