// Errors name tensors and graphs as the caller does: after exchange() and rebind(), in pipelines,
// and if the name is there but cannot be used.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

#include "fixture.hpp"
#include "registered.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class callers_names : public StepsTest {
 protected:
  /// Expects that each way to open a tensor wrongly names it as the caller does. `open<T>()` opens
  /// it.
  template <class Open>
  static void expect_named(const char* name, const Open& open) {
    SCOPED_TRACE(name);
    EXPECT_EQ(error_of(open(std::int8_t{})).object, name);
    {
      const auto access = must(open(float{}));
      EXPECT_EQ(error_of(access.template view<1>()).object, name);
    }
    {
      const auto access = must(open(std::byte{}));
      EXPECT_EQ(error_of(access.template view<2>()).object, name);
    }
  }
  /// Checks expect_named() and the copies of elements, for an input and an output.
  template <class Object>
  static void expect_named(const Object& object, const char* input, const char* output) {
    expect_named(input, [&]<class T>(T) { return object.template input<T>(input); });
    expect_named(output, [&]<class T>(T) { return object.template output<T>(output); });
    const std::vector<float> few(3);
    std::vector<float> found(3);
    EXPECT_EQ(error_of(write_elements(object.template input<float>(input), few)).object, input);
    EXPECT_EQ(error_of(read_elements(object.template output<float>(output), found)).object, output);
  }

  const Step net{.inputs = {"hidden", "x"}, .outputs = {"next_hidden"}};
};

TEST_F(callers_names, are_the_graphs_before_and_after_exchange) {
  const auto context = context_of({net});
  auto bound = must(graph(context, "step").bind(allocator()));
  (void)must(bound.input<float>("x"));
  for (int times = 0; times < 3; ++times) {
    expect_named(bound, "hidden", "next_hidden");
    for (const char* const name : {"hidden", "x"}) {
      const auto access = must(bound.input<float>(name));
      const Error open = error_of(bound.execute());
      EXPECT_EQ(open.kind, Errc::in_use);
      EXPECT_EQ(open.object, name);
    }
    must(bound.exchange("hidden", "next_hidden"));
  }
  const Error misspelt = error_of(bound.input<float>("hiden"));
  EXPECT_EQ(misspelt.object, "hiden");
  EXPECT_EQ(misspelt.detail, "graph step has the inputs hidden, x");
}

TEST_F(callers_names, are_the_graphs_in_each_call_after_exchange) {
  const auto context = context_of({net});
  auto bound = must(graph(context, "step").bind(allocator()));
  const auto small = RegisteredMemory<MultiTensor>::make(
      allocator(), context, std::vector{TensorSpec{.name = "small", .dimensions = {1}}});
  for (int times = 0; times < 3; ++times) {
    const Error unwritten = error_of(bound.execute());
    EXPECT_EQ(unwritten.kind, Errc::unwritten_input);
    EXPECT_EQ(unwritten.object, "hidden");
    EXPECT_EQ(must(bound.extents("hidden")).size(), net.dimensions.size());
    for (const char* const name : {"hidden", "x"}) {
      EXPECT_EQ(error_of(bound.set_extents(name, {1, 1})).object, name);
      EXPECT_EQ(error_of(bound.rebind(registered(name, small.tensors, "small"))).object, name);
      EXPECT_EQ(error_of(bound.exchange(name, "next")).object, "next");
    }
    EXPECT_EQ(error_of(bound.set_extents("next_hidden", {1, 1})).object, "next_hidden");
    EXPECT_EQ(error_of(bound.exchange("hidde", "next_hidden")).detail,
              "graph step has the inputs hidden, x");
    EXPECT_EQ(error_of(bound.extents("hide")).detail,
              "graph step has the tensors hidden, x, next_hidden");
    must(bound.exchange("hidden", "next_hidden"));
  }
}

TEST_F(callers_names, are_the_graphs_after_rebind_to_memory_of_another_name) {
  const auto context = context_of({net});
  const TensorSpec first{.name = "first", .dimensions = net.dimensions};
  const TensorSpec second{.name = "second", .dimensions = net.dimensions};
  const auto ring =
      RegisteredMemory<MultiTensor>::make(allocator(), context, std::vector{first, second});
  auto bound = must(graph(context, "step").bind(allocator()));
  must(bound.rebind(registered("hidden", ring.tensors, "first")));
  must(bound.rebind(registered("next_hidden", ring.tensors, "second")));
  expect_named(bound, "hidden", "next_hidden");
  const Error unknown = error_of(bound.rebind(registered("hidden", ring.tensors, "secnd")));
  EXPECT_EQ(unknown.object, "secnd");
  EXPECT_EQ(unknown.detail, "the buffer holds: second, first");
}

TEST_F(callers_names, are_the_graphs_in_a_pipeline) {
  const std::vector<Step> steps{{.name = "stem", .inputs = {"image"}, .outputs = {"features"}},
                                {.name = "head", .inputs = {"features"}, .outputs = {"scores"}}};
  const auto context = context_of(steps);
  const auto line = must(Pipeline::create(allocator(), graphs(context, {"stem", "head"})));
  expect_named(line, "image", "scores");
  expect_named(line, "image", "features");
  EXPECT_EQ(error_of(line.input<float>("imge")).detail,
            "not an input of the pipeline; there are: image");
}

TEST_F(callers_names, are_the_graphs_where_the_memory_of_a_pipeline_fails) {
  const std::vector<Step> steps{{.name = "stem", .inputs = {"image"}, .outputs = {"features"}},
                                {.name = "head", .inputs = {"features"}, .outputs = {"scores"}}};
  const auto context = context_of(steps);
  control().fail_call(Slot::mem_register, 1, 8003);
  EXPECT_EQ(error_of(Pipeline::create(allocator(), graphs(context, {"stem", "head"}))).object,
            "image, an input of the pipeline");
  const auto planner = [](std::span<const ScheduledTensor> tensors,
                          std::span<std::uint64_t>) -> Result<std::uint64_t> {
    return fail(Error::make(Errc::too_large, "planning", tensors.back().spec.name));
  };
  auto all = graphs(context, {"stem", "head"});
  EXPECT_EQ(error_of(Pipeline::check(all, {.share_bytes = planner})).object,
            "scores of graph head (1)");
  EXPECT_EQ(
      error_of(Pipeline::create(allocator(), std::move(all), {.share_bytes = planner})).object,
      "scores of graph head (1)");
}

TEST_F(callers_names, of_a_graph_that_is_not_enabled_are_not_unknown) {
  const Step small{.name = "r64"}, large{.name = "r256"}, other{.name = "other"};
  const auto context = must(Context<Finalized>::restore(
      backend(), own(binary_of(backend(), std::vector{small, large, other}), "sizes.bin"),
      {.enabled_graphs = {"r64", "other"}}));
  const Error left_out = error_of(Graph<Retrieved>::retrieve(context, "r256"));
  EXPECT_EQ(left_out.kind, Errc::unknown_name);
  EXPECT_EQ(left_out.found, 1u);
  EXPECT_EQ(left_out.message(),
            "r256: QnnGraph_retrieve: the graph is there, but not enabled; add it to the enabled "
            "graphs, or use one of them (sizes.bin has enabled: r64, other)");
  const Error unknown = error_of(Graph<Retrieved>::retrieve(context, "r25"));
  EXPECT_EQ(unknown.found, 0u);
  EXPECT_EQ(unknown.detail, "sizes.bin has enabled: r64, other");
}

}}  // namespace support
