// Tensor creation, addNode and validateOpConfig: what they accept, and the codes of their refusals.

#include <gtest/gtest.h>

#include "builder.hpp"

namespace qnnpp::sim::testing { namespace {

constexpr std::uint32_t already_exists = 7003, invalid_param = 7004, unsupported_param = 7005;

struct Described {
  Dims dims{2, 3};
  Floats data = Floats(6);
  c_api::Tensor tensor;

  explicit Described(c_api::TensorType type = c_api::TensorType::app_write)
      : tensor(abi_tensor("x", type, dims)) {
    if (type == c_api::TensorType::static_)
      tensor.v1.client_buf = {data.data(), static_cast<std::uint32_t>(data.size() * sizeof(float))};
  }
  Described(const Described&) = delete;
};

template <typename Change>
std::uint32_t code_of(c_api::TensorType type, Change change) {
  Described described(type);
  change(described.tensor);
  const std::uint32_t id = described.tensor.v1.id;
  Builder builder;
  const Status status = builder.add(described.tensor);
  EXPECT_EQ(status.ok(), status.reason.empty());
  if (!status.ok()) {
    EXPECT_TRUE(builder.graph().tensors.empty());
    EXPECT_EQ(described.tensor.v1.id, id) << "a failed call changed the id";
  }
  return status.code;
}

template <typename Change>
std::uint32_t input_code(Change change) {
  return code_of(c_api::TensorType::app_write, change);
}

TEST(compose, accepts_the_tensor_types_it_supports_and_refuses_the_others) {
  for (std::uint32_t type = 0; type <= 13; ++type) {
    const std::uint32_t code = code_of(c_api::TensorType::static_, [type](c_api::Tensor& t) {
      t.v1.type = c_api::TensorType(type);
    });
    EXPECT_EQ(code, type <= 4 ? 0u : unsupported_param) << type;
  }
}

TEST(compose, refuses_descriptions_that_are_incomplete_or_inconsistent) {
  EXPECT_EQ(input_code([](c_api::Tensor&) {}), 0u);
  EXPECT_EQ(input_code([](c_api::Tensor& t) { t.version = c_api::TensorVersion(3); }),
            invalid_param);
  EXPECT_EQ(input_code([](c_api::Tensor& t) { t.v1.rank = 0; }), invalid_param);
  EXPECT_EQ(input_code([](c_api::Tensor& t) { t.v1.dimensions = nullptr; }), invalid_param);
  EXPECT_EQ(input_code([](c_api::Tensor& t) { t.v1.dimensions[1] = 0; }), invalid_param);
  EXPECT_EQ(
      input_code([](c_api::Tensor& t) { t.v1.dimensions[0] = t.v1.dimensions[1] = 0xFFFFFFFFu; }),
      invalid_param);
}

TEST(compose, refuses_what_the_device_does_not_support) {
  EXPECT_EQ(input_code([](c_api::Tensor& t) { t.v1.rank = max_rank + 1; }), unsupported_param);
  EXPECT_EQ(input_code([](c_api::Tensor& t) { t.v1.data_format = 1; }), unsupported_param);
  for (const c_api::DataType type : {c_api::DataType::string, c_api::DataType::undefined})
    EXPECT_EQ(input_code([type](c_api::Tensor& t) { t.v1.data_type = type; }), unsupported_param);
  EXPECT_EQ(
      input_code([](c_api::Tensor& t) { t.v1.mem_type = c_api::TensorMemType::retrieve_raw; }),
      unsupported_param);
  EXPECT_EQ(input_code([](c_api::Tensor& t) {
              t.v1.quantize_params.encoding_definition = c_api::Definition::defined;
              t.v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::vector;
            }),
            invalid_param);
}

TEST(compose, refuses_static_tensors_without_contents_of_their_size) {
  const auto code = [](auto change) { return code_of(c_api::TensorType::static_, change); };
  EXPECT_EQ(code([](c_api::Tensor&) {}), 0u);
  EXPECT_EQ(code([](c_api::Tensor& t) { t.v1.client_buf.data = nullptr; }), invalid_param);
  EXPECT_EQ(code([](c_api::Tensor& t) { t.v1.client_buf.data_size = 20; }), invalid_param);
  EXPECT_EQ(code([](c_api::Tensor& t) { t.v1.client_buf.data_size = 28; }), invalid_param);
  EXPECT_EQ(code([](c_api::Tensor& t) { t.v1.mem_type = c_api::TensorMemType::memhandle; }),
            invalid_param);
}

TEST(compose, QMEM_05_accepts_inputs_created_as_memory_handles_without_a_handle) {
  EXPECT_EQ(input_code([](c_api::Tensor& t) {
              t.v1.mem_type = c_api::TensorMemType::memhandle;
              t.v1.mem_handle = nullptr;
            }),
            0u);
}

TEST(compose, refuses_dynamic_dimensions_of_version_2_tensors) {
  Dims dims{2, 3};
  std::uint8_t dynamic[] = {0, 0};
  c_api::Tensor tensor{};
  tensor.version = c_api::TensorVersion::v2;
  tensor.v2 = c_api::TensorV2{};
  tensor.v2.name = "x";
  tensor.v2.data_type = c_api::DataType::float_32;
  tensor.v2.rank = 2;
  tensor.v2.dimensions = dims.data();
  tensor.v2.is_dynamic_dimensions = dynamic;
  Builder builder;
  EXPECT_EQ(builder.add(tensor).code, 0u);
  tensor.v2.name = "y";
  dynamic[1] = 1;
  EXPECT_EQ(builder.add(tensor).code, unsupported_param);
}

TEST(compose, gives_ids_that_are_unique_in_the_context_and_names_to_unnamed_tensors) {
  Builder builder("one");
  builder.input("x", {2});
  builder.begin_graph("two");
  builder.input("x", {2});
  EXPECT_NE(builder.network.graphs[0].tensors[0].id, 0u);
  EXPECT_NE(builder.network.graphs[0].tensors[0].id, builder.network.graphs[1].tensors[0].id);
  Described unnamed;
  unnamed.tensor.v1.name = nullptr;
  ASSERT_TRUE(builder.add(unnamed.tensor).ok());
  EXPECT_EQ(builder.graph().tensors[1].name, "tensor_" + std::to_string(unnamed.tensor.v1.id));
}

TEST(compose, refuses_a_name_that_the_graph_has) {
  Builder builder;
  builder.input("x", {2});
  Described again;
  EXPECT_EQ(builder.add(again.tensor).code, already_exists);
}

TEST(compose, copies_static_contents_so_that_the_client_s_memory_may_go) {
  Builder builder;
  {
    Described gone(c_api::TensorType::static_);
    gone.data[5] = 42.0f;
    ASSERT_TRUE(builder.add(gone.tensor).ok());
    gone.data[5] = 0.0f;
  }
  float last = 0.0f;
  std::memcpy(&last, builder.graph().tensors[0].data.data() + 20, sizeof last);
  EXPECT_EQ(last, 42.0f);
}

TEST(add_node, refuses_tensors_that_were_not_created_here) {
  Builder builder;
  builder.input("in", {2}).output("out", {2});
  EXPECT_EQ(builder.try_node("Relu", {"other"}, {"out"}).code, 6004u);
  EXPECT_EQ(builder.try_node("Relu", {"in"}, {"other"}).code, 6004u);
  c_api::Param made_up = builder.uints("perm", {1}, {0});
  EXPECT_TRUE(builder.try_node("Transpose", {"in"}, {"out"}, {made_up}).ok());
  builder.output("out2", {2});
  made_up.tensor_param.v1.id = 999;
  EXPECT_EQ(builder.try_node("Transpose", {"in"}, {"out2"}, {made_up}).code, 6004u);
  EXPECT_EQ(builder.graph().nodes.size(), 1u);
}

TEST(add_node, refuses_tensors_in_the_wrong_role) {
  Builder builder;
  builder.input("in", {2}).weights("w", {2}, {1, 2}).input("in2", {2}).output("out", {2});
  EXPECT_EQ(builder.try_node("Relu", {"in"}, {"in2"}).code, 6004u);
  EXPECT_EQ(builder.try_node("Relu", {"in"}, {"w"}).code, 6004u);
  c_api::Param perm = builder.uints("perm", {1}, {0});
  perm.tensor_param.v1.id = builder.graph().tensors[builder.index("in2")].id;
  EXPECT_EQ(builder.try_node("Transpose", {"in"}, {"out"}, {perm}).code, 6004u);
  builder.node("Relu", {"in"}, "out");
  EXPECT_EQ(builder.try_node("Relu", {"in2"}, {"out"}).code, 6004u) << "a tensor has one producer";
}

TEST(add_node, refuses_an_output_that_was_read_before) {
  Builder builder;
  builder.input("in", {2}).tensor("state", c_api::TensorType::app_readwrite, {2});
  builder.output("out", {2}).node("ElementWiseAdd", {"in", "state"}, "out");
  EXPECT_EQ(builder.try_node("Relu", {"in"}, {"state"}).code, 6004u);
}

TEST(add_node, refuses_a_native_input_that_no_earlier_node_produces) {
  Builder builder;
  builder.input("in", {2}).native("mid", {2}).output("out", {2}).output("out2", {2});
  EXPECT_EQ(builder.try_node("Relu", {"mid"}, {"out"}).code, 6007u);
  EXPECT_EQ(builder.try_node("Relu", {"mid"}, {"mid"}).code, 6007u);
  builder.node("Relu", {"in"}, "mid").node("Relu", {"mid"}, "out");
  builder.node("Relu", {"out"}, "out2");
}

struct Config {
  Builder builder;
  std::vector<c_api::Tensor> in, out;
  std::vector<c_api::Param> params;
  c_api::OpConfig config{};
  Dims dims{2};

