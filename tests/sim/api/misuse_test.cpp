// Wrong calls and the code each of them gets: loggers, backends, devices and contexts. One row a
// case.
#include "misuse_world.hpp"

namespace sim_test {
namespace {

const Case cases[] = {
    // providers, loggers, backends, devices
    {"backend_with_a_device_for_a_logger", 4011,
     [](World& w) {
       abi::BackendHandle made = nullptr;
       return code(
           qnn().backend_create(reinterpret_cast<abi::LogHandle>(w.device), nullptr, &made));
     }},
    {"backend_without_room_for_it", 4011,
     [](World&) { return code(qnn().backend_create(nullptr, nullptr, nullptr)); }},
    {"backend_with_other_configs_than_the_first", 4010,
     [](World&) {
       abi::BackendConfig option{};
       option.option = abi::BackendConfigOption::error_reporting;
       const abi::BackendConfig* configs[] = {&option, nullptr};
       abi::BackendHandle made = nullptr;
       return code(qnn().backend_create(nullptr, configs, &made));
     }},
    {"backend_with_a_NULL_custom_config", 4012,
     [](World&) {
       abi::BackendConfig option{};
       const abi::BackendConfig* configs[] = {&option, nullptr};
       abi::BackendHandle made = nullptr;
       return code(qnn().backend_create(nullptr, configs, &made));
     }},
    {"backend_with_platform_options", 4003,
     [](World&) {
       abi::BackendConfig option{};
       option.option = abi::BackendConfigOption::platform;
       const abi::BackendConfig* configs[] = {&option, nullptr};
       abi::BackendHandle made = nullptr;
       return code(qnn().backend_create(nullptr, configs, &made));
     }},
    {"backendFree_of_nonsense", 4011,
     [](World&) { return code(qnn().backend_free(nonsense<abi::BackendHandle>())); }},
    {"backendFree_before_its_contexts", 4002,
     [](World& w) { return code(qnn().backend_free(w.backend)); }},
    {"op_package_that_is_not_there", 4005,
     [](World& w) {
       return code(
           qnn().backend_register_op_package(w.backend, "/nowhere/lib.so", "provider", nullptr));
     }},
    {"log_with_a_level_that_is_none", 11003,
     [](World&) {
       abi::LogHandle made = nullptr;
       return code(qnn().log_create(nullptr, static_cast<abi::LogLevel>(9), &made));
     }},
    {"log_level_of_a_backend", 11004,
     [](World& w) {
       return code(qnn().log_set_log_level(reinterpret_cast<abi::LogHandle>(w.backend),
                                           abi::LogLevel::info));
     }},
    {"logFree_twice", 11004,
     [](World&) {
       abi::LogHandle made = nullptr;
       EXPECT_EQ(code(qnn().log_create(nullptr, abi::LogLevel::info, &made)), 0u);
       EXPECT_EQ(code(qnn().log_free(made)), 0u);
       return code(qnn().log_free(made));
     }},
    {"device_with_an_unknown_option", 14001,
     [](World&) {
       abi::DeviceConfig option{};
       option.option = static_cast<abi::DeviceConfigOption>(50);
       const abi::DeviceConfig* configs[] = {&option, nullptr};
       abi::DeviceHandle made = nullptr;
       return code(qnn().device_create(nullptr, configs, &made));
     }},
    {"device_of_an_architecture_to_come", 14001,
     [](World&) {
       abi::HtpDeviceCustomConfig custom{};
       custom.option = abi::HtpDeviceConfigOption::arch;
       custom.arch = {0, abi::HtpDeviceArch::v85};
       abi::DeviceConfig option{};
       option.custom_config = &custom;
       const abi::DeviceConfig* configs[] = {&option, nullptr};
       abi::DeviceHandle made = nullptr;
       return code(qnn().device_create(nullptr, configs, &made));
     }},
    {"deviceFree_before_its_contexts", 14003,
     [](World& w) { return code(qnn().device_free(w.device)); }},
    {"deviceSetConfig_with_contexts", 14003,
     [](World& w) {
       const abi::DeviceConfig* configs[] = {nullptr};
       return code(qnn().device_set_config(w.device, configs));
     }},
    {"platform_info_that_was_not_handed_out", 1004,
     [](World&) {
       const abi::DevicePlatformInfo mine{};
       return code(qnn().device_free_platform_info(nullptr, &mine));
     }},
    // contexts
    {"context_without_a_backend", 5002,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(nullptr, nullptr, nullptr, w.binary.data(),
                                                    w.binary.size(), &made, nullptr));
     }},
    {"context_without_a_binary", 5000,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, nullptr, 8, &made,
                                                    nullptr));
     }},
    {"context_without_room_for_it", 5000,
     [](World& w) {
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(),
                                                    w.binary.size(), nullptr, nullptr));
     }},
    {"context_from_half_a_binary", 5005,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(),
                                                    w.binary.size() / 2, &made, nullptr));
     }},
    {"context_for_a_newer_architecture", 5005,
     [](World& w) {
       sim::Config config = libraries().control.config();
       config.arch = 73;
       EXPECT_TRUE(libraries().control.set_config(config));
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(),
                                                    w.binary.size(), &made, nullptr));
     }},
    {"context_with_a_zeroed_config", 5010, [](World& w) { return w.create_custom(nullptr); }},
    {"context_with_an_unknown_option", 5010,
     [](World& w) {
       abi::ContextConfig option{};
       option.option = static_cast<abi::ContextConfigOption>(42);
       return w.create(option);
     }},
    {"context_with_an_unknown_priority", 5010,
     [](World& w) {
       abi::ContextConfig option{};
       option.option = abi::ContextConfigOption::priority;
       option.priority = static_cast<abi::Priority>(77);
       return w.create(option);
     }},
    {"context_with_an_unknown_HTP_option", 5010,
     [](World& w) {
       abi::HtpContextCustomConfig custom{};
       custom.option = static_cast<abi::HtpContextConfigOption>(99);
       return w.create_custom(&custom);
     }},
    {"context_with_concurrent_resource_sharing", 1000,
     [](World& w) {
       abi::HtpContextCustomConfig custom{};
       custom.option = abi::HtpContextConfigOption::register_concurrent_resource_sharing;
       custom.concurrent_group_registration = {nullptr, 0};
       return w.create_custom(&custom);
     }},
    {"context_with_extended_udma", 1000,
     [](World& w) {
       abi::HtpContextCustomConfig custom{};
       custom.option = abi::HtpContextConfigOption::use_extended_udma;
       custom.use_extended_udma = true;
       return w.create_custom(&custom);
     }},
    {"context_that_shares_resources_outside_a_list", 1000,
     [](World& w) {
       abi::HtpContextCustomConfig custom{};
       custom.option = abi::HtpContextConfigOption::share_resources;
       custom.share_resources = true;
       return w.create_custom(&custom);
     }},
    {"context_that_is_prepared_only_from_a_binary", 1000,
     [](World& w) {
       abi::HtpContextCustomConfig custom{};
       custom.option = abi::HtpContextConfigOption::prepare_only;
       custom.is_prepare_only = true;
       return w.create_custom(&custom);
     }},
    {"context_that_defers_and_switches_graphs", 1000,
     [](World& w) {
       abi::ContextConfig defer{};
       defer.option = abi::ContextConfigOption::defer_graph_init;
       defer.is_graph_init_deferred = 1;
       abi::ContextConfig persistent{};
       persistent.option = abi::ContextConfigOption::persistent_binary;
       persistent.is_persistent_binary = 1;
       abi::ContextConfig limit{};
       limit.option = abi::ContextConfigOption::memory_limit_hint;
       limit.memory_limit_hint = 1;
       const abi::ContextConfig* configs[] = {&defer, &persistent, &limit, nullptr};
       abi::ContextHandle made = nullptr;
       const auto error = code(qnn().context_create_from_binary(
           w.backend, nullptr, configs, w.binary.data(), w.binary.size(), &made, nullptr));
       EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u) << "a live context is left (ORD-14)";
       return error;
     }},
    {"strict_compatibility_of_a_binary_for_less_VTCM", 5011,
     [](World& w) {
       libraries().control.reset_config();
       abi::ContextConfig option{};
       option.option = abi::ContextConfigOption::binary_compatibility;
       option.binary_compatibility_type = abi::ContextBinaryCompatibilityType::strict;
       return w.create(option);
     }},
    {"context_that_loads_weights_by_callback", 1000,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       abi::ContextBinaryCallback callback{};
       return code(qnn().context_create_from_binary_with_callback(
           w.backend, nullptr, nullptr, &callback, w.binary.data(), w.binary.size(), &made, nullptr,
           nullptr));
     }},
    {"profile_that_is_a_signal", 5009,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(
           w.backend, nullptr, nullptr, w.binary.data(), w.binary.size(), &made,
           reinterpret_cast<abi::ProfileHandle>(w.signal)));
     }},
    {"binary_of_a_context_from_a_binary", 1005,
     [](World& w) {
       abi::ContextBinarySize size = 0;
       return code(qnn().context_get_binary_size(w.restored, &size));
     }},
    {"binary_before_all_graphs_are_finalized", 5003,
     [](World& w) {
       abi::ContextBinarySize size = 0;
       return code(qnn().context_get_binary_size(w.composed, &size));
     }},
    {"finalize_of_an_eager_context", 1000,
     [](World& w) { return code(qnn().context_finalize(w.restored, nullptr)); }},
    {"finalize_of_a_graph", 5002,
     [](World& w) {
       return code(qnn().context_finalize(reinterpret_cast<abi::ContextHandle>(w.graph), nullptr));
     }},
    {"property_of_nonsense", 5002,
     [](World&) {
       abi::ContextProperty* none[] = {nullptr};
       return code(qnn().context_get_property(nonsense<abi::ContextHandle>(), none));
     }},
    {"property_that_is_unknown", 1000,
     [](World& w) {
       abi::HtpContextCustomProperty custom{};
       custom.option = abi::HtpContextPropertyOption::reserved_4;
       abi::ContextProperty property{};
       property.custom_property = &custom;
       abi::ContextProperty* array[] = {&property, nullptr};
       return code(qnn().context_get_property(w.deferred, array));
     }},
    {"contextFree_twice", 5002,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       EXPECT_EQ(code(qnn().context_create(w.backend, nullptr, nullptr, &made)), 0u);
       EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
       return code(qnn().context_free(made, nullptr));
     }},
    {"setConfig_of_what_cannot_be_set_later", 1000,
     [](World& w) {
       abi::ContextConfig option{};
       option.option = abi::ContextConfigOption::persistent_binary;
       const abi::ContextConfig* configs[] = {&option, nullptr};
       return code(qnn().context_set_config(w.restored, configs));
     }},
    {"section_of_a_binary", 1000,
     [](World& w) {
       abi::ContextBinarySize size = 0;
       return code(qnn().context_get_binary_section_size(
           w.restored, w.graph, abi::ContextSectionType::updatable, &size));
     }},
};

class sim_misuse : public MisuseTest {};

TEST_P(sim_misuse, gets_the_documented_code) { check(); }

INSTANTIATE_TEST_SUITE_P(of, sim_misuse, ::testing::ValuesIn(cases),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace sim_test
