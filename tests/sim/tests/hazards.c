/* Bugs of real QNN clients. Each is a plain C program that uses only the API. The main program
   checks that the report of the simulated HTP (QNNPP_SIM_REPORT=stderr) names the broken rule.

     hazards FOLDER          runs each bug in a separate process, checks its rule and prints it
     hazards FOLDER NUMBER   runs one bug

   FOLDER contains libQnnHtp.so, libQnnSystem.so and libcdsprpc.so. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "c_support.h"

enum { CUSTOM = 0, MEMORY_LIMIT_HINT = 6, PERSISTENT_BINARY = 7, DEFER_GRAPH_INIT = 9 };
enum { HTP_GROUP = 2 };

typedef struct {
  uint32_t option;
  union {
    struct {
      qnn_handle head;
      uint64_t max_spill_fill_bytes;
    } group;
    uint64_t words[4];
  } value;
} htp_context_option;

static qnn_handle logger, backend, context, graph;
static unsigned char* binary;
static uint64_t binary_size;
static uint32_t last_input_id, last_output_id; /* in the last graph of the binary */

/* Composes and serializes a context binary with `graphs` graphs that need spill-fill memory. */
static void make_binary(uint32_t vtcm_bytes, int graphs) {
  qnn_handle composed = NULL;
  OK(SLOT(9, qnn_handle, qnn_handle, const void**, qnn_handle*)(backend, NULL, NULL, &composed));
  for (int i = 0; i < graphs; ++i) {
    htp_graph_option vtcm = {10, {{0}}};
    vtcm.value.u32 = vtcm_bytes;
    qnn_option custom = {0, {.pointer = &vtcm}};
    const qnn_option* options[] = {&custom, NULL};
    OK(SLOT(15, qnn_handle, const char*, const qnn_option**, qnn_handle*)(
        composed, i == 0 ? "digits" : "letters", options, &graph));
    const uint32_t first_input = input_id, first_output = output_id;
    compose(graph);
    last_input_id = input_id, last_output_id = output_id;
    if (i != 0) input_id = first_input, output_id = first_output;
    OK(SLOT(19, qnn_handle, qnn_handle, qnn_handle)(graph, NULL, NULL));
  }
  uint64_t room = 0;
  OK(SLOT(11, qnn_handle, uint64_t*)(composed, &room));
  binary = malloc(room);
  OK(SLOT(12, qnn_handle, void*, uint64_t, uint64_t*)(composed, binary, room, &binary_size));
  OK(SLOT(14, qnn_handle, qnn_handle)(composed, NULL));
}

static void begin(const char* folder) {
  make_network();
  open_libraries(folder);
  OK(SLOT(1, qnn_handle, const void**, qnn_handle*)(NULL, NULL, &backend));
  make_binary(384, 1);
}

static void end(void) {
  free(binary);
  OK(SLOT(8, qnn_handle)(backend));
}

static qnn_error create(const qnn_option** options, qnn_handle* out) {
  *out = NULL;
  return SLOT(13, qnn_handle, qnn_handle, const qnn_option**, const void*, uint64_t, qnn_handle*,
              qnn_handle)(backend, NULL, options, binary, binary_size, out, NULL);
}
static const qnn_option defer = {DEFER_GRAPH_INIT, {.u8 = 1}};
static const qnn_option* deferred[] = {&defer, NULL};

