// {fmt} formatters of qnnpp's types, and human_bytes(). report/format.hpp has the formatters of
// reports and plans. No other header needs {fmt}.
//
//   fmt::print(stderr, "{}\n", result.error());
#pragma once

#include "qnnpp/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/backend/device.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/backend/log.hpp"
#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/memory/mem_region.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Returns a size as text with a binary unit, such as "12.3 MiB"; below 1 KiB in bytes.
[[nodiscard]] inline std::string human_bytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  // Integers make the text independent of the locale. The unit is the smallest in which the rounded
  // size is less than 1024.0.
  std::size_t unit = 0;
  std::uint64_t tenths = 0;
  do {
    const std::uint64_t one = std::uint64_t{1} << (10 * ++unit);
    tenths = bytes / one * 10 + (bytes % one * 10 + one / 2) / one;
  } while (tenths >= 10240 && unit < 4);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + units[unit];
}

namespace detail {

/// Returns an event's value with its unit, such as "812 us".
[[nodiscard]] inline std::string value_text(const ProfileEvent& event) {
  const bool is_object = event.unit == c_api::profile_event_unit::object;
  const std::string value = std::to_string(is_object ? event.object.size() : event.value);
  const std::string_view unit = unit_name(event.unit);
  return unit.empty() ? value : fmt::format("{} {}", value, unit);
}

/// Returns an event's name, with the number of a type that qnnpp does not know.
[[nodiscard]] inline std::string name_text(const ProfileEvent& event) {
  std::string name(2 + std::size_t{2} * event.depth, ' ');
  name += event_name(event.type);
  return name.ends_with("unknown event") ? fmt::format("{} {}", name, event.type) : name;
}

}  // namespace detail

/// Returns a record as text: a line with the call and its duration, then a line for each event with
/// its name, value and node, without its time. Events below another one are indented.
[[nodiscard]] inline std::string to_text(const ProfileRecord& record) {
  std::string text =
      fmt::format("{} {}: {} us{}\n", record.call, escaped(record.object),
                  detail::us_text(std::max(record.end_ns, record.start_ns) - record.start_ns),
                  record.succeeded ? "" : ", failed");
  std::size_t name_width = 0, value_width = 0;
  for (const ProfileEvent& event : record.events) {
    name_width = std::max(name_width, detail::name_text(event).size());
    value_width = std::max(value_width, detail::value_text(event).size());
  }
  for (const ProfileEvent& event : record.events) {
    const std::string node = escaped(event.node);
    fmt::format_to(std::back_inserter(text), "{:<{}}  {:>{}}{}{}\n", detail::name_text(event),
                   name_width, detail::value_text(event), value_width, node.empty() ? "" : "  ",
                   node);
  }
  if (record.error)
    fmt::format_to(std::back_inserter(text), "  events are missing: {}\n", record.error->message());
  return text;
}

