// Definitions of the members of graph_block.hpp that bind memory.
#pragma once

#include <algorithm>
#include <compare>

#include "qnnpp/graph/detail/graph_block.hpp"
#include "qnnpp/impl/graph/offered_memory.ipp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE Result<void> GraphBlock::offer(const RegisteredTensors* tensors,
                                            std::vector<OfferedMemory>& offered) const {
  const Ref<TensorRegistrationBlock>& registration = Access::block(*tensors);
  qnnpp::detail::expects(registration, moved_registration);  // ORD-09
  const TensorMemoryBlock& memory = *registration->memory;
  offered.reserve(offered.size() + memory.tensors.size());
  for (std::size_t i = 0; i < memory.tensors.size(); ++i) {
    const std::string& name = memory.tensors[i].spec.name;
    const bool is_first_shape = memory.next_shape.empty() || *registration->find(name) == i;
    if (registration->handles[i] != nullptr && is_first_shape)
      offered.push_back(
          {.name = name, .registration = &registration, .tensor = shape_for(memory, i, name)});
  }
  return {};
}

QNNPP_INLINE std::size_t GraphBlock::shape_for(const TensorMemoryBlock& offered, std::size_t tensor,
                                               std::string_view name) const {
  if (offered.next_shape.empty()) return tensor;
  const std::size_t at = find_tensor(name);
  return at < tensor_count() ? offered.shape_for(tensor, spec_at(at)) : tensor;
}

QNNPP_INLINE Result<std::vector<std::uint32_t>> GraphBlock::assign(
    std::span<const OfferedMemory> offered) const {
  std::vector<std::uint32_t> assigned(tensor_count());
  // Most programs offer memory in the graph's order. Then no search by name is necessary.
  std::size_t in_order = 0;
  while (in_order < std::min(assigned.size(), offered.size()) &&
         offered[in_order].name == spec_at(in_order).name) {
    assigned[in_order] = static_cast<std::uint32_t>(in_order);
    ++in_order;
  }
  if (in_order == assigned.size() && in_order == offered.size()) return assigned;

  const auto name_at = [&](std::size_t i) { return offered[i].name; };
  NameTable by_name(offered.size());
  for (std::size_t i = 0; i < offered.size(); ++i) {
    QNNPP_TRY(check_name(offered[i].name, binding_step));
    std::uint32_t& at = by_name(offered[i].name, name_at);
    if (at != NameTable::none)
      return fail(Errc::duplicate_name, binding_step, std::string(offered[i].name),
                  {"bound twice to graph ", spec.name});
    at = static_cast<std::uint32_t>(i);
  }
  std::vector<bool> is_used(offered.size(), false);
  std::string_view first;
  NameList missing, unknown;
  for (std::size_t i = 0; i < assigned.size(); ++i) {
    const std::string& name = spec_at(i).name;
    assigned[i] = by_name(name, name_at);
    if (assigned[i] != NameTable::none) {
      is_used[assigned[i]] = true;
      continue;
    }
    if (missing.empty()) first = name;
    missing.add(i < spec.inputs.size() ? "input " : "output ", name);
  }
  for (std::size_t i = 0; i < offered.size(); ++i) {
    if (is_used[i]) continue;
    if (missing.empty() && unknown.empty()) first = offered[i].name;
    unknown.add("", offered[i].name);
  }
  if (missing.empty() && unknown.empty()) return assigned;
  std::string detail = detail::joined({"graph ", spec.name});
  if (!missing.empty()) detail += detail::joined({" got no memory for ", missing.text()});
  if (!unknown.empty())
    detail += (missing.empty() ? " has no input or output " : "; it has no input or output ") +
              unknown.text();
  if (missing.empty()) {  // All tensors have memory: lists those that are most like the first.
    NameList known(first);
    for (std::size_t i = 0; i < assigned.size(); ++i)
      known.add(i < spec.inputs.size() ? "input " : "output ", spec_at(i).name);
    detail += detail::joined({"; it has ", known.text()});
  }
  return fail(missing.empty() ? Errc::unknown_name : Errc::missing_tensor, binding_step,
              std::string(first), detail);
}

