// Manifests and reports as JSON, by nlohmann-json; docs/memory-report.md has the schemas. No other
// header needs nlohmann-json: link qnnpp::json for it.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/model/detail/manifest_reader.hpp"
#include "qnnpp/model/digest.hpp"
#include "qnnpp/model/domain_plan.hpp"
#include "qnnpp/model/manifest.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// Whether inputs and outputs of graphs are written.
enum class ManifestTensors : bool { none, all };

namespace detail {

[[nodiscard]] inline Json json_of(const Bytes& bytes) {
  return {{"bytes", bytes.value ? Json(*bytes.value) : Json()}, {"source", name_of(bytes.source)}};
}
[[nodiscard]] inline Json json_of(const ByteSum& sum) {
  return {{"bytes", sum.bytes}, {"at_least", !sum.exact}};
}

[[nodiscard]] inline Json json_of(const std::vector<TensorSpec>& tensors) {
  Json array = Json::array();
  for (const TensorSpec& tensor : tensors) {
    const bool is_registered = tensor.mem_type == c_api::TensorMemType::memhandle;
    array.push_back({{"name", tensor.name},
                     {"data_type", qnnpp::name_of(tensor.data_type)},
                     {"dimensions", tensor.dimensions},
                     {"dynamic", tensor.dynamic},
                     {"memory", is_registered ? "memhandle" : "raw"}});
  }
  return array;
}

/// All but the seal.
[[nodiscard]] inline Json json_of(const Manifest& manifest) {
  const auto if_known = [](const Bytes& bytes) { return bytes.value ? json_of(bytes) : Json(); };
  Json json{{"schema", manifest_schema}};
  if (manifest.external_weights != ExternalWeights::untried)
    json["external_weights"] = qnnpp::name_of(manifest.external_weights);
  Json& binaries = json["binaries"] = Json::array();
  for (const ManifestEntry& entry : manifest.entries) {
    const ContextMemory& memory = entry.memory;
    Json graphs = Json::array();
    for (const GraphSpec& spec : entry.graphs) {
      Json& graph = graphs.emplace_back(Json{{"name", spec.name}});
      if (!spec.inputs.empty()) graph["inputs"] = json_of(spec.inputs);
      if (!spec.outputs.empty()) graph["outputs"] = json_of(spec.outputs);
    }
    binaries.push_back({{"file", memory.name},
                        {"bytes", memory.file_bytes},
                        {"digest", entry.digest ? Json(to_string(*entry.digest)) : Json()},
                        {"weights", if_known(memory.weights)},
                        {"spill_fill", if_known(memory.spill_fill)},
                        {"start_alignment", if_known(memory.start_alignment)},
                        {"io", if_known(memory.io)},
                        {"op_data", if_known(memory.op_data)},
                        {"graphs", std::move(graphs)}});
  }
  return json;
}

/// The digest of all that a manifest says, however its text is laid out.
[[nodiscard]] inline std::string seal_of(const Json& manifest) {
  const std::string text = json_text(manifest);
  return to_string(digest_of(std::as_bytes(std::span(text)), DigestKind::whole));
}

}  // namespace detail

/// The report and how its contexts fit process domains. Unknown bytes are null, and the sums that
/// lack them say "at_least": true.
[[nodiscard]] inline std::string to_json(const MemoryReport& report, const DomainPlan& plan) {
  using detail::Json, detail::json_of;
  Json contexts = Json::array();
  for (const ContextMemory& context : report.contexts)
    contexts.push_back({{"name", context.name},
                        {"file_bytes", context.file_bytes},
                        {"graphs", context.graphs},
                        {"weights", json_of(context.weights)},
                        {"spill_fill", json_of(context.spill_fill)},
                        {"start_alignment", json_of(context.start_alignment)},
                        {"io", json_of(context.io)},
                        {"op_data", json_of(context.op_data)},
                        {"pd_estimate", json_of(context.pd_estimate())}});
  const auto by_sharing = [](auto sum) -> Json {
    return {{"separate", json_of(sum(SpillFillSharing::none))},
            {"grouped", json_of(sum(SpillFillSharing::context_group))},
            {"shared", json_of(sum(SpillFillSharing::external_buffer))}};
  };
  Json totals{
      {"weights", json_of(report.sum_of(&ContextMemory::weights))},
      {"io", json_of(report.sum_of(&ContextMemory::io))},
      {"op_data", json_of(report.sum_of(&ContextMemory::op_data))},
      {"spill_fill", by_sharing([&](SpillFillSharing how) { return report.spill_fill(how); })},
      {"together", by_sharing([&](SpillFillSharing how) { return report.total(how); })},
      {"saved", json_of(report.saved())}};
  Json packing = Json::array(), estimates = Json::array(), cannot_share = Json::array();
  for (const PlannedDomain& domain : plan.packing)
    packing.push_back({{"bytes", domain.bytes}, {"contexts", domain.contexts}});
  // A row for a context, not for a pair: as long as the list of contexts.
  const std::vector<std::size_t> order = plan.by_estimate();
  for (std::size_t i = 0; i < plan.estimates.size(); ++i) {
    const std::uint64_t bytes = plan.estimates[i].bytes;
    estimates.push_back(bytes);
    if (!plan.can_share(i, i)) continue;
    if (const std::size_t others = plan.others_excluded(order, i); others != 0)
      cannot_share.push_back(
          {{"context", i}, {"others", others}, {"above", plan.budget_bytes - bytes}});
  }
  const Json json{{"schema", "qnnpp-memory-report-2"},
                  {"sharing", name_of(report.sharing)},
                  {"reason", report.reason},
                  {"external_weights", qnnpp::name_of(report.external_weights)},
                  {"contexts", std::move(contexts)},
                  {"totals", std::move(totals)},
                  {"process_domains",
                   {{"budget_bytes", plan.budget_bytes},
                    {"graph_allowance_bytes", plan.allowance_bytes},
                    {"exact", plan.exact()},
                    {"estimates", std::move(estimates)},
                    {"at_least", plan.at_least},
                    {"too_large", plan.too_large},
                    {"packing", std::move(packing)},
                    {"cannot_share", std::move(cannot_share)}}}};
  return detail::json_text(json, 2) + '\n';
}

