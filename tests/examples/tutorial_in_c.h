/* The tasks of QNN's pages on tensor memory, in plain C; see tutorial_in_c.c. */
#ifndef QNNPP_TESTS_EXAMPLES_TUTORIAL_IN_C_H
#define QNNPP_TESTS_EXAMPLES_TUTORIAL_IN_C_H

#include "../sim/tests/c_declarations.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What these pages assume: libraries, backend, device, a binary, and its tensors. */
typedef struct {
  const qnn_provider* qnn;
  qnn_handle backend, device;
  const void* binary;
  uint64_t binary_bytes;
  const char* graph;
  qnn_tensor tensors[2]; /* the graph's input, its output; no memory yet */
} tutorial_session;

typedef struct {
  void* library;
  void* (*alloc)(int, uint32_t, int);
  void (*free)(void*);
  int (*to_fd)(void*);
} tutorial_rpcmem;

/* Each function returns 0, or -1 with nothing left behind. `input` and `output` are as large as
   the tensors. */
int tutorial_load_rpcmem(const char* path, tutorial_rpcmem* rpcmem);
int tutorial_ion_buffers(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                         const void* input, void* output);
int tutorial_multi_tensor_buffer(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                                 const void* input, void* output);
int tutorial_external_buffers(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                              const void* input, void* output);
int tutorial_online_prepare(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                            const void* input, void* output);

#ifdef __cplusplus
}
#endif

#endif
