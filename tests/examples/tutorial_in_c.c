/* Tensor memory, external buffers, online preparation and a camera's buffers in plain C, written
   carefully: each call is checked, and each failure releases all acquired resources in the right
   order.
   docs/from-the-tutorial.md compares its statements and error branches with those in the examples.
 */
#include "tutorial_in_c.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <linux/dma-buf.h>

/* Calls a slot of the function table by its index, as in qnn.contextFree(...). */
#define SLOT(index, ...) ((qnn_error(*)(__VA_ARGS__))session->qnn->slots[index])
#define context_create SLOT(9, qnn_handle, qnn_handle, const qnn_option* const*, qnn_handle*)
#define context_create_from_binary                                                               \
  SLOT(13, qnn_handle, qnn_handle, const qnn_option* const*, const void*, uint64_t, qnn_handle*, \
       qnn_handle)
#define context_free SLOT(14, qnn_handle, qnn_handle)
#define graph_create SLOT(15, qnn_handle, const char*, const qnn_option* const*, qnn_handle*)
#define graph_add_node SLOT(18, qnn_handle, qnn_op)
#define graph_finalize SLOT(19, qnn_handle, qnn_handle, qnn_handle)
#define graph_retrieve SLOT(20, qnn_handle, const char*, qnn_handle*)
#define graph_execute \
  SLOT(21, qnn_handle, const qnn_tensor*, uint32_t, qnn_tensor*, uint32_t, qnn_handle, qnn_handle)
#define tensor_create_graph_tensor SLOT(24, qnn_handle, qnn_tensor*)
#define mem_register SLOT(35, qnn_handle, const qnn_mem_descriptor*, uint32_t, qnn_handle*)
#define mem_deregister SLOT(36, const qnn_handle*, uint32_t)
#define context_get_property SLOT(63, qnn_handle, qnn_option**)
#define context_finalize SLOT(66, qnn_handle, qnn_handle)

enum { HEAP_SYSTEM = 25, DEFAULT_FLAGS = 1 };
enum { OPTION_DEFER_GRAPH_INIT = 9 };
enum { SPILL_FILL_BYTES = 2, WEIGHTS_BYTES = 3 };

int tutorial_load_rpcmem(const char* path, tutorial_rpcmem* rpcmem) {
  void* symbols[3];
  rpcmem->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (rpcmem->library == NULL) return -1;
  symbols[0] = dlsym(rpcmem->library, "rpcmem_alloc");
  symbols[1] = dlsym(rpcmem->library, "rpcmem_free");
  symbols[2] = dlsym(rpcmem->library, "rpcmem_to_fd");
  if (symbols[0] == NULL || symbols[1] == NULL || symbols[2] == NULL) {
    dlclose(rpcmem->library);
    return -1;
  }
  memcpy(&rpcmem->alloc, &symbols[0], sizeof symbols[0]);
  memcpy(&rpcmem->free, &symbols[1], sizeof symbols[1]);
  memcpy(&rpcmem->to_fd, &symbols[2], sizeof symbols[2]);
  return 0;
}

/* Returns the size of a tensor of floats or of bytes; 0 if an extent is 0 or the size overflows. */
static uint64_t tensor_bytes(const qnn_tensor* tensor) {
  uint64_t bytes = tensor->v1.data_type == QNN_UFIXED_POINT_8 ? 1 : sizeof(float);
  for (uint32_t i = 0; i < tensor->v1.rank; ++i) {
    const uint64_t extent = tensor->v1.dimensions[i];
    if (extent == 0 || bytes > INT_MAX / extent) return 0;
    bytes *= extent;
  }
  return bytes;
}

/* Allocates memory with a descriptor for sharing; NULL on failure. */
static void* allocate(const tutorial_rpcmem* rpcmem, uint64_t bytes, int* fd) {
  if (bytes == 0 || bytes > INT_MAX) return NULL;
  void* const memory = rpcmem->alloc(HEAP_SYSTEM, DEFAULT_FLAGS, (int)bytes);
  if (memory == NULL || memory == (void*)-1) return NULL;
  *fd = rpcmem->to_fd(memory);
  if (*fd < 0) {
    rpcmem->free(memory);
    return NULL;
  }
  return memory;
}

/* Registers a descriptor as the memory of one tensor. */
static qnn_error register_ion(const tutorial_session* session, qnn_handle context,
                              const qnn_tensor* tensor, int fd, qnn_handle* handle) {
  qnn_mem_descriptor descriptor;
  memset(&descriptor, 0, sizeof descriptor);
  descriptor.num_dim = tensor->v1.rank;
  descriptor.dim_size = tensor->v1.dimensions;
  descriptor.data_type = tensor->v1.data_type;
  descriptor.mem_type = QNN_MEM_ION;
  descriptor.memory.fd = fd;
  return mem_register(context, &descriptor, 1, handle);
}

