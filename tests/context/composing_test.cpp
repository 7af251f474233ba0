// Contexts composed online: their graphs, their binaries, and incomplete contexts.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class composing_context : public LoadedTest {};

TEST_F(composing_context, a_serialised_context_is_loaded_again_with_the_same_graphs_and_numbers) {
  const std::vector<Network> networks{{.name = "first", .seed = 21},
                                      {.name = "second", .hidden = 40, .seed = 22}};
  const auto bytes = binary_of(backend(), networks);
  const auto eager = must(Context<Finalized>::restore(backend(), own(bytes)));
  const auto deferred =
      finalized(must(Context<Deferred>::create(backend(), own(bytes)).and_then(transition::query)));
  for (const auto* context : {&eager, &deferred}) {
    ASSERT_EQ(context->graphs().size(), 2u);
    for (const Network& network : networks) EXPECT_LT(difference(*context, network), tolerance);
  }
}

class a_composed_context : public SimTest {
 protected:
  static Backend<Htp> prepares_with(DeviceOptions options) {
    // The platform gets the log's lines, so qnnpp does not see them.
    return must(Backend<Htp>::load({.library = htp_library,
                                    .log = log_to_platform(c_api::LogLevel::error),
                                    .device = std::move(options)}));
  }
  static Result<std::vector<std::byte>> binary_by(const Backend<Htp>& backend) {
    auto context = must(Context<Composing>::create(backend, {.name = "net"}));
    (void)compose(context, Network());
    return must(std::move(context).finalize()).serialize();
  }
};

TEST_F(a_composed_context, CFG_05_is_for_the_chip_or_the_architecture_that_was_asked_for) {
  const auto arch_by = [](DeviceOptions options) {
    const auto backend = prepares_with(std::move(options));
    const auto system = must(System::load(system_library));
    return must(system.metadata(must(binary_by(backend)), "net")).dsp_arch;
  };
  EXPECT_EQ(arch_by({.soc_model = static_cast<std::uint32_t>(c_api::SocModel::sm8550)}), 73u);
  EXPECT_EQ(arch_by({.arch = c_api::HtpDeviceArch::v75}), 75u);
  EXPECT_EQ(arch_by({}), 79u);
}

TEST_F(a_composed_context, CFG_05_for_another_architecture_than_asked_for_is_not_serialised) {
  const auto backend = prepares_with({.arch = static_cast<c_api::HtpDeviceArch>(99)});
  const auto refused = error_of(binary_by(backend));
  EXPECT_EQ(refused.kind, Errc::wrong_architecture);
  EXPECT_NE(refused.message().find("prepared for Hexagon v79, DeviceOptions asked for v99, and "),
            std::string::npos)
      << refused.message();
}

TEST_F(composing_context, that_lacks_the_library_which_prepares_graphs_names_it) {
  control().fail_call(Slot::context_create, 1, 1009);
  const std::string line = error_of(Context<Composing>::create(backend())).message();
  EXPECT_NE(line.find("QnnContext_create returned 1009"), std::string::npos) << line;
  EXPECT_NE(line.find("put libQnnHtpPrepare.so beside the backend library"), std::string::npos)
      << line;
}

TEST_F(composing_context, the_metadata_of_a_binary_says_what_was_composed) {
  const Network network{
      .name = "named", .rows = 3, .width = 16, .io = c_api::TensorMemType::memhandle};
  const auto context = restored(network);
  ASSERT_EQ(context.graphs().size(), 1u);
  const GraphSpec& graph = context.graphs()[0];
  EXPECT_EQ(graph.name, "named");
  ASSERT_EQ(graph.inputs.size(), 1u);
  ASSERT_EQ(graph.outputs.size(), 1u);
  EXPECT_EQ(graph.inputs[0].name, "x");
  EXPECT_EQ(graph.outputs[0].name, "y");
  EXPECT_EQ(graph.inputs[0].dimensions, (std::vector<std::uint32_t>{3, 16}));
  EXPECT_EQ(graph.inputs[0].data_type, c_api::DataType::float_32);
  EXPECT_EQ(graph.inputs[0].kind, c_api::TensorType::app_write);
  EXPECT_EQ(graph.outputs[0].kind, c_api::TensorType::app_read);
  EXPECT_EQ(graph.inputs[0].mem_type, c_api::TensorMemType::memhandle);
  EXPECT_NE(graph.inputs[0].id, graph.outputs[0].id);
}

