// V: votes for clocks, voltage and sleep. D: devices, their options, and the platform's
// information.
#include <algorithm>
#include <cstring>

#include "errors.hpp"
#include "results.hpp"

namespace conformance {
namespace {

using Corner = HtpPerfInfrastructureVoltageCorner;
using HmxCorner = HtpPerfInfrastructureExpVoltageCorner;
using PowerConfig = HtpPerfInfrastructurePowerConfig;
using PowerOption = HtpPerfInfrastructurePowerConfigOption;

/// Creates a power configuration of core 0, without adding to the answer unless it fails.
std::uint32_t new_id(const HtpDevicePerfInfrastructure& perf) {
  std::uint32_t id = 0;
  if (const ErrorHandle code = perf.create_power_config_id(0, 0, &id); code != 0)
    say_code("createPowerConfigId", code);
  return id;
}

/// Returns the vote for clocks and voltage that SDK samples call burst.
PowerConfig dcvs(std::uint32_t id) {
  PowerConfig config{};
  config.option = PowerOption::dcvs_v3;
  HtpPerfInfrastructureDcvsV3& vote = config.dcvs_v3_config;
  vote.context_id = id;
  vote.set_dcvs_enable = 1;
  vote.dcvs_enable = 0;
  vote.power_mode = HtpPerfInfrastructurePowerMode::performance_mode;
  vote.set_sleep_latency = 1;
  vote.sleep_latency = 40;
  vote.set_bus_params = 1;
  vote.bus_voltage_corner_min = vote.bus_voltage_corner_target = vote.bus_voltage_corner_max =
      Corner::max_voltage_corner;
  vote.set_core_params = 1;
  vote.core_voltage_corner_min = vote.core_voltage_corner_target = vote.core_voltage_corner_max =
      Corner::max_voltage_corner;
  return config;
}

/// Returns a vote for the matrix unit; by default the one that SDK samples call burst.
PowerConfig hmx(HmxCorner corner = HmxCorner::max,
                HtpPerfInfrastructureClkPerfMode mode = HtpPerfInfrastructureClkPerfMode::high) {
  PowerConfig config{};
  config.option = PowerOption::hmx_v2;
  HtpPerfInfrastructureHmxV2& vote = config.hmx_v2_config;
  vote.hmx_pick_default = 0;
  vote.hmx_voltage_corner_min = vote.hmx_voltage_corner_target = vote.hmx_voltage_corner_max =
      corner;
  vote.hmx_perf_mode = mode;
  return config;
}

/// Returns an option with a number.
PowerConfig number(PowerOption option, std::uint32_t value) {
  PowerConfig config{};
  config.option = option;
  // The members for one number begin at the same byte.
  config.rpc_polling_time_config = value;
  return config;
}

/// Makes a vote for the compression engine: one corner, one mode.
void set_ceng(auto& vote, auto corner, HtpPerfInfrastructureClkPerfMode mode) {
  vote.ceng_voltage_corner_min = vote.ceng_voltage_corner_target = vote.ceng_voltage_corner_max =
      corner;
  vote.ceng_perf_mode = mode;
}

/// Returns the vote for the compression engine at this corner.
PowerConfig ceng(Corner corner) {
  PowerConfig config{};
  config.option = PowerOption::ceng;
  set_ceng(config.ceng_config, corner, HtpPerfInfrastructureClkPerfMode::high);
  return config;
}

/// Returns the expanded vote for the compression engine at this corner.
PowerConfig expanded_ceng(HmxCorner corner) {
  PowerConfig config{};
  config.option = PowerOption::ceng_exp;
  set_ceng(config.ceng_exp_config, corner, HtpPerfInfrastructureClkPerfMode::high_d2);
  return config;
}

/// Returns the expanded vote for clocks and voltage at this corner.
PowerConfig expanded_dcvs(std::uint32_t id, HmxCorner corner) {
  PowerConfig config{};
  config.option = PowerOption::dcvs_v3_exp;
  HtpPerfInfrastructureDcvsV3Exp& vote = config.dcvs_v3_exp_config;
  vote.context_id = id;
  vote.power_mode = HtpPerfInfrastructurePowerMode::performance_mode;
  vote.set_bus_params = vote.set_core_params = 1;
  vote.bus_voltage_corner_min = vote.bus_voltage_corner_target = vote.bus_voltage_corner_max =
      corner;
  vote.core_voltage_corner_min = vote.core_voltage_corner_target = vote.core_voltage_corner_max =
      corner;
  return config;
}

/// Votes and reports the code.
void vote(const HtpDevicePerfInfrastructure& perf, std::uint32_t id,
          const std::vector<PowerConfig>& configs, const char* what = "vote") {
  std::vector<const PowerConfig*> list;
  for (const PowerConfig& config : configs) list.push_back(&config);
  list.push_back(nullptr);
  say_code(what, perf.set_power_config(id, list.data()));
}

/// Votes once with a new id, and reports the code.
void vote_once(Host& host, std::vector<PowerConfig> (*configs)(std::uint32_t id)) {
  const auto perf = perf_of(host);
  const std::uint32_t id = new_id(perf);
  vote(perf, id, configs(id));
}

/// Votes for DCVS with a change, and reports the code.
void vote_changed(Host& host, void (*change)(HtpPerfInfrastructureDcvsV3& vote)) {
  const auto perf = perf_of(host);
  const std::uint32_t id = new_id(perf);
  PowerConfig config = dcvs(id);
  change(config.dcvs_v3_config);
  vote(perf, id, {config});
}

/// Creates a device with options, and reports the code.
DeviceHandle device_with(Host& host, const std::vector<DeviceConfig>& configs,
                         const char* what = "deviceCreate") {
  std::vector<const DeviceConfig*> list;
  for (const DeviceConfig& config : configs) list.push_back(&config);
  list.push_back(nullptr);
  DeviceHandle device = nullptr;
  say_code(what, host.qnn.device_create(nullptr, list.data(), &device));
  return device;
}

/// Returns the word at which the union of an HTP option of devices begins in the library's version:
/// 5.47, 5.48 and 5.50 moved it from byte 4 to byte 8.
unsigned union_word(const Host& host) {
  return host.htp.minor == 47 || host.htp.minor == 48 || host.htp.minor >= 50 ? 2 : 1;
}
/// Returns the word of the layout that the library does not have.
unsigned other_union_word(const Host& host) { return 3 - union_word(host); }

/// Returns an option of HTP with the union at this word; its target is valid until the process
/// ends.
DeviceConfig custom(unsigned at, HtpDeviceConfigOption option, std::uint32_t first,
                    std::uint32_t second = 0) {
  auto* const words = new std::uint32_t[6]{static_cast<std::uint32_t>(option)};
  words[at] = first, words[at + 1] = second;
  DeviceConfig config{DeviceConfigOption::custom, {nullptr}};
  config.custom_config = words;
  return config;
}

/// Starts with a device of these options, executes once, and reports each code.
void start_with(Host& host, const std::vector<DeviceConfig>& configs) {
  host.qnn.backend_create(nullptr, nullptr, &host.backend);
  host.device = device_with(host, configs);
  if (host.device == nullptr) return;
  const Context context = host.create();
  if (context.created == 0) host.execute(context.retrieve());
}

/// Returns a copy of the platform's information, without adding to the answer.
const DevicePlatformInfo* platform_of(Host& host) {
  const DevicePlatformInfo* info = nullptr;
  if (const ErrorHandle code = host.qnn.device_get_platform_info(nullptr, &info); code != 0)
    give_up("platform info " + std::to_string(code));
  return info;
}

/// Reports what an information has: numbers that do not depend on the chip, words for the others,
/// whose numbers are noted.
void say_info(const DevicePlatformInfo* info) {
  if (info == nullptr) return say("NULL");
  say("version %u, %u devices", static_cast<unsigned>(info->version), info->v1.num_hw_devices);
  for (std::uint32_t i = 0; i < info->v1.num_hw_devices; ++i) {
    const DeviceHardwareDeviceInfoV1& device = info->v1.hw_devices[i].v1;
    say("device %u type %u, %u cores", device.device_id, device.device_type, device.num_cores);
    for (std::uint32_t k = 0; k < device.num_cores; ++k)
      say("core %u type %u extension %s", device.cores[k].v1.core_id, device.cores[k].v1.core_type,
          device.cores[k].v1.core_info_extension == nullptr ? "NULL" : "set");
    const auto* const extension =
        reinterpret_cast<const HtpDeviceDeviceInfoExtension*>(device.device_info_extension);
    if (extension == nullptr) {
      say("extension NULL");
      continue;
    }
    note("chip %u, v%u, %llu MiB of VTCM", extension->on_chip_device.soc_model,
         static_cast<unsigned>(extension->on_chip_device.arch),
         static_cast<unsigned long long>(extension->on_chip_device.vtcm_size));
    say("on chip %s, vtcm %s, soc %s, arch %s",
        extension->dev_type == HtpDeviceDeviceType::on_chip ? "yes" : "no",
        extension->on_chip_device.vtcm_size != 0 ? "set" : "0",
        extension->on_chip_device.soc_model != 0 ? "set" : "0",
        static_cast<unsigned>(extension->on_chip_device.arch) >= 68 ? "set" : "0");
  }
}

void ask_newer_power(Catalogue& ask) {
  ask("V-9a", "the compression engine without a DCVS vote, after one, and in one call with it",
      [](Host& h) {
        const auto perf = perf_of(h);
        const std::uint32_t id = new_id(perf), other = new_id(perf);
        vote(perf, id, {ceng(Corner::nom)}, "CENG");
        vote(perf, id, {dcvs(id)}, "DCVS"), vote(perf, id, {ceng(Corner::nom)}, "CENG");
        vote(perf, other, {dcvs(other), ceng(Corner::nom)});
      });
  ask("V-9b", "the compression engine at corner disable, 77, and with perf mode 2", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id)}, "DCVS");
    vote(perf, id, {ceng(Corner::disable)}), vote(perf, id, {ceng(Corner{77})});
    PowerConfig config = ceng(Corner::nom);
    config.ceng_config.ceng_perf_mode = HtpPerfInfrastructureClkPerfMode::high_d1;
    vote(perf, id, {config});
  });
  ask("V-9c", "expanded DCVS, and DCVS of the same id after it", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {expanded_dcvs(id, HmxCorner::nom_l0)}, "expanded"), vote(perf, id, {dcvs(id)});
  });
  ask("V-9d", "expanded DCVS of a corner below 256, with perf mode 256, and with DCVS in one call",
      [](Host& h) {
        const auto perf = perf_of(h);
        const std::uint32_t id = new_id(perf);
        vote(perf, id, {expanded_dcvs(id, HmxCorner{96})});
        PowerConfig config = expanded_dcvs(id, HmxCorner::nom);
        config.dcvs_v3_exp_config.core_perf_mode = HtpPerfInfrastructureClkPerfMode{256};
        vote(perf, id, {config});
        vote(perf, id, {dcvs(id), expanded_dcvs(id, HmxCorner::nom)});
      });
  ask("V-9e", "the compression engine's expanded vote without DCVS, after it, and with the other",
      [](Host& h) {
        const auto perf = perf_of(h);
        const std::uint32_t id = new_id(perf);
        vote(perf, id, {expanded_ceng(HmxCorner::nom)});
        vote(perf, id, {dcvs(id)}, "DCVS"), vote(perf, id, {expanded_ceng(HmxCorner::nom)});
        vote(perf, id, {ceng(Corner::nom), expanded_ceng(HmxCorner::nom)});
      });
  ask("V-9f", "DCVS, matrix unit, compression engine and memory bus for decoding, one by one",
      [](Host& h) {
        const auto perf = perf_of(h);
        const std::uint32_t id = new_id(perf);
        vote(perf, id, {dcvs(id)}, "DCVS");
        vote(perf, id, {hmx(HmxCorner::svs_l1)}, "HMX"),
            vote(perf, id, {ceng(Corner::turbo_plus)}, "CENG");
        vote(perf, id, {number(PowerOption::rpc_polling_time, 9999)}, "polling");
        vote(perf, id, {number(PowerOption::ddr_perf_mode, 1)}, "DDR");
      });
  ask("V-9g", "the matrix unit at corner disable and its low clock, after DCVS", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id)}, "DCVS");
    vote(perf, id, {hmx(HmxCorner::disable, HtpPerfInfrastructureClkPerfMode::low)}, "HMX");
  });
}

