// Numbers of log.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/log.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum LogLevel;
  using detail::is;
  return is(error, 1) && is(warn, 2) && is(info, 3) && is(verbose, 4) && is(debug, 5) &&
         is(max, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