/// The same for the default budget.
[[nodiscard]] inline std::string to_json(const MemoryReport& report) {
  return to_json(report, plan_domains(report));
}

/// A manifest as JSON text, sealed: an accidental change is noticed when it is read.
[[nodiscard]] inline std::string to_json(const Manifest& manifest) {
  detail::Json json = detail::json_of(manifest);
  json["seal"] = detail::seal_of(json);
  return detail::json_text(json, 2) + '\n';
}

/// Reads the text of a manifest. `name` is its name in errors: `malformed` with the line,
/// `too_large`. The folder is left empty.
[[nodiscard]] inline Result<Manifest> manifest_from_json(std::string_view text,
                                                         const std::string& name,
                                                         const ManifestLimits& limits = {}) {
  if (text.size() > limits.file_bytes) {
    Error error =
        Error::mismatch(Errc::too_large, "a manifest", name, limits.file_bytes, text.size());
    error.detail = detail::raise_file_bytes;
    return fail(std::move(error));
  }
  detail::ManifestReader reader(text, limits);
  std::string fault = reader.run();
  if (fault.empty() && !reader.seal.empty() &&
      reader.seal != detail::seal_of(detail::json_of(reader.manifest)))
    fault = "its seal is broken: it is not as it was written";
  if (fault.empty()) return std::move(reader.manifest);
  return fail(Error::make(Errc::malformed, "reading a manifest", name, std::move(fault)));
}

/// Reads a manifest's file; its file names start in the folder of that file. Errors:
/// `file_unreadable`, `too_large`, `malformed`; `invalid_argument` for a path that holds a NUL.
[[nodiscard]] inline Result<Manifest> read_manifest(const std::string& path,
                                                    const ManifestLimits& limits = {}) {
  auto bytes = qnnpp::detail::read_file(path, limits.file_bytes);
  if (!bytes) {
    bytes.error().step = "reading a manifest";
    if (bytes.error().kind == Errc::too_large) bytes.error().detail = detail::raise_file_bytes;
    return fail(std::move(bytes).error());
  }
  auto manifest = manifest_from_json({reinterpret_cast<const char*>(bytes->data()), bytes->size()},
                                     path, limits);
  if (manifest) manifest->folder = detail::folder_of(path);
  return manifest;
}

/// Writes a manifest to a file, all of it or nothing, and on the disk before it returns: see
/// detail::replace_file(), whose errors it returns. `invalid_argument` if it could not be read
/// again within `limits`, such as for a name that is no UTF-8, a name that is absolute or listed
/// twice, or a number of 2^63 and more.
[[nodiscard]] inline Result<void> write_manifest(const Manifest& manifest, const std::string& path,
                                                 ManifestTensors tensors = ManifestTensors::all,
                                                 const ManifestLimits& limits = {}) {
  Manifest written = manifest;
  for (ManifestEntry& entry : written.entries)
    for (GraphSpec& graph : entry.graphs)
      if (tensors == ManifestTensors::none) graph.inputs.clear(), graph.outputs.clear();
  const auto refuse = [&](std::string detail) {
    return fail(Error::make(Errc::invalid_argument, "writing a manifest", path, std::move(detail)));
  };
  const std::string text = to_json(written);
  const auto again = manifest_from_json(text, path, limits);
  if (!again)
    return refuse((again.error().kind == Errc::too_large ? "it is too large; " : "") +
                  again.error().detail);
  for (std::size_t i = 0; i < written.entries.size(); ++i)
    if (const std::string& name = written.entries[i].memory.name;
        name != again->entries[i].memory.name)
      return refuse("the name " + detail::in_quotes(name) + " is no UTF-8");
  return detail::replace_file(path, text);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
