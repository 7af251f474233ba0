#include "qnn_c.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLOT(api, index, ...) ((qnn_error(*)(__VA_ARGS__))(api)->slots[index])
#define CODE(error) ((int)((error) & 0xFFFF))

enum { DEFERRED_INIT_SUPPORTED = 217, SYSTEM_GET_METADATA = 2, SYSTEM_HEAP = 25, CACHED = 1 };

int c_failed(qnn_error error, const char* step, const char* object) {
  fprintf(stderr, "%s: %s: error %d\n", object, step, CODE(error));
  return CODE(error);
}

static int own_failure(const char* step, const char* object) {
  fprintf(stderr, "%s: %s failed\n", object, step);
  return -1;
}

/* ---- libraries, backend, device */

static void* open_library(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fprintf(stderr, "%s\n", dlerror());
  return library;
}

/* Finds a function by name, without a cast between object and function pointers. */
static int find(void* library, const char* name, void* function) {
  void* const symbol = dlsym(library, name);
  if (symbol == NULL) return own_failure("dlsym", name);
  memcpy(function, &symbol, sizeof symbol);
  return 0;
}

static int choose_provider(c_device* device, const char* path) {
  qnn_error (*get_providers)(const qnn_provider***, uint32_t*);
  const qnn_provider** providers = NULL;
  uint32_t count = 0;
  if (find(device->htp_library, "QnnInterface_getProviders", &get_providers) != 0) return -1;
  const qnn_error error = get_providers(&providers, &count);
  if (CODE(error) != 0) return c_failed(error, "QnnInterface_getProviders", path);
  for (uint32_t i = 0; i < count && device->api == NULL; ++i)
    if (providers[i]->backend_id == 6 && providers[i]->version.core.major == 2 &&
        providers[i]->version.core.minor >= 27)
      device->api = providers[i];
  return device->api != NULL ? 0 : own_failure("no HTP of core API 2.27 or later", path);
}

static int choose_system(c_device* device, const char* path) {
  qnn_error (*get_providers)(const qnn_system_provider***, uint32_t*);
  const qnn_system_provider** providers = NULL;
  uint32_t count = 0;
  if (find(device->system_library, "QnnSystemInterface_getProviders", &get_providers) != 0)
    return -1;
  const qnn_error error = get_providers(&providers, &count);
  if (CODE(error) != 0) return c_failed(error, "QnnSystemInterface_getProviders", path);
  for (uint32_t i = 0; i < count && device->system == NULL; ++i)
    if (providers[i]->version.major == 1) device->system = providers[i];
  return device->system != NULL ? 0 : own_failure("no system API 1", path);
}

int c_device_open(c_device* device, const char* htp, const char* system, const char* rpcmem) {
  memset(device, 0, sizeof *device);
  int result = -1;
  if ((device->htp_library = open_library(htp)) == NULL) goto failed;
  if ((result = choose_provider(device, htp)) != 0) goto failed;
  /* The HTP backend runs its own code at exit, so it is never unloaded. */
  void* const again = dlopen(htp, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE);
  if (again != NULL) dlclose(again);
  qnn_error error =
      SLOT(device->api, 1, qnn_handle, const void**, qnn_handle*)(NULL, NULL, &device->backend);
  if (CODE(error) != 0) {
    result = c_failed(error, "QnnBackend_create", htp);
    goto failed;
  }
  error = SLOT(device->api, 40, qnn_handle, const void**, qnn_handle*)(NULL, NULL, &device->device);
  if (CODE(error) != 0) {
    result = c_failed(error, "QnnDevice_create", htp);
    goto failed;
  }
  result = -1;
  if ((device->system_library = open_library(system)) == NULL) goto failed;
  if ((result = choose_system(device, system)) != 0) goto failed;
  if (rpcmem == NULL) return 0;
  result = -1;
  if ((device->rpcmem_library = open_library(rpcmem)) == NULL) goto failed;
  if (find(device->rpcmem_library, "rpcmem_alloc2", &device->rpcmem_alloc2) != 0 ||
      find(device->rpcmem_library, "rpcmem_free", &device->rpcmem_free) != 0 ||
      find(device->rpcmem_library, "rpcmem_to_fd", &device->rpcmem_to_fd) != 0)
    goto failed;
  return 0;
failed:
  c_device_close(device);
  return result;
}

