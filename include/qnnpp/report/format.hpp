// Formats reports of models as text with {fmt}: fmt::print("{}", report).
// Includes qnnpp/format.hpp.
#pragma once

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/format.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/report/domain_plan.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Returns the width of a UTF-8 text in columns, as {fmt} counts them. A wide character, such as an
/// East Asian one, counts as two.
[[nodiscard]] inline std::size_t columns_of(std::string_view text) {
  const std::size_t enough = 2 * text.size();
  return enough + text.size() - fmt::formatted_size("{:{}}", text, enough);
}

/// Returns a name as one printable line. Writes characters that do not print as C++ escapes.
/// Replaces the middle by an ellipsis if the text exceeds `most` columns, which is at least 3.
[[nodiscard]] inline std::string printable(std::string_view name, std::size_t most = SIZE_MAX) {
  std::string text = fmt::format("{:?}", name);
  text = text.substr(1, text.size() - 2);
  if (columns_of(text) <= most) return text;
  const auto next = [&](std::size_t at) {
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80);
    return at;
  };
  // Keeps more of the end, which identifies a path better than its beginning.
  const std::string_view all = text;
  std::size_t head = 0, tail = 0;
  while (columns_of(all.substr(0, next(head))) <= (most - 1) / 3) head = next(head);
  while (columns_of(all.substr(0, head)) + columns_of(all.substr(tail)) > most - 1)
    tail = next(tail);
  return fmt::format("{}\u2026{}", all.substr(0, head), all.substr(tail));
}

namespace detail {

/// Returns a number of bytes as "303038464 (289.0 MiB)".
[[nodiscard]] inline std::string text_of(std::uint64_t bytes) {
  return bytes < 1024 ? fmt::format("{}", bytes)
                      : fmt::format("{} ({})", bytes, human_bytes(bytes));
}
/// Returns a number of bytes as text, or "unknown".
[[nodiscard]] inline std::string text_of(const Bytes& bytes) {
  return bytes.value ? text_of(*bytes.value) : "unknown";
}
/// Returns a sum as text. An inexact sum is "at least 303038464 (289.0 MiB)", or "unknown" if 0.
[[nodiscard]] inline std::string text_of(const ByteSum& sum) {
  if (!sum.exact && sum.bytes == 0) return "unknown";
  return (sum.exact ? "" : "at least ") + text_of(sum.bytes);
}

/// Lines of cells.
using Table = std::vector<std::vector<std::string>>;
/// Returns a table as text. Each column is as wide as its widest cell. The first column is aligned
/// left, the others right.
[[nodiscard]] inline std::string text_of(const Table& table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const auto& line : table)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(line[i]));
  std::string text;
  for (const auto& line : table) {
    fmt::format_to(std::back_inserter(text), "{:<{}}", line[0], widths[0]);
    for (std::size_t i = 1; i < line.size(); ++i)
      fmt::format_to(std::back_inserter(text), "  {:>{}}", line[i], widths[i]);
    text += '\n';
  }
  return text;
}

/// Returns the numbers of each source, such as "query: weights, I/O; metadata: op data".
[[nodiscard]] inline std::string sources_of(const ContextMemory& context) {
  struct Part {
    std::string_view what;
    SizeSource source;
  };
  const std::array parts{Part{"weights", context.weights.source},
                         Part{"shared weights", context.shared_weights.source},
                         Part{"spill-fill", context.spill_fill.source},
                         Part{"alignment", context.start_alignment.source},
                         Part{"I/O", context.io.source},
                         Part{"op data", context.op_data.source},
                         Part{"VTCM", context.vtcm.source}};
  std::vector<std::string> sources;
  for (const auto source : {SizeSource::query, SizeSource::metadata, SizeSource::manifest}) {
    std::vector<std::string_view> told;
    for (const Part& part : parts)
      if (part.source == source) told.push_back(part.what);
    if (!told.empty())
      sources.push_back(fmt::format("{}: {}", name_of(source), fmt::join(told, ", ")));
  }
  return sources.empty() ? "unknown" : fmt::format("{}", fmt::join(sources, "; "));
}

