// What memory must fulfil to be bound to one tensor of a graph, and the bytes that it covers.
#pragma once

#include "qnnpp/graph/detail/offered_memory.hpp"

#include <span>
#include <string>
#include <vector>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Step in the errors of bind().
inline constexpr char binding_step[] = "binding a graph";
/// Step in the errors of a search for an input or an output.
inline constexpr char finding_step[] = "finding a tensor";

/// Makes the error of memory with another type than the tensor.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE Error types_differ(const TensorSpec& spec,
                                                         c_api::DataType found) {
  return Error::make(Errc::type_mismatch, binding_step, spec.name,
                     std::string("the graph's tensor is ") + name_of(spec.data_type) +
                         ", the memory is " + name_of(found));
}
/// Makes the error of memory with another shape than the tensor.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE Error shapes_differ(const TensorSpec& spec,
                                                          std::span<const std::uint32_t> found) {
  return Error::make(Errc::shape_mismatch, binding_step, spec.name,
                     "the graph's tensor is " + to_string(spec.dimensions) + ", the memory is " +
                         to_string(std::vector<std::uint32_t>(found.begin(), found.end())));
}

/// Whether memory for the tensor `found` has the type, shape, layout and quantisation of `spec`.
[[nodiscard]] QNNPP_ALWAYS_INLINE inline bool fits(const TensorSpec& spec,
                                                   const TensorSpec& found) {
  return found.data_type == spec.data_type && found.format == spec.format &&
         found.dimensions == spec.dimensions && same_quantisation(found, spec);
}
/// Makes the error of memory that does not fit.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE Error misfit(const TensorSpec& spec,
                                                   const TensorSpec& found) {
  if (found.data_type != spec.data_type) return types_differ(spec, found.data_type);
  if (found.format != spec.format)
    return Error::make(Errc::type_mismatch, binding_step, spec.name,
                       "the graph's tensor has data format " + std::to_string(spec.format) +
                           ", the memory has " + std::to_string(found.format));
  if (found.dimensions != spec.dimensions) return shapes_differ(spec, found.dimensions);
  return Error::make(Errc::type_mismatch, binding_step, spec.name,
                     "the graph's tensor has " + to_string(spec.quantisation) +
                         ", the memory has " + to_string(found.quantisation));
}

/// Checks that a registered tensor fits `spec` by context, type, shape and quantisation, and writes
/// its handle to `tensor`.
[[nodiscard]] QNNPP_ALWAYS_INLINE inline Result<void> bind_registered(
    const ContextBlock& context, const TensorRegistrationBlock& registration, std::size_t at,
    const TensorSpec& spec, c_api::Tensor& tensor) {
  if (registration.context.get() != &context)
    return fail(Error::make(Errc::foreign_object, binding_step, spec.name,
                            "the memory is registered with " + registration.context->name +
                                ", the graph belongs to " + context.name));
  const TensorSpec& found = registration.memory->tensors[at].spec;
  if (!fits(spec, found)) [[unlikely]]
    return fail(misfit(spec, found));
  tensor.v1.mem_type = c_api::TensorMemType::memhandle;
  tensor.v1.mem_handle = registration.handles[at];
  return {};
}

/// Checks that raw memory fits `spec` by type, shape and size, and writes it to `tensor`.
[[nodiscard]] QNNPP_INLINE Result<void> bind_raw(const BindingBlock& binding,
                                                 const TensorSpec& spec, bool is_output,
                                                 c_api::Tensor& tensor) {
  if (!binding.carries(spec.data_type)) return fail(types_differ(spec, binding.data_type));
  if (!binding.dimensions.empty() && binding.dimensions != spec.dimensions)
    return fail(shapes_differ(spec, binding.dimensions));
  const auto size = spec.size_bytes();
  if (!size) return fail(size.error());
  if (binding.size_bytes != *size)
    return fail(
        Error::mismatch(Errc::size_mismatch, binding_step, spec.name, *size, binding.size_bytes));
  if (binding.data == nullptr)
    return fail(
        Error::make(Errc::invalid_argument, binding_step, spec.name,
                    "its memory is null; bind the address of " + std::to_string(*size) + " bytes"));
  if (*size > UINT32_MAX)
    return fail(Error::mismatch(Errc::too_large, binding_step, spec.name, *size, UINT32_MAX));
  if (is_output && !binding.is_writable)
    return fail(Error::make(Errc::invalid_argument, binding_step, spec.name,
                            "an output needs memory that is not const"));
  tensor.v1.mem_type = c_api::TensorMemType::raw;
  tensor.v1.client_buf.data = binding.data;
  tensor.v1.client_buf.data_size = static_cast<std::uint32_t>(*size);
  return {};
}

/// Returns the addresses of the bytes that a tensor uses; an empty range for registered memory that
/// the CPU has not mapped.
[[nodiscard]] QNNPP_INLINE ByteRange addresses_of(const TensorPlace& place) {
  if (!place.registration) return place.range;
  const void* const mapped = place.registration->memory->memory_of(place.tensor).data();
  if (mapped == nullptr) return {};
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  return {{}, start + place.range.begin, start + place.range.end};
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
