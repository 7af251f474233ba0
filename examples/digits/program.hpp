// The frame of the example programs: their command line, and one line on stderr for an error.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "qnnpp/core/error.hpp"
#include "simulated.hpp"

namespace digits {

/// What a program is told.
struct Arguments {
  std::string backend = "libQnnHtp.so";
  std::string rpcmem = "libcdsprpc.so";
  std::string folder = ".";
  std::string data = QNNPP_DIGITS_DATA;
  bool counters = false;
};

inline void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--backend", arguments.backend, "libQnnHtp.so")->take_last();
  app.add_option("--rpcmem", arguments.rpcmem, "libcdsprpc.so")->take_last();
  app.add_option("--folder", arguments.folder, "folder that make_binaries wrote to")->take_last();
  app.add_option("--data", arguments.data, "folder with weights.bin and images.bin")->take_last();
  app.add_flag("--counters", arguments.counters, "print what the simulated libraries still hold");
}

/// Runs `body`, which throws where it fails: its error is one line. Returns the exit code.
template <class Body>
[[nodiscard]] int run_body(const std::string& name, const Arguments& arguments, Body&& body) {
  int status = 0;
  try {
    body();
  } catch (const std::exception& exception) {
    fmt::print(stderr, "{}: {}\n", name, qnnpp::escaped(exception.what()));
    status = 1;
  }
  if (arguments.counters) print_left(arguments.backend, arguments.rpcmem);
  return status;
}

/// A whole program: reads the command line, and runs `body` with what it says.
template <class Body>
[[nodiscard]] int run_program(int argc, char** argv, const std::string& name,
                              const std::string& description, Body&& body) {
  CLI::App app(description, name);
  Arguments arguments;
  add_options(app, arguments);
  CLI11_PARSE(app, argc, argv);
  return run_body(name, arguments, [&] { body(arguments); });
}

}  // namespace digits
