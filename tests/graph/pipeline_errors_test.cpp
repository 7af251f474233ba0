// Pipelines that cannot be created, and graphs of a pipeline that fail: the error's contents, and
// what is left.
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

#include "fixture.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class pipeline_errors : public StepsTest {
 protected:
  void SetUp() override {
    StepsTest::SetUp();
    if (HasFatalFailure()) return;
    contexts_.push_back(context_of(steps));
  }
  void TearDown() override {
    contexts_.clear();
    StepsTest::TearDown();
  }
  const Context<Finalized>& context() const { return contexts_.front(); }
  Result<Pipeline> try_make(const PipelineOptions& options = {}) const {
    return Pipeline::create(allocator(), graphs(context(), {"one", "two", "three"}), options);
  }
  /// Returns the error of wires, from check() and from create(). Expects that nothing was allocated
  /// or called.
  Error refused(std::vector<Wire> wires) const {
    auto all = graphs(context(), {"one", "two", "three"});
    const std::uint64_t before = control().counters().calls;
    const PipelineOptions options{.wires = std::move(wires)};
    const Error asked = error_of(Pipeline::check(all, options));
    const Error error = error_of(Pipeline::create(allocator(), std::move(all), options));
    EXPECT_EQ(asked.message(), error.message());
    EXPECT_EQ(control().counters().calls, before);
    EXPECT_EQ(rpcmem_control().counters().allocations, 0u);
    EXPECT_STREQ(error.step, "connecting graphs");
    return error;
  }

  const std::vector<Step> steps{
      {.name = "one", .inputs = {"x"}, .outputs = {"a"}, .factor = 2.0f},
      {.name = "two", .inputs = {"a"}, .outputs = {"b"}, .factor = 3.0f},
      {.name = "three", .inputs = {"b"}, .outputs = {"y"}, .factor = 5.0f}};

 private:
  std::vector<Context<Finalized>> contexts_;
};

TEST_F(pipeline_errors, no_graph_is_no_pipeline) {
  const Error error =
      error_of(Pipeline::create(allocator(), std::vector<Graph<Retrieved, RegisteredIo>>{}));
  EXPECT_EQ(error.kind, Errc::empty);
  EXPECT_STREQ(error.step, "making a pipeline");
}

TEST_F(pipeline_errors, a_wire_to_no_graph_or_not_to_a_later_one_makes_no_sense) {
  for (const auto& [from, to] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 3}, {1, 1}, {2, 1}, {3, 4}, {SIZE_MAX, 0}, {0, SIZE_MAX}}) {
    const Error error = refused({{from, "a", to, "b"}});
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_EQ(error.object, "a");
    EXPECT_EQ(error.detail, "the wire leads from graph " + std::to_string(from) + " to graph " +
                                std::to_string(to) + " of 3 graphs; it must lead to a later graph");
  }
}

TEST_F(pipeline_errors, a_wire_that_begins_at_no_output_names_the_graph_and_the_name) {
  const Error error = refused({{0, "x", 2, "b"}});
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "x of graph one (0)");
  EXPECT_EQ(error.detail, "a wire begins there; the graph's outputs: a");
}

TEST_F(pipeline_errors, a_wire_that_ends_at_no_input_names_the_graph_and_the_name) {
  const Error error = refused({{0, "a", 2, "y"}});
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "y of graph three (2)");
  EXPECT_EQ(error.detail, "a wire ends there; the graph's inputs: b");
}

TEST_F(pipeline_errors, two_wires_to_one_input_are_a_duplicate_that_names_it) {
  const Error error = refused({{0, "a", 2, "b"}, {0, "a", 1, "a"}, {1, "b", 2, "b"}});
  EXPECT_EQ(error.kind, Errc::duplicate_name);
  EXPECT_EQ(error.object, "b of graph three (2)");
  EXPECT_EQ(error.detail, "two wires end there");
}

