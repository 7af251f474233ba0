// Epoch: whether a restart of the DSP killed a context, whichever call reported the restart.
#pragma once

#include <atomic>
#include <cstdint>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Restarts of the DSP that calls of one backend reported. Thread-safe.
class RestartLog {
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

  std::atomic<std::uint64_t> created_{0};      // contexts so far
  std::atomic<std::uint64_t> first_alive_{0};  // contexts of lower numbers are dead
  std::atomic<std::uint32_t> restarts_{0};
};

/// The time between two restarts in which a context was created.
///
/// The contexts of a backend are numbered as they are created. A call that reports a restart kills
/// every context that was created before the call began, with its graphs and registrations
/// (SSR-01): their handles are still released, and used for nothing else. A report without a
/// restart (SSR-02) kills them too; they are created again. Does not outlive the log.
struct Epoch {
  RestartLog* log = nullptr;
  std::uint64_t context_number = 0;
  bool operator==(const Epoch&) const = default;

  /// The epoch of a context that is created now.
  [[nodiscard]] static Epoch of_new_context(RestartLog& log) noexcept {
    return {&log, log.created_.fetch_add(1)};
  }

  /// Whether a restart killed the context.
  [[nodiscard]] bool has_ended() const noexcept {
    return context_number < log->first_alive_.load();
  }

  /// Number of contexts that the backend has created. Read before a call and before has_ended(), it
  /// tells record() which contexts are older than the call.
  [[nodiscard]] std::uint64_t contexts_created() const noexcept { return log->created_.load(); }

  /// Records the restart that a call reported: 1007 (recovered) or 1011 (fatal); other values of
  /// `native` are ignored. Kills the contexts that were created before the call began; a context
  /// that was created meanwhile may be younger than the restart, and its own calls report for it.
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

  /// Calls `function`, which releases handles of the context, and returns its error. QNN keeps dead
  /// handles until one call releases each: the answer of that call is ignored (SSR-01).
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