  Config() {
    in.push_back(abi_tensor("in", c_api::TensorType::app_write, dims));
    out.push_back(abi_tensor("out", c_api::TensorType::app_read, dims));
    EXPECT_TRUE(builder.add(in[0]).ok());
    EXPECT_TRUE(builder.add(out[0]).ok());
    params.push_back(float_value("beta", 2.0f));
    config.version = c_api::OpConfigVersion::v1;
    config.v1 = {"n", op_package_name, "Softmax", 1, params.data(), 1, in.data(), 1, out.data()};
  }
  std::uint32_t add() { return add_node(builder.network, builder.graph(), config).code; }
  std::uint32_t validate() { return validate_op_config(config).code; }
};

TEST(add_node, refuses_configs_with_null_names_and_arrays) {
  const auto code = [](auto change) {
    Config c;
    change(c.config.v1);
    return c.add();
  };
  EXPECT_EQ(code([](c_api::OpConfigV1&) {}), 0u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.name = nullptr; }), 6005u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.package_name = nullptr; }), 6005u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.type_name = nullptr; }), 6005u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.package_name = "other"; }), 6005u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.params = nullptr; }), 6005u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.input_tensors = nullptr; }), 6005u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.output_tensors = nullptr; }), 6005u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.num_of_inputs = 1u << 30; }), 6005u);
  EXPECT_EQ(code([](c_api::OpConfigV1& v1) { v1.params[0].name = nullptr; }), 6005u);
  EXPECT_EQ(
      code([](c_api::OpConfigV1& v1) { v1.params[0].param_type = c_api::ParamType::undefined; }),
      6005u);
  Config c;
  c.config.version = c_api::OpConfigVersion::undefined;
  EXPECT_EQ(c.add(), 6005u);
}