/* ---- QNN_MEM_TYPE_ION: a buffer, a descriptor and a handle for each tensor */

int tutorial_ion_buffers(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                         const void* input, void* output) {
  int status = -1, fds[2] = {-1, -1};
  qnn_handle context = NULL, graph = NULL, handles[2] = {NULL, NULL};
  void* memory[2] = {NULL, NULL};
  uint64_t bytes[2];
  uint32_t registered = 0;
  qnn_tensor tensors[2] = {session->tensors[0], session->tensors[1]};
  if (context_create_from_binary(session->backend, session->device, NULL, session->binary,
                                 session->binary_bytes, &context, NULL) != 0)
    goto done;
  if (graph_retrieve(context, session->graph, &graph) != 0) goto done;
  for (int i = 0; i < 2; ++i) {
    bytes[i] = tensor_bytes(&tensors[i]);
    if (bytes[i] == 0) goto done;
    memory[i] = allocate(rpcmem, bytes[i], &fds[i]);
    if (memory[i] == NULL) goto done;
    if (register_ion(session, context, &tensors[i], fds[i], &handles[i]) != 0) goto done;
    ++registered;
    tensors[i].v1.mem_type = QNN_MEMHANDLE;
    tensors[i].v1.memory.mem_handle = handles[i];
  }
  memcpy(memory[0], input, bytes[0]);
  if (graph_execute(graph, &tensors[0], 1, &tensors[1], 1, NULL, NULL) != 0) goto done;
  memcpy(output, memory[1], bytes[1]);
  status = 0;
done:
  if (registered > 0) mem_deregister(handles, registered);
  for (int i = 0; i < 2; ++i)
    if (memory[i] != NULL) rpcmem->free(memory[i]);
  if (context != NULL) context_free(context, NULL);
  return status;
}

/* ---- QNN_HTP_MEM_SHARED_BUFFER: one buffer and descriptor, a handle and an offset for each tensor
 */

int tutorial_multi_tensor_buffer(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                                 const void* input, void* output) {
  int status = -1, fd = -1;
  qnn_handle context = NULL, graph = NULL, handles[2] = {NULL, NULL};
  char* memory = NULL;
  uint64_t bytes[2], offsets[2], all_bytes = 0;
  uint32_t registered = 0;
  qnn_mem_descriptor descriptors[2];
  htp_mem_descriptor custom[2];
  qnn_tensor tensors[2] = {session->tensors[0], session->tensors[1]};
  if (context_create_from_binary(session->backend, session->device, NULL, session->binary,
                                 session->binary_bytes, &context, NULL) != 0)
    goto done;
  if (graph_retrieve(context, session->graph, &graph) != 0) goto done;
  for (int i = 0; i < 2; ++i) {
    bytes[i] = tensor_bytes(&tensors[i]);
    if (bytes[i] == 0) goto done;
    offsets[i] = all_bytes;
    all_bytes += (bytes[i] + 127) / 128 * 128;
  }
  memory = allocate(rpcmem, all_bytes, &fd);
  if (memory == NULL) goto done;
  for (int i = 0; i < 2; ++i) {
    memset(&custom[i], 0, sizeof custom[i]);
    custom[i].type = HTP_SHARED_BUFFER;
    custom[i].size = all_bytes;
    custom[i].fd = fd;
    custom[i].offset = offsets[i];
    memset(&descriptors[i], 0, sizeof descriptors[i]);
    descriptors[i].num_dim = tensors[i].v1.rank;
    descriptors[i].dim_size = tensors[i].v1.dimensions;
    descriptors[i].data_type = tensors[i].v1.data_type;
    descriptors[i].mem_type = QNN_MEM_CUSTOM;
    descriptors[i].memory.custom = &custom[i];
  }
  if (mem_register(context, descriptors, 2, handles) != 0) goto done;
  registered = 2;
  for (int i = 0; i < 2; ++i) {
    tensors[i].v1.mem_type = QNN_MEMHANDLE;
    tensors[i].v1.memory.mem_handle = handles[i];
  }
  memcpy(memory + offsets[0], input, bytes[0]);
  if (graph_execute(graph, &tensors[0], 1, &tensors[1], 1, NULL, NULL) != 0) goto done;
  memcpy(output, memory + offsets[1], bytes[1]);
  status = 0;
done:
  if (registered > 0) mem_deregister(handles, registered);
  if (memory != NULL) rpcmem->free(memory);
  if (context != NULL) context_free(context, NULL);
  return status;
}

/* ---- External weights and spill-fill buffers; inputs and outputs stay plain memory */

