// to_text(MemoryReport): a memory report as tables. Include it where text is wanted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/human_bytes.hpp"
#include "qnnpp/model/detail/utf8.hpp"
#include "qnnpp/model/domain_plan.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

namespace detail {

/// "303038464 (289.0 MiB)", "unknown".
[[nodiscard]] inline std::string text_of(const Bytes& bytes) {
  if (!bytes.value) return "unknown";
  const std::string exact = std::to_string(*bytes.value);
  return *bytes.value < 1024 ? exact : exact + " (" + human_bytes(*bytes.value) + ")";
}
/// The same, or "at least 303038464 (289.0 MiB)"; "unknown" for at least 0.
[[nodiscard]] inline std::string text_of(const ByteSum& sum) {
  if (!sum.exact && sum.bytes == 0) return "unknown";
  const std::string text = text_of(Bytes{sum.bytes, SizeSource::unknown});
  return sum.exact ? text : "at least " + text;
}

/// Lines of cells: the first column to the left, and the others to one side.
class Table {
 public:
  enum class Others : bool { to_the_left, to_the_right };
  explicit Table(Others others = Others::to_the_right) : others_(others) {}

  void line(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }

  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& line : lines_) {
      widths.resize(std::max(widths.size(), line.size()));
      for (std::size_t i = 0; i < line.size(); ++i)
        widths[i] = std::max(widths[i], count_columns(line[i]));
    }
    std::string text;
    for (const auto& line : lines_) {
      for (std::size_t i = 0; i < line.size(); ++i) {
        const std::string padding(widths[i] - count_columns(line[i]), ' ');
        const bool is_left = i == 0 || others_ == Others::to_the_left;
        if (i != 0) text += "  ";
        if (!is_left) text += padding;
        text += line[i];
        if (is_left && i + 1 < line.size()) text += padding;
      }
      text += '\n';
    }
    return text;
  }

 private:
  Others others_;
  std::vector<std::vector<std::string>> lines_;
};

/// "query", or "weights query, I/O metadata" where several sources have a part.
[[nodiscard]] inline std::string sources_of(const ContextMemory& context) {
  struct Part {
    const char* what;
    SizeSource source;
  };
  const Part parts[] = {{"weights", context.weights.source},
                        {"spill-fill", context.spill_fill.source},
                        {"alignment", context.start_alignment.source},
                        {"I/O", context.io.source},
                        {"op data", context.op_data.source}};
  std::string sources;
  for (const auto source : {SizeSource::query, SizeSource::metadata, SizeSource::manifest}) {
    std::string named;
    for (const Part& part : parts)
      if (part.source == source) (named += named.empty() ? "" : ", ") += part.what;
    if (!named.empty())
      (sources += sources.empty() ? "" : "; ") += name_of(source) + (": " + named);
  }
  return sources.empty() ? "unknown" : sources;
}

/// A context's name as it is printed.
[[nodiscard]] inline std::string shown(const ContextMemory& context) {
  return printable(context.name, 48);
}

[[nodiscard]] inline std::string names_of(const MemoryReport& report,
                                          const std::vector<std::size_t>& places) {
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t i = 0; i < places.size() && i < most; ++i)
    (names += names.empty() ? "" : ", ") += shown(report.contexts[places[i]]);
  if (places.size() > most) names += " and " + std::to_string(places.size() - most) + " others";
  return names;
}

}  // namespace detail

