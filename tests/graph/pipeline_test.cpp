// Pipelines: graphs of one or many contexts. Each graph reads the outputs of earlier graphs in
// place.
#include "qnnpp/graph/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/memory/tensor_arena.hpp"

#include "contracts.hpp"
#include "fixture.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class pipeline : public StepsTest {
 protected:
  template <class Io>
  Pipeline make(std::vector<Graph<Retrieved, Io>> graphs,
                const PipelineOptions& options = {}) const {
    return must(Pipeline::create(allocator(), std::move(graphs), options));
  }
  static void write(const Pipeline& into, const char* input, const std::vector<float>& values) {
    must(write_elements(into.input<float>(input), values));
  }
  static std::vector<float> read(const Pipeline& from, const char* output) {
    const auto opened = must(from.output<float>(output));
    const std::span<const float> values = opened.elements();
    return {values.begin(), values.end()};
  }
  /// Returns the number of tensor registrations on the device.
  static std::uint64_t registrations() { return control().counters().live_tensor_registrations; }

  /// x -> a -> b -> y.
  const std::vector<Step> chain{
      {.name = "one", .inputs = {"x"}, .outputs = {"a"}, .factor = 2.0f},
      {.name = "two", .inputs = {"a"}, .outputs = {"b"}, .factor = 3.0f},
      {.name = "three", .inputs = {"b"}, .outputs = {"y"}, .factor = 5.0f}};
  const std::vector<std::string> chain_names{"one", "two", "three"};
  static std::vector<float> times(std::vector<float> values, float factor) {
    for (float& value : values) value *= factor;
    return values;
  }
};

TEST_F(pipeline, an_input_takes_the_earlier_output_of_its_name_and_nothing_is_copied) {
  const auto context = context_of(chain);
  auto line = make(graphs(context, chain_names));
  for (std::uint32_t round = 0; round < 3; ++round) {
    write(line, "x", chain[0].input(round));
    ASSERT_TRUE(succeeds(line.execute()));
    EXPECT_EQ(read(line, "y"), times(chain[0].input(round), 30.0f));
  }
  EXPECT_EQ(copied_bytes(), 0u);
  EXPECT_EQ(control().counters().in_place, 18u) << "two tensors a graph, three graphs, three times";
  EXPECT_EQ(control().counters().io_at_execution_bytes, 0u);
}

TEST_F(pipeline, graphs_may_be_written_in_place) {
  const auto context = context_of(chain);
  auto line =
      must(Pipeline::create(allocator(), {must(Graph<Retrieved>::retrieve(context, "one")),
                                          must(Graph<Retrieved>::retrieve(context, "two"))}));
  write(line, "x", chain[0].input());
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(read(line, "b"), times(chain[0].input(), 6.0f));
}

TEST_F(pipeline, outputs_of_graphs_in_between_can_be_read_too) {
  const auto context = context_of(chain);
  auto line = make(graphs(context, chain_names));
  write(line, "x", chain[0].input());
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(read(line, "a"), times(chain[0].input(), 2.0f));
  EXPECT_EQ(read(line, "b"), times(chain[0].input(), 6.0f));
}

TEST_F(pipeline, with_shared_bytes_what_a_later_graph_has_read_cannot_be_read) {
  const auto context = context_of(chain);
  auto line = make(graphs(context, chain_names), {.share_bytes = TensorArena::lay_out});
  for (const char* inner : {"a", "b"}) {
    const Error error = error_of(line.output<float>(inner));
    EXPECT_EQ(error.kind, Errc::unknown_name);
    EXPECT_EQ(error.object, inner);
    EXPECT_EQ(error.detail, "not an output that can be read; there are: y");
  }
  EXPECT_TRUE(succeeds(line.output<float>("y")));
}

TEST_F(pipeline, a_name_that_is_no_input_or_output_is_unknown_and_the_names_are_listed) {
  const auto context = context_of(chain);
  const auto line = make(graphs(context, chain_names));
  const Error input = error_of(line.input<float>("a"));
  EXPECT_EQ(input.kind, Errc::unknown_name);
  EXPECT_EQ(input.object, "a");
  EXPECT_EQ(input.detail, "not an input of the pipeline; there are: x");
  EXPECT_EQ(error_of(line.output<float>("x")).detail,
            "not an output that can be read; there are: a, b, y");
}