void c_device_close(c_device* device) {
  if (device->device != NULL) (void)SLOT(device->api, 43, qnn_handle)(device->device);
  if (device->backend != NULL) (void)SLOT(device->api, 8, qnn_handle)(device->backend);
  if (device->rpcmem_library != NULL) dlclose(device->rpcmem_library);
  if (device->system_library != NULL) dlclose(device->system_library);
  if (device->htp_library != NULL) dlclose(device->htp_library);
  memset(device, 0, sizeof *device);
}

/* ---- metadata of a binary */

static size_t text_bytes(const char* text) { return text == NULL ? 1 : strlen(text) + 1; }

/* Memory for the descriptions of all tensors, and the place of the next one. */
typedef struct {
  c_tensor* tensors;
  uint32_t* dimensions;
  char* text;
} room;

static const char* keep_text(room* to, const char* text) {
  char* const kept = to->text;
  const size_t bytes = text_bytes(text);
  memcpy(kept, text == NULL ? "" : text, bytes);
  to->text += bytes;
  return kept;
}

static const c_tensor* keep_tensors(room* to, const qnn_tensor* tensors, uint32_t count) {
  c_tensor* const first = to->tensors;
  for (uint32_t i = 0; i < count; ++i) {
    const qnn_tensor_body* const from = &tensors[i].v1;
    *to->tensors++ = (c_tensor){keep_text(to, from->name), from->id, from->data_type, from->rank,
                                to->dimensions};
    memcpy(to->dimensions, from->dimensions, from->rank * sizeof *to->dimensions);
    to->dimensions += from->rank;
  }
  return first;
}

static int keep_graphs(c_context* context, const qnn_binary_info* info) {
  if (info == NULL || info->version != 3)
    return own_failure("metadata of version 3", context->path);
  size_t num_tensors = 0, num_dimensions = 0, num_text = 0;
  for (uint32_t g = 0; g < info->v3.num_graphs; ++g) {
    const qnn_graph_info* const graph = &info->v3.graphs[g];
    num_text += text_bytes(graph->v3.name);
    num_tensors += graph->v3.num_inputs + graph->v3.num_outputs;
    for (uint32_t i = 0; i < graph->v3.num_inputs; ++i) {
      num_text += text_bytes(graph->v3.inputs[i].v1.name);
      num_dimensions += graph->v3.inputs[i].v1.rank;
    }
    for (uint32_t i = 0; i < graph->v3.num_outputs; ++i) {
      num_text += text_bytes(graph->v3.outputs[i].v1.name);
      num_dimensions += graph->v3.outputs[i].v1.rank;
    }
  }
  const size_t infos = info->v3.num_graphs * sizeof(c_graph_info);
  char* const block =
      malloc(infos + num_tensors * sizeof(c_tensor) + num_dimensions * sizeof(uint32_t) + num_text);
  if (block == NULL) return own_failure("malloc", context->path);
  context->graphs = (c_graph_info*)block;
  context->num_graphs = info->v3.num_graphs;
  room to = {(c_tensor*)(block + infos),
             (uint32_t*)(block + infos + num_tensors * sizeof(c_tensor)), NULL};
  to.text = (char*)(to.dimensions + num_dimensions);
  for (uint32_t g = 0; g < info->v3.num_graphs; ++g) {
    const qnn_graph_info* const graph = &info->v3.graphs[g];
    c_graph_info* const kept = &context->graphs[g];
    kept->name = keep_text(&to, graph->v3.name);
    kept->num_inputs = graph->v3.num_inputs;
    kept->num_outputs = graph->v3.num_outputs;
    kept->inputs = keep_tensors(&to, graph->v3.inputs, graph->v3.num_inputs);
    kept->outputs = keep_tensors(&to, graph->v3.outputs, graph->v3.num_outputs);
  }
  return 0;
}

