// Composes a QNN graph (tensors, then nodes) or a whole context binary from a segment of the
// network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "layers.hpp"

namespace digits {

namespace detail {

[[nodiscard]] inline qnnpp::c_api::TensorType kind_of(Kind kind) {
  switch (kind) {
    case Kind::input: return qnnpp::c_api::TensorType::app_write;
    case Kind::output: return qnnpp::c_api::TensorType::app_read;
    case Kind::static_: return qnnpp::c_api::TensorType::static_;
    case Kind::native: break;
  }
  return qnnpp::c_api::TensorType::native;
}

/// Converts a parameter: a scalar stays a scalar, a list of numbers becomes a constant of the
/// graph.
template <class Io>
[[nodiscard]] qnnpp::NodeParam node_param(qnnpp::Graph<qnnpp::Composing, Io>& graph QNNPP_KEEPS,
                                          const Layer& layer, const Param& param) {
  if (const auto* list = std::get_if<UintTensor>(&param.value)) {
    qnnpp::TensorSpec spec{.name = layer.name + "." + param.name,
                           .data_type = qnnpp::c_api::DataType::uint_32,
                           .dimensions = list->dims};
    const auto constant = qnnpp::value_or_throw(
        graph.add_static(std::move(spec), std::as_bytes(std::span(list->values))));
    return {param.name, constant};
  }
  if (const auto* number = std::get_if<std::uint32_t>(&param.value))
    return qnnpp::scalar_param(param.name, *number);
  if (const auto* real = std::get_if<float>(&param.value))
    return qnnpp::scalar_param(param.name, *real);
  return qnnpp::scalar_param(param.name, std::get<bool>(param.value));
}

}  // namespace detail

/// Returns the graph of a segment, with inputs and outputs for the memory kind Io. With a
/// quantisation, the elements of the input are bytes (UFIXED_POINT_8), which a first node converts:
/// no convolution multiplies bytes by float32. The graph borrows the weights until it is finalized.
/// Throws qnnpp::Exception.
template <class Io>
[[nodiscard]] qnnpp::Graph<qnnpp::Composing, Io> compose(
    const qnnpp::Context<qnnpp::Composing>& context, const Segment& segment,
    const qnnpp::Quantisation& input = {}, const qnnpp::GraphOptions& options = {}) {
  auto graph = qnnpp::value_or_throw(
      qnnpp::Graph<qnnpp::Composing, Io>::create(context, segment.name, options));
  std::vector<qnnpp::GraphTensor> tensors;
  for (const TensorSpec& tensor : segment.tensors) {
    qnnpp::TensorSpec spec{
        .name = tensor.name, .kind = detail::kind_of(tensor.kind), .dimensions = tensor.dims};
    if (tensor.kind == Kind::input && input) {
      spec.data_type = qnnpp::c_api::DataType::ufixed_point_8;
      spec.quantisation = input;
    }
    tensors.push_back(qnnpp::value_or_throw(
        tensor.kind == Kind::static_ ? graph.add_static(std::move(spec), std::as_bytes(tensor.data))
                                     : graph.add_tensor(std::move(spec))));
  }
  if (input) {
    const TensorSpec& bytes = segment.tensors[segment.input];
    const auto numbers = qnnpp::value_or_throw(
        graph.add_tensor({.name = bytes.name + "_numbers", .dimensions = bytes.dims}));
    qnnpp::value_or_throw(graph.add_node({.name = bytes.name + "_op",
                                          .type = "Convert",
                                          .inputs = {tensors[segment.input]},
                                          .outputs = {numbers}}));
    tensors[segment.input] = numbers;
  }
  for (const Layer& layer : segment.layers) {
    qnnpp::NodeSpec node{.name = layer.name, .type = type_name(layer.op)};
    for (const std::size_t index : layer.inputs) node.inputs.push_back(tensors[index]);
    for (const std::size_t index : layer.outputs) node.outputs.push_back(tensors[index]);
    for (const Param& param : layer.params)
      node.params.push_back(detail::node_param(graph, layer, param));
    qnnpp::value_or_throw(graph.add_node(node));
  }
  return graph;
}

/// Returns a context binary with the graph of a segment. Throws qnnpp::Exception.
template <class Io>
[[nodiscard]] std::vector<std::byte> make_binary(const qnnpp::Backend<qnnpp::Htp>& backend,
                                                 const Segment& segment) {
  auto context = qnnpp::value_or_throw(
      qnnpp::Context<qnnpp::Composing>::create(backend, {.name = segment.name}));
  qnnpp::value_or_throw(compose<Io>(context, segment).finalize());
  return qnnpp::value_or_throw(
      std::move(context).finalize().and_then([](const auto& done) { return done.serialize(); }));
}

}  // namespace digits