TEST_F(pipeline, a_view_of_another_type_is_a_type_mismatch) {
  const auto context = context_of(chain);
  const auto line = make(graphs(context, chain_names));
  EXPECT_EQ(error_of(line.input<std::int8_t>("x")).kind, Errc::type_mismatch);
  EXPECT_EQ(error_of(line.input<std::int8_t>("x")).object, "x");
  EXPECT_EQ(error_of(line.output<std::int8_t>("y")).kind, Errc::type_mismatch);
  EXPECT_EQ(must(line.output<std::byte>("y")).size(), chain[0].bytes());
}

TEST_F(pipeline, wires_connect_tensors_of_different_names) {
  const std::vector<Step> steps{{.name = "one", .factor = 2.0f}, {.name = "two", .factor = 3.0f}};
  const auto context = context_of(steps);
  auto line = make(graphs(context, {"one", "two"}), {.wires = {{0, "y", 1, "x"}}});
  write(line, "x", steps[0].input());
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(read(line, "y"), times(steps[0].input(), 6.0f)) << "the latest output of its name";
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(pipeline, without_wires_inputs_of_one_name_are_one_input) {
  const std::vector<Step> steps{
      {.name = "one", .outputs = {"p"}, .factor = 2.0f},
      {.name = "two", .inputs = {"x", "p"}, .outputs = {"q"}, .factor = 3.0f}};
  const auto context = context_of(steps);
  auto line = make(graphs(context, {"one", "two"}));
  write(line, "x", steps[0].input());
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(read(line, "p"), times(steps[0].input(), 2.0f));
  EXPECT_EQ(read(line, "q"), times(steps[0].input(), 9.0f));
}

TEST_F(pipeline, a_wire_goes_before_the_rule_of_names) {
  // By name, c would read b of graph b. The wire connects it to a of graph a.
  const std::vector<Step> steps{
      {.name = "a", .outputs = {"a"}, .factor = 2.0f},
      {.name = "b", .inputs = {"a"}, .outputs = {"b", "a2"}, .factor = 3.0f},
      {.name = "c", .inputs = {"b"}, .outputs = {"y"}, .factor = 5.0f}};
  const auto context = context_of(steps);
  auto by_name = make(graphs(context, {"a", "b", "c"}));
  auto by_wire = make(graphs(context, {"a", "b", "c"}), {.wires = {{0, "a", 2, "b"}}});
  for (Pipeline* line : {&by_name, &by_wire}) {
    write(*line, "x", steps[0].input());
    ASSERT_TRUE(succeeds(line->execute()));
  }
  EXPECT_EQ(read(by_name, "y"), times(steps[0].input(), 30.0f));
  EXPECT_EQ(read(by_wire, "y"), times(steps[0].input(), 10.0f));
  EXPECT_EQ(read(by_wire, "a2"), times(steps[0].input(), 8.0f)) << "the second output of its graph";
}

TEST_F(pipeline, the_latest_of_several_outputs_of_one_name_is_taken_and_read) {
  const std::vector<Step> steps{{.name = "one", .outputs = {"v"}, .factor = 2.0f},
                                {.name = "two", .inputs = {"v"}, .outputs = {"w"}, .factor = 3.0f}};
  const std::vector<Step> again{{.name = "back", .inputs = {"w"}, .outputs = {"v"}, .factor = 5.0f},
                                {.name = "end", .inputs = {"v"}, .outputs = {"y"}, .factor = 7.0f}};
  const auto first = context_of(steps);
  const auto second = context_of(again);
  for (const bool share : {false, true}) {
    auto all = graphs(first, {"one", "two"});
    for (auto& one : graphs(second, {"back", "end"})) all.push_back(std::move(one));
    auto line = make(std::move(all), {.share_bytes = share ? TensorArena::lay_out : nullptr});
    write(line, "x", steps[0].input());
    ASSERT_TRUE(succeeds(line.execute()));
    EXPECT_EQ(read(line, "y"), times(steps[0].input(), 210.0f));
    if (!share) {
      EXPECT_EQ(read(line, "v"), times(steps[0].input(), 30.0f));
    }
  }
}

TEST_F(pipeline, one_graph_may_run_at_several_places) {
  const std::vector<Step> steps{{.factor = 3.0f}};
  const auto context = context_of(steps);
  auto line = make(graphs(context, {"step", "step", "step"}),
                   {.wires = {{0, "y", 1, "x"}, {1, "y", 2, "x"}}});
  write(line, "x", steps[0].input());
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(read(line, "y"), times(steps[0].input(), 27.0f));
}

/// Branches: two graphs read "a", and only the last graph reads one of the inputs.
class pipeline_branches : public pipeline {
 protected:
  const std::vector<Step> steps{
      {.name = "root", .inputs = {"x"}, .outputs = {"a"}, .factor = 2.0f},
      {.name = "left", .inputs = {"a"}, .outputs = {"b"}, .factor = 3.0f},
      {.name = "right", .inputs = {"a"}, .outputs = {"c"}, .factor = 5.0f},
      {.name = "join", .inputs = {"b", "c", "late"}, .outputs = {"y", "z"}, .factor = 7.0f}};
  const std::vector<std::string> names{"root", "left", "right", "join"};
  [[nodiscard]] std::vector<float> joined(std::uint32_t round, std::size_t output = 0) const {
    const auto a = times(steps[0].input(round), 2.0f);
    return steps[3].reference({times(a, 3.0f), times(a, 5.0f), steps[3].input(round + 7)}, output);
  }
  void expect_right(Pipeline& line) const {
    for (std::uint32_t round = 0; round < 4; ++round) {
      write(line, "x", steps[0].input(round));
      write(line, "late", steps[3].input(round + 7));
      ASSERT_TRUE(succeeds(line.execute()));
      EXPECT_EQ(read(line, "y"), joined(round));
      EXPECT_EQ(read(line, "z"), joined(round, 1));
    }
    EXPECT_EQ(copied_bytes(), 0u);
  }
};

TEST_F(pipeline_branches, an_output_goes_to_two_graphs_and_an_input_to_the_last) {
  const auto context = context_of(steps);
  auto line = make(graphs(context, names));
  expect_right(line);
}

TEST_F(pipeline_branches, SHB_02_with_shared_bytes_every_tensor_lasts_until_its_last_use) {
  const auto context = context_of(steps);
  auto line = make(graphs(context, names), {.share_bytes = TensorArena::lay_out});
  expect_right(line);
}

TEST_F(pipeline_branches, with_shared_bytes_the_inputs_keep_what_the_caller_wrote) {
  const auto context = context_of(steps);
  auto line = make(graphs(context, names), {.share_bytes = TensorArena::lay_out});
  write(line, "x", steps[0].input());
  write(line, "late", steps[3].input(7));
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(succeeds(line.execute()));
    EXPECT_EQ(read(line, "y"), joined(0)) << round;
  }
  const auto x = must(line.input<float>("x"));
  EXPECT_TRUE(std::ranges::equal(x.elements(), steps[0].input()));
}

