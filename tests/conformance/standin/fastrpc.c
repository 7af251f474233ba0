// Stand-in for libcdsprpc.so on a machine without a DSP. It implements rpcmem with memfd, and every
// remote call returns success and zeros, in the form that Qualcomm's host library checks (a status
// word and a CRC-32 of the answer). It computes nothing. Decisions of the host library are real;
// decisions of the DSP are invented. README.md describes the consequences.
//
// Environment: STANDIN_ID       version that the DSP side reports: the host library's own build id
//              STANDIN_VERBOSE  1: prints every call on stderr
// A program can also make the DSP fail or slow: see the standin_ functions at the end.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int verbose;

// Injected failure: `skip` calls succeed, then `count` calls fail with `code`.
typedef struct {
  int skip, count, code;
} Failure;
static Failure open_failure, status_failure, return_failure, map_failure, allocation_failure;
static int failing_method = -1;
static int delay_us, calls, running, most_running;
static int live_allocations, live_maps, maps, failures, uses_of_freed_memory;

__attribute__((constructor)) static void configure(void) {
  const char* text = getenv("STANDIN_VERBOSE");
  verbose = text ? atoi(text) : 0;
}
// An Android library keeps its stack guard 40 bytes above the thread pointer. This variable
// reserves the place: the thread-local memory of a preloaded library comes right after the
// program's, of which there must be less than 24 bytes.
static __thread char stack_guard[64] __attribute__((used));
#define SAY(...)                                 \
  do {                                           \
    if (verbose) {                               \
      fprintf(stderr, "[standin] " __VA_ARGS__); \
      fputc('\n', stderr);                       \
    }                                            \
  } while (0)

// Returns the failure's code if the current call must fail, otherwise 0. The caller has locked
// `lock`.
static int take(Failure* failure) {
  if (failure->count == 0) return 0;
  if (failure->skip > 0) return --failure->skip, 0;
  --failure->count;
  ++failures;
  return failure->code;
}

static uint32_t crc32_of(const void* bytes, size_t size) {
  const uint8_t* p = bytes;
  uint32_t crc = ~0u;
  while (size--) {
    crc ^= *p++;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
  }
  return ~crc;
}

// ---- addresses of the DSP

// The DSP gives each mapping the next page as its address, so that a call that names an old one is
// noticed: a page is gone after its mapping, or the memory behind it.
enum { first_address = 0xD0000000u, page_bytes = 4096, pages = 0x30000 };
static unsigned char gone[pages];
static struct {
  uint32_t address;
  int fd;
} mapped[pages];
static int mapped_count, next_page;

// The caller of the next functions has locked `lock`.
static uint32_t map_on_dsp(int fd) {
  const uint32_t address = first_address + (uint32_t)next_page * page_bytes;
  gone[next_page] = 0;
  next_page = (next_page + 1) % pages;
  if (mapped_count < pages) {
    mapped[mapped_count].address = address;
    mapped[mapped_count++].fd = fd;
  }
  return address;
}
static int is_gone(uint32_t address) {
  return address >= first_address && address % page_bytes == 0 &&
         gone[(address - first_address) / page_bytes];
}
static void leave(uint32_t address) {
  if (address >= first_address) gone[(address - first_address) / page_bytes] = 1;
}
static void unmap_on_dsp(uint32_t address) {
  leave(address);
  for (int i = 0; i < mapped_count; ++i)
    if (mapped[i].address == address) mapped[i--] = mapped[--mapped_count];
}
static void free_on_dsp(int fd) {
  for (int i = 0; i < mapped_count; ++i)
    if (mapped[i].fd == fd) leave(mapped[i].address);
}

// ---- remote calls

typedef struct {
  void* data;
  size_t size;
} Argument;
enum { method_unmap = 6, method_map = 9 };

// Returns whether a call names the address of memory that is gone.
static int names_what_is_gone(int in, const Argument* argument) {
  for (int i = 0; i < in; ++i) {
    const uint32_t* words = argument[i].data;
    for (size_t word = 0; words && word < argument[i].size / sizeof(uint32_t); ++word)
      if (is_gone(words[word])) return 1;
  }
  return 0;
}

