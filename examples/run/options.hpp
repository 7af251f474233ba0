// Command line of qnnpp-run.
#pragma once

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "qnnpp/abi/log.hpp"
#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/model/memory_report.hpp"

#include "../tool/program.hpp"
#include "compare.hpp"
#include "memory.hpp"
#include "runnable.hpp"

namespace run {

struct Options {
  std::vector<std::string> binaries;
  std::string backend = "libQnnHtp.so";
  std::string system;  // empty: libQnnSystem.so beside the backend
  std::string rpcmem = "libcdsprpc.so";
  std::string heap = "/dev/dma_heap/system";
  MemoryKind memory = MemoryKind::rpcmem;
  IoKind io = IoKind::registered;
  qnnpp::model::SpillFillSharing sharing = qnnpp::model::SpillFillSharing::automatic;
  bool weights_in_qnn = false;
  bool share_without_dlbc = false;
  /// Most resident contexts of a Residency, 0: no limit. Empty: loads all contexts at once.
  std::optional<std::size_t> residency;

  std::vector<std::string> graphs;    // empty: all
  std::vector<std::string> pipeline;  // empty: no pipeline
  std::vector<std::string> inputs;    // NAME=FILE
  std::vector<std::string> expected;  // NAME=FILE
  std::uint64_t seed = 0;
  Criterion criterion;
  std::uint64_t repeat = 1;
  std::uint64_t warmup = 0;

  std::optional<qnnpp::PerformanceMode> power;  // empty: no vote
  std::optional<qnnpp::ProfileLevel> profile;   // empty: no profile
  std::string trace;                            // a file
  std::string sdk_profile;                      // a file
  std::optional<qnnpp::c_api::LogLevel> log;    // empty: no log

  std::string output;  // a folder; empty: writes no outputs
  std::string report;  // a file
  std::string json;    // a file; "-": standard output
  bool quiet = false;

  /// Whether the tables are printed.
  [[nodiscard]] bool prints() const { return !quiet && json != "-"; }
};

/// Texts of the command line that are converted when it has been parsed.
struct OptionTexts {
  std::string memory = "rpcmem";
  std::string io = "registered";
  std::string sharing = "automatic";
  std::string tolerance;
  std::string power;
  std::string profile;
  std::string log;
  std::uint64_t residency = 0;
  CLI::Option* residency_option = nullptr;
};

namespace detail {

inline const std::map<std::string, MemoryKind> memories{{"rpcmem", MemoryKind::rpcmem},
                                                        {"dma-heap", MemoryKind::dma_heap},
                                                        {"memfd", MemoryKind::memfd}};
inline const std::map<std::string, IoKind> ios{{"registered", IoKind::registered},
                                               {"raw", IoKind::raw}};
inline const std::map<std::string, qnnpp::model::SpillFillSharing> sharings{
    {"automatic", qnnpp::model::SpillFillSharing::automatic},
    {"external_buffer", qnnpp::model::SpillFillSharing::external_buffer},
    {"context_group", qnnpp::model::SpillFillSharing::context_group},
    {"none", qnnpp::model::SpillFillSharing::none}};

inline const std::map<std::string, qnnpp::PerformanceMode> powers{
    {"burst", qnnpp::PerformanceMode::burst},
    {"sustained_high_performance", qnnpp::PerformanceMode::sustained_high_performance},
    {"high_performance", qnnpp::PerformanceMode::high_performance},
    {"balanced", qnnpp::PerformanceMode::balanced},
    {"low_balanced", qnnpp::PerformanceMode::low_balanced},
    {"high_power_saver", qnnpp::PerformanceMode::high_power_saver},
    {"power_saver", qnnpp::PerformanceMode::power_saver},
    {"low_power_saver", qnnpp::PerformanceMode::low_power_saver},
    {"extreme_power_saver", qnnpp::PerformanceMode::extreme_power_saver}};
inline const std::map<std::string, qnnpp::ProfileLevel> profile_levels{
    {"basic", qnnpp::ProfileLevel::basic},
    {"detailed", qnnpp::ProfileLevel::detailed},
    {"linting", qnnpp::ProfileLevel::linting}};
inline const std::map<std::string, qnnpp::c_api::LogLevel> log_levels{
    {"error", qnnpp::c_api::LogLevel::error},
    {"warn", qnnpp::c_api::LogLevel::warn},
    {"info", qnnpp::c_api::LogLevel::info},
    {"verbose", qnnpp::c_api::LogLevel::verbose},
    {"debug", qnnpp::c_api::LogLevel::debug}};

/// Reads "ABSOLUTE" or "ABSOLUTE,RELATIVE". Empty if the text is another one.
[[nodiscard]] inline std::optional<Criterion::Tolerance> tolerance_of(const std::string& text) {
  Criterion::Tolerance tolerance{.absolute = 0, .relative = 0};
  const char* const end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, tolerance.absolute);
  if (error == std::errc() && rest != end && *rest == ',') {
    const auto relative = std::from_chars(rest + 1, end, tolerance.relative);
    rest = relative.ptr;
    error = relative.ec;
  }
  const auto is_valid = [](double number) { return std::isfinite(number) && number >= 0; };
  if (error != std::errc() || rest != end || !is_valid(tolerance.absolute) ||
      !is_valid(tolerance.relative))
    return std::nullopt;
  return tolerance;
}

}  // namespace detail