/// Returns the vote for the lowest clocks and voltage.
PowerConfig lowest(std::uint32_t id) {
  PowerConfig config = dcvs(id);
  HtpPerfInfrastructureDcvsV3& vote = config.dcvs_v3_config;
  vote.power_mode = HtpPerfInfrastructurePowerMode::power_saver_mode;
  vote.bus_voltage_corner_min = vote.bus_voltage_corner_target = vote.bus_voltage_corner_max =
      Corner::svs2;
  vote.core_voltage_corner_min = vote.core_voltage_corner_target = vote.core_voltage_corner_max =
      Corner::svs2;
  return config;
}

/// Votes, reports the code, and notes the times of executions after it.
void time_vote(Host& host, GraphHandle graph, const HtpDevicePerfInfrastructure& perf,
               std::uint32_t id, const PowerConfig& config, const char* what) {
  vote(perf, id, {config}, what);
  time_executions(host, graph, what);
}

void ask_effects_of_votes(Catalogue& ask) {
  ask("V-10a", "times of executions: no vote, DCVS at the highest corners, the lowest",
      [](Host& h) {
        h.need_dsp();
        const auto perf = perf_of(h);
        const GraphHandle graph = h.create().retrieve();
        time_executions(h, graph, "no vote");
        const std::uint32_t id = new_id(perf);
        time_vote(h, graph, perf, id, dcvs(id), "highest");
        time_vote(h, graph, perf, id, lowest(id), "lowest");
        say_code("destroy", perf.destroy_power_config_id(id));
        time_executions(h, graph, "destroyed");
      });
  ask("V-10b", "the same, the highest corners with one id and the lowest with another",
      [](Host& h) {
        h.need_dsp();
        const auto perf = perf_of(h);
        const GraphHandle graph = h.create().retrieve();
        const std::uint32_t high = new_id(perf), low = new_id(perf);
        time_vote(h, graph, perf, high, dcvs(high), "highest");
        time_vote(h, graph, perf, low, lowest(low), "lowest beside");
        say_code("destroy", perf.destroy_power_config_id(high));
        time_executions(h, graph, "lowest alone");
      });
  ask("V-10c", "the same, with RPC polling at the highest corners", [](Host& h) {
    h.need_dsp();
    const auto perf = perf_of(h);
    const GraphHandle graph = h.create().retrieve();
    const std::uint32_t id = new_id(perf);
    time_vote(h, graph, perf, id, dcvs(id), "highest");
    time_vote(h, graph, perf, id, number(PowerOption::rpc_polling_time, 9999), "polling");
    time_vote(h, graph, perf, id, number(PowerOption::rpc_polling_time, 0), "no polling");
  });
}

}  // namespace