int remote_handle64_open(const char* name, uint64_t* handle) {
  SAY("open %s", name);
  pthread_mutex_lock(&lock);
  const int refused = take(&open_failure);
  pthread_mutex_unlock(&lock);
  if (!refused) *handle = 0x1234;
  return refused;
}
int remote_handle64_close(uint64_t handle) {
  (void)handle;
  return 0;
}
int remote_handle64_control(uint64_t handle, uint32_t request, void* data, uint32_t size) {
  (void)handle, (void)data, (void)size;
  SAY("handle64_control %u", request);
  return 0;
}
int remote_handle_control(uint32_t request, void* data, uint32_t size) {
  uint32_t* words = data;  // domain, attribute, answer
  // Attribute 6 is the architecture of the DSP; for all others 1 means that the DSP supports it.
  if (request == 2 && size >= 12) words[2] = words[1] == 6 ? 0x8775 : 1;
  return 0;
}
int remote_session_control(uint32_t request, void* data, uint32_t size) {
  (void)data, (void)size;
  SAY("session_control %u", request);
  return 0;
}
int remote_system_request(void* request) {
  (void)request;
  return 0;
}
int remote_register_dma_handle(int fd, uint32_t size) {
  SAY("dma handle %d %u", fd, size);
  return 0;
}
void remote_register_buf_attr(void* start, int size, int fd, int attributes) {
  (void)start, (void)size, (void)fd, (void)attributes;
}

// Writes the answer to one call: zeros, except in the three forms that the host library reads.
static void answer_call(int method, int in, int out, Argument* argument, uint32_t status) {
  for (int i = in; i < in + out; ++i)
    if (argument[i].size && argument[i].data) memset(argument[i].data, 0, argument[i].size);
  if (out && argument[in].size == 8) {  // a status and its CRC
    uint32_t* answer = argument[in].data;
    answer[0] = status;
    answer[1] = crc32_of(answer, 4);
  }
  if (method == method_map && out == 1 && argument[in].size == 16) {  // its DSP address
    uint32_t* answer = argument[in].data;
    answer[0] = map_on_dsp(((int*)argument[0].data)[1]);
    answer[2] = status;
    answer[3] = crc32_of(answer, 12);
  }
  // The version of the library on the DSP: request 0x26, from 2.51 on 0x28.
  const uint32_t request = method == 4 && out == 3 ? ((uint32_t*)argument[1].data)[1] : 0;
  if ((request == 0x26 && argument[in + 2].size >= 100) ||
      (request == 0x28 && argument[in + 2].size == 136)) {
    const char* id = getenv("STANDIN_ID");
    uint8_t* answer = argument[in + 2].data;
    const size_t length = id && strlen(id) < argument[in + 2].size - 8 ? strlen(id) : 0;
    *(uint64_t*)answer = length;
    if (length) memcpy(answer + 8, id, length);
  }
}

int remote_handle64_invoke(uint64_t handle, uint32_t scalars, Argument* argument) {
  (void)handle;
  const int method = (scalars >> 24) & 31, in = (scalars >> 16) & 255, out = (scalars >> 8) & 255;
  SAY("invoke method %d, %d in, %d out", method, in, out);
  pthread_mutex_lock(&lock);
  ++calls;
  const int returned = take(&return_failure);
  const int status = method == failing_method ? take(&status_failure) : 0;
  const int delay = delay_us;
  if (++running > most_running) most_running = running;
  if (method == method_unmap && in == 1 && argument[0].size >= 28) {
    if (!returned) unmap_on_dsp(((uint32_t*)argument[0].data)[6]);
  } else if (names_what_is_gone(in, argument)) {
    ++uses_of_freed_memory;
    SAY("method %d names memory that is freed or not mapped any more", method);
  }
  if (!returned) answer_call(method, in, out, argument, (uint32_t)status);
  pthread_mutex_unlock(&lock);
  if (delay) usleep((useconds_t)delay);
  pthread_mutex_lock(&lock);
  --running;
  pthread_mutex_unlock(&lock);
  return returned;
}

// ---- memory

static struct {
  void* start;
  int fd;
  size_t size;
} allocations[16384];
static int allocation_count;