/// A table of the contexts, who told the numbers, and a table of the ways of sharing. Bytes are
/// exact, with the human size beside them.
[[nodiscard]] inline std::string to_text(const MemoryReport& report) {
  using detail::text_of;
  detail::Table contexts;
  contexts.line(
      {"context", "file", "weights", "spill-fill", "alignment", "I/O", "op data", "PD estimate"});
  for (const ContextMemory& context : report.contexts)
    contexts.line({detail::shown(context), text_of(Bytes{context.file_bytes, SizeSource::unknown}),
                   text_of(context.weights), text_of(context.spill_fill),
                   text_of(context.start_alignment), text_of(context.io), text_of(context.op_data),
                   text_of(context.pd_estimate())});
  ByteSum files, estimates;
  for (const ContextMemory& context : report.contexts) {
    files.add(context.file_bytes);
    estimates.add(context.pd_estimate());
  }
  contexts.line({"sum", text_of(files), text_of(report.sum_of(&ContextMemory::weights)),
                 text_of(report.sum_of(&ContextMemory::spill_fill)), "",
                 text_of(report.sum_of(&ContextMemory::io)),
                 text_of(report.sum_of(&ContextMemory::op_data)), text_of(estimates)});
  std::string text = contexts.text() + '\n';

  detail::Table sources(detail::Table::Others::to_the_left);
  for (const ContextMemory& context : report.contexts)
    sources.line({detail::shown(context), "from " + detail::sources_of(context)});
  text += sources.text() + '\n';

  using enum SpillFillSharing;
  detail::Table ways;
  ways.line({"", "separate buffers", "one by group", "one external buffer"});
  const auto way = [&](const char* what, auto number) {
    ways.line({what, text_of(number(none)), text_of(number(context_group)),
               text_of(number(external_buffer))});
  };
  way("weights", [&](auto) { return report.sum_of(&ContextMemory::weights); });
  way("spill-fill", [&](SpillFillSharing how) { return report.spill_fill(how); });
  way("together", [&](SpillFillSharing how) { return report.total(how); });
  way("saved", [&](SpillFillSharing how) { return report.saved(how); });
  text += ways.text() + "\nspill-fill sharing: " + name_of(report.sharing);
  if (!report.reason.empty()) text += " (" + detail::printable(report.reason) + ")";
  if (report.sharing != automatic) text += ", saves " + text_of(report.saved());
  if (report.external_weights == ExternalWeights::refused)
    text += "\nexternal weights: refused by the backend, QNN keeps the weights";
  return text + '\n';
}

/// Which contexts fit process domains, one fact a line. `domains`: how many the device has; 0: not
/// known.
[[nodiscard]] inline std::string to_text(const DomainPlan& plan, const MemoryReport& report,
                                         std::size_t domains = 0) {
  using detail::text_of;
  const std::size_t count = plan.estimates.size();
  std::string text =
      "process domain budget: " + text_of(Bytes{plan.budget_bytes, SizeSource::unknown}) + '\n';
  const bool has_graphs = std::any_of(report.contexts.begin(), report.contexts.end(),
                                      [](const auto& context) { return context.graphs != 0; });
  if (has_graphs)
    text += "for run list and VTCM, which no binary states, each graph counts " +
            text_of(Bytes{plan.allowance_bytes, SizeSource::unknown}) + " more\n";
  if (!plan.exact())
    text += "some estimates are lower bounds: what fits here may still be refused\n";
  for (const std::size_t i : plan.too_large)
    text += detail::shown(report.contexts[i]) +
            ": larger than a whole process domain: " + text_of(plan.estimates[i]) + '\n';
  if (plan.all_together()) return text + "all contexts fit one process domain together\n";
  for (std::size_t i = 0; i < count; ++i) {
    if (!plan.can_share(i, i)) continue;
    std::vector<std::size_t> others;
    std::size_t possible = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (j == i || !plan.can_share(j, j)) continue;
      ++possible;
      if (!plan.can_share(i, j)) others.push_back(j);
    }
    if (others.empty()) continue;
    text += detail::shown(report.contexts[i]) + ": cannot share a process domain with " +
            (others.size() == possible && possible > 1 ? "any other"
                                                       : detail::names_of(report, others)) +
            '\n';
  }
  for (std::size_t i = 0; i < plan.packing.size(); ++i)
    text += "process domain " + std::to_string(i + 1) + ": " +
            detail::names_of(report, plan.packing[i].contexts) + ": " +
            text_of(Bytes{plan.packing[i].bytes, SizeSource::unknown}) + '\n';
  text += "process domains: at least " + std::to_string(plan.at_least) + ", this packing " +
          std::to_string(plan.packing.size());
  if (domains != 0) {
    text += ", the device has " + std::to_string(domains);
    if (plan.at_least > domains || !plan.too_large.empty())
      text += ": they cannot be resident at once";
    else if (plan.packing.size() > domains)
      text += ": they may not fit at once";
  }
  return text + '\n';
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
