// Numbers of tensor.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/tensor.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum TensorType;
  using detail::is;
  return is(app_write, 0) && is(app_read, 1) && is(app_readwrite, 2) && is(native, 3) &&
         is(static_, 4) && is(null_, 5) && is(updateable_static, 6) && is(updateable_native, 7) &&
         is(updateable_app_write, 8) && is(updateable_app_read, 9) &&
         is(updateable_app_readwrite, 10) && is(optional_app_write, 11) &&
         is(optional_app_read, 12) && is(optional_app_readwrite, 13) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum TensorMemType;
  using detail::is;
  return is(raw, 0) && is(memhandle, 1) && is(retrieve_raw, 2) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum TensorVersion;
  using detail::is;
  return is(v1, 1) && is(v2, 2) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum SparseLayoutType;
  using detail::is;
  return is(hybrid_coo, 0) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum TensorSetVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
