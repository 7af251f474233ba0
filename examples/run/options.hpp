// Command line of qnnpp-run.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "qnnpp/abi/log.hpp"
#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/report/detail/read_decimal.hpp"
#include "qnnpp/throw.hpp"

#include "../tool/binaries.hpp"
#include "../tool/program.hpp"
#include "compare.hpp"
#include "memory.hpp"
#include "runnable.hpp"
#include "same_file.hpp"

namespace run {

struct Options {
  std::vector<std::string> binaries;  // names of opened.sources() after finish_options()
  tool::Binaries opened;
  std::string manifest;  // a file; empty: the binaries are not compared
  std::string backend = "libQnnHtp.so";
  std::string system;  // empty: libQnnSystem.so beside the backend
  std::string rpcmem = "libcdsprpc.so";
  std::string heap = "/dev/dma_heap/system";
  std::optional<MemoryKind> memory;  // empty: what the backend needs
  std::optional<IoKind> io;          // empty: what the backend has
  qnnpp::model::SpillFillSharing sharing = qnnpp::model::SpillFillSharing::automatic;
  bool weights_in_qnn = false;
  bool share_without_dlbc = false;
  bool one_graph_at_a_time = false;
  /// Most resident contexts of a Residency, 0: no limit. Empty: loads all contexts at once.
  std::optional<std::size_t> residency;

  std::vector<std::string> graphs;    // empty: all
  std::vector<std::string> pipeline;  // empty: no pipeline
  std::vector<std::string> inputs;    // TENSOR=FILE
  std::vector<std::string> expected;  // TENSOR=FILE
  std::uint64_t seed = 0;
  Criterion criterion;
  std::uint64_t repeat = 1;
  std::uint64_t warmup = 0;
  std::optional<double> timeout_s;  // of each execution; empty: no limit

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
  std::string memory;
  std::string io;
  std::string sharing = "automatic";
  std::string tolerance;
  std::string timeout;
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
    {"extreme_power_saver", qnnpp::PerformanceMode::extreme_power_saver},
    {"llm_decode_burst", qnnpp::PerformanceMode::llm_decode_burst},
    {"llm_decode_sustained_high_performance",
     qnnpp::PerformanceMode::llm_decode_sustained_high_performance},
    {"llm_decode_high_performance", qnnpp::PerformanceMode::llm_decode_high_performance},
    {"llm_decode_balanced", qnnpp::PerformanceMode::llm_decode_balanced},
    {"llm_decode_low_balanced", qnnpp::PerformanceMode::llm_decode_low_balanced},
    {"llm_decode_high_power_saver", qnnpp::PerformanceMode::llm_decode_high_power_saver},
    {"llm_decode_power_saver", qnnpp::PerformanceMode::llm_decode_power_saver},
    {"llm_decode_low_power_saver", qnnpp::PerformanceMode::llm_decode_low_power_saver},
    {"llm_decode_extreme_power_saver", qnnpp::PerformanceMode::llm_decode_extreme_power_saver}};
inline const std::map<std::string, qnnpp::ProfileLevel> profiles{
    {"basic", qnnpp::ProfileLevel::basic},
    {"detailed", qnnpp::ProfileLevel::detailed},
    {"optrace", qnnpp::ProfileLevel::op_trace},
    {"linting", qnnpp::ProfileLevel::linting}};
inline const std::map<std::string, qnnpp::c_api::LogLevel> log_levels{
    {"error", qnnpp::c_api::LogLevel::error},
    {"warn", qnnpp::c_api::LogLevel::warn},
    {"info", qnnpp::c_api::LogLevel::info},
    {"verbose", qnnpp::c_api::LogLevel::verbose},
    {"debug", qnnpp::c_api::LogLevel::debug}};

/// Reads "ABSOLUTE" or "ABSOLUTE,RELATIVE". Empty if the text is another one.
[[nodiscard]] inline std::optional<Criterion::Tolerance> tolerance_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  const auto absolute = qnnpp::detail::read_decimal<double>(text.substr(0, comma));
  const auto relative = comma == text.npos
                            ? std::optional(0.0)
                            : qnnpp::detail::read_decimal<double>(text.substr(comma + 1));
  if (!absolute || !relative || *absolute < 0 || *relative < 0) return std::nullopt;
  return Criterion::Tolerance{.absolute = *absolute, .relative = *relative};
}

