// Definitions of the members of graph_block.hpp that bind memory.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/detail/graph_block.hpp"
#include "qnnpp/impl/graph/offered_memory.ipp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

QNNPP_INLINE ByteRange BoundMemory::range_of(std::size_t i) const {
  if (!is_raw(i))
    return bytes_of(*memory[sources[i].registration]->memory, sources[i].tensor).range();
  const c_api::ClientBuffer& buffer = tensor_at(i).v1.client_buf;
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data);
  return {{}, begin, begin + buffer.data_size};
}

QNNPP_COLD QNNPP_INLINE Result<void> GraphBlock::check_names(
    std::span<const OfferedMemory> offered) const {
  const auto offered_name = [&](std::size_t i) { return offered[i].name; };
  NameIndex by_name(offered.size());
  for (std::size_t i = 0; i < offered.size(); ++i) {
    QNNPP_TRY(check_name(offered[i].name, binding_step));
    std::uint32_t& at = by_name(offered[i].name, offered_name);
    if (at != NameIndex::none)
      return fail(Error::make(Errc::duplicate_name, binding_step, std::string(offered[i].name),
                              "bound twice to graph " + spec.name));
    at = static_cast<std::uint32_t>(i);
  }

  std::vector<bool> used(offered.size(), false);
  std::string_view first;
  NameList missing;
  const auto look_for = [&](const std::vector<TensorSpec>& specs, std::string_view kind) {
    for (const TensorSpec& tensor : specs) {
      if (const std::uint32_t at = by_name(tensor.name, offered_name); at != NameIndex::none) {
        used[at] = true;
        continue;
      }
      if (missing.empty()) first = tensor.name;
      missing.add(kind, tensor.name);
    }
  };
  look_for(spec.inputs, "input ");
  look_for(spec.outputs, "output ");
  NameList unknown;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    if (used[i]) continue;
    if (missing.empty() && unknown.empty()) first = offered[i].name;
    unknown.add("", offered[i].name);
  }
  if (missing.empty() && unknown.empty()) return {};
  std::string detail = "graph " + spec.name;
  if (!missing.empty()) detail += " got no memory for " + missing.text();
  if (!unknown.empty())
    detail += (missing.empty() ? " has no input or output " : "; it has no input or output ") +
              unknown.text();
  return fail(Error::make(missing.empty() ? Errc::unknown_name : Errc::missing_tensor, binding_step,
                          std::string(first), std::move(detail)));
}

QNNPP_INLINE Result<BoundMemory> GraphBlock::prepare(std::span<const OfferedMemory> offered) const {
  auto bound = match(offered);
  // Errors of names come first, because one error lists all of them.
  if (!bound || offered.size() > tensor_count()) QNNPP_TRY(check_names(offered));
  return bound;
}

QNNPP_COLD QNNPP_INLINE Result<void> GraphBlock::check_overlaps(const BoundMemory& bound) const {
  struct Use : ByteRange {
    std::size_t tensor = 0;
    auto operator<=>(const Use&) const = default;
  };
  const std::size_t inputs_end = spec.inputs.size();
  std::vector<Use> uses;
  uses.reserve(bound.sources.size());
  bool any_raw = false;
  for (std::size_t i = 0; i < bound.sources.size(); ++i) {
    uses.push_back({bound.range_of(i), i});
    any_raw = any_raw || bound.is_raw(i);
  }
  for (std::size_t i = 0; any_raw && i < bound.sources.size(); ++i) {
    if (bound.is_raw(i)) continue;
    const BoundMemory::Source& source = bound.sources[i];
    const ByteRange addresses = addresses_of(bound.memory[source.registration], source.tensor);
    if (addresses.begin != addresses.end) uses.push_back({addresses, i});
  }
  std::sort(uses.begin(), uses.end());
  // The earlier range with the highest end, among all tensors and among the outputs.
  Use any;
  Use output;
  for (const Use& each : uses) {
    const bool is_output = each.tensor >= inputs_end;
    if ((is_output ? any : output).meets(each))
      for (const Use& other : uses)
        if (other.tensor != each.tensor && (is_output || other.tensor >= inputs_end) &&
            other.meets(each) &&
            !(other.begin == each.begin && other.end == each.end &&
              is_updated(other.tensor, each.tensor)))
          return fail(shares_bytes(each.tensor, other.tensor));
    const auto reaches_further = [&](const Use& than) {
      return than.memory != each.memory || each.end > than.end;
    };
    if (reaches_further(any)) any = each;
    if (is_output && reaches_further(output)) output = each;
  }
  return {};
}

