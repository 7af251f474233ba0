// Numbers of device.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/htp/device.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum HtpDeviceArch;
  using detail::is;
  return is(none, 0) && is(v68, 68) && is(v69, 69) && is(v73, 73) && is(v75, 75) && is(v79, 79) &&
         is(v81, 81) && is(v85, 85) && is(v89, 89) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpDeviceConfigOption;
  using detail::is;
  return is(soc, 0) && is(arch, 1) && is(signedpd, 2) && is(securepd, 3) && is(async_execute, 4) &&
         is(dynamic_partitioning, 5) && is(app_uid, 6) && is(htp_extension, 0x7FFF0000) &&
         is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpDeviceDeviceType;
  using detail::is;
  return is(on_chip, 0) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpDeviceCoreType;
  using detail::is;
  return is(nsp, 0) && is(hpass, 1) && is(max, 2) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpDeviceInfrastructureType;
  using detail::is;
  return is(perf, 0) && is(unknown, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
