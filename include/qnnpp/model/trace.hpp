// Trace: calls of QNN and memory over time, as a file for the viewers of Perfetto and Chrome.
// Needs nlohmann-json: link qnnpp::json.
//
//   model::Trace trace;
//   auto loaded = model::load(backend, rpcmem, paths,
//                             {.progress = trace.on_progress(), .profile = &profile});
//   trace.add_memory(loaded->report());
//   trace.add(profile);
//   trace.write("run.json");  // Open it in ui.perfetto.dev.
#pragma once

#include "qnnpp/config.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "qnnpp/abi/profile.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/model/json.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

namespace detail {

/// A step of load(), from its report of progress to the next one.
struct TracedStep {
  std::size_t load = 0;  ///< Number of the callback that it was reported to.
  std::string binary;
  std::size_t context = 0;
  Step step = Step::creating;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;  ///< 0: no later report.
  std::uint64_t thread = 0;
};

/// The steps that the callbacks of Trace::on_progress() report.
struct TracedSteps : RefCounted<TracedSteps> {
  std::vector<TracedStep> all;
  std::size_t loads = 0;  ///< Number of callbacks.

  void add(std::size_t load, const Progress& progress) {
    const std::uint64_t now = qnnpp::detail::now_ns();
    // The last step of a load that failed has no known end.
    if (!all.empty() && all.back().load == load && all.back().end_ns == 0) all.back().end_ns = now;
    TracedStep step{.load = load,
                    .binary = progress.binary,
                    .context = progress.context,
                    .step = progress.step,
                    .start_ns = now,
                    .thread = static_cast<std::uint64_t>(::gettid())};
    if (progress.step == Step::loaded) step.end_ns = now;
    all.push_back(std::move(step));
  }
};

/// Bytes at a time.
struct TracedBytes {
  std::uint64_t time_ns = 0;
  std::vector<std::pair<std::string, std::uint64_t>> series;
};

/// Memory of a model that is allocated or released at a time.
struct TracedChange {
  enum Part : std::size_t { weights, spill_fill, binary };

  std::uint64_t time_ns = 0;
  std::string context;  ///< Its name; empty: shared by all contexts.
  Part part = weights;
  std::uint64_t bytes = 0;
  bool grows = true;
};

}  // namespace detail

/// Calls of QNN, steps of loading and memory over time, in the Trace Event Format of Chrome, which
/// Perfetto reads too. A value that copies what it is given.
///
/// Each call is a slice of the thread that made it, from ProfileRecord::start_ns to end_ns; its
/// arguments are its events. An event that states a time is an instant there, if that time lies in
/// its call when read as microseconds of std::chrono::steady_clock. QNN does not state the clock,
/// so other times stay in the arguments, as events without a time do.
///
/// Threads: only one thread at a time may use a trace.
class Trace {
 public:
  /// Makes an empty trace.
  Trace() : steps_(Ref<detail::TracedSteps>::make()) {}

  /// Adds calls.
  void add(const ProfileRecord& record) { records_.push_back(record); }
  /// Adds calls.
  void add(const std::vector<ProfileRecord>& records) {
    records_.insert(records_.end(), records.begin(), records.end());
  }
  /// Adds all calls that the profile has recorded.
  void add(const Profile& profile) { add(profile.records()); }

  /// Adds a point to the counter `name`: `bytes` are in use from `time_ns` on, a time of
  /// std::chrono::steady_clock in nanoseconds.
  void add_memory(const std::string& name, std::uint64_t time_ns, std::uint64_t bytes) {
    counters_[name].push_back({time_ns, {{"bytes", bytes}}});
  }

  /// Returns a callback for LoadOptions::progress of one load. The callback adds each step of
  /// loading, and then calls `next`, if that is not empty. A step ends when the next step of its
  /// load begins; the step at which a load fails is an instant. The callback may outlive the trace.
  [[nodiscard]] ProgressCallback on_progress(ProgressCallback next = {}) const {
    return [steps = steps_, load = ++steps_->loads, after = std::move(next)](const Progress& step) {
      steps->add(load, step);
      return !after || after(step);
    };
  }

  /// Adds the memory of each context and of all over the steps of on_progress(): weights,
  /// spill-fill and binaries, by the numbers of `report`. Does nothing for a context without steps.
  ///
  /// A report belongs to the last load of binaries with its names. If a program loads the same
  /// binaries again, it adds the first report before. The memory of all is the sum of all reports
  /// that are added, to the end of the trace: the trace does not see that a model is destroyed.
  ///
  /// Weights and spill-fill count from the step that allocates them: `registering` for buffers of
  /// the application, else `loaded`. A binary counts from `creating` to `loaded`, or without end if
  /// `persistent_binaries`, as in LoadOptions. Unknown numbers count as 0.
  void add_memory(const MemoryReport& report, bool persistent_binaries = false);

