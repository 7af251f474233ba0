// The offline generator: makes one context binary for each segment of the digits network.
//
//   make_binaries --backend libQnnHtp.so --data examples/digits/data --output FOLDER
//
// A context is composed online - tensors, then nodes, then finalize - and serialised. On a machine
// with the QNN SDK the same program prepares for a real device, by the SDK's x86 libQnnHtp.so.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "digits/files.hpp"
#include "digits/network.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace {

using namespace qnnpp;

abi::TensorType kind_of(digits::Kind kind) {
  switch (kind) {
    case digits::Kind::input: return abi::TensorType::app_write;
    case digits::Kind::output: return abi::TensorType::app_read;
    case digits::Kind::static_: return abi::TensorType::static_;
    case digits::Kind::native: break;
  }
  return abi::TensorType::native;
}

/// Scalars stay scalars; a list of numbers becomes a constant of the graph.
NodeParam node_param(Graph<Composing>& graph QNNPP_KEEPS, const digits::Layer& layer,
                     const digits::Param& param) {
  if (const auto* list = std::get_if<digits::UintTensor>(&param.value)) {
    TensorSpec spec{.name = layer.name + "." + param.name,
                    .data_type = abi::DataType::uint_32,
                    .dimensions = list->dims};
    const auto constant = value_or_throw(
        graph.add_static(std::move(spec), std::as_bytes(std::span(list->values))));
    return tensor_param(param.name, constant);
  }
  if (const auto* number = std::get_if<std::uint32_t>(&param.value))
    return scalar_param(param.name, *number);
  if (const auto* real = std::get_if<float>(&param.value)) return scalar_param(param.name, *real);
  return scalar_param(param.name, std::get<bool>(param.value));
}

std::vector<std::byte> make_binary(const Backend<Htp>& backend, const digits::Segment& segment) {
  auto context = value_or_throw(Context<Composing>::create(backend, {.name = segment.name}));
  auto graph = value_or_throw(Graph<Composing>::create(context, segment.name));

  std::vector<GraphTensor> tensors;
  for (const digits::TensorSpec& tensor : segment.tensors) {
    TensorSpec spec{.name = tensor.name, .kind = kind_of(tensor.kind), .dimensions = tensor.dims};
    tensors.push_back(value_or_throw(
        tensor.kind == digits::Kind::static_
            ? graph.add_static(std::move(spec), std::as_bytes(tensor.data))
            : graph.add_tensor(std::move(spec))));
  }
  for (const digits::Layer& layer : segment.layers) {
    NodeSpec node{.name = layer.name, .type = digits::type_name(layer.op)};
    for (const std::size_t index : layer.inputs) node.inputs.push_back(tensors[index]);
    for (const std::size_t index : layer.outputs) node.outputs.push_back(tensors[index]);
    for (const digits::Param& param : layer.params)
      node.params.push_back(node_param(graph, layer, param));
    value_or_throw(graph.add_node(node));
  }

  value_or_throw(std::move(graph).finalize());
  return value_or_throw(
      std::move(context).finalize().and_then([](const auto& done) { return done.serialize(); }));
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error(path + ": the file cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Makes a context binary of each segment of the digits network");
  std::string backend_path = "libQnnHtp.so";
  std::string data = QNNPP_DIGITS_DATA;
  std::string output = ".";
  app.add_option("--backend", backend_path, "libQnnHtp.so to prepare with")->take_last();
  app.add_option("--data", data, "folder with weights.bin")->take_last();
  app.add_option("--output", output, "folder for the binaries")->take_last();
  CLI11_PARSE(app, argc, argv);

  try {
    std::string error;
    const auto weights = digits::load_weights(data + "/weights.bin", error);
    if (!weights) throw std::runtime_error(error);
    const auto backend = value_or_throw(Backend<Htp>::load({.library = backend_path}));
    std::filesystem::create_directories(output);
    for (const digits::Segment& segment : digits::make_segments(*weights)) {
      const auto binary = make_binary(backend, segment);
      const std::string path = output + "/" + segment.name + ".bin";
      write_file(path, binary);
      fmt::print("{}: {} tensors, {} operations, {} bytes\n", path, segment.tensors.size(),
                 segment.layers.size(), binary.size());
    }
  } catch (const std::exception& exception) {
    fmt::print(stderr, "make_binaries: {}\n", exception.what());
    return 1;
  }
}
