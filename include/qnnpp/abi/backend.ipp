// Numbers of backend.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/backend.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum BackendConfigOption;
  using detail::is;
  return is(custom, 0) && is(error_reporting, 1) && is(platform, 2) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum BackendPropertyOption;
  using detail::is;
  return is(custom, 0) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
