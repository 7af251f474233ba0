/* A client that meets limits of the simulated HTP, or makes mistakes that no code reports. Usage:
   limits FOLDER WAY
     op        adds a node whose op the simulated HTP does not compute; the log callback drops all
     package   adds a node of an op package that it has registered
     asks      asks whether the backend can run that op, and does without
     crash     crashes after a call that failed (QNNPP_SIM_FAULT="QnnDevice_create 1 1003")
     abort     calls abort() there
     exit      calls _exit(0) there
     ignored   goes on after a call that failed for a reason of its own
     boolean   stores a pointer in the union of PERSISTENT_BINARY, whose low byte is 144
     booleans  the same for each option with a boolean that the simulated HTP reads
     finalize  overwrites the handle's variable, the options and the binary before contextFinalize
     sizes     allocates 0 and 2 GiB by a size that was cast to int
     ids       destroys an id that no call has returned, and another one twice
     job       a small job whose error paths have bugs: see main() */
#include <signal.h>
#include <unistd.h>

#include "c_support.h"

enum { CUSTOM = 0, PERSISTENT_BINARY = 7, DEFER_GRAPH_INIT = 9 };

static qnn_handle logger, backend, device, context, graph;
static unsigned char* binary;
static uint64_t binary_size;

static void drop(const char* format, uint32_t level, uint64_t time, va_list arguments) {
  (void)format, (void)level, (void)time, (void)arguments;
}
static qnn_error create_log(void) {
  return SLOT(25, void (*)(const char*, uint32_t, uint64_t, va_list), uint32_t, qnn_handle*)(
      drop, 1, &logger);
}
static qnn_error create_backend(void) {
  return SLOT(1, qnn_handle, const void**, qnn_handle*)(logger, NULL, &backend);
}
static qnn_error create_device(const qnn_option** options) {
  return SLOT(40, qnn_handle, const qnn_option**, qnn_handle*)(logger, options, &device);
}
static qnn_error create_context(const qnn_option** options) {
  return SLOT(9, qnn_handle, qnn_handle, const qnn_option**, qnn_handle*)(backend, device, options,
                                                                          &context);
}
static qnn_error create_from_binary(const qnn_option** options, qnn_handle* out) {
  return SLOT(13, qnn_handle, qnn_handle, const qnn_option**, const void*, uint64_t, qnn_handle*,
              qnn_handle)(backend, device, options, binary, binary_size, out, NULL);
}
static qnn_error create_graph(const qnn_option** options) {
  return SLOT(15, qnn_handle, const char*, const qnn_option**, qnn_handle*)(context, "digits",
                                                                            options, &graph);
}
static qnn_error free_context(void) { return SLOT(14, qnn_handle, qnn_handle)(context, NULL); }

static void start(void) {
  OK(create_log());
  OK(create_backend());
  OK(create_device(NULL));
}
static void end(void) {
  if (context != NULL) OK(free_context());
  OK(SLOT(43, qnn_handle)(device));
  OK(SLOT(8, qnn_handle)(backend));
  OK(SLOT(27, qnn_handle)(logger));
}
static void make_binary(void) {
  make_network();
  OK(create_context(NULL));
  OK(create_graph(NULL));
  compose(graph);
  OK(SLOT(19, qnn_handle, qnn_handle, qnn_handle)(graph, NULL, NULL));
  uint64_t room = 0;
  OK(SLOT(11, qnn_handle, uint64_t*)(context, &room));
  free(binary);
  binary = malloc(room);
  OK(SLOT(12, qnn_handle, void*, uint64_t, uint64_t*)(context, binary, room, &binary_size));
  OK(free_context());
  context = NULL;
}

/* ---- limits ---- */

static uint32_t four[] = {4};
static qnn_op subtract(qnn_tensor* tensors, const char* package) {
  const char* const names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; ++i)
    tensors[i] = tensor(names[i], i == 2 ? QNN_APP_READ : QNN_APP_WRITE, four, 1);
  qnn_op op;
  memset(&op, 0, sizeof op);
  op.version = 1;
  op.name = "sub_3";
  op.package = package;
  op.type = "ElementWiseSubtract";
  op.num_inputs = 2;
  op.inputs = tensors;
  op.num_outputs = 1;
  op.outputs = tensors + 2;
  return op;
}
static void add_subtract(const char* package) {
  qnn_tensor tensors[3];
  const qnn_op op = subtract(tensors, package);
  OK(create_context(NULL));
  OK(create_graph(NULL));
  for (int i = 0; i < 3; ++i) create_tensor(graph, &tensors[i]);
  for (int i = 0; i < 2; ++i) CHECK(CODE(SLOT(18, qnn_handle, qnn_op)(graph, op)) == 6005);
}
static void package(const char* library) {
  OK(SLOT(5, qnn_handle, const char*, const char*, const char*)(backend, library, "provider",
                                                                "CPU"));
  add_subtract("my.ops");
}
static void asks(void) {
  qnn_tensor tensors[3];
  CHECK(CODE(SLOT(7, qnn_handle, qnn_op)(backend, subtract(tensors, "qti.aisw"))) == 4005);
}

/* ---- booleans ---- */

/* An address whose low byte is 144, as of a struct in memory. */
static unsigned char* const pointer_144 = (unsigned char*)(uintptr_t)0x7f0000001290;

static void boolean(void) {
  make_binary();
  qnn_option option = {PERSISTENT_BINARY, {.pointer = pointer_144}};
  const qnn_option* options[] = {&option, NULL};
  OK(create_from_binary(options, &context));
}

typedef struct {
  uint32_t option;
  uint64_t value[5];
} htp_option; /* as large as every custom config of a context or graph */

