// Numbers of system.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/htp/system.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum HtpSystemContextHwInfoBlobVersion;
  using detail::is;
  return is(version_v1, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpSystemContextGraphInfoBlobVersion;
  using detail::is;
  return is(version_v1, 1) && is(version_v2, 2) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpSystemContextContextInfoBlobVersion;
  using detail::is;
  return is(version_v1, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
