#include "onnxruntime_c.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Places of functions in OrtApi. */
enum {
  GET_ERROR_MESSAGE = 2,
  CREATE_ENV = 3,
  CREATE_SESSION = 7,
  RUN = 9,
  CREATE_SESSION_OPTIONS = 10,
  SET_INTRA_OP_NUM_THREADS = 24,
  CREATE_TENSOR_WITH_DATA = 49,
  CREATE_CPU_MEMORY_INFO = 69,
  RELEASE_ENV = 92,
  RELEASE_STATUS = 93,
  RELEASE_MEMORY_INFO = 94,
  RELEASE_SESSION = 95,
  RELEASE_VALUE = 96,
  RELEASE_SESSION_OPTIONS = 100,
  ADD_SESSION_CONFIG_ENTRY = 130,
  REGISTER_PROVIDER_LIBRARY = 301,
  GET_EP_DEVICES = 303,
  APPEND_PROVIDER_V2 = 304,
  EP_DEVICE_NAME = 312,
  API_VERSION = 22,
  LOG_ERRORS = 3,
  FLOAT_32 = 1
};

/* A function of the table that returns a status: NULL is success. */
#define CALL(api, place, ...) ((void* (*)(__VA_ARGS__))(uintptr_t)(api)[place])
#define RELEASE(api, place, object) ((void (*)(void*))(uintptr_t)(api)[place])(object)

static int own_failure(const char* step, const char* why) {
  fprintf(stderr, "%s: %s\n", step, why);
  return -1;
}

static int failed(const void* const* api, void* status, const char* step) {
  own_failure(step, ((const char* (*)(const void*))(uintptr_t)api[GET_ERROR_MESSAGE])(status));
  RELEASE(api, RELEASE_STATUS, status);
  return -1;
}

typedef struct {
  const void* (*get_api)(uint32_t);
  const char* (*get_version)(void);
} ort_api_base;

static int append_provider(ort_device* device, const char* provider, const char* htp) {
  const void* const* const api = device->api;
  void* status = CALL(api, REGISTER_PROVIDER_LIBRARY, void*, const char*, const char*)(
      device->env, "QNN", provider);
  if (status != NULL) return failed(api, status, "RegisterExecutionProviderLibrary");
  const void* const* devices = NULL;
  size_t count = 0;
  status =
      CALL(api, GET_EP_DEVICES, void*, const void* const**, size_t*)(device->env, &devices, &count);
  if (status != NULL) return failed(api, status, "GetEpDevices");
  for (size_t i = 0; i < count; ++i) {
    const char* const name =
        ((const char* (*)(const void*))(uintptr_t)api[EP_DEVICE_NAME])(devices[i]);
    if (strcmp(name, "QNN") != 0) continue;
    const char* const keys[] = {"backend_path"};
    const char* const values[] = {htp};
    status = CALL(api, APPEND_PROVIDER_V2, void*, void*, const void* const*, size_t,
                  const char* const*, const char* const*,
                  size_t)(device->options, device->env, &devices[i], 1, keys, values, 1);
    return status == NULL ? 0 : failed(api, status, "AppendExecutionProvider_V2");
  }
  return own_failure(provider, "offers no device");
}

int ort_device_open(ort_device* device, const char* library, const char* provider,
                    const char* htp) {
  memset(device, 0, sizeof *device);
  device->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (device->library == NULL) return own_failure("dlopen", dlerror());
  void* const symbol = dlsym(device->library, "OrtGetApiBase");
  if (symbol == NULL) return own_failure(library, "no OrtGetApiBase");
  const ort_api_base* (*get_base)(void);
  memcpy(&get_base, &symbol, sizeof symbol);
  device->version = get_base()->get_version();
  device->api = get_base()->get_api(API_VERSION);
  if (device->api == NULL) return own_failure(library, "too old");
  const void* const* const api = device->api;
  void* status = CALL(api, CREATE_ENV, int, const char*, void**)(LOG_ERRORS, "bench", &device->env);
  if (status == NULL) status = CALL(api, CREATE_SESSION_OPTIONS, void**)(&device->options);
  if (status == NULL) status = CALL(api, SET_INTRA_OP_NUM_THREADS, void*, int)(device->options, 1);
  if (status == NULL)
    status = CALL(api, ADD_SESSION_CONFIG_ENTRY, void*, const char*, const char*)(
        device->options, "session.disable_cpu_ep_fallback", "1");
  if (status != NULL) return failed(api, status, "CreateSessionOptions");
  return append_provider(device, provider, htp);
}

/* Keeps the library loaded, because its threads may run its code. */
void ort_device_close(ort_device* device) {
  if (device->options != NULL) RELEASE(device->api, RELEASE_SESSION_OPTIONS, device->options);
  if (device->env != NULL) RELEASE(device->api, RELEASE_ENV, device->env);
  memset(device, 0, sizeof *device);
}

int ort_model_load(ort_model* model, const ort_device* device, const char* path) {
  memset(model, 0, sizeof *model);
  model->api = device->api;
  void* const status = CALL(device->api, CREATE_SESSION, void*, const char*, void*, void**)(
      device->env, path, device->options, &model->session);
  return status == NULL ? 0 : failed(device->api, status, "CreateSession");
}

int ort_model_bind(ort_model* model, const char* input_name, float* input, const char* output_name,
                   float* output, int64_t columns) {
  const int64_t shape[] = {1, columns};
  const size_t bytes = (size_t)columns * sizeof *input;
  model->input_name = input_name;
  model->output_name = output_name;
  void* status =
      CALL(model->api, CREATE_CPU_MEMORY_INFO, int, int, void**)(0, 0, &model->memory_info);
  if (status == NULL)
    status = CALL(model->api, CREATE_TENSOR_WITH_DATA, const void*, void*, size_t, const int64_t*,
                  size_t, int,
                  void**)(model->memory_info, input, bytes, shape, 2, FLOAT_32, &model->input);
  if (status == NULL)
    status = CALL(model->api, CREATE_TENSOR_WITH_DATA, const void*, void*, size_t, const int64_t*,
                  size_t, int,
                  void**)(model->memory_info, output, bytes, shape, 2, FLOAT_32, &model->output);
  return status == NULL ? 0 : failed(model->api, status, "CreateTensorWithDataAsOrtValue");
}

void ort_model_free(ort_model* model) {
  if (model->input != NULL) RELEASE(model->api, RELEASE_VALUE, model->input);
  if (model->output != NULL) RELEASE(model->api, RELEASE_VALUE, model->output);
  if (model->memory_info != NULL) RELEASE(model->api, RELEASE_MEMORY_INFO, model->memory_info);
  if (model->session != NULL) RELEASE(model->api, RELEASE_SESSION, model->session);
  memset(model, 0, sizeof *model);
}

timed_call ort_model_run(const ort_model* model) {
  const void* const inputs[] = {model->input};
  void* outputs[] = {model->output};
  timed_call call;
  call.begin = ticks();
  void* const status = CALL(model->api, RUN, void*, const void*, const char* const*,
                            const void* const*, size_t, const char* const*, size_t, void**)(
      model->session, NULL, &model->input_name, inputs, 1, &model->output_name, 1, outputs);
  call.end = ticks();
  call.code = status == NULL ? 0 : failed(model->api, status, "Run");
  return call;
}
