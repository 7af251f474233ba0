// to_svg(MemoryReport): draws a map of the memory of a model, to scale.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/format.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/report/domain_plan.hpp"
#include "qnnpp/report/format.hpp"

namespace plan {

using qnnpp::human_bytes;
using qnnpp::model::Bytes;
using qnnpp::model::ByteSum;
using qnnpp::model::ContextMemory;
using qnnpp::model::DomainPlan;
using qnnpp::model::MemoryReport;
using qnnpp::model::printable;
using qnnpp::model::SpillFillSharing;

/// Draws one picture, as wide as its text stays readable on a phone. Each context has a row: its
/// name and its numbers; its weights, and hatched the spill-fill buffer that it would need without
/// sharing; and a line for its process-domain estimate. The shared buffer is under all rows.
/// Coordinates are computed in integers, so a report gives the same picture everywhere.
class MemoryMap {
 public:
  MemoryMap(const MemoryReport& report, const DomainPlan& plan) : report_(report), plan_(plan) {
    for (std::size_t i = 1; i < report.contexts.size(); ++i)
      if (report.contexts[i].spill_fill.or_zero() > report.contexts[head_].spill_fill.or_zero())
        head_ = i;
    range_ = is_shared() ? std::max<std::uint64_t>(1, report.spill_fill().bytes) : 1;
    for (std::size_t i = 0; i < report.contexts.size(); ++i) {
      const ByteSum bar = ByteSum{}.add(report.contexts[i].weights).add(own_bytes(i));
      range_ = std::max({range_, bar.bytes, plan.estimates[i].bytes});
    }
    draws_budget_ = plan.budget_bytes / 2 <= range_;
    if (draws_budget_) range_ = std::max(range_, plan.budget_bytes);
  }

  [[nodiscard]] std::string draw() && {
    const std::size_t count = report_.contexts.size();
    const std::uint64_t bottom = first_row + row * count;
    begin(bottom + 148);
    legend();
    if (draws_budget_) {  // Under the labels, which have the colour of the page around them.
      const std::string x = px(bar_x * 100 + scaled(plan_.budget_bytes));
      line("budget", x, first_row, x, bottom);
    }
    label(name_x, first_row - 10, "context");
    label(number_x, first_row - 10, "weights + spill-fill");
    for (std::size_t i = 0; i < count; ++i) draw_row(i, first_row + row * i);
    if (is_shared()) {
      label(name_x, bottom + 14, "one spill-fill buffer");
      label(number_x, bottom + 14, text_of(report_.spill_fill()));
      box("spill", bar_x * 100, scaled(report_.spill_fill().bytes), bottom + 20, 18,
          "the one spill-fill buffer: " + text_of(report_.spill_fill()));
    }
    label(name_x, bottom + 66,
          "together " + text_of(report_.total()) + ", saved " + text_of(report_.saved()));
    label(name_x, bottom + 88,
          "with separate buffers " + text_of(report_.total(SpillFillSharing::none)));
    scale(bottom + 118);
    text_ += "</svg>\n";
    return std::move(text_);
  }

 private:
  // Names of up to 27 characters, then numbers of up to 25; bars below. A character is 9.1 wide at
  // most.
  static constexpr std::uint64_t width = 640, name_x = 16, bar_x = 16, bar_width = 608;
  static constexpr std::uint64_t number_x = 408, first_row = 124, row = 50;

  [[nodiscard]] bool is_shared() const noexcept {
    return report_.sharing != SpillFillSharing::none;
  }
  /// Returns the bytes of a separate spill-fill buffer in the row of a context. Sharing saves all
  /// except the largest.
  [[nodiscard]] std::uint64_t own_bytes(std::size_t i) const noexcept {
    return is_shared() && i == head_ ? 0 : report_.contexts[i].spill_fill.or_zero();
  }
  [[nodiscard]] static std::string text_of(const Bytes& bytes) {
    return bytes.value ? human_bytes(*bytes.value) : "unknown";
  }
  [[nodiscard]] static std::string text_of(const ByteSum& sum) {
    if (!sum.exact && sum.bytes == 0) return "unknown";
    return (sum.exact ? "" : "at least ") + human_bytes(sum.bytes);
  }

