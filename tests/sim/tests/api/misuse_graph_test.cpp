// Wrong calls and their codes, one row per case: graphs, tensors, memory, profiles, signals, texts.
#include "misuse_world.hpp"

namespace sim_test { namespace {

const Case graph_cases[] = {
    // graphs and tensors
    {"graph_in_a_context_from_a_binary", 1100,
     [](World& w) {
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_create(w.restored, "new", nullptr, &made));
     }},
    {"graph_with_a_name_that_exists", 6003,
     [](World& w) {
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_create(w.composed, "open", nullptr, &made));
     }},
    {"graph_with_a_NULL_custom_config", 6000,
     [](World& w) {
       c_api::GraphConfig option{};
       const c_api::GraphConfig* configs[] = {&option, nullptr};
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_create(w.composed, "new", configs, &made));
     }},
    {"graph_that_is_not_there", 6003,
     [](World& w) {
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_retrieve(w.restored, "other", &made));
     }},
    {"graph_without_a_name", 6003,
     [](World& w) {
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_retrieve(w.restored, nullptr, &made));
     }},
    {"graph_of_a_context_that_is_not_finalized", 6023,
     [](World& w) {
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_retrieve(w.deferred, "chain", &made));
     }},
    {"subgraph", 1000,
     [](World& w) {
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_create_subgraph(w.open_graph, "sub", &made));
     }},
    {"tensor_in_a_retrieved_graph", 6024,
     [](World& w) {
       c_api::Tensor tensor{};
       return code(qnn().tensor_create_graph_tensor(w.graph, &tensor));
     }},
    {"tensor_that_is_NULL", 7004,
     [](World& w) { return code(qnn().tensor_create_graph_tensor(w.open_graph, nullptr)); }},
    {"tensor_with_a_name_that_exists", 7003,
     [](World& w) {
       std::uint32_t dims[] = {4};
       c_api::Tensor tensor = raw(0, c_api::TensorType::native, nullptr, 0);
       tensor.v1.name = "twice";
       tensor.v1.rank = 1;
       tensor.v1.dimensions = dims;
       EXPECT_EQ(code(qnn().tensor_create_graph_tensor(w.open_graph, &tensor)), 0u);
       return code(qnn().tensor_create_graph_tensor(w.open_graph, &tensor));
     }},
    {"node_in_a_retrieved_graph", 6024,
     [](World& w) {
       c_api::OpConfig op{};
       op.version = c_api::OpConfigVersion::v1;
       return code(qnn().graph_add_node(w.graph, op));
     }},
    {"node_of_an_unknown_op", 6005,
     [](World& w) {
       c_api::OpConfig op{};
       op.version = c_api::OpConfigVersion::v1;
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
     [](World& w) {
       return code(qnn().graph_execute(w.open_graph, nullptr, 0, nullptr, 0, nullptr, nullptr));
     }},
    {"execution_of_a_context", 6001,
     [](World& w) {
       return code(qnn().graph_execute(reinterpret_cast<c_api::GraphHandle>(w.restored), nullptr, 0,
                                       nullptr, 0, nullptr, nullptr));
     }},
    {"execution_without_inputs", 6000,
     [](World& w) { return w.execute(good_in(w), good_out(w), 0); }},
    {"execution_with_NULL_inputs", 6000,
     [](World& w) {
       return code(qnn().graph_execute(w.graph, nullptr, 1, nullptr, 0, nullptr, nullptr));
     }},
    {"execution_with_an_unknown_tensor_id", 6000,
     [](World& w) {
       c_api::Tensor in = good_in(w);
       in.v1.id = 999;
       return w.execute(in, good_out(w));
     }},
    {"execution_with_an_output_for_an_input", 6000,
     [](World& w) { return w.execute(good_out(w), good_out(w)); }},
    {"execution_with_a_short_buffer", 6004,
     [](World& w) {
       c_api::Tensor in = good_in(w);
       in.v1.client_buf.data_size = 252;
       return w.execute(in, good_out(w));
     }},
    {"execution_with_a_NULL_buffer", 6004,
     [](World& w) {
       c_api::Tensor in = good_in(w);
       in.v1.client_buf.data = nullptr;
       return w.execute(in, good_out(w));
     }},
    {"execution_with_a_memory_handle_of_nonsense", 6004,
     [](World& w) {
       return w.execute(registered(ids_of(w.chain).in, c_api::TensorType::app_write,
                                   nonsense<c_api::MemHandle>()),
                        good_out(w));
     }},
    {"execution_with_memory_of_another_context", 6004,
     [](World& w) {
       Dma dma{4096};
       std::uint32_t dims[] = {1, 64};
       c_api::MemDescriptor descriptor{};
       descriptor.mem_shape = {2, dims, nullptr};
       descriptor.data_type = c_api::DataType::float_32;
       descriptor.mem_type = c_api::MemType::ion;
       descriptor.ion_info.fd = dma.fd;
       c_api::MemHandle handle = nullptr;
       EXPECT_EQ(code(qnn().mem_register(w.deferred, &descriptor, 1, &handle)), 0u);
       const std::uint32_t error = w.execute(
           registered(ids_of(w.chain).in, c_api::TensorType::app_write, handle), good_out(w));
       EXPECT_EQ(code(qnn().mem_de_register(&handle, 1)), 0u);
       return error;
     }},
    {"execution_with_an_unknown_tensor_version", 6004,
     [](World& w) {
       c_api::Tensor in = good_in(w);
       in.version = static_cast<c_api::TensorVersion>(3);
       return w.execute(in, good_out(w));
     }},
    {"execution_with_an_unknown_profile", 6000,
     [](World& w) {
       const c_api::Tensor in = good_in(w);
       c_api::Tensor out = good_out(w);
       return code(qnn().graph_execute(w.graph, &in, 1, &out, 1, nonsense<c_api::ProfileHandle>(),
                                       nullptr));
     }},
    {"execution_after_contextFree", 6001,
     [](World& w) {
       EXPECT_EQ(code(qnn().context_free(w.restored, nullptr)), 0u);
       w.restored = nullptr;
       return w.execute(good_in(w), good_out(w));
     }},
    {"asynchronous_execution_without_tensors", 6000,
     [](World& w) {
       return code(qnn().graph_execute_async(w.graph, nullptr, 0, nullptr, 0, nullptr, nullptr,
                                             nullptr, nullptr));
     }},
    // memory
    {"memory_of_a_backend", 8001,
     [](World& w) {
       c_api::MemDescriptor descriptor{};
       c_api::MemHandle handle = nullptr;
       return code(qnn().mem_register(reinterpret_cast<c_api::ContextHandle>(w.backend),
                                      &descriptor, 1, &handle));
     }},
    {"graph_of_no_context", 6000,
     [](World&) {
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_retrieve(nullptr, "chain", &made));
     }},
    {"graph_of_a_context_of_nonsense", 5002,
     [](World&) {
       c_api::GraphHandle made = nullptr;
       return code(qnn().graph_retrieve(nonsense<c_api::ContextHandle>(), "chain", &made));
     }},
    {"graph_into_no_variable", 6003,
     [](World& w) { return code(qnn().graph_retrieve(w.restored, "chain", nullptr)); }},
    {"tensor_of_a_context", 1000,
     [](World& w) {
       c_api::Tensor tensor{};
       return code(qnn().tensor_create_context_tensor(w.composed, &tensor));
     }},
    {"execution_environments_none", 6000,
     [](World& w) { return code(qnn().graph_prepare_execution_environment(w.graph, nullptr, 0)); }},
    {"memory_without_descriptors", 8000,
     [](World& w) {
       c_api::MemHandle handle = nullptr;
       return code(qnn().mem_register(w.restored, nullptr, 1, &handle));
     }},
    {"memory_of_an_unknown_type", 8005,
     [](World& w) {
       c_api::MemDescriptor descriptor{};
       descriptor.mem_type = static_cast<c_api::MemType>(9);
       c_api::MemHandle handle = nullptr;
       return code(qnn().mem_register(w.restored, &descriptor, 1, &handle));
     }},
    {"memory_with_a_NULL_custom_info", 8000,
     [](World& w) {
       c_api::MemDescriptor descriptor{};
       descriptor.mem_type = c_api::MemType::custom;
       c_api::MemHandle handle = nullptr;
       return code(qnn().mem_register(w.restored, &descriptor, 1, &handle));
     }},
    {"deregistration_of_nothing", 8000,
     [](World&) { return code(qnn().mem_de_register(nullptr, 1)); }},
    // profiles, signals, texts, options of the process
    {"profile_without_room_for_it", 1004,
     [](World& w) { return code(qnn().profile_create(w.backend, 1, nullptr)); }},
    {"events_of_nonsense", 12000,
     [](World&) {
       const c_api::ProfileEventId* events = nullptr;
       std::uint32_t count = 0;
       return code(qnn().profile_get_events(nonsense<c_api::ProfileHandle>(), &events, &count));
     }},
    {"data_of_an_event_that_is_none", 1004,
     [](World&) {
       c_api::ProfileEventData data;
       return code(qnn().profile_get_event_data(77, &data));
     }},
    {"signalFree_of_a_profile", 9003,
     [](World& w) {
       return code(qnn().signal_free(reinterpret_cast<c_api::SignalHandle>(w.profile)));
     }},
    {"text_of_an_unknown_code", 10001,
     [](World&) {
       const char* text = "";
       const std::uint32_t error = code(qnn().error_get_message(54321, &text));
       EXPECT_EQ(text, nullptr);
       return error;
     }},
    {"text_that_was_not_handed_out", 1000,
     [](World&) { return code(qnn().error_free_verbose_message("mine")); }},
    {"global_option_that_is_unknown", 15000,
     [](World&) {
       c_api::GlobalConfig option{};
       option.option = static_cast<c_api::GlobalConfigConfigOption>(3);
       const c_api::GlobalConfig* configs[] = {&option, nullptr};
       return code(qnn().global_config_set(configs));
     }},
    {"capability_that_is_unknown", 2000,
     [](World&) {
       return code(qnn().property_has_capability(static_cast<c_api::PropertyKey>(99999)));
     }},
    {"capability_of_continuous_profiling", 1000,
     [](World&) {
       return code(qnn().property_has_capability(static_cast<c_api::PropertyKey>(310)));
     }},
};

class sim_misuse_of_graphs : public MisuseTest {};

TEST_P(sim_misuse_of_graphs, gets_the_documented_code) { check(); }

INSTANTIATE_TEST_SUITE_P(of, sim_misuse_of_graphs, ::testing::ValuesIn(graph_cases),
                         [](const auto& row) { return std::string(row.param.name); });

}}  // namespace sim_test
