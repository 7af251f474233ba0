// KvCache: graphs of several shapes use one cache in place; append, rewind, and what is refused.
#include "qnnpp/memory/kv_cache.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "copies.hpp"
#include "dma_sync.hpp"
#include "fixture.hpp"
#include "heap.hpp"
#include "registered.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;

/// A graph that returns its input `x` as the new positions, and what it sees of the cache.
struct CacheGraph {
  const char* name;
  std::uint32_t tokens, positions;

  [[nodiscard]] TensorSpec spec(const char* tensor, c_api::TensorType kind, bool is_cache) const {
    return {.name = tensor,
            .kind = kind,
            .data_type = c_api::DataType::uint_8,
            .dimensions = {rows, is_cache ? positions : tokens, columns}};
  }
  [[nodiscard]] GraphSpec description() const {
    return {.name = name,
            .inputs = {spec("x", c_api::TensorType::app_write, false),
                       spec("cache", c_api::TensorType::app_write, true)},
            .outputs = {spec("next", c_api::TensorType::app_read, false),
                        spec("seen", c_api::TensorType::app_read, true)}};
  }
  static constexpr std::uint32_t rows = 2, columns = 4;
};

/// The bytes of one position: all rows.
using Position = std::array<std::uint8_t, CacheGraph::rows * CacheGraph::columns>;

class graph_kv_cache : public StepsTest {
 protected:
  Context<Finalized> context_with(const std::vector<CacheGraph>& graphs) const {
    std::vector<GraphSpec> descriptions;
    for (const CacheGraph& each : graphs) descriptions.push_back(each.description());
    return context_of_copies(backend(), descriptions);
  }
  static std::vector<KvTensor> one_cache() {
    return {{.cache = "cache", .next = "next", .axis = 1}};
  }

  /// A graph with its own `x` and `seen`, and with one cache.
  struct BoundGraph {
    RegisteredMemory<MultiTensor> own;
    Graph<Bound, RegisteredIo> graph;
    CacheGraph of;

    /// Executes with these positions as new ones.
    void run(std::span<const Position> positions) {
      {
        const auto x = must(own.memory.access<std::uint8_t>("x", CpuUse::write));
        const auto at = must(x.view<3>());
        for (std::size_t i = 0; i < positions.size(); ++i)
          for (std::size_t j = 0; j < positions[i].size(); ++j)
            at(j / CacheGraph::columns, i, j % CacheGraph::columns) = positions[i][j];
      }
      ASSERT_TRUE(succeeds(graph.execute()));
    }
    /// Returns the first positions of the cache that the last execution saw.
    [[nodiscard]] std::vector<Position> seen(std::size_t count) const {
      const auto seen = must(own.memory.access<const std::uint8_t>("seen", CpuUse::read));
      const auto at = must(seen.view<3>());
      std::vector<Position> positions(count);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < positions[i].size(); ++j)
          positions[i][j] = at(j / CacheGraph::columns, i, j % CacheGraph::columns);
      return positions;
    }
  };
  BoundGraph bound(const Context<Finalized>& context, const CacheGraph& of,
                   const RegisteredTensors& cache) const {
    auto own =
        RegisteredMemory<MultiTensor>::make(allocator(), context,
                                            {of.spec("x", c_api::TensorType::app_write, false),
                                             of.spec("seen", c_api::TensorType::app_read, true)});
    auto graph = must(StepsTest::graph<RegisteredIo>(context, of.name).bind(own.tensors, cache));
    return {std::move(own), std::move(graph), of};
  }
  /// A context with prefill and decode, both bound to one cache.
  struct Both {
    Context<Finalized> context;
    KvCache kv;
    RegisteredTensors cache;
    BoundGraph many, one;
  };
  Both both() const {
    auto context = context_with({prefill, decode});
    auto kv = cache_of_both();
    auto cache = must(RegisteredTensors::create(context, kv.memory()));
    auto many = bound(context, prefill, cache);
    auto one = bound(context, decode, cache);
    return {std::move(context), std::move(kv), std::move(cache), std::move(many), std::move(one)};
  }
  KvCache cache_of_both() const {
    return must(
        KvCache::allocate(allocator(), one_cache(), prefill.description(), decode.description()));
  }
  /// Lets the outputs of the graph in use count as written by an execution.
  static void execute_nothing(const KvCache& kv) {
    detail::Access::block(kv.memory())->order->has_executed = true;
  }
  static Result<void> execute_nothing_and_append(KvCache& kv, std::uint64_t positions) {
    execute_nothing(kv);
    return kv.append(positions);
  }
  static std::vector<Position> some_positions(std::size_t count) {
    std::vector<Position> positions(count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < positions[i].size(); ++j)
        positions[i][j] = static_cast<std::uint8_t>(17 * i + j + 1);
    return positions;
  }

  const CacheGraph prefill{"prefill", 3, 6};
  const CacheGraph decode{"decode", 1, 9};
};

