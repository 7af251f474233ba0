// Numbers of perf.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/htp/perf.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum HtpPerfInfrastructureClkPerfMode;
  using detail::is;
  return is(high, 0) && is(low, 1) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpPerfInfrastructureVoltageCorner;
  using detail::is;
  return is(disable, 16) && is(min_voltage_corner, 32) && is(svs2, 48) && is(svs, 64) &&
         is(svs_plus, 80) && is(nom, 96) && is(nom_plus, 112) && is(turbo, 128) &&
         is(turbo_plus, 144) && is(turbo_l2, 146) && is(turbo_l3, 147) && is(turbo_l4, 148) &&
         is(turbo_l5, 149) && is(max_voltage_corner, 160) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpPerfInfrastructureExpVoltageCorner;
  using detail::is;
  return is(disable, 0) && is(min, 256) && is(low_svs_d2, 308) && is(low_svs_d1, 312) &&
         is(low_svs, 320) && is(low_svs_l0, 332) && is(svs, 384) && is(svs_l0, 400) &&
         is(svs_l1, 448) && is(svs_l2, 480) && is(nom, 512) && is(nom_l1, 576) && is(nom_l2, 592) &&
         is(tur, 640) && is(tur_l1, 672) && is(tur_l2, 688) && is(tur_l3, 704) && is(max, 65535) &&
         is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpPerfInfrastructurePowerMode;
  using detail::is;
  return is(adjust_up_down, 1) && is(adjust_only_up, 2) && is(power_saver_mode, 4) &&
         is(power_saver_aggressive_mode, 8) && is(performance_mode, 16) &&
         is(duty_cycle_mode, 32) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpPerfInfrastructurePowerConfigOption;
  using detail::is;
  return is(dcvs_v3, 1) && is(rpc_control_latency, 2) && is(rpc_polling_time, 3) &&
         is(hmx_timeout_interval_us, 4) && is(hmx_v2, 5) && is(adaptive_polling_time, 6) &&
         is(ddr_perf_mode, 7) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpPerfInfrastructureMemoryConfigOption;
  using detail::is;
  return is(grow_size, 1) && is(unknown, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
