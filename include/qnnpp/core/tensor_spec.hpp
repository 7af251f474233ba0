// TensorSpec: what a tensor is - name, type, dimensions - without its memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Description of one tensor. A value: it owns all it says.
struct TensorSpec {
  std::string name = {};
  /// Number given by the backend; 0 until a backend has created the tensor.
  std::uint32_t id = 0;
  c_api::TensorType kind = c_api::TensorType::native;
  c_api::DataType data_type = c_api::DataType::float_32;
  c_api::TensorDataFormat format = 0;
  /// Extents, outermost first.
  std::vector<std::uint32_t> dimensions = {};
  /// Whether an extent is known at execution only; `dimensions` are the largest then.
  bool dynamic = false;
  /// How its memory was said to come when the graph was prepared.
  c_api::TensorMemType mem_type = c_api::TensorMemType::raw;
  /// Per-tensor quantisation: real = scale * (stored + offset). Scale 0: not quantised this way.
  float scale = 0.0f;
  std::int32_t offset = 0;

  /// Bytes of the tensor: product of the dimensions times the element size, rounded up to whole
  /// bytes for 4-bit types. Errors: `unsupported_tensor` for a zero or a dynamic dimension, for
  /// rank 0 or a type without size; `too_large` when the product overflows (SHB-06).
  [[nodiscard]] Result<std::uint64_t> size_bytes() const;
};

/// Whether equal stored values of both stand for equal numbers; so does a tensor that does not say
/// how it is quantised.
[[nodiscard]] bool same_quantisation(const TensorSpec& a, const TensorSpec& b) noexcept;
/// "scale 0.5, offset -3", for messages.
[[nodiscard]] std::string quantisation_text(const TensorSpec& spec);

/// Copies what a C tensor (v1 or v2) says of itself. Error: `unsupported_tensor` for another
/// version, and for a rank or a name beyond detail::most.
[[nodiscard]] Result<TensorSpec> tensor_spec(const c_api::Tensor& tensor);

namespace detail {

/// The most that is taken of what comes from outside: a binary's metadata, a library's lists, a
/// manifest. No real one comes near; a larger count is rubbish, and nothing is allocated for it nor
/// walked along. ManifestLimits takes its rank and its names from here.
namespace most {
inline constexpr std::uint32_t rank = 16;
inline constexpr std::uint32_t name_bytes = 4096;
inline constexpr std::uint32_t graphs = 65536;    ///< of a binary
inline constexpr std::uint32_t tensors = 262144;  ///< of all graphs of a binary
inline constexpr std::uint32_t providers = 256;   ///< of a library
inline constexpr std::uint32_t devices = 256;     ///< of a backend
}  // namespace most

/// Whether `count` of `what`, which start at `first`, may be read: at most `limit`, and none at
/// null. Error: of this kind, with the count and the limit.
[[nodiscard]] Result<void> check_count(std::uint64_t count, std::uint64_t limit, const void* first,
                                       const char* what, Errc kind, const char* step,
                                       std::string_view object);

/// Copies a name of C into `name`; null: an empty one. Error: of this kind, for a name of more than
/// most::name_bytes.
[[nodiscard]] Result<void> read_name(const char* from, std::string& name, Errc kind,
                                     const char* step, std::string_view object);

/// Success if a name that C is given holds no NUL, where C would end it. Error: `invalid_argument`.
[[nodiscard]] Result<void> check_name(std::string_view name, const char* step);

/// tensor_spec(), into a fresh `spec`.
[[nodiscard]] Result<void> read_tensor(const c_api::Tensor& tensor, TensorSpec& spec);

/// Positions in a list of named things, by name: a hash table, so that n names are found in n
/// steps.
class NameIndex {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  NameIndex() = default;
  /// Room for the names of so many things.
  explicit NameIndex(std::size_t count) : places_(std::bit_ceil(2 * count + 1), none) {}

  /// Where the position of the thing of this name is written; `none` until it is. `name_of` tells
  /// the names of those that are: `name_of(position)`.
  template <class NameOf>
  [[nodiscard]] std::uint32_t& operator()(std::string_view name, const NameOf& name_of) {
    std::size_t at = std::hash<std::string_view>()(name) & (places_.size() - 1);
    while (places_[at] != none && name_of(places_[at]) != name)
      at = (at + 1) & (places_.size() - 1);
    return places_[at];
  }
  template <class NameOf>
  [[nodiscard]] std::uint32_t operator()(std::string_view name, const NameOf& name_of) const {
    return const_cast<NameIndex&>(*this)(name, name_of);
  }

 private:
  std::vector<std::uint32_t> places_ = {none};  // A power of two of them, half of them free.
};

/// A NameIndex that the first search of many names makes, of a list that only grows. One thread at
/// a time searches.
class LazyNameIndex {
 public:
  /// Position of the first of `count` things that has this name; NameIndex::none: none has it.
  template <class NameOf>
  [[nodiscard]] std::uint32_t find(std::string_view name, std::size_t count,
                                   const NameOf& name_of) const {
    constexpr std::size_t few = 8;  // An index of so few costs more than to compare them.
    if (count <= few) {
      std::uint32_t at = 0;
      while (at != count && name_of(at) != name) ++at;
      return at != count ? at : NameIndex::none;
    }
    if (!made_ || made_->count != count) {
      made_ = Ref<Made>::make(count);
      for (std::size_t i = 0; i < count; ++i)
        if (std::uint32_t& at = made_->index(name_of(i), name_of); at == NameIndex::none)
          at = static_cast<std::uint32_t>(i);
    }
    return made_->index(name, name_of);
  }

 private:
  struct Made : RefCounted<Made> {
    explicit Made(std::size_t names) : index(names), count(names) {}
    NameIndex index;
    std::size_t count;
  };
  mutable Ref<Made> made_;  // One pointer: a context stays small, which malloc rewards.
};

/// "a, b and 3 more": the first names of a list that may be long, for messages.
class NameList {
 public:
  void add(std::string_view kind, std::string_view name);
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::size_t shown = 8;
  std::size_t count_ = 0;
  std::string text_;
};
}  // namespace detail

/// "[1, 28, 28, 1]", for messages.
[[nodiscard]] std::string to_string(const std::vector<std::uint32_t>& dimensions);

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/tensor_spec.ipp"
#endif
