// Definitions of kv_cache.hpp.
#pragma once

#include "qnnpp/memory/kv_cache.hpp"

#include <algorithm>
#include <cstring>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Step in the errors of KvCache::allocate().
inline constexpr char planning_cache[] = "planning a cache";

/// Finds the input (or output) `name` of a graph. Error: `unknown_name`.
[[nodiscard]] QNNPP_INLINE Result<const TensorSpec*> tensor_of(std::span<const TensorSpec> specs,
                                                               const std::string& name,
                                                               const char* kind,
                                                               std::size_t graph) {
  NameList known(name);
  for (const TensorSpec& each : specs) {
    if (each.name == name) return &each;
    known.add("", each.name);
  }
  const std::string whose = detail::joined({"graph ", graph, " of the list has "});
  return fail(Errc::unknown_name, planning_cache, name,
              whose + (specs.empty() ? "no " : "the ") + kind +
                  (specs.empty() ? "s" : detail::joined({"s ", known.text()})));
}

/// Checks that a tensor consists of rows of whole bytes along `axis`.
[[nodiscard]] QNNPP_INLINE Result<void> check_rows(const TensorSpec& tensor, std::size_t axis) {
  if (tensor.format != c_api::tensor_data_format::dense)
    return fail(Errc::unsupported_tensor, planning_cache, tensor.name,
                "its layout is the HTP's own, so no position can be written; bind the "
                "tensor whole and use exchange()");
  if (tensor.is_dynamic())
    return fail(Errc::unsupported_tensor, planning_cache, tensor.name,
                "its rows have another length at each execution, because its "
                "dimensions are dynamic");
  if (element_bits(tensor.data_type) % 8 != 0)
    return fail(Errc::unsupported_tensor, planning_cache, tensor.name,
                {name_of(tensor.data_type), " elements share bytes"});
  if (axis >= tensor.dimensions.size())
    return fail(Errc::invalid_argument, planning_cache, tensor.name,
                {"it is ", to_string(tensor.dimensions), " and has no dimension ", axis,
                 "; give one that it has"});
  return {};
}

/// Checks that two tensors differ along `axis` at most.
[[nodiscard]] QNNPP_INLINE Result<void> check_alike(const TensorSpec& a, const TensorSpec& b,
                                                    std::size_t axis) {
  if (a.data_type != b.data_type || !same_quantisation(a, b))
    return fail(Errc::type_mismatch, planning_cache, b.name,
                {"it is ", name_of(b.data_type), " with ", to_string(b.quantisation), ", ", a.name,
                 " is ", name_of(a.data_type), " with ", to_string(a.quantisation)});
  bool are_alike = a.dimensions.size() == b.dimensions.size();
  for (std::size_t i = 0; are_alike && i < a.dimensions.size(); ++i)
    are_alike = i == axis || a.dimensions[i] == b.dimensions[i];
  if (are_alike) return {};
  return fail(Errc::shape_mismatch, planning_cache, b.name,
              {"it is ", to_string(b.dimensions), ", ", a.name, " is ", to_string(a.dimensions),
               "; they may differ in dimension ", axis, " only"});
}

/// Adds a tensor at `offset`, unless this shape of it is there. Returns its index.
[[nodiscard]] QNNPP_INLINE Result<std::size_t> place(std::vector<TensorPlacement>& placements,
                                                     const TensorSpec& tensor,
                                                     std::uint64_t offset) {
  for (std::size_t i = 0; i < placements.size(); ++i)
    if (placements[i].offset_bytes == offset &&
        placements[i].spec.dimensions == tensor.dimensions) {
      if (!placements[i].spec.quantisation) placements[i].spec.quantisation = tensor.quantisation;
      return i;
    }
  QNNPP_LET(bytes, tensor.size_bytes());
  placements.push_back({tensor, offset, *bytes});
  return placements.size() - 1;
}

