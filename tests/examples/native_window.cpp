// Stands for the AHardwareBuffer functions of Android's libnativewindow.so.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

namespace {

/// The first members of AHardwareBuffer_Desc.
struct Description {
  std::uint32_t width, height, layers, format;
  std::uint64_t usage;
};

struct Buffer {
  int handle[4];  ///< native_handle_t: version, one descriptor, no numbers, the descriptor.
  void* memory;
  std::uint32_t bytes;
  bool is_locked;
};

int live = 0;

/// Says at the end which buffers were not released.
struct AtEnd {
  ~AtEnd() { std::fprintf(stdout, "AHardwareBuffers left: %d\n", live); }
} at_end;

}  // namespace

extern "C" {

int AHardwareBuffer_allocate(const Description* wanted, Buffer** made) {
  constexpr std::uint32_t blob = 0x21;
  if (wanted->format != blob || wanted->height != 1 || wanted->layers != 1 || wanted->width == 0 ||
      wanted->usage == 0)
    return -22;
  const int fd = ::memfd_create("dmabuf", MFD_CLOEXEC);
  if (fd < 0 || ::ftruncate(fd, wanted->width) != 0) return -12;
  *made = new Buffer{{12, 1, 0, fd}, MAP_FAILED, wanted->width, false};
  ++live;
  return 0;
}

void AHardwareBuffer_release(Buffer* buffer) {
  ::close(buffer->handle[3]);
  if (buffer->memory != MAP_FAILED) ::munmap(buffer->memory, buffer->bytes);
  delete buffer;
  --live;
}

int AHardwareBuffer_lock(Buffer* buffer, std::uint64_t usage, std::int32_t, const void*,
                         void** address) {
  if (buffer->is_locked || usage == 0) return -22;
  if (buffer->memory == MAP_FAILED)
    buffer->memory =
        ::mmap(nullptr, buffer->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, buffer->handle[3], 0);
  if (buffer->memory == MAP_FAILED) return -12;
  buffer->is_locked = true;
  *address = buffer->memory;
  return 0;
}

int AHardwareBuffer_unlock(Buffer* buffer, std::int32_t*) {
  if (!buffer->is_locked) return -22;
  buffer->is_locked = false;
  return 0;
}

const void* AHardwareBuffer_getNativeHandle(const Buffer* buffer) { return &buffer->handle; }

}  // extern "C"
