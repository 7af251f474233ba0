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
#include <vector>

#include "digits/compose.hpp"
#include "digits/files.hpp"
#include "digits/network.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace {

using namespace qnnpp;

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error(path + ": the file cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Makes a context binary of each segment of the digits network", "make_binaries");
  std::string backend_path = "libQnnHtp.so";
  std::string data = QNNPP_DIGITS_DATA;
  std::string output = ".";
  std::string io = "raw";
  app.add_option("--backend", backend_path, "libQnnHtp.so to prepare with")->take_last();
  app.add_option("--data", data, "folder with weights.bin")->take_last();
  app.add_option("--output", output, "folder for the binaries")->take_last();
  app.add_option("--input_output_tensor_mem_type", io,
                 "memory of inputs and outputs: raw, copied at every inference, or memhandle, "
                 "registered and used in place")
      ->check(CLI::IsMember({"raw", "memhandle"}))
      ->take_last();
  CLI11_PARSE(app, argc, argv);

  try {
    std::string error;
    const auto weights = digits::load_weights(data + "/weights.bin", error);
    if (!weights) throw std::runtime_error(error);
    const auto backend = value_or_throw(Backend<Htp>::load({.library = backend_path}));
    const auto make =
        io == "memhandle" ? digits::make_binary<RegisteredIo> : digits::make_binary<RawIo>;
    std::filesystem::create_directories(output);
    for (const digits::Segment& segment : digits::make_segments(*weights)) {
      const auto binary = make(backend, segment);
      const std::string path = output + "/" + segment.name + ".bin";
      write_file(path, binary);
      fmt::print("{}: {} tensors, {} operations, {} bytes\n", path, segment.tensors.size(),
                 segment.layers.size(), binary.size());
    }
  } catch (const std::exception& exception) {
    fmt::print(stderr, "make_binaries: {}\n", qnnpp::escaped(exception.what()));
    return 1;
  }
  return 0;
}
