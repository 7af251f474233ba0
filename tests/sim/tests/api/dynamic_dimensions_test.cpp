// Dynamic dimensions in the C API: capability, composition, metadata, and executions with smaller
// extents.
#include <numeric>

#include "fixture.hpp"
#include "heap.hpp"

namespace sim_test { namespace {

/// A tensor of version 2 with the shape [8, 4], whose first dimension is dynamic.
struct Rows {
  std::uint32_t dims[2] = {8, 4};
  std::uint8_t flags[2] = {1, 0};
  std::vector<float> values = std::vector<float>(32, -1.0f);
  c_api::Tensor tensor{};

  Rows(const char* name, c_api::TensorType type) {
    tensor.version = c_api::TensorVersion::v2;
    tensor.v2 = c_api::TensorV2{};
    tensor.v2.name = name;
    tensor.v2.type = type;
    tensor.v2.data_type = c_api::DataType::float_32;
    tensor.v2.rank = 2;
    tensor.v2.dimensions = dims;
    tensor.v2.is_dynamic_dimensions = flags;
    tensor.v2.mem_type = c_api::TensorMemType::raw;
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void fill(float first) {
    std::iota(values.begin(), values.end(), first);
    tensor.v2.client_buf = {values.data(), 128};
  }
};

class sim_dynamic : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    support(1);
  }
  static void support(std::uint32_t value) {
    sim::Config config = control().config();
    config.dynamic_dimensions = value;
    ASSERT_TRUE(control().set_config(config));
  }
  /// Composes y = a + b. Returns the first error.
  std::uint32_t compose_sum() {
    if (const auto error = code(qnn().context_create(backend, nullptr, nullptr, &context)))
      return error;
    contexts.push_back(context);
    if (const auto error = code(qnn().graph_create(context, "sum", nullptr, &graph))) return error;
    for (Rows* each : {&a, &b, &y})
      if (const auto error = code(qnn().tensor_create_graph_tensor(graph, &each->tensor)))
        return error;
    c_api::Tensor inputs[] = {a.tensor, b.tensor};
    c_api::OpConfig op{};
    op.version = c_api::OpConfigVersion::v1;
    op.v1 = {"add", "qti.aisw", "ElementWiseAdd", 0, nullptr, 2, inputs, 1, &y.tensor};
    if (const auto error = code(qnn().backend_validate_op_config(backend, op))) return error;
    if (const auto error = code(qnn().graph_add_node(graph, op))) return error;
    return code(qnn().graph_finalize(graph, nullptr, nullptr));
  }
  std::vector<std::byte> serialized() const {
    c_api::ContextBinarySize size = 0, written = 0;
    EXPECT_EQ(code(qnn().context_get_binary_size(context, &size)), 0u);
    std::vector<std::byte> binary(size);
    EXPECT_EQ(code(qnn().context_get_binary(context, binary.data(), size, &written)), 0u);
    return binary;
  }
  /// Executes with this number of rows in each input.
  std::uint32_t execute(std::uint32_t rows_a, std::uint32_t rows_b) {
    a.fill(1.0f);
    b.fill(100.0f);
    y.fill(-1000.0f);
    a.dims[0] = rows_a;
    b.dims[0] = rows_b;
    y.dims[0] = 8;
    return call();
  }
  std::uint32_t call() {
    const c_api::Tensor inputs[] = {a.tensor, b.tensor};
    return code(qnn().graph_execute(graph, inputs, 2, &y.tensor, 1, nullptr, nullptr));
  }
  void expect_rows(std::uint32_t rows) const {
    EXPECT_EQ(y.dims[0], rows);
    EXPECT_EQ(y.dims[1], 4u);
    for (std::size_t i = 0; i < 32; ++i)
      ASSERT_EQ(y.values[i],
                i < 4 * rows ? a.values[i] + b.values[i] : -1000.0f + static_cast<float>(i));
  }

