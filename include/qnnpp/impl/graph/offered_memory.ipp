// What memory must fulfil to be bound to one tensor of a graph, and the bytes that it covers;
// definitions of offered_memory.hpp.
#pragma once

#include "qnnpp/graph/detail/offered_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Step in the errors of bind().
inline constexpr char binding_step[] = "binding a graph";
/// Step in the errors of a search for an input or an output.
inline constexpr char finding_step[] = "finding a tensor";

/// Whether memory for the tensor `found` has the type, shape, layout and quantisation of `spec`.
[[nodiscard]] [[gnu::always_inline]] inline bool fits(const TensorSpec& spec,
                                                      const TensorSpec& found) {
  return found.data_type == spec.data_type && found.format == spec.format &&
         found.dimensions == spec.dimensions && same_quantisation(found, spec);
}
/// Makes the error of two tensors that do not fit: "`ours` is FLOAT_32, `theirs` is UINT_8".
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
misfit(const char* step, std::string_view object, const TensorSpec& wanted, std::string_view ours,
       const TensorSpec& found, std::string_view theirs) {
  const auto error = [&](Errc kind, std::string_view verb, const std::string& ours_is,
                         const std::string& theirs_is) {
    return Error::make(kind, step, object, {ours, verb, ours_is, ", ", theirs, verb, theirs_is});
  };
  if (found.data_type != wanted.data_type)
    return error(Errc::type_mismatch, " is ", name_of(wanted.data_type), name_of(found.data_type));
  if (found.format != wanted.format)
    return error(Errc::type_mismatch, " has ", detail::joined({"data format ", wanted.format}),
                 detail::joined({found.format}));
  if (found.dimensions != wanted.dimensions)
    return error(Errc::shape_mismatch, " is ", to_string(wanted.dimensions),
                 to_string(found.dimensions));
  return error(Errc::type_mismatch, " has ", to_string(wanted.quantisation),
               to_string(found.quantisation));
}
/// Makes the error of memory that does not fit.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error misfit(const TensorSpec& spec,
                                                                     const TensorSpec& found) {
  return misfit(binding_step, spec.name, spec, "the graph's tensor", found, "the memory");
}

/// Checks that a registered tensor fits `spec` by context, type, shape and quantisation, and writes
/// its handle or its address to `tensor`.
[[nodiscard]] [[gnu::always_inline]] inline Result<void> bind_registered(
    const ContextBlock& context, const TensorRegistrationBlock& registration, std::size_t at,
    const TensorSpec& spec, c_api::Tensor& tensor) {
  if (registration.context.get() != &context)
    return fail(Errc::foreign_object, binding_step, spec.name,
                {"the memory is registered with ", registration.context->name,
                 ", the graph belongs to ", context.name});
  const TensorSpec& found = registration.memory->tensors[at].spec;
  if (!fits(spec, found)) [[unlikely]]
    return fail(misfit(spec, found));
  if (registration.is_by_address) [[unlikely]] {
    tensor.v1.mem_type = c_api::TensorMemType::raw;
    tensor.v1.client_buf = {
        registration.handles[at],
        static_cast<std::uint32_t>(registration.memory->tensors[at].size_bytes)};
    return {};
  }
  tensor.v1.mem_type = c_api::TensorMemType::memhandle;
  tensor.v1.mem_handle = registration.handles[at];
  return {};
}

/// Checks that raw memory fits `spec` by type, shape and size, and writes it to `tensor`.
[[nodiscard]] QNNPP_INLINE Result<void> bind_raw(const BindingBlock& binding,
                                                 const TensorSpec& spec, bool is_output,
                                                 c_api::Tensor& tensor) {
  const bool has_shape = binding.dimensions.empty() || binding.dimensions == spec.dimensions;
  if (!has_shape || !binding.carries(spec.data_type)) {
    TensorSpec found = spec;
    if (!binding.carries(spec.data_type)) found.data_type = binding.data_type;
    if (!has_shape) found.dimensions = binding.dimensions;
    return fail(misfit(spec, found));
  }
  QNNPP_LET(size, spec.size_bytes());
  if (binding.size_bytes != *size)
    return fail(
        Error::mismatch(Errc::size_mismatch, binding_step, spec.name, *size, binding.size_bytes));
  if (binding.data == nullptr)
    return fail(Errc::invalid_argument, binding_step, spec.name,
                {"its memory is null; bind the address of ", *size, " bytes"});
  if (*size > UINT32_MAX) return fail(beyond_limit(binding_step, spec.name, *size, UINT32_MAX));
  if (is_output && !binding.is_writable)
    return fail(Errc::invalid_argument, binding_step, spec.name,
                "the graph writes it, and its memory is const; bind memory that is not const");
  tensor.v1.mem_type = c_api::TensorMemType::raw;
  tensor.v1.client_buf.data = binding.data;
  tensor.v1.client_buf.data_size = static_cast<std::uint32_t>(*size);
  return {};
}

