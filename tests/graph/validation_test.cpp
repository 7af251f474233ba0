// QNN validates each node before it is added (CMP-01), and an error explains what is wrong with it.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

/// Calls about nodes, in their order.
struct Asked {
  struct Call {
    Slot slot;
    const void* handle;
    c_api::OpConfig node;
  };
  static inline std::vector<Call> calls;

  static void hook(std::size_t index, bool entering, const void* const* arguments) {
    const Slot slot = static_cast<Slot>(index);
    if (!entering || (slot != Slot::backend_validate_op_config && slot != Slot::graph_add_node))
      return;
    // Both handles are pointers.
    calls.push_back(
        {slot, argument<const void*>(arguments, 0), argument<c_api::OpConfig>(arguments, 1)});
  }
};

class graph_validation : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    recorder_.push_back(must(load_recorder()));
    context_.push_back(must(Context<Composing>::create(recorder_.front(), {.name = "online"})));
    graph_.push_back(must(Graph<Composing>::create(context_.front(), "net")));
    Asked::calls.clear();
  }
  void TearDown() override {
    graph_.clear();
    context_.clear();
    recorder_.clear();
    LoadedTest::TearDown();
  }

  const Context<Composing>& context() const { return context_.front(); }
  const Backend<Htp>& recorder() const { return recorder_.front(); }
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
  static NodeSpec relu(const GraphTensor& in, const GraphTensor& out) {
    return {.name = "relu", .type = "Relu", .inputs = {in}, .outputs = {out}};
  }
  /// Finalizes the graph, whose only node is a Relu from x to y, and expects what it computes.
  void expect_a_relu() {
    const std::vector<float> in{-1, 2, -3, 4};
    std::vector<float> out(4);
    auto bound = must(must(std::move(graph()).finalize()).bind({raw("x", in), raw("y", out)}));
    graph_.clear();
    ASSERT_TRUE(succeeds(bound.execute()));
    EXPECT_EQ(out, (std::vector<float>{0, 2, 0, 4}));
  }

 private:
  std::vector<Backend<Htp>> recorder_;
  std::vector<Context<Composing>> context_;
  std::vector<Graph<Composing>> graph_;
};

TEST_F(graph_validation, CMP_01_a_node_is_validated_exactly_as_it_is_then_added) {
  const auto x = input("x", {2, 2});
  const auto y = output("y", {2, 2});
  {
    const Recording recording(&Asked::hook);
    ASSERT_TRUE(succeeds(graph().add_node(relu(x, y))));
  }
  ASSERT_EQ(Asked::calls.size(), 2u);
  EXPECT_EQ(Asked::calls[0].slot, Slot::backend_validate_op_config);
  EXPECT_EQ(Asked::calls[0].handle, recorder().native());
  EXPECT_EQ(Asked::calls[1].slot, Slot::graph_add_node);
  EXPECT_EQ(Asked::calls[1].handle, graph().native());
  const c_api::OpConfigV1& asked = Asked::calls[0].node.v1;
  const c_api::OpConfigV1& added = Asked::calls[1].node.v1;
  EXPECT_EQ(asked.name, added.name);
  EXPECT_EQ(asked.package_name, added.package_name);
  EXPECT_EQ(asked.type_name, added.type_name);
  EXPECT_EQ(asked.params, added.params);
  EXPECT_EQ(asked.input_tensors, added.input_tensors);
  EXPECT_EQ(asked.output_tensors, added.output_tensors);
  expect_a_relu();
}

TEST_F(graph_validation, CMP_01_a_node_that_validation_refuses_is_not_added) {
  const auto x = input("x", {2, 2});
  const auto y = output("y", {2, 2});
  for (const std::uint32_t code : {3110u, 4005u, 1002u}) {
    control().fail_call(Slot::backend_validate_op_config, 1, code);
    const Error error = error_of(graph().add_node(relu(x, y)));
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, code);
    EXPECT_STREQ(error.step, "QnnBackend_validateOpConfig");
    EXPECT_EQ(error.object, "relu");
    EXPECT_TRUE(error.detail.starts_with("op Relu in graph net of online")) << error.detail;
  }
  EXPECT_EQ(calls(Slot::graph_add_node), 0u);
  ASSERT_TRUE(succeeds(graph().add_node(relu(x, y)))) << "a refusal changes nothing";
  expect_a_relu();
}