TEST(add_node, leaves_the_graph_as_it_was_when_it_fails) {
  Builder builder;
  Dims dims{2};
  Floats data{1, 2};
  c_api::Tensor shared = abi_tensor("shared", c_api::TensorType::static_, dims,
                                    c_api::DataType::float_32, data.data(), 8);
  ASSERT_TRUE(add_context_tensor(builder.network, shared).ok());
  builder.input("in", {2}).output("out", {3});
  c_api::Tensor in[2]{}, out{};
  in[0] = abi_tensor("in", c_api::TensorType::app_write, dims);
  in[0].v1.id = builder.graph().tensors[0].id;
  in[1] = shared;
  out = in[0];
  out.v1.id = builder.graph().tensors[1].id;
  c_api::OpConfig config{};
  config.version = c_api::OpConfigVersion::v1;
  config.v1 = {"n", op_package_name, "ElementWiseAdd", 0, nullptr, 2, in, 1, &out};
  EXPECT_EQ(add_node(builder.network, builder.graph(), config).code, 6005u);
  EXPECT_EQ(builder.graph().tensors.size(), 2u);
  EXPECT_TRUE(builder.graph().nodes.empty());
}

TEST(context_tensors, serve_the_nodes_of_every_graph_and_are_stored_once_if_the_graphs_share) {
  Builder builder("one");
  builder.network.shares_weights = true;
  Dims dims{2};
  Floats data{5, 6};
  c_api::Tensor shared = abi_tensor("shared", c_api::TensorType::static_, dims,
                                    c_api::DataType::float_32, data.data(), 8);
  ASSERT_TRUE(add_context_tensor(builder.network, shared).ok());
  for (const char* name : {"one", "two"}) {
    if (builder.graph().name != name) builder.begin_graph(name);
    builder.input("in", {2}).output("out", {2});
    c_api::Tensor in[2]{}, out{};
    in[0] = abi_tensor("in", c_api::TensorType::app_write, dims);
    in[0].v1.id = builder.graph().tensors[0].id;
    in[1] = shared;
    out = in[0];
    out.v1.id = builder.graph().tensors[1].id;
    c_api::OpConfig config{};
    config.version = c_api::OpConfigVersion::v1;
    config.v1 = {"n", op_package_name, "ElementWiseAdd", 0, nullptr, 2, in, 1, &out};
    const Status status = add_node(builder.network, builder.graph(), config);
    ASSERT_TRUE(status.ok()) << status.reason;
  }
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, 1u << 20, plan).ok());
  EXPECT_EQ(plan.weights_bytes, placement_alignment);
}