static qnn_error create_in_group(qnn_handle head, uint64_t bytes, qnn_handle* out) {
  htp_context_option group = {HTP_GROUP, {{head, bytes}}};
  qnn_option custom = {CUSTOM, {.pointer = &group}};
  const qnn_option* options[] = {&custom, NULL};
  return create(options, out);
}
static qnn_error finalize(qnn_handle which) {
  return SLOT(66, qnn_handle, qnn_handle)(which, NULL);
}
static qnn_error free_context(qnn_handle which) {
  return SLOT(14, qnn_handle, qnn_handle)(which, NULL);
}
static qnn_handle graph_of(qnn_handle which) {
  qnn_handle found = NULL;
  OK(SLOT(20, qnn_handle, const char*, qnn_handle*)(which, "digits", &found));
  return found;
}
static qnn_error try_register(qnn_handle which, const qnn_mem_descriptor* descriptors,
                              uint32_t count, qnn_handle* handles) {
  return SLOT(35, qnn_handle, const qnn_mem_descriptor*, uint32_t, qnn_handle*)(which, descriptors,
                                                                                count, handles);
}
static qnn_error deregister(qnn_handle handle) {
  return SLOT(36, const qnn_handle*, uint32_t)(&handle, 1);
}
static qnn_mem_descriptor external(htp_mem_descriptor* custom) {
  qnn_mem_descriptor descriptor;
  memset(&descriptor, 0, sizeof descriptor);
  descriptor.data_type = QNN_UNDEFINED;
  descriptor.mem_type = QNN_MEM_CUSTOM;
  descriptor.memory.custom = custom;
  return descriptor;
}
static qnn_error try_external(uint32_t type, void* memory, uint64_t size, uint64_t offset) {
  htp_mem_descriptor custom = {type, size, rpcmem_to_fd(memory), offset};
  const qnn_mem_descriptor descriptor = external(&custom);
  qnn_handle handle = NULL;
  return try_register(context, &descriptor, 1, &handle);
}
enum { IN_BYTES = WIDTH * sizeof(float), OUT_BYTES = CLASSES * sizeof(float), PAGE = 4096 };

/* ---- the hazards, by number ---- */

/* The size in a shared buffer's descriptor is not set, so an old value is used. */
static void uninitialised_descriptor(void) {
  OK(create(NULL, &context));
  void* const memory = rpcmem_alloc2(25, 1, 16 * PAGE);
  htp_mem_descriptor custom = {HTP_SHARED_BUFFER, 2 * PAGE, rpcmem_to_fd(memory), 0};
  uint32_t dimensions[] = {1, WIDTH};
  qnn_mem_descriptor descriptor = external(&custom);
  descriptor.num_dim = 2;
  descriptor.dim_size = dimensions;
  descriptor.data_type = QNN_FLOAT_32;
  qnn_handle handle = NULL;
  OK(try_register(context, &descriptor, 1, &handle));
  OK(deregister(handle));
  OK(free_context(context));
  rpcmem_free(memory);
}

/* The result of the registration is checked after the handle was deregistered, and the error path
   deregisters it again. */
static void result_read_too_late(void) {
  OK(create(NULL, &context));
  void* const memory = rpcmem_alloc2(25, 1, IN_BYTES);
  const qnn_handle handle = register_tensor(context, memory, WIDTH);
  OK(deregister(handle));
  deregister(handle);
  OK(free_context(context));
  rpcmem_free(memory);
}

/* The third of three tensors cannot be registered: the memory is freed, but the first two
   registrations stay. */
static void memory_freed_while_registered(void) {
  OK(create(NULL, &context));
  void* const memory = rpcmem_alloc2(25, 1, PAGE);
  register_tensor(context, memory, WIDTH);
  rpcmem_free(memory);
  OK(free_context(context));
}

/* The required alignment is queried and then ignored. */
static void alignment_unused(void) {
  OK(create(deferred, &context));
  const uint64_t weights_bytes = property(context, 3);
  void* const memory = rpcmem_alloc2(25, 1, weights_bytes + PAGE);
  try_external(HTP_WEIGHTS, memory, weights_bytes + PAGE, 100);
  OK(free_context(context));
  rpcmem_free(memory);
}

/* An external buffer's descriptor keeps the shape of the tensor that was registered before it. */
static void shape_left_in_descriptor(void) {
  OK(create(deferred, &context));
  const uint64_t weights_bytes = property(context, 3);
  void* const memory = rpcmem_alloc2(25, 1, weights_bytes);
  htp_mem_descriptor custom = {HTP_WEIGHTS, weights_bytes, rpcmem_to_fd(memory), 0};
  uint32_t dimensions[] = {1, WIDTH};
  qnn_mem_descriptor descriptor = external(&custom);
  descriptor.num_dim = 2;
  descriptor.dim_size = dimensions;
  descriptor.data_type = QNN_FLOAT_32;
  qnn_handle handle = NULL;
  try_register(context, &descriptor, 1, &handle);
  OK(free_context(context));
  rpcmem_free(memory);
}

