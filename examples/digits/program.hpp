// The frame of the example programs: the command line that they share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "../tool/program.hpp"
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

inline void add_options(CLI::App& app, Arguments& arguments,
                        const std::string& folder = "folder that make_binaries wrote to") {
  app.add_option("--backend", arguments.backend, "libQnnHtp.so")->take_last();
  app.add_option("--rpcmem", arguments.rpcmem, "libcdsprpc.so")->take_last();
  app.add_option("--folder", arguments.folder, folder)->take_last();
  app.add_option("--data", arguments.data, "folder with weights.bin and images.bin")->take_last();
  app.add_flag("--counters", arguments.counters, "print what the simulated libraries still hold");
}

/// As tool::run(). --counters prints what is left even if `body` throws.
template <class Body>
[[nodiscard]] int run_and_count(CLI::App& app, int argc, char** argv, const Arguments& arguments,
                                Body&& body) {
  return tool::run(app, argc, argv, [&] {
    const int status = tool::attempt(app.get_name(), body);
    if (arguments.counters) print_left(arguments.backend, arguments.rpcmem);
    return status;
  });
}

/// A whole program: reads the command line, and runs `body` with what it says.
template <class Body>
[[nodiscard]] int run_program(int argc, char** argv, const std::string& name,
                              const std::string& description, Body&& body) {
  CLI::App app(description, name);
  Arguments arguments;
  add_options(app, arguments);
  return run_and_count(app, argc, argv, arguments, [&] {
    body(arguments);
    return 0;
  });
}

}  // namespace digits
