// Definitions of tensor_spec.hpp.
#pragma once

#include "qnnpp/core/tensor_spec.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "qnnpp/core/detail/error_meaning.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<std::uint64_t> TensorSpec::size_bytes() const {
  const std::uint64_t bits = element_bits(data_type);
  if (bits == 0)
    return fail(Errc::unsupported_tensor, "size of a tensor", name,
                {"elements of type ", name_of(data_type), " have no size"});
  if (dimensions.empty()) return fail(Errc::unsupported_tensor, "size of a tensor", name, "rank 0");
  if (!dynamic_dimensions.empty() && dynamic_dimensions.size() != dimensions.size())
    return fail(
        Errc::unsupported_tensor, "size of a tensor", name,
        {dynamic_dimensions.size(), " dynamic flags for ", dimensions.size(), " dimensions"});
  std::uint64_t elements = 1;
  for (const std::uint32_t extent : dimensions) {
    if (extent == 0)
      return fail(Errc::unsupported_tensor, "size of a tensor", name,
                  {"a dimension of 0 in ", to_string(dimensions)});
    if (elements > (UINT64_MAX / 64) / extent)
      return fail(detail::beyond_limit(
          "size of a tensor", name, 0, 0,
          detail::joined({"the product of ", to_string(dimensions), " overflows"})));
    elements *= extent;
  }
  return (elements * bits + 7) / 8;
}

QNNPP_INLINE Result<void> detail::check_dense(const TensorSpec& tensor, const char* step) {
  if (tensor.format == c_api::tensor_data_format::dense) [[likely]]
    return {};
  return fail(Errc::type_mismatch, step, tensor.name,
              {"its data format is ", tensor.format,
               ", a layout of the HTP's own; only its bytes can be used"});
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE detail::Failure detail::wrong_count(
    std::uint64_t count, std::uint64_t limit, const void* first, const char* what, Errc kind,
    const char* step, std::string_view object) {
  std::string why = detail::joined({"it reports ", count, " ", what});
  why += first == nullptr ? std::string(", but their address is null")
                          : detail::joined({"; at most ", limit, " are read"});
  return fail(kind, step, object, why);
}

[[gnu::noinline]] QNNPP_INLINE Result<void> detail::read_name(const char* from, std::string& name,
                                                              Errc kind, const char* step,
                                                              std::string_view object) {
  if (from == nullptr) return {};
  const std::size_t bytes = ::strnlen(from, most::name_bytes + std::size_t{1});
  name.assign(from, bytes <= most::name_bytes ? bytes : 32);
  if (bytes <= most::name_bytes) return {};
  return fail(kind, step, object,
              {"the name '", name, "...' has more than ", most::name_bytes, " bytes"});
}

QNNPP_INLINE Result<void> detail::check_name(std::string_view name, const char* step) {
  const std::size_t at = name.find('\0');
  if (at == std::string_view::npos) return {};
  return fail(Errc::invalid_argument, step, name,
              {"the name holds a NUL after ", at, " bytes, where QNN would end it; remove it"});
}

QNNPP_INLINE Result<void> detail::check_new_name(std::string_view name, const char* step) {
  if (name.size() <= most::name_bytes) return check_name(name, step);
  return fail(Errc::invalid_argument, step, detail::joined({name.substr(0, 32), "..."}),
              {"the name has ", name.size(), " bytes; at most ", most::name_bytes,
               " can be read back; give a shorter one"});
}

QNNPP_INLINE bool detail::LazyNameTable::is_built(const NamesView& names) const noexcept {
  if (names.size() <= few) return true;
  const Made* const made = made_.load(std::memory_order_acquire);
  return made != nullptr && made->count == names.size();
}

QNNPP_INLINE std::uint32_t detail::LazyNameTable::find(std::string_view name,
                                                       const NamesView& names) const {
  const std::size_t count = names.size();
  if (count <= few) {
    std::uint32_t at = 0;
    while (at != count && names(at) != name) ++at;
    return at != count ? at : NameTable::none;
  }
  if (!is_built(names)) {
    NameTable table(count);
    for (std::size_t i = 0; i < count; ++i)
      if (std::uint32_t& at = table(names(i), names); at == NameTable::none)
        at = static_cast<std::uint32_t>(i);
    const Made* const made = new Made{std::move(table), count};
    delete made_.exchange(made, std::memory_order_acq_rel);
  }
  return made_.load(std::memory_order_acquire)->table(name, names);
}

namespace detail {

/// Returns how many characters of the longer name lie between what both names begin and end with,
/// without regard to capitals.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::size_t difference_of(
    std::string_view a, std::string_view b) noexcept {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t same = 0;
  while (same != most && small(a[same]) == small(b[same])) ++same;
  std::size_t last = 0;
  while (same + last != most && small(a[a.size() - 1 - last]) == small(b[b.size() - 1 - last]))
    ++last;
  return std::max(a.size(), b.size()) - same - last;
}

}  // namespace detail

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void detail::NameList::add(std::string_view kind,
                                                                     std::string_view name) {
  const std::size_t difference = wanted_.empty() ? 0 : difference_of(wanted_, name);
  std::size_t at = std::min(count_++, shown);
  while (at != 0 && names_[at - 1].difference > difference) --at;
  if (at == shown) return;
  std::move_backward(names_.begin() + static_cast<std::ptrdiff_t>(at), names_.end() - 1,
                     names_.end());
  names_[at] = {difference, joined({kind, name})};
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string detail::NameList::text() const {
  std::string text = names_[0].text;
  for (std::size_t i = 1; i < std::min(count_, shown); ++i) text += ", " + names_[i].text;
  return count_ <= shown ? text : joined({text, " and ", count_ - shown, " more"});
}

QNNPP_INLINE Result<TensorSpec> tensor_spec(const c_api::Tensor& tensor) {
  constexpr const char* step = "reading a tensor";
  constexpr Errc kind = Errc::unsupported_tensor;
  if (tensor.version != c_api::TensorVersion::v1 && tensor.version != c_api::TensorVersion::v2)
    return fail(kind, step, "tensor",
                {"its version is ", static_cast<std::uint32_t>(tensor.version),
                 "; versions 1 and 2 are supported"});
  const c_api::TensorV1& from = tensor.v1;  // Version 2 begins with the same members.
  TensorSpec spec;
  QNNPP_TRY(detail::read_name(from.name, spec.name, kind, step, "tensor"));
  QNNPP_TRY(detail::check_count(from.rank, detail::most::rank, from.dimensions, "dimensions", kind,
                                step, spec.name));
  spec.id = from.id;
  spec.kind = from.type;
  spec.data_type = from.data_type;
  spec.format = from.data_format;
  if (from.dimensions != nullptr)
    spec.dimensions.assign(from.dimensions, from.dimensions + from.rank);
  spec.mem_type = from.mem_type;
  if (from.quantize_params.encoding_definition == c_api::Definition::defined)
    spec.quantisation = Quantisation::from(from.quantize_params, spec.dimensions);
  if (tensor.version != c_api::TensorVersion::v2) return spec;
  if (const std::uint8_t* flags = tensor.v2.is_dynamic_dimensions) {
    spec.dynamic_dimensions.assign(flags, flags + spec.dimensions.size());
    if (!spec.is_dynamic()) spec.dynamic_dimensions.clear();
  }
  return spec;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string to_string(
    const std::vector<std::uint32_t>& dimensions) {
  std::string text = "[";
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    text += detail::joined({i == 0 ? "" : ", ", dimensions[i]});
  return detail::joined({text, "]"});
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
