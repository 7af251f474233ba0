// Wrong calls and the code each of them gets: one row a case.
#include "fixture.hpp"

namespace sim_test {
namespace {

/// What a case may use: one of each, alive and in order.
struct World {
  abi::BackendHandle backend = nullptr;
  abi::LogHandle logger = nullptr;
  abi::DeviceHandle device = nullptr;
  abi::ContextHandle composed = nullptr;  ///< has an unfinished graph
  abi::GraphHandle open_graph = nullptr;
  abi::ContextHandle restored = nullptr;
  abi::GraphHandle graph = nullptr;
  abi::ContextHandle deferred = nullptr;
  abi::ProfileHandle profile = nullptr;
  abi::SignalHandle signal = nullptr;
  std::vector<std::byte> binary;
  Chain chain;

  [[nodiscard]] std::uint32_t create(const abi::ContextConfig& option) const {
    const abi::ContextConfig* configs[] = {&option, nullptr};
    abi::ContextHandle made = nullptr;
    const std::uint32_t error = code(
        qnn().context_create_from_binary(backend, nullptr, configs, binary.data(), binary.size(), &made, nullptr));
    if (error == 0) static_cast<void>(qnn().context_free(made, nullptr));
    return error;
  }
  [[nodiscard]] std::uint32_t create_custom(void* custom) const {
    abi::ContextConfig option{};
    option.option = abi::ContextConfigOption::custom;
    option.custom_config = custom;
    return create(option);
  }
  [[nodiscard]] std::uint32_t execute(const abi::Tensor& in, abi::Tensor out, std::uint32_t inputs = 1,
                                      std::uint32_t outputs = 1) const {
    return code(qnn().graph_execute(graph, &in, inputs, &out, outputs, nullptr, nullptr));
  }
};

struct Case {
  const char* name;
  std::uint32_t expected;
  std::uint32_t (*run)(World& world);
};

template <class Handle>
Handle nonsense() {
  return reinterpret_cast<Handle>(std::uintptr_t{0x1234});
}

std::vector<float>& floats() {
  static std::vector<float> values(64, 1.0f);
  return values;
}
abi::Tensor good_in(const World& world) {
  return raw(ids_of(world.chain).in, abi::TensorType::app_write, floats().data(), 256);
}
abi::Tensor good_out(const World& world) {
  static std::vector<float> values(64);
  return raw(ids_of(world.chain).out, abi::TensorType::app_read, values.data(), 256);
}

const Case cases[] = {
    // providers, loggers, backends, devices
    {"backend_with_a_device_for_a_logger", 4011,
     [](World& w) {
       abi::BackendHandle made = nullptr;
       return code(qnn().backend_create(reinterpret_cast<abi::LogHandle>(w.device), nullptr, &made));
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
    {"backendFree_of_nonsense", 4011, [](World&) { return code(qnn().backend_free(nonsense<abi::BackendHandle>())); }},
    {"backendFree_before_its_contexts", 4002, [](World& w) { return code(qnn().backend_free(w.backend)); }},
    {"op_package_that_is_not_there", 4005,
     [](World& w) {
       return code(qnn().backend_register_op_package(w.backend, "/nowhere/lib.so", "provider", nullptr));
     }},
    {"log_with_a_level_that_is_none", 11003,
     [](World&) {
       abi::LogHandle made = nullptr;
       return code(qnn().log_create(nullptr, static_cast<abi::LogLevel>(9), &made));
     }},
    {"log_level_of_a_backend", 11004,
     [](World& w) {
       return code(qnn().log_set_log_level(reinterpret_cast<abi::LogHandle>(w.backend), abi::LogLevel::info));
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
    {"deviceFree_before_its_contexts", 14003, [](World& w) { return code(qnn().device_free(w.device)); }},
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
       return code(qnn().context_create_from_binary(nullptr, nullptr, nullptr, w.binary.data(), w.binary.size(), &made,
                                                    nullptr));
     }},
    {"context_without_a_binary", 5000,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, nullptr, 8, &made, nullptr));
     }},
    {"context_without_room_for_it", 5000,
     [](World& w) {
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(), w.binary.size(),
                                                    nullptr, nullptr));
     }},
    {"context_from_half_a_binary", 5005,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(), w.binary.size() / 2,
                                                    &made, nullptr));
     }},
    {"context_for_another_architecture", 5008,
     [](World& w) {
       sim::Config config = libraries().control.config();
       config.arch = 73;
       EXPECT_TRUE(libraries().control.set_config(config));
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(), w.binary.size(),
                                                    &made, nullptr));
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
       return code(qnn().context_create_from_binary(w.backend, nullptr, configs, w.binary.data(), w.binary.size(),
                                                    &made, nullptr));
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
       return code(qnn().context_create_from_binary_with_callback(w.backend, nullptr, nullptr, &callback,
                                                                  w.binary.data(), w.binary.size(), &made, nullptr,
                                                                  nullptr));
     }},
    {"profile_that_is_a_signal", 5009,
     [](World& w) {
       abi::ContextHandle made = nullptr;
       return code(qnn().context_create_from_binary(w.backend, nullptr, nullptr, w.binary.data(), w.binary.size(),
                                                    &made, reinterpret_cast<abi::ProfileHandle>(w.signal)));
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
    {"finalize_of_an_eager_context", 5000, [](World& w) { return code(qnn().context_finalize(w.restored, nullptr)); }},
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
       return code(qnn().context_get_binary_section_size(w.restored, w.graph, abi::ContextSectionType::updatable,
                                                         &size));
     }},
    // graphs and tensors
    {"graph_in_a_context_from_a_binary", 1005,
     [](World& w) {
       abi::GraphHandle made = nullptr;
       return code(qnn().graph_create(w.restored, "new", nullptr, &made));
     }},
    {"graph_with_a_name_that_exists", 6003,
     [](World& w) {
       abi::GraphHandle made = nullptr;
       return code(qnn().graph_create(w.composed, "open", nullptr, &made));
     }},
    {"graph_with_a_NULL_custom_config", 6000,
     [](World& w) {
       abi::GraphConfig option{};
       const abi::GraphConfig* configs[] = {&option, nullptr};
       abi::GraphHandle made = nullptr;
       return code(qnn().graph_create(w.composed, "new", configs, &made));
     }},
    {"graph_that_is_not_there", 6002,
     [](World& w) {
       abi::GraphHandle made = nullptr;
       return code(qnn().graph_retrieve(w.restored, "other", &made));
     }},
    {"graph_without_a_name", 6003,
     [](World& w) {
       abi::GraphHandle made = nullptr;
       return code(qnn().graph_retrieve(w.restored, nullptr, &made));
     }},
    {"graph_of_a_context_that_is_not_finalized", 6002,
     [](World& w) {
       abi::GraphHandle made = nullptr;
       return code(qnn().graph_retrieve(w.deferred, "chain", &made));
     }},
    {"subgraph", 1000,
     [](World& w) {
       abi::GraphHandle made = nullptr;
       return code(qnn().graph_create_subgraph(w.open_graph, "sub", &made));
     }},
    {"tensor_in_a_retrieved_graph", 7001,
     [](World& w) {
       abi::Tensor tensor{};
       return code(qnn().tensor_create_graph_tensor(w.graph, &tensor));
     }},
    {"tensor_that_is_NULL", 7004,
     [](World& w) { return code(qnn().tensor_create_graph_tensor(w.open_graph, nullptr)); }},
    {"tensor_with_a_name_that_exists", 7003,
     [](World& w) {
       std::uint32_t dims[] = {4};
       abi::Tensor tensor = raw(0, abi::TensorType::native, nullptr, 0);
       tensor.v1.name = "twice";
       tensor.v1.rank = 1;
       tensor.v1.dimensions = dims;
       EXPECT_EQ(code(qnn().tensor_create_graph_tensor(w.open_graph, &tensor)), 0u);
       return code(qnn().tensor_create_graph_tensor(w.open_graph, &tensor));
     }},
    {"node_in_a_retrieved_graph", 6024,
     [](World& w) {
       abi::OpConfig op{};
       op.version = abi::OpConfigVersion::v1;
       return code(qnn().graph_add_node(w.graph, op));
     }},
    {"node_of_an_unknown_op", 6005,
     [](World& w) {
       abi::OpConfig op{};
       op.version = abi::OpConfigVersion::v1;
       op.v1.name = "node";
       op.v1.package_name = "qti.aisw";
       op.v1.type_name = "Frobnicate";
       return code(qnn().graph_add_node(w.open_graph, op));
     }},
    {"finalize_of_a_graph_without_nodes", 6022,
     [](World& w) { return code(qnn().graph_finalize(w.open_graph, nullptr, nullptr)); }},
    {"finalize_of_a_retrieved_graph", 1000,
     [](World& w) { return code(qnn().graph_finalize(w.graph, nullptr, nullptr)); }},
    {"execution_of_an_unfinished_graph", 6023,
     [](World& w) { return code(qnn().graph_execute(w.open_graph, nullptr, 0, nullptr, 0, nullptr, nullptr)); }},
    {"execution_of_a_context", 6001,
     [](World& w) {
       return code(qnn().graph_execute(reinterpret_cast<abi::GraphHandle>(w.restored), nullptr, 0, nullptr, 0, nullptr,
                                       nullptr));
     }},
    {"execution_without_inputs", 6004, [](World& w) { return w.execute(good_in(w), good_out(w), 0); }},
    {"execution_with_NULL_inputs", 6000,
     [](World& w) { return code(qnn().graph_execute(w.graph, nullptr, 1, nullptr, 0, nullptr, nullptr)); }},
    {"execution_with_an_unknown_tensor_id", 6004,
     [](World& w) {
       abi::Tensor in = good_in(w);
       in.v1.id = 999;
       return w.execute(in, good_out(w));
     }},
    {"execution_with_an_output_for_an_input", 6004, [](World& w) { return w.execute(good_out(w), good_out(w)); }},
    {"execution_with_a_short_buffer", 6004,
     [](World& w) {
       abi::Tensor in = good_in(w);
       in.v1.client_buf.data_size = 252;
       return w.execute(in, good_out(w));
     }},
    {"execution_with_a_long_buffer", 6004,
     [](World& w) {
       abi::Tensor in = good_in(w);
       in.v1.client_buf.data_size = 512;
       return w.execute(in, good_out(w));
     }},
    {"execution_with_a_NULL_buffer", 6004,
     [](World& w) {
       abi::Tensor in = good_in(w);
       in.v1.client_buf.data = nullptr;
       return w.execute(in, good_out(w));
     }},
    {"execution_with_a_memory_handle_of_nonsense", 6004,
     [](World& w) {
       return w.execute(registered(ids_of(w.chain).in, abi::TensorType::app_write, nonsense<abi::MemHandle>()),
                        good_out(w));
     }},
    {"execution_with_memory_of_another_context", 6004,
     [](World& w) {
       Dma dma{4096};
       std::uint32_t dims[] = {1, 64};
       abi::MemDescriptor descriptor{};
       descriptor.mem_shape = {2, dims, nullptr};
       descriptor.data_type = abi::DataType::float_32;
       descriptor.mem_type = abi::MemType::ion;
       descriptor.ion_info.fd = dma.fd;
       abi::MemHandle handle = nullptr;
       EXPECT_EQ(code(qnn().mem_register(w.deferred, &descriptor, 1, &handle)), 0u);
       const std::uint32_t error =
           w.execute(registered(ids_of(w.chain).in, abi::TensorType::app_write, handle), good_out(w));
       EXPECT_EQ(code(qnn().mem_de_register(&handle, 1)), 0u);
       return error;
     }},
    {"execution_with_an_unknown_tensor_version", 6004,
     [](World& w) {
       abi::Tensor in = good_in(w);
       in.version = static_cast<abi::TensorVersion>(3);
       return w.execute(in, good_out(w));
     }},
    {"execution_with_an_unknown_profile", 6006,
     [](World& w) {
       const abi::Tensor in = good_in(w);
       abi::Tensor out = good_out(w);
       return code(qnn().graph_execute(w.graph, &in, 1, &out, 1, nonsense<abi::ProfileHandle>(), nullptr));
     }},
    {"execution_after_contextFree", 6039,
     [](World& w) {
       EXPECT_EQ(code(qnn().context_free(w.restored, nullptr)), 0u);
       w.restored = nullptr;
       return w.execute(good_in(w), good_out(w));
     }},
    {"asynchronous_execution", 1000,
     [](World& w) {
       return code(
           qnn().graph_execute_async(w.graph, nullptr, 0, nullptr, 0, nullptr, nullptr, nullptr, nullptr));
     }},
    // memory
    {"memory_of_a_backend", 8001,
     [](World& w) {
       abi::MemDescriptor descriptor{};
       abi::MemHandle handle = nullptr;
       return code(qnn().mem_register(reinterpret_cast<abi::ContextHandle>(w.backend), &descriptor, 1, &handle));
     }},
    {"memory_without_descriptors", 8000,
     [](World& w) {
       abi::MemHandle handle = nullptr;
       return code(qnn().mem_register(w.restored, nullptr, 1, &handle));
     }},
    {"memory_of_an_unknown_type", 8005,
     [](World& w) {
       abi::MemDescriptor descriptor{};
       descriptor.mem_type = static_cast<abi::MemType>(9);
       abi::MemHandle handle = nullptr;
       return code(qnn().mem_register(w.restored, &descriptor, 1, &handle));
     }},
    {"memory_with_a_NULL_custom_info", 8000,
     [](World& w) {
       abi::MemDescriptor descriptor{};
       descriptor.mem_type = abi::MemType::custom;
       abi::MemHandle handle = nullptr;
       return code(qnn().mem_register(w.restored, &descriptor, 1, &handle));
     }},
    {"deregistration_of_nothing", 8000, [](World&) { return code(qnn().mem_de_register(nullptr, 1)); }},
    // profiles, signals, texts, options of the process
    {"profile_of_no_level", 1004,
     [](World& w) {
       abi::ProfileHandle made = nullptr;
       return code(qnn().profile_create(w.backend, 7, &made));
     }},
    {"events_of_nonsense", 12000,
     [](World&) {
       const abi::ProfileEventId* events = nullptr;
       std::uint32_t count = 0;
       return code(qnn().profile_get_events(nonsense<abi::ProfileHandle>(), &events, &count));
     }},
    {"data_of_an_event_that_is_none", 12000,
     [](World&) {
       abi::ProfileEventData data;
       return code(qnn().profile_get_event_data(77, &data));
     }},
    {"signal_that_aborts_and_times_out", 9002,
     [](World& w) {
       abi::SignalConfig abort{};
       abort.option = abi::SignalConfigOption::abort;
       abi::SignalConfig timeout{};
       timeout.option = abi::SignalConfigOption::timeout;
       timeout.timeout_duration_us = 5;
       const abi::SignalConfig* configs[] = {&abort, &timeout, nullptr};
       abi::SignalHandle made = nullptr;
       return code(qnn().signal_create(w.backend, configs, &made));
     }},
    {"trigger_of_an_idle_signal", 9001, [](World& w) { return code(qnn().signal_trigger(w.signal)); }},
    {"signalFree_of_a_profile", 9003,
     [](World& w) { return code(qnn().signal_free(reinterpret_cast<abi::SignalHandle>(w.profile))); }},
    {"text_of_an_unknown_code", 10001,
     [](World&) {
       const char* text = "";
       const std::uint32_t error = code(qnn().error_get_message(54321, &text));
       EXPECT_EQ(text, nullptr);
       return error;
     }},
    {"text_that_was_not_handed_out", 10000,
     [](World&) { return code(qnn().error_free_verbose_message("mine")); }},
    {"global_option_that_is_unknown", 15000,
     [](World&) {
       abi::GlobalConfig option{};
       option.option = static_cast<abi::GlobalConfigConfigOption>(3);
       const abi::GlobalConfig* configs[] = {&option, nullptr};
       return code(qnn().global_config_set(configs));
     }},
    {"capability_that_is_unknown", 2000,
     [](World&) { return code(qnn().property_has_capability(static_cast<abi::PropertyKey>(99999))); }},
    {"capability_of_asynchronous_execution", 1000,
     [](World&) { return code(qnn().property_has_capability(static_cast<abi::PropertyKey>(304))); }},
};

