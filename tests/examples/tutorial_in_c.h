/* The tasks of QNN's pages on tensor memory and the tasks of examples/camera_ring.cpp and
   examples/decoder.cpp, in plain C; see tutorial_in_c.c. */
#ifndef QNNPP_TESTS_EXAMPLES_TUTORIAL_IN_C_H
#define QNNPP_TESTS_EXAMPLES_TUTORIAL_IN_C_H

#include "../sim/tests/c_declarations.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What these tasks assume: libraries, backend, device, a binary, and its tensors. */
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

/* A camera that fills a ring of its own buffers and shares them by their descriptors. */
typedef struct {
  const int* fds; /* of the buffers; the camera owns them */
  uint32_t buffers;
  uint64_t buffer_bytes;
  bool needs_sync; /* whether CPU access needs DMA_BUF_IOCTL_SYNC */
  void* state;     /* argument of the functions */
  /* Waits for the next frame and returns the index of its buffer; -1 after the last frame. */
  int (*next)(void* state);
  /* Gives a buffer back: the camera may overwrite it. */
  void (*release)(void* state, int buffer);
} tutorial_camera;

/* Tensors of a decoder's graphs, in this order: inputs, then outputs. */
enum {
  DECODER_HIDDEN,
  DECODER_KEYS,
  DECODER_VALUES,
  DECODER_PLACE,
  DECODER_PAST,
  DECODER_MASK,
  DECODER_NEW_KEYS,
  DECODER_NEW_VALUES,
  DECODER_NEXT_HIDDEN,
  DECODER_TENSORS,
  DECODER_INPUTS = DECODER_NEW_KEYS
};

/* A layer of a decoder with the graphs of examples/decoder/compose.hpp. */
typedef struct {
  const char* graphs[2];                  /* prefill, decode */
  qnn_tensor tensors[2][DECODER_TENSORS]; /* of each graph, no memory yet */
} tutorial_layer;

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
/* The graph's input has the pixels of a frame, a byte each. `output` is as large as the outputs of
   all frames, one after another. `light` gets the sum of all pixels. */
int tutorial_camera_ring(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                         const tutorial_camera* camera, void* output, uint64_t* light);
/* Runs one layer for all tokens: the first `prompt` ones by the prefill graph in chunks, the others
   by the decode graph. `hidden` and `next_hidden` have a row of codes for each token. The decode
   graph's cache must have room for as many positions as the prefill graph's, or more. */
int tutorial_decoder(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                     const tutorial_layer* layer, uint64_t prompt, uint64_t tokens,
                     const void* hidden, void* next_hidden);

#ifdef __cplusplus
}
#endif

#endif
