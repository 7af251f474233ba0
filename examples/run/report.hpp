// What qnnpp-run measured, as tables and as JSON.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "qnnpp/format.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/report/detail/read_decimal.hpp"
#include "qnnpp/report/format.hpp"

#include "compare.hpp"
#include "names.hpp"
#include "runnable.hpp"
#include "statistics.hpp"

namespace run {

/// Durations of loading one context: by step, or as a whole by a residency. Others are 0.
struct ContextTimes {
  std::string name;
  std::array<double, 6> step_ms = {};  // by model::LoadPhase
  double acquire_ms = 0;
  [[nodiscard]] double total_ms() const {
    double total = acquire_ms;
    for (const double ms : step_ms) total += ms;
    return total;
  }
};

/// Comparison of one output.
struct ComparedOutput {
  std::string output;
  std::string file;
  Comparison result;
};

/// One graph or pipeline that was executed.
struct Executed {
  std::string name;
  std::string context;
  std::string index = {};                      // of the graph in its binary; empty for the pipeline
  std::vector<qnnpp::TensorSpec> inputs = {};  // with the actual extents
  std::vector<std::string> sources = {};       // what each input was filled with: a file or "noise"
  std::vector<qnnpp::TensorSpec> outputs = {};  // with the actual extents
  qnnpp::IoCost io_cost = {};
  double first_us = 0;  // the very first execution, also if it was a warm-up
  Statistics us = {};
  std::vector<qnnpp::PipelineStage> stages = {};
  std::vector<qnnpp::Wire> wires = {};
  std::vector<ComparedOutput> compared = {};
};

/// A vote for performance, and what the device refused of it.
struct Voted {
  std::string mode;
  std::vector<qnnpp::Error> refused;
};

/// Everything that was measured.
struct Measured {
  std::string backend;
  std::string build_id;
  qnnpp::c_api::Version core_version{};
  qnnpp::c_api::Version backend_version{};
  std::optional<qnnpp::DeviceInfo> chip;
  double backend_ms = 0;  // loading the backend
  double load_ms = 0;     // loading all contexts
  std::optional<Voted> power;
  std::string sharing;
  std::string reason;
  qnnpp::ExternalWeights external_weights = qnnpp::ExternalWeights::untried;
  std::string io;
  std::string io_reason;  // why it was chosen; empty: it was asked for, or is the default
  std::uint64_t repeat = 1;
  std::uint64_t warmup = 0;
  std::uint64_t seed = 0;
  std::vector<ContextTimes> contexts;
  std::vector<Executed> executed;
  std::vector<qnnpp::ProfileRecord> profile;  // empty without --profile
  std::optional<std::string> error;           // why the run ended early; empty: it did not

