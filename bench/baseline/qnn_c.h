/* The reference for qnnpp: the same work in plain C, by the C API alone. Each context has a weights
   buffer, all share one spill-fill buffer of the largest need, and graphs are bound to registered
   memory. Every call is checked, and everything is freed in the right order. */
#ifndef QNNPP_BENCH_BASELINE_QNN_C_H
#define QNNPP_BENCH_BASELINE_QNN_C_H

#include "c_declarations.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void *htp_library, *system_library, *rpcmem_library;
  const qnn_provider* api;
  const qnn_system_provider* system;
  void* (*rpcmem_alloc2)(int, uint32_t, size_t);
  void (*rpcmem_free)(void*);
  int (*rpcmem_to_fd)(void*);
  qnn_handle backend, device;
} c_device;

/* One input or output, as the binary describes it. */
typedef struct {
  const char* name;
  uint32_t id, data_type, rank;
  const uint32_t* dimensions;
} c_tensor;

typedef struct {
  const char* name;
  uint32_t num_inputs, num_outputs;
  const c_tensor *inputs, *outputs;
} c_graph_info;

typedef struct {
  const char* path;
  qnn_handle handle;
  void* binary;
  size_t binary_bytes;
  /* Read by QNN at creation and again at finalize. */
  qnn_option defer;
  const qnn_option* configs[2];
  uint64_t alignment, spill_fill_bytes, weights_bytes;
  void* weights;
  int weights_fd;
  /* One allocation: infos, tensors, dimensions, names. */
  c_graph_info* graphs;
  uint32_t num_graphs;
} c_context;

typedef struct {
  c_device* device;
  c_context* contexts;
  size_t count;
  void* spill_fill;
  int spill_fill_fd;
  uint64_t spill_fill_bytes;
} c_model;

/* A graph with the memory of its inputs and outputs. */
typedef struct {
  const qnn_provider* api;
  qnn_handle handle;
  const char* name;
  qnn_tensor* inputs;
  qnn_tensor* outputs;
  uint32_t num_inputs, num_outputs;
} c_graph;

/* Each returns 0, QNN's code, or -1 for a failure outside QNN. On failure it prints the call and
   the object to stderr, and leaks nothing. */
/* Without `rpcmem` (NULL), the device can only restore contexts. */
int c_device_open(c_device* device, const char* htp, const char* system, const char* rpcmem);
void c_device_close(c_device* device);
int c_model_load(c_model* model, c_device* device, const char* const* paths, size_t count);
/* The same with a helper thread, which allocates the weights and reads the pages of up to `ahead`
   contexts beyond the one that QNN works on. */
int c_model_load_ahead(c_model* model, c_device* device, const char* const* paths, size_t count,
                       size_t ahead);
/* Creates the contexts ready to execute: QNN itself allocates weights and spill-fill. */
int c_model_restore(c_model* model, c_device* device, const char* const* paths, size_t count);
void c_model_free(c_model* model);
int c_graph_retrieve(c_graph* graph, const c_model* model, size_t context, const char* name);
/* Registers the memory of one tensor; c_deregister() deregisters `count` handles in one call. */
int c_register_tensor(const c_model* model, size_t context, int fd, const c_tensor* tensor,
                      qnn_handle* handle);
int c_deregister(const c_model* model, const qnn_handle* handles, uint32_t count);
/* Describes a weights or spill-fill buffer. Fills `custom`, which must live while the descriptor is
 * used. */
qnn_mem_descriptor c_external_descriptor(htp_mem_descriptor* custom, uint32_t type, int fd,
                                         uint64_t bytes);

int c_failed(qnn_error error, const char* step, const char* object);

typedef qnn_error (*c_execute_function)(qnn_handle, const qnn_tensor*, uint32_t, qnn_tensor*,
                                        uint32_t, qnn_handle, qnn_handle);

/* Runs a graph once. */
static inline int c_graph_execute(const c_graph* graph) {
  const qnn_error error =
      ((c_execute_function)graph->api->slots[21])(graph->handle, graph->inputs, graph->num_inputs,
                                                  graph->outputs, graph->num_outputs, NULL, NULL);
  if ((error & 0xFFFF) == 0) return 0;
  return c_failed(error, "QnnGraph_execute", graph->name);
}

#ifdef __cplusplus
}
#endif
#endif
