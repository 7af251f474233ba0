// Builds networks through the C API's structs, like a client, and runs them in plain memory.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sim/binary/binary.hpp"
#include "sim/ops/compose.hpp"
#include "sim/ops/run.hpp"
#include "sim/plan/plan.hpp"

namespace qnnpp::sim::testing {

using Dims = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

inline std::size_t elements(const Dims& dims) {
  std::size_t count = 1;
  for (const std::uint32_t dim : dims) count *= dim;
  return count;
}

/// Returns deterministic values in [-1, 1).
inline Floats values(std::size_t count, std::uint32_t seed) {
  Floats out(count);
  std::uint32_t state = seed * 2654435761u + 12345u;
  for (float& value : out) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  return out;
}

/// Seeded 32-bit random numbers.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }
  std::size_t below(std::size_t limit) { return operator()() % limit; }

 private:
  std::mt19937 engine_;
};

/// Returns a version 1 tensor that borrows the caller's dimensions and contents.
inline c_api::Tensor abi_tensor(const char* name, c_api::TensorType type, Dims& dims,
                                c_api::DataType data_type = c_api::DataType::float_32,
                                void* data = nullptr, std::size_t bytes = 0) {
  c_api::Tensor tensor{};
  tensor.version = c_api::TensorVersion::v1;
  tensor.v1.name = name;
  tensor.v1.type = type;
  tensor.v1.data_type = data_type;
  tensor.v1.quantize_params.encoding_definition = c_api::Definition::undefined;
  tensor.v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::undefined;
  tensor.v1.rank = static_cast<std::uint32_t>(dims.size());
  tensor.v1.dimensions = dims.data();
  tensor.v1.mem_type = c_api::TensorMemType::raw;
  tensor.v1.client_buf = {data, static_cast<std::uint32_t>(bytes)};
  return tensor;
}

inline c_api::Param flag(const char* name, bool value) {
  c_api::Param param{};
  param.param_type = c_api::ParamType::scalar;
  param.name = name;
  param.scalar_param.data_type = c_api::DataType::bool_8;
  param.scalar_param.bool8_value = value ? 1 : 0;
  return param;
}

inline c_api::Param uint_value(const char* name, std::uint32_t value) {
  c_api::Param param{};
  param.param_type = c_api::ParamType::scalar;
  param.name = name;
  param.scalar_param.data_type = c_api::DataType::uint_32;
  param.scalar_param.uint32_value = value;
  return param;
}

inline c_api::Param float_value(const char* name, float value) {
  c_api::Param param{};
  param.param_type = c_api::ParamType::scalar;
  param.name = name;
  param.scalar_param.data_type = c_api::DataType::float_32;
  param.scalar_param.float_value = value;
  return param;
}

/// One graph, composed call by call. Nodes refer to tensors by name.
class Builder {
 public:
  explicit Builder(std::string graph_name = "graph") { begin_graph(std::move(graph_name)); }

  void begin_graph(std::string name) {
    network.graphs.emplace_back();
    network.graphs.back().name = std::move(name);
    ids_.clear();
  }

  Graph& graph() { return network.graphs.back(); }

  Status add(c_api::Tensor& tensor) {
    Status status = add_graph_tensor(network, graph(), tensor);
    if (status.ok()) ids_[graph().tensors.back().name] = tensor;
    return status;
  }

  Builder& tensor(const char* name, c_api::TensorType type, Dims dims,
                  c_api::TensorMemType mem_type = c_api::TensorMemType::raw) {
    c_api::Tensor described = abi_tensor(name, type, dims);
    described.v1.mem_type = mem_type;
    const Status status = add(described);
    EXPECT_TRUE(status.ok()) << status.reason;
    return *this;
  }

  Builder& input(const char* name, Dims dims) {
    return tensor(name, c_api::TensorType::app_write, std::move(dims));
  }
  Builder& output(const char* name, Dims dims) {
    return tensor(name, c_api::TensorType::app_read, std::move(dims));
  }
  Builder& native(const char* name, Dims dims) {
    return tensor(name, c_api::TensorType::native, std::move(dims));
  }

  Builder& weights(const char* name, Dims dims, Floats data) {
    c_api::Tensor described =
        abi_tensor(name, c_api::TensorType::static_, dims, c_api::DataType::float_32, data.data(),
                   data.size() * sizeof(float));
    const Status status = add(described);
    EXPECT_TRUE(status.ok()) << status.reason;
    return *this;
  }

