// ExecuteOptions: options of one execution.
#pragma once

#include "qnnpp/config.hpp"

#include "qnnpp/core/stop.hpp"
#include "qnnpp/fwd.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Options of execute() of a graph or pipeline, as in `graph.execute({.wait_at_most = 5ms})`.
struct ExecuteOptions {
  /// How long to wait, as a std::chrono::duration, while others execute over the same spill-fill
  /// memory; a year or more means no limit. 0 does not wait. Then the error is `timed_out`, and
  /// nothing was executed.
  detail::TimeLimit wait_at_most = {};
  /// Records the call, unless it is null, as for execute(Profile*).
  Profile* profile = nullptr;
  /// How long the call may last, with the wait, as a std::chrono::duration; a year or more means no
  /// limit. Then QNN is to end the execution (QnnSignal_Config_t, timeout), and the error is
  /// `timed_out`; the outputs are undefined, and the graph can be executed again. The DSP decides
  /// whether an execution ends early: if it does not, the call lasts as long as ever and succeeds.
  /// Together with `stop`, the stop has a thread of its own from the first such call on.
  detail::TimeLimit at_most = {};
  /// Ends the wait and the execution when it is pulled (QnnSignal_trigger): `cancelled`, as for
  /// `at_most`. None by default.
  detail::StopOption stop = {};
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
