#include "read_binaries.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLOT(api, index, ...) ((qnn_error(*)(__VA_ARGS__))(api)->slots[index])
#define CODE(error) ((int)((error) & 0xFFFF))

enum { SYSTEM_HEAP = 25, CACHED = 1 };

/* A binary and its deferred context. The options are read again at finalize. */
typedef struct {
  const char* path;
  void* bytes;
  size_t size;
  qnn_option defer;
  const qnn_option* configs[2];
  qnn_handle context;
  uint64_t spill_fill_bytes, weights_bytes;
} unfinished;

static int failed(const char* step, const char* path) {
  fprintf(stderr, "%s: %s failed\n", path, step);
  return -1;
}

static int read_binary(unfinished* one) {
  struct stat status;
  FILE* const file = fopen(one->path, "rb");
  if (file == NULL) return failed("fopen", one->path);
  if (fstat(fileno(file), &status) != 0 || status.st_size <= 0) {
    fclose(file);
    return failed("fstat", one->path);
  }
  one->size = (size_t)status.st_size;
  one->bytes = malloc(one->size);
  const size_t got = one->bytes == NULL ? 0 : fread(one->bytes, 1, one->size, file);
  fclose(file);
  return got == one->size ? 0 : failed("fread", one->path);
}

static int map_binary(unfinished* one) {
  const int fd = open(one->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failed("open", one->path);
  struct stat status;
  if (fstat(fd, &status) != 0 || status.st_size <= 0) {
    close(fd);
    return failed("fstat", one->path);
  }
  one->size = (size_t)status.st_size;
  void* const address = mmap(NULL, one->size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (address == MAP_FAILED) return failed("mmap", one->path);
  one->bytes = address;
  return 0;
}

static void unmap_binary(unfinished* one) {
  if (one->bytes != NULL) munmap(one->bytes, one->size);
  one->bytes = NULL;
}

static int create_and_query(const c_device* device, unfinished* one) {
  one->defer = (qnn_option){9, {.u8 = 1}};
  one->configs[0] = &one->defer;
  one->configs[1] = NULL;
  qnn_error error = SLOT(device->api, 13, qnn_handle, qnn_handle, const qnn_option**, const void*,
                         uint64_t, qnn_handle*, qnn_handle)(
      device->backend, device->device, one->configs, one->bytes, one->size, &one->context, NULL);
  if (CODE(error) != 0) return c_failed(error, "QnnContext_createFromBinary", one->path);
  qnn_option custom[2] = {{2, {0}}, {3, {0}}};
  qnn_option outer[2] = {{0, {.pointer = &custom[0]}}, {0, {.pointer = &custom[1]}}};
  qnn_option* array[3] = {&outer[0], &outer[1], NULL};
  error = SLOT(device->api, 63, qnn_handle, qnn_option**)(one->context, array);
  if (CODE(error) != 0) return c_failed(error, "QnnContext_getProperty", one->path);
  one->spill_fill_bytes = custom[0].value.u64;
  one->weights_bytes = custom[1].value.u64;
  return 0;
}

/* Every context here has weights and spill-fill. */
static int complete(const c_device* device, const unfinished* one, void* spill_fill,
                    uint64_t spill_fill_bytes) {
  void* const weights = device->rpcmem_alloc2(SYSTEM_HEAP, CACHED, one->weights_bytes);
  if (weights == NULL) return failed("rpcmem_alloc2", one->path);
  htp_mem_descriptor custom[2];
  const qnn_mem_descriptor descriptors[2] = {
      c_external_descriptor(&custom[0], HTP_WEIGHTS, device->rpcmem_to_fd(weights),
                            one->weights_bytes),
      c_external_descriptor(&custom[1], HTP_SPILL_FILL, device->rpcmem_to_fd(spill_fill),
                            spill_fill_bytes)};
  /* One call for each buffer: the library crashes if one call registers two. */
  for (int i = 0; i < 2; ++i) {
    qnn_handle handle = NULL;
    const qnn_error error = SLOT(device->api, 35, qnn_handle, const qnn_mem_descriptor*, uint32_t,
                                 qnn_handle*)(one->context, &descriptors[i], 1, &handle);
    if (CODE(error) != 0) return c_failed(error, "QnnMem_register", one->path);
  }
  const qnn_error error = SLOT(device->api, 66, qnn_handle, qnn_handle)(one->context, NULL);
  return CODE(error) != 0 ? c_failed(error, "QnnContext_finalize", one->path) : 0;
}

int c_read_all_keep(c_device* device, const char* const* paths, size_t count) {
  unfinished* const all = calloc(count, sizeof *all);
  if (all == NULL) return failed("calloc", "contexts");
  int result = 0;
  for (size_t i = 0; i < count && result == 0; ++i) {
    all[i].path = paths[i];
    result = read_binary(&all[i]);
  }
  uint64_t largest = 0;
  for (size_t i = 0; i < count && result == 0; ++i) {
    result = create_and_query(device, &all[i]);
    if (all[i].spill_fill_bytes > largest) largest = all[i].spill_fill_bytes;
  }
  void* const spill_fill = result == 0 ? device->rpcmem_alloc2(SYSTEM_HEAP, CACHED, largest) : NULL;
  if (result == 0 && spill_fill == NULL) result = failed("rpcmem_alloc2", "spill-fill");
  for (size_t i = 0; i < count && result == 0; ++i)
    result = complete(device, &all[i], spill_fill, largest);
  for (size_t i = 0; i < count; ++i) free(all[i].bytes);
  free(all);
  return result;
}

int c_read_free_each(c_device* device, const char* const* paths, size_t count) {
  int result = 0;
  uint64_t largest = 0;
  for (size_t i = 0; i < count && result == 0; ++i) {
    unfinished one = {.path = paths[i]};
    if ((result = read_binary(&one)) == 0) result = create_and_query(device, &one);
    if (one.spill_fill_bytes > largest) largest = one.spill_fill_bytes;
    if (one.context != NULL) (void)SLOT(device->api, 14, qnn_handle, qnn_handle)(one.context, NULL);
    free(one.bytes);
  }
  void* const spill_fill = result == 0 ? device->rpcmem_alloc2(SYSTEM_HEAP, CACHED, largest) : NULL;
  if (result == 0 && spill_fill == NULL) result = failed("rpcmem_alloc2", "spill-fill");
  for (size_t i = 0; i < count && result == 0; ++i) {
    unfinished one = {.path = paths[i]};
    if ((result = read_binary(&one)) == 0 && (result = create_and_query(device, &one)) == 0)
      result = complete(device, &one, spill_fill, largest);
    free(one.bytes);
  }
  return result;
}

int c_map_drop_each(c_device* device, const char* const* paths, size_t count) {
  unfinished* const all = calloc(count, sizeof *all);
  if (all == NULL) return failed("calloc", "contexts");
  int result = 0;
  uint64_t largest = 0;
  for (size_t i = 0; i < count && result == 0; ++i) {
    all[i].path = paths[i];
    if ((result = map_binary(&all[i])) == 0) result = create_and_query(device, &all[i]);
    if (result == 0 && madvise(all[i].bytes, all[i].size, MADV_DONTNEED) != 0)
      result = failed("madvise", all[i].path);
    if (all[i].spill_fill_bytes > largest) largest = all[i].spill_fill_bytes;
  }
  void* const spill_fill = result == 0 ? device->rpcmem_alloc2(SYSTEM_HEAP, CACHED, largest) : NULL;
  if (result == 0 && spill_fill == NULL) result = failed("rpcmem_alloc2", "spill-fill");
  for (size_t i = 0; i < count && result == 0; ++i) {
    result = complete(device, &all[i], spill_fill, largest);
    unmap_binary(&all[i]);
  }
  for (size_t i = 0; i < count; ++i) unmap_binary(&all[i]);
  free(all);
  return result;
}