QNNPP_INLINE Result<UsedMemory> GraphBlock::bind_one(std::size_t at, const OfferedMemory& offered,
                                                     c_api::Tensor& tensor) const {
  const TensorSpec& wanted = spec_at(at);
  if (offered.registration == nullptr) {
    QNNPP_TRY(bind_raw(*offered.binding, wanted, at >= spec.inputs.size(), tensor));
    const auto begin = reinterpret_cast<std::uintptr_t>(offered.binding->data);
    return UsedMemory{{{}, begin, begin + offered.binding->size_bytes}, {}};
  }
  const Ref<TensorRegistrationBlock>& registration = *offered.registration;
  QNNPP_TRY(bind_registered(*context, *registration, offered.tensor, wanted, tensor));
  const TensorPlacement& placed = registration->memory->tensors[offered.tensor];
  return UsedMemory{.range = {registration->memory->memory_of(offered.tensor).id,
                              placed.offset_bytes, placed.offset_bytes + placed.size_bytes},
                    .registration = registration,
                    .tensor = static_cast<std::uint32_t>(offered.tensor)};
}

QNNPP_INLINE Result<BoundMemory> GraphBlock::bind(std::vector<OfferedMemory> offered) const {
  if (is_for_registered) QNNPP_TRY(require_registered(*this));
  if (offered.size() > tensor_count())  // The graph uses some of the registered tensors.
    std::erase_if(offered, [&](const OfferedMemory& each) {
      return each.binding == nullptr && find_tensor(each.name) == tensor_count();
    });
  QNNPP_LET(assigned, assign(offered));
  BoundMemory bound;
  bound.inputs.resize(spec.inputs.size());
  bound.outputs.resize(spec.outputs.size());
  bound.used.reserve(tensor_count());
  for (std::size_t i = 0; i < tensor_count(); ++i) {
    c_api::Tensor& tensor = bound.tensor_at(i);
    describe(spec_at(i), tensor);
    QNNPP_LET(memory, bind_one(i, offered[(*assigned)[i]], tensor));
    bound.used.push_back(std::move(*memory));
  }
  QNNPP_TRY(check_overlaps(bound.used));
  hold_extents(bound);
  bound.note_caches();
  return bound;
}

