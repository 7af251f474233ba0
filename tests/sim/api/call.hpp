// One call of the C API from start to end: locks the device, counts the call, injects faults, and
// delivers the call's log lines after the unlock.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/objects/client_booleans.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/lifetime.hpp"
#include "sim/objects/start.hpp"
#include "sim/objects/tally_update.hpp"
#include "sim/tables/status.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// True for a call that the DSP itself has to answer. These calls fail with 1011 after a fatal
/// restart.
[[nodiscard]] constexpr bool needs_dsp(Slot slot) noexcept {
  switch (slot) {
    case Slot::context_create:
    case Slot::context_create_from_binary:
    case Slot::context_create_from_binary_with_signal:
    case Slot::context_create_from_binary_list_async:
    case Slot::context_finalize:
    case Slot::graph_finalize:
    case Slot::graph_execute:
    case Slot::graph_execute_async:
    case Slot::device_create:
    case Slot::mem_register:
    case Slot::perf_create_power_config_id:
    case Slot::perf_set_power_config: return true;
    default: return false;
  }
}

/// True for a call that creates, completes or frees a context, or frees a backend. Setup calls of
/// one context must not overlap; creations and backendFree must not overlap any setup call of their
/// backend (THR-01).
[[nodiscard]] constexpr bool sets_up(Slot slot) noexcept {
  switch (slot) {
    case Slot::context_create:
    case Slot::context_create_from_binary:
    case Slot::context_create_from_binary_with_signal:
    case Slot::context_create_from_binary_with_callback:
    case Slot::context_create_from_binary_list_async:
    case Slot::context_finalize:
    case Slot::context_free:
    case Slot::backend_free: return true;
    default: return false;
  }
}

/// Makes objects of static storage in the first call of a function, as a host library does: its
/// exit() destroys them before objects of the program that are older than that call (PRC-04).
/// Requires the device's mutex.
inline void make_host_objects(Slot slot) {
  switch (slot) {
    case Slot::graph_create:
    case Slot::tensor_create_graph_tensor:
    case Slot::backend_validate_op_config:
    case Slot::graph_add_node:
    case Slot::graph_finalize:
    case Slot::context_get_binary: break;
    default: return;
  }
  const std::uint64_t bit = std::uint64_t{1} << static_cast<std::size_t>(slot);
  if ((device().host_objects & bit) != 0) return;
  device().host_objects |= bit;
  (void)std::atexit([] { device().is_over = true; });
}

/// One call of the C API: holds the device's mutex, and collects log lines until its end.
class Call {
 public:
  explicit Call(Slot slot) : Call(slot, sets_up(slot)) {}
  /// Starts a call. `is_setup` also marks calls that are setup calls only with certain arguments.
  Call(Slot slot, bool is_setup) : Call(slot, is_setup, Continued{}) {
    ++device_.tally->calls[static_cast<std::size_t>(slot)];
    ++device_.counted.calls;
    is_first_part_ = true;
    device_.tally->last_slot = static_cast<std::uint32_t>(slot);
    ++device_.tally->running;
    if (device_.is_over) {
      constexpr const char* words = "the process exits, and has destroyed the library's objects";
      crash("PRC-04", words);
      misuse("PRC-04", words);
    }
    if (device_.is_inherited) {
      constexpr const char* words = "a forked child calls a library that its parent has called";
      crash("PRC-01", words);
      misuse("PRC-01", words);
    }
    make_host_objects(slot);
    if (starts_library(slot) &&
        device_.config.start_failure != static_cast<std::uint32_t>(StartFailure::unknown_soc))
      device_.started = true;
    const Fault fault = device_.faults.next(static_cast<std::uint32_t>(slot));
    injected_ = fault.code;
    if (injected_ == 0) return;
    note_fault(fault);
    constexpr auto fatal =
        static_cast<std::uint32_t>(c_api::CommonError::system_communication_fatal);
    if (Faults::restarts(fault)) restart_subsystem(device_, injected_ == fatal);
  }
  /// Continues, on a thread of the device, a call that was counted earlier.
  struct Continued {};
  Call(Slot slot, Continued) : Call(slot, false, Continued{}) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  ~Call() {
    const std::shared_ptr<Logger> found = lines_.empty() ? nullptr : find_logger();
    const Logger logger = found == nullptr ? Logger{} : *found;
    if (lock_.owns_lock()) {
      if (is_first_part_) {
        --device_.tally->running;
        device_.tally->last_code = code_;
      }
      if (device_.has_mapped_tally) update_tally(device_);
      lock_.unlock();
    }
    if (setup_ != nullptr) device_.setup_calls.end(setup_);
    for (const LogLine& line : lines_) deliver(found == nullptr ? nullptr : &logger, line);
  }