static int read_metadata(const c_device* device, c_context* context) {
  qnn_handle system = NULL;
  qnn_error error = SLOT(device->system, 0, qnn_handle*)(&system);
  if (CODE(error) != 0) return c_failed(error, "QnnSystemContext_create", context->path);
  const qnn_binary_info* info = NULL;
  error = SLOT(device->system, SYSTEM_GET_METADATA, qnn_handle, const void*, uint64_t,
               const qnn_binary_info**)(system, context->binary, context->binary_bytes, &info);
  const int result = CODE(error) != 0
                         ? c_failed(error, "QnnSystemContext_getMetadata", context->path)
                         : keep_graphs(context, info);
  (void)SLOT(device->system, 3, qnn_handle)(system);
  return result;
}

/* ---- contexts */

static int map_binary(c_context* context) {
  const int fd = open(context->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return own_failure("open", context->path);
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) {
    close(fd);
    return own_failure("fstat", context->path);
  }
  void* const address = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (address == MAP_FAILED) return own_failure("mmap", context->path);
  context->binary = address;
  context->binary_bytes = (size_t)status.st_size;
  return 0;
}

static void unmap_binary(c_context* context) {
  if (context->binary != NULL) munmap(context->binary, context->binary_bytes);
  context->binary = NULL;
}

static int create(const c_device* device, c_context* context, bool is_deferred) {
  const int mapped = map_binary(context);
  if (mapped != 0) return mapped;
  context->defer = (qnn_option){9, {.u8 = 1}};
  context->configs[0] = is_deferred ? &context->defer : NULL;
  context->configs[1] = NULL;
  const int read = read_metadata(device, context);
  if (read != 0) return read;
  const qnn_error error =
      SLOT(device->api, 13, qnn_handle, qnn_handle, const qnn_option**, const void*, uint64_t,
           qnn_handle*, qnn_handle)(device->backend, device->device, context->configs,
                                    context->binary, context->binary_bytes, &context->handle, NULL);
  if (CODE(error) != 0) return c_failed(error, "QnnContext_createFromBinary", context->path);
  return 0;
}

static int query(const c_device* device, c_context* context) {
  qnn_option custom[3] = {{1, {0}}, {2, {0}}, {3, {0}}};
  qnn_option outer[3];
  qnn_option* array[4] = {&outer[0], &outer[1], &outer[2], NULL};
  for (int i = 0; i < 3; ++i) outer[i] = (qnn_option){0, {.pointer = &custom[i]}};
  const qnn_error error = SLOT(device->api, 63, qnn_handle, qnn_option**)(context->handle, array);
  if (CODE(error) != 0) return c_failed(error, "QnnContext_getProperty", context->path);
  context->alignment = custom[0].value.u64;
  context->spill_fill_bytes = custom[1].value.u64;
  context->weights_bytes = custom[2].value.u64;
  return 0;
}

qnn_mem_descriptor c_external_descriptor(htp_mem_descriptor* custom, uint32_t type, int fd,
                                         uint64_t bytes) {
  memset(custom, 0, sizeof *custom);
  custom->type = type;
  custom->size = bytes;
  custom->fd = fd;
  qnn_mem_descriptor descriptor;
  memset(&descriptor, 0, sizeof descriptor);
  descriptor.data_type = QNN_UNDEFINED;
  descriptor.mem_type = QNN_MEM_CUSTOM;
  descriptor.memory.custom = custom;
  return descriptor;
}

/* Registers one buffer of a context. The library crashes if one call registers two. */
static int register_buffer(const c_model* model, const c_context* context, uint32_t type, int fd,
                           uint64_t bytes) {
  htp_mem_descriptor custom;
  const qnn_mem_descriptor descriptor = c_external_descriptor(&custom, type, fd, bytes);
  qnn_handle handle = NULL;
  const qnn_error error = SLOT(model->device->api, 35, qnn_handle, const qnn_mem_descriptor*,
                               uint32_t, qnn_handle*)(context->handle, &descriptor, 1, &handle);
  return CODE(error) != 0 ? c_failed(error, "QnnMem_register", context->path) : 0;
}

static int register_buffers(const c_model* model, const c_context* context) {
  if (context->weights != NULL && register_buffer(model, context, HTP_WEIGHTS, context->weights_fd,
                                                  context->weights_bytes) != 0)
    return -1;
  if (context->spill_fill_bytes == 0) return 0;
  return register_buffer(model, context, HTP_SPILL_FILL, model->spill_fill_fd,
                         model->spill_fill_bytes);
}

