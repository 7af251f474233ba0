/* Common parts of the plain C programs: the libraries, a small network with its correct results,
   and helpers that fill in structs of tensors and buffers. Uses nothing of the C++ library. */
#ifndef QNNPP_TESTS_SIM_C_SUPPORT_H
#define QNNPP_TESTS_SIM_C_SUPPORT_H

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c_declarations.h"

static const char* step = "start";
static int checks = 0;

#define CHECK(condition)                                                               \
  do {                                                                                 \
    ++checks;                                                                          \
    if (!(condition)) {                                                                \
      fprintf(stderr, "%s: line %d: this is false: %s\n", step, __LINE__, #condition); \
      exit(1);                                                                         \
    }                                                                                  \
  } while (0)

#define OK(call)                                                              \
  do {                                                                        \
    const qnn_error error_ = (call);                                          \
    ++checks;                                                                 \
    if (error_ != 0) {                                                        \
      fprintf(stderr, "%s: line %d: %s returned %u\n", step, __LINE__, #call, \
              (unsigned)(error_ & 0xFFFF));                                   \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

#define CODE(call) ((unsigned)((call) & 0xFFFF))

static const qnn_provider* qnn;
static const qnn_system_provider* sys;
#define SLOT(index, ...) ((qnn_error(*)(__VA_ARGS__))qnn->slots[index])
#define SYSTEM_SLOT(index, ...) ((qnn_error(*)(__VA_ARGS__))sys->slots[index])

static void* (*rpcmem_alloc)(int, uint32_t, int);
static void* (*rpcmem_alloc2)(int, uint32_t, size_t);
static void (*rpcmem_free)(void*);
static int (*rpcmem_to_fd)(void*);

static int log_lines = 0;
static inline void on_log(const char* format, uint32_t level, uint64_t timestamp,
                          va_list arguments) {
  char line[512];
  (void)timestamp;
  vsnprintf(line, sizeof line, format, arguments);
  CHECK(level >= 1 && level <= 5);
  CHECK(line[0] != '\0');
  ++log_lines;
}

static inline void* load(const char* folder, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return library;
}

/* Finds a function by name, without a cast between object and function pointers. */
static inline void find(void* library, const char* name, void* function) {
  void* const symbol = dlsym(library, name);
  if (symbol == NULL) {
    fprintf(stderr, "no %s\n", name);
    exit(1);
  }
  memcpy(function, &symbol, sizeof symbol);
}

/* Opens the three libraries of a folder. Sets qnn, sys and the functions of rpcmem. */
static inline void open_libraries(const char* folder) {
  void* const htp = load(folder, "libQnnHtp.so");
  void* const system_library = load(folder, "libQnnSystem.so");
  void* const rpc = load(folder, "libcdsprpc.so");
  qnn_error (*get_providers)(const qnn_provider***, uint32_t*);
  qnn_error (*get_system_providers)(const qnn_system_provider***, uint32_t*);
  find(htp, "QnnInterface_getProviders", &get_providers);
  find(system_library, "QnnSystemInterface_getProviders", &get_system_providers);
  find(rpc, "rpcmem_alloc", &rpcmem_alloc);
  find(rpc, "rpcmem_alloc2", &rpcmem_alloc2);
  find(rpc, "rpcmem_free", &rpcmem_free);
  find(rpc, "rpcmem_to_fd", &rpcmem_to_fd);
  const qnn_provider** providers = NULL;
  const qnn_system_provider** system_providers = NULL;
  uint32_t count = 0;
  CHECK(CODE(get_providers(NULL, &count)) == 1004);
  OK(get_providers(&providers, &count));
  CHECK(count == 1);
  qnn = providers[0];
  OK(get_system_providers(&system_providers, &count));
  CHECK(count == 1);
  sys = system_providers[0];
}

/* ---- the network: two fully connected layers with relu between them, then softmax ---- */

enum { WIDTH = 96, CLASSES = 10 };
static float weights_1[WIDTH * WIDTH], bias_1[WIDTH], weights_2[CLASSES * WIDTH], bias_2[CLASSES];
static float input[WIDTH], expected[CLASSES];

static inline void make_network(void) {
  uint32_t state = 1;
  for (int i = 0; i < WIDTH * WIDTH; ++i) {
    state = state * 1664525u + 1013904223u;
    weights_1[i] = ((float)(state >> 8) / 16777216.0f - 0.5f) * 0.3f;
  }
  for (int i = 0; i < CLASSES * WIDTH; ++i) {
    state = state * 1664525u + 1013904223u;
    weights_2[i] = ((float)(state >> 8) / 16777216.0f - 0.5f) * 0.3f;
  }
  for (int i = 0; i < WIDTH; ++i) bias_1[i] = 0.01f * (float)i, input[i] = (float)(i % 7) / 7.0f;
  for (int i = 0; i < CLASSES; ++i) bias_2[i] = -0.1f * (float)i;
  float hidden[WIDTH], sum = 0.0f;
  for (int o = 0; o < WIDTH; ++o) {
    hidden[o] = bias_1[o];
    for (int i = 0; i < WIDTH; ++i) hidden[o] += weights_1[o * WIDTH + i] * input[i];
    if (hidden[o] < 0.0f) hidden[o] = 0.0f;
  }
  for (int o = 0; o < CLASSES; ++o) {
    float value = bias_2[o];
    for (int i = 0; i < WIDTH; ++i) value += weights_2[o * WIDTH + i] * hidden[i];
    expected[o] = expf(value);
    sum += expected[o];
  }
  for (int o = 0; o < CLASSES; ++o) expected[o] /= sum;
}

static inline int is_expected(const float* values) {
  for (int i = 0; i < CLASSES; ++i)
    if (!(fabsf(values[i] - expected[i]) < 1e-5f)) return 0;
  return 1;
}

static inline qnn_tensor tensor(const char* name, uint32_t type, uint32_t* dimensions,
                                uint32_t rank) {
  qnn_tensor made;
  memset(&made, 0, sizeof made);
  made.version = 1;
  made.v1.name = name;
  made.v1.type = type;
  made.v1.data_type = QNN_FLOAT_32;
  made.v1.quantization.definition = QNN_UNDEFINED;
  made.v1.quantization.encoding = QNN_UNDEFINED;
  made.v1.rank = rank;
  made.v1.dimensions = dimensions;
  return made;
}

static inline void create_tensor(qnn_handle graph, qnn_tensor* made) {
  OK(SLOT(24, qnn_handle, qnn_tensor*)(graph, made));
  CHECK(made->v1.id != 0);
}

static inline qnn_tensor constant(qnn_handle graph, const char* name, uint32_t* dimensions,
                                  uint32_t rank, float* data, size_t bytes) {
  qnn_tensor made = tensor(name, QNN_STATIC, dimensions, rank);
  made.v1.memory.client.data = data;
  made.v1.memory.client.size = (uint32_t)bytes;
  create_tensor(graph, &made);
  return made;
}

static inline void add_node(qnn_handle graph, const char* name, const char* type,
                            qnn_tensor* inputs, uint32_t count, qnn_tensor* output,
                            qnn_param* params, uint32_t num_params) {
  qnn_op op;
  memset(&op, 0, sizeof op);
  op.version = 1;
  op.name = name;
  op.package = "qti.aisw";
  op.type = type;
  op.num_params = num_params;
  op.params = params;
  op.num_inputs = count;
  op.inputs = inputs;
  op.num_outputs = 1;
  op.outputs = output;
  OK(SLOT(18, qnn_handle, qnn_op)(graph, op));
}

static uint32_t input_id, output_id;

static inline void compose(qnn_handle graph) {
  uint32_t in_dims[] = {1, WIDTH}, out_dims[] = {1, CLASSES};
  uint32_t w1_dims[] = {WIDTH, WIDTH}, b1_dims[] = {WIDTH}, w2_dims[] = {CLASSES, WIDTH},
           b2_dims[] = {CLASSES};
  qnn_tensor in = tensor("input", QNN_APP_WRITE, in_dims, 2);
  create_tensor(graph, &in);
  qnn_tensor fc1 = tensor("fc1", QNN_NATIVE, in_dims, 2);
  create_tensor(graph, &fc1);
  qnn_tensor relu = tensor("relu", QNN_NATIVE, in_dims, 2);
  create_tensor(graph, &relu);
  qnn_tensor fc2 = tensor("fc2", QNN_NATIVE, out_dims, 2);
  create_tensor(graph, &fc2);
  qnn_tensor out = tensor("output", QNN_APP_READ, out_dims, 2);
  create_tensor(graph, &out);
  qnn_tensor first[] = {in, constant(graph, "w1", w1_dims, 2, weights_1, sizeof weights_1),
                        constant(graph, "b1", b1_dims, 1, bias_1, sizeof bias_1)};
  add_node(graph, "layer_1", "FullyConnected", first, 3, &fc1, NULL, 0);
  add_node(graph, "relu_1", "Relu", &fc1, 1, &relu, NULL, 0);
  qnn_tensor second[] = {relu, constant(graph, "w2", w2_dims, 2, weights_2, sizeof weights_2),
                         constant(graph, "b2", b2_dims, 1, bias_2, sizeof bias_2)};
  add_node(graph, "layer_2", "FullyConnected", second, 3, &fc2, NULL, 0);
  qnn_param beta;
  memset(&beta, 0, sizeof beta);
  beta.name = "beta";
  beta.u.scalar.data_type = QNN_FLOAT_32;
  beta.u.scalar.value.f32 = 1.0f;
  add_node(graph, "softmax", "Softmax", &fc2, 1, &out, &beta, 1);
  input_id = in.v1.id;
  output_id = out.v1.id;
}

/* ---- one run with the client's own memory ---- */

static inline qnn_error execute_raw(qnn_handle graph, float* result, qnn_handle profile,
                                    qnn_handle signal) {
  qnn_tensor in = tensor(NULL, QNN_APP_WRITE, NULL, 0), out = tensor(NULL, QNN_APP_READ, NULL, 0);
  in.v1.id = input_id;
  in.v1.memory.client.data = input;
  in.v1.memory.client.size = sizeof input;
  out.v1.id = output_id;
  out.v1.memory.client.data = result;
  out.v1.memory.client.size = CLASSES * sizeof(float);
  return SLOT(21, qnn_handle, const qnn_tensor*, uint32_t, qnn_tensor*, uint32_t, qnn_handle,
              qnn_handle)(graph, &in, 1, &out, 1, profile, signal);
}

static inline uint64_t property(qnn_handle context, uint32_t which) {
  qnn_option custom = {which, {0}};
  qnn_option outer = {0, {.pointer = &custom}};
  qnn_option* array[] = {&outer, NULL};
  OK(SLOT(63, qnn_handle, qnn_option**)(context, array));
  return custom.value.u64;
}

static inline qnn_handle register_memory(qnn_handle context, const qnn_mem_descriptor* descriptor) {
  qnn_handle handle = NULL;
  OK(SLOT(35, qnn_handle, const qnn_mem_descriptor*, uint32_t, qnn_handle*)(context, descriptor, 1,
                                                                            &handle));
  CHECK(handle != NULL);
  return handle;
}

static inline void register_external(qnn_handle context, uint32_t type, void* memory,
                                     uint64_t size) {
  htp_mem_descriptor custom = {type, size, rpcmem_to_fd(memory), 0};
  qnn_mem_descriptor descriptor;
  memset(&descriptor, 0, sizeof descriptor);
  descriptor.data_type = QNN_UNDEFINED;
  descriptor.mem_type = QNN_MEM_CUSTOM;
  descriptor.memory.custom = &custom;
  register_memory(context, &descriptor);
}

static inline qnn_handle register_tensor(qnn_handle context, void* memory, uint32_t width) {
  uint32_t dimensions[] = {1, width};
  qnn_mem_descriptor descriptor;
  memset(&descriptor, 0, sizeof descriptor);
  descriptor.num_dim = 2;
  descriptor.dim_size = dimensions;
  descriptor.data_type = QNN_FLOAT_32;
  descriptor.mem_type = QNN_MEM_ION;
  descriptor.memory.fd = rpcmem_to_fd(memory);
  return register_memory(context, &descriptor);
}

/* Executes the composed graph on registered tensors. Returns the error. */
static inline qnn_error execute_registered(qnn_handle graph, qnn_handle in_handle,
                                           qnn_handle out_handle, qnn_handle profile) {
  qnn_tensor in = tensor(NULL, QNN_APP_WRITE, NULL, 0), out = tensor(NULL, QNN_APP_READ, NULL, 0);
  in.v1.id = input_id;
  in.v1.mem_type = QNN_MEMHANDLE;
  in.v1.memory.mem_handle = in_handle;
  out.v1.id = output_id;
  out.v1.mem_type = QNN_MEMHANDLE;
  out.v1.memory.mem_handle = out_handle;
  return SLOT(21, qnn_handle, const qnn_tensor*, uint32_t, qnn_tensor*, uint32_t, qnn_handle,
              qnn_handle)(graph, &in, 1, &out, 1, profile, NULL);
}

#endif
