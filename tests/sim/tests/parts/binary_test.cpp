// Context binaries: reading returns what was written, and the header matches its documentation.

#include <gtest/gtest.h>

#include "sample_binary.hpp"

namespace qnnpp::sim::testing { namespace {

BinaryContents parsed(std::span<const std::byte> binary) {
  BinaryContents contents;
  const Status status = parse(binary, sample_device, contents);
  EXPECT_TRUE(status.ok()) << status.reason;
  return contents;
}

TEST(binary, written_again_from_what_was_read_is_the_same_byte_for_byte) {
  const std::vector<std::byte> binary = sample_binary();
  BinaryContents contents = parsed(binary);
  for (std::size_t g = 0; g < contents.network.graphs.size(); ++g) {
    for (std::size_t t = 0; t < contents.network.graphs[g].tensors.size(); ++t) {
      const Placement& placement = contents.plan.graphs[g].placements[t];
      Tensor& tensor = contents.network.graphs[g].tensors[t];
      EXPECT_TRUE(tensor.data.empty()) << "the parser does not copy weights";
      if (placement.space != Space::weights) continue;
      const auto weights = std::span(binary).subspan(contents.weights_offset);
      const auto bytes = weights.subspan(placement.offset, placement.size_bytes);
      tensor.data.assign(bytes.begin(), bytes.end());
    }
  }
  EXPECT_EQ(serialize(contents.network, contents.plan, contents.target), binary);
}

TEST(binary, keeps_names_hints_ids_and_plans) {
  const Network network = sample_network();
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(network, sample_vtcm_bytes, plan).ok());
  const BinaryContents contents = parsed(serialize(network, plan, sample_target()));
  EXPECT_EQ(contents.target.build_id, "sim-test");
  EXPECT_EQ(contents.target.core_api_version.minor, 32u);
  EXPECT_EQ(contents.target.backend_api_version.patch, 1u);
  EXPECT_EQ(contents.target.soc_model, 57u);
  EXPECT_EQ(contents.target.start_alignment_bytes, 4096u);
  EXPECT_EQ(contents.network.next_tensor_id, network.next_tensor_id);
  ASSERT_EQ(contents.network.graphs.size(), 2u);
  const Graph& graph = contents.network.graphs[0];
  EXPECT_EQ(graph.name, "conv");
  EXPECT_EQ(graph.hints.priority, c_api::Priority::high);
  EXPECT_EQ(graph.hints.optimization_level, 3u);
  EXPECT_EQ(graph.hints.hvx_threads, 4u);
  EXPECT_TRUE(graph.hints.dlbc);
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_EQ(contents.plan.graphs[g].order, plan.graphs[g].order);
    EXPECT_EQ(contents.plan.graphs[g].spill_fill_bytes, plan.graphs[g].spill_fill_bytes);
    EXPECT_EQ(contents.plan.graphs[g].io_bytes, plan.graphs[g].io_bytes);
    EXPECT_EQ(contents.plan.graphs[g].raw_io_bytes, plan.graphs[g].raw_io_bytes);
    EXPECT_EQ(contents.plan.graphs[g].io_copies_bytes, plan.graphs[g].io_copies_bytes);
    EXPECT_GT(plan.graphs[g].io_copies_bytes, 0u);
    EXPECT_EQ(contents.plan.graphs[g].op_data_bytes, plan.graphs[g].op_data_bytes);
  }
  EXPECT_GT(spill_fill_bytes(contents.plan), 0u) << "the sample must spill";
  EXPECT_EQ(contents.plan.weights_bytes, plan.weights_bytes);
}

TEST(binary, computes_the_same_numbers_after_the_round_trip) {
  const Network network = sample_network();
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(network, sample_vtcm_bytes, plan).ok());
  const std::vector<std::byte> binary = serialize(network, plan, sample_target());
  const BinaryContents contents = parsed(binary);
  const auto weights = std::span(binary).subspan(contents.weights_offset);
  std::vector<std::byte> original(plan.weights_bytes);
  write_weights(network, plan, original);
  for (std::size_t g = 0; g < 2; ++g) {
    const std::size_t count = g == 0 ? 72 : 8;
    const std::map<std::string, Floats> inputs{{"in", values(count, 9)}};
    EXPECT_EQ(execute(contents.network.graphs[g], contents.plan.graphs[g], weights, inputs),
              execute(network.graphs[g], plan.graphs[g], original, inputs));
  }
}