TEST_F(graph_validation, CMP_01_wrong_shapes_are_refused_before_the_node_reaches_the_graph) {
  const auto x = input("x", {4, 4});
  const Error relu_error = error_of(graph().add_node(relu(x, output("y", {5, 7}))));
  EXPECT_EQ(
      relu_error.message(),
      "relu: QnnBackend_validateOpConfig returned 3110 OP_PACKAGE_VALIDATION_FAILURE: the "
      "operation's inputs, outputs or parameters do not fit; compare them with the op's "
      "definition, or read the reason in the backend's log (op Relu in graph net of online: x "
      "FLOAT_32 [4, 4] -> y FLOAT_32 [5, 7]; log: QnnBackend_validateOpConfig failed with 3110: "
      "node "
      "'relu' (Relu): output has "
      "shape [5,7], the op gives [4,4])");
  const Error product_error =
      error_of(graph().add_node({.name = "product",
                                 .type = "MatMul",
                                 .inputs = {input("a", {2, 8}), input("b", {8, 3})},
                                 .outputs = {output("c", {64, 64})}}));
  EXPECT_EQ(product_error.code, 3110);
  EXPECT_STREQ(product_error.step, "QnnBackend_validateOpConfig");
  EXPECT_EQ(product_error.object, "product");
  EXPECT_TRUE(product_error.detail.starts_with(
      "op MatMul in graph net of online: a FLOAT_32 [2, 8], b FLOAT_32 [8, 3] -> c FLOAT_32 "
      "[64, 64]; log: "))
      << product_error.detail;
  EXPECT_EQ(calls(Slot::graph_add_node), 0u);
}

TEST_F(graph_validation, CMP_01_an_unknown_op_is_named_with_an_advice_that_fits) {
  const Error error = error_of(graph().add_node({.name = "strange",
                                                 .type = "Levitate",
                                                 .inputs = {input("x", {2})},
                                                 .outputs = {output("y", {2})}}));
  EXPECT_EQ(error.code, 4005);
  EXPECT_NE(error.message().find("check the operation's type and package"), std::string::npos)
      << error.message();
  EXPECT_NE(error.message().find("op Levitate in graph net of online"), std::string::npos)
      << error.message();
  EXPECT_EQ(calls(Slot::graph_add_node), 0u);
}

TEST_F(graph_validation, a_backend_without_the_function_adds_nodes_unchecked) {
  const auto x = input("x", {2, 2});
  const auto y = output("y", {2, 2});
  // The recorder's table is not const.
  auto& table = const_cast<c_api::InterfaceTable&>(recorder().provider().native()->table);
  const auto validate = std::exchange(table.backend_validate_op_config, nullptr);
  const auto added = graph().add_node(relu(x, y));
  table.backend_validate_op_config = validate;
  ASSERT_TRUE(succeeds(added));
  EXPECT_EQ(calls(Slot::backend_validate_op_config), 0u);
  expect_a_relu();
}

TEST_F(graph_validation, a_backend_that_supports_no_validation_adds_nodes_unchecked) {
  const auto x = input("x", {2, 2});
  const auto y = output("y", {2, 2});
  control().fail_call(Slot::backend_validate_op_config, 1, 4003);
  ASSERT_TRUE(succeeds(graph().add_node(relu(x, y))));
  EXPECT_EQ(calls(Slot::backend_validate_op_config), 1u);
  expect_a_relu();
}

TEST_F(graph_validation, comes_after_the_checks_of_qnnpp) {
  const auto x = input("x", {2});
  EXPECT_EQ(error_of(graph().add_node(relu(x, GraphTensor()))).kind, Errc::invalid_argument);
  EXPECT_EQ(error_of(graph().add_node({.name = std::string("a\0b", 3), .type = "Relu"})).kind,
            Errc::invalid_argument);
  EXPECT_EQ(calls(Slot::backend_validate_op_config), 0u);
}

TEST_F(graph_validation, what_adding_a_valid_node_fails_with_names_op_and_graph_too) {
  const auto x = input("x", {2});
  const auto y = output("y", {2});
  must(graph().add_node(relu(x, y)));
  const Error error = error_of(graph().add_node(relu(x, y)));
  EXPECT_STREQ(error.step, "QnnGraph_addNode");
  EXPECT_EQ(error.object, "relu");
  EXPECT_TRUE(error.detail.starts_with(
      "op Relu in graph net of online: x FLOAT_32 [2] -> y FLOAT_32 [2]; log: "))
      << error.detail;
}

TEST_F(graph_validation, is_left_out_if_the_options_of_the_graph_say_so) {
  auto unchecked = must(Graph<Composing>::create(context(), "free", {.validate_nodes = false}));
  const auto x = must(
      unchecked.add_tensor({.name = "x", .kind = c_api::TensorType::app_write, .dimensions = {2}}));
  const auto y = must(
      unchecked.add_tensor({.name = "y", .kind = c_api::TensorType::app_read, .dimensions = {2}}));
  ASSERT_TRUE(succeeds(unchecked.add_node(relu(x, y))));
  EXPECT_EQ(calls(Slot::backend_validate_op_config), 0u);
  EXPECT_EQ(calls(Slot::graph_add_node), 1u);
  auto moved = std::move(unchecked);
  EXPECT_STREQ(error_of(moved.add_node({.name = "strange", .type = "Levitate"})).step,
               "QnnGraph_addNode");
  EXPECT_EQ(calls(Slot::backend_validate_op_config), 0u);
  must(std::move(moved).finalize());
  must(graph().add_node(relu(input("x", {2}), output("y", {2}))));
  EXPECT_EQ(calls(Slot::backend_validate_op_config), 1u) << "another graph validates";
}

}}  // namespace support
