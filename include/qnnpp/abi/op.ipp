// Numbers of op.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/op.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum ParamType;
  using detail::is;
  return is(scalar, 0) && is(tensor, 1) && is(undefined, 0xFFFFFFFF);
}());

static_assert([] {
  using enum OpConfigVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