QNNPP_INLINE Result<BoundMemory> GraphBlock::match(std::span<const OfferedMemory> offered) const {
  // Most programs offer memory in the graph's order. Then no search by name is necessary.
  NameIndex by_name;
  bool indexed = false;
  const auto name_at = [&](std::size_t i) { return offered[i].name; };
  const auto find = [&](std::string_view name) {
    if (!std::exchange(indexed, true)) {
      by_name = NameIndex(offered.size());
      for (std::size_t i = 0; i < offered.size(); ++i)
        by_name(offered[i].name, name_at) = static_cast<std::uint32_t>(i);
    }
    return by_name(name, name_at);
  };

  BoundMemory bound;
  bound.sources.resize(tensor_count());
  const TensorRegistrationBlock* last_registration = nullptr;
  BoundMemory::Source from;  // The last tensor in registered memory.
  // One buffer with the tensors in the graph's order has no overlaps.
  UsedBytes last = offered.empty() ? UsedBytes() : UsedBytes{bytes_of(offered[0]).memory};
  bool in_order = true;
  std::uint32_t next = 0;
  for (const bool are_outputs : {false, true}) {
    const std::vector<TensorSpec>& specs = are_outputs ? spec.outputs : spec.inputs;
    std::vector<c_api::Tensor>& tensors = are_outputs ? bound.outputs : bound.inputs;
    tensors.resize(specs.size());
    c_api::Tensor* tensor = tensors.data();
    for (const TensorSpec& tensor_spec : specs) {
      std::uint32_t at = next;
      if (at >= offered.size() || offered[at].name != tensor_spec.name) {
        at = find(tensor_spec.name);
        if (at == NameIndex::none)
          return fail(Error::make(Errc::missing_tensor, binding_step, tensor_spec.name));
      }
      const OfferedMemory& source = offered[at];
      describe(tensor_spec, *tensor);
      if (source.registration == nullptr) {
        QNNPP_TRY(bind_raw(*source.binding, tensor_spec, are_outputs, *tensor));
      } else {
        const Ref<TensorRegistrationBlock>& registration = *source.registration;
        QNNPP_TRY(bind_registered(*context, *registration, source.tensor, tensor_spec, *tensor));
        if (registration.get() != last_registration) {
          last_registration = registration.get();
          from.registration = static_cast<std::uint32_t>(bound.memory.size());
          bound.memory.push_back(registration);
        }
        from.tensor = static_cast<std::uint32_t>(source.tensor);
        bound.sources[next] = from;
      }
      ++next;
      ++tensor;
      const UsedBytes bytes = bytes_of(source);
      in_order = in_order && last.memory == bytes.memory && last.end <= bytes.begin;
      last = bytes;
      bound.cost +=
          IoCost::of(tensor_spec.mem_type, source.registration != nullptr, bytes.end - bytes.begin);
    }
  }
  if (!in_order) QNNPP_TRY(check_overlaps(bound));
  if (dynamic) bound.hold_extents(spec);
  return bound;
}

QNNPP_INLINE Result<BoundMemory> GraphBlock::prepare(std::span<const Binding> bindings) const {
  std::vector<OfferedMemory> offered;
  offered.reserve(bindings.size());
  for (const Binding& binding : bindings) {
    const Ref<TensorRegistrationBlock>& registration = Access::block(binding);
    offered.push_back({.name = binding.name(), .binding = &binding});
    if (!registration) continue;
    const auto at = registration->find(binding.registered_name());
    if (!at) return fail(at.error());
    offered.back().registration = &registration;
    offered.back().tensor = shape_for(*registration->memory, *at, binding.name());
  }
  return prepare(std::span<const OfferedMemory>(offered));
}