/// Places one tensor of all graphs at the end of `layout`. Fills its entries of KvLayout::rows.
[[nodiscard]] QNNPP_INLINE Result<void> place_in_all(KvLayout& layout, std::size_t at,
                                                     const KvTensor& tensor,
                                                     std::initializer_list<KvGraph> graphs) {
  const TensorSpec* model = nullptr;
  for (const bool is_next : {false, true}) {
    const std::uint64_t start = layout.bytes;
    const std::size_t first = layout.placements.size();
    std::size_t graph = 0;
    for (const KvGraph& each : graphs) {
      QNNPP_LET(found, tensor_of(is_next ? each.outputs : each.inputs,
                                 is_next ? tensor.next : tensor.cache, is_next ? "output" : "input",
                                 graph));
      const TensorSpec& spec = **found;
      if (model == nullptr) model = &spec;
      QNNPP_TRY(check_rows(spec, tensor.axis));
      QNNPP_TRY(check_alike(*model, spec, tensor.axis));
      if (!model->quantisation) model = &spec;
      QNNPP_LET(placed, place(layout.placements, spec, start));

      KvRows& rows = layout.rows[graph * layout.tensors + at];
      (is_next ? rows.output_positions : rows.capacity) = spec.dimensions[tensor.axis];
      (is_next ? rows.next_offset : rows.cache_offset) = start;
      (is_next ? layout.graphs[graph].outputs : layout.graphs[graph].caches).push_back(*placed);
      if (!is_next) {
        rows.cache = *placed;
        rows.rows = 1;
        for (std::size_t i = 0; i < tensor.axis; ++i) rows.rows *= spec.dimensions[i];
        rows.position_bytes = layout.placements[*placed].size_bytes / rows.rows / rows.capacity;
      }
      ++graph;
    }
    std::uint64_t most = 0;
    for (std::size_t i = first; i < layout.placements.size(); ++i)
      most = std::max(most, layout.placements[i].size_bytes);
    if (most > UINT64_MAX - tensor_alignment_bytes - start)
      return fail(beyond_limit(planning_cache, is_next ? tensor.next : tensor.cache, 0, 0,
                               "the sum of the sizes overflows"));
    layout.bytes = (start + most + tensor_alignment_bytes - 1) / tensor_alignment_bytes *
                   tensor_alignment_bytes;
  }
  return {};
}

QNNPP_INLINE Result<KvLayout> KvLayout::make(std::span<const KvTensor> tensors,
                                             std::initializer_list<KvGraph> graphs) {
  if (tensors.empty()) return fail(Errc::empty, planning_cache, "list of tensors");
  KvLayout layout;
  layout.tensors = tensors.size();
  layout.rows.resize(tensors.size() * graphs.size());
  for (const KvGraph& graph : graphs) layout.graphs.push_back({std::string(graph.name), {}, {}});
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    bool is_used = tensors[i].cache == tensors[i].next;
    for (std::size_t j = 0; j < i; ++j)
      for (const std::string* const name : {&tensors[i].cache, &tensors[i].next})
        is_used = is_used || *name == tensors[j].cache || *name == tensors[j].next;
    if (is_used)
      return fail(Errc::duplicate_name, planning_cache, tensors[i].cache,
                  {"it or its output ", tensors[i].next, " is used twice"});
    QNNPP_TRY(place_in_all(layout, i, tensors[i], graphs));
  }
  return layout;
}

/// Makes the error of positions for which there is no room.
[[nodiscard]] QNNPP_INLINE Error too_many_positions(const char* step, const std::string& tensor,
                                                    std::uint64_t positions, const char* what,
                                                    std::uint64_t room) {
  return Error::make(Errc::too_large, step, tensor, {positions, " positions, ", what, " ", room});
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<KvCache> KvCache::make(detail::KvLayout layout,
                                           const MemRegion<TensorIo>& region) {
  auto block =
      Ref<detail::TensorMemoryBlock>::make(c_api::MemType::custom, std::move(layout.placements));
  block->memory.push_back(detail::Access::block(region));
  QNNPP_TRY(block->index(true));
  QNNPP_TRY(block->check_starts());
  auto memory = detail::Access::make<SharedBuffer<MultiTensor>>(std::move(block));
  QNNPP_LET(all, memory.access(CpuUse::write));
  std::memset(all->bytes().data(), 0, all->bytes().size());
  QNNPP_TRY(std::move(*all).end());
  detail::Access::block(memory)->order = Ref<detail::CacheOrder>::make(std::move(layout.graphs));
  return KvCache(std::move(layout), std::move(memory));
}

QNNPP_INLINE const KvCache& KvCache::alive() const {
  qnnpp::detail::expects(detail::Access::block(memory_),
                         "the cache was moved from; use the object it was moved to");  // ORD-09
  return *this;
}

QNNPP_INLINE std::uint64_t KvCache::capacity() const {
  std::uint64_t least = UINT64_MAX;
  for (const detail::KvRows& rows : layout_.of(graph())) least = std::min(least, rows.capacity);
  return least;
}

QNNPP_INLINE Result<void> KvCache::use(std::size_t graph) {
  constexpr const char* step = "laying out a cache";
  const auto& tensors = detail::Access::block(alive().memory_)->tensors;
  const std::size_t graphs = layout_.rows.size() / layout_.tensors;
  if (graph >= graphs)
    return fail(Errc::invalid_argument, step, tensors[0].spec.name,
                {"the cache has no graph ", graph, "; give an index below ", graphs});
  if (graph == order().in_use) return {};
  QNNPP_TRY(detail::Access::block(memory_)->check_closed(step));
  const auto from = layout_.of(order().in_use), to = layout_.of(graph);
  bool moves = false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i].capacity < length_)
      return fail(detail::too_many_positions(step, tensors[to[i].cache].spec.name, length_,
                                             "the graph has room for", to[i].capacity));
    moves = moves || (to[i].rows != 1 && to[i].capacity != from[i].capacity && length_ != 0);
  }
  if (moves) {
    QNNPP_LET(access, memory_.access(CpuUse::read_write));
    for (std::size_t i = 0; i < to.size(); ++i) {
      std::byte* const cache = access->bytes().data() + to[i].cache_offset;
      const std::uint64_t old_row = from[i].capacity * from[i].position_bytes;
      const std::uint64_t new_row = to[i].capacity * to[i].position_bytes;
      // Rows that move forward are moved from the last to the first, so that none is overwritten.
      for (std::uint64_t n = 0; n < to[i].rows; ++n) {
        const std::uint64_t row = new_row < old_row ? n : to[i].rows - 1 - n;
        std::memmove(cache + row * new_row, cache + row * old_row, length_ * to[i].position_bytes);
      }
    }
    order().lay_out(graph);  // The positions are moved even if the device cannot see them yet.
    return std::move(*access).end();
  }
  order().lay_out(graph);
  return {};
}