static int get_property(const tutorial_session* session, qnn_handle context, uint32_t which,
                        uint64_t* value) {
  qnn_option custom, outer;
  qnn_option* properties[] = {&outer, NULL};
  memset(&custom, 0, sizeof custom);
  memset(&outer, 0, sizeof outer);
  custom.option = which;
  outer.value.pointer = &custom;
  if (context_get_property(context, properties) != 0) return -1;
  *value = custom.value.u64;
  return 0;
}

static int register_external(const tutorial_session* session, qnn_handle context, uint32_t type,
                             uint64_t bytes, int fd, qnn_handle* handle) {
  htp_mem_descriptor custom;
  qnn_mem_descriptor descriptor;
  memset(&custom, 0, sizeof custom);
  custom.type = type;
  custom.size = bytes;
  custom.fd = fd;
  memset(&descriptor, 0, sizeof descriptor);
  descriptor.data_type = QNN_UNDEFINED;
  descriptor.mem_type = QNN_MEM_CUSTOM;
  descriptor.memory.custom = &custom;
  if (mem_register(context, &descriptor, 1, handle) != 0) return -1;
  return 0;
}

int tutorial_external_buffers(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                              const void* input, void* output) {
  int status = -1, fds[2] = {-1, -1};
  qnn_handle context = NULL, graph = NULL, handles[2] = {NULL, NULL};
  void* memory[2] = {NULL, NULL};
  uint64_t bytes[2] = {0, 0};
  const uint32_t types[2] = {HTP_WEIGHTS, HTP_SPILL_FILL};
  uint32_t registered = 0;
  qnn_option defer;
  const qnn_option* options[] = {&defer, NULL};
  qnn_tensor tensors[2] = {session->tensors[0], session->tensors[1]};
  memset(&defer, 0, sizeof defer);
  defer.option = OPTION_DEFER_GRAPH_INIT;
  defer.value.u8 = 1;
  if (context_create_from_binary(session->backend, session->device, options, session->binary,
                                 session->binary_bytes, &context, NULL) != 0)
    goto done;
  /* Each buffer begins at offset 0 of its own file, a multiple of every BUFFER_START_ALIGNMENT. */
  if (get_property(session, context, WEIGHTS_BYTES, &bytes[0]) != 0) goto done;
  if (get_property(session, context, SPILL_FILL_BYTES, &bytes[1]) != 0) goto done;
  for (int i = 0; i < 2; ++i) {
    if (bytes[i] == 0) continue;
    memory[i] = allocate(rpcmem, bytes[i], &fds[i]);
    if (memory[i] == NULL) goto done;
    if (register_external(session, context, types[i], bytes[i], fds[i], &handles[registered]) != 0)
      goto done;
    ++registered;
  }
  if (context_finalize(context, NULL) != 0) goto done;
  registered = 0; /* QNN owns them from now on: contextFree deregisters them */
  if (graph_retrieve(context, session->graph, &graph) != 0) goto done;
  tensors[0].v1.mem_type = QNN_RAW;
  tensors[0].v1.memory.client.data = (void*)(uintptr_t)input;
  tensors[0].v1.memory.client.size = (uint32_t)tensor_bytes(&tensors[0]);
  tensors[1].v1.mem_type = QNN_RAW;
  tensors[1].v1.memory.client.data = output;
  tensors[1].v1.memory.client.size = (uint32_t)tensor_bytes(&tensors[1]);
  if (graph_execute(graph, &tensors[0], 1, &tensors[1], 1, NULL, NULL) != 0) goto done;
  status = 0;
done:
  if (registered > 0) mem_deregister(handles, registered);
  if (context != NULL) context_free(context, NULL);
  for (int i = 0; i < 2; ++i)
    if (memory[i] != NULL) rpcmem->free(memory[i]);
  return status;
}

/* ---- Online preparation with the hint of registered memory: a graph of one node */

