// Misuses of KvCache.
#include "qnnpp/memory/kv_cache.hpp"

#include <span>
#include <vector>

#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

std::uint64_t positions_of(const KvCache& cache);
KvCache make_cache();

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

// EXPECT: a cache has one owner; write std::move(cache)
KvCache a_cache_is_not_copied(KvCache& cache) {
#if MISUSE == 1
  return KvCache(cache);
#else
  return KvCache(std::move(cache));
#endif
}

// EXPECT: this is a Result; test it and pass *cache, or use value_or_throw()
bool a_result_is_no_cache(Result<KvCache> cache) {
#if MISUSE == 2
  return positions_of(cache) != 0;
#else
  return cache && positions_of(*cache) != 0;
#endif
}

// EXPECT: memory() of a temporary would dangle; name the cache first
std::uint64_t the_memory_of_a_temporary_cache_is_not_lent() {
#if MISUSE == 3
  return make_cache().memory().size_bytes();
#else
  const KvCache cache = make_cache();
  return cache.memory().size_bytes();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_allocator_of_a_cache(Result<DmaHeapAllocator> heap,
                                         const Graph<Retrieved>& graph) {
#if MISUSE == 4
  return KvCache::allocate(heap, {{"keys", "new_keys", 2}}, graph).has_value();
#else
  return heap && KvCache::allocate(*heap, {{"keys", "new_keys", 2}}, graph).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_graph_of_a_cache(const MemfdAllocator& allocator,
                                     const Result<Graph<Retrieved>>& graph) {
#if MISUSE == 5
  return KvCache::allocate(allocator, {{"keys", "new_keys", 2}}, graph).has_value();
#else
  return graph && KvCache::allocate(allocator, {{"keys", "new_keys", 2}}, *graph).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_graph_of_a_cache_with_a_list(const MemfdAllocator& allocator,
                                                 const std::vector<KvTensor>& tensors,
                                                 const Result<Graph<Retrieved>>& graph) {
#if MISUSE == 6
  return KvCache::allocate(allocator, tensors, graph).has_value();
#else
  return graph && KvCache::allocate(allocator, tensors, *graph).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool a_cache_needs_an_allocator_of_the_right_shape(const MemfdAllocator& allocator,
                                                   const OfAnotherShape& of_another_shape,
                                                   const Graph<Retrieved>& graph) {
#if MISUSE == 7
  (void)allocator;
  return KvCache::allocate(of_another_shape, {{"keys", "new_keys", 2}}, graph).has_value();
#else
  (void)of_another_shape;
  return KvCache::allocate(allocator, {{"keys", "new_keys", 2}}, graph).has_value();
#endif
}

// EXPECT: no list of tensors; pass graphs before bind(), as Graph<Retrieved>
bool a_cache_is_allocated_before_its_graphs_are_bound(const MemfdAllocator& allocator,
                                                      const Graph<Retrieved>& retrieved,
                                                      const Graph<Bound>& bound) {
#if MISUSE == 8
  (void)retrieved;
  return KvCache::allocate(allocator, {{"keys", "new_keys", 2}}, bound).has_value();
#else
  (void)bound;
  return KvCache::allocate(allocator, {{"keys", "new_keys", 2}}, retrieved).has_value();
#endif
}

// EXPECT: no list of tensors; pass graphs before bind(), as Graph<Retrieved>
bool a_cache_with_a_list_is_allocated_before_its_graphs_are_bound(
    const MemfdAllocator& allocator, const std::vector<KvTensor>& tensors,
    const Graph<Retrieved>& retrieved, const Graph<Bound>& bound) {
#if MISUSE == 9
  (void)retrieved;
  return KvCache::allocate(allocator, tensors, bound).has_value();
#else
  (void)bound;
  return KvCache::allocate(allocator, tensors, retrieved).has_value();
#endif
}

// EXPECT: a cache is no buffer; pass its memory: cache.memory()
bool a_cache_is_registered_by_its_memory(const Context<Finalized>& context, const KvCache& cache) {
#if MISUSE == 10
  return RegisteredTensors::create(context, cache).has_value();
#else
  return RegisteredTensors::create(context, cache.memory()).has_value();
#endif
}