  /// Returns the code that the call fails with before it does any work, or 0 to continue. A call
  /// that releases an object reports an injected fault at its end instead.
  [[nodiscard]] std::uint32_t gate() {
    if (injected_ != 0 && !releases(slot_)) return injected_;
    if (device_.subsystem == Subsystem::down && needs_dsp(slot_)) {
      refused_ = "the sub-system is down since a fatal restart";
      return static_cast<std::uint32_t>(c_api::CommonError::system_communication_fatal);
    }
    StartRefusal refusal =
        refusal_at_start(slot_, device_.config, device_.started, device_.devices.size() != 0);
    if (!refusal.lines.empty()) refused_ = refusal.lines.front().second;
    for (auto& [level, line] : refusal.lines) log(level, std::move(line));
    return refusal.code;
  }

  /// Makes a call to the DSP. Returns the code of its fault, or 0.
  [[nodiscard]] std::uint32_t remote() {
    ++device_.counted.remote_calls;
    return code_of_fault(remote_call);
  }
  /// Allocates rpcmem for the library itself. Returns false if there is none.
  [[nodiscard]] bool allocates() { return code_of_fault(own_allocation) == 0; }

  /// True if an injected fault decides the code that the call returns.
  [[nodiscard]] bool injected() const noexcept { return injected_ != 0; }

  /// Returns the code of a call that has succeeded.
  [[nodiscard]] c_api::ErrorHandle ok() { return injected_ != 0 ? fail(injected_) : 0; }

  /// Returns the code of a call that has failed, and logs the reason.
  [[nodiscard]] c_api::ErrorHandle fail(std::uint32_t code, const std::string& reason = {}) {
    if (injected_ != 0) code = injected_;
    code_ = code;
    const bool is_injected = injected_ != 0 || has_injected_part_;
    ++device_.counted.failed_calls;
    device_.tally->add_failure(slot_, code, is_injected, reason.empty() ? refused_ : reason);
    if (is_injected)
      ++device_.tally->injected;
    else if (!answers(slot_))
      ++device_.tally->unexpected;
    log(c_api::LogLevel::error, text("%s failed with %u%s%s", name_of(slot_), code,
                                     reason.empty() ? "" : ": ", reason.c_str()));
    return native(code);
  }
  template <class Code>
    requires std::is_enum_v<Code>
  [[nodiscard]] c_api::ErrorHandle fail(Code code, const std::string& reason = {}) {
    return fail(own_code(static_cast<std::uint32_t>(code)), reason);
  }
  [[nodiscard]] c_api::ErrorHandle fail(const Status& status) {
    if (!status.lacks.empty()) lack(status.lacks, status.reason);
    if (status.rule == nullptr) return fail(own_code(status.code), status.reason);
    if (status.crashes) crash(status.rule, status.reason);
    misuse(status.rule, status.reason);
    const std::uint32_t code = status.crashes ? device_.unconfirmed(Unconfirmed::crash, status.code)
                                              : own_code(status.code);
    return fail(code, text("%s: %s", status.rule, status.reason.c_str()));
  }

