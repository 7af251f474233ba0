// Damaged binaries, and what is composed but must not reach the library.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "library.hpp"
#include "one_relu.hpp"

namespace real { namespace {

using namespace qnnpp;

/// Returns a binary as an SDK with the next minor version would have made it: changes the version
/// of the HTP's API in the metadata, and the build id. Empty if they are not found.
std::vector<std::byte> of_the_next_sdk(std::vector<std::byte> bytes) {
  const auto system = System::load(real::system());
  const auto spec = system->metadata(bytes, "net");
  if (!spec) return {};
  const std::uint32_t api[] = {spec->backend_api.major, spec->backend_api.minor,
                               spec->backend_api.patch};
  const std::string_view written(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto version =
      written.find(std::string_view(reinterpret_cast<const char*>(api), sizeof api));
  const std::string sdk = "v2." + std::to_string(api[1]) + ".";
  const auto build = written.find(sdk);
  if (version == std::string_view::npos || build == std::string_view::npos) return {};
  const std::uint32_t next = api[1] + 1;
  std::memcpy(bytes.data() + version + sizeof next, &next, sizeof next);
  const std::string digits = std::to_string(next);
  std::memcpy(bytes.data() + build + 3, digits.data(), digits.size());
  return bytes;
}

TEST(binaries, BIN_01_of_a_newer_SDK_are_refused_and_both_versions_are_named) {
  const auto backend = load();
  ASSERT_TRUE(backend.has_value()) << backend.error().message();
  const auto whole = binary(*backend);
  ASSERT_TRUE(whole.has_value()) << whole.error().message();
  const auto refused =
      ContextBinary::own(of_the_next_sdk(*whole), "newer.bin").and_then([&](ContextBinary own) {
        return Context<Finalized>::restore(*backend, std::move(own));
      });
  ASSERT_FALSE(refused.has_value());
  const Error& error = refused.error();
  EXPECT_EQ(error.kind, Errc::version_unsupported) << error.message();
  EXPECT_EQ(error.code, 5000);
  EXPECT_NE(error.message().find("made the binary, " + htp() + " is from SDK "), std::string::npos)
      << error.message();
}

TEST(binaries, tell_what_both_versions_of_their_metadata_say) {
  const auto backend = load();
  ASSERT_TRUE(backend.has_value()) << backend.error().message();
  const auto whole = binary(*backend);
  ASSERT_TRUE(whole.has_value()) << whole.error().message();
  const auto spec = System::load(real::system())->metadata(*whole, "net");
  ASSERT_TRUE(spec.has_value()) << spec.error().message();
  ASSERT_EQ(spec->graphs.size(), 1u);
  const GraphSpec& graph = spec->graphs[0];
  EXPECT_TRUE(graph.preparation.vtcm_mb.has_value());
  EXPECT_TRUE(graph.spill_fill_bytes.has_value());
  EXPECT_TRUE(graph.constant_bytes.has_value());
  EXPECT_TRUE(graph.op_data_bytes.has_value());
  EXPECT_EQ(graph.shared_weights_bytes, 0u);
}

TEST(binaries, BIN_02_that_the_system_library_cannot_read_are_no_contexts_without_graphs) {
  const auto backend = load({.soc_model = static_cast<std::uint32_t>(c_api::SocModel::sm8850)});
  ASSERT_TRUE(backend.has_value()) << backend.error().message();
  const auto whole = binary(*backend);
  ASSERT_TRUE(whole.has_value()) << whole.error().message();
  std::size_t accepted_by_the_backend = 0;
  // Bytes of the metadata. The library ends the process for some others.
  for (const std::size_t at : {98u, 115u, 171u, 228u, 229u, 230u, 231u}) {
    auto damaged = *whole;
    damaged[at] ^= std::byte{0xFF};
    const auto context =
        ContextBinary::own(std::move(damaged), "damaged.bin").and_then([&](ContextBinary own) {
          return Context<Finalized>::restore(*backend, std::move(own));
        });
    if (context)
      EXPECT_FALSE(context->graphs().empty()) << at;
    else if (std::string(context.error().step) == "QnnSystemContext_getMetadata")
      ++accepted_by_the_backend;
  }
  EXPECT_NE(accepted_by_the_backend, 0u) << "this library accepts none of them";
}

TEST(binaries, BIN_02_that_are_whole_are_loaded_with_their_graphs) {
  const auto backend = load();
  ASSERT_TRUE(backend.has_value()) << backend.error().message();
  auto whole = binary(*backend);
  ASSERT_TRUE(whole.has_value()) << whole.error().message();
  const auto context =
      ContextBinary::own(std::move(*whole), "whole.bin").and_then([&](ContextBinary own) {
        return Context<Finalized>::restore(*backend, std::move(own));
      });
  ASSERT_TRUE(context.has_value()) << context.error().message();
  ASSERT_EQ(context->graphs().size(), 1u);
  EXPECT_EQ(context->graphs()[0].name, "net");
}

/// Composes two graphs of one matrix product, which share its weights in the binary if
/// `weight_sharing` is on.
Result<std::vector<std::byte>> two_products(const Backend<Htp>& backend, bool weight_sharing) {
  constexpr std::uint32_t size = 256;
  static const std::vector<std::byte> weights(std::size_t{size} * size, std::byte{3});
  auto context = value_or_throw(
      Context<Composing>::create(backend, {.weight_sharing = weight_sharing, .name = "two"}));
  for (const char* name : {"first", "second"}) {
    auto graph = value_or_throw(Graph<Composing, AnyIo>::create(context, name));
    const auto type = c_api::DataType::ufixed_point_8;
    const auto x = value_or_throw(graph.add_tensor({.name = "x",
                                                    .kind = c_api::TensorType::app_write,
                                                    .data_type = type,
                                                    .dimensions = {1, size},
                                                    .quantisation = {0.1f, 0}}));
    const auto y = value_or_throw(graph.add_tensor({.name = "y",
                                                    .kind = c_api::TensorType::app_read,
                                                    .data_type = type,
                                                    .dimensions = {1, size},
                                                    .quantisation = {10.0f, 0}}));
    const auto w = value_or_throw(graph.add_static(
        {.name = "w", .data_type = type, .dimensions = {size, size}, .quantisation = {0.1f, 0}},
        weights));
    value_or_throw(graph.add_node(
        {.name = "product", .type = "FullyConnected", .inputs = {x, w}, .outputs = {y}}));
    value_or_throw(std::move(graph).finalize());
  }
  return value_or_throw(std::move(context).finalize()).serialize();
}

TEST(binaries, whose_graphs_share_weights_never_reach_the_library) {
  const auto backend = backend_for(chips[1]);
  const auto restore = [&](bool weight_sharing) {
    const auto spec = [](const std::vector<std::byte>& bytes) {
      return value_or_throw(System::load(real::system())->metadata(bytes, "two"));
    };
    auto bytes = value_or_throw(two_products(backend, weight_sharing));
    for (const GraphSpec& graph : spec(bytes).graphs)
      EXPECT_EQ(graph.shared_weights_bytes.value_or(0) != 0, weight_sharing) << graph.name;
    return Context<Finalized>::restore(
        backend, value_or_throw(ContextBinary::own(std::move(bytes), "two.bin")));
  };
  const auto refused = restore(true);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, Errc::capability_missing) << refused.error().message();
  EXPECT_NE(refused.error().message().find("compose without weight_sharing"), std::string::npos)
      << refused.error().message();
  const auto loaded = restore(false);
  EXPECT_TRUE(loaded.has_value()) << loaded.error().message();
}

TEST(binaries, CMP_02_tensors_of_2_GiB_and_names_over_4096_bytes_never_reach_the_library) {
  const auto backend = load();
  ASSERT_TRUE(backend.has_value()) << backend.error().message();
  auto context = Context<Composing>::create(*backend, {.name = "net"});
  ASSERT_TRUE(context.has_value()) << context.error().message();
  auto graph = Graph<Composing, AnyIo>::create(*context, "net");
  ASSERT_TRUE(graph.has_value()) << graph.error().message();
  const auto large = graph->add_tensor(
      {.name = "x", .kind = c_api::TensorType::app_write, .dimensions = {1u << 29}});
  ASSERT_FALSE(large.has_value());
  EXPECT_EQ(large.error().kind, Errc::too_large);
  const auto named = graph->add_tensor({.name = std::string(4097, 'n'), .dimensions = {2}});
  ASSERT_FALSE(named.has_value());
  EXPECT_EQ(named.error().kind, Errc::invalid_argument);
}

TEST(binaries, CMP_02_with_the_longest_names_are_read_back) {
  const std::string longest(4096, 'n');
  const auto backend = load();
  ASSERT_TRUE(backend.has_value()) << backend.error().message();
  auto context = Context<Composing>::create(*backend, {.name = "net"});
  ASSERT_TRUE(context.has_value()) << context.error().message();
  {
    auto graph = Graph<Composing, AnyIo>::create(*context, longest);
    ASSERT_TRUE(graph.has_value()) << graph.error().message();
    using enum c_api::TensorType;
    auto x = graph->add_tensor({.name = "x", .kind = app_write, .dimensions = {2, 4}});
    auto y = graph->add_tensor({.name = longest, .kind = app_read, .dimensions = {2, 4}});
    ASSERT_TRUE(x && y);
    ASSERT_TRUE(
        graph->add_node({.name = longest, .type = "Relu", .inputs = {*x}, .outputs = {*y}}));
    ASSERT_TRUE(std::move(*graph).finalize());
  }
  auto composed = std::move(*context).finalize();
  ASSERT_TRUE(composed.has_value());
  auto bytes = composed->serialize();
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message();
  const auto restored =
      ContextBinary::own(std::move(*bytes), "long.bin").and_then([&](ContextBinary own) {
        return Context<Finalized>::restore(*backend, std::move(own));
      });
  ASSERT_TRUE(restored.has_value()) << restored.error().message();
  ASSERT_EQ(restored->graphs().size(), 1u);
  EXPECT_EQ(restored->graphs()[0].name, longest);
  EXPECT_EQ(restored->graphs()[0].outputs[0].name, longest);
}

}}  // namespace real
