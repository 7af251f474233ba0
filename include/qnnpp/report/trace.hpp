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
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "qnnpp/abi/profile.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/report/json.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

namespace detail {

/// A phase of load(), from its report of progress to the next one.
struct TracedPhase {
  std::size_t load = 0;  ///< Number of the callback that it was reported to.
  std::string binary;
  std::size_t context = 0;
  LoadPhase phase = LoadPhase::creating;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;  ///< 0: no later report.
  std::uint64_t thread = 0;
};

/// The phases that the callbacks of Trace::on_progress() report.
/// Thread-safe, because each load may run on a thread of its own.
class TracedPhases : public RefCounted<TracedPhases> {
 public:
  /// Returns the number of a further load.
  [[nodiscard]] std::size_t add_load() {
    const std::lock_guard guard(mutex_);
    return loads_++;
  }
  /// Returns a copy of all phases.
  [[nodiscard]] std::vector<TracedPhase> all() const {
    const std::lock_guard guard(mutex_);
    return all_;
  }
  void add(std::size_t load, const Progress& progress) {
    const std::lock_guard guard(mutex_);
    const std::uint64_t now = qnnpp::detail::now_ns();
    // The last phase of a load that failed has no known end.
    const auto last = std::find_if(all_.rbegin(), all_.rend(),
                                   [&](const TracedPhase& phase) { return phase.load == load; });
    if (last != all_.rend() && last->end_ns == 0) last->end_ns = now;
    TracedPhase phase{.load = load,
                      .binary = progress.binary,
                      .context = progress.context,
                      .phase = progress.phase,
                      .start_ns = now,
                      .thread = static_cast<std::uint64_t>(::gettid())};
    if (progress.phase == LoadPhase::loaded) phase.end_ns = now;
    all_.push_back(std::move(phase));
  }

 private:
  mutable std::mutex mutex_;
  std::vector<TracedPhase> all_;
  std::size_t loads_ = 0;
};

/// Times of a context in one load; 0: it did not come so far.
struct TracedContext {
  std::uint64_t creating_ns = 0;
  std::uint64_t registering_ns = 0;
  std::uint64_t loaded_ns = 0;
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

/// Contract message for a trace that was moved from.
inline constexpr char moved_trace[] =
    "the trace was moved from; use the object that it was moved to, or create another";

}  // namespace detail

/// Calls of QNN, phases of loading and memory over time, in the Trace Event Format of Chrome, which
/// Perfetto reads too. Copies what it is given. Move-only, because its callbacks add to it.
///
/// Each call is a slice of the thread that made it, from ProfileRecord::start_ns to end_ns; its
/// arguments are its events. An event that states a time is an instant there, if that time lies in
/// its call when read as microseconds of std::chrono::steady_clock. QNN does not state the clock.
/// All other events are arguments only.
///
/// Threads: only one thread at a time may use a trace. The callbacks of on_progress() may be called
/// on other threads at the same time.
class Trace {
 public:
  /// Makes an empty trace.
  Trace() : phases_(Ref<detail::TracedPhases>::make()) {}
  /// Moves the trace, and the phases that its callbacks add from now on.
  Trace(Trace&&) noexcept = default;
  /// Moves the trace, in place of the old one, and the phases that its callbacks add from now on.
  Trace& operator=(Trace&&) noexcept = default;

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

  /// Returns a callback for LoadOptions::progress of one load. The callback adds each phase of
  /// loading, and then calls `next`, if that is not empty. A phase ends when the next phase of its
  /// load begins; the phase at which a load fails is an instant. The callback may outlive the
  /// trace.
  [[nodiscard]] ProgressCallback on_progress(ProgressCallback next = {}) const {
    qnnpp::detail::expects(phases_, detail::moved_trace);
    return [phases = phases_, load = phases_->add_load(),
            after = std::move(next)](const Progress& phase) {
      phases->add(load, phase);
      return !after || after(phase);
    };
  }

  /// Adds the memory of each context and of all over the phases of on_progress(): weights,
  /// spill-fill and binaries, by the numbers of `report`.
  ///
  /// The phases are those of the last load that loaded all contexts of the report and has no report
  /// yet; without such a load, the report is not added. The memory of all is the sum of all reports
  /// that are added, to the end of the trace: the trace does not see that a model is destroyed.
  ///
  /// Weights and spill-fill count from the phase that allocates them: `registering` for buffers of
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
  void write(JsonWriter& out, const detail::TracedPhase& phase) const;
  /// Returns the name of a node, or of the event's type.
  [[nodiscard]] static std::string label_of(const ProfileEvent& event);
  static void write_arguments(JsonWriter& out, const ProfileRecord& record);
  void write(JsonWriter& out, const Counters& counters) const;
  /// Returns the times of the contexts in the last load that loaded all of them and has no report
  /// yet, and marks that load; empty without such a load.
  [[nodiscard]] std::vector<detail::TracedContext> take_load(const MemoryReport& report);
  /// Returns the memory of all reports over time.
  [[nodiscard]] Counters memory_counters() const;