  /// Returns the code of a call that has freed the object with this number.
  [[nodiscard]] c_api::ErrorHandle freed(std::uint64_t id) {
    if (injected_ != 0) device_.freed_with_error.insert(id);
    return ok();
  }

  /// Adds the device's own high bits to a code, as the device returns it.
  template <class Code>
  [[nodiscard]] c_api::ErrorHandle native(Code code) const noexcept {
    return (std::uint64_t{device_.config.error_high_bits} << 16) | static_cast<std::uint32_t>(code);
  }

  /// Counts that the client broke a rule of docs/rules.md, and logs the sentence. The first
  /// sentence of each rule is also printed to stderr if no callback receives it.
  void misuse(const char* rule, const std::string& what) { misuse_of(name_of(slot_), rule, what); }
  /// Does the same for a function outside the QNN API.
  void misuse_of(const char* function, const char* rule, const std::string& what) {
    std::string line = text("%s: %s: %s", function, rule, what.c_str());
    const bool is_first = note_misuse(device_, rule, line, /*tell=*/false);
    log(c_api::LogLevel::error, std::move(line));
    lines_.back().notice = is_first;
  }

  /// Counts booleans of options that are neither 0 nor 1, each by what ClientBoolean::fault() says.
  void odd_booleans(const std::vector<std::string>& faults) {
    for (const std::string& fault : faults) misuse("CFG-01", fault);
  }
  void odd_boolean(const ClientBoolean& boolean) {
    if (const std::string fault = boolean.fault(); !fault.empty()) misuse("CFG-01", fault);
  }

  /// Counts something that the simulated HTP lacks. The first use of each `kind` is printed to
  /// stderr, whatever callback the client has.
  void lack(const std::string& kind, const std::string& what) {
    if (device_.tally->add_lack(kind, what)) notice(text("%s: %s", name_of(slot_), what.c_str()));
  }

  /// Aborts the process where the host library crashes or hangs, if the configuration demands it.
  /// Prints the misuses of this call before.
  void crash(const char* rule, const std::string& what) const {
    if (device_.config.crash == 0) return;
    for (const LogLine& line : lines_)
      if (line.notice) notice(line.text);
    std::fprintf(stderr, "simulated HTP: %s: %s: %s; the host library crashes or hangs here\n",
                 name_of(slot_), rule, what.c_str());
    std::abort();
  }

  void log(c_api::LogLevel level, std::string line) {
    lines_.push_back({level, now_us(), std::move(line)});
  }

  /// Sends the log lines to the logger of this backend, or to this logger. Without either call they
  /// are sent to the newest logger.
  void about_backend(std::uint64_t backend) {
    if (const auto found = device_.backends.find(backend)) logger_ = found->logger;
  }
  void about_logger(std::uint64_t logger) { logger_ = logger; }
  /// Names the backend and the context of a setup call; `context` is 0 for a call about the backend
  /// itself. Counts calls that must not overlap with it.
  void sets_up_in(std::uint64_t backend, std::uint64_t context) {
    if (setup_ == nullptr || device_.setup_calls.resolve(setup_, backend, context) == 0) return;
    misuse("THR-01", context == 0 ? "a context is created, or its backend freed, during another "
                                    "setup call of that backend"
                                  : "a setup call overlaps another one that the client "
                                    "must serialise with it");
  }

  /// Runs `work` with the device unlocked, so that other threads can use the device.
  template <class Work>
  auto unlocked(Work&& work) {
    struct Relock {
      std::unique_lock<std::mutex>& lock;
      ~Relock() { lock.lock(); }
    };
    lock_.unlock();
    const Relock relock{lock_};
    return work();
  }

  [[nodiscard]] Device& dev() const noexcept { return device_; }

  /// Marks the call as one about an object that the client composes. No host library confirms the
  /// codes of such calls, so a failing Status may get another code.
  void composes() noexcept { composes_ = true; }