/// Reads a time in seconds that is more than 0. Empty if the text is another one.
[[nodiscard]] inline std::optional<double> seconds_of(const std::string& text) {
  const auto seconds = qnnpp::detail::read_decimal<double>(text);
  return seconds && *seconds > 0 ? seconds : std::nullopt;
}

}  // namespace detail

/// Exit codes besides 0, and 128 + signal after a signal.
struct ExitCode {
  static constexpr int failed = 1;    ///< An error of a file, a library or the device.
  static constexpr int usage = 2;     ///< The command line is wrong.
  static constexpr int mismatch = 3;  ///< An output is not the expected one.
  static constexpr int late = 124;    ///< An execution has reached --timeout, as for timeout(1).
};

/// Returns the exit code of an exception that ends the program.
[[nodiscard]] inline int exit_code_of(const std::exception& exception) {
  if (dynamic_cast<const tool::UsageError*>(&exception) != nullptr) return ExitCode::usage;
  const auto* const failed = dynamic_cast<const qnnpp::Exception*>(&exception);
  const bool is_late = failed != nullptr && failed->error().kind == qnnpp::Errc::timed_out;
  return is_late ? ExitCode::late : ExitCode::failed;
}

inline void add_options(CLI::App& app, Options& options, OptionTexts& texts) {
  app.add_option("binaries", options.binaries,
                 "context binaries, or ONNX files with or beside which ONNX Runtime wrote them")
      ->required();
  app.add_option("--manifest", options.manifest,
                 "load the binaries only if they are those of this manifest, by size and digest")
      ->take_last()
      ->check(tool::not_empty());
  app.add_option("--backend", options.backend, "libQnnHtp.so; default: where the loader finds it")
      ->take_last();
  app.add_option("--system", options.system, "libQnnSystem.so; default: beside the backend")
      ->take_last();
  app.add_option("--rpcmem", options.rpcmem,
                 "libcdsprpc.so, for --memory rpcmem; default: where the loader finds it")
      ->take_last();
  app.add_option("--memory", texts.memory,
                 "allocator of all buffers; default: rpcmem where buffers are needed")
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
  app.add_option(
         "--io", texts.io,
         "memory of inputs and outputs; default: registered, if the backend registers memory")
      ->take_last()
      ->check(CLI::IsMember(&detail::ios));

  auto* graphs =
      app.add_option(
             "--graph", options.graphs,
             "GRAPH or BINARY:GRAPH, by name or index: execute this graph; repeatable; default: "
             "each graph alone")
          ->allow_extra_args(false);
  auto* one_graph = app.add_flag("--one-graph-at-a-time", options.one_graph_at_a_time,
                                 "process domains count the inputs and outputs of one graph");
  app.add_option("--pipeline", options.pipeline, "execute these graphs as one: a,b,c")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->excludes(graphs)
      ->excludes(one_graph)
      ->excludes(texts.residency_option);
  app.add_option("--input", options.inputs,
                 "TENSOR=FILE or GRAPH/TENSOR=FILE: data of an input, .npy or raw; default: noise; "
                 "repeatable")
      ->allow_extra_args(false);
  app.add_option("--seed", options.seed, "seed of the noise; default: 0")
      ->take_last()
      ->check(tool::whole_number(0, UINT64_MAX));
  app.add_option("--output", options.output, "write each output to this folder, as .npy and .raw")
      ->take_last()
      ->check(tool::not_empty());
  app.add_option("--expect", options.expected,
                 "TENSOR=FILE or GRAPH/TENSOR=FILE: compare an output with this file; repeatable")
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
  app.add_option("--timeout", texts.timeout,
                 "SECONDS that each execution may last, such as 0.5; default: no limit")
      ->take_last()
      ->check(CLI::Validator(
          [](std::string& text) {
            return detail::seconds_of(text) ? std::string()
                                            : "'" + text + "' is no number of seconds above 0";
          },
          "SECONDS"));
  app.add_option("--power", texts.power, "vote for this performance until the program ends")
      ->take_last()
      ->check(CLI::IsMember(&detail::powers));
  app.add_option(
         "--profile", texts.profile,
         "profile the load without --residency, and one more execution of each graph after the "
         "measured ones")
      ->take_last()
      ->check(CLI::IsMember(&detail::profiles));
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
  tool::add_quiet(app, options.quiet, "print errors, mismatches and refused settings only");
  app.footer(
      "exit codes: 0: all was executed and matches; 1: an error of a file, a library or the "
      "device; 2: the command line is wrong; 3: an output is not the expected one; 124: an "
      "execution has reached --timeout; 128 + signal: ended by a signal (Ctrl-C: 130)");
}

