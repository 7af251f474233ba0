// MemfdAllocator, and DmaHeapAllocator if the machine has a heap.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

#include "../support/temporary_folder.hpp"

namespace {

using qnnpp::DmaHeapAllocator;
using qnnpp::Errc;
using qnnpp::MemfdAllocator;
using qnnpp::MemRegion;
using qnnpp::TensorIo;

static_assert(qnnpp::DmaAllocator<MemfdAllocator> && qnnpp::DmaAllocator<DmaHeapAllocator>);

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

/// Returns the first byte as another mapping of the same descriptor sees it.
int byte_seen_through(int fd) {
  void* again = ::mmap(nullptr, 1, PROT_READ, MAP_SHARED, fd, 0);
  if (again == MAP_FAILED) return -1;
  const int seen = std::to_integer<int>(*static_cast<std::byte*>(again));
  ::munmap(again, 1);
  return seen;
}

template <class Allocator>
void expect_shared_memory(const Allocator& allocator) {
  int fd = -1;
  {
    auto region = MemRegion<TensorIo>::allocate(allocator, 10000);
    ASSERT_TRUE(region.has_value());
    fd = region->fd();
    EXPECT_EQ(region->size_bytes(), 10000u);
    {
      const auto access = region->access(qnnpp::CpuUse::write);
      ASSERT_TRUE(access.has_value());
      ASSERT_EQ(access->bytes().size(), 10000u);
      std::memset(access->bytes().data(), 0x5A, access->bytes().size());
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(access->bytes().data()) %
                    static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)),
                0u);
    }
    EXPECT_EQ(byte_seen_through(fd), 0x5A);
  }
  EXPECT_FALSE(is_open(fd));
}

TEST(memfd_allocator, BUF_01_gives_memory_that_others_can_map_by_its_descriptor) {
  expect_shared_memory(MemfdAllocator());
}

TEST(memfd_allocator, gives_exactly_the_bytes_asked_for) {
  const auto buffer = MemfdAllocator().allocate(12345);
  ASSERT_TRUE(buffer.has_value());
  struct stat status{};
  ASSERT_EQ(::fstat(buffer->fd(), &status), 0);
  EXPECT_EQ(status.st_size, 12345);
  EXPECT_EQ(buffer->size_bytes(), 12345u);
  EXPECT_FALSE(qnnpp::detail::Access::block(*buffer)->needs_sync);
}

TEST(memfd_allocator, BUF_09_of_0_bytes_gives_none) {
  EXPECT_EQ(MemfdAllocator().allocate(0).error().kind, Errc::empty);
}

TEST(memfd_allocator, ALC_02_of_more_than_there_is_fails_with_a_reason_and_leaks_no_descriptor) {
  const int before = ::dup(0);
  ::close(before);
  for (const std::uint64_t bytes : {UINT64_MAX, static_cast<std::uint64_t>(INT64_MAX)}) {
    errno = 0;
    const auto buffer = MemfdAllocator().allocate(bytes);
    ASSERT_FALSE(buffer.has_value());
    EXPECT_EQ(buffer.error().kind, Errc::allocation_failed);
    EXPECT_EQ(buffer.error().needed, bytes);
    EXPECT_NE(buffer.error().code, 0);
  }
  const int after = ::dup(0);
  ::close(after);
  EXPECT_EQ(before, after);
}

TEST(dma_heap_allocator, that_does_not_exist_is_an_error_with_path_and_errno) {
  const auto heap = DmaHeapAllocator::open("/dev/dma_heap/no_such_heap");
  ASSERT_FALSE(heap.has_value());
  EXPECT_EQ(heap.error().kind, Errc::file_unreadable);
  EXPECT_EQ(heap.error().object, "/dev/dma_heap/no_such_heap");
  EXPECT_EQ(heap.error().code, ENOENT);
}

TEST(dma_heap_allocator, that_is_no_heap_allocates_nothing) {
  const auto heap = DmaHeapAllocator::open("/dev/null");
  ASSERT_TRUE(heap.has_value());
  const auto buffer = heap->allocate(4096);
  ASSERT_FALSE(buffer.has_value());
  EXPECT_EQ(buffer.error().kind, Errc::allocation_failed);
  EXPECT_EQ(buffer.error().object, "/dev/null");
  EXPECT_EQ(buffer.error().code, ENOTTY);
  const std::string text = buffer.error().message();
  EXPECT_NE(text.find("give the path of a DMA-BUF heap"), std::string::npos) << text;
}

TEST(dma_heap_allocator, of_what_is_no_character_device_is_refused_and_never_waits) {
  const support::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string file = folder.file("file");
  std::ofstream(file) << "no heap";
  for (const std::string& path : {pipe, file, folder.path()}) {
    const auto heap = DmaHeapAllocator::open(path);
    ASSERT_FALSE(heap.has_value()) << path;
    EXPECT_EQ(heap.error().kind, Errc::file_unreadable);
    EXPECT_EQ(heap.error().object, path);
  }
}

TEST(dma_heap_allocator, of_a_path_with_a_NUL_is_refused_and_not_opened_by_its_prefix) {
  const auto heap = DmaHeapAllocator::open(std::string("/dev/null\0heap", 14));
  ASSERT_FALSE(heap.has_value());
  EXPECT_EQ(heap.error().kind, Errc::invalid_argument);
}

TEST(dma_heap_allocator, BUF_01_gives_memory_of_the_systems_heap_or_says_why_there_is_none) {
  const auto heap = DmaHeapAllocator::open();
  if (::access("/dev/dma_heap/system", R_OK | W_OK) == 0) {
    ASSERT_TRUE(heap.has_value());
    expect_shared_memory(*heap);
  } else {
    const int why = errno;
    ASSERT_FALSE(heap.has_value());
    EXPECT_EQ(heap.error().kind, Errc::file_unreadable);
    EXPECT_EQ(heap.error().object, "/dev/dma_heap/system");
    EXPECT_EQ(heap.error().code, why);
  }
}

}  // namespace
