// The report at the end of a process, in plain text: broken rules, objects left alive, resources
// used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/objects/rpcmem_misuses.hpp"
#include "sim/objects/tally.hpp"
#include "sim/tables/rule_words.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Kind of object that the client has not released.
struct Leak {
  const char* what;
  std::uint64_t count;
  const char* remedy;  ///< call that releases it
  const char* rule;    ///< NULL for none
  std::string detail;
};

/// Misuses of one rule.
struct Misuses {
  std::uint64_t count;
  std::string rule;
  std::string first;  ///< text of the first misuse
};

/// The report of one process.
struct Report {
  std::vector<Misuses> broken;
  std::vector<Leak> leaks;
  std::uint64_t misuses = 0;
  std::uint64_t left_alive = 0;
  std::uint64_t unexpected = 0;  ///< Tally::unexpected
  bool unknown = false;          ///< The device stayed locked: only `text` is set.
  std::string text;

  /// True if the report contains misuses or live objects, or if its content is unknown.
  [[nodiscard]] bool complains() const noexcept {
    return unknown || misuses != 0 || left_alive != 0;
  }
};

namespace detail {

[[nodiscard]] inline unsigned long long wide(std::uint64_t number) noexcept { return number; }

inline void find_leaks(const Tally& tally, Report& report) {
  const Counters& c = tally.counters;
  const RpcmemCounters& rpcmem = tally.rpcmem;
  const auto add = [&report](const char* what, std::uint64_t count, const char* remedy,
                             const char* rule, std::string detail = {}) {
    if (count == 0) return;
    report.left_alive += count;
    report.leaks.push_back({what, count, remedy, rule, std::move(detail)});
  };
  const std::uint64_t failed = tally.of_failed_creations;
  const std::uint64_t fatal = tally.of_failed_deferrals;
  add("contexts of a failed creation", failed, "QnnContext_free", "ORD-14");
  add("contexts of a failed deferred creation", fatal, "QnnBackend_free", "ORD-17");
  add("contexts", c.live_contexts - failed - fatal, "QnnContext_free", "ORD-08",
      std::string{tally.graphs.get()});
  add("buffers of contexts never finalized", tally.unfinalized_buffers, "QnnMem_deRegister",
      "ORD-07");
  add("tensor registrations", c.live_tensor_registrations, "QnnMem_deRegister", "ORD-08");
  add("tensor registrations ended by QnnContext_free", c.left_registrations, "QnnMem_deRegister",
      "ORD-08");
  add("profiles", c.live_profiles, "QnnProfile_free", nullptr);
  add("signals", c.live_signals, "QnnSignal_free", nullptr);
  add("power configs", c.live_power_configs, "destroyPowerConfigId", nullptr);
  add("devices", c.live_devices, "QnnDevice_free", "ORD-08");
  add("platform infos", c.live_platform_infos, "QnnDevice_freePlatformInfo", nullptr);
  add("backends", c.live_backends, "QnnBackend_free", "ORD-08");
  add("loggers", c.live_logs, "QnnLog_free", "ORD-08");
  add("error texts", c.live_messages, "QnnError_freeVerboseMessage", nullptr);
  add("binary pieces", c.live_binary_pieces, "QnnContext_releaseIncrementalBinary", nullptr);
  add("rpcmem allocations", rpcmem.live_allocations, "rpcmem_free", "ALC-02",
      text("%llu bytes", wide(rpcmem.live_bytes)));
  add("FastRPC mappings", rpcmem.live_fastrpc_maps,
      "fastrpc_munmap, or remote_register_dma_handle with 0 bytes", nullptr);
  add("buffers announced to FastRPC", rpcmem.live_registered_buffers, "remote_register_buf with -1",
      nullptr);
}

inline void find_misuses(const Tally& tally, Report& report) {
  const auto add = [&report](std::uint64_t count, std::string rule, std::string first) {
    if (count == 0) return;
    report.misuses += count;
    report.broken.push_back({count, std::move(rule), std::move(first)});
  };
  for (std::uint32_t i = 0; i < tally.rules_count; ++i) {
    const std::string rule{tally.rules[i].rule.get()};
    std::string words{tally.rules[i].first.get()};
    // In "QnnContext_finalize: ORD-12: ..." the rule already has a separate column.
    const std::string repeated = ": " + rule + ": ";
    if (const auto at = words.find(repeated); at != std::string::npos)
      words.replace(at, repeated.size(), ": ");
    add(tally.rules[i].count, rule, std::move(words));
  }
  for (const RpcmemMisuse& misuse : rpcmem_misuses)
    add(tally.rpcmem.*misuse.count, misuse.rule,
        text("%s: %s%s", misuse.function, misuse.what,
             misuse.of_null == nullptr ? "" : ", or NULL of a failed allocation"));
  std::sort(report.broken.begin(), report.broken.end(), [](const Misuses& a, const Misuses& b) {
    return std::tie(a.rule, a.first) < std::tie(b.rule, b.first);
  });
}

/// Writes what the simulated HTP lacks, which is no fault of the client.
inline void write_lacks(const Tally& tally, std::string& out) {
  if (tally.lacks_count == 0) return;
  out += "\nlimits of the simulated HTP that calls have met: how often, and the first of each\n";
  for (std::uint32_t i = 0; i < tally.lacks_count; ++i)
    out += text("  %6llu  %s\n", wide(tally.lacks[i].count), tally.lacks[i].first.bytes);
}

inline void write_broken_rules(Report& report) {
  if (report.broken.empty()) return;
  report.text += "\nmisuses, by the rules of docs/rules.md\n";
  for (const Misuses& broken : report.broken) {
    report.text +=
        text("  %6llu  %s  %s\n", wide(broken.count), broken.rule.c_str(), broken.first.c_str());
    if (const char* const words = rule_words(broken.rule.c_str()))
      report.text += text("                  the rule: %s\n", words);
  }
}

/// Writes the functions that failed with their codes, in the order of the table of functions.
inline void write_failures(const Tally& tally, std::string& out) {
  if (tally.failed_count == 0) return;
  std::vector<const FailedCalls*> rows;
  for (std::uint32_t i = 0; i < tally.failed_count; ++i) rows.push_back(&tally.failed[i]);
  std::sort(rows.begin(), rows.end(), [](const FailedCalls* a, const FailedCalls* b) {
    return std::tie(a->slot, a->code, a->injected) < std::tie(b->slot, b->code, b->injected);
  });
  out += "\nfailed calls, by function and code, and the reason of the first of each\n";
  for (const FailedCalls* const row : rows) {
    const std::string_view why = row->first.get();
    out += text("  %6llu  %s: %u: %s\n", wide(row->count), name_of(static_cast<Slot>(row->slot)),
                row->code,
                row->injected != 0 ? "an injected fault"
                : why.empty()      ? "the call logs no reason"
                                   : std::string{why}.c_str());
  }
}

inline void write_leaks(Report& report) {
  if (report.leaks.empty()) return;
  report.text += "\nleft alive, never released by the client\n";
  for (const Leak& leak : report.leaks) {
    const std::string rule = leak.rule == nullptr ? "" : text(" (%s)", leak.rule);
    report.text += text("  %6llu  %s: %s%s%s%s\n", wide(leak.count), leak.what, leak.remedy,
                        rule.c_str(), leak.detail.empty() ? "" : "; ", leak.detail.c_str());
  }
}

/// A title and rows of numbers. Writes nothing if all numbers are 0.
class Numbers {
 public:
  explicit Numbers(const char* title) : title_(title) {}
  Numbers& row(const char* name, std::uint64_t number, const char* unit = "") {
    if (number != 0)
      rows_ += text("  %-44s %14llu%s%s\n", name, wide(number), *unit == '\0' ? "" : " ", unit);
    return *this;
  }
  void write(std::string& out) const {
    if (!rows_.empty()) out += text("\n%s\n", title_) + rows_;
  }

