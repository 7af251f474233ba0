// Reports the memory that context binaries need, before anything is loaded, for each way of sharing
// spill-fill memory. Reports which contexts fit a process domain together. Writes manifests.
//
//   qnnpp-plan --backend libQnnHtp.so BINARY... [--write-manifest FILE] [--json FILE] [--svg FILE]
//   qnnpp-plan --system libQnnSystem.so BINARY... [the same]
//   qnnpp-plan --manifest FILE [--json FILE] [--svg FILE]
//
// With a system library alone, sizes come from the binaries' metadata, and no device is needed.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "qnnpp/abi/soc_model.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/domain_plan.hpp"
#include "qnnpp/report/format.hpp"
#include "qnnpp/report/json.hpp"
#include "qnnpp/report/manifest.hpp"
#include "qnnpp/throw.hpp"

#include "plan/memory_map.hpp"
#include "tool/binaries.hpp"
#include "tool/output_to_stderr.hpp"
#include "tool/program.hpp"
#include "tool/progress.hpp"

namespace {

using namespace qnnpp;
using model::Manifest;
using model::SpillFillSharing;

/// Upper limit of --pd-budget and --graph-allowance: 1 TiB.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

struct Options {
  std::string backend;  // empty: uses no backend
  std::string system;   // empty: libQnnSystem.so beside the backend
  std::vector<std::string> binaries;
  std::string manifest;
  std::string write_manifest;
  std::string json;
  std::string svg;
  SpillFillSharing sharing = SpillFillSharing::automatic;
  std::uint64_t pd_budget_bytes = model::process_domain_bytes;
  std::uint64_t allowance_bytes = model::graph_allowance_bytes;
  std::size_t pd_count = model::process_domains.size();
  bool whole_digests = false;
  bool without_tensors = false;
  bool share_without_dlbc = false;
  bool quiet = false;
};

/// Needs and targets of the binaries, known before anything is loaded.
struct Planned {
  Manifest manifest;
  /// Metadata of each binary; empty without a system library.
  std::vector<std::optional<ContextSpec>> specs;
  std::optional<DeviceInfo> device;
  /// Why the backend's library does not load some of the binaries.
  std::vector<std::string> refusals;
  bool defers = true;
  /// Whether the backend takes a limit of inputs and outputs of each context, and of a list.
  bool takes_io_limit = true;
  bool takes_io_limit_of_list = true;
  /// Files that are no context binaries, and why.
  std::string left_out;
  /// Whether the backend is Qualcomm's library for x86-64, which executes binaries of every chip.
  bool is_emulation = false;
  std::string reason = "planned, nothing is loaded";
};

/// Returns a file's name for the manifest: relative to the folder of the manifest.
std::string name_in_manifest(const std::string& path, const Options& options) {
  namespace fs = std::filesystem;
  if (options.write_manifest.empty()) return path;
  const fs::path target = fs::absolute(options.write_manifest).lexically_normal();
  const fs::path binary = fs::absolute(path).lexically_normal();
  return binary.lexically_relative(target.parent_path()).generic_string();
}

std::string system_library(const Options& options) {
  if (!options.system.empty()) return options.system;
  return options.backend.substr(0, options.backend.rfind('/') + 1) + "libQnnSystem.so";
}

/// Queries the needs of the binaries from the backend, or from the system library alone.
Planned survey(const Options& options) {
  Planned planned;
  const auto kind = options.whole_digests ? model::DigestKind::whole : model::DigestKind::sampled;
  const tool::Binaries binaries(options.binaries);
  const auto entry = [&](const auto& asked, const model::BinarySource& source) {
    if (!source.is_file() && !options.write_manifest.empty())
      throw std::runtime_error(source.name +
                               ": a manifest lists files, this binary is a part of one; make it "
                               "with ep.context_embed_mode=0");
    return model::manifest_entry(asked, source, name_in_manifest(source.name, options), kind);
  };
  auto& entries = planned.manifest.entries;
  std::vector<const model::BinarySource*> sources;
  // Plans the others if a file is no context binary. A manifest lists all or none.
  const auto add = [&](Result<model::Survey> asked, const model::BinarySource& source) {
    const bool is_last = &source == &binaries.sources().back();
    if (!asked && asked.error().kind == Errc::qnn && options.write_manifest.empty() &&
        !(is_last && entries.empty())) {
      planned.left_out += "left out: " + asked.error().message() + '\n';
      return;
    }
    entries.push_back(value_or_throw(std::move(asked)));
    sources.push_back(&source);
  };
  tool::ProgressLine progress(options.quiet);
  const auto draw = [&](const std::string& path) {
    const std::size_t count = binaries.sources().size();
    progress.draw(entries.size(), count,
                  fmt::format("{} of {}, reading: {}", entries.size() + 1, count,
                              path.substr(path.rfind('/') + 1)));
  };
  const auto system = System::load(system_library(options));
  if (options.backend.empty()) {
    if (!system) throw std::runtime_error(system.error().message());
    for (const model::BinarySource& source : binaries.sources()) {
      draw(source.name);
      add(entry(*system, source), source);
    }
    planned.reason = "planned from metadata alone, no backend was asked";
  } else {
    const auto backend = value_or_throw(
        Backend<Htp>::load({.library = options.backend, .system_library = options.system}));
    planned.device = backend.chip();
    planned.defers = model::can_defer(backend);
    planned.is_emulation = backend.is_emulation();
    planned.takes_io_limit = model::takes_io_limit(backend, false);
    planned.takes_io_limit_of_list = model::takes_io_limit(backend, true);
    for (const model::BinarySource& source : binaries.sources()) {
      draw(source.name);
      auto asked = entry(backend, source);
      // Plans a binary that this device or library does not accept too, and warns about it.
      if (!asked && asked.error().kind == Errc::version_unsupported && system) {
        planned.refusals.push_back(asked.error().message());
        asked = entry(*system, source);
      }
      if (!asked && asked.error().kind == Errc::wrong_architecture && system)
        asked = entry(*system, source);
      add(std::move(asked), source);
    }
  }
  for (const model::BinarySource* source : sources) {
    planned.specs.emplace_back();
    if (!system) continue;
    const auto binary = value_or_throw(source->open());
    planned.specs.back() = value_or_throw(system->metadata(binary.bytes(), source->name));
  }
  return planned;
}

/// Returns why a context shares no spill-fill memory: its first graph that was prepared with DLBC.
/// Empty if there is none.
std::string dlbc_of(const model::Survey& entry) {
  for (const GraphSpec& graph : entry.graphs)
    if (graph.preparation.dlbc.value_or(false))
      return fmt::format(
          "{}: graph '{}' was prepared with DLBC, which shared spill-fill memory turns off; "
          "--share-without-dlbc plans to share it",
          model::printable(entry.memory.name, 48), model::printable(graph.name, 48));
  return {};
}

/// Chooses the way in which load() shares spill-fill memory if it is not asked for one; adds to
/// `reason`.
SpillFillSharing automatic(const Planned& planned, std::string& reason) {
  if (planned.defers) return SpillFillSharing::external_buffer;
  const auto& entries = planned.manifest.entries;
  if (std::all_of(entries.begin(), entries.end(),
                  [](const auto& entry) { return entry.memory.spill_fill.value == 0u; })) {
    reason += "; no context spills";
    return SpillFillSharing::none;
  }
  reason += "; this backend cannot defer graphs, so it accepts no external buffers";
  if (!planned.is_emulation) return SpillFillSharing::context_group;
  reason += ", and it emulates the HTP without context groups";
  return SpillFillSharing::none;
}

/// Returns the numbers as reported, each with its source.
model::MemoryReport report_of(const Planned& planned, const Options& options) {
  SpillFillSharing sharing = options.sharing;
  std::string reason = planned.reason;
  const auto& entries = planned.manifest.entries;
  std::vector<bool> alone(entries.size(), false);
  for (std::size_t i = 0; i < entries.size() && !options.share_without_dlbc; ++i) {
    const std::string dlbc = dlbc_of(entries[i]);
    if (dlbc.empty()) continue;
    if (sharing != SpillFillSharing::automatic && sharing != SpillFillSharing::none)
      throw std::runtime_error(dlbc);
    alone[i] = true;
    reason += "; " + dlbc;
  }
  if (!alone.empty() && std::find(alone.begin(), alone.end(), false) == alone.end()) {
    sharing = SpillFillSharing::none;
  } else if (sharing == SpillFillSharing::automatic) {
    sharing = automatic(planned, reason);
  } else if (sharing == SpillFillSharing::external_buffer && !planned.defers) {
    throw std::runtime_error(options.backend +
                             ": external buffers need deferred graph initialisation (capability "
                             "217), which it lacks; plan with --sharing " +
                             (planned.is_emulation ? "none" : "context_group"));
  } else if (sharing == SpillFillSharing::context_group && planned.is_emulation) {
    throw std::runtime_error(options.backend +
                             ": it emulates the HTP without context groups; plan with --sharing "
                             "none");
  }
  auto report = planned.manifest.report(sharing, reason);
  report.takes_external_buffers = planned.defers;
  report.makes_groups = !planned.is_emulation;
  if (options.manifest.empty())
    for (std::size_t i = 0; i < planned.manifest.entries.size(); ++i)
      report.contexts[i] = planned.manifest.entries[i].memory;
  for (std::size_t i = 0; i < entries.size(); ++i) report.contexts[i].shares_spill_fill = !alone[i];
  return report;
}

/// Returns the SoC of a binary; nothing if its metadata says 0, for no particular SoC.
std::optional<std::uint32_t> particular(std::optional<std::uint32_t> soc_model) {
  return soc_model == static_cast<std::uint32_t>(c_api::SocModel::unknown) ? std::nullopt
                                                                           : soc_model;
}

/// Returns a line for each binary: its target, and the SDK that made it.
std::string targets_of(const Planned& planned) {
  std::string text;
  for (std::size_t i = 0; i < planned.specs.size(); ++i) {
    const auto& spec = planned.specs[i];
    const std::string name = model::printable(planned.manifest.entries[i].memory.name, 48);
    if (!spec) {
      text += name + ": its target is not known\n";
      continue;
    }
    fmt::format_to(
        std::back_inserter(text), "{}: for {}, {}; made by SDK {} (blob {}.{}.{})\n", name,
        spec->dsp_arch ? fmt::format("Hexagon v{}", *spec->dsp_arch) : "an unknown architecture",
        particular(spec->soc_model) ? fmt::format("SoC model {}", *spec->soc_model)
                                    : "no particular SoC",
        spec->build_id.empty() ? "unknown" : model::printable(spec->build_id, 32),
        spec->blob_version.major, spec->blob_version.minor, spec->blob_version.patch);
  }
  if (planned.is_emulation)
    text += "device: emulated, which executes the binaries of every chip\n";
  else if (planned.device)
    fmt::format_to(std::back_inserter(text), "device: Hexagon v{}, SoC model {}\n",
                   static_cast<std::uint32_t>(planned.device->arch), planned.device->soc_model);
  return text;
}

/// Returns a warning for each binary whose target is not the device, and for different targets
/// among the binaries.
std::string warnings_of(const Planned& planned) {
  std::string text;
  const auto warn = [&](const std::string& words) { text += "warning: " + words + "\n"; };
  for (const std::string& refusal : planned.refusals) warn(refusal + "; planned from its metadata");
  const auto compare = [&](auto number, const char* what, std::optional<std::uint32_t> of_device,
                           bool newer_is_refused) {
    std::optional<std::size_t> first;
    bool differ = false;
    for (std::size_t i = 0; i < planned.specs.size(); ++i) {
      const auto found = planned.specs[i] ? number(*planned.specs[i]) : std::nullopt;
      if (!found) continue;
      const std::string name = model::printable(planned.manifest.entries[i].memory.name, 48);
      if (of_device && *found != *of_device)
        warn(fmt::format("{} is for {}{}, the device is {}{}{}", name, what, *found, what,
                         *of_device,
                         newer_is_refused && *found > *of_device
                             ? ": it does not load; prepare it for this device"
                             : ": prepare it for this device to use all of it"));
      if (!first)
        first = i;
      else if (!differ && *found != *number(*planned.specs[*first])) {
        differ = true;
        warn(fmt::format("the binaries are for different targets: {} for {}{}, {} for {}{}",
                         model::printable(planned.manifest.entries[*first].memory.name, 48), what,
                         *number(*planned.specs[*first]), name, what, *found));
      }
    }
  };
  const auto device = [&](auto member) {
    return planned.device && !planned.is_emulation
               ? std::optional(static_cast<std::uint32_t>((*planned.device).*member))
               : std::nullopt;
  };
  compare([](const ContextSpec& spec) { return spec.dsp_arch; }, "Hexagon v",
          device(&DeviceInfo::arch), true);
  compare([](const ContextSpec& spec) { return particular(spec.soc_model); }, "SoC model ",
          particular(device(&DeviceInfo::soc_model)), false);
  return text;
}

/// Returns a line for each way: the memory for weights and spill-fill, which sharing saves, and the
/// room in process domains, which the I/O limit saves.
std::string ways_of(const Planned& planned, const model::MemoryReport& report,
                    const Options& options) {
  std::string text = "\nsharing saves memory, the I/O limit saves room:\n";
  const auto words_of = [](const model::ByteSum& sum) {
    if (!sum.exact && sum.bytes == 0) return std::string("unknown");
    return (sum.exact ? "" : "at least ") + human_bytes(sum.bytes);
  };
  const auto line = [&](const char* way, SpillFillSharing sharing, const model::MemoryReport& with,
                        const char* words = "") {
    const auto plan = model::plan_domains(with, options.pd_budget_bytes, options.allowance_bytes);
    model::ByteSum room;
    for (const model::ByteSum& estimate : plan.estimates) room.add(estimate.bytes);
    fmt::format_to(std::back_inserter(text), "{:<31} memory {:>18}  room {:>9}  domains {}{}\n",
                   way, words_of(report.total(sharing)), words_of(room),
                   plan.packing.size() + plan.too_large.size(), words);
  };
  using enum SpillFillSharing;
  line("separate buffers", none, report);
  if (report.makes_groups) line("one spill-fill buffer by group", context_group, report);
  if (report.takes_external_buffers) line("one external buffer", external_buffer, report);
  const auto limited = [&](const char* way, SpillFillSharing sharing, bool in_one_call,
                           bool takes) {
    const auto with = model::with_one_graph_at_a_time(report, in_one_call);
    const bool gains = std::any_of(with.contexts.begin(), with.contexts.end(),
                                   [](const auto& context) { return context.io_limit.value; });
    line(way, sharing, takes ? with : report,
         !takes   ? "  no gain on this version"
         : !gains ? "  no gain with these graphs"
                  : "");
  };
  limited("one_graph_at_a_time", report.sharing, false, planned.takes_io_limit);
  limited("one_graph_at_a_time in one call", none, true, planned.takes_io_limit_of_list);
  return text;
}

/// Returns a line that lists what is not known without a backend.
std::string unknown_of(const Options& options) {
  if (!options.manifest.empty() || !options.backend.empty()) return {};
  return "not known without a backend: start alignments; whether the backend accepts external "
         "buffers; whether the device accepts the binaries\n";
}

void run(const Options& options) {
  Planned planned;
  if (options.manifest.empty()) {
    const tool::OutputToStderr guard;  // While the backend lives.
    planned = survey(options);
  } else {
    planned.manifest = value_or_throw(model::read_manifest(options.manifest));
  }
  const Manifest& manifest = planned.manifest;
  const auto report = report_of(planned, options);
  const auto plan = model::plan_domains(report, options.pd_budget_bytes, options.allowance_bytes);
  const std::string targets =
      planned.left_out + targets_of(planned) + unknown_of(options) + warnings_of(planned);
  fmt::print("{}\n{}{}{}{}", report, targets, targets.empty() ? "" : "\n",
             model::to_text(plan, report, options.pd_count), ways_of(planned, report, options));
  if (!options.json.empty()) tool::write(options.json, model::to_json(report, plan));
  if (!options.svg.empty()) tool::write(options.svg, ::plan::to_svg(report, plan));
  if (!options.write_manifest.empty())
    value_or_throw(model::write_manifest(
        manifest, options.write_manifest,
        options.without_tensors ? model::ManifestTensors::none : model::ManifestTensors::all));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Reports the memory that context binaries need, before anything is loaded",
               "qnnpp-plan");
  Options options;
  std::string sharing;
  const std::map<std::string, SpillFillSharing> ways{
      {"external_buffer", SpillFillSharing::external_buffer},
      {"context_group", SpillFillSharing::context_group},
      {"none", SpillFillSharing::none}};
  auto* binaries = app.add_option(
      "binaries", options.binaries,
      "context binaries, or ONNX files with or beside which ONNX Runtime wrote them");
  app.add_option("--backend", options.backend, "libQnnHtp.so that reports the needs")->take_last();
  app.add_option("--system", options.system,
                 "libQnnSystem.so; without --backend, plan from the binaries' metadata alone")
      ->take_last();
  auto* read = app.add_option("--manifest", options.manifest,
                              "read the needs from this manifest, not from binaries")
                   ->take_last()
                   ->excludes(binaries);
  app.add_option("--write-manifest", options.write_manifest, "write a manifest to this file")
      ->take_last()
      ->excludes(read);
  app.add_option("--json", options.json, "write the report to this file as JSON")->take_last();
  app.add_option("--svg", options.svg, "write a memory map to this file")->take_last();
  app.add_option("--sharing", sharing, "the way of sharing spill-fill memory")
      ->take_last()
      ->check(CLI::IsMember(&ways));
  app.add_flag("--share-without-dlbc", options.share_without_dlbc,
               "share spill-fill memory although graphs were prepared with DLBC");
  app.add_option("--pd-budget", options.pd_budget_bytes, "bytes that fit a process domain")
      ->take_last()
      ->check(tool::whole_number(1, most_bytes));
  app.add_option("--graph-allowance", options.allowance_bytes,
                 "bytes for run list and VTCM of a graph whose binary does not state both")
      ->take_last()
      ->check(tool::whole_number(0, most_bytes));
  app.add_option("--pd-count", options.pd_count, "number of process domains that QNN uses")
      ->take_last()
      ->check(tool::whole_number(0, 1000));
  app.add_flag("--whole-digests", options.whole_digests,
               "compute the digest of the whole binary, not of samples");
  app.add_flag("--without-tensors", options.without_tensors,
               "leave inputs and outputs out of the manifest");
  tool::add_quiet(app, options.quiet);

  return tool::run(app, argc, argv, [&] {
    if (options.manifest.empty() && options.binaries.empty())
      throw std::runtime_error("name binaries, or a manifest with --manifest");
    if (options.backend.empty() && options.system.empty()) options.backend = "libQnnHtp.so";
    if (!sharing.empty()) options.sharing = ways.at(sharing);
    run(options);
    return 0;
  });
}