  /// Whether all was executed and every comparison matches.
  [[nodiscard]] bool all_match() const {
    if (error) return false;
    for (const Executed& each : executed)
      for (const ComparedOutput& output : each.compared)
        if (!output.result.matches) return false;
    return true;
  }
};

namespace detail {

/// Most columns of a graph's name in a table.
inline constexpr std::size_t label_columns = 24;

}  // namespace detail

/// Returns the mode that was voted for, and what the device refused.
[[nodiscard]] inline std::string to_text(const Voted& power) {
  std::string text = "performance: " + power.mode;
  for (const qnnpp::Error& refused : power.refused) text += fmt::format("; refused: {}", refused);
  return text;
}

namespace detail {

/// Returns the name of a graph for a table. A long name is shortened, after the graph's index in
/// its binary, if it has one.
[[nodiscard]] inline std::string short_name(const std::string& name, const std::string& index) {
  if (name.size() <= label_columns) return qnnpp::escaped(name);
  const std::string start = index.empty() ? "" : "#" + index + " ";
  return start + qnnpp::model::printable(name, label_columns - start.size());
}

}  // namespace detail

/// Returns the name of a graph for people: BINARY:GRAPH if another one that was executed has its
/// name.
[[nodiscard]] inline std::string label_of(const Measured& measured, const Executed& executed) {
  const auto same = std::count_if(measured.executed.begin(), measured.executed.end(),
                                  [&](const Executed& e) { return e.name == executed.name; });
  return (same > 1 ? qnnpp::escaped(file_of(executed.context)) + ":" : "") +
         detail::short_name(executed.name, executed.index);
}

/// The same for a graph of a pipeline.
[[nodiscard]] inline std::string label_of(const Executed& pipeline,
                                          const qnnpp::PipelineStage& stage) {
  const auto same =
      std::count_if(pipeline.stages.begin(), pipeline.stages.end(),
                    [&](const qnnpp::PipelineStage& s) { return s.graph == stage.graph; });
  return (same > 1 ? qnnpp::escaped(file_of(stage.context)) + ":" : "") +
         detail::short_name(stage.graph, {});
}

/// Returns one line about a comparison. `label`: that of the graph.
[[nodiscard]] inline std::string to_text(const std::string& label, const ComparedOutput& compared) {
  const Comparison& result = compared.result;
  std::string text = fmt::format("{} of {}: {}", qnnpp::escaped(compared.output), label,
                                 result.matches ? "ok" : "MISMATCH");
  if (result.differing != 0)
    text += fmt::format(", {} of {} numbers differ", result.differing, result.count);
  if (result.rows_with_other_top != 0)
    text += fmt::format(", {} of {} rows have another largest number", result.rows_with_other_top,
                        result.rows);
  text += fmt::format(", largest difference {:.3g} at {} ({:.6g}, expected {:.6g})",
                      result.largest_difference, qnnpp::to_string(result.index), result.found,
                      result.expected);
  if (result.cosine) text += fmt::format(", cosine {:.6f}", *result.cosine);
  if (result.sqnr_db) text += fmt::format(", SQNR {:.1f} dB", *result.sqnr_db);
  return text;
}

namespace detail {

/// Returns a number for a table; "-" without one.
[[nodiscard]] inline std::string cell(const std::optional<double>& number) {
  return number ? fmt::format("{:.1f}", *number) : "-";
}

}  // namespace detail

/// Prints the tables.
inline void print(const Measured& measured) {
  fmt::print("backend: {} {}", qnnpp::escaped(measured.backend), qnnpp::escaped(measured.build_id));
  if (measured.chip)
    fmt::print(", Hexagon v{}, SoC model {}", static_cast<std::uint32_t>(measured.chip->arch),
               measured.chip->soc_model);
  fmt::print("\nloaded: backend in {:.1f} ms, {} context{} in {:.1f} ms\n", measured.backend_ms,
             measured.contexts.size(), measured.contexts.size() == 1 ? "" : "s", measured.load_ms);
  if (measured.power) fmt::print("{}\n", to_text(*measured.power));
  fmt::print("spill-fill sharing: {}", measured.sharing);
  if (!measured.reason.empty()) fmt::print(" ({})", qnnpp::escaped(measured.reason));
  if (measured.external_weights == qnnpp::ExternalWeights::refused)
    fmt::print("; QNN keeps the weights, because it refused external ones");
  fmt::print("\n");
  if (!measured.io_reason.empty())
    fmt::print("inputs and outputs: {} ({})\n", measured.io, qnnpp::escaped(measured.io_reason));
  for (const ContextTimes& context : measured.contexts)
    fmt::print("  {}: {:.1f} ms\n", qnnpp::escaped(file_of(context.name)), context.total_ms());

  std::size_t width = detail::label_columns;
  for (const Executed& each : measured.executed)
    width = std::max(width, qnnpp::model::columns_of(label_of(measured, each)));
  fmt::print("\n{:<{}}  {:>7}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}  {:>8}\n", "microseconds",
             width, "runs", "median", "p90", "p99", "min", "max", "spread");
  for (const Executed& each : measured.executed) {
    const auto spread = each.us.spread();
    fmt::print("{:<{}}  {:>7}  {:>10.1f}  {:>10}  {:>10}  {:>10.1f}  {:>10.1f}  {:>8}\n",
               label_of(measured, each), width, each.us.count, each.us.median,
               detail::cell(each.us.p90), detail::cell(each.us.p99), each.us.min, each.us.max,
               spread ? fmt::format("{:.1f} %", 100 * *spread) : "-");
    for (const qnnpp::PipelineStage& stage : each.stages)
      fmt::print("  {:<{}}  {:>7}  {:>10.1f}  (mean)\n", label_of(each, stage), width - 2,
                 stage.executions,
                 stage.executions == 0 ? 0.0
                                       : static_cast<double>(stage.total_ns) / 1e3 /
                                             static_cast<double>(stage.executions));
  }
  fmt::print("\n");
  for (const Executed& each : measured.executed) {
    const std::string label = label_of(measured, each);
    for (std::size_t i = 0; i < each.inputs.size(); ++i)
      fmt::print("{}: input {}, filled with {}\n", label, each.inputs[i],
                 qnnpp::escaped(each.sources[i]));
    for (const qnnpp::Wire& wire : each.wires)
      fmt::print("{}: {} reads {} of {}\n", label, label_of(each, each.stages[wire.to]),
                 qnnpp::escaped(wire.output), label_of(each, each.stages[wire.from]));
    for (const qnnpp::TensorSpec& tensor : each.outputs)
      fmt::print("{}: output {}\n", label, tensor);
    fmt::print("{}: {}\n", label, each.io_cost);
  }
  for (const qnnpp::ProfileRecord& record : measured.profile) fmt::print("\n{}", record);
}

namespace detail {

using Json = nlohmann::ordered_json;

/// Returns text as JSON; bytes that are not UTF-8 are escaped as in messages.
[[nodiscard]] inline std::string json_text(const std::string& text) { return qnnpp::escaped(text); }
/// Returns a number, or null for NaN and infinity, which JSON does not have.
[[nodiscard]] inline Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
[[nodiscard]] inline Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}
/// Returns the scale as the number with the shortest text that reads back the same.
[[nodiscard]] inline Json scale(float value) {
  if (!std::isfinite(value)) return nullptr;
  return *qnnpp::detail::read_decimal<double>(qnnpp::detail::scale_text(value));
}
/// Returns the scales and offsets; null if there are none, or another encoding.
[[nodiscard]] inline Json to_json(const qnnpp::Quantisation& from) {
  using enum qnnpp::c_api::QuantizationEncoding;
  const bool is_whole = from.encoding() == scale_offset || from.encoding() == bw_scale_offset;
  const bool is_axis =
      from.encoding() == axis_scale_offset || from.encoding() == bw_axis_scale_offset;
  if (!is_whole && !is_axis) return nullptr;
  Json json;
  if (is_whole) json = {{"scale", scale(from.scale())}, {"offset", from.offset()}};
  if (is_axis) {
    json = {{"scale", Json::array()}, {"offset", Json::array()}, {"axis", from.axis()}};
    for (const qnnpp::ScaleOffset& pair : from.pairs()) {
      json["scale"].push_back(scale(pair.scale));
      json["offset"].push_back(pair.offset);
    }
  }
  if (from.code_bits() != 0) json["bits"] = from.code_bits();
  return json;
}
[[nodiscard]] inline Json to_json(const std::vector<qnnpp::TensorSpec>& tensors) {
  Json list = Json::array();
  for (const qnnpp::TensorSpec& tensor : tensors)
    list.push_back({{"name", json_text(tensor.name)},
                    {"data_type", qnnpp::name_of(tensor.data_type)},
                    {"dimensions", tensor.dimensions},
                    {"quantisation", to_json(tensor.quantisation)}});
  return list;
}
[[nodiscard]] inline Json to_json(const Statistics& us) {
  return {{"count", us.count},     {"min", us.min},
          {"p10", number(us.p10)}, {"median", us.median},
          {"p90", number(us.p90)}, {"p99", number(us.p99)},
          {"max", us.max},         {"spread", number(us.spread())}};
}
[[nodiscard]] inline Json to_json(const ComparedOutput& compared) {
  const Comparison& result = compared.result;
  return {{"output", json_text(compared.output)},
          {"file", json_text(compared.file)},
          {"matches", result.matches},
          {"count", result.count},
          {"differing", result.differing},
          {"largest_difference", number(result.largest_difference)},
          {"index", result.index},
          {"found", number(result.found)},
          {"expected", number(result.expected)},
          {"cosine", number(result.cosine)},
          {"sqnr_db", number(result.sqnr_db)},
          {"rows", result.rows},
          {"rows_with_other_top", result.rows_with_other_top}};
}
[[nodiscard]] inline Json to_json(const qnnpp::ProfileRecord& record) {
  Json json{{"call", record.call},
            {"object", json_text(record.object)},
            {"start_ns", record.start_ns},
            {"end_ns", record.end_ns},
            {"succeeded", record.succeeded},
            {"error", record.error ? Json(json_text(record.error->message())) : Json(nullptr)}};
  json["events"] = Json::array();
  for (const qnnpp::ProfileEvent& event : record.events)
    json["events"].push_back({{"type", event.type},
                              {"name", qnnpp::event_name(event.type)},
                              {"unit", qnnpp::unit_name(event.unit)},
                              {"value", event.value},
                              {"node", json_text(event.node)},
                              {"depth", event.depth}});
  return json;
}
[[nodiscard]] inline Json to_json(const Executed& each) {
  Json json{{"name", json_text(each.name)},   {"context", json_text(each.context)},
            {"inputs", to_json(each.inputs)}, {"outputs", to_json(each.outputs)},
            {"first_us", each.first_us},      {"us", to_json(each.us)}};
  for (std::size_t i = 0; i < each.sources.size(); ++i)
    json["inputs"][i]["filled_with"] = json_text(each.sources[i]);
  json["io_cost"] = {
      {"copied_bytes_per_inference", each.io_cost.copied_bytes_per_inference},
      {"allocated_bytes_at_first_inference", each.io_cost.allocated_bytes_at_first_inference},
      {"preallocated_bytes_unused", each.io_cost.preallocated_bytes_unused}};
  json["stages"] = Json::array();
  for (const qnnpp::PipelineStage& stage : each.stages)
    json["stages"].push_back({{"graph", json_text(stage.graph)},
                              {"context", json_text(stage.context)},
                              {"executions", stage.executions},
                              {"total_us", static_cast<double>(stage.total_ns) / 1e3}});
  json["comparisons"] = Json::array();
  for (const ComparedOutput& compared : each.compared)
    json["comparisons"].push_back(to_json(compared));
  return json;
}

}  // namespace detail

