// Arguments that execute() of a graph and of a pipeline refuses.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>

#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/fwd.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// A profile, or a Result of one.
template <class T>
concept ProfileOrResult = std::same_as<T, Profile> || ResultOf<T, Profile>;

/// Overloads of execute() that refuse a wrong lease or profile. A lease is refused before a
/// profile. Beside them, a class has execute() for SpillFillLease&, for Profile& and for both.
class ExecuteRefusals {
 public:
  QNNPP_REFUSE("a const lease cannot be used; declare it without const", Result<void>,
               execute(const SpillFillLease&) const);
  QNNPP_REFUSE("a temporary lease ends with the call; write execute(), or name the lease",
               Result<void>, execute(SpillFillLease&&) const);
  template <ResultOf<SpillFillLease> R>
  QNNPP_REFUSE("this is a Result; test it and pass *lease, or use value_or_throw()", Result<void>,
               execute(const R&) const);

  QNNPP_REFUSE("a const profile cannot record; declare it without const", Result<void>,
               execute(const Profile&) const);
  QNNPP_REFUSE("a temporary profile loses its records; name the profile first", Result<void>,
               execute(Profile&&) const);
  template <ResultOf<Profile> R>
  QNNPP_REFUSE("this is a Result; test it and pass *profile, or use value_or_throw()", Result<void>,
               execute(const R&) const);

  template <ProfileOrResult P>
  QNNPP_REFUSE("a const lease cannot be used; declare it without const", Result<void>,
               execute(const SpillFillLease&, const P&) const);
  template <ProfileOrResult P>
  QNNPP_REFUSE("a temporary lease ends with the call; write execute(profile), or name the lease",
               Result<void>, execute(SpillFillLease&&, const P&) const);
  template <ResultOf<SpillFillLease> R, ProfileOrResult P>
  QNNPP_REFUSE("this is a Result; test it and pass *lease, or use value_or_throw()", Result<void>,
               execute(const R&, const P&) const);
  QNNPP_REFUSE("a const profile cannot record; declare it without const", Result<void>,
               execute(SpillFillLease&, const Profile&) const);
  QNNPP_REFUSE("a temporary profile loses its records; name the profile first", Result<void>,
               execute(SpillFillLease&, Profile&&) const);
  template <ResultOf<Profile> R>
  QNNPP_REFUSE("this is a Result; test it and pass *profile, or use value_or_throw()", Result<void>,
               execute(SpillFillLease&, const R&) const);
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
