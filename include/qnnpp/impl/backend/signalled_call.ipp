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

QNNPP_INLINE CallLimits::CallLimits(const StopOption& stop, double seconds) noexcept
    : stop_(stop), is_limited_(seconds < endless_seconds), seconds_(seconds) {
  if (*this) began_ns_ = now_ns();
}

QNNPP_INLINE double CallLimits::left() const noexcept {
  if (!is_limited_) return endless_seconds;
  return seconds_ - 1e-9 * static_cast<double>(now_ns() - began_ns_);
}

QNNPP_COLD QNNPP_INLINE std::string CallLimits::times() const {
  const auto ms = [](double seconds) { return static_cast<std::uint64_t>(seconds * 1e3); };
  std::string text = joined({"after ", (now_ns() - began_ns_) / 1'000'000, " ms"});
  if (is_limited_) text += joined({" of at most ", ms(std::max(seconds_, 0.0)), " ms"});
  return text;
}

QNNPP_INLINE Result<void> CallLimits::check(const char* step, const std::string& object) const {
  if (stop_.is_pulled()) return fail(ended(EndedBy::stop, step, object));
  if (is_limited_ && left() <= 0) return fail(ended(EndedBy::limit, step, object, times()));
  return {};
}

QNNPP_INLINE std::uint64_t SignalPolicy::close(Value value) noexcept {
  return is_forked() ? 0 : value.free(value.handle);  // PRC-01
}

QNNPP_INLINE c_api::SignalHandle CallSignals::make(const BackendBlock& backend,
                                                   const c_api::SignalConfig& config,
                                                   Owner<SignalPolicy>& signal) {
  const auto create = backend.provider.find<&c_api::InterfaceTable::signal_create>();
  const auto free = backend.provider.find<&c_api::InterfaceTable::signal_free>();
  const c_api::SignalConfig* list[] = {&config, nullptr};
  c_api::SignalHandle made = nullptr;
  has_none_ = !create || !free || !is_success((*create)(backend.backend.get().handle, list, &made));
  if (has_none_) return nullptr;
  signal = Owner<SignalPolicy>({*free, made});
  return made;
}

QNNPP_INLINE c_api::SignalHandle CallSignals::get(const BackendBlock& backend,
                                                  const CallLimits& limits) {
  if (has_none_) return nullptr;
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
  return self.trigger_(self.signal_) != code_of(c_api::SignalError::signal_idle);
}

QNNPP_INLINE Result<void> SignalledCall::begin(const BackendBlock& backend, CallSignals& signals) {
  QNNPP_TRY(limits_.check(step_, object_));
  signal_ = signals.get(backend, limits_);
  if (const auto trigger = backend.provider.find<&c_api::InterfaceTable::signal_trigger>(); trigger)
    trigger_ = *trigger;
  return Endable::begin(limits_.stop(), limits_.left(), step_, object_);
}

QNNPP_INLINE Result<void> SignalledCall::finished(Result<void> done) {
  EndedBy by = finish();
  if (done || done.error().kind != Errc::qnn) return done;
  switch (const std::uint16_t code = done.error().code) {
    case code_of(c_api::ContextError::timed_out):
    case code_of(c_api::GraphError::timed_out): by = EndedBy::limit; break;
    case code_of(c_api::ContextError::aborted):
    case code_of(c_api::GraphError::aborted):
      if (by == EndedBy::nothing) by = EndedBy::stop;
      break;
    case code_of(c_api::ContextError::create_from_binary):  // A list that was ended (RES-04).
      if (by != EndedBy::nothing) break;
      [[fallthrough]];
    default: (void)code; return done;
  }
  Error error =
      ended(by, step_, object_,
            joined({done.error().step, " returned ", done.error().code, " ", limits_.times()}));
  error.code = done.error().code;
  return fail(std::move(error));
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