TEST(context_tensors, must_be_static) {
  Builder builder;
  Described input;
  EXPECT_EQ(add_context_tensor(builder.network, input.tensor).code, unsupported_param);
}

TEST(validate_op_config, takes_the_tensors_from_the_config_and_answers_3110_or_4005) {
  EXPECT_EQ(Config{}.validate(), 0u);
  Config c;
  c.in[0].v1.id = c.out[0].v1.id = 0;
  EXPECT_EQ(c.validate(), 0u);
  c.config.v1.type_name = "Sigmoid";
  EXPECT_EQ(c.validate(), 4005u);
  c.config.v1.package_name = "other";
  EXPECT_EQ(c.validate(), 4005u);
  Config parameter;
  parameter.params[0].name = "gamma";
  EXPECT_EQ(parameter.validate(), 3110u);
  Config tensor;
  tensor.in[0].v1.data_type = c_api::DataType::ufixed_point_8;
  EXPECT_EQ(tensor.validate(), 3110u) << "without quantisation";
  Config broken;
  broken.config.v1.input_tensors = nullptr;
  EXPECT_EQ(broken.validate(), 3110u);
}

TEST(validate_op_config, accepts_static_inputs_without_contents) {
  Dims in_dims{1, 4}, weight_dims{3, 4}, out_dims{1, 3};
  c_api::Tensor in[] = {abi_tensor("in", c_api::TensorType::app_write, in_dims),
                        abi_tensor("w", c_api::TensorType::static_, weight_dims)};
  c_api::Tensor out = abi_tensor("out", c_api::TensorType::native, out_dims);
  c_api::OpConfig config{};
  config.version = c_api::OpConfigVersion::v1;
  config.v1 = {"n", op_package_name, "FullyConnected", 0, nullptr, 2, in, 1, &out};
  EXPECT_TRUE(validate_op_config(config).ok());
}

}}  // namespace qnnpp::sim::testing
