/* A plain C program that uses the simulated HTP like a real one, written only from the
   documentation: log, backend, device, power, capabilities, a graph composed online, its binary,
   the binary's metadata, a deferred context over external weights and spill-fill buffers,
   registered I/O, profile, signal, tear-down. The first wrong answer ends it with status 1. Usage:
   c_client FOLDER, the folder of libQnnHtp.so, libQnnSystem.so and libcdsprpc.so. */
#include "c_support.h"

/* The event of the whole call is the last one; the nodes are below the event before the times of
   the accelerator. */
static void check_profile(qnn_handle profile, uint32_t event_type, uint32_t least_nodes) {
  const uint64_t* events = NULL;
  uint32_t count = 0;
  OK(SLOT(30, qnn_handle, const uint64_t**, uint32_t*)(profile, &events, &count));
  CHECK(count >= 1);
  qnn_event_data data;
  OK(SLOT(32, uint64_t, qnn_event_data*)(events[count - 1], &data));
  CHECK(data.type == event_type);
  CHECK(data.unit == 1);
  CHECK(data.identifier != NULL);
  CHECK(data.value < 60000000u);
  if (least_nodes == 0) return;
  CHECK(count == 10);
  OK(SLOT(32, uint64_t, qnn_event_data*)(events[6], &data));
  CHECK(data.type == 3003);
  const uint64_t* nodes = NULL;
  uint32_t num_nodes = 0;
  OK(SLOT(31, uint64_t, const uint64_t**, uint32_t*)(events[6], &nodes, &num_nodes));
  CHECK(num_nodes >= least_nodes);
  OK(SLOT(32, uint64_t, qnn_event_data*)(nodes[0], &data));
  CHECK(data.type == 404);
  CHECK(data.unit == 3);
  CHECK(strcmp(data.identifier, "layer_1") == 0);
}