TEST_F(pipeline_errors, ends_of_different_shape_are_a_mismatch_that_names_both) {
  const auto other =
      context_of({{.name = "turned", .inputs = {"a"}, .outputs = {"z"}, .dimensions = {8, 4}}});
  auto all = graphs(context(), {"one"});
  all.push_back(graph(other, "turned"));
  const Error error = error_of(Pipeline::create(allocator(), std::move(all)));
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.object, "a of graph turned (1)");
  EXPECT_EQ(error.detail, "it is [8, 4], a of graph one (0) is [4, 8]");
  EXPECT_EQ(rpcmem_control().counters().allocations, 0u);
}

TEST_F(pipeline_errors, that_check_reports_consume_call_and_allocate_nothing) {
  const auto other =
      context_of({{.name = "turned", .inputs = {"a"}, .outputs = {"z"}, .dimensions = {8, 4}}});
  const auto one = graph(context(), "one");
  const auto two = graph(context(), "two");
  const auto turned = graph(other, "turned");
  const std::uint64_t before = control().counters().calls;
  const Error error = error_of(Pipeline::check({&one, &two, &turned}));
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.object, "a of graph turned (2)");
  EXPECT_EQ(error_of(Pipeline::check(std::vector<Graph<Retrieved, RegisteredIo>>{})).kind,
            Errc::empty);
  EXPECT_TRUE(succeeds(Pipeline::check({&one, &two}, {.share_bytes = TensorArena::lay_out})));
  EXPECT_EQ(control().counters().calls, before);
  EXPECT_EQ(rpcmem_control().counters().allocations, 0u);
  EXPECT_EQ(one.name(), "one");
}

TEST_F(pipeline_errors, a_pipeline_that_check_accepts_is_made) {
  for (const bool share_bytes : {false, true}) {
    auto all = graphs(context(), {"one", "two", "three"});
    const PipelineOptions options{.share_bytes = share_bytes ? TensorArena::lay_out : nullptr};
    ASSERT_TRUE(succeeds(Pipeline::check(all, options)));
    auto line = must(Pipeline::create(allocator(), std::move(all), options));
    EXPECT_TRUE(succeeds(line.access(CpuUse::write)));
    EXPECT_TRUE(succeeds(line.execute()));
  }
}

TEST_F(pipeline_errors, ends_of_a_wire_of_different_shape_are_a_mismatch_that_names_both) {
  const auto other = context_of({{.name = "turned", .dimensions = {8, 4}}});
  auto all = graphs(context(), {"one"});
  all.push_back(graph(other, "turned"));
  const Error error =
      error_of(Pipeline::create(allocator(), std::move(all), {.wires = {{0, "a", 1, "x"}}}));
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.object, "x of graph turned (1)");
  EXPECT_EQ(error.detail, "it is [8, 4], a of graph one (0) is [4, 8]");
}

TEST_F(pipeline_errors, inputs_of_one_name_and_different_shape_are_a_mismatch) {
  const auto other = context_of({{.name = "turned", .dimensions = {8, 4}}});
  auto all = graphs(context(), {"one"});
  all.push_back(graph(other, "turned"));
  const Error error = error_of(Pipeline::create(allocator(), std::move(all)));
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.object, "x of graph turned (1)");
  EXPECT_EQ(error.detail, "it is [8, 4], x, an input of the pipeline is [4, 8]");
}

TEST_F(pipeline_errors, a_graph_that_fails_in_the_middle_is_named_with_its_place) {
  auto line = must(try_make());
  ASSERT_TRUE(succeeds(line.access(CpuUse::write)));
  for (std::size_t k = 0; k < 3; ++k) {
    SCOPED_TRACE(k);
    const std::uint64_t before = calls(Slot::graph_execute);
    control().fail_call(Slot::graph_execute, k + 1, 6003);
    const Error error = error_of(line.execute());
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, 6003);
    EXPECT_STREQ(error.step, "QnnGraph_execute");
    EXPECT_EQ(error.object, steps[k].name);
    EXPECT_EQ(error.detail, "graph " + std::to_string(k) +
                                " of the pipeline; log: QnnGraph_execute failed with 6003");
    EXPECT_EQ(calls(Slot::graph_execute) - before, k + 1) << "those after it did not run";
  }
}

