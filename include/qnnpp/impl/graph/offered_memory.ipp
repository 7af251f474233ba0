// What memory must fulfil to be bound to one tensor of a graph, and the bytes that it covers;
// definitions of offered_memory.hpp.
#pragma once

#include "qnnpp/graph/detail/offered_memory.hpp"

#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
[[nodiscard]] QNNPP_ALWAYS_INLINE inline bool fits(const TensorSpec& spec,
                                                   const TensorSpec& found) {
  return found.data_type == spec.data_type && found.format == spec.format &&
         found.dimensions == spec.dimensions && same_quantisation(found, spec);
}
/// Makes the error of two tensors that do not fit: "`ours` is FLOAT_32, `theirs` is UINT_8".
[[nodiscard]] QNNPP_COLD QNNPP_INLINE Error misfit(const char* step, std::string_view object,
                                                   const TensorSpec& wanted, std::string_view ours,
                                                   const TensorSpec& found,
                                                   std::string_view theirs) {
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
[[nodiscard]] QNNPP_COLD QNNPP_INLINE Error misfit(const TensorSpec& spec,
                                                   const TensorSpec& found) {
  return misfit(binding_step, spec.name, spec, "the graph's tensor", found, "the memory");
}

/// Checks that a registered tensor fits `spec` by context, type, shape and quantisation, and writes
/// its handle or its address to `tensor`.
[[nodiscard]] QNNPP_ALWAYS_INLINE inline Result<void> bind_registered(
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

QNNPP_INLINE void ApartRanges::make(std::span<UsedMemory> used) {
  forget();  // What is left of a call that threw.
  by_slot_.clear();
  by_slot_.reserve(used.size());
  for (UsedMemory& each : used) {
    const bool is_other_kind = !each.registration != !used.front().registration;
    const auto next = ranges_.lower_bound(each.range);
    if (is_other_kind || !may_stand(each.range, next, ranges_.end())) {
      forget();
      break;
    }
    each.slot = static_cast<std::uint32_t>(by_slot_.size());
    by_slot_.push_back(ranges_.insert(next, each.range));
  }
  is_made_ = true;
}

QNNPP_INLINE ApartRanges::Ranges::iterator ApartRanges::after(
    const ByteRange& range) const noexcept {
  constexpr ByPlace is_before;
  if (is_before(*by_slot_[last_], range)) {
    const auto next = std::next(by_slot_[last_]);
    if (next == ranges_.end() || !is_before(*next, range)) return next;
  }
  return ranges_.lower_bound(range);
}

QNNPP_INLINE bool ApartRanges::may_stand(const ByteRange& range, Ranges::iterator next,
                                         Ranges::iterator except) const noexcept {
  const auto is_apart = [&](const ByteRange& other) {
    return other.memory.inode != range.memory.inode ||
           (other.memory.device == range.memory.device &&
            (other.end <= range.begin || range.end <= other.begin));
  };
  if (next != ranges_.begin()) {
    auto before = std::prev(next);
    if (before == except && before != ranges_.begin()) --before;
    if (before != except && !is_apart(*before)) return false;
  }
  if (next == except && next != ranges_.end()) ++next;
  return next == ranges_.end() || is_apart(*next);
}

QNNPP_INLINE bool ApartRanges::replace(std::uint32_t slot, const ByteRange& range) {
  auto next = after(range);
  const auto old = by_slot_[slot];
  if (!may_stand(range, next, old)) return false;
  if (next == old) ++next;
  auto node = ranges_.extract(old);
  node.value() = range;
  by_slot_[slot] = ranges_.insert(next, std::move(node));
  last_ = slot;
  return true;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