/* The binary is overwritten and freed before contextFinalize reads it. */
static void binary_dropped_before_finalize(void) {
  OK(create(deferred, &context));
  memset(binary, 0, binary_size);
  finalize(context);
  OK(free_context(context));
}

/* The spill-fill buffer has the size that another context needs. */
static void spill_fill_of_another_size(void) {
  OK(create(deferred, &context));
  const uint64_t bytes = property(context, 2);
  void* const memory = rpcmem_alloc2(25, 1, PAGE);
  try_external(HTP_SPILL_FILL, memory, bytes / 2, 0);
  OK(free_context(context));
  rpcmem_free(memory);
}

/* contextFinalize fails, and the function returns without releasing context and registration. */
static void nothing_freed_after_a_failure(void) {
  OK(create(deferred, &context));
  const uint64_t weights_bytes = property(context, 3);
  void* const memory = rpcmem_alloc2(25, 1, weights_bytes);
  OK(try_external(HTP_WEIGHTS, memory, weights_bytes, 0));
  CHECK(CODE(finalize(context)) == 1002);
}

/* A size of 3,000,000,000 bytes is cast to the int of rpcmem_alloc. */
static void narrowed_size(void) {
  const size_t bytes = 3000000000u;
  CHECK(rpcmem_alloc(25, 1, (int)bytes) == NULL);
}

/* The handle of the group's head is in a static variable that outlives the context. */
static void stale_group_head(void) {
  OK(create_in_group(NULL, PAGE, &context));
  const qnn_handle head = context;
  OK(free_context(head));
  create_in_group(head, PAGE, &context);
  free_context(context);
}

/* The buffer is used after it was freed. */
static void buffer_used_after_free(void) {
  OK(create(NULL, &context));
  float* const in = rpcmem_alloc2(25, 1, IN_BYTES);
  float* const out = rpcmem_alloc2(25, 1, OUT_BYTES);
  const qnn_handle in_handle = register_tensor(context, in, WIDTH),
                   out_handle = register_tensor(context, out, CLASSES);
  rpcmem_free(in);
  execute_registered(graph_of(context), in_handle, out_handle, NULL);
  OK(deregister(in_handle));
  OK(deregister(out_handle));
  OK(free_context(context));
  rpcmem_free(out);
}

/* The pointer is aligned upwards before it is passed to rpcmem_to_fd and rpcmem_free. */
static void aligned_pointer(void) {
  char* const memory = rpcmem_alloc2(25, 1, 2 * PAGE);
  CHECK(rpcmem_to_fd(memory + 256) == -1);
  rpcmem_free(memory + 256);
}

/* The options are local variables of a function that has returned, so they are overwritten. */
static void create_with_local_options(void) {
  static qnn_option local;
  static const qnn_option* options[] = {&local, NULL};
  local = defer;
  OK(create(options, &context));
  local.option = 1;
  local.value.u64 = 200;
}
static void options_of_a_dead_frame(void) {
  create_with_local_options();
  finalize(context);
  OK(free_context(context));
}

/* The group's head is the first context, not the largest. */
static void head_smaller_than_a_member(void) {
  qnn_handle head = NULL;
  free(binary);
  make_binary(PAGE, 1); /* nothing spills */
  OK(create_in_group(NULL, 64, &head));
  free(binary);
  make_binary(384, 1);
  create_in_group(head, 64, &context);
  free_context(context);
  OK(free_context(head));
}

/* Handles are stored by the address of their memory, and a new allocation reuses the address. */
static void handle_kept_by_address(void) {
  OK(create(NULL, &context));
  void* memory = rpcmem_alloc2(25, 1, IN_BYTES);
  float* const out = rpcmem_alloc2(25, 1, OUT_BYTES);
  const qnn_handle kept = register_tensor(context, memory, WIDTH),
                   out_handle = register_tensor(context, out, CLASSES);
  OK(deregister(kept));
  rpcmem_free(memory);
  memory = rpcmem_alloc2(25, 1, IN_BYTES);
  execute_registered(graph_of(context), kept, out_handle, NULL);
  OK(deregister(out_handle));
  OK(free_context(context));
  rpcmem_free(memory);
  rpcmem_free(out);
}

