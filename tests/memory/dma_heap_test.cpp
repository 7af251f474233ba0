// DmaHeapAllocator with a kernel that has a heap.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/mem_region.hpp"

#include "../support/contracts.hpp"
#include "../support/heap.hpp"
#include "kernel.hpp"

namespace {

using memory_test::kernel;
using memory_test::Kernel;
using qnnpp::DmaHeapAllocator;
using qnnpp::Errc;
using qnnpp::MemRegion;
using qnnpp::TensorIo;

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

class dma_heap : public ::testing::Test {
 protected:
  void SetUp() override {
    kernel() = Kernel();
    auto opened = DmaHeapAllocator::open("/dev/null");  // this program's ioctl treats it as a heap
    ASSERT_TRUE(opened.has_value());
    heap_.emplace(std::move(*opened));
  }
  /// Makes the kernel return a descriptor of `bytes` bytes.
  static int answer_with_memory(std::uint64_t bytes) {
    const int fd = ::memfd_create("heap", MFD_CLOEXEC);
    EXPECT_EQ(::ftruncate(fd, static_cast<off_t>(bytes)), 0);
    kernel().heap_fd = fd;
    return fd;
  }
  [[nodiscard]] const DmaHeapAllocator& heap() const { return *heap_; }

 private:
  std::optional<DmaHeapAllocator> heap_;
};

TEST_F(dma_heap, gives_its_memory_with_the_descriptor_of_the_kernel) {
  const int fd = answer_with_memory(8192);
  {
    const auto buffer = heap().allocate(8192);
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(buffer->fd(), fd);
    EXPECT_EQ(buffer->size_bytes(), 8192u);
    EXPECT_EQ(kernel().heap_bytes, 8192u);
    EXPECT_EQ(kernel().heap_flags, static_cast<std::uint32_t>(O_RDWR | O_CLOEXEC));
  }
  EXPECT_FALSE(is_open(fd));
}

TEST_F(dma_heap, SHB_07_its_memory_is_synced_for_the_cpu) {
  const int fd = answer_with_memory(4096);
  const auto region = MemRegion<TensorIo>::allocate(heap(), 4096);
  ASSERT_TRUE(region.has_value());
  {
    const auto access = region->access(qnnpp::CpuUse::write);
  }
  ASSERT_EQ(kernel().syncs.size(), 2u);
  EXPECT_EQ(kernel().syncs[0].fd, fd);
}

TEST_F(dma_heap, ALC_02_that_has_no_memory_says_why) {
  kernel().errors = {ENOMEM};
  const auto buffer = heap().allocate(4096);
  ASSERT_FALSE(buffer.has_value());
  EXPECT_EQ(buffer.error().kind, Errc::allocation_failed);
  EXPECT_EQ(buffer.error().code, ENOMEM);
  EXPECT_EQ(buffer.error().needed, 4096u);
}

TEST_F(dma_heap, ALC_02_memory_that_cannot_be_mapped_is_given_back) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  kernel().heap_fd = ends[0];
  const auto buffer = heap().allocate(4096);
  ASSERT_FALSE(buffer.has_value());
  EXPECT_EQ(buffer.error().kind, Errc::allocation_failed);
  EXPECT_STREQ(buffer.error().step, "mmap");
  EXPECT_EQ(buffer.error().code, EACCES);  // the end for reading
  EXPECT_FALSE(is_open(ends[0]));
  ::close(ends[1]);
}

TEST_F(dma_heap, ALC_02_closes_its_memory_whichever_allocation_fails) {
  std::uint64_t failed = 0;
  for (bool succeeded = false; !succeeded;) {
    kernel() = Kernel();
    const int fd = answer_with_memory(4096);
    try {
      const support::AllocationFault fault(failed + 1);
      succeeded = heap().allocate(4096).has_value();
    } catch (const std::bad_alloc&) {
      ++failed;
    }
    EXPECT_EQ(support::AllocationFault::not_freed(), 0u) << failed;
    // If the kernel was not asked, the descriptor still belongs to the test.
    if (kernel().heap_bytes == 0) ::close(fd);
    EXPECT_FALSE(is_open(fd)) << failed;
  }
  EXPECT_GT(failed, 0u);
}

TEST_F(dma_heap, ORD_09_that_was_moved_from_breaks_a_contract) {
  auto opened = DmaHeapAllocator::open("/dev/null");
  ASSERT_TRUE(opened.has_value());
  const DmaHeapAllocator taken = *std::move(opened);
  EXPECT_CONTRACT(moved_heap, (void)opened->allocate(4096));
  EXPECT_CONTRACT(moved_heap, (void)opened->allocate(0));
}

TEST_F(dma_heap, BUF_09_of_0_bytes_asks_the_kernel_for_nothing) {
  const auto buffer = heap().allocate(0);
  ASSERT_FALSE(buffer.has_value());
  EXPECT_EQ(buffer.error().kind, Errc::empty);
  EXPECT_EQ(kernel().heap_flags, 0u);
}

}  // namespace