 private:
  [[nodiscard]] std::uint32_t code_of_fault(std::uint32_t slot) {
    const Fault fault = device_.faults.next(slot);
    if (fault.code == 0) return 0;
    has_injected_part_ = true;
    note_fault(fault);
    return fault.code;
  }
  /// Counts a fault that fires. One of the environment is printed to stderr now, because the client
  /// may crash after it.
  void note_fault(const Fault& fault) {
    if (device_.counted.faults_fired++ == 0)
      device_.tally->first_fault = static_cast<std::uint32_t>(slot_);
    if (fault.tells)
      notice(line_of(fault, device_.counted.calls, slot_,
                     device_.tally->calls[static_cast<std::size_t>(slot_)]));
  }
  [[nodiscard]] std::uint32_t own_code(std::uint32_t code) const noexcept {
    return composes_ ? device_.unconfirmed(Unconfirmed::composing, code) : code;
  }
  [[nodiscard]] std::shared_ptr<Logger> find_logger() const {
    if (const auto logger = device_.logs.find(logger_)) return logger;
    if (logger_ != 0) return nullptr;
    const auto& all = device_.logs.all();
    return all.empty() ? device_.early_logger : all.rbegin()->second;
  }

  Call(Slot slot, bool is_setup, Continued)
      : device_(device()),
        slot_(slot),
        setup_(is_setup ? device_.setup_calls.begin() : nullptr),
        lock_(device_.mutex) {}

  Device& device_;
  Slot slot_;
  std::shared_ptr<SetupScope> setup_;  ///< before `lock_`: counts calls that wait, too
  std::unique_lock<std::mutex> lock_;
  std::uint32_t injected_ = 0;
  std::uint32_t code_ = 0;          ///< of fail(); 0 after a success
  bool is_first_part_ = false;      ///< false for a call that is continued (Continued)
  bool has_injected_part_ = false;  ///< a remote call or an allocation has failed by a fault
  std::string refused_;             ///< why gate() refuses the call
  std::uint64_t logger_ = 0;
  bool composes_ = false;
  std::vector<LogLine> lines_;
};

/// Words for a handle of each kind: one text for an unknown handle, one for a freed object.
struct HandleWords {
  const char* unknown;
  const char* freed;
};
[[nodiscard]] constexpr HandleWords handle_words(HandleKind kind) noexcept {
  switch (kind) {
    case HandleKind::log: return {"unknown logger handle", "the logger is freed already"};
    case HandleKind::backend: return {"unknown backend handle", "the backend is freed already"};
    case HandleKind::device: return {"unknown device handle", "the device is freed already"};
    case HandleKind::context: return {"unknown context handle", "the context is freed already"};
    case HandleKind::graph: return {"unknown graph handle", "the graph's context is freed"};
    case HandleKind::profile: return {"unknown profile handle", "the profile is freed already"};
    case HandleKind::signal: return {"unknown signal handle", "the signal is freed already"};
    default: return {"unknown handle", "the object is freed already"};
  }
}

/// Status for a handle without a live object: `code`, and a misuse if the client has freed the
/// object (ORD-09). No misuse: a number that no call returned, and an object that a restart, a
/// failed creation or an injected error has destroyed.
template <class Object, HandleKind kind, class Code>
[[nodiscard]] Status unknown(const Call& call, const HandleTable<Object, kind>& table,
                             std::uint64_t id, Code code) {
  constexpr HandleWords words = handle_words(kind);
  return !call.injected() && call.dev().is_freed(table, id) ? misused(code, "ORD-09", words.freed)
                                                            : failure(code, words.unknown);
}
template <class Object, HandleKind kind, class Opaque, class Code>
[[nodiscard]] Status unknown(const Call& call, const HandleTable<Object, kind>& table,
                             Opaque* handle, Code code) {
  return unknown(call, table, id_of(handle), code);
}

