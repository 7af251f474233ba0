// Numbers of profile.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/profile.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum ProfileExtendedEventDataVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ProfileConfigOption;
  using detail::is;
  return is(custom, 0) && is(max_events, 1) && is(enable_optrace, 2) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