/* The weights buffer is a member that is destroyed before the context. */
static void weights_freed_before_the_context(void) {
  OK(create(deferred, &context));
  const uint64_t weights_bytes = property(context, 3);
  void* const memory = rpcmem_alloc2(25, 1, weights_bytes);
  OK(try_external(HTP_WEIGHTS, memory, weights_bytes, 0));
  OK(finalize(context));
  rpcmem_free(memory);
  OK(free_context(context));
}

/* Two tensors that were fused into one buffer each free it. */
static void fused_buffer_freed_twice(void) {
  OK(create(NULL, &context));
  void* const memory = rpcmem_alloc2(25, 1, IN_BYTES);
  const qnn_handle handle = register_tensor(context, memory, WIDTH);
  for (int i = 0; i < 2; ++i) {
    deregister(handle);
    rpcmem_free(memory);
  }
  OK(free_context(context));
}

/* DMA memory is never freed. */
static void memory_never_freed(void) { CHECK(rpcmem_alloc2(25, 1, PAGE) != NULL); }

/* The creation of the second context fails, and the first context is never freed. */
static void contexts_lost_when_a_later_one_fails(void) {
  qnn_handle second = NULL;
  OK(create(NULL, &context));
  binary[0] ^= 0xFF;
  CHECK(create(NULL, &second) != 0);
}

/* The flag "context created" is wrong, so the backend is freed before its context. */
static void backend_freed_before_its_context(void) {
  OK(create(NULL, &context));
  SLOT(8, qnn_handle)(backend);
  free_context(context);
}

/* A handle is stored with its buffer, and used with another context. */
static void handle_of_another_context(void) {
  qnn_handle other = NULL;
  OK(create(NULL, &context));
  OK(create(NULL, &other));
  float* const in = rpcmem_alloc2(25, 1, IN_BYTES);
  float* const out = rpcmem_alloc2(25, 1, OUT_BYTES);
  const qnn_handle in_handle = register_tensor(context, in, WIDTH),
                   out_handle = register_tensor(other, out, CLASSES);
  execute_registered(graph_of(other), in_handle, out_handle, NULL);
  OK(deregister(in_handle));
  OK(deregister(out_handle));
  OK(free_context(other));
  OK(free_context(context));
  rpcmem_free(in);
  rpcmem_free(out);
}

/* One & too many: a pointer to a struct instead of an array of pointers to structs. */
static void options_that_are_no_array(void) {
  qnn_option option = defer;
  create((const qnn_option**)(void*)&option, &context);
  free_context(context);
}

/* The binary is overwritten although the context reads it again at each graph switch. */
static void persistent_binary_dropped(void) {
  free(binary);
  make_binary(384, 2);
  qnn_option persistent = {PERSISTENT_BINARY, {.u8 = 1}}, hint = {MEMORY_LIMIT_HINT, {.u64 = 1}};
  const qnn_option* options[] = {&persistent, &hint, NULL};
  OK(create(options, &context));
  float result[CLASSES];
  OK(execute_raw(graph_of(context), result, NULL, NULL));
  memset(binary, 0, binary_size);
  OK(SLOT(20, qnn_handle, const char*, qnn_handle*)(context, "letters", &graph));
  /* Uses the tensor ids of that graph. */
  input_id = last_input_id, output_id = last_output_id;
  execute_raw(graph, result, NULL, NULL);
  OK(free_context(context));
}

/* The client assumes that two registrations return the same handle, and deregisters it twice.
   Handles are numbers that are reused. */
static void double_deregister(void) {
  OK(create(NULL, &context));
  void* const memory = rpcmem_alloc2(25, 1, IN_BYTES);
  const qnn_handle handle = register_tensor(context, memory, WIDTH);
  OK(deregister(handle));
  deregister(handle);
  OK(free_context(context));
  rpcmem_free(memory);
}

/* A zeroed option is CUSTOM with a NULL pointer. */
static void option_of_zeros(void) {
  qnn_option option;
  memset(&option, 0, sizeof option);
  const qnn_option* options[] = {&option, NULL};
  create(options, &context);
  free_context(context);
}