namespace detail {

/// First argument of each text_of() below, which returns the text of a value for {fmt}. Because of
/// it, the formatter also finds the functions of headers that are included later.
struct ForFmt {};

/// Formats an error as its message().
[[nodiscard]] inline std::string text_of(ForFmt, const Error& error) { return error.message(); }

/// Formats a data type as its name.
[[nodiscard]] inline std::string_view text_of(ForFmt, c_api::DataType type) {
  return name_of(type);
}

/// Formats a version as "2.27.0".
[[nodiscard]] inline std::string text_of(ForFmt, const c_api::Version& version) {
  return version_text(version);
}

/// Formats a log level as level_text().
[[nodiscard]] inline std::string text_of(ForFmt, c_api::LogLevel level) {
  return level_text(level);
}

/// Formats a mode as its name, such as "burst".
[[nodiscard]] inline std::string_view text_of(ForFmt, PerformanceMode mode) {
  constexpr std::string_view names[] = {"burst",
                                        "sustained_high_performance",
                                        "high_performance",
                                        "balanced",
                                        "low_balanced",
                                        "high_power_saver",
                                        "power_saver",
                                        "low_power_saver",
                                        "extreme_power_saver",
                                        "llm_decode_burst",
                                        "llm_decode_sustained_high_performance",
                                        "llm_decode_high_performance",
                                        "llm_decode_balanced",
                                        "llm_decode_low_balanced",
                                        "llm_decode_high_power_saver",
                                        "llm_decode_power_saver",
                                        "llm_decode_low_power_saver",
                                        "llm_decode_extreme_power_saver"};
  const auto index = static_cast<std::size_t>(mode);
  return index < std::size(names) ? names[index] : "?";
}

/// Formats a device as "device 0: v79, SoC 69, 8.0 MiB VTCM, 1 core".
[[nodiscard]] inline std::string text_of(ForFmt, const DeviceInfo& device) {
  std::string text = fmt::format("device {}: ", device.id);
  if (device.is_on_chip)
    text += fmt::format("v{}, SoC {}, {} VTCM, ", static_cast<std::uint32_t>(device.arch),
                        device.soc_model, human_bytes(device.vtcm_bytes));
  const std::size_t cores = device.cores.size();
  return text + fmt::format("{} core{}", cores, cores == 1 ? "" : "s");
}

/// Formats requirements as their sizes in bytes; that of VTCM backup if it is not 0.
[[nodiscard]] inline std::string text_of(ForFmt, const BufferRequirements& need) {
  std::string text = fmt::format("weights {} B, spill-fill {} B, alignment {} B",
                                 need.weights_bytes, need.spill_fill_bytes, need.start_alignment);
  if (need.vtcm_backup_bytes != 0)
    text += fmt::format(", VTCM backup {} B", need.vtcm_backup_bytes);
  return text;
}

/// Formats a cost as its three sizes in bytes.
[[nodiscard]] inline std::string text_of(ForFmt, const IoCost& cost) {
  return fmt::format("{} B copied each inference, {} B allocated at the first, {} B unused",
                     cost.copied_bytes_per_inference, cost.allocated_bytes_at_first_inference,
                     cost.preallocated_bytes_unused);
}

/// Formats a tensor as its name, data type and dimensions.
[[nodiscard]] inline std::string text_of(ForFmt, const TensorSpec& spec) {
  const std::string text = fmt::format("{} {} {}", escaped(spec.name), name_of(spec.data_type),
                                       to_string(spec.dimensions));
  return spec.quantisation ? fmt::format("{} ({})", text, to_string(spec.quantisation)) : text;
}

/// Formats what a binary reports of a preparation as "8 MB VTCM, optimization level 3, 4 vector
/// threads, no DLBC".
[[nodiscard]] inline std::string text_of(ForFmt, const GraphOptions& preparation) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (preparation.vtcm_mb) add(fmt::format("{} MB VTCM", *preparation.vtcm_mb));
  if (preparation.optimization_level)
    add(fmt::format("optimization level {}", *preparation.optimization_level));
  if (const auto threads = preparation.hvx_threads)
    add(*threads == 0 ? "default vector threads"
                      : fmt::format("{} vector thread{}", *threads, *threads == 1 ? "" : "s"));
  if (preparation.dlbc) add(*preparation.dlbc ? "DLBC" : "no DLBC");
  return text.empty() ? "not reported" : text;
}

/// Formats a recorded call as to_text() does, in many lines.
[[nodiscard]] inline std::string text_of(ForFmt, const ProfileRecord& record) {
  return to_text(record);
}

/// Formats all records of a profile, one after the other.
[[nodiscard]] inline std::string text_of(ForFmt, const Profile& profile) {
  std::string text;
  for (const ProfileRecord& record : profile.records()) text += to_text(record);
  return text;
}

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

/// Formats a value as its text_of(), with the format specification of a string.
template <class Value>
  requires requires(const Value& value) { text_of(qnnpp::detail::ForFmt{}, value); }
struct fmt::formatter<Value> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const Value& value, Context& context) const {
    return fmt::formatter<std::string_view>::format(text_of(qnnpp::detail::ForFmt{}, value),
                                                    context);
  }
};
