// Numbers of system_dlc.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/system_dlc.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum MappingType;
  using detail::is;
  return is(tensor, 0) && is(op, 1);
}());

static_assert([] {
  using enum OpMappingVersion;
  using detail::is;
  return is(v1, 1);
}());

static_assert([] {
  using enum SystemContextGraphConfigInfoVersion;
  using detail::is;
  return is(version_1, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
