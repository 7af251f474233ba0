// The common command line of the example programs.
#pragma once

#include <exception>
#include <string>

#include <CLI/CLI.hpp>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "../tool/program.hpp"
#include "simulated.hpp"

namespace digits {

/// Arguments of a program.
struct Arguments {
  std::string backend = "libQnnHtp.so";
  std::string rpcmem = "libcdsprpc.so";
  std::string folder = ".";
  std::string data = QNNPP_DIGITS_DATA;
  bool counters = false;
};

inline void add_options(CLI::App& app, Arguments& arguments,
                        const std::string& folder = "folder with the binaries of make_binaries") {
  app.add_option("--backend", arguments.backend, "libQnnHtp.so")->take_last();
  app.add_option("--rpcmem", arguments.rpcmem, "libcdsprpc.so")->take_last();
  app.add_option("--folder", arguments.folder, folder)->take_last();
  app.add_option("--data", arguments.data, "folder with weights.bin and images.bin")->take_last();
  app.add_flag("--counters", arguments.counters,
               "print at the end the objects and bytes that are left in the simulated libraries");
}

/// Opens rpcmem, or with `--rpcmem memfd` memory of this machine, for a library that emulates the
/// HTP. Throws qnnpp::Exception.
[[nodiscard]] inline qnnpp::AnyAllocator open_memory(const Arguments& arguments) {
  if (arguments.rpcmem == "memfd") return qnnpp::MemfdAllocator();
  return qnnpp::value_or_throw(qnnpp::RpcmemAllocator::load(arguments.rpcmem));
}

/// Does the same as tool::run(). --counters prints the counters even if `body` throws.
template <class Body>
[[nodiscard]] int run_and_count(CLI::App& app, int argc, char** argv, const Arguments& arguments,
                                Body&& body) {
  return tool::run(app, argc, argv, [&] {
    int status = 1;
    std::exception_ptr failure;
    try {
      status = body();
    } catch (...) {
      failure = std::current_exception();
    }
    if (arguments.counters) print_left(arguments.backend, arguments.rpcmem);
    if (failure) std::rethrow_exception(failure);
    return status;
  });
}

/// Runs a whole program: reads the command line and calls `body` with the arguments.
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
