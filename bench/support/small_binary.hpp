// A context binary with one small graph that has weights, spills, and uses registered memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace bench {

/// y = (h + relu(h)) B' with h = x A', x and y of 1 x 8, h of 1 x `hidden`; the graph is "small".
///
/// Spills if the device's VTCM is smaller than h: see QNNPP_SIM_VTCM_BYTES.
[[nodiscard]] inline std::vector<std::byte> small_binary(const qnnpp::Backend<qnnpp::Htp>& backend,
                                                         std::uint32_t hidden = 64) {
  using namespace qnnpp;
  constexpr std::uint32_t width = 8;
  const std::vector<float> matrix(std::size_t{hidden} * width, 0.01f);
  auto context = value_or_throw(Context<Composing>::create(backend, {.name = "small"}));
  auto graph = value_or_throw(Graph<Composing, RegisteredIo>::create(context, "small"));
  const auto tensor = [&](const char* name, qnnpp::c_api::TensorType kind, std::uint32_t size) {
    return value_or_throw(graph.add_tensor({.name = name, .kind = kind, .dimensions = {1, size}}));
  };
  const auto weights = [&](const char* name, std::uint32_t out, std::uint32_t in) {
    return value_or_throw(graph.add_static({.name = name, .dimensions = {out, in}},
                                           std::as_bytes(std::span(matrix))));
  };
  const auto node = [&](const char* name, const char* type, std::vector<GraphTensor> inputs,
                        GraphTensor output) {
    value_or_throw(graph.add_node(
        {.name = name, .type = type, .inputs = std::move(inputs), .outputs = {output}}));
  };
  const auto x = tensor("x", qnnpp::c_api::TensorType::app_write, width);
  const auto h = tensor("h", qnnpp::c_api::TensorType::native, hidden);
  const auto positive = tensor("positive", qnnpp::c_api::TensorType::native, hidden);
  const auto sum = tensor("sum", qnnpp::c_api::TensorType::native, hidden);
  const auto y = tensor("y", qnnpp::c_api::TensorType::app_read, width);
  node("first", "FullyConnected", {x, weights("A", hidden, width)}, h);
  node("relu", "Relu", {h}, positive);
  node("skip", "ElementWiseAdd", {positive, h}, sum);
  node("second", "FullyConnected", {sum, weights("B", width, hidden)}, y);
  value_or_throw(std::move(graph).finalize());
  return value_or_throw(
      std::move(context).finalize().and_then([](const auto& done) { return done.serialize(); }));
}

/// Writes bytes to a file. Throws on failure.
inline void write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error(path + ": the file cannot be written");
}

}  // namespace bench