/// Returns a context's name for a table.
[[nodiscard]] inline std::string short_name(const ContextMemory& context) {
  return printable(context.name, 48);
}
/// Maximum number of names in a list.
inline constexpr std::size_t most_names = 8;
/// Returns the names of the first `contexts`. Adds "and N others" if `count` exceeds their number.
[[nodiscard]] inline std::string short_names(const MemoryReport& report,
                                             const std::vector<std::size_t>& contexts,
                                             std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < contexts.size() && i < most_names; ++i)
    names.push_back(short_name(report.contexts[contexts[i]]));
  std::string listed = fmt::format("{}", fmt::join(names, ", "));
  if (count > names.size())
    fmt::format_to(std::back_inserter(listed), " and {} others", count - names.size());
  return listed;
}

}  // namespace detail

/// Returns a report as text: a table of the contexts, the sources of the numbers, and a table of
/// the ways of sharing. Numbers are exact, with a rounded size in parentheses.
[[nodiscard]] inline std::string to_text(const MemoryReport& report) {
  using detail::text_of;
  detail::Table contexts{{"context", "file", "weights", "shared weights", "spill-fill", "alignment",
                          "I/O", "op data", "VTCM", "PD estimate"}};
  std::size_t name_columns = 0;
  ByteSum files, estimates;
  for (const ContextMemory& context : report.contexts) {
    contexts.push_back({detail::short_name(context), text_of(context.file_bytes),
                        text_of(context.weights), text_of(context.shared_weights),
                        text_of(context.spill_fill), text_of(context.start_alignment),
                        text_of(context.io), text_of(context.op_data), text_of(context.vtcm),
                        text_of(context.pd_estimate())});
    name_columns = std::max(name_columns, columns_of(contexts.back()[0]));
    files.add(context.file_bytes);
    estimates.add(context.pd_estimate());
  }
  contexts.push_back({"sum", text_of(files), text_of(report.sum_of(&ContextMemory::weights)),
                      text_of(report.sum_of(&ContextMemory::shared_weights)),
                      text_of(report.sum_of(&ContextMemory::spill_fill)), "",
                      text_of(report.sum_of(&ContextMemory::io)),
                      text_of(report.sum_of(&ContextMemory::op_data)),
                      text_of(report.sum_of(&ContextMemory::vtcm)), text_of(estimates)});
  std::string text = text_of(contexts) + '\n';
  const auto out = std::back_inserter(text);
  for (const ContextMemory& context : report.contexts)
    fmt::format_to(out, "{:<{}}  from {}\n", detail::short_name(context), name_columns,
                   detail::sources_of(context));
  for (const ContextMemory& context : report.contexts)
    if (context.unread_metadata_bytes != 0)
      fmt::format_to(out, "{:<{}}  newer metadata: {} bytes not read\n",
                     detail::short_name(context), name_columns, context.unread_metadata_bytes);
  for (const ContextMemory& context : report.contexts)
    if (context.io_limit.value)
      fmt::format_to(out, "{:<{}}  I/O limit: {} count in its process domain\n",
                     detail::short_name(context), name_columns, text_of(context.io_limit));
  for (const ContextMemory& context : report.contexts)
    if (context.acceleration != Acceleration::not_requested)
      fmt::format_to(out, "{:<{}}  init acceleration: {}\n", detail::short_name(context),
                     name_columns, name_of(context.acceleration));
  if (std::ranges::any_of(report.contexts, [](const auto& context) { return context.graphs > 1; }))
    text += "weights and spill-fill are for all graphs of a binary, whichever are enabled\n";

  using enum SpillFillSharing;
  detail::Table ways{{"", "separate buffers"}};
  if (report.makes_groups) ways.front().emplace_back("one by group");
  if (report.takes_external_buffers) ways.front().emplace_back("one external buffer");
  const auto way = [&](const char* what, auto number) {
    ways.push_back({what, text_of(number(none))});
    if (report.makes_groups) ways.back().push_back(text_of(number(context_group)));
    if (report.takes_external_buffers) ways.back().push_back(text_of(number(external_buffer)));
  };
  way("weights", [&](auto) { return report.sum_of(&ContextMemory::weights); });
  way("spill-fill", [&](SpillFillSharing how) { return report.spill_fill(how); });
  way("together", [&](SpillFillSharing how) { return report.total(how); });
  way("saved", [&](SpillFillSharing how) { return report.saved(how); });
  fmt::format_to(out, "\n{}\nspill-fill sharing: {}", text_of(ways), name_of(report.sharing));
  if (!report.reason.empty()) fmt::format_to(out, " ({})", printable(report.reason));
  if (report.sharing != automatic) fmt::format_to(out, ", saves {}", text_of(report.saved()));
  if (report.external_weights == ExternalWeights::refused)
    text += "\nexternal weights: refused by the backend, QNN keeps the weights";
  if (report.vtcm_backup_bytes != 0)
    fmt::format_to(out, "\nVTCM backup, shared: {}", text_of(report.vtcm_backup_bytes));
  if (report.lost_bytes != 0)
    fmt::format_to(out, "\nlost in failed finalizes until the process ends: {}",
                   text_of(report.lost_bytes));
  return text + '\n';
}

