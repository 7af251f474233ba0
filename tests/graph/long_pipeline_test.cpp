// A pipeline of a thousand graphs: it copies nothing, and allocates nothing after its first
// execution.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

#include "fixture.hpp"
#include "heap.hpp"
#include "recorder.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

/// Prevents the compiler from removing an allocation.
void keep(const void* memory) { asm volatile("" : : "g"(memory) : "memory"); }

constexpr std::size_t graph_count = 1000;

class long_pipeline : public StepsTest {
 protected:
  static Step step(std::size_t i) {
    // The factors 2 and 1/2 alternate, so the numbers are exact for every length.
    return {.name = "step " + std::to_string(i),
            .inputs = {"v" + std::to_string(i)},
            .outputs = {"v" + std::to_string(i + 1)},
            .factor = i % 2 == 0 ? 2.0f : 0.5f,
            .dimensions = {2, 16}};
  }
  void SetUp() override {
    StepsTest::SetUp();
    set(&sim::Config::pd_budget_bytes, std::uint64_t{1} << 40);  // No full process domain.
  }
  /// Makes the chain over `contexts` contexts. Each context has consecutive graphs.
  Pipeline chain_of(std::size_t contexts, bool share_bytes) const {
    std::vector<Graph<Retrieved, RegisteredIo>> all;
    const std::size_t each = graph_count / contexts;
    for (std::size_t c = 0; c < contexts; ++c) {
      std::vector<Step> steps;
      for (std::size_t i = c * each; i < (c + 1) * each; ++i) steps.push_back(step(i));
      const auto context = context_of(steps, "part " + std::to_string(c));
      for (const Step& one : steps) all.push_back(graph(context, one.name));
    }
    return must(Pipeline::create(allocator(), std::move(all),
                                 {.share_bytes = share_bytes ? TensorArena::lay_out : nullptr}));
  }
  void expect_right(Pipeline& line, std::uint32_t round) const {
    const std::vector<float> input = step(0).input(round);
    must(write_elements(line.input<float>("v0"), input));
    {
      const auto old = must(line.output<float>("v1000"));
      std::ranges::fill(std::span(const_cast<float*>(&old[0]), old.size()), -1.0f);
    }
    const std::uint64_t before = control().counters().in_place;
    ASSERT_TRUE(succeeds(line.execute()));
    EXPECT_EQ(control().counters().in_place - before, 2 * graph_count);
    const auto made = must(line.output<float>("v1000"));
    EXPECT_TRUE(std::ranges::equal(made.elements(), input));
  }
};

TEST_F(long_pipeline, a_thousand_graphs_of_four_contexts_copy_nothing) {
  auto line = chain_of(4, false);
  ASSERT_EQ(line.stages().size(), graph_count);
  for (std::uint32_t round = 0; round < 3; ++round) expect_right(line, round);
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.copied_in_bytes, 0u);
  EXPECT_EQ(counters.copied_out_bytes, 0u);
  EXPECT_EQ(counters.executions, 3 * graph_count);
  EXPECT_EQ(counters.io_at_execution_bytes, 0u);
  EXPECT_EQ(counters.io_preallocated_bytes, 0u);
  EXPECT_EQ(line.io_cost(), IoCost{});
  EXPECT_EQ(calls(Slot::mem_register), 4u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
}

TEST_F(long_pipeline, a_thousand_graphs_that_share_bytes_need_a_few_tensors_of_memory) {
  auto line = chain_of(4, true);
  EXPECT_LE(line.buffer_bytes(), 4 * step(0).bytes());
  for (std::uint32_t round = 0; round < 3; ++round) expect_right(line, round);
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(long_pipeline, a_thousand_graphs_of_a_hundred_contexts_copy_nothing) {
  auto line = chain_of(100, true);
  for (std::uint32_t round = 0; round < 3; ++round) expect_right(line, round);
  EXPECT_EQ(copied_bytes(), 0u);
  EXPECT_EQ(calls(Slot::mem_register), 100u);
}

TEST_F(long_pipeline, after_its_first_run_a_thousand_graphs_allocate_nothing) {
  for (const bool share_bytes : {false, true}) {
    auto line = chain_of(4, share_bytes);
    ASSERT_TRUE(succeeds(line.access(CpuUse::write)));
    ASSERT_TRUE(succeeds(line.execute()));
    bool ran = true;
    {
      const HeapWatch watch;
      for (int round = 0; round < 3; ++round) ran = ran && line.execute().has_value();
    }
    EXPECT_TRUE(ran);
    EXPECT_EQ(HeapWatch::allocations(), 0u) << "by qnnpp and the device together";
    EXPECT_EQ(line.stages().back().executions, 4u);
  }
}

TEST_F(long_pipeline, under_a_lease_it_allocates_nothing_either) {
  auto asked = queried(Network{.io = c_api::TensorMemType::memhandle});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  std::vector<Graph<Retrieved, RegisteredIo>> one;
  one.push_back(graph(context, "net"));
  auto line = must(Pipeline::create(allocator(), std::move(one)));
  ASSERT_TRUE(succeeds(line.access(CpuUse::write)));
  ASSERT_TRUE(succeeds(line.execute()));
  auto lease = must(pool.lease());
  bool ran = true;
  {
    const HeapWatch watch;
    for (int round = 0; round < 3; ++round) ran = ran && line.execute(lease).has_value();
  }
  EXPECT_TRUE(ran);
  EXPECT_EQ(HeapWatch::allocations(), 0u);
}

TEST_F(long_pipeline, the_counter_counts_every_way_to_allocate) {
  std::uint64_t news = 0;
  std::uint64_t mallocs = 0;
  {
    const HeapWatch watch;
    const std::vector<float> memory(100);
    keep(memory.data());
    news = HeapWatch::allocations();
    const std::string text(100, 'x');
    keep(text.data());
    void* const block = std::malloc(100);
    keep(block);
    void* const zeroed = std::calloc(10, 10);
    keep(zeroed);
    std::free(zeroed);
    std::free(block);
    mallocs = HeapWatch::allocations();
  }
  EXPECT_EQ(news, 1u);
  EXPECT_EQ(mallocs, HeapWatch::counts_malloc() ? 4u : 2u);
}

TEST_F(long_pipeline, the_counter_sees_the_device_and_a_graph_that_fails) {
  const auto context = context_of({step(0)});
  std::vector<Graph<Retrieved, RegisteredIo>> one;
  one.push_back(graph(context, "step 0"));
  auto line = must(Pipeline::create(allocator(), std::move(one)));
  ASSERT_TRUE(succeeds(line.access(CpuUse::write)));
  {
    // The error's text needs an allocation.
    control().fail_call(Slot::graph_execute, 1, 6003);
    const HeapWatch watch;
    EXPECT_FALSE(line.execute());
  }
  EXPECT_GT(HeapWatch::allocations(), 0u);
  std::uint64_t by_the_device = 0;
  {
    const HeapWatch watch;
    // Makes the device store more faults than it has reserved memory for.
    for (int i = 0; i < 1000; ++i) control().fail_call(Slot::graph_execute, 1000, 6003);
    by_the_device = HeapWatch::allocations();
  }
  EXPECT_GT(by_the_device, 0u);
}

}}  // namespace support