/// Returns the files that the options name, except those of --output: those to read first.
[[nodiscard]] inline std::vector<NamedFile> read_files_of(const Options& options) {
  std::vector<NamedFile> files{{"--backend", options.backend}, {"--rpcmem", options.rpcmem}};
  if (!options.system.empty()) files.push_back({"--system", options.system});
  if (!options.manifest.empty()) files.push_back({"--manifest", options.manifest});
  for (const std::string& binary : options.binaries) files.push_back({"a binary", binary});
  for (const std::string& input : options.inputs)
    files.push_back({"--input", input.substr(input.find('=') + 1)});
  for (const std::string& expected : options.expected)
    files.push_back({"--expect", expected.substr(expected.find('=') + 1)});
  return files;
}

/// Returns the files to write that the options name, except those of --output.
[[nodiscard]] inline std::vector<NamedFile> written_files_of(const Options& options) {
  std::vector<NamedFile> files;
  const auto add = [&](const char* option, const std::string& path) {
    if (!path.empty()) files.push_back({option, path});
  };
  add("--json", options.json == "-" ? "/dev/stdout" : options.json);
  add("--trace", options.trace);
  add("--sdk-profile", options.sdk_profile);
  add("--report", options.report);
  return files;
}

/// Returns all of these files.
[[nodiscard]] inline std::vector<NamedFile> all_files_of(const Options& options) {
  std::vector<NamedFile> files = read_files_of(options);
  for (NamedFile& file : written_files_of(options)) files.push_back(std::move(file));
  return files;
}

namespace detail {

/// Throws if a file cannot be written, or if it is another file of the command line, whose binaries
/// are `paths`. The SDK's file is a regular one, as ProfileFile demands.
inline void require_files(const Options& options, const std::vector<std::string>& paths) {
  std::vector<NamedFile> others = read_files_of(options);
  for (const std::string& path : paths) others.push_back({"a binary", path});
  for (const NamedFile& file : written_files_of(options)) {
    require_other(file.option, file.path, others);
    tool::require_writable(file.path);
    others.push_back(file);
  }
  const std::string& sdk = options.sdk_profile;
  if (std::filesystem::exists(sdk) && !std::filesystem::is_regular_file(sdk))
    throw std::runtime_error(
        fmt::format("--sdk-profile: {} cannot be written: not a regular file", sdk));
}

}  // namespace detail

/// Converts the texts and checks the files to write. Call it after the command line was parsed.
inline void finish_options(Options& options, const OptionTexts& texts) {
  if (!texts.memory.empty()) options.memory = detail::memories.at(texts.memory);
  if (!texts.io.empty()) options.io = detail::ios.at(texts.io);
  options.sharing = detail::sharings.at(texts.sharing);
  if (texts.residency_option->count() != 0) options.residency = texts.residency;
  if (!texts.power.empty()) options.power = detail::powers.at(texts.power);
  if (!texts.profile.empty())
    options.profile = detail::profiles.at(texts.profile);
  else if (!options.trace.empty() || !options.sdk_profile.empty())
    options.profile.emplace();
  if (!texts.log.empty()) options.log = detail::log_levels.at(texts.log);
  if (!texts.timeout.empty()) options.timeout_s = detail::seconds_of(texts.timeout);
  if (!texts.tolerance.empty())
    options.criterion.tolerance = detail::tolerance_of(texts.tolerance);
  else if (options.criterion.top_1)
    options.criterion.tolerance.reset();
  if (options.weights_in_qnn && (options.sharing == qnnpp::model::SpillFillSharing::none ||
                                 options.sharing == qnnpp::model::SpillFillSharing::context_group))
    throw tool::UsageError("--weights-in-qnn has no effect with --sharing " + texts.sharing +
                           ", which keeps all weights in QNN; leave it out");
  if (!options.pipeline.empty() && options.io == IoKind::raw)
    throw tool::UsageError("a pipeline needs registered memory; use --io registered");
  if (options.criterion.top_1 && options.expected.empty())
    throw tool::UsageError("--top-1 compares with --expect TENSOR=FILE, which is missing");
  if (!texts.tolerance.empty() && options.expected.empty())
    throw tool::UsageError("--tolerance compares with --expect TENSOR=FILE, which is missing");
  const std::vector<std::string> paths = std::exchange(options.binaries, {});
  options.opened = tool::Binaries(paths);
  for (const auto& source : options.opened.sources()) options.binaries.push_back(source.name);
  detail::require_files(options, paths);
}

}  // namespace run