  /// Creates the static tensor of a parameter, and returns the parameter.
  c_api::Param uints(const char* name, Dims dims, Dims data) {
    const std::string tensor_name = std::string(name) + "_" + std::to_string(++params_);
    c_api::Tensor described =
        abi_tensor(tensor_name.c_str(), c_api::TensorType::static_, dims, c_api::DataType::uint_32,
                   data.data(), data.size() * sizeof(std::uint32_t));
    const Status status = add(described);
    EXPECT_TRUE(status.ok()) << status.reason;
    c_api::Param param{};
    param.param_type = c_api::ParamType::tensor;
    param.name = name;
    param.tensor_param = described;
    return param;
  }

  Status try_node(const char* type, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs, std::vector<c_api::Param> params = {}) {
    std::vector<c_api::Tensor> in, out;
    for (const std::string& name : inputs) in.push_back(named(name));
    for (const std::string& name : outputs) out.push_back(named(name));
    const std::string node_name = std::string(type) + "_" + std::to_string(graph().nodes.size());
    c_api::OpConfig config{};
    config.version = c_api::OpConfigVersion::v1;
    config.v1 = {node_name.c_str(),
                 op_package_name,
                 type,
                 static_cast<std::uint32_t>(params.size()),
                 params.data(),
                 static_cast<std::uint32_t>(in.size()),
                 in.data(),
                 static_cast<std::uint32_t>(out.size()),
                 out.data()};
    return add_node(network, graph(), config);
  }

  Builder& node(const char* type, const std::vector<std::string>& inputs, const std::string& output,
                std::vector<c_api::Param> params = {}) {
    const Status status = try_node(type, inputs, {output}, std::move(params));
    EXPECT_TRUE(status.ok()) << status.reason;
    return *this;
  }

  std::uint32_t index(std::string_view name) { return find_tensor(graph(), name); }

  Network network;

 private:
  c_api::Tensor named(const std::string& name) {
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    c_api::Tensor unknown{};
    unknown.version = c_api::TensorVersion::v1;
    return unknown;
  }

  std::map<std::string, c_api::Tensor> ids_;
  int params_ = 0;
};

/// Executes a graph of a planned network in memory of exactly the planned sizes. Inputs and outputs
/// are by tensor name.
inline std::map<std::string, Floats> execute(const Graph& graph, const GraphPlan& plan,
                                             std::span<const std::byte> weights,
                                             const std::map<std::string, Floats>& inputs) {
  std::vector<std::byte> weights_area(weights.begin(), weights.end());
  std::vector<std::byte> vtcm(plan.vtcm_bytes, std::byte{0xCD});
  std::vector<std::byte> spill_fill(plan.spill_fill_bytes, std::byte{0xCD});
  std::vector<std::byte> io(plan.io_copies_bytes, std::byte{0xCD});
  std::vector<std::byte*> addresses(graph.tensors.size());
  assign_addresses(graph, plan, {weights_area.data(), vtcm.data(), spill_fill.data(), io.data()},
                   addresses);
  std::deque<Floats> client;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    if (plan.placements[t].space != Space::client) continue;
    client.emplace_back(element_count(graph.tensors[t]));
    addresses[t] = reinterpret_cast<std::byte*>(client.back().data());
  }
  for (const std::uint32_t t : graph_inputs(graph)) {
    const auto found = inputs.find(graph.tensors[t].name);
    if (found == inputs.end()) continue;
    std::memcpy(addresses[t], found->second.data(), found->second.size() * sizeof(float));
  }
  Floats scratch(scratch_floats(graph));
  EXPECT_TRUE(run(graph, plan, addresses, scratch.data()));
  std::map<std::string, Floats> outputs;
  for (const std::uint32_t t : graph_outputs(graph)) {
    Floats& values_out = outputs[graph.tensors[t].name];
    values_out.resize(element_count(graph.tensors[t]));
    std::memcpy(values_out.data(), addresses[t], values_out.size() * sizeof(float));
  }
  return outputs;
}

/// Plans the builder's only graph for `vtcm_bytes`, and executes it.
inline std::map<std::string, Floats> plan_and_execute(Builder& builder, std::uint64_t vtcm_bytes,
                                                      const std::map<std::string, Floats>& inputs) {
  NetworkPlan plan;
  const Status status = plan_network(builder.network, vtcm_bytes, plan);
  EXPECT_TRUE(status.ok()) << status.reason;
  std::vector<std::byte> weights(plan.weights_bytes);
  write_weights(builder.network, plan, weights);
  EXPECT_TRUE(verify(builder.graph(), plan.graphs[0], plan.weights_bytes).ok());
  return execute(builder.graph(), plan.graphs[0], weights, inputs);
}

inline void expect_near(const Floats& found, const std::vector<double>& expected,
                        double tolerance = 1e-5) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], tolerance * (1.0 + std::abs(expected[i]))) << "at " << i;
}

}  // namespace qnnpp::sim::testing