TEST_F(composing_context, a_composed_graph_is_executed_without_a_binary) {
  const Network network;
  auto context = must(Context<Composing>::create(backend()));
  auto graph = compose(context, network);
  const auto in = network.input();
  std::vector<float> out(network.io_elements());
  auto bound = must(std::move(graph).bind({raw("x", in), raw("y", out)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, network.reference(in)), tolerance);
}

TEST_F(composing_context, a_graph_is_retrieved_from_a_composed_context) {
  const Network network;
  auto context = must(Context<Composing>::create(backend()));
  (void)compose(context, network);
  const auto composed = must(std::move(context).finalize());
  const auto graph = must(Graph<Retrieved>::retrieve(composed, network.name));
  EXPECT_EQ(graph.inputs().size(), 1u);
  EXPECT_EQ(error_of(Graph<Retrieved>::retrieve(composed, "other")).kind, Errc::unknown_name);
}

TEST_F(composing_context, every_unfinished_graph_is_counted_and_the_context_is_released) {
  auto context = must(Context<Composing>::create(backend(), {.name = "growing"}));
  (void)compose(context, Network{});
  {
    const auto one = must(Graph<Composing>::create(context, "one"));
    auto two = must(Graph<Composing>::create(context, "two"));
    EXPECT_TRUE(succeeds(std::move(two).close()));
  }
  const Error asked = error_of(context.check_finalize());
  EXPECT_EQ(control().counters().live_contexts, 1u) << "asking consumes nothing";
  const Error error = error_of(std::move(context).finalize());
  EXPECT_EQ(asked.message(), error.message());
  EXPECT_EQ(error.kind, Errc::incomplete);
  EXPECT_EQ(error.found, 2u);
  EXPECT_EQ(error.object, "growing");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(composing_context, a_graph_that_failed_to_finalize_leaves_its_context_incomplete) {
  auto context = must(Context<Composing>::create(backend()));
  auto graph = must(Graph<Composing>::create(context, "empty"));
  const Error error = error_of(std::move(graph).finalize());
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, drawn_code(sim::Unconfirmed::composing, 6022));
  EXPECT_STREQ(error.step, "QnnGraph_finalize");
  EXPECT_EQ(error.object, "empty");
  EXPECT_EQ(error_of(std::move(context).finalize()).kind, Errc::incomplete);
}

TEST_F(composing_context, options_reach_the_device) {
  const auto context = must(Context<Composing>::create(
      backend(),
      {.priority = c_api::Priority::high, .weight_sharing = true, .name = "with options"}));
  EXPECT_EQ(context.name(), "with options");
  auto graph =
      must(Graph<Composing>::create(context, "graph", {.vtcm_mb = 1, .optimization_level = 3}));
  EXPECT_EQ(graph.name(), "graph");
}

TEST_F(composing_context, failures_of_each_call_name_it_and_leave_nothing) {
  control().fail_call(Slot::context_create, 1, 5001);
  EXPECT_STREQ(error_of(Context<Composing>::create(backend())).step, "QnnContext_create");
  auto context = must(Context<Composing>::create(backend(), {.name = "c"}));
  control().fail_call(Slot::graph_create, 1, 6020);
  const Error graph_error = error_of(Graph<Composing>::create(context, "g"));
  EXPECT_STREQ(graph_error.step, "QnnGraph_create");
  EXPECT_EQ(graph_error.object, "g");
  (void)compose(context, Network{});
  const auto composed = must(std::move(context).finalize());
  control().fail_call(Slot::context_get_binary_size, 1, 5009);
  EXPECT_STREQ(error_of(composed.serialize()).step, "QnnContext_getBinarySize");
  control().fail_call(Slot::context_get_binary, 1, 5009);
  const Error binary_error = error_of(composed.serialize());
  EXPECT_STREQ(binary_error.step, "QnnContext_getBinary");
  EXPECT_EQ(binary_error.object, "c");
  EXPECT_TRUE(succeeds(composed.serialize()));
}

/// Reports more bytes than an object can have.
void announce_too_much(std::size_t slot, bool entering, const void* const* arguments) {
  if (slot == static_cast<std::size_t>(Slot::context_get_binary_size) && !entering)
    *argument<c_api::ContextBinarySize*>(arguments, 1) = std::uint64_t{1} << 63;
}

TEST_F(composing_context, of_more_bytes_than_an_object_can_have_is_too_large) {
  const auto recorder = must(load_recorder());
  auto context = must(Context<Composing>::create(recorder, {.name = "c"}));
  (void)compose(context, Network{});
  const auto composed = must(std::move(context).finalize());
  const Recording recording(&announce_too_much);
  const Error error = error_of(composed.serialize());
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.needed, std::uint64_t{1} << 63);
}

}}  // namespace support