/* The group's size is a constant. */
static void hard_coded_group_size(void) {
  create_in_group(NULL, 64, &context);
  free_context(context);
}

/* The head of a group is evicted while its member is alive. */
static void evicted_group_head(void) {
  qnn_handle head = NULL;
  OK(create_in_group(NULL, PAGE, &head));
  OK(create_in_group(head, PAGE, &context));
  const qnn_handle member_graph = graph_of(context);
  OK(free_context(head));
  float result[CLASSES];
  execute_raw(member_graph, result, NULL, NULL);
  OK(free_context(context));
}

/* rpcmem returns MAP_FAILED, and the program checks for NULL. */
static void map_failed_is_not_null(void) {
  void* const memory = rpcmem_alloc2(25, 1, PAGE);
  if (memory == NULL) return;
  rpcmem_to_fd(memory);
  rpcmem_free(memory);
}

/* The graph was prepared for raw memory, so registered memory leaves its copies unused. */
static void prepared_for_other_memory(void) {
  OK(create(NULL, &context));
  float* const in = rpcmem_alloc2(25, 1, IN_BYTES);
  float* const out = rpcmem_alloc2(25, 1, OUT_BYTES);
  const qnn_handle in_handle = register_tensor(context, in, WIDTH),
                   out_handle = register_tensor(context, out, CLASSES);
  OK(execute_registered(graph_of(context), in_handle, out_handle, NULL));
  OK(deregister(in_handle));
  OK(deregister(out_handle));
  OK(free_context(context));
  rpcmem_free(in);
  rpcmem_free(out);
}

/* The logger is freed before the backend that writes to it. */
static void logger_freed_before_its_backend(void) {
  qnn_handle second = NULL;
  OK(SLOT(25, void (*)(const char*, uint32_t, uint64_t, va_list), uint32_t, qnn_handle*)(NULL, 1,
                                                                                         &logger));
  OK(SLOT(1, qnn_handle, const void**, qnn_handle*)(logger, NULL, &second));
  OK(SLOT(27, qnn_handle)(logger));
  OK(SLOT(8, qnn_handle)(second));
}

/* More contexts are loaded than the device has room for. */
static void more_contexts_than_room(void) {
  static qnn_handle made[8192];
  int count = 0;
  while (count < 8192 && create(NULL, &made[count]) == 0) ++count;
  CHECK(count > 0 && count < 8192);
  while (count > 0) OK(free_context(made[--count]));
}

/* The variable of the handle is overwritten before contextFinalize reads it again. */
static void handle_variable_overwritten(void) {
  static qnn_handle variable;
  OK(create(deferred, &variable));
  context = variable;
  variable = (qnn_handle)(uintptr_t)0x1234;
  finalize(context);
  OK(free_context(context));
}

/* Both external buffers are registered in one call. */
static void two_external_buffers_in_one_call(void) {
  OK(create(deferred, &context));
  const uint64_t spill_fill_bytes = property(context, 2), weights_bytes = property(context, 3);
  void* const weights = rpcmem_alloc2(25, 1, weights_bytes);
  void* const spill_fill = rpcmem_alloc2(25, 1, spill_fill_bytes);
  htp_mem_descriptor custom[] = {{HTP_WEIGHTS, weights_bytes, rpcmem_to_fd(weights), 0},
                                 {HTP_SPILL_FILL, spill_fill_bytes, rpcmem_to_fd(spill_fill), 0}};
  const qnn_mem_descriptor both[] = {external(&custom[0]), external(&custom[1])};
  qnn_handle handles[2] = {NULL, NULL};
  try_register(context, both, 2, handles);
  OK(free_context(context));
  rpcmem_free(weights);
  rpcmem_free(spill_fill);
}

/* The descriptor has the region's size, although the size counts from the start of the file. */
static void size_of_the_region_beside_an_offset(void) {
  OK(create(deferred, &context));
  const uint64_t bytes = property(context, 3);
  void* const memory = rpcmem_alloc2(25, 1, bytes + 2 * PAGE);
  try_external(HTP_WEIGHTS, memory, bytes, PAGE);
  OK(free_context(context));
  rpcmem_free(memory);
}

