/* Tensor memory, external buffers, online preparation, a camera's buffers and a decoder's cache in
   plain C, written carefully: each call is checked, and each failure releases all acquired
   resources in the right order. docs/from-the-tutorial.md compares its statements and error
   branches with those in the examples.
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

/* Returns the size of a tensor of floats or of codes; 0 if an extent is 0 or the size overflows. */
static uint64_t tensor_bytes(const qnn_tensor* tensor) {
  uint64_t bytes = tensor->v1.data_type == QNN_SFIXED_POINT_8    ? 1
                   : tensor->v1.data_type == QNN_UFIXED_POINT_8  ? 1
                   : tensor->v1.data_type == QNN_UFIXED_POINT_16 ? 2
                                                                 : sizeof(float);
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

/* Describes a tensor at an offset of a buffer for many tensors. */
static void describe_shared(const qnn_tensor* tensor, int fd, uint64_t buffer_bytes,
                            uint64_t offset, htp_mem_descriptor* custom,
                            qnn_mem_descriptor* descriptor) {
  memset(custom, 0, sizeof *custom);
  custom->type = HTP_SHARED_BUFFER;
  custom->size = buffer_bytes;
  custom->fd = fd;
  custom->offset = offset;
  memset(descriptor, 0, sizeof *descriptor);
  descriptor->num_dim = tensor->v1.rank;
  descriptor->dim_size = tensor->v1.dimensions;
  descriptor->data_type = tensor->v1.data_type;
  descriptor->mem_type = QNN_MEM_CUSTOM;
  descriptor->memory.custom = custom;
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
  for (int i = 0; i < 2; ++i)
    describe_shared(&tensors[i], fd, all_bytes, offsets[i], &custom[i], &descriptors[i]);
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

/* ---- A decoder's cache: registered once for two graphs, which read it in their own shapes. Its
   memory needs no first content, because the graphs multiply the codes of unused positions by 0. */

enum { TENSORS = DECODER_TENSORS, INPUTS = DECODER_INPUTS };

/* A cache and the output that extends it, in the shapes of one graph: rows with the positions of
   one index before the positions' dimension. */
typedef struct {
  int cache, next;             /* their numbers among the tensors */
  uint64_t rows;               /* in both */
  uint64_t position_bytes;     /* of one position in one row */
  uint64_t cache_row, new_row; /* positions in a row */
} cache_rows;

/* Reads the shapes of a cache, whose positions are in dimension `axis`. No extent may be 0. */
static cache_rows rows_of(const qnn_tensor* tensors, int cache, int next, uint32_t axis) {
  const uint32_t* const extents = tensors[cache].v1.dimensions;
  cache_rows of = {cache, next, 1, 0, extents[axis], tensors[next].v1.dimensions[axis]};
  for (uint32_t i = 0; i < axis; ++i) of.rows *= extents[i];
  of.position_bytes = tensor_bytes(&tensors[cache]) / of.rows / of.cache_row;
  return of;
}

/* Copies the first `count` new positions behind `length` positions of the cache. */
static void append(const cache_rows* of, void* const* at, uint64_t length, uint64_t count) {
  char* to = (char*)at[of->cache] + length * of->position_bytes;
  const char* from = at[of->next];
  for (uint64_t row = 0; row < of->rows; ++row) {
    memcpy(to, from, count * of->position_bytes);
    to += of->cache_row * of->position_bytes;
    from += of->new_row * of->position_bytes;
  }
}

/* Moves `length` positions to longer rows. Begins at the last row, so that none is overwritten. */
static void lengthen_rows(const cache_rows* from, const cache_rows* to, void* const* at,
                          uint64_t length) {
  char* const cache = at[from->cache];
  for (uint64_t row = from->rows; row-- > 0;)
    memmove(cache + row * to->cache_row * to->position_bytes,
            cache + row * from->cache_row * from->position_bytes, length * from->position_bytes);
}

/* Fills the inputs that say where the tokens are: `count` new ones behind `length` positions. */
static void fill_positions(const cache_rows* of, uint64_t length, uint64_t count, void* const* at) {
  int8_t* place = at[DECODER_PLACE];
  uint16_t *past = at[DECODER_PAST], *mask = at[DECODER_MASK];
  for (uint64_t j = 0; j < of->cache_row; ++j) past[j] = j < length ? 32768 : 0;
  for (uint64_t i = 0; i < of->new_row; ++i)
    for (uint64_t j = 0; j < of->cache_row; ++j) {
      *place++ = i < count && j == length + i ? 127 : 0;
      *mask++ = j <= length + i ? 32768 : 0;
    }
}

int tutorial_decoder(const tutorial_session* session, const tutorial_rpcmem* rpcmem,
                     const tutorial_layer* layer, uint64_t prompt, uint64_t tokens,
                     const void* hidden, void* next_hidden) {
  int status = -1, fd = -1;
  qnn_handle context = NULL, graphs[2], handles[2 * TENSORS];
  char* memory = NULL;
  void* at[TENSORS];
  uint64_t offsets[TENSORS], all_bytes = 0, length = 0;
  const uint64_t ends[2] = {prompt, tokens}; /* positions after each graph */
  uint32_t registered = 0;
  cache_rows caches[2][2];
  qnn_mem_descriptor descriptors[2 * TENSORS];
  htp_mem_descriptor custom[2 * TENSORS];
  qnn_tensor tensors[2][TENSORS];
  memcpy(tensors, layer->tensors, sizeof tensors);
  /* A tensor has one offset for both graphs, with room for the larger of its shapes. */
  for (int i = 0; i < TENSORS; ++i) {
    offsets[i] = all_bytes;
    for (int g = 0; g < 2; ++g) {
      const uint64_t bytes = tensor_bytes(&tensors[g][i]);
      const uint64_t end = offsets[i] + (bytes + 127) / 128 * 128;
      if (bytes == 0) goto done;
      if (end > all_bytes) all_bytes = end;
    }
  }
  if (prompt > tokens) goto done;
  for (int g = 0; g < 2; ++g) {
    caches[g][0] = rows_of(tensors[g], DECODER_KEYS, DECODER_NEW_KEYS, 2);
    caches[g][1] = rows_of(tensors[g], DECODER_VALUES, DECODER_NEW_VALUES, 1);
    for (int i = 0; i < 2; ++i) {
      if (ends[g] > caches[g][i].cache_row) goto done;
      if (caches[g][i].cache_row < caches[0][i].cache_row) goto done;
    }
  }
  if (context_create_from_binary(session->backend, session->device, NULL, session->binary,
                                 session->binary_bytes, &context, NULL) != 0)
    goto done;
  for (int g = 0; g < 2; ++g)
    if (graph_retrieve(context, layer->graphs[g], &graphs[g]) != 0) goto done;
  memory = allocate(rpcmem, all_bytes, &fd);
  if (memory == NULL) goto done;
  for (int i = 0; i < TENSORS; ++i) at[i] = memory + offsets[i];
  for (int i = 0; i < 2 * TENSORS; ++i)
    describe_shared(&tensors[i / TENSORS][i % TENSORS], fd, all_bytes, offsets[i % TENSORS],
                    &custom[i], &descriptors[i]);
  if (mem_register(context, descriptors, 2 * TENSORS, handles) != 0) goto done;
  registered = 2 * TENSORS;
  for (int i = 0; i < 2 * TENSORS; ++i) {
    tensors[i / TENSORS][i % TENSORS].v1.mem_type = QNN_MEMHANDLE;
    tensors[i / TENSORS][i % TENSORS].v1.memory.mem_handle = handles[i];
  }
  for (int g = 0; g < 2; ++g) {
    const uint64_t most = caches[g][0].new_row;
    const uint64_t token_bytes = tensor_bytes(&tensors[g][DECODER_HIDDEN]) / most;
    for (int i = 0; i < 2 && g > 0; ++i) lengthen_rows(&caches[0][i], &caches[g][i], at, length);
    while (length < ends[g]) {
      const uint64_t count = ends[g] - length < most ? ends[g] - length : most;
      memcpy(at[DECODER_HIDDEN], (const char*)hidden + length * token_bytes, count * token_bytes);
      fill_positions(&caches[g][0], length, count, at);
      if (graph_execute(graphs[g], tensors[g], INPUTS, &tensors[g][INPUTS], TENSORS - INPUTS, NULL,
                        NULL) != 0)
        goto done;
      for (int i = 0; i < 2; ++i) append(&caches[g][i], at, length, count);
      memcpy((char*)next_hidden + length * token_bytes, at[DECODER_NEXT_HIDDEN],
             count * token_bytes);
      length += count;
    }
  }
  status = 0;
done:
  if (registered > 0) mem_deregister(handles, registered);
  if (memory != NULL) rpcmem->free(memory);
  if (context != NULL) context_free(context, NULL);
  return status;
}