  std::uint64_t process_ = static_cast<std::uint64_t>(::getpid());
  std::vector<ProfileRecord> records_;
  Ref<detail::TracedPhases> phases_;
  Counters counters_;
  std::vector<detail::TracedChange> memory_;
  std::set<std::size_t> reported_;  ///< Numbers of the loads that have a report.
};

inline std::vector<detail::TracedContext> Trace::take_load(const MemoryReport& report) {
  qnnpp::detail::expects(phases_, detail::moved_trace);
  std::map<std::size_t, std::vector<detail::TracedContext>> loads;
  for (const detail::TracedPhase& phase : phases_->all()) {
    if (phase.context >= report.contexts.size() ||
        phase.binary != report.contexts[phase.context].name || reported_.contains(phase.load))
      continue;
    std::vector<detail::TracedContext>& contexts = loads[phase.load];
    contexts.resize(report.contexts.size());
    detail::TracedContext& context = contexts[phase.context];
    if (phase.phase == LoadPhase::creating)
      context = {.creating_ns = phase.start_ns};  // A further try.
    if (phase.phase == LoadPhase::registering) context.registering_ns = phase.start_ns;
    if (phase.phase == LoadPhase::loaded) context.loaded_ns = phase.start_ns;
  }
  const auto last = std::find_if(loads.rbegin(), loads.rend(), [](const auto& load) {
    return std::all_of(load.second.begin(), load.second.end(),
                       [](const auto& context) { return context.loaded_ns != 0; });
  });
  if (last == loads.rend()) return {};
  reported_.insert(last->first);
  return std::move(last->second);
}

inline void Trace::add_memory(const MemoryReport& report, bool persistent_binaries) {
  using Change = detail::TracedChange;
  const std::vector<detail::TracedContext> loaded = take_load(report);
  const bool is_shared = report.sharing != SpillFillSharing::none;
  std::uint64_t first = UINT64_MAX;
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    const ContextMemory& context = report.contexts[i];
    const auto& [creating_ns, registering_ns, loaded_ns] = loaded[i];
    const std::uint64_t allocated_ns = registering_ns != 0 ? registering_ns : loaded_ns;
    first = std::min(first, allocated_ns);
    const auto add = [&](std::uint64_t time_ns, Change::Part part, std::uint64_t bytes,
                         bool grows = true) {
      memory_.push_back({time_ns, context.name, part, bytes, grows});
    };
    add(creating_ns, Change::binary, context.file_bytes);
    if (!persistent_binaries) add(loaded_ns, Change::binary, context.file_bytes, false);
    add(allocated_ns, Change::weights, context.weights.or_zero());
    if (!is_shared) add(allocated_ns, Change::spill_fill, context.spill_fill.or_zero());
  }
  if (is_shared && !loaded.empty())
    memory_.push_back({first, {}, Change::spill_fill, report.spill_fill().bytes});
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

inline std::string Trace::label_of(const ProfileEvent& event) {
  if (event.type == c_api::profile_event_type::node && !event.node.empty()) return event.node;
  const std::string label = event_name(event.type);
  return label == "unknown event" ? label + ' ' + std::to_string(event.type) : label;
}

inline void Trace::write_arguments(JsonWriter& out, const ProfileRecord& record) {
  constexpr const char* failed = "failed";
  constexpr const char* missing = "events are missing";
  // Names as they are written, because bytes that are no UTF-8 are replaced. A viewer needs a
  // different name for each argument.
  std::set<std::string> used = {detail::json_string(failed), detail::json_string(missing)};
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < record.events.size(); ++i) {
    const ProfileEvent& event = record.events[i];
    std::string name = label_of(event);
    if (event.parent < i) name = label_of(record.events[event.parent]) + ": " + name;
    if (const std::string_view unit = unit_name(event.unit); !unit.empty())
      name.append(" [").append(unit).append("]");
    std::string unique = name;
    for (std::size_t& number = numbers[name]; !used.insert(detail::json_string(unique)).second;)
      unique = name + " #" + std::to_string(number = std::max<std::size_t>(number, 1) + 1);
    const bool is_object = event.unit == c_api::profile_event_unit::object;
    out.member(unique, is_object ? std::uint64_t{event.object.size()} : event.value);
  }
  if (!record.succeeded) out.member(failed, true);
  if (record.error) out.member(missing, record.error->message());
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

inline void Trace::write(JsonWriter& out, const detail::TracedPhase& phase) const {
  const std::string name = std::string(name_of(phase.phase)) + ' ' + phase.binary;
  out.object([&] {
    if (phase.phase == LoadPhase::loaded || phase.end_ns == 0)
      write_instant(out, name, phase.thread, phase.start_ns);
    else
      write_slice(out, name, phase.thread, phase.start_ns, phase.end_ns);
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
  qnnpp::detail::expects(phases_, detail::moved_trace);
  const std::vector<detail::TracedPhase> phases = phases_->all();
  JsonWriter out;
  out.object([&] {
    out.key("traceEvents");
    out.array([&] {
      write_name(out, "process_name", "qnnpp", process_);
      std::vector<std::uint64_t> threads;
      for (const ProfileRecord& record : records_) threads.push_back(record.thread);
      for (const detail::TracedPhase& phase : phases) threads.push_back(phase.thread);
      std::sort(threads.begin(), threads.end());
      threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
      for (const std::uint64_t thread : threads)
        write_name(out, "thread_name", "thread " + std::to_string(thread), thread);
      for (const detail::TracedPhase& phase : phases) write(out, phase);
      for (const ProfileRecord& record : records_) write(out, record);
      write(out, counters_);
      write(out, memory_counters());
    });
    out.member("displayTimeUnit", "ns");
  });
  return std::move(out).take() + '\n';
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