TEST_F(pipeline, SHB_02_shared_bytes_make_a_long_chain_small_and_the_results_are_the_same) {
  std::vector<Step> steps;
  std::vector<std::string> names;
  std::vector<Wire> wires;
  for (std::size_t i = 0; i < 12; ++i) {
    names.push_back("step " + std::to_string(i));
    steps.push_back({.name = names.back(), .factor = i % 2 == 0 ? 2.0f : 0.5f, .dimensions = {40}});
    if (i != 0) wires.push_back({i - 1, "y", i, "x"});
  }
  const auto context = context_of(steps);
  auto apart = make(graphs(context, names), {.wires = wires});
  auto shared = make(graphs(context, names), {.wires = wires, .share_bytes = TensorArena::lay_out});
  EXPECT_GE(apart.buffer_bytes(), 13 * steps[0].bytes());
  EXPECT_LE(shared.buffer_bytes(), 4 * 256u) << "the input, the output, and two in between";
  for (std::uint32_t round = 0; round < 5; ++round) {
    for (Pipeline* line : {&apart, &shared}) {
      write(*line, "x", steps[0].input(round));
      ASSERT_TRUE(succeeds(line->execute()));
      EXPECT_EQ(read(*line, "y"), steps[0].input(round));
    }
  }
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(pipeline, SHB_02_with_shared_bytes_an_output_that_no_graph_reads_keeps_its_bytes) {
  std::vector<Step> steps = chain;
  steps[0].outputs = {"a", "early"};
  const auto context = context_of(steps);
  auto line = make(graphs(context, chain_names), {.share_bytes = TensorArena::lay_out});
  write(line, "x", chain[0].input());
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(succeeds(line.execute()));
    EXPECT_EQ(read(line, "early"), times(chain[0].input(), 3.0f));
    EXPECT_EQ(read(line, "y"), times(chain[0].input(), 30.0f));
  }
}

