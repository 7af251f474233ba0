// own_network BACKEND OUTPUT: composes a network of two layers and writes it as a context binary.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <utility>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main(int argc, char** argv) try {
  using namespace qnnpp;
  if (argc != 3) throw std::runtime_error("usage: own_network BACKEND OUTPUT");

  // Weights as [outputs, inputs]. These give the exclusive or of the two numbers in each row of x.
  const float w1_values[] = {1, 1, 1, 1};
  const float b1_values[] = {0, -1};
  const float w2_values[] = {1, -2};
  const auto bytes = [](const auto& values) { return std::as_bytes(std::span(values)); };

  // RegisteredIo prepares inputs and outputs for registered memory: no inference copies them.
  const auto backend = value_or_throw(Backend<Htp>::load({.library = argv[1]}));
  auto context = value_or_throw(Context<Composing>::create(backend, {.name = "mlp"}));
  auto graph = value_or_throw(Graph<Composing, RegisteredIo>::create(context, "mlp"));

  // Tensors: input, output, constants, and what lies between two nodes.
  using enum c_api::TensorType;
  auto x = value_or_throw(graph.add_tensor({.name = "x", .kind = app_write, .dimensions = {4, 2}}));
  auto y = value_or_throw(graph.add_tensor({.name = "y", .kind = app_read, .dimensions = {4, 1}}));
  auto w1 =
      value_or_throw(graph.add_static({.name = "w1", .dimensions = {2, 2}}, bytes(w1_values)));
  auto b1 = value_or_throw(graph.add_static({.name = "b1", .dimensions = {2}}, bytes(b1_values)));
  auto w2 =
      value_or_throw(graph.add_static({.name = "w2", .dimensions = {1, 2}}, bytes(w2_values)));
  auto sum = value_or_throw(graph.add_tensor({.name = "sum", .dimensions = {4, 2}}));
  auto hidden = value_or_throw(graph.add_tensor({.name = "hidden", .dimensions = {4, 2}}));

  // Nodes, each after those whose outputs it reads.
  value_or_throw(graph.add_node(
      {.name = "layer1", .type = "FullyConnected", .inputs = {x, w1, b1}, .outputs = {sum}}));
  value_or_throw(
      graph.add_node({.name = "relu", .type = "Relu", .inputs = {sum}, .outputs = {hidden}}));
  value_or_throw(graph.add_node(
      {.name = "layer2", .type = "FullyConnected", .inputs = {hidden, w2}, .outputs = {y}}));

  value_or_throw(std::move(graph).finalize());
  const auto composed = value_or_throw(std::move(context).finalize());
  const auto binary = value_or_throw(composed.serialize());

  const std::filesystem::path path = argv[2];  // Writing to a named pipe would wait for its reader.
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path) &&
      !std::filesystem::is_character_file(path))
    throw std::runtime_error(path.string() + ": not a regular file");
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(binary.data()),
             static_cast<std::streamsize>(binary.size()));
  if (!file.flush()) throw std::runtime_error(path.string() + ": cannot be written");
  std::printf("%s: graph mlp, %zu bytes\n", escaped(argv[2]).c_str(), binary.size());
  if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "own_network: %s\n", qnnpp::escaped(error.what()).c_str());
  return 1;
}