TEST_F(graph_kv_cache, two_graphs_of_a_context_use_one_cache_in_their_own_shapes) {
  auto [context, kv, cache, many, one] = both();
  const auto all = some_positions(9);
  EXPECT_EQ(kv.capacity(), 6u);

  many.run(std::span(all).first(3));
  EXPECT_EQ(many.seen(6), std::vector<Position>(6)) << "the cache begins with zeros";
  must(kv.append(3));
  many.run(std::span(all).subspan(3, 2));
  must(kv.append(2));  // The third token is padding.
  EXPECT_EQ(kv.length(), 5u);

  must(kv.use(1));
  EXPECT_EQ(kv.capacity(), 9u);
  for (std::size_t i = 5; i < 9; ++i) {
    one.run(std::span(all).subspan(i, 1));
    EXPECT_EQ(one.seen(i), std::vector(all.begin(), all.begin() + std::ptrdiff_t(i)));
    must(kv.append(1));
  }
  must(kv.rewind(6));
  must(kv.use(0));
  many.run(std::span(all).first(1));
  EXPECT_EQ(many.seen(6), std::vector(all.begin(), all.begin() + 6));
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(graph_kv_cache, a_run_copies_no_bytes_of_the_cache_and_allocates_nothing) {
  auto made = both();
  const auto pass = [&] {
    bool works = made.kv.use(0) && made.many.graph.execute() && made.kv.append(3) && made.kv.use(1);
    for (int i = 0; i < 3; ++i) works = works && made.one.graph.execute() && made.kv.append(1);
    made.kv.reset();
    return works;
  };
  ASSERT_TRUE(pass());
  const std::uint64_t calls_before = control().counters().calls;
  bool works = true;
  {
    const HeapWatch watch(Threads::this_one);
    for (int i = 0; i < 5; ++i) works = works && pass();
  }
  EXPECT_TRUE(works);
  EXPECT_EQ(HeapWatch::allocations(), 0u);
  EXPECT_EQ(control().counters().calls - calls_before, 5u * 4) << "executions alone";
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(graph_kv_cache, contexts_share_one_cache_and_register_each_shape_once) {
  const auto context = context_with({prefill, decode});
  const auto other = context_with({decode});
  const CacheGraph same{"same", 3, 6};
  auto kv = must(KvCache::allocate(allocator(), one_cache(), prefill.description(),
                                   same.description(), decode.description()));
  EXPECT_EQ(kv.memory().tensors().size(), 4u) << "two shapes of the cache, two of the output";
  const auto cache = must(RegisteredTensors::create(context, kv.memory()));
  EXPECT_EQ(cache.handle_count(), 4u);
  const auto too = must(RegisteredTensors::create(other, kv.memory()));
  auto one = bound(other, decode, too);
  const auto all = some_positions(1);
  must(kv.use(2));
  one.run(all);
  must(kv.append(1));
  auto again = bound(context, decode, cache);
  again.run(all);
  EXPECT_EQ(again.seen(1), all);
  // A registration by names has all shapes of a tensor, too.
  const CacheGraph third{"third", 1, 4};
  const auto last = context_with({third, decode});
  const std::vector<std::string> names{"cache", "next"};
  const auto named = must(RegisteredTensors::create(last, kv.memory(), names));
  EXPECT_EQ(named.handle_count(), 4u);
  // Memory without the graph's shape is refused with the first shape.
  const auto own =
      RegisteredMemory<MultiTensor>::make(allocator(), last,
                                          {third.spec("x", c_api::TensorType::app_write, false),
                                           third.spec("seen", c_api::TensorType::app_read, true)});
  const Error error =
      error_of(StepsTest::graph<RegisteredIo>(last, "third").bind(own.tensors, named));
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.detail, "the graph's tensor is [2, 4, 4], the memory is [2, 6, 4]");
}

TEST_F(graph_kv_cache, a_binding_by_name_gets_the_shape_of_the_graph) {
  auto [context, kv, cache, many, one] = both();
  auto other_kv = cache_of_both();
  const auto other = must(RegisteredTensors::create(context, other_kv.memory()));
  must(one.graph.rebind(registered(other, "cache")));
  must(one.graph.rebind(registered(other, "next")));
  const auto all = some_positions(2);
  must(other_kv.use(1));
  for (std::size_t i = 0; i < 2; ++i) {
    one.run(std::span(all).subspan(i, 1));
    must(other_kv.append(1));
  }
  one.run(std::span(all).first(1));
  EXPECT_EQ(one.seen(2), all);
  const std::vector bindings{registered(one.own.tensors, "x"), registered(one.own.tensors, "seen"),
                             registered(cache, "cache"), registered(cache, "next")};
  EXPECT_TRUE(succeeds(StepsTest::graph<RegisteredIo>(context, "decode").bind(bindings)));
}

TEST_F(graph_kv_cache, positions_stay_what_they_were_through_random_steps) {
  const std::array<CacheGraph, 3> graphs = {{{"a", 3, 6}, {"b", 1, 9}, {"c", 2, 4}}};
  for (const std::size_t axis : {0u, 1u, 2u}) {
    std::vector<GraphSpec> descriptions;
    for (const CacheGraph& each : graphs) {
      descriptions.push_back(each.description());
      for (auto* const list : {&descriptions.back().inputs, &descriptions.back().outputs})
        for (TensorSpec& tensor : *list) {
          tensor.data_type = c_api::DataType::int_32;
          std::swap(tensor.dimensions[axis], tensor.dimensions[1]);
        }
    }
    auto kv = must(KvCache::allocate(
        allocator(), std::vector<KvTensor>{{.cache = "cache", .next = "next", .axis = axis}},
        descriptions[0], descriptions[1], descriptions[2]));
    // Each position has one number in all its elements.
    std::vector<std::int32_t> expected;
    std::uint32_t seed = static_cast<std::uint32_t>(axis + 1);
    const auto below = [&seed](std::size_t limit) {
      return ((seed = seed * 1664525u + 1013904223u) >> 16) % limit;
    };
    std::int32_t number = 0;
    for (int step = 0; step < 300; ++step) {
      const std::size_t graph = below(3);
      const bool fits = expected.size() <= graphs[graph].positions;
      EXPECT_EQ(kv.use(graph).has_value(), fits);
      const CacheGraph& used = graphs[kv.graph()];
      const auto count = static_cast<std::uint32_t>(below(used.tokens + 2));
      const TensorSpec& next = descriptions[kv.graph()].outputs[0];
      const auto for_each = [&](const TensorSpec& tensor, auto&& act) {
        std::uint32_t at[3];
        std::size_t i = 0;
        for (at[0] = 0; at[0] < tensor.dimensions[0]; ++at[0])
          for (at[1] = 0; at[1] < tensor.dimensions[1]; ++at[1])
            for (at[2] = 0; at[2] < tensor.dimensions[2]; ++at[2]) act(i++, at[axis]);
      };
      {
        // The output of the graph in use begins where the second tensor of the memory does.
        const auto all = must(kv.memory().access(CpuUse::write));
        std::uint64_t offset = 0;
        for (const TensorPlacement& placed : kv.memory().tensors())
          if (placed.spec.name == "next") offset = placed.offset_bytes;
        auto* const elements = reinterpret_cast<std::int32_t*>(all.bytes().data() + offset);
        for_each(next, [&](std::size_t i, std::uint32_t position) {
          elements[i] = number + static_cast<std::int32_t>(position);
        });
      }
      const bool has_room = count <= used.tokens && expected.size() + count <= used.positions;
      ASSERT_EQ(execute_nothing_and_append(kv, count).has_value(), has_room);
      for (std::uint32_t i = 0; has_room && i < count; ++i)
        expected.push_back(number + static_cast<std::int32_t>(i));
      number += 10;
      if (below(4) == 0) {
        expected.resize(below(expected.size() + 1));
        must(kv.rewind(expected.size()));
      }
      ASSERT_EQ(kv.length(), expected.size());
      const auto cache = must(kv.access<const std::int32_t>("cache", CpuUse::read));
      for_each(descriptions[kv.graph()].inputs[1], [&](std::size_t i, std::uint32_t position) {
        if (position < expected.size()) {
          ASSERT_EQ(cache[i], expected[position]);
        }
      });
    }
  }
}

TEST_F(graph_kv_cache, a_saved_cache_is_loaded_again) {
  auto kv = must(KvCache::allocate(allocator(), one_cache(), prefill.description()));
  std::vector<std::uint8_t> saved(2 * 6 * 4, 7);
  must(write_elements(kv.access<std::uint8_t>("cache", CpuUse::write), saved));
  must(kv.set_length(6));
  EXPECT_EQ(kv.length(), 6u);
  EXPECT_EQ(error_of(kv.set_length(7)).kind, Errc::too_large);
  EXPECT_EQ(error_of(kv.access<std::uint8_t>("next", CpuUse::read)).detail,
            "the cache has the caches cache");
  EXPECT_EQ(error_of(kv.access<float>("cache", CpuUse::read)).kind, Errc::type_mismatch);
}

TEST_F(graph_kv_cache, an_error_changes_nothing) {
  auto kv = cache_of_both();
  must(execute_nothing_and_append(kv, 3));
  const Error more = error_of(kv.append(4));
  EXPECT_EQ(more.kind, Errc::too_large);
  EXPECT_EQ(more.object, "cache");
  EXPECT_EQ(more.detail, "4 positions, the outputs have 3");
  must(execute_nothing_and_append(kv, 2));
  EXPECT_EQ(error_of(kv.append(2)).detail, "2 positions, the cache has room for 1");
  EXPECT_EQ(error_of(kv.rewind(6)).detail, "6 positions, the cache has 5");
  EXPECT_EQ(kv.length(), 5u);
  must(kv.use(1));
  for (int i = 0; i < 4; ++i) must(execute_nothing_and_append(kv, 1));
  EXPECT_EQ(error_of(kv.use(0)).detail, "9 positions, the graph has room for 6");
  EXPECT_EQ(kv.graph(), 1u);
  EXPECT_EQ(error_of(kv.use(2)).kind, Errc::invalid_argument);
  EXPECT_EQ(error_of(kv.use(2)).detail, "the cache has no graph 2; give an index below 2");
  kv.reset();
  EXPECT_EQ(kv.length(), 0u);
  must(kv.use(0));
}

TEST_F(graph_kv_cache, what_no_cache_can_hold_is_refused_before_an_allocation) {
  const auto refusal = [&](const GraphSpec& first, const GraphSpec& second,
                           std::vector<KvTensor> tensors = one_cache()) {
    const std::uint64_t before = rpcmem_control().counters().allocations;
    const Error error = error_of(KvCache::allocate(allocator(), tensors, first, second));
    EXPECT_EQ(rpcmem_control().counters().allocations, before);
    return error;
  };
  const GraphSpec fine = decode.description();
  const auto changed = [&](auto&& change) {
    GraphSpec graph = prefill.description();
    change(graph);
    return graph;
  };
  const Error unknown =
      refusal(fine, changed([](GraphSpec& graph) { graph.outputs[0].name = "new"; }));
  EXPECT_EQ(unknown.kind, Errc::unknown_name);
  EXPECT_EQ(unknown.object, "next");
  EXPECT_EQ(unknown.detail, "graph 1 of the list has the outputs new, seen");
  const Error shape =
      refusal(fine, changed([](GraphSpec& graph) { graph.inputs[1].dimensions[0] = 3; }));
  EXPECT_EQ(shape.kind, Errc::shape_mismatch);
  EXPECT_EQ(shape.detail,
            "it is [3, 6, 4], cache is [2, 9, 4]; they may differ in dimension 1 only");
  const auto scaled = [&](float scale) {
    return changed([&](GraphSpec& graph) { graph.inputs[1].quantisation = {scale, 0}; });
  };
  EXPECT_EQ(refusal(scaled(0.5F), scaled(0.25F)).kind, Errc::type_mismatch);
  // A graph that states no quantisation does not hide that another graph's tensors differ.
  GraphSpec two_scales = scaled(0.25F);
  two_scales.outputs[0].quantisation = {0.125F, 0};
  EXPECT_EQ(refusal(fine, two_scales).kind, Errc::type_mismatch);
  const Error type = refusal(
      fine, changed([](GraphSpec& graph) { graph.inputs[1].data_type = c_api::DataType::int_8; }));
  EXPECT_EQ(type.kind, Errc::type_mismatch);
  EXPECT_EQ(refusal(changed([](GraphSpec& graph) {
                      graph.inputs[1].data_type = c_api::DataType::ufixed_point_4;
                    }),
                    fine)
                .kind,
            Errc::unsupported_tensor);
  const Error layout = refusal(changed([](GraphSpec& graph) {
                                 graph.inputs[1].format =
                                     c_api::tensor_data_format::hmx_weight_layout;
                               }),
                               fine);
  EXPECT_EQ(layout.kind, Errc::unsupported_tensor);
  EXPECT_EQ(layout.detail,
            "its layout is the HTP's own, so no position can be written; bind the tensor whole and "
            "use exchange()");
  const Error dynamic = refusal(
      changed([](GraphSpec& graph) { graph.inputs[1].dynamic_dimensions = {0, 1, 0}; }), fine);
  EXPECT_EQ(dynamic.kind, Errc::unsupported_tensor);
  EXPECT_EQ(dynamic.detail,
            "its rows have another length at each execution, because its dimensions are dynamic");
  const Error axis = refusal(fine, fine, {{.cache = "cache", .next = "next", .axis = 3}});
  EXPECT_EQ(axis.kind, Errc::invalid_argument);
  EXPECT_EQ(axis.detail, "it is [2, 9, 4] and has no dimension 3; give one that it has");
  EXPECT_EQ(refusal(fine, fine, {}).kind, Errc::empty);
  std::vector<KvTensor> twice = one_cache();
  twice.push_back({.cache = "x", .next = "next", .axis = 1});
  EXPECT_EQ(refusal(fine, fine, twice).kind, Errc::duplicate_name);
  EXPECT_EQ(refusal(fine, fine, {{.cache = "cache", .next = "cache", .axis = 1}}).kind,
            Errc::duplicate_name);
  EXPECT_EQ(refusal({}, fine).detail, "graph 0 of the list has no inputs");
  EXPECT_EQ(
      refusal(fine, changed([](GraphSpec& graph) { graph.inputs[1].dimensions[1] = 0; })).kind,
      Errc::unsupported_tensor);
}

/// Allocates memory for which CPU access needs syncs.
struct SyncedAllocator {
  Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    auto buffer = MemfdAllocator{}.allocate(bytes);
    if (!buffer) return buffer;
    return DmaBuffer::from_native(buffer->fd(), bytes,
                                  {.needs_sync = true, .start_alignment = 4096});
  }
  static constexpr std::uint64_t start_alignment = 4096;
};