TEST(binary, has_the_documented_header) {
  const Network network = sample_network();
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(network, sample_vtcm_bytes, plan).ok());
  const std::vector<std::byte> binary = serialize(network, plan, sample_target());
  const std::uint8_t magic[] = {0x89, 0x51, 0x50, 0x50, 0x43, 0x54, 0x58, 0x0A};
  EXPECT_EQ(0, std::memcmp(binary.data(), magic, 8));
  EXPECT_EQ(field<std::uint32_t>(binary, 8), 5u);
  EXPECT_EQ(field<std::uint32_t>(binary, 12), 128u);
  EXPECT_EQ(field<std::uint64_t>(binary, 16), binary.size());
  const std::uint64_t description_bytes = field<std::uint64_t>(binary, 24);
  const std::uint64_t weights_offset = field<std::uint64_t>(binary, 32);
  EXPECT_EQ(weights_offset, (128 + description_bytes + 255) / 256 * 256);
  EXPECT_EQ(field<std::uint64_t>(binary, 40), plan.weights_bytes);
  EXPECT_EQ(field<std::uint32_t>(binary, 48),
            crc32(std::span(binary).subspan(128, description_bytes)));
  EXPECT_EQ(field<std::uint32_t>(binary, 52), crc32(std::span(binary).subspan(weights_offset)));
  EXPECT_EQ(field<std::uint32_t>(binary, 60), 32u);
  EXPECT_EQ(field<std::uint32_t>(binary, 72), 43u);
  EXPECT_EQ(field<std::uint32_t>(binary, 80), 57u);
  EXPECT_EQ(field<std::uint32_t>(binary, 84), 75u);
  EXPECT_EQ(field<std::uint64_t>(binary, 88), sample_vtcm_bytes);
  EXPECT_EQ(field<std::uint64_t>(binary, 96), 4096u);
  EXPECT_EQ(field<std::uint64_t>(binary, 104), spill_fill_bytes(plan));
  EXPECT_EQ(field<std::uint32_t>(binary, 112), 2u);
  EXPECT_EQ(field<std::uint64_t>(binary, 116), plan.weights_bytes) << "the sample shares them";
  EXPECT_EQ(field<std::uint32_t>(binary, 124), crc32(std::span(binary).first(124)));
  EXPECT_EQ(field<std::uint32_t>(binary, 128), 8u) << "length of the build id";
}

TEST(binary, another_format_version_is_5004_even_with_a_header_of_another_form) {
  std::vector<std::byte> binary = sample_binary();
  BinaryContents contents;
  for (const std::uint32_t version : {0u, 4u, 6u, 0xFFFFFFFFu}) {
    set_field(std::span(binary), 8, version);
    EXPECT_EQ(parse(binary, sample_device, contents).code, 5004u);
    EXPECT_EQ(parse(std::span(binary).first(12), sample_device, contents).code, 5004u);
    EXPECT_EQ(inspect(binary, contents).code, 30010u);
  }
}

TEST(binary, for_a_newer_architecture_is_5005_and_for_a_larger_vtcm_5008) {
  const std::vector<std::byte> binary = sample_binary();
  BinaryContents contents;
  EXPECT_EQ(parse(binary, {73, sample_vtcm_bytes}, contents).code, 5005u);
  EXPECT_EQ(parse(binary, {79, sample_vtcm_bytes}, contents).code, 0u);
  EXPECT_EQ(parse(binary, {75, sample_vtcm_bytes - 1}, contents).code, 5008u);
  EXPECT_EQ(parse(binary, {75, sample_vtcm_bytes * 2}, contents).code, 0u);
  EXPECT_EQ(inspect(binary, contents).code, 0u);
}

TEST(binary, a_graph_whose_hint_fits_a_smaller_device_runs_there) {
  Builder builder;
  builder.input("a", {64}).output("b", {64}).node("Relu", {"a"}, "b");
  builder.graph().hints.vtcm_bytes = 512;
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, 1u << 20, plan).ok());
  BinaryTarget target = sample_target();
  target.vtcm_bytes = 1u << 20;
  const std::vector<std::byte> binary = serialize(builder.network, plan, target);
  BinaryContents contents;
  EXPECT_EQ(parse(binary, {75, 512}, contents).code, 0u);
  EXPECT_EQ(parse(binary, {75, 256}, contents).code, 5008u);
}

TEST(binary, of_another_maker_is_30001) {
  BinaryContents contents;
  const std::string text = "#!/bin/sh\necho this is no context binary, although it is long\n";
  EXPECT_EQ(parse(std::as_bytes(std::span(text)), sample_device, contents).code, 30001u);
  EXPECT_EQ(inspect(std::as_bytes(std::span(text)), contents).code, 30010u);
  EXPECT_EQ(parse({}, sample_device, contents).code, 30010u);
}

TEST(binary, of_the_SDK_is_30001_without_an_engine_and_named) {
  std::vector<std::byte> made(64);
  std::copy_n(std::as_bytes(std::span(sdk_binary_magic)).begin(), sdk_binary_magic.size(),
              made.begin());
  BinaryContents contents;
  const Status status = parse(made, sample_device, contents);
  EXPECT_EQ(status.code, 30001u);
  EXPECT_NE(status.reason.find("made by the QNN SDK"), std::string::npos) << status.reason;
}

TEST(binary, of_the_SDK_needs_an_engine_whose_libraries_are_there) {
  const std::vector<std::byte> made(4096);
  BinaryContents contents;
  ::setenv("QNNPP_SIM_ENGINE", "/no such folder", 1);
  const Status status = parse(made, sample_device, contents);
  EXPECT_TRUE(parse(sample_binary(), sample_device, contents).ok());
  ::unsetenv("QNNPP_SIM_ENGINE");
  EXPECT_EQ(status.code, 1009u);
  EXPECT_EQ(status.rule, nullptr);
  EXPECT_EQ(status.reason.find("the engine (QNNPP_SIM_ENGINE): /no such folder/libQnnSystem.so"),
            0u)
      << status.reason;
}

TEST(binary, metadata_can_be_read_although_the_weights_are_damaged) {
  std::vector<std::byte> binary = sample_binary();
  binary.back() ^= std::byte{1};
  BinaryContents contents;
  EXPECT_EQ(inspect(binary, contents).code, 0u);
  EXPECT_EQ(contents.network.graphs.size(), 2u);
  EXPECT_EQ(parse(binary, sample_device, contents).code, 30010u);
}

}}  // namespace qnnpp::sim::testing