/// Returns a plan of process domains as text, one fact on each line. `domains` is the number of
/// domains that the host library uses; 0: unknown.
[[nodiscard]] inline std::string to_text(const DomainPlan& plan, const MemoryReport& report,
                                         std::size_t domains = process_domains.size()) {
  using detail::text_of;
  std::string text = fmt::format("process domain budget: {}\n", text_of(plan.budget_bytes));
  const auto out = std::back_inserter(text);
  ByteSum allowances;
  for (const std::uint64_t allowance : plan.allowances) allowances.add(allowance);
  if (allowances.bytes != 0)
    fmt::format_to(out, "run lists, which binaries do not state in full, count {} more\n",
                   text_of(allowances));
  if (!plan.exact()) text += "some estimates are not exact: what fits here may still be refused\n";
  for (const std::size_t i : plan.too_large)
    fmt::format_to(out, "{}: larger than a whole process domain: {}\n",
                   detail::short_name(report.contexts[i]), text_of(plan.estimates[i]));
  if (plan.all_together()) return text + "all contexts fit one process domain together\n";
  const std::vector<std::size_t> order = plan.by_estimate();
  for (std::size_t i = 0; i < plan.estimates.size(); ++i) {
    if (!plan.can_share(i, i)) continue;
    const std::size_t count = plan.others_excluded(order, i), possible = order.size() - 1;
    if (count == 0) continue;
    // Lists the largest ones, in the order of the report.
    std::vector<std::size_t> others;
    for (std::size_t at = 0; others.size() < std::min(count, detail::most_names); ++at)
      if (order[at] != i) others.push_back(order[at]);
    std::sort(others.begin(), others.end());
    const bool is_alone = count == possible && possible > 1;
    fmt::format_to(out, "{}: cannot share a process domain with {}\n",
                   detail::short_name(report.contexts[i]),
                   is_alone ? "any other" : detail::short_names(report, others, count));
  }
  for (std::size_t i = 0; i < plan.packing.size(); ++i)
    fmt::format_to(out, "process domain {}: {}: {}\n",
                   i < process_domains.size() ? std::to_string(process_domains[i]) : "beyond them",
                   detail::short_names(report, plan.packing[i], plan.packing[i].size()),
                   text_of(plan.bytes_of(plan.packing[i])));
  fmt::format_to(out, "process domains: at least {}, this packing {}", plan.at_least,
                 plan.packing.size());
  if (domains != 0) {
    fmt::format_to(out, ", QNN uses {}", domains);
    if (plan.at_least > domains || !plan.too_large.empty())
      text += ": they cannot be resident at once";
    else if (plan.packing.size() > domains)
      text += ": they may not fit at once";
  }
  return text + '\n';
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Formats a way of sharing as its name.
[[nodiscard]] inline std::string_view text_of(ForFmt, model::SpillFillSharing sharing) {
  return name_of(sharing);
}

/// Formats the source of a number as its name.
[[nodiscard]] inline std::string_view text_of(ForFmt, model::SizeSource source) {
  return name_of(source);
}

/// Formats a report as to_text() does, in many lines.
[[nodiscard]] inline std::string text_of(ForFmt, const model::MemoryReport& report) {
  return to_text(report);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