/// Words for a handle without a live object to which the library returns 0 all the same.
template <class Object, HandleKind kind>
[[nodiscard]] std::string dead_handle_words(const HandleTable<Object, kind>& table,
                                            std::uint64_t id) {
  const bool is_freed = table.is_stale(id);
  return text("%s; the library returns 0",
              is_freed ? handle_words(kind).freed : "no call has returned this handle");
}

/// A profile that a call fills. Empty for a NULL handle; `bad` for an unknown handle; `busy` for a
/// profile in use.
class ProfileUse {
 public:
  ProfileUse(Call& call, c_api::ProfileHandle handle) {
    if (handle == nullptr) return;
    profile_ = call.dev().profiles.find(handle);
    bad_ = profile_ == nullptr;
    if (bad_) return;
    if (profile_->in_use) {
      busy_ = true;
      profile_ = nullptr;
      return;
    }
    profile_->in_use = true;
    profile_->reset();
    started_us_ = now_us();
  }
  ProfileUse(const ProfileUse&) = delete;
  ProfileUse& operator=(const ProfileUse&) = delete;
  ~ProfileUse() {
    if (profile_ != nullptr) profile_->in_use = false;
  }

  [[nodiscard]] bool bad() const noexcept { return bad_; }
  [[nodiscard]] bool busy() const noexcept { return busy_; }
  [[nodiscard]] Profile* get() const noexcept { return profile_.get(); }
  [[nodiscard]] std::uint64_t elapsed_us() const noexcept { return now_us() - started_us_; }

  /// Adds events of these types, all with the duration of the whole call.
  void finish(std::initializer_list<c_api::ProfileEventType> types) {
    if (profile_ == nullptr) return;
    const std::uint64_t time_us = elapsed_us();
    for (const c_api::ProfileEventType type : types) profile_->add(type, time_us);
  }
  /// Adds the events of loading a binary: the time of the whole call, and of its remote calls.
  void finish_load() {
    using namespace c_api::htp_profile_event_type;
    finish({context_load_bin_host_rpc_time_microsec, context_load_bin_htp_rpc_time_microsec,
            c_api::profile_event_type::init});
  }

 private:
  std::shared_ptr<Profile> profile_;
  std::uint64_t started_us_ = 0;
  bool bad_ = false;
  bool busy_ = false;
};

/// A signal in use by a call. Empty for a NULL handle; `bad` and `busy` as for ProfileUse.
class SignalUse {
 public:
  SignalUse(Call& call, c_api::SignalHandle handle, const Heed& heed = {}) {
    if (handle == nullptr) return;
    signal_ = call.dev().signals.find(handle);
    if (signal_ == nullptr) {
      bad_ = true;
    } else if (!signal_->begin(heed)) {
      busy_ = true;
      signal_ = nullptr;
    }
  }
  SignalUse(const SignalUse&) = delete;
  SignalUse& operator=(const SignalUse&) = delete;
  ~SignalUse() {
    if (signal_ != nullptr) signal_->end();
  }

  [[nodiscard]] bool bad() const noexcept { return bad_; }
  [[nodiscard]] bool busy() const noexcept { return busy_; }
  [[nodiscard]] Interruption state() const {
    return signal_ == nullptr ? Interruption::none : signal_->state();
  }
  /// Waits for `time`, or until the signal ends the call.
  void pause(std::chrono::microseconds time) const {
    if (signal_ == nullptr)
      std::this_thread::sleep_for(time);
    else
      signal_->pause(time);
  }
  /// Lets the call heed aborts from now on, and a trigger wait for its end; not after ignore().
  void heed() const {
    if (signal_ != nullptr && !ignored_) signal_->heed_aborts();
  }
  /// Lets the rest of the call go on whatever happens to the signal.
  void ignore() const {
    ignored_ = true;
    if (signal_ != nullptr) signal_->change({false, false, false});
  }

 private:
  std::shared_ptr<Signal> signal_;
  bool bad_ = false;
  bool busy_ = false;
  mutable bool ignored_ = false;
};

}  // namespace qnnpp::sim
