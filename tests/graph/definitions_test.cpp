// Functions that only the definitions declare: sizes and types that no simulated graph has.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"

#include "results.hpp"

namespace support { namespace {

using namespace qnnpp;

TEST(graph_bind, SHB_06_raw_memory_of_4_GiB_is_too_large_and_one_element_less_is_not) {
  // Only the sizes matter: this memory is neither allocated nor accessed.
  float somewhere = 0.0f;
  const auto bind_elements = [&](std::uint32_t rows, std::uint32_t columns) {
    const TensorSpec spec{.name = "huge", .dimensions = {rows, columns}};
    const std::span<float> memory(&somewhere, std::size_t{rows} * columns);
    c_api::Tensor tensor;
    return detail::bind_raw(detail::Access::block(raw("huge", memory)), spec, true, tensor);
  };
  const Error error = error_of(bind_elements(1u << 15, 1u << 15));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.needed, std::uint64_t{1} << 32);
  EXPECT_EQ(error.found, UINT32_MAX);
  EXPECT_TRUE(succeeds(bind_elements((1u << 30) - 1, 1)));
}

TEST(graph_bind, quantised_tensors_are_carried_by_the_integers_of_their_width) {
  const TensorSpec spec{
      .name = "q", .data_type = c_api::DataType::ufixed_point_8, .dimensions = {4}};
  std::array<std::uint8_t, 4> right{};
  std::array<std::int8_t, 4> wrong{};
  c_api::Tensor tensor;
  EXPECT_TRUE(
      succeeds(detail::bind_raw(detail::Access::block(raw("q", right)), spec, true, tensor)));
  EXPECT_EQ(
      error_of(detail::bind_raw(detail::Access::block(raw("q", wrong)), spec, true, tensor)).kind,
      Errc::type_mismatch);
}

TEST(pipeline_errors, SHB_08_a_tensor_of_2_GiB_is_too_large_before_memory_is_allocated) {
  const GraphSpec wide{.name = "wide",
                       .inputs = {{.name = "x", .dimensions = {1u << 29}}},
                       .outputs = {{.name = "y", .dimensions = {4}}}};
  const auto draft = [&] {
    const detail::PlannedGraph graphs[] = {{&wide}};
    return detail::PipelineDraft::make(graphs, {});
  };
  const Error error = error_of(draft());
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "x, an input of the pipeline");
  EXPECT_EQ(error.needed, std::uint64_t{1} << 31);
}

TEST(pipeline_errors, ends_of_different_type_are_a_mismatch_that_names_both) {
  const TensorSpec made{.name = "t", .data_type = c_api::DataType::float_16, .dimensions = {4}};
  const TensorSpec read{
      .name = "t", .data_type = c_api::DataType::ufixed_point_8, .dimensions = {4}};
  const GraphSpec first{.name = "first", .inputs = {}, .outputs = {made}};
  const GraphSpec second{.name = "second", .inputs = {read}, .outputs = {}};
  const detail::PlannedGraph both[] = {{&first}, {&second}};
  const Error error = error_of(detail::PipelinePlan::connect(both, {}));
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_EQ(error.object, "t of graph second (1)");
  EXPECT_EQ(error.detail, "it is UFIXED_POINT_8, t of graph first (0) is FLOAT_16");
}

TEST(pipeline_errors, ends_of_different_quantisation_are_a_mismatch_that_names_both) {
  const TensorSpec half{.name = "a", .dimensions = {4}, .quantisation = {0.5f, 0}};
  const TensorSpec quarter{.name = "a", .dimensions = {4}, .quantisation = {0.25f, 7}};
  const GraphSpec first{.name = "one", .inputs = {}, .outputs = {half}};
  const GraphSpec second{.name = "two", .inputs = {quarter}, .outputs = {}};
  const detail::PlannedGraph graphs[] = {{&first}, {&second}};
  const Error error = error_of(detail::PipelinePlan::connect(graphs, {}));
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_EQ(error.object, "a of graph two (1)");
  EXPECT_EQ(error.detail,
            "it has scale 0.25, offset 7, a of graph one (0) has scale 0.5, offset 0");
}

}}  // namespace support
