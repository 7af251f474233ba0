// KvCache: tensors that stay between executions, such as the key-value cache of a decoder.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_buffer.hpp"
#include "qnnpp/memory/tensor_access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// A tensor of a KvCache, and the output that extends it. Both have the same dimensions, except
/// along one axis: there, the cache has room for all positions, and the output has the new
/// positions.
struct KvTensor {
  std::string cache = {};  ///< Input of the graphs: the positions so far.
  std::string next = {};   ///< Output of the graphs: the positions that an execution adds.
  std::size_t axis = 0;    ///< Dimension of the positions, from 0 for the outermost.
};

namespace detail {

/// Name, inputs and outputs of one graph of a KvCache.
struct KvGraph {
  std::string_view name;
  std::span<const TensorSpec> inputs;
  std::span<const TensorSpec> outputs;
};

/// A type with functions that list the tensors of a graph, such as Graph<Retrieved>.
template <class G>
concept ListsTensors = requires(const G& graph) {
  { graph.name() } -> std::convertible_to<std::string_view>;
  { graph.inputs() } -> std::convertible_to<std::span<const TensorSpec>>;
  { graph.outputs() } -> std::convertible_to<std::span<const TensorSpec>>;
};
/// A type with the tensors of a graph: such a graph, or a GraphSpec.
template <class G>
concept HasTensors = ListsTensors<G> || std::same_as<G, GraphSpec>;

/// Returns the tensors of a graph.
template <HasTensors G>
[[nodiscard]] KvGraph tensors_of(const G& graph) {
  if constexpr (ListsTensors<G>)
    return {graph.name(), graph.inputs(), graph.outputs()};
  else
    return {graph.name, graph.inputs, graph.outputs};
}

/// A type without them that is no Result, such as Graph<Bound>. For refusals.
template <class G>
concept NoTensors = !HasTensors<G> && !AnyResult<G>;

/// One tensor in the shape of one graph, as rows of bytes. A row has the positions of one index
/// before the axis.
struct KvRows {
  std::size_t cache = 0;               ///< Index of the cache in the memory.
  std::uint64_t cache_offset = 0;      ///< Offset of the cache in the memory.
  std::uint64_t next_offset = 0;       ///< Offset of the output in the memory.
  std::uint64_t rows = 0;              ///< Number of rows, in both.
  std::uint64_t position_bytes = 0;    ///< Bytes of one position in one row.
  std::uint64_t capacity = 0;          ///< Positions in a row of the cache.
  std::uint64_t output_positions = 0;  ///< Positions in a row of the output.
};

/// Places of all tensors of a KvCache, for all its graphs.
struct KvLayout {
  std::vector<TensorPlacement> placements;  ///< Each shape of each tensor once.
  std::uint64_t bytes = 0;                  ///< Bytes of the memory.
  std::size_t tensors = 0;                  ///< Number of KvTensor objects.
  std::vector<KvRows> rows;                 ///< `tensors` for each graph.
  std::vector<CacheOrder::Graph> graphs;    ///< The same tensors as indices of `placements`.

  /// Reports the errors of KvCache::allocate(), except those of the allocator.
  [[nodiscard]] static Result<KvLayout> make(std::span<const KvTensor> tensors,
                                             std::initializer_list<KvGraph> graphs);
  /// The tensors in the shapes of one graph.
  [[nodiscard]] std::span<const KvRows> of(std::size_t graph) const& noexcept {
    return std::span(rows).subspan(graph * tensors, tensors);
  }
};

}  // namespace detail