TEST_F(graph_kv_cache, SHB_06_sizes_whose_sum_overflows_are_refused) {
  GraphSpec large{.name = "large"};
  std::vector<KvTensor> tensors;
  for (int i = 0; i < 12; ++i) {
    const std::string name = "cache" + std::to_string(i);
    large.inputs.push_back({.name = name,
                            .data_type = c_api::DataType::int_64,
                            .dimensions = {1u << 28, 1u << 28, 2}});
    large.outputs.push_back({.name = name + "_next",
                             .data_type = c_api::DataType::int_64,
                             .dimensions = {1u << 28, 1u << 28, 1}});
    tensors.push_back({.cache = name, .next = name + "_next", .axis = 2});
  }
  const Error error = error_of(KvCache::allocate(allocator(), tensors, large));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.detail, "the sum of the sizes overflows");
}

TEST_F(graph_kv_cache, a_registration_that_is_offered_twice_is_a_name_twice_for_each_graph) {
  const auto made = both();
  for (const auto* const each : {&made.many, &made.one}) {
    const auto graph = StepsTest::graph<RegisteredIo>(made.context, each->of.name);
    EXPECT_EQ(error_of(graph.check(made.cache, made.cache, each->own.tensors)).kind,
              Errc::duplicate_name);
  }
}

