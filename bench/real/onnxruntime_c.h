/* A client of ONNX Runtime's C API with the QNN execution provider: the same work as in qnn_c.h.
   Needs no header of ONNX Runtime: its functions are found by their place in the table OrtApi,
   which never changes. */
#ifndef QNNPP_BENCH_REAL_ONNXRUNTIME_C_H
#define QNNPP_BENCH_REAL_ONNXRUNTIME_C_H

#include <stddef.h>
#include <stdint.h>

#include "real/timed_htp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void* library;
  const void* const* api;
  const char* version;
  void *env, *options;
} ort_device;

/* A model with one input and one output of float32, bound to memory of the caller. */
typedef struct {
  const void* const* api;
  void* session;
  void *memory_info, *input, *output;
  const char *input_name, *output_name;
} ort_model;

/* Each returns 0 or -1. On failure it prints the reason to stderr. */
/* Opens ONNX Runtime and its QNN execution provider, which shall use the backend `htp`. */
int ort_device_open(ort_device* device, const char* library, const char* provider, const char* htp);
void ort_device_close(ort_device* device);
/* Creates a session of a model file: ready to execute afterwards. */
int ort_model_load(ort_model* model, const ort_device* device, const char* path);
int ort_model_bind(ort_model* model, const char* input_name, float* input, const char* output_name,
                   float* output, int64_t columns);
void ort_model_free(ort_model* model);
/* Runs a bound model once. */
timed_call ort_model_run(const ort_model* model);

#ifdef __cplusplus
}
#endif
#endif