/* A refused creation leaves a context in the variable, which the client does not free. */
static void context_of_a_failed_creation(void) {
  qnn_option hint = {MEMORY_LIMIT_HINT, {.u64 = 1}};
  const qnn_option* options[] = {&hint, NULL};
  CHECK(create(options, &context) != 0);
}

/* A list contains a file that is no context binary. */
static void notify(qnn_handle of, qnn_handle of_graph, const char* name, uint32_t kind, void* param,
                   qnn_error status) {
  (void)of, (void)of_graph, (void)name, (void)kind, (void)param, (void)status;
}
typedef struct {
  uint32_t version;
  struct {
    const qnn_option** options;
    const void* binary;
    uint64_t size;
    qnn_handle profile;
    void (*notify)(qnn_handle, qnn_handle, const char*, uint32_t, void*, qnn_error);
    void* param;
  } v1;
} qnn_context_params;
static void foreign_file_in_a_list(void) {
  static const char file[4096] = "no context binary";
  qnn_context_params params = {1, {NULL, file, sizeof file, NULL, notify, NULL}};
  const qnn_context_params* list[] = {&params, NULL};
  SLOT(56, qnn_handle, qnn_handle, const qnn_context_params**, const qnn_option**, qnn_handle)
  (backend, NULL, list, NULL, NULL);
}

/* DEFER_GRAPH_INIT has the value 0: the host library never returns. */
static void deferral_of_zero(void) {
  qnn_option option = {DEFER_GRAPH_INIT, {.u8 = 0}};
  const qnn_option* options[] = {&option, NULL};
  create(options, &context);
  free_context(context);
}

/* ---- the table ---- */

typedef struct {
  int number;
  void (*run)(void);
  const char* id;    /* must appear on stderr */
  const char* later; /* not NULL: the simulated HTP does not report it yet */
  int keeps_backend; /* ends without a tear-down, like the bug */
  const char* name;  /* an environment variable, or NULL */
  const char* value;
} hazard;

/* 13 and 27 have no program, because the simulated HTP cannot detect them:
   docs/test-without-a-device.md. */
static const hazard hazards[] = {
    {1, uninitialised_descriptor, "SHB-01", NULL, 0, NULL, NULL},
    {2, result_read_too_late, "ION-04", NULL, 0, NULL, NULL},
    {3, memory_freed_while_registered, "ION-04", NULL, 0, NULL, NULL},
    {4, alignment_unused, "BUF-02", NULL, 0, "QNNPP_SIM_START_ALIGNMENT_BYTES", "256"},
    {5, shape_left_in_descriptor, "BUF-14", NULL, 0, NULL, NULL},
    {6, binary_dropped_before_finalize, "ORD-05", NULL, 0, NULL, NULL},
    {7, spill_fill_of_another_size, "BUF-10", NULL, 0, NULL, NULL},
    {8, nothing_freed_after_a_failure, "ORD-07", NULL, 1, "QNNPP_SIM_FAULT",
     "QnnContext_finalize 1 1002"},
    {9, narrowed_size, "ALC-01", NULL, 0, NULL, NULL},
    {10, stale_group_head, "GRP-02", NULL, 0, NULL, NULL},
    {11, buffer_used_after_free, "ION-04", NULL, 0, NULL, NULL},
    {12, aligned_pointer, "ALC-02", NULL, 0, NULL, NULL},
    {14, options_of_a_dead_frame, "CFG-02", NULL, 0, NULL, NULL},
    {15, head_smaller_than_a_member, "GRP-01", NULL, 0, NULL, NULL},
    {16, handle_kept_by_address, "SHB-09", NULL, 0, NULL, NULL},
    {17, weights_freed_before_the_context, "BUF-06", NULL, 0, NULL, NULL},
    {18, fused_buffer_freed_twice, "ION-04", NULL, 0, NULL, NULL},
    {19, memory_never_freed, "ALC-02", NULL, 0, NULL, NULL},
    {20, contexts_lost_when_a_later_one_fails, "ORD-08", NULL, 1, NULL, NULL},
    {21, backend_freed_before_its_context, "ORD-08", NULL, 1, NULL, NULL},
    {22, handle_of_another_context, "SHB-09", NULL, 0, NULL, NULL},
    {23, memory_freed_while_registered, "ION-04", NULL, 0, NULL, NULL},
    {24, options_that_are_no_array, "CFG-01", NULL, 0, NULL, NULL},
    {25, persistent_binary_dropped, "ORD-05", NULL, 0, NULL, NULL},
    {26, double_deregister, "ION-04", NULL, 0, "QNNPP_SIM_RECYCLED_HANDLES", "1"},
    {28, option_of_zeros, "CFG-01", NULL, 0, NULL, NULL},
    {29, hard_coded_group_size, "GRP-01", NULL, 0, NULL, NULL},
    {30, evicted_group_head, "GRP-03", NULL, 0, NULL, NULL},
    {31, map_failed_is_not_null, "ALC-02", NULL, 0, "QNNPP_SIM_FAULT",
     "rpcmem_alloc2 1 MAP_FAILED"},
    {32, prepared_for_other_memory, "QMEM-02", NULL, 0, NULL, NULL},
    {33, logger_freed_before_its_backend, "ORD-08", NULL, 0, NULL, NULL},
    {34, more_contexts_than_room, "RES-01", NULL, 0, "QNNPP_SIM_PD_BUDGET_BYTES", "20000000"},
    {35, handle_variable_overwritten, "ORD-12", NULL, 0, NULL, NULL},
    {36, two_external_buffers_in_one_call, "BUF-15", NULL, 0, NULL, NULL},
    {37, size_of_the_region_beside_an_offset, "BUF-16", NULL, 0, NULL, NULL},
    {38, context_of_a_failed_creation, "ORD-14", NULL, 1, NULL, NULL},
    {39, foreign_file_in_a_list, "ASY-02", NULL, 0, NULL, NULL},
    {40, deferral_of_zero, "ORD-15", NULL, 0, NULL, NULL},
};
enum { HAZARDS = sizeof hazards / sizeof hazards[0] };