/* Creates and frees a context with one HTP option, whether or not the library has it. */
static void context_with(uint32_t number) {
  htp_option htp = {number, {(uintptr_t)pointer_144}};
  qnn_option custom = {CUSTOM, {.pointer = &htp}};
  const qnn_option* options[] = {&custom, NULL};
  context = NULL;
  create_from_binary(options, &context);
  if (context != NULL) free_context();
  context = NULL;
}
static void booleans(void) {
  make_binary();
  const uint32_t of_contexts[] = {1, 4, 5, 6, 7, 8, 9, 11, 13, 16, 18, 20, 22};
  for (size_t i = 0; i < sizeof of_contexts / sizeof *of_contexts; ++i)
    context_with(of_contexts[i]);
  boolean();
  /* contextSetConfig, and options of a graph from a binary */
  qnn_option persistent = {PERSISTENT_BINARY, {.pointer = pointer_144}};
  const qnn_option* options[] = {&persistent, NULL};
  OK(SLOT(10, qnn_handle, const qnn_option**)(context, options));
  OK(SLOT(20, qnn_handle, const char*, qnn_handle*)(context, "digits", &graph));
  const uint32_t of_graphs[] = {4, 5, 12, 13, 14, 15, 16, 17, 18};
  for (size_t i = 0; i < sizeof of_graphs / sizeof *of_graphs; ++i) {
    htp_option htp = {of_graphs[i], {(uintptr_t)pointer_144}};
    qnn_option custom = {CUSTOM, {.pointer = &htp}};
    const qnn_option* configs[] = {&custom, NULL};
    SLOT(17, qnn_handle, const qnn_option**)(graph, configs);
  }
  OK(free_context());
  /* of composed graphs */
  for (size_t i = 0; i < sizeof of_graphs / sizeof *of_graphs; ++i) {
    htp_option htp = {of_graphs[i], {(uintptr_t)pointer_144}};
    qnn_option custom = {CUSTOM, {.pointer = &htp}};
    const qnn_option* configs[] = {&custom, NULL};
    OK(create_context(NULL));
    create_graph(configs);
    OK(free_context());
  }
  context = NULL;
  /* SIGNEDPD of a device: {number of the device, boolean} */
  struct {
    uint32_t option, device_id;
    uint8_t is_signed[4];
  } pd = {2, 0, {144}};
  qnn_option custom = {CUSTOM, {.pointer = &pd}};
  const qnn_option* configs[] = {&custom, NULL};
  OK(SLOT(43, qnn_handle)(device));
  OK(create_device(configs));
}

/* ---- several rules at once ---- */

static void finalize(void) {
  make_binary();
  static uint64_t limit_hint = 0;
  qnn_option defer = {DEFER_GRAPH_INIT, {.u8 = 1}}, other = {6, {0}};
  other.value.u64 = limit_hint;
  const qnn_option* options[] = {&defer, NULL, NULL};
  qnn_handle made = NULL;
  OK(create_from_binary(options, &made));
  context = made;
  made = (qnn_handle)(uintptr_t)0x1234;
  options[1] = &other; /* options that the creation has not seen */
  other.value.u64 = 5;
  memset(binary, 0, 64);
  CHECK(SLOT(66, qnn_handle, qnn_handle)(context, NULL) != 0);
}

static void sizes(void) {
  CHECK(rpcmem_alloc(25, 1, 0) == NULL);
  CHECK(rpcmem_alloc(25, 1, (int)(uint32_t)0x80000000u) == NULL);
}
static void ids(void) {
  htp_infrastructure* infrastructure = NULL;
  uint32_t id = 0;
  OK(SLOT(39, void*)(&infrastructure));
  OK(infrastructure->create_power_config_id(0, 0, &id));
  OK(infrastructure->destroy_power_config_id(77));
  OK(infrastructure->destroy_power_config_id(id));
  OK(infrastructure->destroy_power_config_id(id));
}

/* ---- a job whose error paths have bugs ---- */

static int job(void) {
  if (create_log() != 0) return 1;
  if (create_backend() != 0) return 1;           /* bug: the logger stays */
  create_device(NULL);                           /* contexts do without a device */
  if (create_context(NULL) != 0) raise(SIGSEGV); /* bug: it reads through a NULL pointer */
  if (free_context() != 0) return 2;             /* bug: all others stay */
  if (device != NULL && SLOT(43, qnn_handle)(device) != 0) return 0; /* bug: 0 */
  if (SLOT(8, qnn_handle)(backend) != 0) return 3;                   /* bug: the logger stays */
  return SLOT(27, qnn_handle)(logger) != 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* const way = argv[2];
  open_libraries(argv[1]);
  if (strcmp(way, "job") == 0) return job();
  const int fails =
      strcmp(way, "crash") == 0 || strcmp(way, "abort") == 0 || strcmp(way, "exit") == 0;
  if (fails) {
    OK(create_log());
    OK(create_backend());
    CHECK(create_device(NULL) != 0);
    if (strcmp(way, "abort") == 0) abort();
    if (strcmp(way, "exit") == 0) _exit(0);
    raise(SIGSEGV);
  }
  start();
  step = way;
  if (strcmp(way, "op") == 0) add_subtract("qti.aisw");
  if (strcmp(way, "package") == 0) package(argv[0]);
  if (strcmp(way, "asks") == 0) asks();
  if (strcmp(way, "ignored") == 0) CHECK(CODE(SLOT(26, qnn_handle, uint32_t)(logger, 99)) != 0);
  if (strcmp(way, "boolean") == 0) boolean();
  if (strcmp(way, "booleans") == 0) booleans();
  if (strcmp(way, "finalize") == 0) finalize();
  if (strcmp(way, "sizes") == 0) sizes();
  if (strcmp(way, "ids") == 0) ids();
  end();
  free(binary);
  return 0;
}
