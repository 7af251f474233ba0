// Numbers of device.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/device.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum DeviceCoreInfoVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum DeviceHardwareDeviceInfoVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum DevicePlatformInfoVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum DeviceConfigOption;
  using detail::is;
  return is(custom, 0) && is(platform_info, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
