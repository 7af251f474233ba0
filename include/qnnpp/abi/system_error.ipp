// Numbers of system_error.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/system_error.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum SystemCommonError;
  using detail::is;
  return is(no_error, 0) && is(unsupported_feature, 1000) && is(invalid_handle, 30000) &&
         is(invalid_argument, 30001);
}());

static_assert([] {
  using enum SystemInterfaceError;
  using detail::is;
  return is(min_error, 30000) && is(no_error, 0) && is(not_supported, 1000) &&
         is(invalid_parameter, 1004) && is(max_error, 49999);
}());

static_assert([] {
  using enum SystemContextError;
  using detail::is;
  return is(minerror, 30000) && is(no_error, 0) && is(unsupported_feature, 1000) &&
         is(invalid_handle, 30000) && is(invalid_argument, 30001) && is(operation_failed, 30002) &&
         is(malformed_binary, 30010) && is(maxerror, 49999);
}());

static_assert([] {
  using enum SystemTensorError;
  using detail::is;
  return is(min_error, 30000) && is(no_error, 0) && is(unsupported_feature, 1000) &&
         is(invalid_argument, 30001) && is(invalid_tensor, 30002) && is(max_error, 49999);
}());

static_assert([] {
  using enum SystemDlcError;
  using detail::is;
  return is(minerror, 30000) && is(no_error, 0) && is(unsupported_feature, 1000) &&
         is(invalid_handle, 30000) && is(invalid_argument, 30001) && is(operation_failed, 30002) &&
         is(malformed_binary, 30010) && is(maxerror, 49999);
}());

static_assert([] {
  using enum SystemProfileError;
  using detail::is;
  return is(no_error, 0) && is(unsupported_feature, 1000) && is(invalid_handle, 30000) &&
         is(invalid_argument, 30001) && is(mem_alloc, 31000);
}());

}  // namespace qnnpp::c_api
