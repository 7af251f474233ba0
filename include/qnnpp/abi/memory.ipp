// Numbers of memory.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/memory.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum MemType;
  using detail::is;
  return is(ion, 1) && is(custom, 2) && is(dma_buf, 3) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
