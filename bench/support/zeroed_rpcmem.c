/* rpcmem whose memory is zeroed when it is allocated, as a dma-heap zeroes it; the simulated one
   leaves that to the first access of each page. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

/* Finds a function of the simulated libcdsprpc.so, which stays open. */
static void find(const char* name, void* function) {
  void* const library = dlopen(QNNPP_SIM_DIR "/libcdsprpc.so", RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == NULL ? NULL : dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
}

EXPORTED void* rpcmem_alloc2(int heap, uint32_t flags, size_t bytes) {
  void* (*allocate)(int, uint32_t, size_t);
  find("rpcmem_alloc2", &allocate);
  void* const memory = allocate == NULL ? NULL : allocate(heap, flags, bytes);
  if (memory != NULL && memory != (void*)-1) memset(memory, 0, bytes);
  return memory;
}

EXPORTED void* rpcmem_alloc(int heap, uint32_t flags, int bytes) {
  return bytes < 0 ? NULL : rpcmem_alloc2(heap, flags, (size_t)bytes);
}

EXPORTED void rpcmem_free(void* memory) {
  void (*release)(void*);
  find("rpcmem_free", &release);
  if (release != NULL) release(memory);
}

EXPORTED int rpcmem_to_fd(void* memory) {
  int (*to_fd)(void*);
  find("rpcmem_to_fd", &to_fd);
  return to_fd == NULL ? -1 : to_fd(memory);
}
