// ProfiledCall: a C call that a profile may be attached to.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <string>

#include "qnnpp/abi/profile.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// One C call that a profile may be attached to: passes the profile's handle, measures the call and
/// records it. Without a profile it only passes a null handle.
class ProfiledCall {
 public:
  /// `profile`: null for none. `call`: name of the C function, in static storage.
  ProfiledCall(Profile* profile, const char* call) noexcept : profile_(profile), call_(call) {}

  /// Checks that the profile belongs to `backend`. Error: `foreign_object`, naming `object`.
  [[nodiscard]] Result<void> check(const Ref<BackendBlock>& backend,
                                   const std::string& object) const;

  /// Calls `call` with the handle of the profile, and measures it.
  template <class Call>
  [[nodiscard]] auto operator()(Call call) {
    if (profile_ == nullptr) return call(c_api::ProfileHandle());
    const c_api::ProfileHandle handle = profile_->native();
    begin();
    auto result = call(handle);
    end();
    return result;
  }

  /// Adds the call for `object` and its events to the profile; `done` is its result. Does nothing
  /// if QNN was not called, because the context is dead.
  void record(const std::string& object, const Result<void>& done) {
    if (start_ns_ != 0) profile_->add_record_(*this, object, done.has_value());
  }

 private:
  friend void add_record(const ProfiledCall& call, const std::string& object, bool succeeded);

  void begin() noexcept;
  void end() noexcept;

  Profile* profile_;
  const char* call_;
  std::uint64_t start_ns_ = 0;
  std::uint64_t end_ns_ = 0;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/profiled_call.ipp"
#endif
