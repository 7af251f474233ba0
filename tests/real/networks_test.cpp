// Every network that an example composes is one that Qualcomm's library accepts, for each chip: its
// nodes pass backendValidateOpConfig, and its graphs can be finalized.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "bench/support/device.hpp"
#include "bench/support/small_binary.hpp"
#include "decoder/compose.hpp"
#include "decoder/network.hpp"
#include "digits/compose.hpp"
#include "digits/deep_network.hpp"
#include "digits/task.hpp"
#include "library.hpp"

int own_network_main(int argc, char** argv);

namespace real { namespace {

using namespace qnnpp;

/// The networks of the examples, prepared for one chip.
class networks : public testing::TestWithParam<Chip> {
 protected:
  /// Composes and finalizes segments.
  template <class Io>
  static void compose(const Backend<Htp>& backend, std::span<const digits::Segment> segments) {
    for (const digits::Segment& segment : segments)
      EXPECT_FALSE(digits::make_binary<Io>(backend, segment).empty()) << segment.name;
  }

  digits::Task task_ = digits::load_task(QNNPP_DIGITS_DATA);
};
INSTANTIATE_TEST_SUITE_P(chips, networks, testing::ValuesIn(chips), name_of);

TEST_P(networks, CMP_01_the_digits_for_plain_and_for_registered_memory_are_accepted) {
  const auto backend = backend_for(GetParam());
  compose<RawIo>(backend, task_.segments);
  compose<RegisteredIo>(backend, task_.segments);
}

TEST_P(networks, CMP_01_the_digits_with_the_bytes_of_a_camera_are_accepted) {
  const auto backend = backend_for(GetParam());
  const auto context = value_or_throw(Context<Composing>::create(backend, {.name = "camera"}));
  (void)value_or_throw(
      digits::compose<RegisteredIo>(context, task_.segments[0], {1.0F / 255.0F, 0}).finalize());
}

TEST_P(networks, CMP_01_the_deep_network_is_accepted) {
  const auto backend = backend_for(GetParam());
  const std::vector<float> blocks = digits::make_block_weights(2);
  const auto segments = digits::make_deep_segments(task_.weights, blocks, 2);
  compose<RawIo>(backend, segments);
}

TEST_P(networks, CMP_01_the_decoder_for_plain_and_for_registered_memory_is_accepted) {
  const auto backend = backend_for(GetParam());
  const decoder::Network network = decoder::make_network();
  EXPECT_FALSE(decoder::make_binary<RawIo>(backend, network.layers[0], "raw").empty());
  EXPECT_FALSE(decoder::make_binary<RegisteredIo>(backend, network.layers[0], "memory").empty());
}

TEST_P(networks, CMP_01_the_network_of_two_layers_is_accepted) {
  // The program names no chip: the library prepares for the one of its last device.
  const auto backend = backend_for(GetParam());
  std::string program = "own_network", library = htp(),
              output = testing::TempDir() + "own_network_" + GetParam().name + ".bin";
  char* arguments[] = {program.data(), library.data(), output.data()};
  EXPECT_EQ(own_network_main(3, arguments), 0);
  EXPECT_TRUE(std::filesystem::remove(output));
}

TEST_P(networks, CMP_01_the_networks_of_the_benchmarks_are_accepted) {
  const auto backend = backend_for(GetParam());
  EXPECT_FALSE(bench::small_binary(backend).empty());
  EXPECT_FALSE(bench::binary_of(backend, {"spills", 8192, 8192}).empty());
}

TEST_P(networks, CMP_01_a_node_whose_types_do_not_fit_is_refused) {
  const auto backend = backend_for(GetParam());
  const auto context = value_or_throw(Context<Composing>::create(backend));
  auto graph = value_or_throw(Graph<Composing, RawIo>::create(context, "mixed"));
  using enum c_api::TensorType;
  const auto codes = value_or_throw(graph.add_tensor({.name = "codes",
                                                      .kind = app_write,
                                                      .data_type = c_api::DataType::ufixed_point_16,
                                                      .dimensions = {4},
                                                      .quantisation = {1.0F / 256.0F, 0}}));
  const auto sum =
      value_or_throw(graph.add_tensor({.name = "sum", .kind = app_read, .dimensions = {4}}));
  const auto added = graph.add_node(
      {.name = "add", .type = "ElementWiseAdd", .inputs = {codes, codes}, .outputs = {sum}});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, 3110u) << added.error().message();
}

}}  // namespace real
