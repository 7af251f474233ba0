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

namespace qnnpp::inline QNNPP_NAMESPACE {

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

}  // namespace qnnpp::inline QNNPP_NAMESPACE

/// Formats an error as its message().
template <>
struct fmt::formatter<qnnpp::Error> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::Error& error, Context& context) const {
    return fmt::formatter<std::string_view>::format(error.message(), context);
  }
};

/// Formats a data type as its name.
template <>
struct fmt::formatter<qnnpp::c_api::DataType> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::c_api::DataType type, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::name_of(type), context);
  }
};

/// Formats a version as "2.27.0".
template <>
struct fmt::formatter<qnnpp::c_api::Version> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::c_api::Version& version, Context& context) const {
    return fmt::format_to(context.out(), "{}.{}.{}", version.major, version.minor, version.patch);
  }
};

/// Formats a log level as level_text().
template <>
struct fmt::formatter<qnnpp::c_api::LogLevel> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::c_api::LogLevel level, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::level_text(level), context);
  }
};

/// Formats a mode as its name, such as "burst".
template <>
struct fmt::formatter<qnnpp::PerformanceMode> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::PerformanceMode mode, Context& context) const {
    constexpr std::string_view names[] = {"burst",
                                          "sustained_high_performance",
                                          "high_performance",
                                          "balanced",
                                          "low_balanced",
                                          "high_power_saver",
                                          "power_saver",
                                          "low_power_saver",
                                          "extreme_power_saver"};
    const auto index = static_cast<std::size_t>(mode);
    return fmt::formatter<std::string_view>::format(
        index < std::size(names) ? names[index] : std::string_view("?"), context);
  }
};

/// Formats a device as "device 0: v79, SoC 69, 8.0 MiB VTCM, 1 core".
template <>
struct fmt::formatter<qnnpp::DeviceInfo> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::DeviceInfo& device, Context& context) const {
    auto out = fmt::format_to(context.out(), "device {}: ", device.id);
    if (device.is_on_chip)
      out = fmt::format_to(out, "v{}, SoC {}, {} VTCM, ", static_cast<std::uint32_t>(device.arch),
                           device.soc_model, qnnpp::human_bytes(device.vtcm_bytes));
    return fmt::format_to(out, "{} core{}", device.cores.size(),
                          device.cores.size() == 1 ? "" : "s");
  }
};

/// Formats requirements as their three sizes in bytes.
template <>
struct fmt::formatter<qnnpp::BufferRequirements> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::BufferRequirements& need, Context& context) const {
    return fmt::format_to(context.out(), "weights {} B, spill-fill {} B, alignment {} B",
                          need.weights_bytes, need.spill_fill_bytes, need.start_alignment);
  }
};

/// Formats a cost as its three sizes in bytes.
template <>
struct fmt::formatter<qnnpp::IoCost> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::IoCost& cost, Context& context) const {
    return fmt::format_to(context.out(),
                          "{} B copied each inference, {} B allocated at the first, {} B unused",
                          cost.copied_bytes_per_inference, cost.allocated_bytes_at_first_inference,
                          cost.preallocated_bytes_unused);
  }
};

/// Formats a tensor as its name, data type and dimensions.
template <>
struct fmt::formatter<qnnpp::TensorSpec> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::TensorSpec& spec, Context& context) const {
    const auto out =
        fmt::format_to(context.out(), "{} {} {}", qnnpp::escaped(spec.name),
                       qnnpp::name_of(spec.data_type), qnnpp::to_string(spec.dimensions));
    if (!spec.quantisation) return out;
    return fmt::format_to(out, " ({})", qnnpp::to_string(spec.quantisation));
  }
};

/// Formats a preparation as "8 MB VTCM, optimization level 3, 4 vector threads, no DLBC". Omits
/// what the binary does not report.
template <>
struct fmt::formatter<qnnpp::GraphPreparation> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::GraphPreparation& preparation, Context& context) const {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (preparation.vtcm_mb) add(fmt::format("{} MB VTCM", *preparation.vtcm_mb));
    if (preparation.optimization_level)
      add(fmt::format("optimization level {}", *preparation.optimization_level));
    if (const auto threads = preparation.hvx_threads)
      add(*threads == 0 ? "default vector threads"
                        : fmt::format("{} vector thread{}", *threads, *threads == 1 ? "" : "s"));
    if (preparation.dlbc) add(*preparation.dlbc ? "DLBC" : "no DLBC");
    if (text.empty()) text = "not reported";
    return fmt::formatter<std::string_view>::format(text, context);
  }
};

/// Formats a recorded call as to_text() does, in many lines.
template <>
struct fmt::formatter<qnnpp::ProfileRecord> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::ProfileRecord& record, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::to_text(record), context);
  }
};

/// Formats all records of a profile, one after the other.
template <>
struct fmt::formatter<qnnpp::Profile> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::Profile& profile, Context& context) const {
    std::string text;
    for (const qnnpp::ProfileRecord& record : profile.records()) text += qnnpp::to_text(record);
    return fmt::formatter<std::string_view>::format(text, context);
  }
};