/// Returns the addresses of the bytes that a tensor uses; an empty range for registered memory that
/// the CPU has not mapped.
[[nodiscard]] QNNPP_INLINE ByteRange addresses_of(const UsedMemory& memory) {
  if (!memory.registration) return memory.range;
  const void* const mapped = memory.registration->memory->memory_of(memory.tensor).data();
  if (mapped == nullptr) return {};
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  return {{}, start + memory.range.begin, start + memory.range.end};
}

/// Orders ranges by the memory's inode, then by the first byte.
[[nodiscard]] inline bool stands_before(const ByteRange& a, const ByteRange& b) noexcept {
  return a.memory.inode != b.memory.inode ? a.memory.inode < b.memory.inode : a.begin < b.begin;
}

QNNPP_INLINE void ApartRanges::make(std::span<UsedMemory> used) {
  by_slot_.clear();  // An earlier call may have thrown halfway.
  by_slot_.reserve(used.size());
  in_order_.resize(used.size());
  bool are_apart = true;
  for (UsedMemory& each : used) {
    are_apart = are_apart && !each.registration == !used.front().registration;
    each.slot = static_cast<std::uint32_t>(by_slot_.size());
    in_order_[each.slot] = each.slot;
    by_slot_.push_back(each.range);
  }
  std::sort(in_order_.begin(), in_order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return stands_before(by_slot_[a], by_slot_[b]);
  });
  for (std::size_t place = 1; place < in_order_.size(); ++place)
    are_apart = are_apart && !meets(place, by_slot_[in_order_[place - 1]], UINT32_MAX);
  if (!are_apart) forget();
  is_made_ = true;
}

QNNPP_INLINE std::size_t ApartRanges::place_of(const ByteRange& range,
                                               std::size_t hint) const noexcept {
  const auto is_before = [&](std::size_t place) {
    return stands_before(by_slot_[in_order_[place]], range);
  };
  const bool is_after = hint <= in_order_.size() && (hint == 0 || is_before(hint - 1));
  if (is_after && (hint == in_order_.size() || !is_before(hint))) return hint;
  std::size_t first = 0, count = in_order_.size();
  while (count != 0) {
    const std::size_t half = count / 2;
    const bool is_later = is_before(first + half);
    first = is_later ? first + half + 1 : first;
    count = is_later ? count - half - 1 : half;
  }
  return first;
}

QNNPP_INLINE bool ApartRanges::meets(std::size_t place, const ByteRange& range,
                                     std::uint32_t except) const noexcept {
  if (place >= in_order_.size() || in_order_[place] == except) return false;
  const ByteRange& other = by_slot_[in_order_[place]];
  return other.memory.inode == range.memory.inode &&
         (other.memory.device != range.memory.device ||
          (other.begin < range.end && range.begin < other.end));
}

QNNPP_INLINE bool ApartRanges::replace(std::uint32_t slot, const ByteRange& range) noexcept {
  const std::size_t place = place_of(range, next_new_);
  const std::size_t old = place_of(by_slot_[slot], next_old_);
  // The neighbours without the range itself. There is no place before 0: it wraps beyond the last.
  const std::size_t after = place == old ? place + 1 : place;
  const std::size_t before = place == old + 1 ? old - 1 : place - 1;
  if (meets(after, range, slot) || meets(before, range, slot)) return false;
  const auto at = in_order_.begin();
  const auto begin = static_cast<std::ptrdiff_t>(std::min(old, place));
  if (old < place)
    std::rotate(at + begin, at + begin + 1, at + static_cast<std::ptrdiff_t>(place));
  else
    std::rotate(at + begin, at + static_cast<std::ptrdiff_t>(old),
                at + static_cast<std::ptrdiff_t>(old) + 1);
  by_slot_[slot] = range;
  next_old_ = old < place ? old : old + 1;
  next_new_ = old < place ? place : place + 1;
  return true;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