void ask_power(Catalogue& ask) {
  ask("V-1", "numbers of three power ids, and of one after the second is destroyed", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t first = new_id(perf), second = new_id(perf), third = new_id(perf);
    say("%s", first != 0 && second != 0 && third != 0 ? "none is 0" : "one is 0");
    say("%s", first != second && second != third && first != third ? "all differ" : "some equal");
    say_code("destroy", perf.destroy_power_config_id(second));
    const std::uint32_t fourth = new_id(perf);
    say("%s", fourth == second ? "the freed number" : fourth > third ? "a higher one" : "another");
  });
  ask("V-1b", "300 power ids", [](Host& h) {
    const auto perf = perf_of(h);
    std::uint32_t id = 0;
    int made = 0;
    while (made < 300 && perf.create_power_config_id(0, 0, &id) == 0) ++made;
    say("%d", made);
  });
  ask("V-1c", "createPowerConfigId(core 1), (core 77), (device 1)", [](Host& h) {
    const auto perf = perf_of(h);
    std::uint32_t id = 0;
    code(perf.create_power_config_id(0, 1, &id));
    code(perf.create_power_config_id(0, 77, &id));
    code(perf.create_power_config_id(1, 0, &id));
  });
  ask("V-2a", "DCVS at the highest corners",
      [](Host& h) { vote_once(h, [](std::uint32_t id) { return std::vector{dcvs(id)}; }); });
  ask("V-2b", "DCVS, then the matrix unit, with one id", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id)}, "DCVS"), vote(perf, id, {hmx()}, "HMX");
  });
  ask("V-2c", "the matrix unit without a DCVS vote",
      [](Host& h) { vote_once(h, [](std::uint32_t) { return std::vector{hmx()}; }); });
  ask("V-2d", "the matrix unit with another id than DCVS", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id)}, "DCVS"), vote(perf, new_id(perf), {hmx()}, "HMX");
  });
  ask("V-2e", "DCVS and the matrix unit in one call, in both orders", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf), other = new_id(perf);
    vote(perf, id, {dcvs(id), hmx()}), vote(perf, other, {hmx(), dcvs(other)});
  });
  ask("V-2f", "the matrix unit by default, again, and at corner 77", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id)}, "DCVS");
    PowerConfig config = hmx();
    config.hmx_v2_config.hmx_pick_default = 1;
    vote(perf, id, {config}), vote(perf, id, {config});
    config = hmx();
    config.hmx_v2_config.hmx_voltage_corner_target = HmxCorner{77};
    vote(perf, id, {config});
  });
  ask("V-3a", "RPC polling time 0, 9999, 10000, 1000000", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    for (const std::uint32_t value : {0u, 9999u, 10000u, 1000000u})
      vote(perf, id, {number(PowerOption::rpc_polling_time, value)});
  });
  ask("V-3b", "RPC control latency 0, 100, 1000000", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    for (const std::uint32_t value : {0u, 100u, 1000000u})
      vote(perf, id, {number(PowerOption::rpc_control_latency, value)});
  });
  ask("V-3c", "idle time of the matrix unit, with and without DCVS", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {number(PowerOption::hmx_timeout_interval_us, 300000)});
    vote(perf, id, {dcvs(id)}, "DCVS");
    for (const std::uint32_t value : {0u, 300000u, ~0u})
      vote(perf, id, {number(PowerOption::hmx_timeout_interval_us, value)});
  });
  ask("V-3f", "shortest and longest idle time of the matrix unit", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id)}, "DCVS");
    const auto accepts = [&perf, id](std::uint32_t microseconds) {
      const PowerConfig config = number(PowerOption::hmx_timeout_interval_us, microseconds);
      const PowerConfig* list[] = {&config, nullptr};
      return perf.set_power_config(id, list) == 0;
    };
    if (!accepts(300000)) return say("none");
    for (const std::uint32_t refused : {0u, ~0u}) {
      std::uint32_t good = 300000, bad = refused;
      while (good - bad + 1 > 2) {
        const std::uint32_t middle = good / 2 + bad / 2 + (good & bad & 1);
        (accepts(middle) ? good : bad) = middle;
      }
      say("%u", good);
    }
  });
  ask("V-3d", "adaptive polling time 0, 1000, with RPC polling and without", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    for (const std::uint32_t value : {0u, 1000u})
      vote(perf, id, {number(PowerOption::adaptive_polling_time, value)});
    vote(perf, id, {number(PowerOption::rpc_polling_time, 9999)});
    vote(perf, id, {number(PowerOption::adaptive_polling_time, 1000)});
  });
  ask("V-3e", "memory bus mode 0, 1, 2, 77, without and with DCVS", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {number(PowerOption::ddr_perf_mode, 1)});
    vote(perf, id, {dcvs(id)}, "DCVS");
    for (const std::uint32_t value : {0u, 1u, 2u, 77u})
      vote(perf, id, {number(PowerOption::ddr_perf_mode, value)});
  });
  ask("V-4a", "an empty list, and an unknown option", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {}), vote(perf, id, {number(PowerOption{77}, 1)});
  });
  ask("V-4b", "a good vote before and after a bad one in one list", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id), number(PowerOption{77}, 1)});
    vote(perf, id, {number(PowerOption{77}, 1), dcvs(id)});
  });
  ask("V-4c", "one option twice in one list", [](Host& h) {
    vote_once(h, [](std::uint32_t id) { return std::vector{dcvs(id), dcvs(id)}; });
  });
  ask("V-5a", "DCVS that names another id: 0, an id of its own, 4711", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf), other = new_id(perf);
    vote(perf, id, {dcvs(0)}), vote(perf, id, {dcvs(other)}), vote(perf, id, {dcvs(4711)});
  });
  ask("V-5b", "DCVS with sleep latency 5", [](Host& h) {
    vote_changed(h, [](HtpPerfInfrastructureDcvsV3& v) { v.sleep_latency = 5; });
  });
  ask("V-5c", "DCVS with sleep latency 65536", [](Host& h) {
    vote_changed(h, [](HtpPerfInfrastructureDcvsV3& v) { v.sleep_latency = 65536; });
  });
  ask("V-5d", "DCVS with sleep latency and sleep disabled", [](Host& h) {
    vote_changed(
        h, [](HtpPerfInfrastructureDcvsV3& v) { v.set_sleep_disable = 1, v.sleep_disable = 1; });
  });
  ask("V-5e", "DCVS with a target below the minimum", [](Host& h) {
    vote_changed(
        h, [](HtpPerfInfrastructureDcvsV3& v) { v.core_voltage_corner_target = Corner::svs; });
  });
  ask("V-5f", "DCVS with corner 77", [](Host& h) {
    vote_changed(h,
                 [](HtpPerfInfrastructureDcvsV3& v) { v.core_voltage_corner_target = Corner{77}; });
  });
  ask("V-5g", "DCVS with power mode 3 and 0", [](Host& h) {
    vote_changed(h, [](HtpPerfInfrastructureDcvsV3& v) {
      v.power_mode = HtpPerfInfrastructurePowerMode{3};
    });
    vote_changed(h, [](HtpPerfInfrastructureDcvsV3& v) {
      v.power_mode = HtpPerfInfrastructurePowerMode{0};
    });
  });
  ask("V-5h", "DCVS without any set_ flag", [](Host& h) {
    vote_changed(h, [](HtpPerfInfrastructureDcvsV3& v) {
      v.set_dcvs_enable = v.set_sleep_latency = v.set_bus_params = v.set_core_params = 0;
    });
  });
  ask("V-5i", "DCVS with corner disable, and with scaling", [](Host& h) {
    vote_changed(h, [](HtpPerfInfrastructureDcvsV3& v) {
      v.core_voltage_corner_min = v.core_voltage_corner_target = v.core_voltage_corner_max =
          Corner::disable;
    });
    vote_changed(h, [](HtpPerfInfrastructureDcvsV3& v) { v.dcvs_enable = 1; });
  });
  ask("V-6a", "a vote after destroyPowerConfigId", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id)}), say_code("destroy", perf.destroy_power_config_id(id));
    vote(perf, id, {dcvs(id)});
  });
  ask("V-6b", "a vote alive at deviceFree and backendFree, then destroyed", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    vote(perf, id, {dcvs(id)});
    h.tear_down();
    say_code("destroy", perf.destroy_power_config_id(id));
  });
  ask("V-6c", "infrastructure and power id before a backend, after a backend, after a device",
      [](Host& h) {
        const auto attempt = [&h](const char* when) {
          DeviceInfrastructure infrastructure = nullptr;
          const ErrorHandle code = h.qnn.device_get_infrastructure(&infrastructure);
          say_code(when, code);
          if (code != 0 || infrastructure == nullptr) return;
          std::uint32_t id = 0;
          say_code("id", reinterpret_cast<HtpDeviceInfrastructure*>(infrastructure)
                             ->perf_infra.create_power_config_id(0, 0, &id));
        };
        attempt("nothing");
        h.qnn.backend_create(nullptr, nullptr, &h.backend), attempt("backend");
        h.qnn.device_create(nullptr, nullptr, &h.device), attempt("device");
      });
  ask("V-6d", "two infrastructures", [](Host& h) {
    h.start();
    DeviceInfrastructure first = nullptr, second = nullptr;
    code(h.qnn.device_get_infrastructure(&first)), code(h.qnn.device_get_infrastructure(&second));
    say("%s", first == second ? "the same" : "another");
  });
  ask("V-7a", "a vote while a context executes, and after it is freed", [](Host& h) {
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    const Context context = h.create();
    vote(perf, id, {dcvs(id)});
    h.execute(context.retrieve());
    h.free(context.handle);
    vote(perf, id, {dcvs(id)});
    say_code("destroy", perf.destroy_power_config_id(id));
    h.tear_down();
  });
  ask("V-7b", "setMemoryConfig: 1 MiB, 0, an unknown option, an empty list", [](Host& h) {
    const auto perf = perf_of(h);
    const auto configure = [&perf](std::uint32_t option, std::uint32_t bytes) {
      HtpPerfInfrastructureMemoryConfig config{};
      config.option = HtpPerfInfrastructureMemoryConfigOption{option};
      config.mem_grow_size_config = bytes;
      const HtpPerfInfrastructureMemoryConfig* list[] = {&config, nullptr};
      code(perf.set_memory_config(0, 0, list));
    };
    configure(1, 1 << 20), configure(1, 0), configure(77, 1);
    const HtpPerfInfrastructureMemoryConfig* none[] = {nullptr};
    code(perf.set_memory_config(0, 0, none));
  });
  ask("V-8", "a remote call fails in a vote: vote, again, destroy", [](Host& h) {
    h.need(h.standin.fail_return);
    const auto perf = perf_of(h);
    const std::uint32_t id = new_id(perf);
    h.standin.fail_return(0, 1, 77);
    vote(perf, id, {dcvs(id)}), vote(perf, id, {dcvs(id)});
    say_code("destroy", perf.destroy_power_config_id(id));
  });
  ask_newer_power(ask);
  ask_effects_of_votes(ask);
}

