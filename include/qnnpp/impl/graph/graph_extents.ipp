// Definitions of the members of graph_block.hpp for dynamic dimensions.
#pragma once

#include <algorithm>

#include "qnnpp/graph/detail/graph_block.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Step in the errors of set_extents() and extents().
inline constexpr char extents_step[] = "setting extents";

QNNPP_INLINE void mark_dynamic(const TensorSpec& spec, c_api::Tensor& tensor) {
  tensor.version = c_api::TensorVersion::v2;
  c_api::TensorV2& v2 = tensor.v2;  // Begins with the members of version 1.
  // QNN only reads the flags.
  v2.is_dynamic_dimensions = const_cast<std::uint8_t*>(spec.dynamic_dimensions.data());
  v2.sparse_params.type = c_api::SparseLayoutType::undefined;
  v2.is_produced = 0;
}

/// Returns the extents of a C tensor.
[[nodiscard]] inline std::span<const std::uint32_t> extents_of(const c_api::Tensor& tensor) {
  return {tensor.v1.dimensions, tensor.v1.rank};  // Version 2 begins with the same members.
}

QNNPP_INLINE void GraphBlock::hold_extents(BoundMemory& bound) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < tensor_count(); ++i)
    if (spec_at(i).is_dynamic()) count += spec_at(i).dimensions.size();
  if (count == 0) return;
  bound.extents.resize(count);
  std::uint32_t* next = bound.extents.data();
  for (std::size_t i = 0; i < tensor_count(); ++i) {
    const TensorSpec& tensor = spec_at(i);
    if (!tensor.is_dynamic()) continue;
    mark_dynamic(tensor, bound.tensor_at(i));
    bound.tensor_at(i).v1.dimensions = next;
    next = std::copy(tensor.dimensions.begin(), tensor.dimensions.end(), next);
  }
}

/// Returns "[1 to 8, 16]": the extents that a tensor can have.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string text_of_limits(
    const TensorSpec& spec) {
  std::string text = "[";
  for (std::size_t i = 0; i < spec.dimensions.size(); ++i)
    text += joined(
        {i == 0 ? "" : ", ", spec.dynamic_dimensions[i] != 0 ? "1 to " : "", spec.dimensions[i]});
  return detail::joined({text, "]"});
}

/// Makes the error of extents that a tensor cannot have.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
extents_differ(const char* step, const TensorSpec& spec, std::string_view whose,
               std::span<const std::uint32_t> extents) {
  return Error::make(
      Errc::shape_mismatch, step, spec.name,
      {"the graph's tensor is ", text_of_limits(spec), ", the extents ", whose, " are ",
       to_string(std::vector<std::uint32_t>(extents.begin(), extents.end()))});
}

QNNPP_INLINE Result<void> GraphBlock::set_extents(std::string_view name,
                                                  std::span<const std::uint32_t> wanted) {
  QNNPP_LET(at, index_of(name, extents_step));
  const auto refuse = [&](std::string why) {
    return fail(Errc::invalid_argument, extents_step, name, why);
  };
  if (*at >= inputs.size())
    return refuse(
        detail::joined({"it is an output of graph ", spec.name,
                        ", and the execution sets its extents; set the extents of the inputs"}));
  const TensorSpec& tensor = spec.inputs[*at];
  if (inputs[*at].version != c_api::TensorVersion::v2)
    return refuse(detail::joined(
        {"graph ", spec.name, " was prepared for ", to_string(tensor.dimensions),
         " alone; pad the data to this shape, or prepare the graph with dynamic ", "dimensions"}));
  bool fits = wanted.size() == tensor.dimensions.size();
  for (std::size_t i = 0; fits && i < wanted.size(); ++i)
    fits = tensor.dynamic_dimensions[i] != 0 ? wanted[i] != 0 && wanted[i] <= tensor.dimensions[i]
                                             : wanted[i] == tensor.dimensions[i];
  if (!fits) return fail(extents_differ(extents_step, tensor, "given", wanted));
  std::copy(wanted.begin(), wanted.end(), inputs[*at].v1.dimensions);
  // The next execution writes the extents of the outputs.
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].version == c_api::TensorVersion::v2)
      std::copy(spec.outputs[i].dimensions.begin(), spec.outputs[i].dimensions.end(),
                outputs[i].v1.dimensions);
  return {};
}

QNNPP_INLINE Result<std::span<const std::uint32_t>> GraphBlock::extents_of_tensor(
    std::string_view name) const {
  QNNPP_LET(at, index_of(name, extents_step));
  return extents_of(tensor_at(*at));
}

QNNPP_INLINE Result<void> GraphBlock::complete_extents(const TensorSpec& tensor,
                                                       const c_api::Tensor& bound,
                                                       RegisteredTensor& found) {
  const auto actual = extents_of(bound);
  bool fits = actual.size() <= most::rank;
  for (std::size_t i = 0; fits && i < actual.size(); ++i) fits = actual[i] <= tensor.dimensions[i];
  if (!fits) return fail(extents_differ("finding a tensor", tensor, "after the execution", actual));
  found.extents = actual;
  return {};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
