// The smallest graph that Qualcomm's library prepares.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"

namespace real {

/// Composes graph "net", the positive part of 8 codes of 8 bits, and returns its context. Some
/// chips do not compute floats.
inline qnnpp::Result<qnnpp::Context<qnnpp::Composed>> compose(
    const qnnpp::Backend<qnnpp::Htp>& backend) {
  using namespace qnnpp;
  auto context = Context<Composing>::create(backend, {.name = "net"});
  if (!context) return fail(std::move(context).error());
  {
    auto graph = Graph<Composing, AnyIo>::create(*context, "net");
    if (!graph) return fail(std::move(graph).error());
    using enum c_api::TensorType;
    const auto tensor = [&graph](const char* name, c_api::TensorType kind) {
      return graph->add_tensor({.name = name,
                                .kind = kind,
                                .data_type = c_api::DataType::ufixed_point_8,
                                .dimensions = {2, 4},
                                .quantisation = {0.1f, -128}});
    };
    auto x = tensor("x", app_write);
    if (!x) return fail(std::move(x).error());
    auto y = tensor("y", app_read);
    if (!y) return fail(std::move(y).error());
    if (auto node =
            graph->add_node({.name = "relu", .type = "Relu", .inputs = {*x}, .outputs = {*y}});
        !node)
      return fail(std::move(node).error());
    if (auto done = std::move(*graph).finalize(); !done) return fail(std::move(done).error());
  }
  return std::move(*context).finalize();
}

/// Binary of compose().
inline qnnpp::Result<std::vector<std::byte>> binary(const qnnpp::Backend<qnnpp::Htp>& backend) {
  auto composed = compose(backend);
  if (!composed) return qnnpp::fail(std::move(composed).error());
  return composed->serialize();
}

}  // namespace real