  /// Returns the trace as JSON.
  [[nodiscard]] std::string text() const;

  /// Writes the trace to a file, which it replaces atomically. Follows symbolic links: the file
  /// that standard output is redirected to is replaced through "/dev/stdout" too, so print text()
  /// instead. Errors: `file_unwritable`, also if the target is not a regular file;
  /// `invalid_argument` if the path contains a NUL.
  [[nodiscard]] Result<void> write(const std::string& path) const {
    return detail::replace_file(path, text());
  }

 private:
  using JsonWriter = detail::JsonWriter;
  using Counters = std::map<std::string, std::vector<detail::TracedBytes>>;

  static void write_time(JsonWriter& out, std::string_view name, std::uint64_t ns) {
    out.key(name);
    out.number(qnnpp::detail::us_text(ns));
  }
  /// Writes the members that all events have.
  void write_head(JsonWriter& out, const char* phase, std::string_view name,
                  std::uint64_t thread) const {
    out.member("ph", phase);
    out.member("name", name);
    out.member("pid", process_);
    out.member("tid", thread);
  }
  void write_slice(JsonWriter& out, std::string_view name, std::uint64_t thread,
                   std::uint64_t start_ns, std::uint64_t end_ns) const {
    write_head(out, "X", name, thread);
    write_time(out, "ts", start_ns);
    write_time(out, "dur", std::max(end_ns, start_ns) - start_ns);
  }
  void write_instant(JsonWriter& out, std::string_view name, std::uint64_t thread,
                     std::uint64_t time_ns) const {
    write_head(out, "i", name, thread);
    write_time(out, "ts", time_ns);
    out.member("s", "t");
  }
  void write_name(JsonWriter& out, const char* what, const std::string& name,
                  std::uint64_t thread) const {
    out.object([&] {
      write_head(out, "M", what, thread);
      out.key("args");
      out.object([&] { out.member("name", name); });
    });
  }
  void write(JsonWriter& out, const ProfileRecord& record) const;
  void write(JsonWriter& out, const detail::TracedStep& step) const;
  static void write_arguments(JsonWriter& out, const ProfileRecord& record);
  void write(JsonWriter& out, const Counters& counters) const;
  /// Returns the memory of all reports over time.
  [[nodiscard]] Counters memory_counters() const;

  std::uint64_t process_ = static_cast<std::uint64_t>(::getpid());
  std::vector<ProfileRecord> records_;
  Ref<detail::TracedSteps> steps_;
  Counters counters_;
  std::vector<detail::TracedChange> memory_;
};

inline void Trace::add_memory(const MemoryReport& report, bool persistent_binaries) {
  using Change = detail::TracedChange;
  // Times of the last try of each context.
  const std::size_t count = report.contexts.size();
  std::vector<std::uint64_t> creating(count), registering(count), loaded(count);
  for (const detail::TracedStep& step : steps_->all) {
    if (step.context >= count || step.binary != report.contexts[step.context].name) continue;
    if (step.step == Step::creating) creating[step.context] = step.start_ns;
    if (step.step == Step::creating) registering[step.context] = 0;
    if (step.step == Step::registering) registering[step.context] = step.start_ns;
    if (step.step == Step::loaded) loaded[step.context] = step.start_ns;
  }
  const bool is_shared = report.sharing != SpillFillSharing::none;
  std::vector<Change> changes;
  std::uint64_t first = UINT64_MAX;
  for (std::size_t i = 0; i < count; ++i) {
    if (loaded[i] == 0) continue;
    const ContextMemory& context = report.contexts[i];
    const std::uint64_t allocated = registering[i] != 0 ? registering[i] : loaded[i];
    first = std::min(first, allocated);
    const auto add = [&](std::uint64_t time_ns, Change::Part part, std::uint64_t bytes,
                         bool grows = true) {
      changes.push_back({time_ns, context.name, part, bytes, grows});
    };
    add(creating[i], Change::binary, context.file_bytes);
    if (!persistent_binaries) add(loaded[i], Change::binary, context.file_bytes, false);
    add(allocated, Change::weights, context.weights.or_zero());
    if (!is_shared) add(allocated, Change::spill_fill, context.spill_fill.or_zero());
  }
  if (changes.empty()) return;
  if (is_shared) changes.push_back({first, {}, Change::spill_fill, report.spill_fill().bytes});
  memory_.insert(memory_.end(), changes.begin(), changes.end());
}

