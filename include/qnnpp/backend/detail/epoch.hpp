// Epoch: reports whether a restart of the DSP killed a context, even if a call of another context
// noticed the restart; and whether the exit of the process, or a fork, killed all.
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <cstdint>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/core/detail/forked.hpp"
#include "qnnpp/core/detail/never_destroyed.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/ref.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Counts the restarts of the DSP that calls of one backend reported, and knows whether the process
/// exits or is a forked child: fork() ends all logs in the child, so that an execution needs no
/// check of its own (PRC-01). Thread-safe.
class RestartLog : public RefCounted<RestartLog> {
 public:
  RestartLog() noexcept;
  ~RestartLog();

  /// Number of restarts so far.
  [[nodiscard]] std::uint32_t restarts() const noexcept {
    return restarts_.load(std::memory_order_acquire);
  }

  /// Ends `log` when the process exits, before it destroys the objects of static storage that exist
  /// now: those of QNN's library, which its functions need, and older ones of the program, whose
  /// destructors therefore must call none of them (PRC-04). Keeps `log`, and the code of this
  /// function, until then.
  static void end_at_exit(const Ref<RestartLog>& log) noexcept;
  /// Kills every context and forbids every call, for the rest of the process (PRC-04).
  void end() noexcept { first_alive_.store(no_context); }
  /// Notes the C handle of the backend, by the library's QnnBackend_free.
  void note(const void* library, const void* backend) noexcept {
    library_.store(library, std::memory_order_relaxed);
    backend_.store(backend, std::memory_order_release);
  }
  /// Notes the C handle of the backend, unless another log of this copy of qnnpp has it. Returns
  /// whether it did.
  [[nodiscard]] bool claim(const void* library, const void* backend) noexcept;
  /// Ends note() and claim(), before the backend is freed or given back.
  void disclaim() noexcept { backend_.store(nullptr, std::memory_order_relaxed); }

  /// Whether end() was called.
  [[nodiscard]] bool has_ended() const noexcept { return first_alive_.load() == no_context; }

 private:
  static constexpr std::uint64_t no_context = UINT64_MAX;
  friend struct Epoch;
  friend struct NodeList<RestartLog>;

  /// Installs the handlers of fork() once; the child's ends all logs and allocates nothing.
  static void end_at_fork() noexcept;

  // Aligned so that both numbers, which each execution reads, are in one cache line.
  alignas(16) std::atomic<std::uint64_t> created_{0};  // contexts created so far
  std::atomic<std::uint64_t> first_alive_{0};          // contexts with lower numbers are dead
  ErrorLines& lines_ = *error_lines;
  std::atomic<std::uint32_t> restarts_{0};
  // The backend's C handle, null without one, and the library to which it belongs.
  std::atomic<const void*> backend_{nullptr};
  std::atomic<const void*> library_{nullptr};
  RestartLog* next = nullptr;   // guarded by the mutex of the list
  NodeList<RestartLog>* list_;  // of the copy of qnnpp that made the log
};

/// All logs that this copy of qnnpp made.
inline constinit NeverDestroyed<NodeList<RestartLog>> restart_logs;

/// Number of a context in its backend's order of creation, and the log of restarts that may kill
/// the context. A performance vote has a number as a context has.
///
/// A call that reports a restart kills every context created before the call began, with its graphs
/// and registrations (SSR-01): their handles are only released from then on. A report without a
/// restart (SSR-02) kills them too, and they must be created again. Must not outlive the log.
struct Epoch {
  RestartLog* log = nullptr;
  std::uint64_t context_number = 0;
  bool operator==(const Epoch&) const = default;

  /// Numbers a context that is created now.
  [[nodiscard]] static Epoch of_new_context(RestartLog& log) noexcept {
    return {&log, log.created_.fetch_add(1)};
  }

  /// Number of error lines that QNN has logged; see with_log(). The object that calls may be
  /// another than the one that loaded the backend.
  [[nodiscard]] std::uint64_t lines_logged() const noexcept { return log->lines_.count(); }

  /// Whether a restart, the exit of the process or a fork killed the context.
  [[nodiscard]] bool has_ended() const noexcept {
    return context_number < log->first_alive_.load();
  }

  /// Number of contexts that the backend has created. Read it before has_ended() and before a call:
  /// record() needs it to know which contexts are older than the call.
  [[nodiscard]] std::uint64_t contexts_created() const noexcept { return log->created_.load(); }

  /// Records the restart that a call reported: 1007 (recovered) or 1011 (fatal). Ignores other
  /// values of `native`. Kills the contexts created before the call began. A context created during
  /// the call may be younger than the restart; if not, its own next call reports the restart.
  /// Several reports of one restart count once.
  void record(std::uint64_t native, std::uint64_t created_before_call) const noexcept {
    const std::uint16_t code = c_api::code_of(native);
    if (code != c_api::code_of(c_api::CommonError::system_communication) &&
        code != c_api::code_of(c_api::CommonError::system_communication_fatal))
      return;
    std::uint64_t first_alive = log->first_alive_.load();
    while (first_alive < created_before_call)
      if (log->first_alive_.compare_exchange_strong(first_alive, created_before_call)) {
        log->restarts_.fetch_add(1, std::memory_order_acq_rel);
        return;
      }
  }

  /// Kind of the error of a call for a dead context.
  [[nodiscard]] Errc kind() const noexcept {
    return is_forked() ? Errc::foreign_process : Errc::dead;
  }
  /// Reason why a context is dead, for Error::detail; empty after a restart and a fork.
  [[nodiscard]] const char* cause() const noexcept {
    return log->has_ended() && !is_forked()
               ? "the process exits, so QNN's library is called no more"
               : "";
  }

  /// Calls `function`, which releases handles of the context, and returns its error. QNN keeps a
  /// dead handle until one call releases it; the error of that call is ignored (SSR-01). Calls
  /// nothing once the process exits (PRC-04), and in a forked child (PRC-01).
  template <class Function>
  [[nodiscard]] std::uint64_t release(Function function) const noexcept {
    if (log->has_ended()) return 0;
    const std::uint64_t created = contexts_created();
    const bool was_dead = has_ended();
    const std::uint64_t native = function();
    if (was_dead) return 0;
    record(native, created);
    return native;
  }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/epoch.ipp"
#endif