static void check_metadata(const void* binary, uint64_t size) {
  step = "metadata";
  qnn_handle context = NULL;
  OK(SYSTEM_SLOT(0, qnn_handle*)(&context));
  const qnn_binary_info* info = NULL;
  OK(SYSTEM_SLOT(2, qnn_handle, const void*, uint64_t, const qnn_binary_info**)(context, binary,
                                                                                size, &info));
  CHECK(info != NULL && info->version == 3);
  CHECK(info->v3.backend_id == 6);
  CHECK(info->v3.num_graphs == 1);
  const qnn_graph_info* const graph = &info->v3.graphs[0];
  CHECK(graph->version == 3);
  CHECK(strcmp(graph->v3.name, "digits") == 0);
  CHECK(graph->v3.num_inputs == 1 && graph->v3.num_outputs == 1);
  CHECK(strcmp(graph->v3.inputs[0].v1.name, "input") == 0);
  CHECK(graph->v3.inputs[0].v1.rank == 2 && graph->v3.inputs[0].v1.dimensions[1] == WIDTH);
  CHECK(graph->v3.inputs[0].v1.data_type == QNN_FLOAT_32);
  CHECK(strcmp(graph->v3.outputs[0].v1.name, "output") == 0);
  CHECK(graph->v3.blob != NULL && graph->v3.blob_size >= sizeof(htp_graph_blob));
  CHECK(((const htp_graph_blob*)graph->v3.blob)->version == 1);
  CHECK(((const htp_graph_blob*)graph->v3.blob)->spill_fill_bytes > 0);
  input_id = graph->v3.inputs[0].v1.id;
  output_id = graph->v3.outputs[0].v1.id;
  CHECK(CODE(SYSTEM_SLOT(2, qnn_handle, const void*, uint64_t, const qnn_binary_info**)(
            context, binary, 16, &info)) == 30010);
  OK(SYSTEM_SLOT(3, qnn_handle)(context));
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 1;
  }
  make_network();

  step = "loading";
  open_libraries(argv[1]);
  CHECK(qnn->backend_id == 6 && strcmp(qnn->name, "HTP_QTI_AISW") == 0);
  CHECK(qnn->version.core.major == 2 && qnn->version.core.minor == 32);
  CHECK(qnn->version.backend.major == 5 && qnn->version.backend.minor == 43);
  CHECK(strcmp(sys->name, "SYSTEM_QTI_AISW") == 0 && sys->version.major == 1 &&
        sys->version.minor == 7);
  for (int i = 0; i < 71; ++i) CHECK(qnn->slots[i] != NULL);
  for (int i = 0; i < 16; ++i) CHECK(sys->slots[i] != NULL);

  step = "capabilities";
  CHECK(CODE(SLOT(0, uint32_t)(217)) == 0);
  CHECK(CODE(SLOT(0, uint32_t)(304)) == 0);
  CHECK(CODE(SLOT(0, uint32_t)(310)) == 1000);
  CHECK(CODE(SLOT(0, uint32_t)(987654)) == 2000);
  qnn_api_version version;
  OK(SLOT(3, qnn_api_version*)(&version));
  CHECK(version.core.minor == 32);
  const char* text = NULL;
  OK(SLOT(4, const char**)(&text));
  CHECK(text != NULL && text[0] != '\0');

  step = "error texts";
  OK(SLOT(48, qnn_error, const char**)(1002, &text));
  CHECK(text != NULL);
  CHECK(CODE(SLOT(48, qnn_error, const char**)(4242, &text)) == 10001 && text == NULL);
  CHECK(CODE(SLOT(49, qnn_error, const char**)(5002, &text)) == 1000 && text == NULL);

  step = "log";
  qnn_handle logger = NULL;
  OK(SLOT(25, void (*)(const char*, uint32_t, uint64_t, va_list), uint32_t, qnn_handle*)(on_log, 2,
                                                                                         &logger));
  CHECK(log_lines == 0);
  OK(SLOT(26, qnn_handle, uint32_t)(logger, 5));

  step = "backend";
  qnn_handle backend = NULL, second_backend = NULL;
  OK(SLOT(1, qnn_handle, const void**, qnn_handle*)(logger, NULL, &backend));
  OK(SLOT(1, qnn_handle, const void**, qnn_handle*)(logger, NULL, &second_backend));
  OK(SLOT(8, qnn_handle)(second_backend));
  uint32_t num_ops = 0;
  const struct {
    const char *package, *name, *target;
  }* ops = NULL;
  OK(SLOT(6, qnn_handle, uint32_t*, const void*)(backend, &num_ops, &ops));
  int has_softmax = 0;
  for (uint32_t i = 0; i < num_ops; ++i) has_softmax |= strcmp(ops[i].name, "Softmax") == 0;
  CHECK(has_softmax);

  step = "device";
  const qnn_platform_info* platform = NULL;
  OK(SLOT(37, qnn_handle, const qnn_platform_info**)(logger, &platform));
  CHECK(platform->version == 1 && platform->v1.count == 2);
  CHECK(platform->v1.devices[0].v1.num_cores == 1);
  CHECK(platform->v1.devices[0].v1.extension->on_chip.arch == 79);
  CHECK(platform->v1.devices[0].v1.extension->on_chip.soc_model == 69);
  CHECK(platform->v1.devices[0].v1.extension->on_chip.vtcm_megabytes == 8);
  OK(SLOT(38, qnn_handle, const qnn_platform_info*)(logger, platform));
  qnn_handle device = NULL;
  OK(SLOT(40, qnn_handle, const void**, qnn_handle*)(logger, NULL, &device));

  step = "power";
  htp_infrastructure* infrastructure = NULL;
  OK(SLOT(39, void*)(&infrastructure));
  CHECK(infrastructure != NULL && infrastructure->type == 0);
  uint32_t power_id = 0;
  OK(infrastructure->create_power_config_id(0, 0, &power_id));
  CHECK(power_id != 0);
  htp_power_config power = {2, {100}};
  const void* powers[] = {&power, NULL};
  OK(infrastructure->set_power_config(power_id, powers));
  CHECK(CODE(infrastructure->set_power_config(power_id + 7, powers)) == 13001);
  OK(infrastructure->destroy_power_config_id(0)); /* tools cancel the default vote with 0 */
  OK(infrastructure->destroy_power_config_id(power_id));

  step = "a graph composed online";
  qnn_handle context = NULL, graph = NULL, profile = NULL;
  OK(SLOT(9, qnn_handle, qnn_handle, const void**, qnn_handle*)(backend, device, NULL, &context));
  CHECK(CODE(SLOT(43, qnn_handle)(device)) == 14003);
  htp_graph_option vtcm = {10, {{0}}};
  vtcm.value.u32 = 384; /* bytes of VTCM: one activation, so that the others spill */
  qnn_option custom = {0, {.pointer = &vtcm}};
  const qnn_option* graph_options[] = {&custom, NULL};
  OK(SLOT(15, qnn_handle, const char*, const qnn_option**, qnn_handle*)(context, "digits",
                                                                        graph_options, &graph));
  compose(graph);
  uint64_t binary_size = 0, written = 0;
  CHECK(CODE(SLOT(11, qnn_handle, uint64_t*)(context, &binary_size)) == 5003);
  OK(SLOT(28, qnn_handle, uint32_t, qnn_handle*)(backend, 2, &profile));
  OK(SLOT(19, qnn_handle, qnn_handle, qnn_handle)(graph, profile, NULL));
  check_profile(profile, 300, 0);
  float online[CLASSES];
  OK(execute_raw(graph, online, profile, NULL));
  CHECK(is_expected(online));
  check_profile(profile, 400, 4);

  step = "a continuous profile"; /* accepted although capability 310 says no */
  qnn_option continuous = {4, {.pointer = profile}};
  const qnn_option* continuously[] = {&continuous, NULL};
  OK(SLOT(17, qnn_handle, const qnn_option**)(graph, continuously));
  OK(execute_raw(graph, online, NULL, NULL));
  CHECK(is_expected(online));
  check_profile(profile, 400, 4);
  continuous.value.pointer = NULL;
  OK(SLOT(17, qnn_handle, const qnn_option**)(graph, continuously));

  step = "binary";
  OK(SLOT(11, qnn_handle, uint64_t*)(context, &binary_size));
  void* const binary = malloc(binary_size);
  OK(SLOT(12, qnn_handle, void*, uint64_t, uint64_t*)(context, binary, binary_size, &written));
  CHECK(written == binary_size);
  OK(SLOT(14, qnn_handle, qnn_handle)(context, NULL));
  OK(SLOT(54, qnn_handle, qnn_handle, const void**, const void*, uint64_t)(backend, device, NULL,
                                                                           binary, binary_size));
  check_metadata(binary, binary_size);

  step = "a deferred context";
  qnn_option defer = {9, {.u8 = 1}};
  const qnn_option* deferred[] = {&defer, NULL};
  OK(SLOT(13, qnn_handle, qnn_handle, const qnn_option**, const void*, uint64_t, qnn_handle*,
          qnn_handle)(backend, device, deferred, binary, binary_size, &context, NULL));
  const uint64_t alignment = property(context, 1), spill_fill_bytes = property(context, 2),
                 weights_bytes = property(context, 3);
  CHECK(alignment == 4096);
  CHECK(spill_fill_bytes > 0 && weights_bytes >= sizeof weights_1 + sizeof weights_2);
  void* const weights = rpcmem_alloc2(25, 1, weights_bytes);
  void* const spill_fill = rpcmem_alloc2(25, 1, spill_fill_bytes);
  CHECK(weights != NULL && spill_fill != NULL);
  CHECK(rpcmem_to_fd((char*)weights + 1) == -1);
  register_external(context, HTP_WEIGHTS, weights, weights_bytes);
  register_external(context, HTP_SPILL_FILL, spill_fill, spill_fill_bytes);
  CHECK(CODE(SLOT(20, qnn_handle, const char*, qnn_handle*)(context, "digits", &graph)) == 6023);
  OK(SLOT(66, qnn_handle, qnn_handle)(context, NULL));
  memset(binary, 0, binary_size);
  free(binary);
  OK(SLOT(20, qnn_handle, const char*, qnn_handle*)(context, "digits", &graph));
  float restored[CLASSES];
  OK(execute_raw(graph, restored, NULL, NULL));
  CHECK(memcmp(online, restored, sizeof restored) == 0);
  CHECK(CODE(SLOT(18, qnn_handle, qnn_op)(graph, (qnn_op){.version = 1})) == 6024);
  continuous.value.pointer = profile;
  CHECK(CODE(SLOT(17, qnn_handle, const qnn_option**)(graph, continuously)) == 1000);

  step = "registered tensors";
  float* const shared_in = rpcmem_alloc2(25, 1, sizeof input);
  float* const shared_out = rpcmem_alloc2(25, 1, sizeof restored);
  qnn_handle handles[] = {register_tensor(context, shared_in, WIDTH),
                          register_tensor(context, shared_out, CLASSES)};
  memcpy(shared_in, input, sizeof input);
  OK(execute_registered(graph, handles[0], handles[1], profile));
  CHECK(memcmp(online, shared_out, sizeof restored) == 0);
  check_profile(profile, 400, 4);
  OK(SLOT(36, const qnn_handle*, uint32_t)(handles, 2));
  CHECK(CODE(SLOT(36, const qnn_handle*, uint32_t)(handles, 2)) == 8001);
  rpcmem_free(shared_in);
  rpcmem_free(shared_out);

  step = "signal";
  qnn_option timeout = {2, {.u64 = 0}};
  const qnn_option* timeouts[] = {&timeout, NULL};
  qnn_handle signal = NULL;
  OK(SLOT(44, qnn_handle, const qnn_option**, qnn_handle*)(backend, timeouts, &signal));
  CHECK(CODE(execute_raw(graph, restored, NULL, signal)) == 6033);
  CHECK(CODE(SLOT(46, qnn_handle)(signal)) == 9005);
  timeout.value.u64 = 60000000;
  OK(SLOT(45, qnn_handle, const qnn_option**)(signal, timeouts));
  OK(execute_raw(graph, restored, NULL, signal));
  CHECK(is_expected(restored));
  OK(SLOT(47, qnn_handle)(signal));

  step = "tear-down";
  OK(SLOT(14, qnn_handle, qnn_handle)(context, NULL));
  CHECK(CODE(SLOT(14, qnn_handle, qnn_handle)(context, NULL)) == 5002);
  CHECK(CODE(execute_raw(graph, restored, NULL, NULL)) == 6001);
  rpcmem_free(weights);
  rpcmem_free(spill_fill);
  OK(SLOT(34, qnn_handle)(profile));
  OK(SLOT(43, qnn_handle)(device));
  OK(SLOT(8, qnn_handle)(backend));
  CHECK(CODE(SLOT(8, qnn_handle)(backend)) == 4011);
  OK(SLOT(27, qnn_handle)(logger));
  CHECK(log_lines > 0);
  printf("%d answers, all as documented\n", checks);
  return 0;
}
