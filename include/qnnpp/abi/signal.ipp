// Numbers of signal.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/signal.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum SignalConfigOption;
  using detail::is;
  return is(custom, 0) && is(abort, 1) && is(timeout, 2) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