inline Trace::Counters Trace::memory_counters() const {
  using Change = detail::TracedChange;
  std::vector<Change> changes = memory_;
  // At one time, memory is counted before it is released.
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tuple(a.time_ns, !a.grows, std::string_view(a.context), a.part) <
           std::tuple(b.time_ns, !b.grows, std::string_view(b.context), b.part);
  });
  Counters counters;
  std::map<std::string, std::array<std::uint64_t, 3>> used;
  for (const Change& change : changes) {
    const auto add = [&](const std::string& counter) {
      std::array<std::uint64_t, 3>& bytes = used[counter];
      bytes[change.part] += change.grows ? change.bytes : 0 - change.bytes;
      counters[counter].push_back({change.time_ns,
                                   {{"weights", bytes[Change::weights]},
                                    {"spill-fill", bytes[Change::spill_fill]},
                                    {"binaries", bytes[Change::binary]}}});
    };
    add("memory");
    if (!change.context.empty()) add("memory of " + change.context);
  }
  return counters;
}

inline void Trace::write_arguments(JsonWriter& out, const ProfileRecord& record) {
  // A viewer needs a different name for each argument.
  std::map<std::string, std::size_t> uses;
  std::vector<std::string> labels;  // Of the events above, by depth.
  for (const ProfileEvent& event : record.events) {
    const bool is_node = event.type == c_api::profile_event_type::node && !event.node.empty();
    std::string label = is_node ? event.node : event_name(event.type);
    if (label == "unknown event") label += " " + std::to_string(event.type);
    labels.resize(event.depth);
    labels.push_back(event.depth == 0 ? label : labels.back() + ": " + label);
    std::string name = labels.back();
    if (const std::string_view unit = unit_name(event.unit); !unit.empty())
      name.append(" [").append(unit).append("]");
    if (const std::size_t use = ++uses[name]; use != 1) name += " #" + std::to_string(use);
    const bool is_object = event.unit == c_api::profile_event_unit::object;
    out.member(name, is_object ? std::uint64_t{event.object.size()} : event.value);
  }
  if (!record.succeeded) out.member("failed", true);
  if (record.error) out.member("events are missing", record.error->message());
}

inline void Trace::write(JsonWriter& out, const ProfileRecord& record) const {
  out.object([&] {
    write_slice(out, std::string(record.call) + ' ' + record.object, record.thread, record.start_ns,
                record.end_ns);
    out.key("args");
    out.object([&] { write_arguments(out, record); });
  });
  for (const ProfileEvent& event : record.events) {
    constexpr std::uint64_t us = qnnpp::detail::ns_per_us;
    if (!event.time || *event.time > record.end_ns / us || *event.time < record.start_ns / us)
      continue;
    out.object([&] {
      write_instant(out, event.node.empty() ? event_name(event.type) : event.node, record.thread,
                    std::max(*event.time * us, record.start_ns));
    });
  }
}

inline void Trace::write(JsonWriter& out, const detail::TracedStep& step) const {
  const std::string name = std::string(name_of(step.step)) + ' ' + step.binary;
  out.object([&] {
    if (step.step == Step::loaded || step.end_ns == 0)
      write_instant(out, name, step.thread, step.start_ns);
    else
      write_slice(out, name, step.thread, step.start_ns, step.end_ns);
  });
}

inline void Trace::write(JsonWriter& out, const Counters& counters) const {
  for (const auto& counter : counters)  // clang 14: a lambda captures no structured binding.
    for (const detail::TracedBytes& point : counter.second)
      out.object([&] {
        write_head(out, "C", counter.first, process_);
        write_time(out, "ts", point.time_ns);
        out.key("args");
        out.object([&] {
          for (const auto& [series, bytes] : point.series) out.member(series, bytes);
        });
      });
}

inline std::string Trace::text() const {
  JsonWriter out;
  out.object([&] {
    out.key("traceEvents");
    out.array([&] {
      write_name(out, "process_name", "qnnpp", process_);
      std::vector<std::uint64_t> threads;
      for (const ProfileRecord& record : records_) threads.push_back(record.thread);
      for (const detail::TracedStep& step : steps_->all) threads.push_back(step.thread);
      std::sort(threads.begin(), threads.end());
      threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
      for (const std::uint64_t thread : threads)
        write_name(out, "thread_name", "thread " + std::to_string(thread), thread);
      for (const detail::TracedStep& step : steps_->all) write(out, step);
      for (const ProfileRecord& record : records_) write(out, record);
      write(out, counters_);
      write(out, memory_counters());
    });
    out.member("displayTimeUnit", "ns");
  });
  return std::move(out).take() + '\n';
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
