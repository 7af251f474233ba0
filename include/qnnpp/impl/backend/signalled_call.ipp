// Definitions of signalled_call.hpp.
#pragma once

#include "qnnpp/backend/detail/signalled_call.hpp"

#include <algorithm>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/detail/forked.hpp"
#include "qnnpp/core/detail/joined.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE CallLimits::CallLimits(const StopOption& stop, const TimeLimit& at_most) noexcept
    : stop_(stop), at_most_(at_most) {
  if (*this && at_most_.began_ns == 0) at_most_.began_ns = now_ns();
}

QNNPP_INLINE double CallLimits::left() const noexcept {
  if (!at_most_) return endless_seconds;
  return at_most_.seconds() - 1e-9 * static_cast<double>(now_ns() - at_most_.began_ns);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string CallLimits::times() const {
  std::string text = joined({"after ", (now_ns() - at_most_.began_ns) / 1'000'000, " ms"});
  if (at_most_)
    text += joined({" of at most ",
                    static_cast<std::uint64_t>(std::max(at_most_.seconds(), 0.0) * 1e3), " ms"});
  return text;
}

QNNPP_INLINE Result<void> CallLimits::check(const char* step, const std::string& object) const {
  if (stop_.is_pulled()) return fail(ended(EndedBy::stop, step, object));
  if (at_most_ && left() <= 0) return fail(ended(EndedBy::limit, step, object, times()));
  return {};
}

QNNPP_INLINE c_api::SignalHandle CallSignals::make(const BackendBlock& backend,
                                                   const c_api::SignalConfig& config,
                                                   SignalOwner& signal) {
  const auto create = backend.provider.find<&c_api::InterfaceTable::signal_create>();
  const auto free = backend.provider.find<&c_api::InterfaceTable::signal_free>();
  const c_api::SignalConfig* list[] = {&config, nullptr};
  c_api::SignalHandle made = nullptr;
  has_none_ = !create || !free || !is_success((*create)(backend.backend.get().handle, list, &made));
  if (has_none_) return nullptr;
  signal = SignalOwner({*free, made, backend.restart_log.get()});
  return made;
}

QNNPP_INLINE c_api::SignalHandle CallSignals::get(const BackendBlock& backend,
                                                  const CallLimits& limits) {
  // PRC-01, PRC-04: the call itself then fails before it reaches the library.
  if (has_none_ || is_forked() || backend.restart_log->has_ended()) return nullptr;
  c_api::SignalConfig config{};
  if (limits.stop()) {
    config.option = c_api::SignalConfigOption::abort;
    return abort_ ? abort_.get().handle : make(backend, config, abort_);
  }
  // Rounded up, so that calls with the same limit have the same signal whatever they wait before.
  const double us = limits.left() * 1e6;
  constexpr std::uint64_t step_us = 1'000;
  const std::uint64_t wanted_us =
      (static_cast<std::uint64_t>(std::max(us, 1.0)) / step_us + 1) * step_us;
  config.option = c_api::SignalConfigOption::timeout;
  config.timeout_duration_us = wanted_us;
  if (!timeout_) {
    timeout_us_ = wanted_us;
    return make(backend, config, timeout_);
  }
  if (timeout_us_ != wanted_us) {
    const auto configure = backend.provider.find<&c_api::InterfaceTable::signal_set_config>();
    const c_api::SignalConfig* list[] = {&config, nullptr};
    if (!configure || !is_success((*configure)(timeout_.get().handle, list))) {
      (void)timeout_.close();
      timeout_us_ = wanted_us;
      return make(backend, config, timeout_);
    }
    timeout_us_ = wanted_us;
  }
  return timeout_.get().handle;
}

QNNPP_INLINE bool SignalledCall::end(Endable& call) noexcept {
  const auto& self = static_cast<const SignalledCall&>(call);
  if (self.signal_ == nullptr || self.trigger_ == nullptr) return true;  // Ends at its own time.
  const auto code = static_cast<std::uint16_t>(self.trigger_(self.signal_));  // LOAD-06
  return code != code_of(c_api::SignalError::signal_idle);
}

QNNPP_INLINE Result<void> SignalledCall::begin(const BackendBlock& backend, CallSignals* signals) {
  QNNPP_TRY(limits_.check(step_, object_));
  if (signals != nullptr) signal_ = signals->get(backend, limits_);
  if (const auto trigger = backend.provider.find<&c_api::InterfaceTable::signal_trigger>(); trigger)
    trigger_ = *trigger;
  return Endable::begin(limits_.stop(), limits_.left(), step_, object_);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error SignalledCall::judged(Error error) {
  EndedBy by = finish();
  if (error.kind != Errc::qnn) return error;
  const std::uint16_t code = error.code;
  const auto is = [code](auto a, auto b) { return code == code_of(a) || code == code_of(b); };
  if (is(c_api::ContextError::timed_out, c_api::GraphError::timed_out))
    by = EndedBy::limit;
  else if (is(c_api::ContextError::aborted, c_api::GraphError::aborted))
    by = by == EndedBy::nothing ? EndedBy::stop : by;
  else if (code == code_of(c_api::ContextError::create_from_binary))  // A list that was ended.
    by = by == EndedBy::nothing && limits_.left() <= 0 ? EndedBy::limit : by;
  else
    by = EndedBy::nothing;
  if (by == EndedBy::nothing) return error;
  Error cause = std::move(error);
  error = ended(by, step_, object_, joined({cause.step, " returned ", code, " ", limits_.times()}));
  error.code = code;
  return error;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