static int allocate_weights(const c_device* device, c_context* context) {
  if (context->weights_bytes == 0) return 0;
  context->weights = device->rpcmem_alloc2(SYSTEM_HEAP, CACHED, context->weights_bytes);
  if (context->weights == NULL) return own_failure("rpcmem_alloc2", context->path);
  context->weights_fd = device->rpcmem_to_fd(context->weights);
  return context->weights_fd < 0 ? own_failure("rpcmem_to_fd", context->path) : 0;
}

static int complete(const c_model* model, c_context* context) {
  const c_device* const device = model->device;
  const int registered = register_buffers(model, context);
  if (registered != 0) return registered;
  const qnn_error error = SLOT(device->api, 66, qnn_handle, qnn_handle)(context->handle, NULL);
  if (CODE(error) != 0) return c_failed(error, "QnnContext_finalize", context->path);
  unmap_binary(context);
  return 0;
}

/* Creates and queries all contexts, and allocates their spill-fill buffer. */
static int create_all(c_model* model, c_device* device, const char* const* paths, size_t count) {
  int result = 0;
  memset(model, 0, sizeof *model);
  model->device = device;
  if (CODE(SLOT(device->api, 0, uint32_t)(DEFERRED_INIT_SUPPORTED)) != 0)
    return own_failure("QnnProperty_hasCapability", "deferred graph initialisation");
  model->contexts = calloc(count, sizeof *model->contexts);
  if (model->contexts == NULL) return own_failure("calloc", "contexts");
  model->count = count;
  for (size_t i = 0; i < count; ++i) {
    c_context* const context = &model->contexts[i];
    context->path = paths[i];
    if ((result = create(device, context, true)) != 0) return result;
    if ((result = query(device, context)) != 0) return result;
    if (context->spill_fill_bytes > model->spill_fill_bytes)
      model->spill_fill_bytes = context->spill_fill_bytes;
  }
  if (model->spill_fill_bytes != 0) {
    model->spill_fill = device->rpcmem_alloc2(SYSTEM_HEAP, CACHED, model->spill_fill_bytes);
    if (model->spill_fill != NULL) model->spill_fill_fd = device->rpcmem_to_fd(model->spill_fill);
    if (model->spill_fill == NULL || model->spill_fill_fd < 0)
      return own_failure("rpcmem_alloc2", "spill-fill");
  }
  return 0;
}

int c_model_load(c_model* model, c_device* device, const char* const* paths, size_t count) {
  int result = create_all(model, device, paths, count);
  for (size_t i = 0; i < count && result == 0; ++i) {
    result = allocate_weights(device, &model->contexts[i]);
    if (result == 0) result = complete(model, &model->contexts[i]);
  }
  if (result != 0) c_model_free(model);
  return result;
}

/* ---- a thread that prepares the next contexts */

typedef struct {
  c_model* model;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  size_t ahead, begun, prepared; /* numbers of contexts */
  int result;                    /* of the thread */
  bool is_over;
} preparing;

static void* prepare_all(void* argument) {
  preparing* const state = argument;
  for (size_t i = 0; i < state->model->count; ++i) {
    pthread_mutex_lock(&state->mutex);
    while (i > state->begun + state->ahead && !state->is_over)
      pthread_cond_wait(&state->changed, &state->mutex);
    const bool is_over = state->is_over;
    pthread_mutex_unlock(&state->mutex);
    if (is_over) break;
    c_context* const context = &state->model->contexts[i];
    const int result = allocate_weights(state->model->device, context);
    /* 22 is MADV_POPULATE_READ. */
    if (result == 0) (void)madvise(context->binary, context->binary_bytes, 22);
    pthread_mutex_lock(&state->mutex);
    state->result = result;
    state->prepared = i + 1;
    pthread_cond_broadcast(&state->changed);
    pthread_mutex_unlock(&state->mutex);
    if (result != 0) break;
  }
  return NULL;
}

