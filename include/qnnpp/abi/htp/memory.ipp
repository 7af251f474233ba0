// Numbers of memory.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/htp/memory.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum HtpMemType;
  using detail::is;
  return is(qurt, 0) && is(shared_buffer, 1) && is(weights_buffer, 2) &&
         is(shared_spillfill_buffer, 3) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
