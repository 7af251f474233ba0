// ExecuteOptions: options of one execution.
#pragma once

#include "qnnpp/config.hpp"

#include "qnnpp/fwd.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Limit of a wait: a std::chrono::duration; none by default.
class WaitLimit {
 public:
  constexpr WaitLimit() noexcept = default;
  template <Duration Time>
  constexpr WaitLimit(const Time& at_most) : seconds_(seconds_of(at_most)) {}

  [[nodiscard]] constexpr double seconds() const noexcept { return seconds_; }

 private:
  double seconds_ = ExecutionLock::endless;
};

}  // namespace detail

/// Options of execute() of a graph or pipeline, as in `graph.execute({.wait_at_most = 5ms})`.
struct ExecuteOptions {
  /// How long to wait, as a std::chrono::duration, while others execute over the same spill-fill
  /// memory; a year or more means no limit. 0 does not wait. Then the error is `timed_out`, and
  /// nothing was executed.
  detail::WaitLimit wait_at_most = {};
  /// Records the call, unless it is null, as for execute(Profile*).
  Profile* profile = nullptr;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