 private:
  const char* title_;
  std::string rows_;
};

inline void write_calls(const Tally& tally, std::string& out) {
  bool titled = false;
  for (std::size_t i = 0; i < c_api::slot_count; ++i) {
    if (tally.calls[i] == 0) continue;
    if (!titled) out += text("\n%-48s %12s %12s\n", "calls", "all", "failed");
    titled = true;
    out += text("  %-46s %12llu", name_of(static_cast<Slot>(i)), wide(tally.calls[i]));
    out += tally.failures[i] == 0 ? "\n" : text(" %12llu\n", wide(tally.failures[i]));
  }
}

inline void write_numbers(const Tally& tally, std::string& out) {
  const Counters& c = tally.counters;
  const RpcmemCounters& rpcmem = tally.rpcmem;
  Numbers("executions")
      .row("executions", c.executions)
      .row("tensors copied in", c.copied_in)
      .row("tensors copied in, bytes", c.copied_in_bytes)
      .row("tensors copied out", c.copied_out)
      .row("tensors copied out, bytes", c.copied_out_bytes)
      .row("tensors used in place", c.in_place)
      .row("tensors used in place, bytes", c.in_place_bytes)
      .row("unused copies (QMEM-02)", c.idle_copies)
      .row("unused copies, bytes (QMEM-02)", c.idle_copy_bytes)
      .row("copies allocated at execution, bytes (QMEM-03)", tally.io_taken_at_execution_bytes)
      .row("parallel to a sharer of spill-fill (BUF-12)", c.parallel_sharers)
      .row("graph switches", c.graph_switches)
      .write(out);
  Numbers("memory")
      .row("weights copied out of binaries, bytes", c.weights_loaded_bytes)
      .row("contexts refused for lack of room (RES-01)", c.pd_refusals)
      .row("most contexts at once", c.peak_contexts)
      .row("most registered, bytes", c.peak_mapped_bytes)
      .row("most external weights and spill-fill, bytes", c.peak_device_bytes)
      .row("most weights and spill-fill of the device, bytes", c.peak_internal_bytes)
      .row("most in all process domains, bytes", c.peak_pd_bytes)
      .row("rpcmem allocations", rpcmem.allocations)
      .row("rpcmem allocations that failed", rpcmem.failed_allocations)
      .row("rpcmem_free of memory that is still mapped", rpcmem.freed_while_mapped)
      .row("most rpcmem, bytes", rpcmem.peak_bytes)
      .write(out);
  Numbers("injected errors").row("faults that fired", c.faults_fired).write(out);
}

}  // namespace detail