QNNPP_INLINE Result<void> GraphBlock::check_overlaps(std::span<const UsedMemory> all) const {
  // One buffer with the tensors in the graph's order has no overlaps.
  const auto may_meet = [](const UsedMemory& a, const UsedMemory& b) {
    return a.range.memory != b.range.memory || a.range.end > b.range.begin;
  };
  if (std::adjacent_find(all.begin(), all.end(), may_meet) == all.end()) return {};

  struct Use : ByteRange {
    std::size_t tensor = 0;
    auto operator<=>(const Use&) const = default;
  };
  const auto is_raw = [](const UsedMemory& memory) { return !memory.registration; };
  const bool any_raw = std::any_of(all.begin(), all.end(), is_raw);
  std::vector<Use> uses;
  for (std::size_t i = 0; i < all.size(); ++i) {
    uses.push_back({all[i].range, i});
    if (any_raw && all[i].registration) uses.push_back({addresses_of(all[i]), i});
  }
  std::sort(uses.begin(), uses.end());
  // The earlier range with the highest end, among all tensors and among the outputs.
  Use any;
  Use output;
  for (const Use& each : uses) {
    const bool is_output = each.tensor >= spec.inputs.size();
    if ((is_output ? any : output).meets(each))
      for (const Use& other : uses)
        if (other.tensor != each.tensor && (is_output || other.tensor >= spec.inputs.size()) &&
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

QNNPP_INLINE Result<void> GraphBlock::use(Result<BoundMemory> prepared) {
  if (!prepared) return fail(std::move(prepared).error());
  static_cast<BoundMemory&>(*this) = std::move(*prepared);
  call.use(inputs, outputs);
  return {};
}

QNNPP_INLINE void BoundMemory::note_caches() {
  order.caches.clear();
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i].has_order())
      order.note(*used[i].registration->memory->order, i, used[i].tensor, i >= inputs.size());
  order.update();
}

QNNPP_INLINE void OrderChecks::note(CacheOrder& cache, std::size_t at, std::size_t tensor,
                                    bool is_output) {
  auto use = std::find_if(caches.begin(), caches.end(),
                          [&](const CacheUse& each) { return each.order == &cache; });
  if (use == caches.end())
    use = caches.insert(use, {&cache, at, std::vector<CacheUse::Match>(cache.graphs.size())});
  for (std::size_t graph = 0; graph < cache.graphs.size(); ++graph) {
    const auto& its = is_output ? cache.graphs[graph].outputs : cache.graphs[graph].caches;
    CacheUse::Match& match = use->matches[graph];
    if (std::find(its.begin(), its.end(), tensor) == its.end()) match.has_its_shapes = false;
    match.writes_its_outputs = match.writes_its_outputs || is_output;
  }
}

QNNPP_INLINE void OrderChecks::executed(bool succeeded) {
  for (const CacheUse& each : caches)
    if (each.now().writes_its_outputs) each.order->has_executed = succeeded;
  if (!succeeded || is_unwritten.empty()) return;
  is_unwritten.clear();
  update();
}

QNNPP_INLINE void GraphBlock::set_unwritten(std::size_t tensor, bool is_unwritten) noexcept {
  if (order.is_unwritten.empty() || order.is_unwritten[tensor] == is_unwritten) return;
  order.is_unwritten[tensor] = is_unwritten;
  if (tensor < inputs.size()) is_unwritten ? ++order.unwritten_inputs : --order.unwritten_inputs;
}

QNNPP_INLINE void GraphBlock::expect_writes() {
  order.is_unwritten.assign(tensor_count(), true);
  order.unwritten_inputs = inputs.size();
  order.update();
}

[[gnu::noinline]] QNNPP_INLINE bool GraphBlock::is_in_order() const {
  if (order.unwritten_inputs != 0) return false;
  for (const CacheUse& each : order.caches)
    if (!each.now().has_its_shapes) return false;
  if (has_open_accesses())
    for (const UsedMemory& each : used)
      if (each.registration && each.is_open()) return false;
  return true;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<void> GraphBlock::check_order() const {
  constexpr const char* step = name_of(c_api::Slot::graph_execute);
  if (order.unwritten_inputs != 0) {
    std::size_t at = 0;
    while (!order.is_unwritten[at]) ++at;
    return fail(Errc::unwritten_input, step, spec_at(at).name,
                {"graph ", spec.name, " reads it, but it was never written"});
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i].registration && used[i].is_open()) return fail(open_for_cpu(step, spec_at(i).name));
  for (const CacheUse& each : order.caches) {
    if (each.now().has_its_shapes) continue;
    const std::string& tensor = spec_at(each.tensor).name;
    std::size_t its = 0;
    while (its < each.matches.size() && !each.matches[its].has_its_shapes) ++its;
    if (its == each.matches.size())
      return fail(Errc::shape_mismatch, step, tensor,
                  {"no graph of the cache has all shapes of graph ", spec.name});
    return fail(Errc::wrong_order, step, tensor,
                {"the cache is laid out for graph ", each.order->graphs[each.order->in_use].name,
                 ", and graph ", spec.name, " needs use(", its, "); make this call first"});
  }
  return {};
}

QNNPP_INLINE IoCost GraphBlock::io_cost() const {
  IoCost sum;
  for (std::size_t i = 0; i < used.size(); ++i)
    sum += IoCost::of(spec_at(i).mem_type,
                      used[i].registration && !used[i].registration->is_by_address,
                      used[i].range.end - used[i].range.begin);
  return sum;
}

QNNPP_INLINE bool GraphBlock::is_updated(std::size_t a, std::size_t b) const noexcept {
  const bool are_input_and_output = (a < spec.inputs.size()) != (b < spec.inputs.size());
  return are_input_and_output && is_read_write(spec_at(a).kind) && is_read_write(spec_at(b).kind);
}

QNNPP_INLINE Error GraphBlock::shares_bytes(std::size_t tensor, std::size_t other) const {
  return Error::make(Errc::overlapping, binding_step, spec_at(tensor).name,
                     {"it shares bytes with ", spec_at(other).name, " of graph ", spec.name,
                      "; an output must not share bytes"});
}

QNNPP_INLINE Result<void> GraphBlock::check_apart(std::size_t at, const UsedMemory& memory,
                                                  std::size_t except) const {
  // An input may share bytes with inputs.
  for (std::size_t i = at >= inputs.size() ? 0 : inputs.size(); i < used.size(); ++i) {
    if (i == at || i == except) continue;
    const bool is_other_kind = !used[i].registration != !memory.registration;
    const bool meets = used[i].range.meets(memory.range) ||
                       (is_other_kind && addresses_of(used[i]).meets(addresses_of(memory)));
    if (meets && !(used[i].range == memory.range && is_updated(i, at)))
      return fail(shares_bytes(at, i));
  }
  return {};
}

QNNPP_INLINE Result<void> GraphBlock::rebind(const BindingBlock& binding) {
  QNNPP_LET(at, index_of(binding.name, binding_step));
  QNNPP_LET(offered, offer(binding));
  const bool are_apart = ranges.made(used);
  c_api::TensorV1& bound = tensor_at(*at).v1;
  const auto old_type = bound.mem_type;
  const auto old_memory = bound.client_buf;  // Or the handle, in the same bytes.
  QNNPP_LET(memory, bind_one(*at, *offered, tensor_at(*at)));
  const bool is_other_kind = !memory->registration != !used[*at].registration;
  memory->slot = used[*at].slot;
  if (is_other_kind || !are_apart || !ranges.replace(memory->slot, memory->range)) {
    if (auto apart = check_apart(*at, *memory, *at); !apart) {
      bound.mem_type = old_type;
      bound.client_buf = old_memory;
      return apart;
    }
    ranges.forget();  // Inputs may share bytes.
  }
  const bool with_caches = used[*at].has_order() || memory->has_order();
  used[*at] = std::move(*memory);  // Releases the old registration if no other tensor uses it.
  if (with_caches) note_caches();
  set_unwritten(*at, false);
  return {};
}

QNNPP_INLINE Result<void> GraphBlock::exchange(std::string_view input, std::string_view output) {
  QNNPP_LET(in, index_of(input, finding_step, false));
  QNNPP_LET(out, index_of(output, finding_step, true));
  const TensorSpec& read = spec_at(*in);
  const TensorSpec& written = spec_at(*out);
  UsedMemory& of_input = used[*in];
  UsedMemory& of_output = used[*out];
  for (const std::size_t at : {*in, *out})
    if (!used[at].registration)
      return fail(Errc::raw_memory, binding_step, spec_at(at).name, {"graph ", spec.name});
  if (!fits(written, read)) [[unlikely]]
    return fail(misfit(written, read));
  // The memory fits its tensor, so that only its quantisation may differ from the other's.
  const auto memory_of = [](const UsedMemory& memory) -> const TensorSpec& {
    return memory.registration->memory->tensors[memory.tensor].spec;
  };
  if (!same_quantisation(memory_of(of_input), written)) [[unlikely]]
    return fail(misfit(written, memory_of(of_input)));
  if (!same_quantisation(memory_of(of_output), read)) [[unlikely]]
    return fail(misfit(read, memory_of(of_output)));
  if (read.dynamic_dimensions != written.dynamic_dimensions)
    return fail(Errc::shape_mismatch, binding_step, written.name,
                {"other dimensions of it are dynamic than of ", read.name});
  if (!ranges.made(used)) QNNPP_TRY(check_apart(*out, of_input, *in));
  if (has_open_accesses()) [[unlikely]]
    for (const std::size_t at : {*in, *out})
      if (used[at].is_open()) return fail(open_for_cpu(binding_step, spec_at(at).name));
  c_api::TensorV1& reads = tensor_at(*in).v1;
  c_api::TensorV1& writes = tensor_at(*out).v1;
  if (read.is_dynamic())  // Each memory keeps its actual extents.
    std::swap_ranges(reads.dimensions, reads.dimensions + reads.rank, writes.dimensions);
  std::swap(reads.mem_type, writes.mem_type);
  std::swap(reads.client_buf, writes.client_buf);  // Or the handles, in the same bytes.
  std::swap(of_input, of_output);
  if (of_input.has_order() || of_output.has_order()) note_caches();
  if (!order.is_unwritten.empty()) {
    const bool was_unwritten = order.is_unwritten[*in];
    set_unwritten(*in, order.is_unwritten[*out]);
    set_unwritten(*out, was_unwritten);
  }
  return {};
}

QNNPP_INLINE Result<void> GraphBlock::exchange(
    std::span<const std::pair<std::string_view, std::string_view>> pairs) {
  for (std::size_t done = 0; done < pairs.size(); ++done) {
    auto exchanged = exchange(pairs[done].first, pairs[done].second);
    if (exchanged) [[likely]]
      continue;
    while (done-- > 0)  // A second exchange restores both.
      (void)exchange(pairs[done].first, pairs[done].second);
    return exchanged;
  }
  return {};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