void ask_devices(Catalogue& ask) {
  ask("D-1a", "the platform's information", [](Host& h) { h.start(), say_info(platform_of(h)); });
  ask("D-1b", "the same before a backend", [](Host& h) { say_info(platform_of(h)); });
  ask("D-1c", "the device's information", [](Host& h) {
    h.start();
    const DevicePlatformInfo* info = nullptr;
    code(h.qnn.device_get_info(h.device, &info));
    say_info(info);
  });
  ask("D-2a", "a device for the platform's own chip", [](Host& h) {
    const auto* const extension = reinterpret_cast<const HtpDeviceDeviceInfoExtension*>(
        platform_of(h)->v1.hw_devices[0].v1.device_info_extension);
    if (extension == nullptr) give_up("no extension");
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::soc,
                          extension->on_chip_device.soc_model)});
  });
  ask("D-2b", "a device for chip 57 (SM8650)",
      [](Host& h) { start_with(h, {custom(union_word(h), HtpDeviceConfigOption::soc, 57)}); });
  ask("D-2c", "a device for chip 4711",
      [](Host& h) { start_with(h, {custom(union_word(h), HtpDeviceConfigOption::soc, 4711)}); });
  ask("D-2d", "a device for chip 0",
      [](Host& h) { start_with(h, {custom(union_word(h), HtpDeviceConfigOption::soc, 0)}); });
  ask("D-3a", "a device for architecture 68",
      [](Host& h) { start_with(h, {custom(union_word(h), HtpDeviceConfigOption::arch, 0, 68)}); });
  ask("D-3b", "a device for architecture 79",
      [](Host& h) { start_with(h, {custom(union_word(h), HtpDeviceConfigOption::arch, 0, 79)}); });
  ask("D-3c", "a device for architecture 77",
      [](Host& h) { start_with(h, {custom(union_word(h), HtpDeviceConfigOption::arch, 0, 77)}); });
  ask("D-3d", "a device for architecture 0, and one of device 1", [](Host& h) {
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::arch, 0, 0)});
    device_with(h, {custom(union_word(h), HtpDeviceConfigOption::arch, 1, 73)});
  });
  ask("D-3e", "a device for a chip and an architecture", [](Host& h) {
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::soc, 57),
                   custom(union_word(h), HtpDeviceConfigOption::arch, 0, 75)});
  });
  ask("D-4a", "signed process domain", [](Host& h) {
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::signedpd, 0, 1)});
  });
  ask("D-4b", "signed process domain, refused", [](Host& h) {
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::signedpd, 0, 0)});
  });
  ask("D-4c", "signed process domain of device 1", [](Host& h) {
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::signedpd, 1, 1)});
  });
  ask("D-4d", "secure process domain", [](Host& h) {
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::securepd, 0, 1)});
  });
  ask("D-4f", "secure process domain, refused", [](Host& h) {
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::securepd, 0, 0)});
  });
  ask("D-4e", "signed and secure process domain", [](Host& h) {
    start_with(h, {custom(union_word(h), HtpDeviceConfigOption::signedpd, 0, 1),
                   custom(union_word(h), HtpDeviceConfigOption::securepd, 0, 1)});
  });
  ask("D-4g", "signed process domain, in the layout of other versions", [](Host& h) {
    start_with(h, {custom(other_union_word(h), HtpDeviceConfigOption::signedpd, 0, 1)});
  });
  ask("D-5a", "an unknown HTP option",
      [](Host& h) { start_with(h, {custom(union_word(h), HtpDeviceConfigOption{4711}, 0, 1)}); });
  ask("D-5b", "options 4, 5 and 6 of HTP", [](Host& h) {
    h.qnn.backend_create(nullptr, nullptr, &h.backend);
    for (const std::uint32_t option : {4u, 5u, 6u}) {
      const DeviceHandle made =
          device_with(h, {custom(union_word(h), HtpDeviceConfigOption{option}, 0, 1)});
      if (made != nullptr) h.qnn.device_free(made);
    }
  });
  ask("D-5c", "option CUSTOM with NULL", [](Host& h) {
    h.qnn.backend_create(nullptr, nullptr, &h.backend);
    device_with(h, {DeviceConfig{DeviceConfigOption::custom, {nullptr}}});
  });
  ask("D-6a", "a device for the platform's information", [](Host& h) {
    DeviceConfig config{DeviceConfigOption::platform_info, {nullptr}};
    config.hardware_info = const_cast<DevicePlatformInfo*>(platform_of(h));
    start_with(h, {config});
  });
  ask("D-6b", "the same, with the information freed before the context", [](Host& h) {
    const DevicePlatformInfo* const info = platform_of(h);
    h.qnn.backend_create(nullptr, nullptr, &h.backend);
    DeviceConfig config{DeviceConfigOption::platform_info, {nullptr}};
    config.hardware_info = const_cast<DevicePlatformInfo*>(info);
    h.device = device_with(h, {config});
    say_code("free info", h.qnn.device_free_platform_info(nullptr, info));
    if (h.device != nullptr) h.execute(h.create().retrieve());
  });
  ask("D-6c", "a device for no device of the platform, and for an unknown version", [](Host& h) {
    DevicePlatformInfo info = *platform_of(h);
    h.qnn.backend_create(nullptr, nullptr, &h.backend);
    DeviceConfig config{DeviceConfigOption::platform_info, {nullptr}};
    config.hardware_info = &info;
    info.v1.num_hw_devices = 0;
    device_with(h, {config});
    info.version = DevicePlatformInfoVersion{77};
    device_with(h, {config});
  });
  ask("D-7a", "deviceSetConfig: signed, secure, chip, NULL, an empty list", [](Host& h) {
    h.start();
    for (const DeviceConfig& config : {custom(union_word(h), HtpDeviceConfigOption::signedpd, 0, 1),
                                       custom(union_word(h), HtpDeviceConfigOption::securepd, 0, 1),
                                       custom(union_word(h), HtpDeviceConfigOption::soc, 57)}) {
      const DeviceConfig* list[] = {&config, nullptr};
      code(h.qnn.device_set_config(h.device, list));
    }
    code(h.qnn.device_set_config(h.device, nullptr));
    const DeviceConfig* none[] = {nullptr};
    code(h.qnn.device_set_config(h.device, none));
  });
  ask("D-7c", "deviceSetConfig in the layout of other versions: signed, secure, chip", [](Host& h) {
    h.start();
    const unsigned at = other_union_word(h);
    for (const DeviceConfig& config : {custom(at, HtpDeviceConfigOption::signedpd, 0, 1),
                                       custom(at, HtpDeviceConfigOption::securepd, 0, 1),
                                       custom(at, HtpDeviceConfigOption::soc, 57)}) {
      const DeviceConfig* list[] = {&config, nullptr};
      code(h.qnn.device_set_config(h.device, list));
    }
  });
  ask("D-7b", "deviceSetConfig while a context lives: an empty list, chip, signed", [](Host& h) {
    h.start();
    h.create();
    const DeviceConfig* none[] = {nullptr};
    code(h.qnn.device_set_config(h.device, none));
    for (const DeviceConfig& config :
         {custom(union_word(h), HtpDeviceConfigOption::soc, 57),
          custom(union_word(h), HtpDeviceConfigOption::signedpd, 0, 1)}) {
      const DeviceConfig* list[] = {&config, nullptr};
      code(h.qnn.device_set_config(h.device, list));
    }
  });
  ask("D-8a", "a second device without options, and one with other options", [](Host& h) {
    h.start();
    DeviceHandle second = nullptr;
    say_code("deviceCreate", h.qnn.device_create(nullptr, nullptr, &second));
    say("%s", second == h.device ? "the same" : "another");
    device_with(h, {custom(union_word(h), HtpDeviceConfigOption::signedpd, 0, 1)});
    device_with(h, {custom(union_word(h), HtpDeviceConfigOption::soc, 57)});
  });
  ask("D-8c", "a second device with options in the layout of other versions", [](Host& h) {
    h.start();
    device_with(h, {custom(other_union_word(h), HtpDeviceConfigOption::signedpd, 0, 1)});
    device_with(h, {custom(other_union_word(h), HtpDeviceConfigOption::soc, 57)});
  });
  ask("D-8b", "deviceCreate with options that are gone before the context is created", [](Host& h) {
    h.qnn.backend_create(nullptr, nullptr, &h.backend);
    const Pages pages = Pages::of(page_bytes);
    auto* const words = reinterpret_cast<std::uint32_t*>(pages.data);
    words[0] = static_cast<std::uint32_t>(HtpDeviceConfigOption::signedpd);
    words[union_word(h) + 1] = 1;
    DeviceConfig config{DeviceConfigOption::custom, {nullptr}};
    config.custom_config = words;
    h.device = device_with(h, {config});
    pages.protect();
    const Context context = h.create();
    if (context.created == 0) h.execute(context.retrieve());
  });
}

}  // namespace conformance
