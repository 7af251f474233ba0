// Order of a pipeline's graphs, inputs that were not written, and the lists of what is connected.
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "qnnpp/backend/profile.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

#include "fixture.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class pipeline_order : public StepsTest {
 protected:
  Result<Pipeline> try_make(const Context<Finalized>& context,
                            const std::vector<std::string>& names,
                            const PipelineOptions& options = {}) const {
    return Pipeline::create(allocator(), graphs(context, names), options);
  }
  /// Returns the error of check() and of create(). Expects that nothing was allocated or called.
  Error refused(const Context<Finalized>& context, const std::vector<std::string>& names,
                const PipelineOptions& options = {}) const {
    auto all = graphs(context, names);
    const std::uint64_t before = control().counters().calls;
    const Error asked = error_of(Pipeline::check(all, options));
    const Error error = error_of(Pipeline::create(allocator(), std::move(all), options));
    EXPECT_EQ(asked.message(), error.message());
    EXPECT_EQ(control().counters().calls, before);
    EXPECT_EQ(rpcmem_control().counters().allocations, 0u);
    return error;
  }
  static Result<void> write(const Pipeline& line, const char* input,
                            const std::vector<float>& values) {
    return write_elements(line.input<float>(input), values);
  }
  static std::vector<float> read(const Pipeline& line, const char* output) {
    const auto opened = must(line.output<float>(output));
    return {opened.elements().begin(), opened.elements().end()};
  }
  static std::vector<std::string> texts(const std::vector<PipelineTensor>& tensors) {
    std::vector<std::string> texts;
    for (const PipelineTensor& each : tensors)
      texts.push_back(each.spec.name + " of " + std::to_string(each.graph));
    return texts;
  }
  static std::vector<std::string> texts(const std::vector<Wire>& wires) {
    std::vector<std::string> texts;
    for (const Wire& each : wires)
      texts.push_back(each.output + " of " + std::to_string(each.from) + " to " + each.input +
                      " of " + std::to_string(each.to));
    return texts;
  }
  using Texts = std::vector<std::string>;

  /// x -> a -> b -> y; the last graph also reads "late".
  const std::vector<Step> chain{
      {.name = "one", .inputs = {"x"}, .outputs = {"a"}, .factor = 2.0f},
      {.name = "two", .inputs = {"a"}, .outputs = {"b"}, .factor = 3.0f},
      {.name = "three", .inputs = {"b", "late"}, .outputs = {"y"}, .factor = 5.0f}};
  /// A loop: the second graph makes the state that the first one reads at the next execution.
  const std::vector<Step> loop{
      {.name = "cell", .inputs = {"x", "state"}, .outputs = {"y"}, .factor = 1.0f},
      {.name = "next", .inputs = {"y"}, .outputs = {"state"}, .factor = 2.0f}};
};

TEST_F(pipeline_order, PIP_01_an_input_that_a_later_graph_makes_is_refused_with_both_graphs) {
  const auto context = context_of(chain);
  const Error error = refused(context, {"two", "one", "three"});
  EXPECT_EQ(error.kind, Errc::wrong_order);
  EXPECT_EQ(error.object, "a of graph two (0)");
  EXPECT_EQ(error.message(),
            "a of graph two (0): connecting graphs: graph one (1) makes it, but comes later; put "
            "that graph first, or list the input in PipelineOptions::inputs to write it yourself");
  EXPECT_EQ(refused(context, {"three", "one", "two"}).object, "b of graph three (0)")
      << "the maker need not be the next graph";
}

TEST_F(pipeline_order, PIP_01_the_state_of_a_loop_is_allowed_by_its_name) {
  const auto context = context_of(loop);
  EXPECT_EQ(refused(context, {"cell", "next"}).object, "state of graph cell (0)");
  auto line = must(try_make(context, {"cell", "next"}, {.inputs = {"state"}}));
  std::vector<float> state(loop[0].elements(), 0.0f);
  for (std::uint32_t round = 0; round < 4; ++round) {
    ASSERT_TRUE(succeeds(write(line, "x", loop[0].input(round))));
    ASSERT_TRUE(succeeds(write(line, "state", state)));
    ASSERT_TRUE(succeeds(line.execute()));
    const auto y = loop[0].reference({loop[0].input(round), state});
    EXPECT_EQ(read(line, "y"), y);
    state = read(line, "state");
    EXPECT_EQ(state, loop[1].reference({y}));
  }
}

