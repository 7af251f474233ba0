// E: bad arguments of the slots from 25 on, of HTP's own functions (90 and up) and of the system
// library (100 and up).
#include "errors.hpp"

namespace conformance {

void ask_slots(Catalogue& ask) {
  // Logs.
  ask("E-25a", "logCreate(out NULL)",
      [](Host& h) { code(h.qnn.log_create(nullptr, LogLevel::error, nullptr)); });
  ask("E-25b", "logCreate(level 0)", [](Host& h) {
    LogHandle logger = nullptr;
    code(h.qnn.log_create(nullptr, LogLevel{0}, &logger));
  });
  ask("E-25c", "logCreate(level 77)", [](Host& h) {
    LogHandle logger = nullptr;
    code(h.qnn.log_create(nullptr, LogLevel{77}, &logger));
  });
  ask("E-25d", "logCreate(level max)", [](Host& h) {
    LogHandle logger = nullptr;
    code(h.qnn.log_create(nullptr, LogLevel::max, &logger));
  });
  ask("E-26a", "logSetLogLevel(NULL)",
      [](Host& h) { code(h.qnn.log_set_log_level(nullptr, LogLevel::error)); });
  ask("E-26b", "logSetLogLevel(bad)",
      [](Host& h) { code(h.qnn.log_set_log_level(no_such<LogHandle>(), LogLevel::error)); });
  ask("E-26c", "logSetLogLevel(level 0)", [](Host& h) {
    LogHandle logger = nullptr;
    h.qnn.log_create(nullptr, LogLevel::error, &logger);
    code(h.qnn.log_set_log_level(logger, LogLevel{0}));
  });
  ask("E-27a", "logFree(NULL)", [](Host& h) { code(h.qnn.log_free(nullptr)); });
  ask("E-27b", "logFree(bad)", [](Host& h) { code(h.qnn.log_free(no_such<LogHandle>())); });
  ask("E-27d", "logFree(bad) while another logger lives", [](Host& h) {
    LogHandle logger = nullptr;
    h.qnn.log_create(nullptr, LogLevel::error, &logger);
    code(h.qnn.log_free(no_such<LogHandle>()));
    code(h.qnn.log_free(nullptr));
  });
  ask("E-27c", "logFree twice", [](Host& h) {
    LogHandle logger = nullptr;
    h.qnn.log_create(nullptr, LogLevel::error, &logger);
    code(h.qnn.log_free(logger));
    code(h.qnn.log_free(logger));
  });

  // Profiles.
  ask("E-28a", "profileCreate(level 0)", [](Host& h) {
    h.start();
    ProfileHandle profile = nullptr;
    code(h.qnn.profile_create(h.backend, 0, &profile));
  });
  ask("E-28b", "profileCreate(level 77)", [](Host& h) {
    h.start();
    ProfileHandle profile = nullptr;
    code(h.qnn.profile_create(h.backend, 77, &profile));
  });
  ask("E-28c", "profileCreate(bad backend)", [](Host& h) {
    h.start();
    ProfileHandle profile = nullptr;
    code(h.qnn.profile_create(no_such<BackendHandle>(), profile_level::basic, &profile));
  });
  ask("E-28d", "profileCreate(out NULL)", [](Host& h) {
    h.start(), code(h.qnn.profile_create(h.backend, profile_level::basic, nullptr));
  });
  ask("E-29a", "profileSetConfig(bad)", [](Host& h) {
    h.start(), code(h.qnn.profile_set_config(no_such<ProfileHandle>(), nullptr));
  });
  ask("E-29b", "profileSetConfig(max events 10)", [](Host& h) {
    ProfileConfig config{ProfileConfigOption::max_events, {nullptr}};
    config.num_max_events = 10;
    const ProfileConfig* list[] = {&config, nullptr};
    code(h.qnn.profile_set_config(profile_of(h), list));
  });
  ask("E-29c", "profileSetConfig(op trace) of a basic and of a detailed profile", [](Host& h) {
    h.start();
    ProfileConfig config{ProfileConfigOption::enable_optrace, {nullptr}};
    config.enable_optrace = 1;
    const ProfileConfig* list[] = {&config, nullptr};
    for (const ProfileLevel level : {profile_level::basic, profile_level::detailed}) {
      ProfileHandle profile = nullptr;
      h.qnn.profile_create(h.backend, level, &profile);
      code(h.qnn.profile_set_config(profile, list));
    }
    code(h.qnn.profile_set_config(no_such<ProfileHandle>(), list));
  });
  ask("E-29d", "profileSetConfig(NULL)",
      [](Host& h) { h.start(), code(h.qnn.profile_set_config(nullptr, nullptr)); });
  ask("E-30a", "profileGetEvents(bad)", [](Host& h) {
    h.start();
    const ProfileEventId* events = nullptr;
    std::uint32_t count = 0;
    code(h.qnn.profile_get_events(no_such<ProfileHandle>(), &events, &count));
  });
  ask("E-30b", "profileGetEvents of a new profile: code and count", [](Host& h) {
    const ProfileEventId* events = nullptr;
    std::uint32_t count = 77;
    code(h.qnn.profile_get_events(profile_of(h), &events, &count));
    say("%u", count);
  });
  ask("E-30c", "profileGetEvents(NULL, NULL)",
      [](Host& h) { code(h.qnn.profile_get_events(profile_of(h), nullptr, nullptr)); });
  ask("E-31a", "profileGetSubEvents(unknown event)", [](Host& h) {
    h.start();
    const ProfileEventId* events = nullptr;
    std::uint32_t count = 0;
    code(h.qnn.profile_get_sub_events(4711, &events, &count));
  });
  ask("E-32a", "profileGetEventData(unknown event)", [](Host& h) {
    h.start();
    ProfileEventData data{};
    code(h.qnn.profile_get_event_data(4711, &data));
  });
  ask("E-33a", "profileGetExtendedEventData(unknown event)", [](Host& h) {
    h.start();
    ProfileExtendedEventData data{};
    code(h.qnn.profile_get_extended_event_data(4711, &data));
  });
  ask("E-34a", "profileFree(NULL)", [](Host& h) { h.start(), code(h.qnn.profile_free(nullptr)); });
  ask("E-34b", "profileFree(bad)",
      [](Host& h) { h.start(), code(h.qnn.profile_free(no_such<ProfileHandle>())); });
  ask("E-34c", "profileFree twice", [](Host& h) {
    const ProfileHandle profile = profile_of(h);
    code(h.qnn.profile_free(profile));
    code(h.qnn.profile_free(profile));
  });

  // Memory.
  ask("E-35a", "memRegister(NULL context)", [](Host& h) {
    h.start();
    const MemDescriptor descriptor = ion(h.allocate(page_bytes).fd, {64, 64});
    MemHandle handle = preset<MemHandle>();
    code(h.qnn.mem_register(nullptr, &descriptor, 1, &handle));
    say("handle %s", word_for(handle));
  });
  ask("E-35b", "memRegister(bad context)", [](Host& h) {
    h.start();
    const MemDescriptor descriptor = ion(h.allocate(page_bytes).fd, {64, 64});
    MemHandle handle = preset<MemHandle>();
    code(h.qnn.mem_register(no_context(), &descriptor, 1, &handle));
    say("handle %s", word_for(handle));
  });
  ask("E-35c", "memRegister(descriptors NULL)", [](Host& h) {
    MemHandle handle = preset<MemHandle>();
    code(h.qnn.mem_register(context_of(h), nullptr, 1, &handle));
  });
  ask("E-35d", "memRegister(handles NULL)", [](Host& h) {
    const ContextHandle context = context_of(h);
    const MemDescriptor descriptor = ion(h.allocate(page_bytes).fd, {64, 64});
    code(h.qnn.mem_register(context, &descriptor, 1, nullptr));
  });
  ask("E-36a", "memDeRegister of 0 handles", [](Host& h) {
    h.start();
    const MemHandle handle = nullptr;
    code(h.qnn.mem_de_register(&handle, 0));
  });
  ask("E-36b", "memDeRegister(NULL, 1)",
      [](Host& h) { h.start(), code(h.qnn.mem_de_register(nullptr, 1)); });
  ask("E-36c", "memDeRegister of a NULL handle", [](Host& h) {
    h.start();
    const MemHandle handle = nullptr;
    code(h.qnn.mem_de_register(&handle, 1));
  });
  ask("E-36d", "memDeRegister(NULL, 0)",
      [](Host& h) { h.start(), code(h.qnn.mem_de_register(nullptr, 0)); });

  // Devices.
  ask("E-37a", "deviceGetPlatformInfo(out NULL)",
      [](Host& h) { h.start(), code(h.qnn.device_get_platform_info(nullptr, nullptr)); });
  ask("E-37b", "deviceGetPlatformInfo, deviceFreePlatformInfo twice", [](Host& h) {
    h.start();
    const DevicePlatformInfo* info = nullptr;
    code(h.qnn.device_get_platform_info(nullptr, &info));
    code(h.qnn.device_free_platform_info(nullptr, info));
  });
  ask("E-37c", "deviceGetPlatformInfo(bad logger)", [](Host& h) {
    h.start();
    const DevicePlatformInfo* info = nullptr;
    code(h.qnn.device_get_platform_info(no_such<LogHandle>(), &info));
  });
  ask("E-38a", "deviceFreePlatformInfo(NULL)",
      [](Host& h) { h.start(), code(h.qnn.device_free_platform_info(nullptr, nullptr)); });
  ask("E-38b", "deviceFreePlatformInfo(of no call)", [](Host& h) {
    h.start();
    const DevicePlatformInfo info{};
    code(h.qnn.device_free_platform_info(nullptr, &info));
  });
  ask("E-39a", "deviceGetInfrastructure(NULL)",
      [](Host& h) { h.start(), code(h.qnn.device_get_infrastructure(nullptr)); });
  ask("E-40a", "deviceCreate(out NULL)",
      [](Host& h) { h.start(), code(h.qnn.device_create(nullptr, nullptr, nullptr)); });
  ask("E-40b", "deviceCreate(unknown option)", [](Host& h) {
    code(h.qnn.backend_create(nullptr, nullptr, &h.backend));
    const DeviceConfig config{static_cast<DeviceConfigOption>(4711), {nullptr}};
    const DeviceConfig* list[] = {&config, nullptr};
    code(h.qnn.device_create(nullptr, list, &h.device));
  });
  ask("E-40c", "deviceCreate without a backend",
      [](Host& h) { code(h.qnn.device_create(nullptr, nullptr, &h.device)); });
  ask("E-40d", "deviceCreate(bad logger)", [](Host& h) {
    h.start(), code(h.qnn.device_create(no_such<LogHandle>(), nullptr, &h.device));
  });
  ask("E-40e", "deviceCreate(of another architecture)", [](Host& h) {
    HtpDeviceCustomConfig custom{};
    custom.option = HtpDeviceConfigOption::arch;
    custom.arch = {0, HtpDeviceArch::v85};
    DeviceConfig config{DeviceConfigOption::custom, {&custom}};
    const DeviceConfig* list[] = {&config, nullptr};
    code(h.qnn.backend_create(nullptr, nullptr, &h.backend));
    code(h.qnn.device_create(nullptr, list, &h.device));
  });
  ask("E-41a", "deviceSetConfig(bad device)",
      [](Host& h) { h.start(), code(h.qnn.device_set_config(no_such<DeviceHandle>(), nullptr)); });
  ask("E-42a", "deviceGetInfo(bad device)", [](Host& h) {
    h.start();
    const DevicePlatformInfo* info = nullptr;
    code(h.qnn.device_get_info(no_such<DeviceHandle>(), &info));
  });
  ask("E-43a", "deviceFree(NULL)", [](Host& h) { h.start(), code(h.qnn.device_free(nullptr)); });
  ask("E-43b", "deviceFree(bad)",
      [](Host& h) { h.start(), code(h.qnn.device_free(no_such<DeviceHandle>())); });

  // Signals.
  ask("E-44a", "signalCreate(out NULL)",
      [](Host& h) { h.start(), code(h.qnn.signal_create(h.backend, nullptr, nullptr)); });
  ask("E-44b", "signalCreate(bad backend)", [](Host& h) {
    h.start();
    SignalHandle signal = nullptr;
    code(h.qnn.signal_create(no_such<BackendHandle>(), nullptr, &signal));
  });
  ask("E-44c", "signalCreate(timeout 0)", [](Host& h) {
    h.start();
    SignalConfig config{SignalConfigOption::timeout, {nullptr}};
    config.timeout_duration_us = 0;
    const SignalConfig* list[] = {&config, nullptr};
    SignalHandle signal = nullptr;
    code(h.qnn.signal_create(h.backend, list, &signal));
  });
  ask("E-44d", "signalCreate(unknown option)", [](Host& h) {
    h.start();
    const SignalConfig config{static_cast<SignalConfigOption>(4711), {nullptr}};
    const SignalConfig* list[] = {&config, nullptr};
    SignalHandle signal = nullptr;
    code(h.qnn.signal_create(h.backend, list, &signal));
  });
  ask("E-44e", "signalCreate(empty list)", [](Host& h) {
    h.start();
    const SignalConfig* list[] = {nullptr};
    SignalHandle signal = nullptr;
    code(h.qnn.signal_create(h.backend, list, &signal));
  });
  ask("E-45a", "signalSetConfig(bad)",
      [](Host& h) { h.start(), code(h.qnn.signal_set_config(no_such<SignalHandle>(), nullptr)); });
  ask("E-45b", "signalSetConfig(NULL config)",
      [](Host& h) { code(h.qnn.signal_set_config(signal_of(h), nullptr)); });
  ask("E-45c", "signalSetConfig(unknown option)", [](Host& h) {
    const SignalHandle signal = signal_of(h);
    const SignalConfig config{static_cast<SignalConfigOption>(4711), {nullptr}};
    const SignalConfig* list[] = {&config, nullptr};
    code(h.qnn.signal_set_config(signal, list));
  });
  ask("E-46a", "signalTrigger(bad)",
      [](Host& h) { h.start(), code(h.qnn.signal_trigger(no_such<SignalHandle>())); });
  ask("E-46b", "signalTrigger of an idle signal",
      [](Host& h) { code(h.qnn.signal_trigger(signal_of(h))); });
  ask("E-46c", "signalTrigger of an idle signal made for abort, for timeout, for both",
      [](Host& h) {
        h.start();
        SignalConfig abort{SignalConfigOption::abort, {nullptr}};
        SignalConfig timeout{SignalConfigOption::timeout, {nullptr}};
        timeout.timeout_duration_us = 1000;
        const SignalConfig* lists[][3] = {
            {&abort, nullptr, nullptr}, {&timeout, nullptr, nullptr}, {&abort, &timeout, nullptr}};
        for (auto& list : lists) {
          SignalHandle signal = nullptr;
          code(h.qnn.signal_create(h.backend, list, &signal));
          code(h.qnn.signal_trigger(signal));
        }
      });
  ask("E-47a", "signalFree(NULL)", [](Host& h) { h.start(), code(h.qnn.signal_free(nullptr)); });
  ask("E-47b", "signalFree(bad)",
      [](Host& h) { h.start(), code(h.qnn.signal_free(no_such<SignalHandle>())); });
  ask("E-47c", "signalFree twice", [](Host& h) {
    const SignalHandle signal = signal_of(h);
    code(h.qnn.signal_free(signal));
    code(h.qnn.signal_free(signal));
  });

  // Texts.
  ask("E-48a", "errorGetMessage(out NULL)",
      [](Host& h) { code(h.qnn.error_get_message(5002, nullptr)); });
  ask("E-48b", "errorGetMessage(unknown code 65000)", [](Host& h) {
    const char* text = nullptr;
    code(h.qnn.error_get_message(65000, &text));
    say("%s", text == nullptr ? "NULL" : "text");
  });
  ask("E-49a", "errorGetVerboseMessage(5002)", [](Host& h) {
    const char* text = nullptr;
    code(h.qnn.error_get_verbose_message(5002, &text));
    say("%s", text == nullptr ? "NULL" : "text");
  });
  ask("E-50a", "errorFreeVerboseMessage(NULL)",
      [](Host& h) { code(h.qnn.error_free_verbose_message(nullptr)); });

  // Later slots.
  ask("E-51a", "graphPrepareExecutionEnvironment(NULL graph)", [](Host& h) {
    h.start(), code(h.qnn.graph_prepare_execution_environment(nullptr, nullptr, 0));
  });
  ask("E-51b", "graphPrepareExecutionEnvironment(none)",
      [](Host& h) { code(h.qnn.graph_prepare_execution_environment(graph_of(h), nullptr, 0)); });
  ask("E-52a", "graphReleaseExecutionEnvironment(NULL graph)", [](Host& h) {
    h.start(), code(h.qnn.graph_release_execution_environment(nullptr, nullptr, 0));
  });
  ask("E-53a", "graphGetProperty(NULL graph)",
      [](Host& h) { h.start(), code(h.qnn.graph_get_property(nullptr, nullptr)); });
  ask("E-53b", "graphGetProperty(NULL list)",
      [](Host& h) { code(h.qnn.graph_get_property(graph_of(h), nullptr)); });
  ask("E-54a", "contextValidateBinary(good)", [](Host& h) {
    h.start(),
        code(h.qnn.context_validate_binary(h.backend, h.device, nullptr, given.main->bytes.data(),
                                           given.main->bytes.size()));
  });
  ask("E-54b", "contextValidateBinary(junk)", [](Host& h) {
    h.start(),
        code(h.qnn.context_validate_binary(h.backend, h.device, nullptr, junk().data, page_bytes));
  });
  ask("E-55a", "contextCreateFromBinaryWithSignal(NULL signal)", [](Host& h) {
    h.start();
    ContextHandle context = nullptr;
    code(h.qnn.context_create_from_binary_with_signal(
        h.backend, h.device, nullptr, given.main->bytes.data(), given.main->bytes.size(), &context,
        nullptr, nullptr));
  });
  ask("E-55b", "contextCreateFromBinaryWithSignal(bad signal)", [](Host& h) {
    h.start();
    ContextHandle context = nullptr;
    code(h.qnn.context_create_from_binary_with_signal(
        h.backend, h.device, nullptr, given.main->bytes.data(), given.main->bytes.size(), &context,
        nullptr, no_such<SignalHandle>()));
  });
  ask("E-57a", "tensorUpdateGraphTensors(NULL graph)",
      [](Host& h) { h.start(), code(h.qnn.tensor_update_graph_tensors(nullptr, nullptr, 0)); });
  ask("E-58a", "tensorUpdateContextTensors(NULL context)",
      [](Host& h) { h.start(), code(h.qnn.tensor_update_context_tensors(nullptr, nullptr, 0)); });
  ask("E-59a", "contextGetBinarySectionSize(bad context)", [](Host& h) {
    h.start();
    ContextBinarySize size = 0;
    code(h.qnn.context_get_binary_section_size(no_context(), nullptr, ContextSectionType::updatable,
                                               &size));
  });
  ask("E-59b", "contextGetBinarySectionSize of a context without updatable tensors", [](Host& h) {
    ContextBinarySize size = 0;
    code(h.qnn.context_get_binary_section_size(context_of(h), nullptr,
                                               ContextSectionType::updatable, &size));
  });
  ask("E-60a", "contextGetBinarySection(bad context)", [](Host& h) {
    h.start();
    const ContextBuffer buffer{ContextBufferVersion::v1, {}};
    ContextBinarySize size = 0;
    code(h.qnn.context_get_binary_section(no_context(), nullptr, ContextSectionType::updatable,
                                          &buffer, &size, nullptr, nullptr));
  });
  ask("E-61a", "contextApplyBinarySection(bad context)", [](Host& h) {
    h.start();
    const ContextBuffer buffer{ContextBufferVersion::v1, {}};
    code(h.qnn.context_apply_binary_section(no_context(), nullptr, ContextSectionType::updatable,
                                            &buffer, nullptr, nullptr));
  });
  ask("E-61b", "contextApplyBinarySection(NULL buffer)", [](Host& h) {
    code(h.qnn.context_apply_binary_section(context_of(h), nullptr, ContextSectionType::updatable,
                                            nullptr, nullptr, nullptr));
  });
  ask("E-62a", "backendGetProperty(bad backend)", [](Host& h) {
    h.need_core(23), h.start(), code(h.qnn.backend_get_property(no_such<BackendHandle>(), nullptr));
  });
  ask("E-62b", "backendGetProperty(NULL list)", [](Host& h) {
    h.need_core(23), h.start(), code(h.qnn.backend_get_property(h.backend, nullptr));
  });
  ask("E-63a", "contextGetProperty(NULL context)", [](Host& h) {
    h.need_core(23), h.start();
    Context context;
    context.host = &h;
    code(context.property(HtpContextPropertyOption::weights_buffer_size));
  });
  ask("E-63b", "contextGetProperty(bad context, NULL list)", [](Host& h) {
    h.need_core(23), h.start(), code(h.qnn.context_get_property(no_context(), nullptr));
  });
  ask("E-63c", "contextGetProperty(bad context)", [](Host& h) {
    h.need_core(23), h.start();
    Context context;
    context.host = &h;
    context.handle = no_context();
    code(context.property(HtpContextPropertyOption::weights_buffer_size));
  });
  ask("E-64a", "contextGetIncrementalBinary(bad context)", [](Host& h) {
    h.need_core(27), h.start();
    const void* bytes = nullptr;
    ContextBinarySize start = 0, size = 0;
    code(h.qnn.context_get_incremental_binary(no_context(), &bytes, &start, &size));
  });
  ask("E-65a", "contextReleaseIncrementalBinary(bad context)", [](Host& h) {
    h.need_core(27), h.start(),
        code(h.qnn.context_release_incremental_binary(no_context(), nullptr, 0));
  });
  ask("E-66a", "contextFinalize(NULL)",
      [](Host& h) { h.need_core(27), h.start(), code(h.qnn.context_finalize(nullptr, nullptr)); });
  ask("E-66b", "contextFinalize(bad)", [](Host& h) {
    h.need_core(27), h.start(), code(h.qnn.context_finalize(no_context(), nullptr));
  });
  ask("E-66c", "contextFinalize(bad profile)",
      [](Host& h) { code(h.qnn.context_finalize(deferred_of(h), no_such<ProfileHandle>())); });
  ask("E-67a", "globalConfigSet(NULL)",
      [](Host& h) { h.need_core(27), code(h.qnn.global_config_set(nullptr)); });
  ask("E-67b", "globalConfigSet(SoC) after the start", [](Host& h) {
    h.need_core(27), h.start();
    const GlobalConfig config{GlobalConfigConfigOption::soc_model, {}};
    const GlobalConfig* list[] = {&config, nullptr};
    code(h.qnn.global_config_set(list));
  });
  ask("E-67c", "globalConfigSet(unknown option)", [](Host& h) {
    h.need_core(27), h.start();
    const GlobalConfig config{static_cast<GlobalConfigConfigOption>(4711), {}};
    const GlobalConfig* list[] = {&config, nullptr};
    code(h.qnn.global_config_set(list));
  });
  ask("E-70a", "contextFreeBinarySectionUpdate(empty)", [](Host& h) {
    h.need_core(32), h.start(),
        code(h.qnn.context_free_binary_section_update(ContextBuffer{}, nullptr));
  });

  // The functions of HTP's own infrastructure.
  ask("E-90a", "createPowerConfigId(out NULL)",
      [](Host& h) { code(perf_of(h).create_power_config_id(0, 0, nullptr)); });
  ask("E-90b", "createPowerConfigId(device 77)", [](Host& h) {
    std::uint32_t id = 0;
    code(perf_of(h).create_power_config_id(77, 0, &id));
  });
  ask("E-91a", "destroyPowerConfigId(0)",
      [](Host& h) { code(perf_of(h).destroy_power_config_id(0)); });
  ask("E-91b", "destroyPowerConfigId(4711)",
      [](Host& h) { code(perf_of(h).destroy_power_config_id(4711)); });
  ask("E-91c", "createPowerConfigId, destroyPowerConfigId twice", [](Host& h) {
    const auto perf = perf_of(h);
    std::uint32_t id = 0;
    code(perf.create_power_config_id(0, 0, &id));
    code(perf.destroy_power_config_id(id));
    code(perf.destroy_power_config_id(id));
  });
  ask("E-92a", "setPowerConfig(unknown id)", [](Host& h) {
    HtpPerfInfrastructurePowerConfig config{};
    config.option = HtpPerfInfrastructurePowerConfigOption::rpc_polling_time;
    config.rpc_polling_time_config = 9999;
    const HtpPerfInfrastructurePowerConfig* list[] = {&config, nullptr};
    code(perf_of(h).set_power_config(4711, list));
  });
  ask("E-92b", "setPowerConfig(NULL)", [](Host& h) {
    const auto perf = perf_of(h);
    std::uint32_t id = 0;
    perf.create_power_config_id(0, 0, &id);
    code(perf.set_power_config(id, nullptr));
  });
  ask("E-92c", "setPowerConfig(0)", [](Host& h) {
    HtpPerfInfrastructurePowerConfig config{};
    config.option = HtpPerfInfrastructurePowerConfigOption::rpc_polling_time;
    config.rpc_polling_time_config = 9999;
    const HtpPerfInfrastructurePowerConfig* list[] = {&config, nullptr};
    code(perf_of(h).set_power_config(0, list));
  });
  ask("E-92d", "createPowerConfigId, deviceFree, setPowerConfig, destroy, create", [](Host& h) {
    const auto perf = perf_of(h);
    HtpPerfInfrastructurePowerConfig config{};
    config.option = HtpPerfInfrastructurePowerConfigOption::rpc_polling_time;
    config.rpc_polling_time_config = 9999;
    const HtpPerfInfrastructurePowerConfig* list[] = {&config, nullptr};
    std::uint32_t id = 0;
    code(perf.create_power_config_id(0, 0, &id));
    code(h.qnn.device_free(h.device));
    code(perf.set_power_config(id, list));
    code(perf.destroy_power_config_id(id));
    code(perf.create_power_config_id(0, 0, &id));
  });
  ask("E-93a", "setMemoryConfig(NULL)",
      [](Host& h) { code(perf_of(h).set_memory_config(0, 0, nullptr)); });

  // The system library.
  ask("E-100a", "systemContextCreate(NULL)",
      [](Host& h) { code(h.system.system_context_create(nullptr)); });
  ask("E-101a", "systemContextGetBinaryInfo(NULL context): code, info, size", [](Host& h) {
    const SystemContextBinaryInfo* info = preset<const SystemContextBinaryInfo*>();
    ContextBinarySize size = 77;
    code(h.system.system_context_get_binary_info(nullptr,
                                                 const_cast<char*>(given.main->bytes.data()),
                                                 given.main->bytes.size(), &info, &size));
    say("info %s, size %s", word_for(info), size == 77 ? "untouched" : "set");
  });
  ask("E-101b", "systemContextGetBinaryInfo(junk): code, info, size", [](Host& h) {
    SystemContextHandle context = nullptr;
    code(h.system.system_context_create(&context));
    const SystemContextBinaryInfo* info = preset<const SystemContextBinaryInfo*>();
    ContextBinarySize size = 77;
    code(h.system.system_context_get_binary_info(context, junk().data, page_bytes, &info, &size));
    say("info %s, size %s", word_for(info), size == 77 ? "untouched" : "set");
  });
  ask("E-101c", "systemContextGetBinaryInfo(cut in half)", [](Host& h) {
    SystemContextHandle context = nullptr;
    h.system.system_context_create(&context);
    const SystemContextBinaryInfo* info = nullptr;
    ContextBinarySize size = 0;
    code(h.system.system_context_get_binary_info(context,
                                                 const_cast<char*>(given.main->bytes.data()),
                                                 given.main->bytes.size() / 2, &info, &size));
  });
  ask("E-101d", "systemContextGetBinaryInfo(binary NULL)", [](Host& h) {
    SystemContextHandle context = nullptr;
    h.system.system_context_create(&context);
    const SystemContextBinaryInfo* info = nullptr;
    ContextBinarySize size = 0;
    code(h.system.system_context_get_binary_info(context, nullptr, 4096, &info, &size));
  });
  ask("E-102a", "systemContextGetMetaData(junk)", [](Host& h) {
    SystemContextHandle context = nullptr;
    h.system.system_context_create(&context);
    const SystemContextBinaryInfo* info = preset<const SystemContextBinaryInfo*>();
    code(h.system.system_context_get_meta_data(context, junk().data, page_bytes, &info));
    say("info %s", word_for(info));
  });
  ask("E-103a", "systemContextFree(NULL)",
      [](Host& h) { code(h.system.system_context_free(nullptr)); });
  ask("E-103b", "systemContextFree twice", [](Host& h) {
    SystemContextHandle context = nullptr;
    h.system.system_context_create(&context);
    code(h.system.system_context_free(context));
    code(h.system.system_context_free(context));
  });
  ask("E-103c", "systemContextFree(bad)",
      [](Host& h) { code(h.system.system_context_free(no_such<SystemContextHandle>())); });
  ask("E-105a", "systemLogCreate(level 0)", [](Host& h) {
    if (h.system.system_log_create == nullptr) give_up("not asked: not in this version");
    LogHandle logger = nullptr;
    code(h.system.system_log_create(nullptr, LogLevel{0}, &logger));
  });
  ask("E-107a", "systemLogFree(NULL)", [](Host& h) {
    if (h.system.system_log_free == nullptr) give_up("not asked: not in this version");
    code(h.system.system_log_free(nullptr));
  });
}

}  // namespace conformance
