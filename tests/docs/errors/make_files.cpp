// make_files BACKEND FOLDER: writes the files of the failing programs that make_binaries does not
// write: chat.bin, with the graphs "prefill" and "decode", and the first half of features.bin.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main(int argc, char** argv) try {
  using namespace qnnpp;
  if (argc != 3) throw std::runtime_error("usage: make_files BACKEND FOLDER");
  const std::filesystem::path folder = argv[2];

  const auto backend = value_or_throw(Backend<Htp>::load({.library = argv[1]}));
  auto context = value_or_throw(Context<Composing>::create(backend, {.name = "chat"}));
  using enum c_api::TensorType;
  for (const char* const name : {"prefill", "decode"}) {
    auto graph = value_or_throw(Graph<Composing, RegisteredIo>::create(context, name));
    const auto x =
        value_or_throw(graph.add_tensor({.name = "x", .kind = app_write, .dimensions = {1, 16}}));
    const auto y =
        value_or_throw(graph.add_tensor({.name = "y", .kind = app_read, .dimensions = {1, 16}}));
    value_or_throw(graph.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}}));
    value_or_throw(std::move(graph).finalize());
  }
  const auto binary = value_or_throw(value_or_throw(std::move(context).finalize()).serialize());
  std::ofstream file(folder / "chat.bin", std::ios::binary);
  file.write(reinterpret_cast<const char*>(binary.data()),
             static_cast<std::streamsize>(binary.size()));
  if (!file.flush()) throw std::runtime_error("chat.bin: cannot be written");

  const auto damaged = folder / "damaged_features.bin";
  std::filesystem::copy_file(folder / "features.bin", damaged,
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::resize_file(damaged, std::filesystem::file_size(damaged) / 2);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "make_files: %s\n", error.what());
  return 1;
}
