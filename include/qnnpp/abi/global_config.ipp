// Numbers of global_config.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/global_config.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum GlobalConfigConfigOption;
  using detail::is;
  return is(soc_model, 0) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
