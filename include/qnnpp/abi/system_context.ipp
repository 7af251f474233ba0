// Numbers of system_context.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/system_context.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum SystemContextGraphInfoVersion;
  using detail::is;
  return is(v1, 1) && is(v2, 2) && is(v3, 3) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum SystemContextBinaryInfoVersion;
  using detail::is;
  return is(v1, 1) && is(v2, 2) && is(v3, 3) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