TEST_F(pipeline, SHB_02_tensors_of_different_shapes_share_bytes_and_the_results_are_the_same) {
  // All sizes are equal, but QNN has one handle per offset: the shapes differ.
  const std::vector<std::vector<std::uint32_t>> shapes{{4, 8}, {8, 4}, {32}, {2, 16}};
  std::vector<Step> steps;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string n = std::to_string(i);
    // Each pair of steps is a separate chain; no other step reads its result.
    steps.push_back({.name = "in" + n,
                     .inputs = {"x" + n},
                     .outputs = {"m" + n},
                     .factor = 3.0f,
                     .dimensions = shapes[i]});
    steps.push_back({.name = "out" + n,
                     .inputs = {"m" + n},
                     .outputs = {"y" + n},
                     .factor = 5.0f,
                     .dimensions = shapes[i]});
    names.push_back("in" + n);
    names.push_back("out" + n);
  }
  const auto context = context_of(steps);
  auto line = make(graphs(context, names), {.share_bytes = TensorArena::lay_out});
  for (std::uint32_t round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < shapes.size(); ++i)
      write(line, std::string("x").append(std::to_string(i)).c_str(),
            steps[2 * i].input(round + i));
    ASSERT_TRUE(succeeds(line.execute()));
    for (std::uint32_t i = 0; i < shapes.size(); ++i)
      EXPECT_EQ(read(line, std::string("y").append(std::to_string(i)).c_str()),
                times(steps[2 * i].input(round + i), 15.0f));
  }
}

TEST_F(pipeline, the_kind_of_graph_may_be_any_and_its_costs_are_summed) {
  std::vector<Step> steps = chain;
  for (Step& step : steps) step.io = c_api::TensorMemType::raw;
  steps[1].io = c_api::TensorMemType::memhandle;
  const auto context = context_of(steps);
  auto line = make(graphs<AnyIo>(context, chain_names));
  const std::uint64_t bytes = steps[0].bytes();
  EXPECT_EQ(line.io_cost(), (IoCost{0, 0, 4 * bytes}));
  EXPECT_EQ(control().counters().io_preallocated_bytes, 4 * bytes);
  EXPECT_EQ(line.stages()[0].cost, (IoCost{0, 0, 2 * bytes}));
  EXPECT_EQ(line.stages()[1].cost, IoCost{});
  write(line, "x", steps[0].input());
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(read(line, "y"), times(steps[0].input(), 30.0f));
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(pipeline, graphs_of_a_composed_context_make_a_pipeline_too) {
  auto composing = must(Context<Composing>::create(backend()));
  for (const Step& step : chain) compose(composing, step);
  const auto composed = must(std::move(composing).finalize());
  std::vector<Graph<Retrieved, RegisteredIo>> all;
  for (const std::string& name : chain_names)
    all.push_back(must(Graph<Retrieved, RegisteredIo>::retrieve(composed, name)));
  auto line = make(std::move(all));
  write(line, "x", chain[0].input());
  ASSERT_TRUE(succeeds(line.execute()));
  EXPECT_EQ(read(line, "y"), times(chain[0].input(), 30.0f));
}

TEST_F(pipeline, the_stages_say_what_each_graph_moves_and_how_often_it_ran) {
  const std::vector<Step> steps{{.name = "wide", .inputs = {"x", "w"}, .outputs = {"a"}},
                                {.name = "tall", .inputs = {"a"}, .outputs = {"y", "z", "v"}}};
  const auto first = context_of({steps[0]}, "first.bin");
  const auto second = context_of({steps[1]}, "second.bin");
  auto all = graphs(first, {"wide"});
  all.push_back(graph(second, "tall"));
  auto line = make(std::move(all));
  const std::uint64_t bytes = steps[0].bytes();
  ASSERT_EQ(line.stages().size(), 2u);
  ASSERT_TRUE(succeeds(line.access(CpuUse::write)));
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(succeeds(line.execute()));
  }
  const PipelineStage& wide = line.stages()[0];
  const PipelineStage& tall = line.stages()[1];
  EXPECT_EQ(wide.graph, "wide");
  EXPECT_EQ(wide.context, "first.bin");
  EXPECT_EQ(tall.graph, "tall");
  EXPECT_EQ(tall.context, "second.bin");
  EXPECT_EQ(wide.input_bytes, 2 * bytes);
  EXPECT_EQ(wide.output_bytes, bytes);
  EXPECT_EQ(tall.input_bytes, bytes);
  EXPECT_EQ(tall.output_bytes, 3 * bytes);
  for (const PipelineStage& stage : line.stages()) {
    EXPECT_EQ(stage.executions, 3u);
    EXPECT_EQ(stage.cost, IoCost{});
    EXPECT_GT(stage.last_ns, 0u);
    EXPECT_GE(stage.total_ns, stage.last_ns + 2);
  }
}