  /// Returns a length in hundredths of a pixel, at most the width of the bars.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t bytes) const noexcept {
    int shift = 0;
    while (range_ >> shift >= std::uint64_t{1} << 40) ++shift;
    return (std::min(bytes, range_) >> shift) * (bar_width * 100) / (range_ >> shift);
  }
  [[nodiscard]] static std::string px(std::uint64_t hundredths) {
    return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
  }
  [[nodiscard]] static std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
      switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        default: safe += c;
      }
    }
    return safe;
  }

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> what, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), what, std::forward<Arguments>(arguments)...);
  }
  void label(std::uint64_t x, std::uint64_t y, std::string_view text) {
    add("<text x=\"{}\" y=\"{}\">{}</text>\n", x, y, escaped(text));
  }
  void line(const char* kind, std::string_view x1, std::uint64_t y1, std::string_view x2,
            std::uint64_t y2) {
    add("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", kind, x1, y1, x2, y2);
  }
  /// Draws nothing for a width of 0.
  void box(const char* kind, std::uint64_t x, std::uint64_t box_width, std::uint64_t y,
           std::uint64_t height, const std::string& title) {
    if (box_width == 0) return;
    add("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"{}\"><title>{}</title></rect>\n",
        kind, px(x), y, px(box_width), height, escaped(title));
  }

  void begin(std::uint64_t height) {
    std::string title = fmt::format("{} contexts", report_.contexts.size());
    switch (report_.sharing) {
      case SpillFillSharing::automatic:
      case SpillFillSharing::external_buffer: title += " over one spill-fill buffer"; break;
      case SpillFillSharing::context_group:
        title += " in a group with one spill-fill buffer";
        break;
      case SpillFillSharing::none: title += " with separate spill-fill buffers"; break;
    }
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n"
        "<title>{}</title>\n",
        width, height, title);
    text_ +=
        "<style>\n"
        "svg { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 15px }\n"
        ".page { fill: #ffffff }\n"
        "text { fill: #1f2937; stroke: #ffffff; stroke-width: 4; paint-order: stroke }\n"
        ".weights { fill: #bfdbfe; stroke: #2563eb }\n"
        ".spill { fill: #fde68a; stroke: #b45309 }\n"
        ".apart { fill: url(#hatch); stroke: #b45309 }\n"
        ".hatch, .budget { stroke: #b45309 }\n"
        ".estimate { fill: #64748b }\n"
        ".over { fill: #dc2626 }\n"
        ".budget { stroke: #dc2626; stroke-width: 2; stroke-dasharray: 6 4 }\n"
        ".scale { stroke: #1f2937 }\n"
        "@media (prefers-color-scheme: dark) {\n"
        ".page { fill: #0d1117 }\n"
        "text { fill: #e6edf3; stroke: #0d1117 }\n"
        ".weights { fill: #1e3a8a; stroke: #60a5fa }\n"
        ".spill { fill: #78350f; stroke: #fbbf24 }\n"
        ".apart, .hatch { stroke: #fbbf24 }\n"
        ".estimate { fill: #94a3b8 }\n"
        ".over { fill: #f87171 }\n"
        ".budget { stroke: #f87171 }\n"
        ".scale { stroke: #e6edf3 }\n"
        "}\n"
        "</style>\n"
        "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<path class=\"hatch\" d=\"M0 6 L6 0\"/></pattern>\n";
    add("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", width, height);
    add("<text x=\"{}\" y=\"28\" font-size=\"18\" font-weight=\"600\">{}</text>\n", name_x, title);
  }

  void legend() {
    const auto entry = [&](const char* kind, std::uint64_t x, std::uint64_t y,
                           std::string_view what) {
      const bool is_line = what == "PD estimate";
      add("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"14\" height=\"{}\"/>\n", kind, x,
          is_line ? y - 7 : y - 11, is_line ? 3 : 12);
      label(x + 20, y, what);
    };
    entry("weights", 16, 58, "weights");
    entry("spill", 116, 58, is_shared() ? "one spill-fill buffer" : "spill-fill buffers");
    entry("estimate", 356, 58, "PD estimate");
    if (is_shared()) entry("apart", 16, 82, "added by separate buffers");
    line("budget", "284", 77, "302", 77);
    label(
        308, 82,
        "PD budget " + human_bytes(plan_.budget_bytes) + (draws_budget_ ? "" : ", beyond the map"));
  }

  void draw_row(std::size_t i, std::uint64_t y) {
    const ContextMemory& context = report_.contexts[i];
    label(name_x, y + 14, printable(context.name, 27));
    label(number_x, y + 14, text_of(context.weights) + " + " + text_of(context.spill_fill));
    const std::string name = printable(context.name, 256) + ": ";
    const std::uint64_t weights = scaled(context.weights.or_zero());
    box("weights", bar_x * 100, weights, y + 20, 15, name + "weights " + text_of(context.weights));
    box(is_shared() ? "apart" : "spill", bar_x * 100 + weights, scaled(own_bytes(i)), y + 20, 15,
        name + "spill-fill " + text_of(context.spill_fill));
    const ByteSum& estimate = plan_.estimates[i];
    box(estimate.bytes > plan_.budget_bytes ? "over" : "estimate", bar_x * 100,
        scaled(estimate.bytes), y + 38, 3, name + "PD estimate " + text_of(estimate));
  }

  /// Draws the scale: a line of the largest power of two up to a quarter of the range.
  void scale(std::uint64_t y) {
    std::uint64_t unit = 1;
    while (unit <= range_ / 8) unit *= 2;
    line("scale", fmt::format("{}", bar_x), y + 12, px(bar_x * 100 + scaled(unit)), y + 12);
    label(name_x, y, "drawn to scale");
    label(number_x, y, "the line: " + human_bytes(unit));
  }

  const MemoryReport& report_;
  const DomainPlan& plan_;
  std::size_t head_ = 0;
  std::uint64_t range_ = 1;
  bool draws_budget_ = false;
  std::string text_;
};

/// Returns a picture of the report as SVG, with the budget of the plan as a line. Follows the
/// viewer's light or dark scheme. The same numbers give the same text. All lengths are to scale,
/// even tiny ones. A value that no source reports is not drawn, and is named "unknown".
[[nodiscard]] inline std::string to_svg(const MemoryReport& report, const DomainPlan& plan) {
  return MemoryMap(report, plan).draw();
}

/// Returns the picture for the default budget.
[[nodiscard]] inline std::string to_svg(const MemoryReport& report) {
  return to_svg(report, qnnpp::model::plan_domains(report));
}

}  // namespace plan