TEST_F(pipeline_errors, a_graph_that_fails_is_not_counted_and_those_before_it_are) {
  auto line = must(try_make());
  ASSERT_TRUE(succeeds(line.access(CpuUse::write)));
  ASSERT_TRUE(succeeds(line.execute()));
  control().fail_call(Slot::graph_execute, 2, 6003);
  EXPECT_FALSE(line.execute());
  EXPECT_EQ(line.stages()[0].executions, 2u);
  EXPECT_EQ(line.stages()[1].executions, 1u);
  EXPECT_EQ(line.stages()[2].executions, 1u);
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(line.stages()[0].executions, 3u);
  EXPECT_EQ(line.stages()[1].executions, 2u);
  EXPECT_EQ(line.stages()[2].executions, 2u);
}

TEST_F(pipeline_errors, an_error_of_the_planner_is_the_error_of_the_pipeline) {
  const PipelineOptions options{
      .share_bytes = [](std::span<const ScheduledTensor> tensors,
                        std::span<std::uint64_t> offsets_bytes) -> Result<std::uint64_t> {
        EXPECT_EQ(tensors.size(), offsets_bytes.size());
        return fail(Error::make(Errc::too_large, "planning", "all tensors"));
      }};
  const auto one = graph(context(), "one");
  const Error error = error_of(Pipeline::check({&one}, options));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "all tensors");
}

TEST_F(pipeline_errors, a_pipeline_works_on_after_a_failure) {
  auto line = must(try_make({.share_bytes = TensorArena::lay_out}));
  must(write_elements(line.input<float>("x"), steps[0].input()));
  control().fail_call(Slot::graph_execute, 3, 6003);
  EXPECT_FALSE(line.execute());
  ASSERT_TRUE(succeeds(line.execute()));
  const auto y = must(line.output<float>("y"));
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], steps[0].input()[i] * 30.0f);
}

TEST_F(pipeline_errors, a_failed_registration_with_a_later_context_gives_the_earlier_one_back) {
  const auto second = context_of({{.name = "more", .inputs = {"y"}, .outputs = {"z"}}});
  auto all = graphs(context(), {"one", "two", "three"});
  all.push_back(graph(second, "more"));
  control().fail_call(Slot::mem_register, 2, 8003);
  const Error error = error_of(Pipeline::create(allocator(), std::move(all)));
  EXPECT_EQ(error.code, 8003);
  EXPECT_STREQ(error.step, "QnnMem_register");
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(pipeline_errors, a_failed_allocation_leaves_nothing_registered) {
  rpcmem_control().fail_call(sim::RpcmemCall::alloc2, 1);
  EXPECT_EQ(error_of(try_make()).kind, Errc::allocation_failed);
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  EXPECT_TRUE(succeeds(try_make()));
}

TEST_F(pipeline_errors, graphs_of_one_name_in_two_contexts_are_told_apart_by_their_place) {
  const auto second = context_of(
      {{.name = "one", .inputs = {"a"}, .outputs = {"z"}, .factor = 7.0f}}, "second.bin");
  auto all = graphs(context(), {"one"});
  all.push_back(graph(second, "one"));
  auto line = must(Pipeline::create(allocator(), std::move(all)));
  EXPECT_EQ(line.stages()[0].context, "steps.bin");
  EXPECT_EQ(line.stages()[1].context, "second.bin");
  must(write_elements(line.input<float>("x"), steps[0].input()));
  ASSERT_TRUE(succeeds(line.execute()));
  {
    const auto z = must(line.output<float>("z"));
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_EQ(z[i], steps[0].input()[i] * 14.0f);
  }
  control().fail_call(Slot::graph_execute, 2, 6003);
  const Error error = error_of(line.execute());
  EXPECT_EQ(error.object, "one");
  EXPECT_EQ(error.detail, "graph 1 of the pipeline; log: QnnGraph_execute failed with 6003");
}

}}  // namespace support