/// Creates the report of a process.
inline Report report_of(const Tally& tally) {
  Report report;
  const Counters& c = tally.counters;
  detail::find_misuses(tally, report);
  detail::find_leaks(tally, report);
  report.unexpected = tally.unexpected;
  const auto plural = [](std::uint64_t count, const char* one, const char* many) {
    return text("%llu %s", detail::wide(count), count == 1 ? one : many);
  };
  const std::string calls = plural(c.calls, "call", "calls");
  const std::string failed =
      text("%llu of %s failed%s", detail::wide(c.failed_calls), calls.c_str(),
           tally.injected == 0 ? ""
           : tally.injected == c.failed_calls
               ? ", as injected"
               : text(", %llu of them as injected", detail::wide(tally.injected)).c_str());
  if (report.complains())
    report.text = text("simulated HTP: %s and %s left alive%s\n",
                       plural(report.misuses, "misuse", "misuses").c_str(),
                       plural(report.left_alive, "object", "objects").c_str(),
                       c.failed_calls == 0 ? (", in " + calls).c_str() : ("; " + failed).c_str());
  else if (c.failed_calls != 0)
    report.text = text("simulated HTP: %s; no misuse and nothing left alive\n", failed.c_str());
  else
    report.text = text("simulated HTP: all is well: no misuse and nothing left alive, in %s\n",
                       calls.c_str());
  detail::write_lacks(tally, report.text);
  detail::write_broken_rules(report);
  detail::write_leaks(report);
  detail::write_failures(tally, report.text);
  detail::write_calls(tally, report.text);
  detail::write_numbers(tally, report.text);
  return report;
}

}  // namespace qnnpp::sim
