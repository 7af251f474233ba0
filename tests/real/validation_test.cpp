// Qualcomm's library for x86-64 refuses wrong nodes when they are added, by its validation
// (CMP-01).
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"

#include "library.hpp"
#include "results.hpp"

namespace real { namespace {

using namespace qnnpp;
using support::error_of;
using support::must;
using support::succeeds;

/// Composes a graph on the library, for a chip.
class real_validation : public testing::TestWithParam<Chip> {
 protected:
  void SetUp() override {
    backend_.push_back(backend_for(GetParam()));
    auto context = Context<Composing>::create(backend_.front(), {.name = "online"});
    ASSERT_TRUE(succeeds(context));
    context_.push_back(*std::move(context));
    create_graph("net", {});
  }
  void create_graph(const std::string& name, const GraphOptions& options) {
    auto graph = Graph<Composing>::create(context_.front(), name, options);
    ASSERT_TRUE(succeeds(graph));
    graph_.clear();
    graph_.push_back(*std::move(graph));
  }

  Graph<Composing>& graph() { return graph_.front(); }
  GraphTensor input(std::string name, std::vector<std::uint32_t> dimensions) {
    return must(graph().add_tensor({.name = std::move(name),
                                    .kind = c_api::TensorType::app_write,
                                    .dimensions = std::move(dimensions)}));
  }
  GraphTensor output(std::string name, std::vector<std::uint32_t> dimensions) {
    return must(graph().add_tensor({.name = std::move(name),
                                    .kind = c_api::TensorType::app_read,
                                    .dimensions = std::move(dimensions)}));
  }
  /// Expects that validation refuses the node, and that the error names it, its op, the graph, and
  /// the reason in the library's log.
  void expect_refused(const NodeSpec& node, std::uint16_t code, const std::string& reason) {
    const Error error = error_of(graph().add_node(node));
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, code);
    EXPECT_STREQ(error.step, "QnnBackend_validateOpConfig");
    EXPECT_EQ(error.object, node.name);
    EXPECT_TRUE(error.detail.starts_with("op " + node.type + " in graph net of online: "))
        << error.detail;
    EXPECT_NE(error.detail.find(reason), std::string::npos) << error.detail;
  }

 private:
  // Vectors of at most one element: the objects are made in SetUp(). Destroyed graph first.
  std::vector<Backend<Htp>> backend_;
  std::vector<Context<Composing>> context_;
  std::vector<Graph<Composing>> graph_;
};

INSTANTIATE_TEST_SUITE_P(chips, real_validation, testing::Values(chips[0], chips[1], chips[4]),
                         name_of);

TEST_P(real_validation, CMP_01_a_valid_node_is_added_after_refused_ones_and_computes_right) {
  const auto x = input("x", {4, 4});
  const auto y = output("y", {4, 4});
  const NodeSpec node{.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}};
  NodeSpec wrong = node;
  wrong.inputs.push_back(x);
  expect_refused(wrong, 3110, "Wrong number of Inputs 2.");
  ASSERT_TRUE(succeeds(graph().add_node(node)));
  auto finalized = std::move(graph()).finalize();
  ASSERT_TRUE(succeeds(finalized));
  std::vector<float> in(16), out(16), expected(16);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(i) - 8.0f;
    expected[i] = in[i] > 0 ? in[i] : 0;
  }
  auto bound = std::move(*finalized).bind({raw("x", in), raw("y", out)});
  ASSERT_TRUE(succeeds(bound));
  ASSERT_TRUE(succeeds(bound->execute()));
  // v73 and newer compute in half precision.
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 1e-5f) << i;
}

TEST_P(real_validation, CMP_01_a_relu_with_an_output_of_another_shape_is_refused) {
  expect_refused({.name = "relu",
                  .type = "Relu",
                  .inputs = {input("x", {4, 4})},
                  .outputs = {output("y", {5, 7})}},
                 3110, "mismatching dimension at index 0. 4 != 5.");
}

TEST_P(real_validation, CMP_01_a_product_with_an_output_of_another_shape_is_refused) {
  // Without the refusal, finalize() ends the process with SIGFPE.
  expect_refused({.name = "product",
                  .type = "MatMul",
                  .inputs = {input("a", {2, 8}), input("b", {8, 3})},
                  .outputs = {output("c", {64, 64})}},
                 3110, "Out[0] outer dimension not as expected. 64 != 2.");
}

TEST_P(real_validation, CMP_01_a_node_that_is_refused_needlessly_is_added_without_validation) {
  std::vector<float> in(8), weights(12), out(6), expected(6);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i) - 4.0f;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i % 5) - 2.0f;
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t x = 0; x < 4; ++x)
        expected[row * 3 + y] += in[row * 4 + x] * weights[y * 4 + x];
  const auto node = [&] {
    auto w = must(
        graph().add_static({.name = "w", .dimensions = {3, 4}}, std::as_bytes(std::span(weights))));
    return NodeSpec{.name = "layer",
                    .type = "FullyConnected",
                    .inputs = {input("x", {1, 2, 4}), w},
                    .outputs = {output("y", {1, 2, 3})},
                    .params = {scalar_param("keep_dims", true)}};
  };
  expect_refused(node(), 3110, "has incorrect Value 1, expected equal to 0.");
  create_graph("free", {.validate_nodes = false});
  ASSERT_TRUE(succeeds(graph().add_node(node())));
  auto finalized = std::move(graph()).finalize();
  ASSERT_TRUE(succeeds(finalized));
  auto bound = std::move(*finalized).bind({raw("x", in), raw("y", out)});
  ASSERT_TRUE(succeeds(bound));
  ASSERT_TRUE(succeeds(bound->execute()));
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 0.02f) << i;
}

TEST_P(real_validation, CMP_01_an_unknown_op_is_refused) {
  expect_refused({.name = "strange",
                  .type = "Levitate",
                  .inputs = {input("x", {4, 4})},
                  .outputs = {output("y", {4, 4})}},
                 4005, "strange:qti.aisw:Levitate failed 4005");
}

}}  // namespace real
