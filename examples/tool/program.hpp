// Common parts of the programs: their command line, one line on stderr for an error, and an exit
// code that reports whether all output was written.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>

#include "qnnpp/core/error.hpp"
#include "qnnpp/throw.hpp"

#include "files.hpp"

namespace tool {

/// An error of the command line itself, which shows before anything is opened.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Chooses the exit code of an exception.
using ExitCodeOf = int (*)(const std::exception&);
/// Returns 1, whatever the exception.
[[nodiscard]] inline int exit_code_1(const std::exception&) { return 1; }

/// Returns the exit code of `step`. Prints an exception as one line on stderr, without characters
/// that control a terminal, and returns `code_of` it.
template <class Step>
[[nodiscard]] int attempt(const std::string& name, Step&& step, ExitCodeOf code_of = exit_code_1) {
  try {
    return step();
  } catch (const std::exception& exception) {
    const std::string line = name + ": " + qnnpp::escaped(exception.what()) + "\n";
    std::fputs(line.c_str(), stderr);
    return code_of(exception);
  }
}

/// Flushes stdout. Throws if this or an earlier write failed.
inline void finish_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::runtime_error("standard output cannot be written");
}

/// Runs a whole program: reads the command line and returns the exit code of `body`. Prints an
/// error as one line on stderr and returns `code_of` it. With --verbose, a second line has what QNN
/// logged.
template <class Body>
[[nodiscard]] int run(CLI::App& app, int argc, char** argv, Body&& body,
                      ExitCodeOf code_of = exit_code_1) {
  bool is_verbose = false;
  app.add_flag("--verbose", is_verbose, "after an error, print all that QNN logged of it");
  std::string log;
  const int exit_code = attempt(
      app.get_name(),
      [&] {
        int status = 0;
        try {
          app.parse(argc, argv);
          status = body();
        } catch (const qnnpp::Exception& failed) {
          log = failed.error().log;
          throw;
        } catch (const CLI::Success& asked) {  // --help
          status = app.exit(asked);
        } catch (const CLI::ExtrasError& unknown) {
          throw UsageError(std::string(unknown.what()) + "; --help lists the options");
        } catch (const CLI::ParseError& wrong) {
          throw UsageError(wrong.what());
        }
        finish_output();
        return status;
      },
      code_of);
  if (is_verbose && !log.empty()) {
    const std::string line = app.get_name() + ": QNN logged: " + qnnpp::escaped(log) + "\n";
    std::fputs(line.c_str(), stderr);
  }
  return exit_code;
}

/// Adds --quiet, which also turns the line of progress off (progress.hpp).
inline void add_quiet(CLI::App& app, bool& quiet, const std::string& what = "draw no progress") {
  app.add_flag("--quiet", quiet, what);
}

/// Writes a file by write_file() in files.hpp. Throws an exception with the reason on failure.
inline void write(const std::string& path, std::span<const std::byte> bytes) {
  std::string error;
  if (!write_file(path, bytes, error)) throw std::runtime_error(error);
}
inline void write(const std::string& path, const std::string& text) {
  write(path, std::as_bytes(std::span(text)));
}

/// Throws an exception with the reason if write() is not expected to succeed.
inline void require_writable(const std::string& path) {
  std::string error;
  if (!can_write_file(path, error)) throw std::runtime_error(error);
}

/// Refuses an empty argument.
[[nodiscard]] inline CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& text) { return std::string(text.empty() ? "the name is empty" : ""); }, "");
}

/// Refuses an argument that is not a whole number in decimal from `first` to `last`.
[[nodiscard]] inline CLI::Validator whole_number(std::uint64_t first, std::uint64_t last) {
  const std::string range = fmt::format("a whole number from {} to {}", first, last);
  return CLI::Validator(
      [=](std::string& text) {
        std::uint64_t number = 0;
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, number);
        const bool fits = error == std::errc() && rest == end && number >= first && number <= last;
        return fits ? std::string() : "'" + text + "' is not " + range;
      },
      fmt::format("[{} - {}]", first, last));
}

}  // namespace tool