QNNPP_INLINE Result<BoundMemory> GraphBlock::prepare(
    std::initializer_list<const RegisteredTensors*> registrations) const {
  std::vector<OfferedMemory> offered;
  for (const RegisteredTensors* each : registrations) {
    const Ref<TensorRegistrationBlock>& registration = Access::block(*each);
    QNNPP_EXPECTS(registration, moved_registration);  // ORD-09
    const auto& tensors = registration->memory->tensors;
    const std::size_t first = offered.size();
    offered.reserve(first + tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (registration->handles[i] != nullptr)
        offered.push_back(
            {.name = tensors[i].spec.name, .registration = &registration, .tensor = i});
    if (!registration->memory->next_shape.empty()) choose_shapes(offered, first);
  }
  if (offered.size() > tensor_count()) {
    // The graph uses some of these tensors.
    NameIndex known(tensor_count());
    const auto name_at = [&](std::size_t i) { return std::string_view(spec_at(i).name); };
    for (std::size_t i = 0; i < tensor_count(); ++i)
      known(name_at(i), name_at) = static_cast<std::uint32_t>(i);
    std::erase_if(offered, [&](const OfferedMemory& each) {
      return std::as_const(known)(each.name, name_at) == NameIndex::none;
    });
  }
  return prepare(std::span<const OfferedMemory>(offered));
}

QNNPP_INLINE Result<void> GraphBlock::use(Result<BoundMemory> prepared) {
  if (!prepared) return fail(std::move(prepared).error());
  static_cast<BoundMemory&>(*this) = std::move(*prepared);
  call.use(inputs, outputs);
  return {};
}

QNNPP_INLINE std::size_t GraphBlock::shape_for(const TensorMemoryBlock& offered, std::size_t tensor,
                                               std::string_view name) const {
  if (offered.next_shape.empty()) return tensor;
  const std::size_t at = position_of(name);
  return at < tensor_count() ? offered.shape_for(tensor, spec_at(at)) : tensor;
}

QNNPP_COLD QNNPP_INLINE void GraphBlock::choose_shapes(std::vector<OfferedMemory>& offered,
                                                       std::size_t first) const {
  const auto from = offered.begin() + static_cast<std::ptrdiff_t>(first);
  const auto kept = std::remove_if(from, offered.end(), [&](OfferedMemory& each) {
    const TensorRegistrationBlock& registration = **each.registration;
    if (*registration.find(each.name) != each.tensor) return true;  // Not the first shape.
    each.tensor = shape_for(*registration.memory, each.tensor, each.name);
    return false;
  });
  offered.erase(kept, offered.end());
}

QNNPP_INLINE void GraphBlock::separate() {
  if (!ranges.empty()) return;
  std::vector<Ref<TensorRegistrationBlock>> each(sources.size());
  std::vector<ByteRange> all(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    all[i] = range_of(i);
    if (!is_raw(i)) each[i] = memory[sources[i].registration];
  }
  for (std::size_t i = 0; i < sources.size(); ++i)
    sources[i].registration = static_cast<std::uint32_t>(i);
  memory = std::move(each);
  ranges = std::move(all);
}

QNNPP_INLINE bool GraphBlock::is_updated(std::size_t a, std::size_t b) const noexcept {
  const bool are_input_and_output = (a < spec.inputs.size()) != (b < spec.inputs.size());
  return are_input_and_output && is_read_write(spec_at(a).kind) && is_read_write(spec_at(b).kind);
}

QNNPP_COLD QNNPP_INLINE Error GraphBlock::shares_bytes(std::size_t tensor,
                                                       std::size_t other) const {
  return Error::make(Errc::overlapping, binding_step, spec_at(tensor).name,
                     "it shares bytes with " + spec_at(other).name + " of graph " + spec.name +
                         "; an output must not share bytes");
}

QNNPP_INLINE Result<void> GraphBlock::check_apart(std::size_t at, const ByteRange& range,
                                                  const ByteRange& addresses, bool is_raw,
                                                  std::size_t except) const {
  // An input may share bytes with inputs.
  for (std::size_t i = at >= inputs.size() ? 0 : inputs.size(); i < ranges.size(); ++i) {
    if (i == at || i == except) continue;
    const bool meets =
        ranges[i].meets(range) || ranges[i].meets(addresses) ||
        (is_raw && memory[i] && addresses_of(memory[i], sources[i].tensor).meets(range));
    if (meets && !(ranges[i] == range && is_updated(i, at))) return fail(shares_bytes(at, i));
  }
  return {};
}

QNNPP_INLINE Result<void> GraphBlock::rebind(const Binding& binding) {
  const auto found = index_of(binding.name());
  if (!found) return fail(found.error());
  const std::size_t at = *found;
  const TensorSpec& wanted = spec_at(at);
  c_api::Tensor& tensor = tensor_at(at);
  c_api::Tensor changed = tensor;
  const Ref<TensorRegistrationBlock>& registration = Access::block(binding);
  ByteRange range, addresses;
  std::size_t place = 0;
  if (registration) {
    const auto named = registration->find(binding.registered_name());
    if (!named) return fail(named.error());
    place = registration->memory->shape_for(*named, wanted);
    QNNPP_TRY(bind_registered(*context, *registration, place, wanted, changed));
    range = bytes_of(*registration->memory, place).range();
    addresses = addresses_of(registration, place);
  } else {
    QNNPP_TRY(bind_raw(binding, wanted, at >= inputs.size(), changed));
    const auto begin = reinterpret_cast<std::uintptr_t>(binding.data());
    range = addresses = {{}, begin, begin + binding.size_bytes()};
  }
  separate();
  QNNPP_TRY(check_apart(at, range, addresses, !registration, at));
  const bool was_registered = tensor.v1.mem_type == c_api::TensorMemType::memhandle;
  cost -= IoCost::of(wanted.mem_type, was_registered, ranges[at].end - ranges[at].begin);
  cost += IoCost::of(wanted.mem_type, bool{registration}, range.end - range.begin);
  tensor = changed;
  ranges[at] = range;
  sources[at].tensor = static_cast<std::uint32_t>(place);
  memory[at] = registration;  // Releases the old registration if no other tensor uses it.
  return {};
}

QNNPP_INLINE Result<void> GraphBlock::exchange(std::string_view input, std::string_view output) {
  const auto found_input = index_of(input, false);
  if (!found_input) return fail(found_input.error());
  const auto found_output = index_of(output, true);
  if (!found_output) return fail(found_output.error());
  const std::size_t in = *found_input, out = *found_output;
  const TensorSpec& read = spec_at(in);
  const TensorSpec& written = spec_at(out);
  for (const std::size_t at : {in, out})
    if (tensor_at(at).v1.mem_type != c_api::TensorMemType::memhandle)
      return fail(
          Error::make(Errc::raw_memory, binding_step, spec_at(at).name, "graph " + spec.name));
  const auto memory_of = [&](std::size_t at) -> const TensorSpec& {
    return memory[sources[at].registration]->memory->tensors[sources[at].tensor].spec;
  };
  if (!fits(written, read)) return fail(misfit(written, read));
  if (!fits(written, memory_of(in))) return fail(misfit(written, memory_of(in)));
  if (!fits(read, memory_of(out))) return fail(misfit(read, memory_of(out)));
  if (read.dynamic_dimensions != written.dynamic_dimensions)
    return fail(Error::make(Errc::shape_mismatch, binding_step, written.name,
                            "other dimensions of it are dynamic than of " + read.name));
  separate();
  QNNPP_TRY(check_apart(out, ranges[in], addresses_of(memory[in], sources[in].tensor), false, in));
  if (read.is_dynamic())  // Each memory keeps its actual extents.
    std::swap_ranges(tensor_at(in).v1.dimensions,
                     tensor_at(in).v1.dimensions + tensor_at(in).v1.rank,
                     tensor_at(out).v1.dimensions);
  std::swap(tensor_at(in).v1.mem_handle, tensor_at(out).v1.mem_handle);
  std::swap(ranges[in], ranges[out]);
  std::swap(sources[in].tensor, sources[out].tensor);
  std::swap(memory[in], memory[out]);
  return {};
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