  Rows a{"a", c_api::TensorType::app_write};
  Rows b{"b", c_api::TensorType::app_write};
  Rows y{"y", c_api::TensorType::app_read};
  c_api::ContextHandle context = nullptr;
  c_api::GraphHandle graph = nullptr;
};

TEST_F(sim_dynamic, LOAD_04_dimensions_are_a_capability_that_the_configuration_adds) {
  constexpr auto key = c_api::PropertyKey::tensor_support_dynamic_dimensions;
  EXPECT_EQ(code(qnn().property_has_capability(key)), 0u);
  support(0);
  EXPECT_EQ(code(qnn().property_has_capability(key)), 1000u);
}

TEST_F(sim_dynamic, dimensions_are_7005_without_the_capability) {
  support(0);
  EXPECT_EQ(compose_sum(), 7005u);
}

TEST_F(sim_dynamic, dimensions_of_a_node_cannot_be_validated_without_the_capability) {
  ASSERT_EQ(compose_sum(), 0u);
  support(0);
  c_api::Tensor inputs[] = {a.tensor, b.tensor};
  c_api::OpConfig op{};
  op.version = c_api::OpConfigVersion::v1;
  op.v1 = {"add", "qti.aisw", "ElementWiseAdd", 0, nullptr, 2, inputs, 1, &y.tensor};
  EXPECT_EQ(code(qnn().backend_validate_op_config(backend, op)), 3110u);
}

TEST_F(sim_dynamic, executions_compute_with_the_extents_of_the_inputs_and_report_the_outputs) {
  ASSERT_EQ(compose_sum(), 0u);
  for (const std::uint32_t rows : {8u, 3u, 1u, 8u, 5u}) {
    ASSERT_EQ(execute(rows, rows), 0u) << rows;
    expect_rows(rows);
  }
}

TEST_F(sim_dynamic, executions_of_a_restored_graph_are_the_same) {
  ASSERT_EQ(compose_sum(), 0u);
  const auto binary = serialized();
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  graph = graph_of(context, "sum");
  ASSERT_EQ(execute(3, 3), 0u);
  expect_rows(3);
}

TEST_F(sim_dynamic, binaries_are_5008_without_the_capability) {
  ASSERT_EQ(compose_sum(), 0u);
  const auto binary = serialized();
  support(0);
  EXPECT_EQ(create(binary, nullptr, context), 5008u);
}

TEST_F(sim_dynamic, executions_count_the_bytes_of_the_actual_extents) {
  ASSERT_EQ(compose_sum(), 0u);
  ASSERT_EQ(execute(3, 3), 0u);
  EXPECT_EQ(control().counters().copied_in_bytes, 2 * 3 * 16u);
  EXPECT_EQ(control().counters().copied_out_bytes, 3 * 16u);
}

TEST_F(sim_dynamic, executions_allocate_nothing) {
  ASSERT_EQ(compose_sum(), 0u);
  ASSERT_EQ(execute(8, 8), 0u);
  {
    const support::HeapWatch watch(support::Threads::this_one);
    for (std::uint32_t rows = 1; rows <= 8; ++rows) {
      a.dims[0] = b.dims[0] = rows;
      if (call() != 0) break;
    }
  }
  EXPECT_EQ(support::HeapWatch::allocations(), 0u);
  EXPECT_EQ(control().counters().executions, 9u);
}

TEST_F(sim_dynamic, executions_with_extents_that_do_not_fit_are_6036_and_change_nothing) {
  ASSERT_EQ(compose_sum(), 0u);
  EXPECT_EQ(execute(3, 4), 6036u) << "one maximum, two values";
  EXPECT_EQ(execute(0, 0), 6036u);
  EXPECT_EQ(execute(9, 9), 6036u);
  EXPECT_EQ(y.dims[0], 8u);
  EXPECT_EQ(control().counters().executions, 0u);
  ASSERT_EQ(execute(4, 4), 0u);
  expect_rows(4);
}

TEST_F(sim_dynamic, executions_with_another_fixed_extent_are_6004) {
  ASSERT_EQ(compose_sum(), 0u);
  a.dims[1] = 3;
  EXPECT_EQ(execute(3, 3), 6004u);
  a.dims[1] = 4;
  y.dims[1] = 3;
  EXPECT_EQ(execute(3, 3), 6004u);
}

TEST_F(sim_dynamic, executions_need_version_2_with_the_flags_of_the_preparation) {
  ASSERT_EQ(compose_sum(), 0u);
  a.tensor.v2.is_dynamic_dimensions = nullptr;
  EXPECT_EQ(execute(8, 8), 6036u);
  a.tensor.v2.is_dynamic_dimensions = a.flags;
  a.flags[1] = 1;
  EXPECT_EQ(execute(8, 8), 6036u);
  a.flags[1] = 0;
  a.tensor.v2.dimensions = nullptr;
  EXPECT_EQ(execute(8, 8), 6036u);
  a.tensor.v2.dimensions = a.dims;
  a.tensor.v2.rank = 1;
  EXPECT_EQ(execute(8, 8), 6036u);
  a.tensor.v2.rank = 2;
  y.tensor.version = c_api::TensorVersion::v1;
  EXPECT_EQ(execute(8, 8), 6036u);
  y.tensor.version = c_api::TensorVersion::v2;
  EXPECT_EQ(execute(8, 8), 0u);
}

TEST_F(sim_dynamic, executions_still_need_memory_of_the_maximum) {
  ASSERT_EQ(compose_sum(), 0u);
  ASSERT_EQ(execute(3, 3), 0u);
  a.tensor.v2.client_buf.data_size = 3 * 16;
  EXPECT_EQ(call(), 6004u);
  EXPECT_EQ(control().misuses("SHB-06"), 1u);
}

TEST_F(sim_dynamic, extents_of_memory_that_cannot_be_read_are_refused) {
  ASSERT_EQ(compose_sum(), 0u);
  ASSERT_EQ(execute(3, 3), 0u);
  a.tensor.v2.dimensions = reinterpret_cast<std::uint32_t*>(std::uintptr_t{16});
  EXPECT_EQ(call(), 6004u);
  EXPECT_EQ(control().misuses("ORD-16"), 1u);
}

}}  // namespace sim_test
