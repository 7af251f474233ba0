// to_json(MemoryReport): a memory report as JSON; docs/memory-report.md has the schema.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/model/detail/json_writer.hpp"
#include "qnnpp/model/domain_plan.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

namespace detail {

inline void write_number(JsonWriter& json, std::string_view key, const Bytes& bytes) {
  json.key(key).begin_object().key("bytes");
  if (bytes.value)
    json.number(*bytes.value);
  else
    json.null();
  json.key("source").string(name_of(bytes.source)).end_object();
}
inline void write_number(JsonWriter& json, std::string_view key, const ByteSum& sum) {
  json.key(key).begin_object().key("bytes").number(sum.bytes);
  json.key("at_least").boolean(!sum.exact).end_object();
}

}  // namespace detail

/// The report and how its contexts fit process domains. Bytes that nobody tells are null, and the
/// sums they are missing from say "at_least": true.
[[nodiscard]] inline std::string to_json(const MemoryReport& report, const DomainPlan& plan) {
  using detail::write_number;
  detail::JsonWriter json;
  json.begin_object().key("schema").string("qnnpp-memory-report-1");
  json.key("sharing").string(name_of(report.sharing)).key("reason").string(report.reason);
  json.key("external_weights").string(qnnpp::name_of(report.external_weights));
  json.key("contexts").begin_array();
  for (const ContextMemory& context : report.contexts) {
    json.begin_object().key("name").string(context.name);
    json.key("file_bytes").number(context.file_bytes).key("graphs").number(context.graphs);
    write_number(json, "weights", context.weights);
    write_number(json, "spill_fill", context.spill_fill);
    write_number(json, "start_alignment", context.start_alignment);
    write_number(json, "io", context.io);
    write_number(json, "op_data", context.op_data);
    write_number(json, "pd_estimate", context.pd_estimate());
    json.end_object();
  }
  json.end_array().key("totals").begin_object();
  write_number(json, "weights", report.sum_of(&ContextMemory::weights));
  write_number(json, "io", report.sum_of(&ContextMemory::io));
  write_number(json, "op_data", report.sum_of(&ContextMemory::op_data));
  const auto ways = [&](std::string_view key, auto number) {
    json.key(key).begin_object();
    write_number(json, "separate", number(SpillFillSharing::none));
    write_number(json, "grouped", number(SpillFillSharing::context_group));
    write_number(json, "shared", number(SpillFillSharing::external_buffer));
    json.end_object();
  };
  ways("spill_fill", [&](SpillFillSharing how) { return report.spill_fill(how); });
  ways("together", [&](SpillFillSharing how) { return report.total(how); });
  write_number(json, "saved", report.saved());
  json.end_object().key("process_domains").begin_object();
  json.key("budget_bytes").number(plan.budget_bytes);
  json.key("graph_allowance_bytes").number(plan.allowance_bytes).key("exact").boolean(plan.exact());
  json.key("at_least").number(plan.at_least);
  const auto places = [&](const std::vector<std::size_t>& contexts) {
    json.begin_array(true);
    for (const std::size_t i : contexts) json.number(i);
    json.end_array();
  };
  json.key("too_large");
  places(plan.too_large);
  json.key("packing").begin_array();
  for (const PlannedDomain& domain : plan.packing) {
    json.begin_object().key("bytes").number(domain.bytes).key("contexts");
    places(domain.contexts);
    json.end_object();
  }
  json.end_array().key("cannot_share").begin_array();
  for (std::size_t a = 0; a < plan.estimates.size(); ++a)
    for (std::size_t b = a + 1; b < plan.estimates.size(); ++b)
      if (plan.can_share(a, a) && plan.can_share(b, b) && !plan.can_share(a, b)) places({a, b});
  json.end_array().end_object().end_object();
  return std::move(json).take();
}

/// The same for the default budget.
[[nodiscard]] inline std::string to_json(const MemoryReport& report) {
  return to_json(report, plan_domains(report));
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