void rpcmem_init(void) {}
void rpcmem_deinit(void) {}
void* rpcmem_alloc2(int heap, uint32_t flags, size_t size) {
  (void)heap, (void)flags;
  const size_t bytes = (size + 4095) & ~(size_t)4095;  // as a DMA heap rounds
  pthread_mutex_lock(&lock);
  const int refused = take(&allocation_failure) || live_allocations >= 16384 - 64;
  pthread_mutex_unlock(&lock);
  const int fd = refused ? -1 : memfd_create("rpcmem", 0);
  if (fd < 0) return NULL;
  void* start = ftruncate(fd, (off_t)bytes) != 0
                    ? MAP_FAILED
                    : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (start == MAP_FAILED) {
    close(fd);
    return NULL;
  }
  pthread_mutex_lock(&lock);
  int slot = 0;
  while (slot < allocation_count && allocations[slot].start) ++slot;
  allocation_count += slot == allocation_count;
  allocations[slot].start = start;
  allocations[slot].fd = fd;
  allocations[slot].size = bytes;
  ++live_allocations;
  pthread_mutex_unlock(&lock);
  SAY("rpcmem_alloc %zu: fd %d", size, fd);
  return start;
}
void* rpcmem_alloc(int heap, uint32_t flags, int size) {
  return rpcmem_alloc2(heap, flags, (size_t)size);
}
void rpcmem_free(void* start) {
  int found = -1;
  pthread_mutex_lock(&lock);
  for (int i = allocation_count - 1; i >= 0 && found < 0; --i)
    if (start && allocations[i].start == start) found = i;
  if (found >= 0) {
    free_on_dsp(allocations[found].fd);
    munmap(start, allocations[found].size);
    close(allocations[found].fd);
    allocations[found].start = NULL;
    --live_allocations;
  }
  pthread_mutex_unlock(&lock);
  if (found < 0) SAY("rpcmem_free of %p, which is no allocation", start);
}
int rpcmem_to_fd(void* start) {
  int fd = -1;
  pthread_mutex_lock(&lock);
  for (int i = allocation_count - 1; i >= 0 && fd < 0; --i)
    if (start && allocations[i].start == start) fd = allocations[i].fd;
  pthread_mutex_unlock(&lock);
  return fd;
}
int fastrpc_mmap(int domain, int fd, void* at, int offset, size_t size, int flags) {
  (void)at;
  SAY("fastrpc_mmap domain %d fd %d offset %d size %zu flags %d", domain, fd, offset, size, flags);
  pthread_mutex_lock(&lock);
  const int refused = take(&map_failure);
  if (!refused) ++maps, ++live_maps;
  if (fcntl(fd, F_GETFD) < 0) ++uses_of_freed_memory;
  pthread_mutex_unlock(&lock);
  return refused;
}
int fastrpc_munmap(int domain, int fd, void* at, size_t size) {
  (void)domain, (void)fd, (void)at, (void)size;
  pthread_mutex_lock(&lock);
  --live_maps;
  pthread_mutex_unlock(&lock);
  return 0;
}

// ---- message queues: accepted, never answered

int dspqueue_create(int domain, uint32_t flags, uint32_t request, uint32_t response, void* packet,
                    void* error, void* context, void** queue) {
  (void)domain, (void)flags, (void)request, (void)response, (void)packet, (void)error,
      (void)context;
  *queue = (void*)0x77;
  return 0;
}
int dspqueue_close(void* queue) {
  (void)queue;
  return 0;
}
int dspqueue_export(void* queue, uint64_t* id) {
  (void)queue;
  *id = 5;
  return 0;
}
int dspqueue_read(void) { return 1; }
int dspqueue_read_noblock(void) { return 1; }
int dspqueue_write(void) { return 0; }
int dspqueue_write_noblock(void) { return 0; }

// ---- functions for programs, which find them with dlsym

// Makes `count` openings of a library on the DSP return `code`.
void standin_fail_open(int skip, int count, int code) {
  open_failure = (Failure){skip, count, code};
}
// Makes `count` remote calls of a method return a status, after `skip` successful calls.
void standin_fail_status(int method, int skip, int count, int status) {
  failing_method = method;
  status_failure = (Failure){skip, count, status};
}
// Makes `count` remote calls of any method fail with `code` without reaching the DSP.
void standin_fail_return(int skip, int count, int code) {
  return_failure = (Failure){skip, count, code};
}
// Makes `count` calls of fastrpc_mmap return `code`.
void standin_fail_map(int skip, int count, int code) { map_failure = (Failure){skip, count, code}; }
// Makes `count` allocations return NULL.
void standin_fail_allocation(int skip, int count) {
  allocation_failure = (Failure){skip, count, 1};
}
// Sets the duration of every remote call, and resets standin_most_at_once().
void standin_delay(int microseconds) { delay_us = microseconds, most_running = 0; }
// Returns the peak of concurrent remote calls since the last standin_delay().
int standin_most_at_once(void) { return most_running; }
// Returns the number of remote calls so far.
int standin_calls(void) { return calls; }
// Returns the number of calls that failures of these functions have met.
int standin_failures(void) { return failures; }
// Returns how often a call named memory that is freed, or not mapped on the DSP any more.
int standin_uses_of_freed_memory(void) { return uses_of_freed_memory; }
// Return the number of live allocations, of live mappings, and of all mappings ever created.
int standin_allocations(void) { return live_allocations; }
int standin_live_maps(void) { return live_maps; }
int standin_maps(void) { return maps; }