TEST_F(pipeline, the_times_of_the_stages_are_those_of_their_graphs) {
  // The device waits before each node except the first. Only the first graph has more than one
  // node.
  const auto slow =
      context_of({{.name = "slow", .inputs = {"u", "v", "w"}, .outputs = {"x"}}}, "slow.bin");
  const auto context = context_of(chain);
  auto all = graphs(slow, {"slow"});
  for (auto& one : graphs(context, chain_names)) all.push_back(std::move(one));
  auto line = make(std::move(all));
  ASSERT_TRUE(succeeds(line.access(CpuUse::write)));
  set(&sim::Config::node_delay_us, 2000);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(succeeds(line.execute()));
  const std::chrono::nanoseconds whole = std::chrono::steady_clock::now() - begin;
  std::uint64_t sum = 0;
  for (const PipelineStage& stage : line.stages()) {
    EXPECT_EQ(stage.total_ns, stage.last_ns);
    sum += stage.last_ns;
  }
  EXPECT_GE(line.stages()[0].last_ns, 4'000'000u) << "three nodes, two waits";
  EXPECT_LE(sum, static_cast<std::uint64_t>(whole.count())) << "no time is counted twice";
}

TEST_F(pipeline, a_pipeline_is_registered_once_with_each_context_and_given_back_once) {
  const auto first = context_of({chain[0], chain[2]}, "first.bin");
  const auto second = context_of({chain[1]}, "second.bin");
  {
    auto all = graphs(first, {"one"});
    all.push_back(graph(second, "two"));
    all.push_back(graph(first, "three"));
    const std::uint64_t before = calls(Slot::mem_register);
    const auto line = make(std::move(all));
    EXPECT_EQ(calls(Slot::mem_register) - before, 2u);
    // x, a, b, y with the first context, a and b with the second: only the tensors that its graphs
    // use.
    EXPECT_EQ(registrations(), 6u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
    EXPECT_EQ(line.buffer_bytes(), rpcmem_control().counters().live_bytes);
  }
  EXPECT_EQ(registrations(), 0u);
  EXPECT_EQ(calls(Slot::mem_de_register), 2u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(pipeline, a_pipeline_keeps_everything_it_needs_alive) {
  auto line = std::optional([&] {
    const auto first = context_of({chain[0], chain[1]});
    const auto second = context_of({chain[2]});
    auto all = graphs(first, {"one", "two"});
    all.push_back(graph(second, "three"));
    return make(std::move(all));
  }());
  drop_backend();
  drop_allocator();
  write(*line, "x", chain[0].input());
  ASSERT_TRUE(succeeds(line->execute()));
  EXPECT_EQ(read(*line, "y"), times(chain[0].input(), 30.0f));
  EXPECT_EQ(control().counters().live_contexts, 2u);
  line.reset();
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(control().counters().live_backends, 0u);
}

TEST_F(pipeline, a_pipeline_moves_and_a_new_one_takes_its_place) {
  const auto context = context_of(chain);
  auto line = make(graphs(context, {"one", "two"}));
  auto moved = std::move(line);
  write(moved, "x", chain[0].input());
  ASSERT_TRUE(succeeds(moved.execute()));
  EXPECT_EQ(read(moved, "b"), times(chain[0].input(), 6.0f));
  moved = make(graphs(context, {"three"}));
  EXPECT_EQ(registrations(), 2u) << "those of the first are given back";
  write(moved, "b", chain[0].input());
  ASSERT_TRUE(succeeds(moved.execute()));
  EXPECT_EQ(read(moved, "y"), times(chain[0].input(), 5.0f));
}

TEST_F(pipeline, SHB_07_the_buffer_is_opened_for_the_CPU) {
  const auto context = context_of(chain);
  auto line = make(graphs(context, chain_names));
  {
    auto access = must(line.access(CpuUse::write));
    write(line, "x", chain[0].input());
    EXPECT_TRUE(succeeds(std::move(access).end()));
  }
  ASSERT_TRUE(succeeds(line.execute()));
}

class pipeline_death : public pipeline {};

TEST_F(pipeline_death, ORD_09_a_pipeline_that_was_moved_from_ends_the_program) {
  const auto context = context_of(chain);
  auto line = make(graphs(context, chain_names));
  auto kept = [&] { return std::move(line); }();
  EXPECT_CONTRACT(moved_pipeline, (void)line.execute());
  EXPECT_CONTRACT(moved_pipeline, (void)line.input<float>("x"));
  EXPECT_CONTRACT(moved_pipeline, (void)line.output<float>("y"));
  EXPECT_CONTRACT(moved_buffer, (void)line.buffer_bytes());
  write(kept, "x", chain[0].input());
  EXPECT_TRUE(succeeds(kept.execute()));
  line = std::move(kept);
  kept = std::move(line);
  EXPECT_CONTRACT(moved_pipeline, (void)line.execute());
}

}}  // namespace support