int c_model_load_ahead(c_model* model, c_device* device, const char* const* paths, size_t count,
                       size_t ahead) {
  int result = create_all(model, device, paths, count);
  preparing state = {.model = model, .ahead = ahead};
  pthread_mutex_init(&state.mutex, NULL);
  pthread_cond_init(&state.changed, NULL);
  pthread_t thread;
  const bool is_started = result == 0 && pthread_create(&thread, NULL, &prepare_all, &state) == 0;
  if (result == 0 && !is_started) result = own_failure("pthread_create", "the helper");
  for (size_t i = 0; i < count && result == 0; ++i) {
    pthread_mutex_lock(&state.mutex);
    state.begun = i;
    pthread_cond_broadcast(&state.changed);
    while (state.prepared <= i && state.result == 0)
      pthread_cond_wait(&state.changed, &state.mutex);
    result = state.prepared > i + 1 ? 0 : state.result;
    pthread_mutex_unlock(&state.mutex);
    if (result == 0) result = complete(model, &model->contexts[i]);
  }
  if (is_started) {
    pthread_mutex_lock(&state.mutex);
    state.is_over = true;
    pthread_cond_broadcast(&state.changed);
    pthread_mutex_unlock(&state.mutex);
    pthread_join(thread, NULL);
  }
  pthread_cond_destroy(&state.changed);
  pthread_mutex_destroy(&state.mutex);
  if (result != 0) c_model_free(model);
  return result;
}

int c_model_restore(c_model* model, c_device* device, const char* const* paths, size_t count) {
  memset(model, 0, sizeof *model);
  model->device = device;
  model->contexts = calloc(count, sizeof *model->contexts);
  if (model->contexts == NULL) return own_failure("calloc", "contexts");
  model->count = count;
  for (size_t i = 0; i < count; ++i) {
    c_context* const context = &model->contexts[i];
    context->path = paths[i];
    const int result = create(device, context, false);
    if (result != 0) {
      c_model_free(model);
      return result;
    }
    unmap_binary(context);
  }
  return 0;
}

void c_model_free(c_model* model) {
  for (size_t i = 0; i < model->count; ++i) {
    c_context* const context = &model->contexts[i];
    if (context->handle != NULL)
      (void)SLOT(model->device->api, 14, qnn_handle, qnn_handle)(context->handle, NULL);
    unmap_binary(context);
    if (context->weights != NULL) model->device->rpcmem_free(context->weights);
    free(context->graphs);
  }
  if (model->spill_fill != NULL) model->device->rpcmem_free(model->spill_fill);
  free(model->contexts);
  memset(model, 0, sizeof *model);
}

/* ---- graphs and their memory */

int c_graph_retrieve(c_graph* graph, const c_model* model, size_t context, const char* name) {
  memset(graph, 0, sizeof *graph);
  const c_context* const of = &model->contexts[context];
  const c_graph_info* info = NULL;
  for (uint32_t i = 0; i < of->num_graphs && info == NULL; ++i)
    if (strcmp(of->graphs[i].name, name) == 0) info = &of->graphs[i];
  if (info == NULL) return own_failure("no graph of this name", name);
  graph->api = model->device->api;
  graph->name = info->name;
  const qnn_error error =
      SLOT(graph->api, 20, qnn_handle, const char*, qnn_handle*)(of->handle, name, &graph->handle);
  return CODE(error) != 0 ? c_failed(error, "QnnGraph_retrieve", name) : 0;
}

int c_register_tensor(const c_model* model, size_t context, int fd, const c_tensor* tensor,
                      qnn_handle* handle) {
  qnn_mem_descriptor descriptor;
  memset(&descriptor, 0, sizeof descriptor);
  descriptor.num_dim = tensor->rank;
  descriptor.dim_size = (uint32_t*)tensor->dimensions;
  descriptor.data_type = tensor->data_type;
  descriptor.mem_type = QNN_MEM_ION;
  descriptor.memory.fd = fd;
  const qnn_error error =
      SLOT(model->device->api, 35, qnn_handle, const qnn_mem_descriptor*, uint32_t, qnn_handle*)(
          model->contexts[context].handle, &descriptor, 1, handle);
  return CODE(error) != 0 ? c_failed(error, "QnnMem_register", tensor->name) : 0;
}

int c_deregister(const c_model* model, const qnn_handle* handles, uint32_t count) {
  const qnn_error error = SLOT(model->device->api, 36, const qnn_handle*, uint32_t)(handles, count);
  return CODE(error) != 0 ? c_failed(error, "QnnMem_deRegister", "tensors") : 0;
}