TEST_F(pipeline_order, PIP_01_a_wire_settles_where_an_input_comes_from) {
  std::vector<Step> steps = loop;
  steps.push_back({.name = "first", .inputs = {"x"}, .outputs = {"s0"}, .factor = 3.0f});
  const auto context = context_of(steps);
  auto line =
      must(try_make(context, {"first", "cell", "next"}, {.wires = {{0, "s0", 1, "state"}}}));
  ASSERT_TRUE(succeeds(write(line, "x", steps[0].input())));
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(read(line, "y"),
            steps[0].reference({steps[0].input(), steps[2].reference({steps[0].input()})}));
}

TEST_F(pipeline_order, PIP_01_a_loop_that_is_unrolled_names_its_first_state) {
  const auto context = context_of(loop);
  auto line = must(try_make(context, {"cell", "next", "cell", "next"}, {.inputs = {"state", "x"}}));
  const std::vector<float> state = loop[0].input(3);
  ASSERT_TRUE(succeeds(write(line, "x", loop[0].input())));
  ASSERT_TRUE(succeeds(write(line, "state", state)));
  ASSERT_TRUE(succeeds(line.execute()));
  const auto once = loop[1].reference({loop[0].reference({loop[0].input(), state})});
  EXPECT_EQ(read(line, "y"), loop[0].reference({loop[0].input(), once}));
}

TEST_F(pipeline_order, PIP_01_a_listed_input_that_the_pipeline_has_not_is_unknown) {
  const auto context = context_of(chain);
  for (const char* name : {"a", "y", "nil"}) {
    const Error error = refused(context, {"one", "two", "three"}, {.inputs = {"x", name}});
    EXPECT_EQ(error.kind, Errc::unknown_name);
    EXPECT_EQ(error.object, name);
    EXPECT_EQ(error.detail,
              "PipelineOptions::inputs lists it; the inputs of the pipeline are: x, late");
  }
}

TEST_F(pipeline_order, ORD_18_while_the_CPU_has_a_tensor_open_no_graph_is_executed) {
  const auto context = context_of(chain);
  auto line = must(try_make(context, {"one", "two", "three"}));
  must(line.access(CpuUse::write));
  {
    const auto open = must(line.input<float>("late"));
    const Error error = error_of(line.execute());
    EXPECT_EQ(error.kind, Errc::in_use);
    EXPECT_EQ(error.object, "late");
    EXPECT_EQ(calls(Slot::graph_execute), 0u);
  }
  EXPECT_TRUE(succeeds(line.execute()));
}

TEST_F(pipeline_order, PIP_02_with_an_unwritten_input_no_graph_is_executed) {
  const auto context = context_of(chain);
  auto line = must(try_make(context, {"one", "two", "three"}));
  const Error both = error_of(line.execute());
  EXPECT_EQ(both.kind, Errc::unwritten_input);
  ASSERT_TRUE(succeeds(write(line, "x", chain[0].input())));
  const Error error = error_of(line.execute());
  EXPECT_EQ(error.object, "late");
  EXPECT_EQ(error.message(),
            "late: executing a pipeline: graph three (2) reads it, but no graph before makes it "
            "and it was never written; open it with input<T>(\"late\") and write it");
  auto lease = must(context.spill_fill().lease());
  EXPECT_EQ(error_of(line.execute(lease)).kind, Errc::unwritten_input);
  auto profile = must(Profile::create(backend(), ProfileLevel::basic));
  EXPECT_EQ(error_of(line.execute(&profile)).kind, Errc::unwritten_input);
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
}

TEST_F(pipeline_order, PIP_02_an_input_is_written_once_it_was_opened_for_writing) {
  const auto context = context_of(chain);
  auto line = must(try_make(context, {"one", "two", "three"}));
  for (int round = 0; round < 2; ++round) {  // Opened twice, an input counts once.
    ASSERT_TRUE(succeeds(write(line, "x", chain[0].input())));
    EXPECT_EQ(error_of(line.execute()).object, "late");
  }
  EXPECT_EQ(error_of(line.input<int>("late")).kind, Errc::type_mismatch);
  EXPECT_EQ(error_of(line.execute()).object, "late") << "it was not opened";
  auto moved = std::move(line);
  ASSERT_TRUE(succeeds(write(moved, "late", chain[0].input())));
  for (int round = 0; round < 3; ++round) EXPECT_TRUE(succeeds(moved.execute()));
}

TEST_F(pipeline_order, PIP_02_all_inputs_are_written_once_the_buffer_was_opened_for_writing) {
  const auto context = context_of(chain);
  for (const CpuUse use : {CpuUse::write, CpuUse::read_write}) {
    auto line = must(try_make(context, {"one", "two", "three"}));
    ASSERT_TRUE(succeeds(line.access(CpuUse::read)));
    EXPECT_EQ(error_of(line.execute()).kind, Errc::unwritten_input);
    ASSERT_TRUE(succeeds(line.access(use)));
    EXPECT_TRUE(succeeds(line.execute()));
  }
}