inline void add_options(CLI::App& app, Options& options, OptionTexts& texts) {
  app.add_option("binaries", options.binaries, "context binaries")->required();
  app.add_option("--backend", options.backend, "libQnnHtp.so; default: where the loader finds it")
      ->take_last();
  app.add_option("--system", options.system, "libQnnSystem.so; default: beside the backend")
      ->take_last();
  app.add_option("--rpcmem", options.rpcmem,
                 "libcdsprpc.so, for --memory rpcmem; default: where the loader finds it")
      ->take_last();
  app.add_option("--memory", texts.memory, "allocator of all buffers; default: rpcmem")
      ->take_last()
      ->check(CLI::IsMember(&detail::memories));
  app.add_option("--heap", options.heap,
                 "the DMA-BUF heap, for --memory dma-heap; default: /dev/dma_heap/system")
      ->take_last();
  auto* sharing = app.add_option("--sharing", texts.sharing,
                                 "how contexts share spill-fill memory; default: automatic")
                      ->take_last()
                      ->check(CLI::IsMember(&detail::sharings));
  auto* weights = app.add_flag("--weights-in-qnn", options.weights_in_qnn,
                               "QNN keeps the weights of contexts that share an external buffer");
  app.add_flag("--share-without-dlbc", options.share_without_dlbc,
               "share spill-fill although graphs have DLBC, which the HTP then turns off");
  texts.residency_option =
      app.add_option("--residency", texts.residency,
                     "load and evict contexts by turns, at most this many at a time; 0: no limit")
          ->take_last()
          ->check(tool::whole_number(0, 65536))
          ->excludes(sharing)
          ->excludes(weights);
  app.add_option("--io", texts.io, "memory of inputs and outputs; default: registered")
      ->take_last()
      ->check(CLI::IsMember(&detail::ios));

  auto* graphs = app.add_option("--graph", options.graphs,
                                "execute this graph; repeatable; default: each graph alone")
                     ->allow_extra_args(false);
  app.add_option("--pipeline", options.pipeline, "execute these graphs as one: a,b,c")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->excludes(graphs)
      ->excludes(texts.residency_option);
  app.add_option("--input", options.inputs,
                 "NAME=FILE: data of an input, .npy or raw; default: noise; repeatable")
      ->allow_extra_args(false);
  app.add_option("--seed", options.seed, "seed of the noise; default: 0")
      ->take_last()
      ->check(tool::whole_number(0, UINT64_MAX));
  app.add_option("--output", options.output, "write each output to this folder, as .npy and .raw")
      ->take_last()
      ->check(tool::not_empty());
  app.add_option("--expect", options.expected,
                 "NAME=FILE: compare an output with this file; repeatable")
      ->allow_extra_args(false);
  app.add_option("--tolerance", texts.tolerance,
                 "ABSOLUTE[,RELATIVE] of --expect; default: 0.001,0.001")
      ->take_last()
      ->check(CLI::Validator(
          [](std::string& text) {
            return detail::tolerance_of(text) ? std::string()
                                              : "'" + text + "' is not ABSOLUTE[,RELATIVE]";
          },
          "ABSOLUTE[,RELATIVE]"));
  app.add_flag("--top-1", options.criterion.top_1,
               "--expect compares the place of each row's largest number; also the numbers if "
               "--tolerance is given");

  app.add_option("--repeat", options.repeat, "measured executions of each graph; default: 1")
      ->take_last()
      ->check(tool::whole_number(1, 1'000'000'000));
  app.add_option("--warmup", options.warmup, "executions before the measured ones; default: 0")
      ->take_last()
      ->check(tool::whole_number(0, 1'000'000'000));
  app.add_option("--power", texts.power, "vote for this performance until the program ends")
      ->take_last()
      ->check(CLI::IsMember(&detail::powers));
  app.add_option(
         "--profile", texts.profile,
         "profile the load without --residency, and one more execution of each graph after the "
         "measured ones")
      ->take_last()
      ->check(CLI::IsMember(&detail::profile_levels));
  app.add_option(
         "--trace", options.trace,
         "write the load, the profiled executions and the memory to this file, for Perfetto")
      ->take_last()
      ->check(tool::not_empty());
  app.add_option("--sdk-profile", options.sdk_profile,
                 "write the profile to this file, for the profile viewer of the SDK")
      ->take_last()
      ->check(tool::not_empty());
  app.add_option("--log", texts.log, "write the backend's log to stderr, up to this level")
      ->take_last()
      ->check(CLI::IsMember(&detail::log_levels));
  app.add_option("--report", options.report, "write the memory report to this file as JSON")
      ->take_last()
      ->check(tool::not_empty())
      ->excludes(texts.residency_option);
  app.add_option("--json", options.json,
                 "write everything measured to this file as JSON; -: standard output, no tables")
      ->take_last()
      ->check(tool::not_empty());
  app.add_flag("--quiet", options.quiet, "print errors and mismatches only");
}

namespace detail {

/// The options that name a file to write.
[[nodiscard]] inline std::array<std::pair<const char*, std::string>, 4> files_of(
    const Options& options) {
  return {{{"--json", options.json == "-" ? "" : options.json},
           {"--trace", options.trace},
           {"--sdk-profile", options.sdk_profile},
           {"--report", options.report}}};
}

/// Throws if a file cannot be written, or if two options name the same one. The SDK's file is a
/// regular one, as ProfileFile demands.
inline void require_files(const Options& options) {
  const auto normal = [](const std::string& path) {
    return std::filesystem::path(path).lexically_normal();
  };
  const auto files = files_of(options);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].second.empty()) continue;
    for (std::size_t j = 0; j < i; ++j)
      if (normal(files[i].second) == normal(files[j].second) && files[i].second != "/dev/null")
        throw std::runtime_error(fmt::format("{} and {} name one file, {}; name two",
                                             files[j].first, files[i].first, files[i].second));
    tool::require_writable(files[i].second);
  }
  const std::string& sdk = options.sdk_profile;
  if (std::filesystem::exists(sdk) && !std::filesystem::is_regular_file(sdk))
    throw std::runtime_error(
        fmt::format("--sdk-profile: {} cannot be written: not a regular file", sdk));
}

}  // namespace detail

/// Converts the texts and checks the files to write. Call it after the command line was parsed.
inline void finish_options(Options& options, const OptionTexts& texts) {
  options.memory = detail::memories.at(texts.memory);
  options.io = detail::ios.at(texts.io);
  options.sharing = detail::sharings.at(texts.sharing);
  if (texts.residency_option->count() != 0) options.residency = texts.residency;
  if (!texts.power.empty()) options.power = detail::powers.at(texts.power);
  if (!texts.profile.empty())
    options.profile = detail::profile_levels.at(texts.profile);
  else if (!options.trace.empty() || !options.sdk_profile.empty())
    options.profile = qnnpp::ProfileLevel::basic;
  if (!texts.log.empty()) options.log = detail::log_levels.at(texts.log);
  if (!texts.tolerance.empty())
    options.criterion.tolerance = detail::tolerance_of(texts.tolerance);
  else if (options.criterion.top_1)
    options.criterion.tolerance.reset();
  if (!options.pipeline.empty() && options.io == IoKind::raw)
    throw std::runtime_error("a pipeline needs registered memory; use --io registered");
  if (options.criterion.top_1 && options.expected.empty())
    throw std::runtime_error("--top-1 compares with --expect NAME=FILE, which is missing");
  if (!texts.tolerance.empty() && options.expected.empty())
    throw std::runtime_error("--tolerance compares with --expect NAME=FILE, which is missing");
  detail::require_files(options);
}

}  // namespace run