static int run_one(const char* folder, int number) {
  for (int i = 0; i < HAZARDS; ++i) {
    if (hazards[i].number != number) continue;
    if (hazards[i].name != NULL) setenv(hazards[i].name, hazards[i].value, 1);
    begin(folder);
    step = "the hazard";
    hazards[i].run();
    step = "the end";
    if (!hazards[i].keeps_backend) end();
    return 0;
  }
  fprintf(stderr, "no hazard has the number %d\n", number);
  return 2;
}

/* Runs one bug in a separate process. Returns its status, and its stderr in `said`. */
static char said[65536];
static int run_child(const char* program, const char* folder, int number) {
  char text[16];
  int ends[2], status = 0;
  size_t size = 0;
  snprintf(text, sizeof text, "%d", number);
  fflush(stdout);
  if (pipe(ends) != 0) exit(2);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    alarm(60);
    execl(program, program, folder, text, (char*)NULL);
    _exit(2);
  }
  close(ends[1]);
  for (ssize_t got; size + 1 < sizeof said; size += (size_t)got)
    if ((got = read(ends[0], said + size, sizeof said - 1 - size)) <= 0) break;
  said[size] = '\0';
  close(ends[0]);
  waitpid(child, &status, 0);
  return status;
}

int main(int argc, char** argv) {
  if (argc == 3) return run_one(argv[1], atoi(argv[2]));
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER [NUMBER]\n", argv[0]);
    return 2;
  }
  setenv("QNNPP_SIM_REPORT", "stderr", 1);
  int wrong = 0;
  for (int i = 0; i < HAZARDS; ++i) {
    const hazard* const one = &hazards[i];
    const int status = run_child(argv[0], argv[1], one->number);
    const int named = strstr(said, one->id) != NULL;
    const int ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const int right = (named && ended) || one->later != NULL;
    printf("%2d  %-7s  %s\n", one->number, one->id,
           !right           ? "WRONG: its id is not on stderr, or it failed"
           : named && ended ? one->later == NULL ? "named" : "named, though marked as later"
                            : "not named yet");
    if (!right) printf("%s\n", said);
    wrong += !right;
  }
  return wrong != 0;
}
