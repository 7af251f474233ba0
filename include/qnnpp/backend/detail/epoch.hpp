// Epoch: reports whether a restart of the DSP killed a context, even if a call of another context
// noticed the restart.
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <cstdint>

#include "qnnpp/abi/error.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Counts the restarts of the DSP that calls of one backend reported. Thread-safe. Its alignment
/// keeps the two numbers that each execution reads in one cache line.
class alignas(16) RestartLog {
 public:
  RestartLog() = default;
  RestartLog(const RestartLog&) = delete;
  RestartLog& operator=(const RestartLog&) = delete;

  /// Number of restarts so far.
  [[nodiscard]] std::uint32_t restarts() const noexcept {
    return restarts_.load(std::memory_order_acquire);
  }

 private:
  friend struct Epoch;

  std::atomic<std::uint64_t> created_{0};      // contexts created so far
  std::atomic<std::uint64_t> first_alive_{0};  // contexts with lower numbers are dead
  std::atomic<std::uint32_t> restarts_{0};
};

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

  /// Whether a restart killed the context.
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

  /// Calls `function`, which releases handles of the context, and returns its error. QNN keeps a
  /// dead handle until one call releases it; the error of that call is ignored (SSR-01).
  template <class Function>
  [[nodiscard]] std::uint64_t release(Function function) const noexcept {
    const std::uint64_t created = contexts_created();
    const bool was_dead = has_ended();
    const std::uint64_t native = function();
    if (was_dead) return 0;
    record(native, created);
    return native;
  }
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