/// Owns tensors that stay between executions and grow by positions: the keys and values of a
/// decoder's cache. Several graphs use the same bytes, each in its own shape: prefill and decode.
///
/// A graph reads the cache as an input, and an output has the positions of its last execution.
/// append() copies these positions behind the ones that are there. Nothing else is copied: the
/// cache is registered once and read in place.
///
/// The order is use(), execution, append(): a graph executes only if the positions are laid out for
/// it (ORD-20), and append() needs an execution of that graph since the last use() or append()
/// (ORD-21). All three refuse while the CPU has a tensor of the cache open (ORD-18).
///
///   auto cache = KvCache::allocate(rpcmem, {{"keys", "new_keys", 3}}, prefill, decode);
///   auto tensors = RegisteredTensors::create(context, cache->memory());
///   ... bind both graphs to *tensors and to their other tensors ...
///   cache->use(0); prefill->execute(); cache->append(tokens);
///   cache->use(1); decode->execute();  cache->append(1);
///
/// The cache has its positions from index 0 on. The bytes of other positions are unspecified, but
/// were zero at first; a graph must mask them out.
///
/// Move-only. Registrations and bound graphs keep the memory alive. A moved-from cache refuses all
/// members (contract). Threads: one at a time, and none while a graph executes that uses the
/// memory.
class KvCache {
 public:
  QNNPP_MOVE_ONLY(KvCache, "a cache has one owner; write std::move(cache)");
  template <detail::ResultOf<KvCache> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *cache, or use value_or_throw()",
                           KvCache, const R&);

  /// Allocates one buffer for the tensors, in the shapes of all these graphs, and fills it with
  /// zeros. Each graph must have all the tensors. use() takes the graphs' indices, in this order
  /// from 0. At first, the tensors have the shapes of graph 0.
  ///
  /// Errors, before anything is allocated, with the tensor's name:
  /// - `empty` without tensors, `unknown_name` for a graph that lacks one, `duplicate_name`;
  /// - `shape_mismatch` if the dimensions of cache and output, or of two graphs, differ in another
  ///   dimension than the axis, and `invalid_argument` if they lack the axis;
  /// - `type_mismatch` if types or quantisations differ;
  /// - `unsupported_tensor` for elements of 4 bits, dynamic dimensions, and a layout of the HTP's
  /// own:
  ///   bind such a tensor whole, see Graph::exchange();
  /// - the errors of TensorSpec::size_bytes().
  ///
  /// Then the errors of the allocator and of CpuAccess::begin().
  template <DmaAllocator Allocator, detail::HasTensors... Graphs>
    requires(sizeof...(Graphs) > 0)
  [[nodiscard]] static Result<KvCache> allocate(const Allocator& allocator,
                                                const std::vector<KvTensor>& tensors,
                                                const Graphs&... graphs) {
    QNNPP_LET(layout, detail::KvLayout::make(tensors, {detail::tensors_of(graphs)...}));
    QNNPP_LET(region,
              MemRegion<TensorIo>::allocate(allocator, layout->bytes, tensor_alignment_bytes));
    return make(std::move(*layout), *region);
  }
  // AllocateRefusals cannot deduce a list in braces.
  template <class Allocator, class... Graphs>
    requires(detail::AnyResult<Allocator> || (detail::AnyResult<Graphs> || ...))
  static QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
                      Result<KvCache>,
                      allocate(const Allocator&, const std::vector<KvTensor>&, const Graphs&...));
  template <detail::NoAllocator Allocator, class... Graphs>
    requires(!detail::AnyResult<Allocator> && !(detail::AnyResult<Graphs> || ...))
  static QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
                      Result<KvCache>,
                      allocate(const Allocator&, const std::vector<KvTensor>&, const Graphs&...));
  template <DmaAllocator Allocator, class... Graphs>
    requires(detail::NoTensors<Graphs> || ...)
  static QNNPP_REFUSE("no list of tensors; pass graphs before bind(), as Graph<Retrieved>",
                      Result<KvCache>,
                      allocate(const Allocator&, const std::vector<KvTensor>&, const Graphs&...));

  /// The memory, to register with the graphs' contexts. A graph that is bound to the registration
  /// gets each tensor in its own shape.
  [[nodiscard]] const SharedBuffer<MultiTensor>& memory() const& { return alive().memory_; }
  QNNPP_REFUSE("memory() of a temporary would dangle; name the cache first",
               const SharedBuffer<MultiTensor>&, memory() const&&);

  /// Lays the positions out for a graph, before it executes. Moves them only if rows of its shape
  /// have another length, and then once. Allocates nothing.
  ///
  /// Errors: `invalid_argument` for an index without a graph; `too_large` if the graph's tensors
  /// have less room than there are positions; `in_use` while the CPU has a tensor open;
  /// `sync_failed`. An error keeps the old layout, except for a `sync_failed` after the positions
  /// were moved.
  [[nodiscard]] Result<void> use(std::size_t graph);

  /// Copies the first `positions` positions of the outputs of the graph in use behind the positions
  /// in the cache. Allocates nothing.
  ///
  /// Errors, which change nothing: `too_large` for more positions than the outputs have, or than
  /// the cache has room for; `wrong_order` unless the graph in use has executed since the last
  /// use(), append(), reset() or set_length(); `in_use` while the CPU has a tensor open;
  /// `sync_failed` before the copy. After a `sync_failed` at its end, the positions are not
  /// counted.
  [[nodiscard]] Result<void> append(std::uint64_t positions);

  /// Keeps the first `positions` positions and forgets the later ones. Error: `too_large` for more
  /// positions than there are.
  [[nodiscard]] Result<void> rewind(std::uint64_t positions);
  /// Forgets all positions.
  void reset() {
    order().has_executed = false;
    length_ = 0;
  }

  /// Number of positions in the cache.
  [[nodiscard]] std::uint64_t length() const { return alive().length_; }
  /// Number of positions for which the graph in use has room.
  [[nodiscard]] std::uint64_t capacity() const;
  /// Number of the graph in use.
  [[nodiscard]] std::size_t graph() const { return order().in_use; }

  /// Opens a cache for the CPU in the shape of the graph in use, to save or to load it. Errors:
  /// those of SharedBuffer::access(); `unknown_name` for a tensor that is no cache.
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> access(std::string_view cache, CpuUse use) const {
    QNNPP_LET(at, find(cache));
    return detail::TensorMemoryBlock::access<T>(detail::Access::block(memory_), *at, use, cache);
  }
  /// Counts positions that the CPU wrote through access(). Error: `too_large` for more positions
  /// than the graph in use has room for.
  [[nodiscard]] Result<void> set_length(std::uint64_t positions);

 private:
  KvCache(detail::KvLayout layout, SharedBuffer<MultiTensor> memory) noexcept
      : layout_(std::move(layout)), memory_(std::move(memory)) {}

  [[nodiscard]] static Result<KvCache> make(detail::KvLayout layout,
                                            const MemRegion<TensorIo>& region);
  /// This object, if it was not moved from (contract).
  [[nodiscard]] const KvCache& alive() const;
  /// The order of the calls, which this object shares with the bound graphs.
  [[nodiscard]] detail::CacheOrder& order() const {
    return *detail::Access::block(alive().memory_)->order;
  }
  /// Index of a cache in the memory, in the shape of the graph in use.
  [[nodiscard]] Result<std::size_t> find(std::string_view cache) const;

  detail::KvLayout layout_;
  SharedBuffer<MultiTensor> memory_;
  std::uint64_t length_ = 0;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/kv_cache.ipp"
#endif