class sim_misuse : public SimTest, public ::testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    world.backend = backend;
    world.binary = binary_of({world.chain});
    ASSERT_EQ(code(qnn().log_create(nullptr, abi::LogLevel::error, &world.logger)), 0u);
    ASSERT_EQ(code(qnn().device_create(world.logger, nullptr, &world.device)), 0u);
    ASSERT_EQ(code(qnn().context_create(backend, world.device, nullptr, &world.composed)), 0u);
    ASSERT_EQ(code(qnn().graph_create(world.composed, "open", nullptr, &world.open_graph)), 0u);
    ASSERT_EQ(code(qnn().context_create_from_binary(backend, world.device, nullptr, world.binary.data(),
                                                    world.binary.size(), &world.restored, nullptr)),
              0u);
    ASSERT_EQ(code(qnn().graph_retrieve(world.restored, "chain", &world.graph)), 0u);
    ASSERT_EQ(code(qnn().context_create_from_binary(backend, nullptr, config.configs(), world.binary.data(),
                                                    world.binary.size(), &world.deferred, nullptr)),
              0u);
    ASSERT_EQ(code(qnn().profile_create(backend, 1, &world.profile)), 0u);
    ASSERT_EQ(code(qnn().signal_create(backend, nullptr, &world.signal)), 0u);
  }
  void TearDown() override {
    EXPECT_EQ(code(qnn().signal_free(world.signal)), 0u);
    EXPECT_EQ(code(qnn().profile_free(world.profile)), 0u);
    EXPECT_EQ(code(qnn().context_free(world.deferred, nullptr)), 0u);
    if (world.restored != nullptr) {
      EXPECT_EQ(code(qnn().context_free(world.restored, nullptr)), 0u);
    }
    EXPECT_EQ(code(qnn().context_free(world.composed, nullptr)), 0u);
    EXPECT_EQ(code(qnn().device_free(world.device)), 0u);
    EXPECT_EQ(code(qnn().log_free(world.logger)), 0u);
    SimTest::TearDown();
  }

  World world;
  DeferredConfig config;
};

TEST_P(sim_misuse, gets_the_documented_code) {
  const sim::Counters before = control().counters();
  EXPECT_EQ(GetParam().run(world), GetParam().expected);
  if (world.restored == nullptr) return;
  const sim::Counters after = control().counters();
  EXPECT_EQ(before.live_contexts, after.live_contexts) << "nothing was made";
  EXPECT_EQ(before.live_graphs, after.live_graphs);
  EXPECT_EQ(before.live_backends, after.live_backends);
  EXPECT_EQ(before.mapped_fds, after.mapped_fds);
}

INSTANTIATE_TEST_SUITE_P(of, sim_misuse, ::testing::ValuesIn(cases),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace sim_test