TEST_F(graph_kv_cache, SHB_07_one_guard_covers_an_append) {
  auto synced = must(KvCache::allocate(SyncedAllocator{}, one_cache(), prefill.description()));
  execute_nothing(synced);
  const int before = dma_syncs();
  must(synced.append(3));
  EXPECT_EQ(dma_syncs() - before, 2) << "one start, one end";
}

TEST_F(graph_kv_cache, ORD_20_each_graph_executes_after_the_cache_is_laid_out_for_it) {
  auto made = both();
  for (const std::size_t graph : {0u, 1u, 0u}) {
    must(made.kv.use(graph));
    EXPECT_TRUE(succeeds((graph == 0 ? made.many : made.one).graph.execute()));
  }
}

TEST_F(graph_kv_cache, ORD_20_a_graph_for_which_the_cache_is_not_laid_out_does_not_execute) {
  auto made = both();
  const auto expect_refused = [&](BoundGraph& bound, const char* detail) {
    const Error error = error_of(bound.graph.execute());
    EXPECT_EQ(error.kind, Errc::wrong_order);
    EXPECT_EQ(error.object, "cache");
    EXPECT_EQ(error.detail, detail);
  };
  expect_refused(made.one,
                 "the cache is laid out for graph prefill, and graph decode needs use(1); make "
                 "this call first");
  must(made.kv.use(1));
  expect_refused(made.many,
                 "the cache is laid out for graph decode, and graph prefill needs use(0); make "
                 "this call first");
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
  // A cache of other graphs has memory of this shape, but is never laid out for it.
  const CacheGraph longer{"longer", 1, 12};
  auto other =
      must(KvCache::allocate(allocator(), one_cache(), longer.description(), decode.description()));
  const auto foreign = must(RegisteredTensors::create(made.context, other.memory()));
  must(made.one.graph.rebind(registered(foreign, "cache")));
  expect_refused(made.one,
                 "the cache is laid out for graph longer, and graph decode needs use(1); make this "
                 "call first");
  must(made.one.graph.rebind(registered(made.cache, "cache")));
  EXPECT_TRUE(succeeds(made.one.graph.execute()));
}

