// SignalledCall: a C call that a Stop or a time limit may end early, by a signal of QNN.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <string>

#include "qnnpp/abi/signal.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/handle.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/stop.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// What may end a call early, and when it began.
class CallLimits {
 public:
  /// Nothing ends the call.
  CallLimits() noexcept = default;
  /// The time of `at_most` begins now, unless it has begun.
  CallLimits(const StopOption& stop, const TimeLimit& at_most) noexcept;

  /// Whether anything may end the call.
  [[nodiscard]] explicit operator bool() const noexcept { return stop_ || at_most_; }
  [[nodiscard]] const StopOption& stop() const noexcept { return stop_; }
  [[nodiscard]] const TimeLimit& at_most() const noexcept { return at_most_; }
  /// Seconds that are left; endless_seconds: no limit. 0 or less: the time is over.
  [[nodiscard]] double left() const noexcept;
  /// Checks whether the call may go on. Errors: `cancelled`, `timed_out`.
  [[nodiscard]] Result<void> check(const char* step, const std::string& object) const;
  /// Returns "after 51 ms", and the limit.
  [[nodiscard]] std::string times() const;

 private:
  StopOption stop_;
  TimeLimit at_most_;
};

using SignalOwner = Owner<HandlePolicy<c_api::SignalHandle>>;

/// Signals of the calls for one object, which are kept from one call to the next. QNN has no signal
/// that ends a call by a trigger and by a time limit. Threads: one call at a time.
class CallSignals {
 public:
  /// Returns the signal for a call: one to trigger if the call has a stop, else one that expires
  /// when the time is over. Null if the library has no signals. After the first call with the same
  /// kind of limits, allocates nothing.
  [[nodiscard]] c_api::SignalHandle get(const BackendBlock& backend, const CallLimits& limits);

 private:
  [[nodiscard]] c_api::SignalHandle make(const BackendBlock& backend,
                                         const c_api::SignalConfig& config, SignalOwner& signal);

  SignalOwner abort_;
  SignalOwner timeout_;
  std::uint64_t timeout_us_ = 0;  ///< Time of the signal `timeout_`.
  bool has_none_ = false;
};

/// One call of QNN with limits.
class SignalledCall : private Endable {
 public:
  /// `step` names the call in errors, `object` its object; both outlive this.
  SignalledCall(const CallLimits& limits, const char* step, const std::string& object) noexcept
      : Endable(&end), limits_(limits), step_(step), object_(object) {}
  SignalledCall(const SignalledCall&) = delete;
  SignalledCall& operator=(const SignalledCall&) = delete;
  ~SignalledCall() { (void)finish(); }

  /// Begins the call, with a signal of `signals`; null: the call takes none. Errors: those of
  /// CallLimits::check() and Endable::begin().
  [[nodiscard]] Result<void> begin(const BackendBlock& backend, CallSignals* signals);
  /// Signal for the call; null if the library has none.
  [[nodiscard]] c_api::SignalHandle signal() const noexcept { return signal_; }
  /// Ends the call, and returns its error; `cancelled` or `timed_out` if that is of a call that was
  /// ended early.
  [[nodiscard]] Error judged(Error error);
  /// Ends the call, and returns its result; an error as judged() does.
  [[nodiscard]] Result<void> finished(Result<void> done) {
    if (done) return done;
    return fail(judged(std::move(done).error()));
  }

 private:
  static bool end(Endable& call) noexcept;

  const CallLimits& limits_;
  const char* step_;
  const std::string& object_;
  c_api::SignalTriggerFn trigger_ = nullptr;
  c_api::SignalHandle signal_ = nullptr;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/signalled_call.ipp"
#endif