TEST_F(pipeline_order, PIP_02_a_graph_that_was_left_out_is_missed_at_the_first_execution) {
  const auto context = context_of(chain);
  auto line = must(try_make(context, {"one", "three"}));
  for (const char* input : {"x", "late"})
    ASSERT_TRUE(succeeds(write(line, input, chain[0].input())));
  const Error error = error_of(line.execute());
  EXPECT_EQ(error.object, "b");
  EXPECT_EQ(error.detail,
            "graph three (1) reads it, but no graph before makes it and it was never written");
}

TEST_F(pipeline_order, PIP_03_a_graph_that_repeats_what_it_did_is_refused) {
  const auto context = context_of(chain);
  for (const auto& [names, second, first] :
       std::vector<std::tuple<Texts, std::string, std::string>>{
           {{"one", "one", "two", "three"}, "graph one (1)", "graph 0"},
           {{"one", "two", "three", "two"}, "graph two (3)", "graph 1"},
           {{"one", "two", "one", "two", "three"}, "graph one (2)", "graph 0"}}) {
    const Error error = refused(context, names);
    EXPECT_EQ(error.kind, Errc::duplicate_name);
    EXPECT_EQ(error.object, second);
    EXPECT_EQ(error.detail, first + " is the same and reads the same tensors");
  }
}

TEST_F(pipeline_order, PIP_03_a_graph_is_executed_again_with_other_tensors) {
  const std::vector<Step> steps{{.factor = 3.0f},
                                {.name = "turn", .inputs = {"y"}, .outputs = {"x"}}};
  const auto context = context_of(steps);
  auto line = must(try_make(context, {"step", "turn", "step"}, {.inputs = {"x"}}));
  ASSERT_TRUE(succeeds(write(line, "x", steps[0].input())));
  ASSERT_TRUE(succeeds(line.execute()));
  const auto once = steps[0].reference({steps[0].input()});
  EXPECT_EQ(read(line, "y"), steps[0].reference({steps[1].reference({once})}));
}

TEST_F(pipeline_order, PIP_03_graphs_of_one_name_in_two_contexts_are_different_graphs) {
  const auto first = context_of({chain[0]});
  const auto second = context_of({chain[0]});
  auto all = graphs(first, {"one"});
  all.push_back(graph(second, "one"));
  EXPECT_TRUE(succeeds(Pipeline::check(all)));
}

TEST_F(pipeline_order, inputs_outputs_and_wires_are_listed_in_the_order_of_the_graphs) {
  const auto context = context_of(chain);
  const auto line = must(try_make(context, {"one", "two", "three"}));
  EXPECT_EQ(texts(line.inputs()), (Texts{"x of 0", "late of 2"}));
  EXPECT_EQ(texts(line.outputs()), (Texts{"a of 0", "b of 1", "y of 2"}));
  EXPECT_EQ(texts(line.wires()), (Texts{"a of 0 to a of 1", "b of 1 to b of 2"}));
  EXPECT_EQ(line.inputs()[1].spec.dimensions, chain[2].dimensions);
  EXPECT_EQ(line.outputs()[0].spec.kind, c_api::TensorType::app_read);
  for (const PipelineTensor& input : line.inputs())
    EXPECT_TRUE(succeeds(line.input<float>(input.spec.name)));
  for (const PipelineTensor& output : line.outputs())
    EXPECT_TRUE(succeeds(line.output<float>(output.spec.name)));
}

TEST_F(pipeline_order, with_shared_bytes_only_outputs_that_can_be_read_are_listed) {
  const auto context = context_of(chain);
  const auto line =
      must(try_make(context, {"one", "two", "three"}, {.share_bytes = TensorArena::lay_out}));
  EXPECT_EQ(texts(line.outputs()), Texts{"y of 2"});
  EXPECT_EQ(line.wires().size(), 2u);
}

TEST_F(pipeline_order, wires_of_the_options_are_listed_with_those_by_name) {
  const auto context = context_of(chain);
  const auto line =
      must(try_make(context, {"one", "two", "three"}, {.wires = {{0, "a", 2, "late"}}}));
  EXPECT_EQ(texts(line.inputs()), Texts{"x of 0"});
  EXPECT_EQ(texts(line.wires()),
            (Texts{"a of 0 to a of 1", "b of 1 to b of 2", "a of 0 to late of 2"}));
}

}}  // namespace support