TEST_F(graph_kv_cache, ORD_21_an_execution_of_the_graph_in_use_comes_before_each_append) {
  auto made = both();
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(succeeds(made.many.graph.execute()));
    must(made.kv.append(0));  // Nothing is appended yet.
    must(made.kv.append(1));
  }
  EXPECT_EQ(made.kv.length(), 2u);
}

TEST_F(graph_kv_cache, ORD_21_without_it_nothing_is_appended_and_the_graph_is_named) {
  auto made = both();
  const auto expect_refused = [&](const char* graph) {
    const std::uint64_t length = made.kv.length();
    const Error error = error_of(made.kv.append(1));
    EXPECT_EQ(error.kind, Errc::wrong_order);
    EXPECT_EQ(error.message(), std::string("cache: appending to a cache: graph ") + graph +
                                   " has had no execute() since the last use() or append(); make "
                                   "this call first");
    EXPECT_EQ(made.kv.length(), length);
  };
  expect_refused("prefill");
  ASSERT_TRUE(succeeds(made.many.graph.execute()));
  must(made.kv.append(1));
  expect_refused("prefill");  // Appended already.
  ASSERT_TRUE(succeeds(made.many.graph.execute()));
  must(made.kv.use(1));
  expect_refused("decode");  // Another graph has executed.
  ASSERT_TRUE(succeeds(made.one.graph.execute()));
  made.kv.reset();
  expect_refused("decode");  // Of positions that are forgotten.
  ASSERT_TRUE(succeeds(made.one.graph.execute()));
  must(made.kv.set_length(1));
  expect_refused("decode");
  ASSERT_TRUE(succeeds(made.one.graph.execute()));
  control().fail_call(Slot::graph_execute, 1, 6003);
  EXPECT_EQ(error_of(made.one.graph.execute()).code, 6003);
  expect_refused("decode");  // The failed execution may have written half of the outputs.
}

TEST_F(graph_kv_cache, ORD_18_while_the_CPU_has_a_tensor_open_is_neither_laid_out_nor_appended_to) {
  auto made = both();
  ASSERT_TRUE(succeeds(made.many.graph.execute()));
  const auto expect_refused = [&](const char* tensor) {
    for (const auto& done : {made.kv.use(1), made.kv.append(1), made.many.graph.execute()}) {
      EXPECT_EQ(error_of(done).kind, Errc::in_use);
      EXPECT_EQ(error_of(done).object, tensor);
    }
    EXPECT_EQ(made.kv.graph(), 0u);
    EXPECT_EQ(made.kv.length(), 0u);
  };
  {
    const auto open = must(made.kv.access<std::uint8_t>("cache", CpuUse::read));
    expect_refused("cache");
  }
  {
    const auto open = must(made.kv.memory().access("next", CpuUse::read));
    expect_refused("next");
  }
  must(made.kv.append(1));
  must(made.kv.use(1));
}

}}  // namespace support
