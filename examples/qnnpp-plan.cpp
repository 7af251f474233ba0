// Says what context binaries will take before anything is loaded, by each way of sharing spill-fill
// memory, and which of them fit a process domain together; writes manifests.
//
//   qnnpp-plan --backend libQnnHtp.so BINARY... [--write-manifest FILE] [--json FILE] [--svg FILE]
//   qnnpp-plan --manifest FILE [--json FILE] [--svg FILE]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "plan/memory_map.hpp"
#include "qnnpp/model/digest.hpp"
#include "qnnpp/model/domain_plan.hpp"
#include "qnnpp/model/format.hpp"
#include "qnnpp/model/json.hpp"
#include "qnnpp/model/manifest.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace {

using namespace qnnpp;
using model::Manifest;
using model::SpillFillSharing;

struct Options {
  std::string backend = "libQnnHtp.so";
  std::vector<std::string> binaries;
  std::string manifest;
  std::string write_manifest;
  std::string json;
  std::string svg;
  SpillFillSharing sharing = SpillFillSharing::external_buffer;
  std::uint64_t pd_budget_bytes = process_domain_bytes;
  std::uint64_t allowance_bytes = graph_allowance_bytes;
  std::size_t pd_count = 0;
  bool whole_digests = false;
  bool without_tensors = false;
};

/// Asks the backend and the binaries. File names are relative to where the manifest will be.
Manifest survey(const Options& options) {
  namespace fs = std::filesystem;
  const auto backend = value_or_throw(Backend<Htp>::load({.library = options.backend}));
  Manifest manifest;
  for (const std::string& path : options.binaries) {
    std::string name = path;
    if (!options.write_manifest.empty()) {
      const fs::path target = fs::absolute(options.write_manifest).lexically_normal();
      const fs::path binary = fs::absolute(path).lexically_normal();
      name = binary.lexically_relative(target.parent_path()).generic_string();
    }
    manifest.entries.push_back(value_or_throw(model::manifest_entry(
        backend, model::BinarySource::file(path), name,
        options.whole_digests ? model::DigestKind::whole : model::DigestKind::sampled)));
  }
  return manifest;
}

/// The numbers as they were told, each with its source.
model::MemoryReport report_of(const Manifest& manifest, const Options& options) {
  auto report = manifest.report(options.sharing, "planned, nothing is loaded");
  if (options.manifest.empty())
    for (std::size_t i = 0; i < manifest.entries.size(); ++i)
      report.contexts[i] = manifest.entries[i].memory;
  return report;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error(path + ": the file cannot be written");
}

void run(const Options& options) {
  const Manifest manifest = options.manifest.empty()
                                ? survey(options)
                                : value_or_throw(model::read_manifest(options.manifest));
  const auto report = report_of(manifest, options);
  const auto plan = model::plan_domains(report, options.pd_budget_bytes, options.allowance_bytes);
  fmt::print("{}\n{}", report, model::to_text(plan, report, options.pd_count));
  if (!options.json.empty()) write_file(options.json, model::to_json(report, plan));
  if (!options.svg.empty()) write_file(options.svg, ::plan::to_svg(report, plan));
  if (!options.write_manifest.empty())
    value_or_throw(model::write_manifest(
        manifest, options.write_manifest,
        options.without_tensors ? model::ManifestTensors::none : model::ManifestTensors::all));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Says what context binaries take, before anything is loaded");
  Options options;
  const std::map<std::string, SpillFillSharing> ways{
      {"external_buffer", SpillFillSharing::external_buffer},
      {"context_group", SpillFillSharing::context_group},
      {"none", SpillFillSharing::none}};
  auto* binaries = app.add_option("binaries", options.binaries, "context binaries");
  app.add_option("--backend", options.backend, "libQnnHtp.so to ask")->take_last();
  auto* read = app.add_option("--manifest", options.manifest, "read this instead of binaries")
                   ->take_last()
                   ->excludes(binaries);
  app.add_option("--write-manifest", options.write_manifest, "write the numbers to this file")
      ->take_last()
      ->excludes(read);
  app.add_option("--json", options.json, "write the report to this file as JSON")->take_last();
  app.add_option("--svg", options.svg, "write a memory map to this file")->take_last();
  app.add_option("--sharing", options.sharing, "how spill-fill memory is to be shared")
      ->take_last()
      ->transform(CLI::CheckedTransformer(ways));
  app.add_option("--pd-budget", options.pd_budget_bytes, "bytes that a process domain takes")
      ->take_last()
      ->check(CLI::PositiveNumber);
  app.add_option("--graph-allowance", options.allowance_bytes,
                 "bytes that each graph takes for its run list and VTCM")
      ->take_last();
  app.add_option("--pd-count", options.pd_count, "process domains of the device")->take_last();
  app.add_flag("--whole-digests", options.whole_digests, "digest all of each binary");
  app.add_flag("--without-tensors", options.without_tensors, "leave inputs and outputs out");

  try {
    app.parse(argc, argv);
    if (options.manifest.empty() && options.binaries.empty())
      throw std::runtime_error("name binaries, or a manifest with --manifest");
    run(options);
    return 0;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const std::exception& exception) {
    fmt::print(stderr, "qnnpp-plan: {}\n", exception.what());
    return 1;
  }
}
