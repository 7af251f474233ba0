// E: bad arguments of slots 0 to 24: backends, contexts, graphs, tensors. The number in an id is
// the slot's index in the table.
#include <cstring>

#include "errors.hpp"

namespace conformance {

void ask_errors(Catalogue& ask) {
  // Backends, before and after one exists.
  ask("E-0a", "propertyHasCapability(0)",
      [](Host& h) { h.start(), code(h.qnn.property_has_capability(PropertyKey{0})); });
  ask("E-0b", "propertyHasCapability(4711)",
      [](Host& h) { h.start(), code(h.qnn.property_has_capability(PropertyKey{4711})); });
  ask("E-1a", "backendCreate(out NULL)",
      [](Host& h) { code(h.qnn.backend_create(nullptr, nullptr, nullptr)); });
  ask("E-1b", "backendCreate(bad logger)",
      [](Host& h) { code(h.qnn.backend_create(no_such<LogHandle>(), nullptr, &h.backend)); });
  ask("E-1c", "backendCreate(unknown option)", [](Host& h) {
    const BackendConfig config{static_cast<BackendConfigOption>(4711), {nullptr}};
    const BackendConfig* list[] = {&config, nullptr};
    code(h.qnn.backend_create(nullptr, list, &h.backend));
  });
  ask("E-1d", "backendCreate(platform option)", [](Host& h) {
    BackendConfig config{BackendConfigOption::platform, {nullptr}};
    config.platform_option = "no:such";
    const BackendConfig* list[] = {&config, nullptr};
    code(h.qnn.backend_create(nullptr, list, &h.backend));
  });
  ask("E-1e", "backendCreate(option CUSTOM with NULL)", [](Host& h) {
    const BackendConfig config{BackendConfigOption::custom, {nullptr}};
    const BackendConfig* list[] = {&config, nullptr};
    code(h.qnn.backend_create(nullptr, list, &h.backend));
  });
  ask("E-1f", "a second backend with other configs", [](Host& h) {
    h.start();
    BackendConfig config{BackendConfigOption::error_reporting, {nullptr}};
    const BackendConfig* list[] = {&config, nullptr};
    BackendHandle second = nullptr;
    code(h.qnn.backend_create(nullptr, list, &second));
  });
  ask("E-2a", "backendSetConfig(bad backend)", [](Host& h) {
    h.start(), code(h.qnn.backend_set_config(no_such<BackendHandle>(), nullptr));
  });
  ask("E-2b", "backendSetConfig(config NULL)",
      [](Host& h) { h.start(), code(h.qnn.backend_set_config(h.backend, nullptr)); });
  ask("E-2c", "backendSetConfig(unknown option)", [](Host& h) {
    h.start();
    const BackendConfig config{static_cast<BackendConfigOption>(4711), {nullptr}};
    const BackendConfig* list[] = {&config, nullptr};
    code(h.qnn.backend_set_config(h.backend, list));
  });
  ask("E-3a", "backendGetApiVersion(NULL)",
      [](Host& h) { code(h.qnn.backend_get_api_version(nullptr)); });
  ask("E-4a", "backendGetBuildId(NULL)",
      [](Host& h) { code(h.qnn.backend_get_build_id(nullptr)); });
  ask("E-5a", "backendRegisterOpPackage(no such file)", [](Host& h) {
    h.start(),
        code(h.qnn.backend_register_op_package(h.backend, "/no/such.so", "provider", nullptr));
  });
  ask("E-5b", "backendRegisterOpPackage(NULL path)", [](Host& h) {
    h.start(), code(h.qnn.backend_register_op_package(h.backend, nullptr, "provider", nullptr));
  });
  ask("E-5c", "backendRegisterOpPackage twice", [](Host& h) {
    h.start();
    for (const char* const target : {static_cast<const char*>(nullptr), "HTP"})
      code(h.qnn.backend_register_op_package(h.backend, "/no/such.so", "provider", target));
  });
  ask("E-5d", "backendRegisterOpPackage(unknown target)", [](Host& h) {
    h.start(),
        code(h.qnn.backend_register_op_package(h.backend, "/no/such.so", "provider", "nowhere"));
  });
  ask("E-6a", "backendGetSupportedOperations(NULL, NULL)", [](Host& h) {
    h.start(), code(h.qnn.backend_get_supported_operations(h.backend, nullptr, nullptr));
  });
  ask("E-6b", "backendGetSupportedOperations(bad backend)", [](Host& h) {
    h.start();
    std::uint32_t count = 0;
    const BackendOperationName* names = nullptr;
    code(h.qnn.backend_get_supported_operations(no_such<BackendHandle>(), &count, &names));
  });
  ask("E-7a", "backendValidateOpConfig(empty)",
      [](Host& h) { h.start(), code(h.qnn.backend_validate_op_config(h.backend, OpConfig{})); });
  ask("E-8a", "backendFree(NULL)", [](Host& h) { code(h.qnn.backend_free(nullptr)); });
  ask("E-8b", "backendFree(bad)",
      [](Host& h) { h.start(), code(h.qnn.backend_free(no_such<BackendHandle>())); });
  ask("E-8c", "backendFree(NULL) after the start",
      [](Host& h) { h.start(), code(h.qnn.backend_free(nullptr)); });

  // Contexts.
  ask("E-9a", "contextCreate of an empty context", [](Host& h) {
    h.start();
    ContextHandle context = nullptr;
    code(h.qnn.context_create(h.backend, h.device, nullptr, &context));
  });
  ask("E-9b", "contextCreate(out NULL)", [](Host& h) {
    h.start(), code(h.qnn.context_create(h.backend, h.device, nullptr, nullptr));
  });
  ask("E-9c", "contextCreate(bad backend)", [](Host& h) {
    ContextHandle context = nullptr;
    code(h.qnn.context_create(no_such<BackendHandle>(), nullptr, nullptr, &context));
  });
  ask("E-10a", "contextSetConfig(NULL context)",
      [](Host& h) { h.start(), code(h.qnn.context_set_config(nullptr, nullptr)); });
  ask("E-10b", "contextSetConfig(bad context)", [](Host& h) {
    h.start(),
        code(h.qnn.context_set_config(
            no_context(), Options().core(ContextConfigOption::priority, std::uint64_t{100}).get()));
  });
  ask("E-10c", "contextSetConfig(NULL config)",
      [](Host& h) { code(h.qnn.context_set_config(context_of(h), nullptr)); });
  ask("E-10d", "contextSetConfig(priority high)", [](Host& h) {
    code(h.qnn.context_set_config(
        context_of(h), Options().core(ContextConfigOption::priority, std::uint64_t{200}).get()));
  });
  ask("E-10e", "contextSetConfig(defer)",
      [](Host& h) { code(h.qnn.context_set_config(context_of(h), Options().deferred().get())); });
  ask("E-11a", "contextGetBinarySize(bad, NULL)",
      [](Host& h) { h.start(), code(h.qnn.context_get_binary_size(no_context(), nullptr)); });
  ask("E-11b", "contextGetBinarySize of a context from a binary", [](Host& h) {
    ContextBinarySize size = 0;
    code(h.qnn.context_get_binary_size(context_of(h), &size));
  });
  ask("E-12a", "contextGetBinary(bad)", [](Host& h) {
    h.start();
    ContextBinarySize size = 0;
    char bytes[16];
    code(h.qnn.context_get_binary(no_context(), bytes, sizeof bytes, &size));
  });
  ask("E-12b", "contextGetBinary of a context from a binary", [](Host& h) {
    ContextBinarySize size = 0;
    char bytes[16];
    code(h.qnn.context_get_binary(context_of(h), bytes, sizeof bytes, &size));
  });
  ask("E-13a", "contextCreateFromBinary(junk)",
      [](Host& h) { create_from(h, junk().data, page_bytes); });
  ask("E-13b", "contextCreateFromBinary(junk), deferred",
      [](Host& h) { create_from(h, junk().data, page_bytes, Options().deferred()); });
  ask("E-13c", "contextCreateFromBinary(binary NULL)",
      [](Host& h) { create_from(h, nullptr, 4096); });
  ask("E-13d", "contextCreateFromBinary(size 0)",
      [](Host& h) { create_from(h, given.main->bytes.data(), 0); });
  ask("E-13e", "contextCreateFromBinary(cut in half)",
      [](Host& h) { create_from(h, given.main->bytes.data(), given.main->bytes.size() / 2); });
  ask("E-13f", "contextCreateFromBinary(cut to 64 bytes)",
      [](Host& h) { create_from(h, given.main->bytes.data(), 64); });
  ask("E-13g", "contextCreateFromBinary(last byte cut off)",
      [](Host& h) { create_from(h, given.main->bytes.data(), given.main->bytes.size() - 1); });
  ask("E-13h", "contextCreateFromBinary(for another architecture)", [](Host& h) {
    if (given.other_arch == nullptr) give_up("no such binary");
    create_from(h, given.other_arch->bytes.data(), given.other_arch->bytes.size());
  });
  ask("E-13i", "contextCreateFromBinary(for another architecture), deferred, finalize",
      [](Host& h) {
        if (given.other_arch == nullptr) give_up("no such binary");
        h.start();
        const Context context = h.create(Options().deferred(), given.other_arch);
        if (context.created == 0) context.finalize();
      });
  ask("E-13j", "contextCreateFromBinary(bad backend)", [](Host& h) {
    h.start();
    h.backend = no_such<BackendHandle>();
    create_from(h, given.main->bytes.data(), given.main->bytes.size());
  });
  ask("E-13k", "contextCreateFromBinary(bad device)", [](Host& h) {
    h.start();
    h.device = no_such<DeviceHandle>();
    create_from(h, given.main->bytes.data(), given.main->bytes.size());
  });
  ask("E-13l", "contextCreateFromBinary(out NULL)", [](Host& h) {
    h.start();
    code(h.qnn.context_create_from_binary(h.backend, h.device, nullptr, given.main->bytes.data(),
                                          given.main->bytes.size(), nullptr, nullptr));
  });
  ask("E-13m", "contextCreateFromBinary(bad profile)", [](Host& h) {
    h.start();
    ContextHandle context = nullptr;
    code(h.qnn.context_create_from_binary(h.backend, h.device, nullptr, given.main->bytes.data(),
                                          given.main->bytes.size(), &context,
                                          no_such<ProfileHandle>()));
  });
  ask("E-13n", "contextCreateFromBinary(first 64 bytes junk)", [](Host& h) {
    const Pages bytes = Pages::copy(given.main->bytes.data(), given.main->bytes.size());
    std::memset(bytes.data, 0x5A, 64);
    create_from(h, bytes.data, bytes.size);
  });
  ask("E-14a", "contextFree(NULL)",
      [](Host& h) { h.start(), code(h.qnn.context_free(nullptr, nullptr)); });
  ask("E-14b", "contextFree(bad)",
      [](Host& h) { h.start(), code(h.qnn.context_free(no_context(), nullptr)); });
  ask("E-14c", "contextFree(bad profile)",
      [](Host& h) { code(h.qnn.context_free(context_of(h), no_such<ProfileHandle>())); });

  // Graphs.
  ask("E-15a", "graphCreate(NULL context)", [](Host& h) {
    h.start();
    GraphHandle graph = nullptr;
    code(h.qnn.graph_create(nullptr, "g", nullptr, &graph));
  });
  ask("E-15b", "graphCreate in a context from a binary", [](Host& h) {
    GraphHandle graph = nullptr;
    code(h.qnn.graph_create(context_of(h), "g", nullptr, &graph));
  });
  ask("E-15c", "graphCreate(bad context)", [](Host& h) {
    h.start();
    GraphHandle graph = nullptr;
    code(h.qnn.graph_create(no_context(), "g", nullptr, &graph));
  });
  ask("E-16a", "graphCreateSubgraph(NULL graph)", [](Host& h) {
    h.start();
    GraphHandle graph = nullptr;
    code(h.qnn.graph_create_subgraph(nullptr, "g", &graph));
  });
  ask("E-17a", "graphSetConfig(NULL graph)",
      [](Host& h) { h.start(), code(h.qnn.graph_set_config(nullptr, nullptr)); });
  ask("E-17b", "graphSetConfig(NULL config)",
      [](Host& h) { code(h.qnn.graph_set_config(graph_of(h), nullptr)); });
  ask("E-17c", "graphSetConfig(bad graph)", [](Host& h) {
    h.start();
    const GraphConfig config{GraphConfigOption::priority, {nullptr}};
    const GraphConfig* list[] = {&config, nullptr};
    code(h.qnn.graph_set_config(no_graph(), list));
  });
  ask("E-17d", "graphSetConfig(priority) of a retrieved graph", [](Host& h) {
    GraphConfig config{GraphConfigOption::priority, {nullptr}};
    config.priority = Priority::normal;
    const GraphConfig* list[] = {&config, nullptr};
    code(h.qnn.graph_set_config(graph_of(h), list));
  });
  ask("E-17e", "graphSetConfig(profile handle) of a retrieved graph", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    GraphConfig config{GraphConfigOption::profile_handle, {nullptr}};
    h.qnn.profile_create(h.backend, profile_level::basic, &config.profile_handle);
    const GraphConfig* list[] = {&config, nullptr};
    code(h.qnn.graph_set_config(graph, list));
    code(h.qnn.profile_free(config.profile_handle));
  });
  ask("E-17f", "graphSetConfig(profiling state) of a retrieved graph", [](Host& h) {
    GraphConfig config{GraphConfigOption::set_profiling_state, {nullptr}};
    config.profiling_state = GraphProfilingState::enabled;
    const GraphConfig* list[] = {&config, nullptr};
    code(h.qnn.graph_set_config(graph_of(h), list));
  });
  ask("E-17g", "graphSetConfig(unknown option) of a retrieved graph", [](Host& h) {
    const GraphConfig config{static_cast<GraphConfigOption>(4711), {nullptr}};
    const GraphConfig* list[] = {&config, nullptr};
    code(h.qnn.graph_set_config(graph_of(h), list));
  });
  ask("E-18a", "graphAddNode(NULL graph)",
      [](Host& h) { h.start(), code(h.qnn.graph_add_node(nullptr, OpConfig{})); });
  ask("E-18b", "graphAddNode(bad graph)", [](Host& h) {
    h.start(), code(h.qnn.graph_add_node(no_graph(), OpConfig{OpConfigVersion::v1, {}}));
  });
  ask("E-19a", "graphFinalize(NULL graph)",
      [](Host& h) { h.start(), code(h.qnn.graph_finalize(nullptr, nullptr, nullptr)); });
  ask("E-19b", "graphFinalize(bad graph)",
      [](Host& h) { h.start(), code(h.qnn.graph_finalize(no_graph(), nullptr, nullptr)); });
  ask("E-19c", "graphFinalize of a retrieved graph",
      [](Host& h) { code(h.qnn.graph_finalize(graph_of(h), nullptr, nullptr)); });
  ask("E-20a", "graphRetrieve(NULL context)", [](Host& h) {
    h.start();
    GraphHandle graph = nullptr;
    code(h.qnn.graph_retrieve(nullptr, "g", &graph));
  });
  ask("E-20b", "graphRetrieve(bad context)", [](Host& h) {
    h.start();
    GraphHandle graph = nullptr;
    code(h.qnn.graph_retrieve(no_context(), "g", &graph));
  });
  ask("E-20c", "graphRetrieve(NULL name)", [](Host& h) {
    GraphHandle graph = nullptr;
    code(h.qnn.graph_retrieve(context_of(h), nullptr, &graph));
  });
  ask("E-20d", "graphRetrieve(out NULL)", [](Host& h) {
    code(h.qnn.graph_retrieve(context_of(h), h.tensors().name.c_str(), nullptr));
  });
  ask("E-20e", "graphRetrieve of a context that is not finalized", [](Host& h) {
    GraphHandle graph = nullptr;
    code(h.qnn.graph_retrieve(deferred_of(h), h.tensors().name.c_str(), &graph));
  });
  ask("E-21a", "graphExecute(NULL graph)", [](Host& h) {
    h.start(), code(h.qnn.graph_execute(nullptr, nullptr, 0, nullptr, 0, nullptr, nullptr));
  });
  ask("E-21b", "graphExecute(bad graph)", [](Host& h) {
    h.start(), code(h.qnn.graph_execute(no_graph(), nullptr, 0, nullptr, 0, nullptr, nullptr));
  });
  ask("E-21c", "graphExecute(bad profile)", [](Host& h) {
    code(h.qnn.graph_execute(graph_of(h), nullptr, 0, nullptr, 0, no_such<ProfileHandle>(),
                             nullptr));
  });
  ask("E-21d", "graphExecute(bad signal)", [](Host& h) {
    code(
        h.qnn.graph_execute(graph_of(h), nullptr, 0, nullptr, 0, nullptr, no_such<SignalHandle>()));
  });
  ask("E-22a", "graphExecuteAsync(NULL graph)", [](Host& h) {
    h.start(), code(h.qnn.graph_execute_async(nullptr, nullptr, 0, nullptr, 0, nullptr, nullptr,
                                              nullptr, nullptr));
  });
  ask("E-23a", "tensorCreateContextTensor(NULL context)", [](Host& h) {
    h.start();
    Tensor tensor{};
    code(h.qnn.tensor_create_context_tensor(nullptr, &tensor));
  });
  ask("E-23b", "tensorCreateContextTensor in a context from a binary", [](Host& h) {
    Tensor tensor = h.tensors().inputs[0];
    code(h.qnn.tensor_create_context_tensor(context_of(h), &tensor));
  });
  ask("E-24a", "tensorCreateGraphTensor(NULL graph)", [](Host& h) {
    h.start();
    Tensor tensor = h.tensors().inputs[0];
    code(h.qnn.tensor_create_graph_tensor(nullptr, &tensor));
  });
  ask("E-24b", "tensorCreateGraphTensor in a retrieved graph", [](Host& h) {
    const GraphHandle graph = graph_of(h);
    Tensor tensor = h.tensors().inputs[0];
    code(h.qnn.tensor_create_graph_tensor(graph, &tensor));
  });
}

}  // namespace conformance