/// Returns everything as JSON; docs/qnnpp-run.md describes it.
[[nodiscard]] inline std::string to_json(const Measured& measured) {
  using detail::Json;
  Json json;
  json["schema"] = "qnnpp-run-1";
  json["backend"] = {{"library", detail::json_text(measured.backend)},
                     {"build_id", detail::json_text(measured.build_id)},
                     {"core_api", fmt::to_string(measured.core_version)},
                     {"version", fmt::to_string(measured.backend_version)},
                     {"dsp_arch", nullptr},
                     {"soc_model", nullptr}};
  if (measured.chip) {
    json["backend"]["dsp_arch"] = static_cast<std::uint32_t>(measured.chip->arch);
    json["backend"]["soc_model"] = measured.chip->soc_model;
  }
  json["power"] = nullptr;
  if (measured.power) {
    json["power"] = {{"mode", measured.power->mode}, {"refused", Json::array()}};
    for (const qnnpp::Error& refused : measured.power->refused)
      json["power"]["refused"].push_back({{"setting", refused.object}, {"code", refused.code}});
  }
  json["sharing"] = measured.sharing;
  json["reason"] = detail::json_text(measured.reason);
  json["external_weights"] = name_of(measured.external_weights);
  json["options"] = {{"io", measured.io},
                     {"repeat", measured.repeat},
                     {"warmup", measured.warmup},
                     {"seed", measured.seed}};
  if (!measured.io_reason.empty())
    json["options"]["io_reason"] = detail::json_text(measured.io_reason);
  json["load"] = {{"backend_ms", measured.backend_ms}, {"contexts_ms", measured.load_ms}};
  json["load"]["contexts"] = Json::array();
  for (const ContextTimes& context : measured.contexts) {
    Json steps = Json::object();
    for (std::size_t step = 0; step < context.step_ms.size(); ++step)
      if (context.step_ms[step] != 0)
        steps[name_of(static_cast<qnnpp::model::LoadPhase>(step))] = context.step_ms[step];
    json["load"]["contexts"].push_back({{"name", detail::json_text(context.name)},
                                        {"ms", context.total_ms()},
                                        {"steps_ms", std::move(steps)}});
  }
  json["executed"] = Json::array();
  for (const Executed& each : measured.executed) json["executed"].push_back(detail::to_json(each));
  json["profile"] = Json::array();
  for (const qnnpp::ProfileRecord& record : measured.profile)
    json["profile"].push_back(detail::to_json(record));
  json["all_match"] = measured.all_match();
  json["error"] = measured.error ? Json(detail::json_text(*measured.error)) : Json(nullptr);
  return json.dump(2) + '\n';
}

}  // namespace run