int tutorial_online_prepare(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                            const void* input, void* output) {
  int status = -1, fds[2] = {-1, -1};
  qnn_handle context = NULL, graph = NULL, handles[2] = {NULL, NULL};
  void* memory[2] = {NULL, NULL};
  uint64_t bytes[2];
  uint32_t registered = 0;
  qnn_op node;
  qnn_tensor tensors[2] = {session->tensors[0], session->tensors[1]};
  if (context_create(session->backend, session->device, NULL, &context) != 0) goto done;
  if (graph_create(context, session->graph, NULL, &graph) != 0) goto done;
  for (int i = 0; i < 2; ++i) {
    tensors[i].v1.mem_type = QNN_MEMHANDLE; /* the hint, here and in the node */
    tensors[i].v1.memory.mem_handle = NULL;
    if (tensor_create_graph_tensor(graph, &tensors[i]) != 0) goto done;
  }
  memset(&node, 0, sizeof node);
  node.version = 1;
  node.name = "relu";
  node.package = "qti.aisw";
  node.type = "Relu";
  node.num_inputs = 1;
  node.inputs = &tensors[0];
  node.num_outputs = 1;
  node.outputs = &tensors[1];
  if (graph_add_node(graph, node) != 0) goto done;
  if (graph_finalize(graph, NULL, NULL) != 0) goto done;
  for (int i = 0; i < 2; ++i) {
    bytes[i] = tensor_bytes(&tensors[i]);
    if (bytes[i] == 0) goto done;
    memory[i] = allocate(rpcmem, bytes[i], &fds[i]);
    if (memory[i] == NULL) goto done;
    if (register_ion(session, context, &tensors[i], fds[i], &handles[i]) != 0) goto done;
    ++registered;
    tensors[i].v1.memory.mem_handle = handles[i];
  }
  memcpy(memory[0], input, bytes[0]);
  if (graph_execute(graph, &tensors[0], 1, &tensors[1], 1, NULL, NULL) != 0) goto done;
  memcpy(output, memory[1], bytes[1]);
  status = 0;
done:
  if (registered > 0) mem_deregister(handles, registered);
  for (int i = 0; i < 2; ++i)
    if (memory[i] != NULL) rpcmem->free(memory[i]);
  if (context != NULL) context_free(context, NULL);
  return status;
}

/* ---- A camera's buffers: each is imported and registered once, then selected for its frames */

enum { MOST_BUFFERS = 8 };

/* Begins or ends the CPU's reading of a dma-buf. */
static int sync_reading(int fd, uint64_t flags) {
  const struct dma_buf_sync request = {flags | DMA_BUF_SYNC_READ};
  while (ioctl(fd, DMA_BUF_IOCTL_SYNC, &request) != 0)
    if (errno != EINTR && errno != EAGAIN) return -1;
  return 0;
}

int tutorial_camera_ring(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                         const tutorial_camera* camera, void* output, uint64_t* light) {
  int status = -1, fd = -1, buffer = -1;
  qnn_handle context = NULL, graph = NULL, handles[MOST_BUFFERS + 1]; /* the last one: output */
  void *memory = NULL, *mapped[MOST_BUFFERS];
  char* found = output;
  uint64_t sum = 0;
  uint32_t mappings = 0, registered = 0;
  qnn_tensor image = session->tensors[0], strokes = session->tensors[1];
  const uint64_t image_bytes = tensor_bytes(&image), strokes_bytes = tensor_bytes(&strokes);
  if (camera->buffers > MOST_BUFFERS) goto done;
  if (image_bytes == 0 || image_bytes > camera->buffer_bytes) goto done;
  if (context_create_from_binary(session->backend, session->device, NULL, session->binary,
                                 session->binary_bytes, &context, NULL) != 0)
    goto done;
  if (graph_retrieve(context, session->graph, &graph) != 0) goto done;
  for (uint32_t i = 0; i < camera->buffers; ++i) {
    mapped[i] = mmap(NULL, image_bytes, PROT_READ, MAP_SHARED, camera->fds[i], 0);
    if (mapped[i] == MAP_FAILED) goto done;
    ++mappings;
    if (register_ion(session, context, &image, camera->fds[i], &handles[i]) != 0) goto done;
    ++registered;
  }
  memory = allocate(rpcmem, strokes_bytes, &fd);
  if (memory == NULL) goto done;
  if (register_ion(session, context, &strokes, fd, &handles[registered]) != 0) goto done;
  image.v1.mem_type = strokes.v1.mem_type = QNN_MEMHANDLE;
  strokes.v1.memory.mem_handle = handles[registered];
  ++registered;
  while ((buffer = camera->next(camera->state)) >= 0) {
    image.v1.memory.mem_handle = handles[buffer];
    if (graph_execute(graph, &image, 1, &strokes, 1, NULL, NULL) != 0) goto done;
    const uint8_t* const pixels = mapped[buffer];
    if (camera->needs_sync && sync_reading(camera->fds[buffer], DMA_BUF_SYNC_START) != 0) goto done;
    for (uint64_t i = 0; i < image_bytes; ++i) sum += pixels[i];
    if (camera->needs_sync && sync_reading(camera->fds[buffer], DMA_BUF_SYNC_END) != 0) goto done;
    camera->release(camera->state, buffer);
    memcpy(found, memory, strokes_bytes);
    found += strokes_bytes;
  }
  *light = sum;
  status = 0;
done:
  if (buffer >= 0) camera->release(camera->state, buffer);
  if (registered > 0) mem_deregister(handles, registered);
  if (memory != NULL) rpcmem->free(memory);
  for (uint32_t i = 0; i < mappings; ++i) munmap(mapped[i], image_bytes);
  if (context != NULL) context_free(context, NULL);
  return status;
}
