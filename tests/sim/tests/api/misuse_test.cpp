// Wrong calls and their codes, one row per case: loggers, backends, devices, contexts.
#include "misuse_world.hpp"

namespace sim_test { namespace {

const Case cases[] = {
    // providers, loggers, backends, devices
    {"backend_with_a_device_for_a_logger", 4004,
     [](World& w) {
       c_api::BackendHandle made = nullptr;
       return code(
           qnn().backend_create(reinterpret_cast<c_api::LogHandle>(w.device), nullptr, &made));
     }},
    {"backend_without_room_for_it", 4004,
     [](World&) { return code(qnn().backend_create(nullptr, nullptr, nullptr)); }},
    {"backend_with_an_unknown_option", 4012,
     [](World&) {
       c_api::BackendConfig option{};
       option.option = static_cast<c_api::BackendConfigOption>(50);
       const c_api::BackendConfig* configs[] = {&option, nullptr};
       c_api::BackendHandle made = nullptr;
       return code(qnn().backend_create(nullptr, configs, &made));
     }},
    {"backend_with_platform_options", 4012,
     [](World&) {
       c_api::BackendConfig option{};
       option.option = c_api::BackendConfigOption::platform;
       const c_api::BackendConfig* configs[] = {&option, nullptr};
       c_api::BackendHandle made = nullptr;
       return code(qnn().backend_create(nullptr, configs, &made));
     }},
    {"backendSetConfig_with_an_unknown_option", 4012,
     [](World& w) {
       c_api::BackendConfig option{};
       option.option = static_cast<c_api::BackendConfigOption>(50);
       const c_api::BackendConfig* configs[] = {&option, nullptr};
       return code(qnn().backend_set_config(w.backend, configs));
     }},
    {"backendGetProperty", 4003,
     [](World& w) { return code(qnn().backend_get_property(w.backend, nullptr)); }},
    {"backendFree_of_nonsense", 4011,
     [](World&) { return code(qnn().backend_free(nonsense<c_api::BackendHandle>())); }},
    {"op_package_for_an_unknown_target", 4003,
     [](World& w) {
       return code(
           qnn().backend_register_op_package(w.backend, "/nowhere/lib.so", "provider", "GPU"));
     }},
    {"op_package_for_this_processor_that_is_not_there", 4005,
     [](World& w) {
       return code(
           qnn().backend_register_op_package(w.backend, "/nowhere/lib.so", "provider", "CPU"));
     }},
    {"log_with_a_level_that_is_none", 11003,
     [](World&) {
       c_api::LogHandle made = nullptr;
       return code(qnn().log_create(nullptr, static_cast<c_api::LogLevel>(9), &made));
     }},
    {"log_level_of_a_backend", 11003,
     [](World& w) {
       return code(qnn().log_set_log_level(reinterpret_cast<c_api::LogHandle>(w.backend),
                                           c_api::LogLevel::info));
     }},
    {"logCreate_without_room_for_it", 11004,
     [](World&) { return code(qnn().log_create(nullptr, c_api::LogLevel::info, nullptr)); }},
    {"logFree_of_NULL", 11004, [](World&) { return code(qnn().log_free(nullptr)); }},
    {"logFree_twice", 11003,
     [](World&) {
       c_api::LogHandle made = nullptr;
       EXPECT_EQ(code(qnn().log_create(nullptr, c_api::LogLevel::info, &made)), 0u);
       EXPECT_EQ(code(qnn().log_free(made)), 0u);
       return code(qnn().log_free(made));
     }},
    {"device_with_an_unknown_option", 14001,
     [](World&) {
       c_api::DeviceConfig option{};
       option.option = static_cast<c_api::DeviceConfigOption>(50);
       const c_api::DeviceConfig* configs[] = {&option, nullptr};
       c_api::DeviceHandle made = nullptr;
       return code(qnn().device_create(nullptr, configs, &made));
     }},
    {"device_with_a_logger_that_is_none", 11003,
     [](World&) {
       c_api::DeviceHandle made = nullptr;
       return code(qnn().device_create(nonsense<c_api::LogHandle>(), nullptr, &made));
     }},
    {"deviceFree_before_its_contexts", 14003,
     [](World& w) { return code(qnn().device_free(w.device)); }},
    {"deviceSetConfig_of_a_process_domain", 14001,
     [](World& w) {
       c_api::HtpDeviceCustomConfig custom{};
       custom.option = c_api::HtpDeviceConfigOption::signedpd;
       c_api::DeviceConfig option{};
       option.custom_config = &custom;
       const c_api::DeviceConfig* configs[] = {&option, nullptr};
       return code(qnn().device_set_config(w.device, configs));
     }},
    {"device_with_a_platform_info_of_no_device", 14001,
     [](World&) {
       c_api::DevicePlatformInfo info{};
       info.version = c_api::DevicePlatformInfoVersion::v1;
       c_api::DeviceConfig option{};
       option.option = c_api::DeviceConfigOption::platform_info;
       option.hardware_info = &info;
       const c_api::DeviceConfig* configs[] = {&option, nullptr};
       c_api::DeviceHandle made = nullptr;
       return code(qnn().device_create(nullptr, configs, &made));
     }},
    {"platform_info_that_is_NULL", 1004,
     [](World&) { return code(qnn().device_free_platform_info(nullptr, nullptr)); }},
    {"chip_that_is_set_too_late", 1005,
     [](World&) {
       c_api::GlobalConfig option{};
       option.option = c_api::GlobalConfigConfigOption::soc_model;
       const c_api::GlobalConfig* configs[] = {&option, nullptr};
       return code(qnn().global_config_set(configs));
     }},
    // profiles, signals
    {"profile_with_a_limit_of_events", 1000,
     [](World& w) {
       c_api::ProfileConfig option{};
       option.option = c_api::ProfileConfigOption::max_events;
       const c_api::ProfileConfig* configs[] = {&option, nullptr};
       return code(qnn().profile_set_config(w.profile, configs));
     }},
    {"op_trace_of_a_basic_profile", 1004,
     [](World& w) {
       c_api::ProfileConfig option{};
       option.option = c_api::ProfileConfigOption::enable_optrace;
       option.enable_optrace = 1;
       const c_api::ProfileConfig* configs[] = {&option, nullptr};
       return code(qnn().profile_set_config(w.profile, configs));
     }},
    {"profileSetConfig_of_NULL", 12000,
     [](World&) { return code(qnn().profile_set_config(nullptr, nullptr)); }},
    {"trigger_of_a_signal_without_configs", 9005,
     [](World& w) { return code(qnn().signal_trigger(w.signal)); }},
    {"signal_with_an_unknown_option", 9002,
     [](World& w) {
       c_api::SignalConfig option{};
       const c_api::SignalConfig* configs[] = {&option, nullptr};
       c_api::SignalHandle made = nullptr;
       return code(qnn().signal_create(w.backend, configs, &made));
     }},
    {"signal_with_an_empty_list_of_configs", 9002,
     [](World& w) {
       const c_api::SignalConfig* configs[] = {nullptr};
       c_api::SignalHandle made = nullptr;
       return code(qnn().signal_create(w.backend, configs, &made));
     }},
    {"continuous_profile_of_a_graph_from_a_binary", 1000,
     [](World& w) {
       c_api::GraphConfig option{};
       option.option = c_api::GraphConfigOption::profile_handle;
       option.profile_handle = w.profile;
       const c_api::GraphConfig* configs[] = {&option, nullptr};
       return code(qnn().graph_set_config(w.graph, configs));
     }},
    // contexts
    {"context_without_a_backend", 5002,
     [](World& w) {
       c_api::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(nullptr, nullptr, nullptr, w.binary.data(),
                                                    w.binary.size(), &made, nullptr));
     }},
    {"context_without_a_binary", 5000,
     [](World& w) {
       c_api::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, nullptr, 8, &made,
                                                    nullptr));
     }},
    {"context_without_room_for_it", 5000,
     [](World& w) {
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(),
                                                    w.binary.size(), nullptr, nullptr));
     }},
    {"context_from_half_a_binary", 30010,
     [](World& w) {
       c_api::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(),
                                                    w.binary.size() / 2, &made, nullptr));
     }},
    {"context_for_a_newer_architecture", 5005,
     [](World& w) {
       sim::Config config = libraries().control.config();
       config.arch = 73;
       EXPECT_TRUE(libraries().control.set_config(config));
       c_api::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(),
                                                    w.binary.size(), &made, nullptr));
     }},
    {"context_with_a_zeroed_config", 5010, [](World& w) { return w.create_custom(nullptr); }},
    {"context_with_an_unknown_option", 1000,
     [](World& w) {
       c_api::ContextConfig option{};
       option.option = static_cast<c_api::ContextConfigOption>(42);
       return w.create(option);
     }},
    {"context_with_an_unknown_HTP_option", 5010,
     [](World& w) {
       c_api::HtpContextCustomConfig custom{};
       custom.option = static_cast<c_api::HtpContextConfigOption>(99);
       return w.create_custom(&custom);
     }},
    {"context_with_concurrent_resource_sharing", 1000,
     [](World& w) {
       c_api::HtpContextCustomConfig custom{};
       custom.option = c_api::HtpContextConfigOption::register_concurrent_resource_sharing;
       custom.concurrent_group_registration = {nullptr, 0};
       return w.create_custom(&custom);
     }},
    {"context_that_shares_resources_outside_a_list", 5010,
     [](World& w) {
       c_api::HtpContextCustomConfig custom{};
       custom.option = c_api::HtpContextConfigOption::share_resources;
       custom.share_resources = true;
       return w.create_custom(&custom);
     }},
    {"context_that_defers_and_switches_graphs", 1000,
     [](World& w) {
       c_api::ContextConfig defer{};
       defer.option = c_api::ContextConfigOption::defer_graph_init;
       defer.is_graph_init_deferred = 1;
       c_api::ContextConfig persistent{};
       persistent.option = c_api::ContextConfigOption::persistent_binary;
       persistent.is_persistent_binary = 1;
       c_api::ContextConfig limit{};
       limit.option = c_api::ContextConfigOption::memory_limit_hint;
       limit.memory_limit_hint = 1;
       const c_api::ContextConfig* configs[] = {&defer, &persistent, &limit, nullptr};
       c_api::ContextHandle made = nullptr;
       const auto error = code(qnn().context_create_from_binary(
           w.backend, nullptr, configs, w.binary.data(), w.binary.size(), &made, nullptr));
       EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u)
           << "the refusal leaves a live context (ORD-14)";
       return error;
     }},
    {"strict_compatibility_of_a_binary_for_less_VTCM", 5011,
     [](World& w) {
       libraries().control.reset_config();
       c_api::ContextConfig option{};
       option.option = c_api::ContextConfigOption::binary_compatibility;
       option.binary_compatibility_type = c_api::ContextBinaryCompatibilityType::strict;
       return w.create(option);
     }},
    {"context_of_a_callback_of_no_type", 5000,
     [](World& w) {
       c_api::ContextHandle made = nullptr;
       c_api::ContextBinaryCallback callback{};
       return code(qnn().context_create_from_binary_with_callback(
           w.backend, nullptr, nullptr, &callback, w.binary.data(), w.binary.size(), &made, nullptr,
           nullptr));
     }},
    {"profile_that_is_a_signal", 5000,
     [](World& w) {
       c_api::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(
           w.backend, nullptr, nullptr, w.binary.data(), w.binary.size(), &made,
           reinterpret_cast<c_api::ProfileHandle>(w.signal)));
     }},
    {"binary_of_a_context_from_a_binary", 1005,
     [](World& w) {
       c_api::ContextBinarySize size = 0;
       return code(qnn().context_get_binary_size(w.restored, &size));
     }},
    {"binary_before_all_graphs_are_finalized", 5003,
     [](World& w) {
       c_api::ContextBinarySize size = 0;
       return code(qnn().context_get_binary_size(w.composed, &size));
     }},
    {"finalize_of_an_eager_context", 1000,
     [](World& w) { return code(qnn().context_finalize(w.restored, nullptr)); }},
    {"finalize_of_a_graph", 5002,
     [](World& w) {
       return code(
           qnn().context_finalize(reinterpret_cast<c_api::ContextHandle>(w.graph), nullptr));
     }},
    {"property_of_nonsense", 5002,
     [](World&) {
       c_api::ContextProperty* none[] = {nullptr};
       return code(qnn().context_get_property(nonsense<c_api::ContextHandle>(), none));
     }},
    {"property_that_is_unknown", 1000,
     [](World& w) {
       c_api::HtpContextCustomProperty custom{};
       custom.option = c_api::HtpContextPropertyOption::reserved_4;
       c_api::ContextProperty property{};
       property.custom_property = &custom;
       c_api::ContextProperty* array[] = {&property, nullptr};
       return code(qnn().context_get_property(w.deferred, array));
     }},
    {"contextFree_twice", 5002,
     [](World& w) {
       c_api::ContextHandle made = nullptr;
       EXPECT_EQ(code(qnn().context_create(w.backend, nullptr, nullptr, &made)), 0u);
       EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
       return code(qnn().context_free(made, nullptr));
     }},
    {"setConfig_of_what_cannot_be_set_later", 1000,
     [](World& w) {
       c_api::ContextConfig option{};
       option.option = c_api::ContextConfigOption::defer_graph_init;
       const c_api::ContextConfig* configs[] = {&option, nullptr};
       return code(qnn().context_set_config(w.restored, configs));
     }},
    {"section_of_a_binary", 1000,
     [](World& w) {
       c_api::ContextBinarySize size = 0;
       return code(qnn().context_get_binary_section_size(
           w.restored, w.graph, c_api::ContextSectionType::updatable, &size));
     }},
};

class sim_misuse : public MisuseTest {};

TEST_P(sim_misuse, gets_the_documented_code) { check(); }

INSTANTIATE_TEST_SUITE_P(of, sim_misuse, ::testing::ValuesIn(cases),
                         [](const auto& row) { return std::string(row.param.name); });

}}  // namespace sim_test
