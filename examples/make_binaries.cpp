// The offline generator: makes one context binary for each segment of the digits network.
//
//   make_binaries --backend libQnnHtp.so --data examples/digits/data --output FOLDER
//
// Composes each context online (tensors, nodes, finalize) and serialises it. With Qualcomm's x86-64
// libQnnHtp.so, the same program prepares binaries for a real device; --soc-model names its chip.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "digits/compose.hpp"
#include "digits/files.hpp"
#include "digits/network.hpp"
#include "tool/program.hpp"

namespace {

using namespace qnnpp;

struct Options {
  std::string backend = "libQnnHtp.so";
  std::string data = QNNPP_DIGITS_DATA;
  std::string output = ".";
  std::string io = "raw";
  std::optional<std::uint32_t> soc_model = {};
};

void run(const Options& options) {
  std::string error;
  const auto weights = digits::load_weights(options.data + "/weights.bin", error);
  if (!weights) throw std::runtime_error(error);
  const auto backend = value_or_throw(
      Backend<Htp>::load({.library = options.backend, .device = {.soc_model = options.soc_model}}));
  const auto make =
      options.io == "memhandle" ? digits::make_binary<RegisteredIo> : digits::make_binary<RawIo>;
  std::filesystem::create_directories(options.output);
  for (const digits::Segment& segment : digits::make_segments(*weights)) {
    const auto binary = make(backend, segment);
    const std::string path = options.output + "/" + segment.name + ".bin";
    tool::write(path, binary);
    fmt::print("{}: {} tensors, {} operations, {} bytes\n", escaped(path), segment.tensors.size(),
               segment.layers.size(), binary.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Makes a context binary of each segment of the digits network", "make_binaries");
  Options options;
  app.add_option("--backend", options.backend, "libQnnHtp.so that prepares the binaries")
      ->take_last();
  app.add_option("--data", options.data, "folder with weights.bin")->take_last();
  app.add_option("--output", options.output, "folder for the binaries")->take_last();
  app.add_option("--input_output_tensor_mem_type", options.io,
                 "memory of inputs and outputs: raw, copied at every inference, or memhandle, "
                 "registered and used in place")
      ->check(CLI::IsMember({"raw", "memhandle"}))
      ->take_last();
  app.add_option("--soc-model", options.soc_model,
                 "chip to prepare for, as QNN's number of it: 43 is SM8550, 69 is SM8750; default: "
                 "the library's")
      ->take_last();
  return tool::run(app, argc, argv, [&] {
    run(options);
    return 0;
  });
}