QNNPP_INLINE Result<void> KvCache::append(std::uint64_t positions) {
  constexpr const char* step = "appending to a cache";
  const auto& tensors = detail::Access::block(alive().memory_)->tensors;
  const auto all = layout_.of(graph());
  if (positions == 0) return {};
  for (const detail::KvRows& rows : all) {
    const std::string& name = tensors[rows.cache].spec.name;
    if (positions > rows.output_positions)
      return fail(detail::too_many_positions(step, name, positions, "the outputs have",
                                             rows.output_positions));
    if (positions > rows.capacity - length_)
      return fail(detail::too_many_positions(step, name, positions, "the cache has room for",
                                             rows.capacity - length_));
  }
  detail::CacheOrder& order = this->order();
  const std::string& graph = order.graphs[order.in_use].name;
  if (!order.has_executed)
    return fail(Errc::wrong_order, step, tensors[all[0].cache].spec.name,
                {"graph ", graph,
                 " has had no execute() since the last use() or append(); make this call first"});
  QNNPP_TRY(detail::Access::block(memory_)->check_closed(step));
  QNNPP_LET(access, memory_.access(CpuUse::read_write));
  std::byte* const bytes = access->bytes().data();
  for (const detail::KvRows& rows : all) {
    const std::byte* from = bytes + rows.next_offset;
    std::byte* to = bytes + rows.cache_offset + length_ * rows.position_bytes;
    for (std::uint64_t row = 0; row < rows.rows; ++row) {
      std::memcpy(to, from, positions * rows.position_bytes);
      from += rows.output_positions * rows.position_bytes;
      to += rows.capacity * rows.position_bytes;
    }
  }
  order.has_executed = false;
  QNNPP_TRY(std::move(*access).end());
  length_ += positions;
  return {};
}

QNNPP_INLINE Result<void> KvCache::rewind(std::uint64_t positions) {
  const std::uint64_t length = alive().length_;
  if (positions > length)
    return fail(detail::too_many_positions("rewinding a cache",
                                           detail::Access::block(memory_)->tensors[0].spec.name,
                                           positions, "the cache has", length));
  length_ = positions;
  return {};
}

QNNPP_INLINE Result<void> KvCache::set_length(std::uint64_t positions) {
  if (const std::uint64_t room = capacity(); positions > room)
    return fail(detail::too_many_positions("loading a cache",
                                           detail::Access::block(memory_)->tensors[0].spec.name,
                                           positions, "the cache has room for", room));
  order().has_executed = false;
  length_ = positions;
  return {};
}

QNNPP_INLINE Result<std::size_t> KvCache::find(std::string_view cache) const {
  const auto& tensors = detail::Access::block(alive().memory_)->tensors;
  detail::NameList known(cache);
  for (const detail::KvRows& rows : layout_.of(graph())) {
    if (tensors[rows.cache].spec.name == cache) return rows.cache;
    known.add("", tensors[rows.cache].spec.name);
  }
  return fail(Errc::unknown_name, "finding a tensor", std::string(cache),
              {"the cache has the caches ", known.text()});
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
