// Arguments that execute() of a graph and of a pipeline refuses.
#pragma once

#include "qnnpp/config.hpp"

#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/fwd.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Overloads of execute() that refuse a wrong lease. Beside them, a class has execute() for
/// SpillFillLease&.
class ExecuteRefusals {
 public:
  QNNPP_REFUSE("a const lease cannot be used; declare it without const", Result<void>,
               execute(const SpillFillLease&, Profile* = nullptr) const);
  QNNPP_REFUSE("a temporary lease ends with the call; write execute(), or name the lease",
               Result<void>, execute(SpillFillLease&&, Profile* = nullptr) const);
  template <ResultOf<SpillFillLease> R>
  QNNPP_REFUSE("this is a Result; test it and pass *lease, or use value_or_throw()", Result<void>,
               execute(const R&, Profile* = nullptr) const);
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
