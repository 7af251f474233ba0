// DmaBuffer: adopted memory, which its last user frees once.
#include "qnnpp/memory/dma_buffer.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

#include "../support/contracts.hpp"
#include "counting_allocator.hpp"

namespace dma_buffer_test { namespace {

using memory_test::CountingAllocator;
using memory_test::Counts;
using qnnpp::CpuAccess;
using qnnpp::CpuUse;
using qnnpp::DmaBuffer;
using qnnpp::Errc;
using qnnpp::FdUse;
using qnnpp::MemRegion;
using qnnpp::NativeMemory;
using qnnpp::SharedSpillFill;
using qnnpp::SpillFill;
using qnnpp::TensorIo;

static_assert(!std::is_copy_constructible_v<DmaBuffer> &&
              std::is_nothrow_move_constructible_v<DmaBuffer>);
struct NoAllocator {
  int allocate(std::uint64_t) const;
};
static_assert(!qnnpp::DmaAllocator<NoAllocator> && !qnnpp::DmaAllocator<int>);

/// A file in memory, which the test closes.
class File {
 public:
  explicit File(std::uint64_t bytes) : fd_(::memfd_create("test", MFD_CLOEXEC)) {
    EXPECT_EQ(::ftruncate(fd_, static_cast<off_t>(bytes)), 0);
  }
  File(const File&) = delete;
  ~File() { close(); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] int fd() const { return fd_; }
  /// Gives the descriptor to a buffer, which closes it.
  [[nodiscard]] int give() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

bool says(const qnnpp::Error& error, const std::string& words) {
  return error.message().find(words) != std::string::npos;
}

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

constexpr NativeMemory coherent{.needs_sync = false};
constexpr NativeMemory borrowed{.fd = FdUse::borrow, .needs_sync = false};

CpuAccess opened(const MemRegion<TensorIo>& region) {
  auto access = region.access(CpuUse::read_write);
  EXPECT_TRUE(access.has_value());
  return std::move(access).value();
}

TEST(dma_buffer, BUF_01_of_a_descriptor_and_a_mapping_calls_its_deleter_once_at_the_end) {
  int freed = 0;
  alignas(8) std::byte memory[64];
  {
    auto buffer =
        DmaBuffer::from_native(5, 64, {.fd = FdUse::borrow, .data = memory}, [&freed] { ++freed; });
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(buffer->fd(), 5);
    EXPECT_EQ(buffer->size_bytes(), 64u);
    EXPECT_EQ(qnnpp::detail::Access::block(*buffer)->data(), memory);
    const DmaBuffer moved = std::move(*buffer);
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
}

TEST(dma_buffer, BUF_01_without_a_descriptor_or_bytes_is_an_error_and_stays_the_callers) {
  int freed = 0;
  const auto count = [&freed] { ++freed; };
  File file(4096);
  void* const map_failed = reinterpret_cast<void*>(std::intptr_t{-1});
  EXPECT_EQ(DmaBuffer::from_native(file.fd(), 4096, {.fd = FdUse::take, .data = map_failed}, count)
                .error()
                .kind,
            Errc::allocation_failed);
  EXPECT_EQ(DmaBuffer::from_native(-1, 4096, {}, count).error().kind, Errc::no_file_descriptor);
  EXPECT_EQ(DmaBuffer::from_native(file.fd(), 0, {.fd = FdUse::take}, count).error().kind,
            Errc::empty);
  const auto closed = DmaBuffer::from_native(987654, 4096, {}, count);
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().kind, Errc::no_file_descriptor);
  EXPECT_EQ(closed.error().code, EBADF);
  EXPECT_EQ(freed, 0);
  EXPECT_TRUE(is_open(file.fd()));
}

TEST(dma_buffer, of_a_null_deleter_is_refused_and_stays_the_callers) {
  File file(4096);
  void (*const null)() = nullptr;
  const NativeMemory taken{.fd = FdUse::take};
  for (const auto& buffer :
       {DmaBuffer::from_native(file.fd(), 4096, taken, null),
        DmaBuffer::from_native(file.fd(), 4096, taken, std::function<void()>())}) {
    ASSERT_FALSE(buffer.has_value());
    EXPECT_EQ(buffer.error().kind, Errc::invalid_argument);
    EXPECT_EQ(buffer.error().object, "deleter");
  }
  EXPECT_TRUE(is_open(file.fd()));
}

TEST(dma_buffer, BUF_02_of_an_alignment_that_is_no_power_of_two_is_refused) {
  for (const std::uint64_t alignment : {0u, 3u, 4095u})
    EXPECT_EQ(DmaBuffer::from_native(5, 64, {.fd = FdUse::borrow, .start_alignment = alignment})
                  .error()
                  .kind,
              Errc::invalid_argument);
}

TEST(dma_buffer, takes_any_callable_as_its_deleter) {
  int freed = 0;
  (void)DmaBuffer::from_native(7, 1, borrowed, std::function<void()>([&freed] { ++freed; }));
  EXPECT_EQ(freed, 1);
  auto owned = std::make_unique<int>(3);
  (void)DmaBuffer::from_native(7, 1, borrowed,
                               [&freed, kept = std::move(owned)]() mutable { freed += *kept; });
  EXPECT_EQ(freed, 4);
  static int of_a_function = 0;
  (void)DmaBuffer::from_native(7, 1, borrowed, +[] { ++of_a_function; });
  EXPECT_EQ(of_a_function, 1);
}

TEST(dma_buffer, has_a_descriptor_of_its_own_unless_it_takes_or_borrows_one) {
  File file(4096);
  int duplicate = -1;
  {
    auto buffer = DmaBuffer::from_native(file.fd(), 4096, coherent);
    ASSERT_TRUE(buffer.has_value());
    duplicate = buffer->fd();
    EXPECT_NE(duplicate, file.fd());
    EXPECT_EQ(::fcntl(duplicate, F_GETFD), FD_CLOEXEC);
    file.close();
    const auto region = MemRegion<TensorIo>::from_buffer(std::move(*buffer));
    const CpuAccess access = opened(*region);
    access.bytes()[4095] = std::byte{1};
  }
  EXPECT_FALSE(is_open(duplicate));
}

TEST(dma_buffer, closes_a_descriptor_that_it_took_and_leaves_one_that_it_borrowed) {
  File kept(4096);
  (void)DmaBuffer::from_native(kept.fd(), 4096, borrowed);
  EXPECT_TRUE(is_open(kept.fd()));
  File given(4096);
  const int fd = given.give();
  (void)DmaBuffer::from_native(fd, 4096, {.fd = FdUse::take});
  EXPECT_FALSE(is_open(fd));
}

TEST(dma_buffer, is_mapped_by_the_first_access_and_not_before) {
  const File file(4096);
  auto buffer = DmaBuffer::from_native(file.fd(), 4096, coherent);
  ASSERT_TRUE(buffer.has_value());
  const auto block = qnnpp::detail::Access::block(*buffer);
  const auto region = MemRegion<TensorIo>::from_buffer(std::move(*buffer), 1024);
  ASSERT_TRUE(region.has_value());
  EXPECT_EQ(block->data(), nullptr);
  const CpuAccess first = opened(*region);
  EXPECT_EQ(first.bytes().data(), block->data() + 1024);
  const CpuAccess second = opened(*region);
  EXPECT_EQ(second.bytes().data(), first.bytes().data());
}

TEST(dma_buffer, that_cannot_be_mapped_is_an_error_of_the_access) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  auto buffer = DmaBuffer::from_native(ends[0], 4096, {.fd = FdUse::take, .needs_sync = false});
  ASSERT_TRUE(buffer.has_value()) << "a buffer that only devices use is not mapped";
  const auto region = MemRegion<TensorIo>::from_buffer(std::move(*buffer));
  const auto access = region->access(CpuUse::read);
  ASSERT_FALSE(access.has_value());
  EXPECT_EQ(access.error().kind, Errc::allocation_failed);
  EXPECT_STREQ(access.error().step, "mmap");
  EXPECT_EQ(access.error().code, EACCES);
  ::close(ends[1]);
}

TEST(dma_buffer, whose_file_ends_before_it_is_an_error_of_the_access_instead_of_a_signal) {
  const File file(4096);
  const auto region =
      MemRegion<TensorIo>::from_buffer(DmaBuffer::from_native(file.fd(), 8192, coherent).value());
  const auto access = region->access(CpuUse::read);
  ASSERT_FALSE(access.has_value());
  EXPECT_EQ(access.error().kind, Errc::too_small);
  EXPECT_EQ(access.error().needed, 8192u);
  EXPECT_EQ(access.error().found, 4096u);
}

TEST(dma_buffer, SHB_07_that_is_no_dma_buf_says_how_to_take_it) {
  const File file(4096);
  const auto region =
      MemRegion<TensorIo>::from_buffer(DmaBuffer::from_native(file.fd(), 4096).value());
  const auto access = region->access(CpuUse::read);
  ASSERT_FALSE(access.has_value());
  EXPECT_EQ(access.error().kind, Errc::sync_failed);
  EXPECT_EQ(access.error().code, ENOTTY);
  EXPECT_NE(access.error().message().find("needs_sync = false"), std::string::npos)
      << access.error().message();
}

TEST(dma_buffer, whose_descriptor_can_only_be_read_says_so_at_the_access) {
  const File file(4096);
  const int read_only = ::open(("/proc/self/fd/" + std::to_string(file.fd())).c_str(), O_RDONLY);
  ASSERT_GE(read_only, 0);
  const auto region = MemRegion<TensorIo>::from_buffer(
      DmaBuffer::from_native(read_only, 4096, {.fd = FdUse::take, .needs_sync = false}).value());
  const auto access = region->access(CpuUse::read);
  ASSERT_FALSE(access.has_value());
  EXPECT_EQ(access.error().kind, Errc::allocation_failed);
  EXPECT_EQ(access.error().code, EACCES);
  EXPECT_NE(access.error().message().find("reading and writing"), std::string::npos)
      << access.error().message();
}

TEST(dma_buffer, is_mapped_once_by_threads_that_open_it_at_the_same_time) {
  const File file(4096);
  const auto region =
      MemRegion<TensorIo>::from_buffer(DmaBuffer::from_native(file.fd(), 4096, coherent).value());
  std::atomic<int> ready = 0;
  std::byte* seen[4] = {};
  std::vector<std::thread> threads;
  for (std::byte*& data : seen)
    threads.emplace_back([&] {
      for (++ready; ready != 4;) std::this_thread::yield();
      const CpuAccess access = opened(*region);
      data = access.bytes().data();
    });
  for (std::thread& thread : threads) thread.join();
  for (std::byte* const data : seen) EXPECT_EQ(data, seen[0]);
}

TEST(dma_buffer, SHB_05_of_one_memory_is_known_by_every_descriptor_of_it) {
  const File one(4096);
  const File other(4096);
  const auto id_of = [](int fd, FdUse use) {
    const auto buffer = DmaBuffer::from_native(fd, 4096, {.fd = use, .needs_sync = false}).value();
    return qnnpp::detail::Access::block(buffer)->id;
  };
  EXPECT_EQ(id_of(one.fd(), FdUse::duplicate), id_of(one.fd(), FdUse::borrow));
  EXPECT_NE(id_of(one.fd(), FdUse::borrow), id_of(other.fd(), FdUse::borrow));
  // A descriptor that is not open, or whose inode all files of its kind share, is identified by its
  // number.
  EXPECT_NE(id_of(987654, FdUse::borrow), id_of(987655, FdUse::borrow));
  const int events[2] = {::eventfd(0, EFD_CLOEXEC), ::eventfd(0, EFD_CLOEXEC)};
  EXPECT_EQ(id_of(events[0], FdUse::duplicate), id_of(events[0], FdUse::borrow));
  EXPECT_NE(id_of(events[0], FdUse::take), id_of(events[1], FdUse::take));
}

TEST(dma_buffer, SHB_05_that_shares_its_inode_with_all_others_is_known_by_the_descriptor_lent) {
  // All eventfds share one inode, as all dma-bufs did before Linux 5.3.
  const int event = ::eventfd(0, EFD_CLOEXEC);
  const auto pool_of = [event] {
    return SharedSpillFill::from_region(
        MemRegion<SpillFill>::from_buffer(DmaBuffer::from_native(event, 4096, coherent).value())
            .value());
  };
  const auto one = pool_of();
  const auto same = pool_of();
  const auto lease = one.lease();
  ASSERT_TRUE(lease.has_value());
  EXPECT_EQ(same.lease().error().kind, Errc::would_deadlock) << "both have one lock";
  ::close(event);
}

TEST(dma_buffer, without_a_free_descriptor_is_an_allocation_that_failed) {
  const File file(4096);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  // The limit permits no descriptor from the lowest free number on.
  const int free_fd = ::dup(file.fd());
  ::close(free_fd);
  rlimit limit = before;
  limit.rlim_cur = static_cast<rlim_t>(free_fd);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  const auto buffer = DmaBuffer::from_native(file.fd(), 4096);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(buffer.has_value());
  EXPECT_EQ(buffer.error().kind, Errc::allocation_failed);
  EXPECT_EQ(buffer.error().code, EMFILE);
  EXPECT_TRUE(says(buffer.error(), "RLIMIT_NOFILE")) << buffer.error().message();
}

TEST(dma_buffer, of_a_descriptor_that_is_not_open_says_which) {
  for (const int fd : {-1, 987654}) {
    const qnnpp::Error error = DmaBuffer::from_native(fd, 4096).error();
    EXPECT_EQ(error.kind, Errc::no_file_descriptor);
    EXPECT_EQ(error.code, EBADF);
    EXPECT_TRUE(says(error, "file descriptor " + std::to_string(fd))) << error.message();
    EXPECT_TRUE(says(error, "give a descriptor that is open (errno 9")) << error.message();
  }
}

TEST(dma_buffer, of_a_file_without_memory_says_so_at_the_access) {
  const int fd = ::open("/proc/self/comm", O_RDWR | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  const auto region = MemRegion<TensorIo>::from_buffer(
      DmaBuffer::from_native(fd, 4096, {.fd = FdUse::take, .needs_sync = false}).value());
  const auto access = region->access(CpuUse::read);
  ASSERT_FALSE(access.has_value());
  EXPECT_EQ(access.error().kind, Errc::allocation_failed);
  EXPECT_TRUE(says(access.error(), "its file has no memory")) << access.error().message();
  EXPECT_FALSE(says(access.error(), "free")) << access.error().message();
}

TEST(dma_buffer, BUF_06_is_not_freed_while_something_uses_it) {
  Counts counts;
  auto buffer = CountingAllocator(counts).allocate(4096);
  ASSERT_TRUE(buffer.has_value());
  std::optional user = qnnpp::detail::Access::block(*buffer);
  {
    const DmaBuffer gone = std::move(*buffer);
  }
  EXPECT_EQ(counts.freed, 0);
  user.reset();
  EXPECT_EQ(counts.freed, 1);
}

TEST(dma_buffer, is_freed_now_when_another_is_assigned_to_it) {
  Counts first;
  Counts second;
  auto buffer = CountingAllocator(first).allocate(1);
  ASSERT_TRUE(buffer.has_value());
  *buffer = std::move(CountingAllocator(second).allocate(2).value());
  EXPECT_EQ(first.freed, 1);
  EXPECT_EQ(second.freed, 0);
  EXPECT_EQ(buffer->size_bytes(), 2u);
}

TEST(dma_buffer, ORD_09_that_was_moved_from_breaks_a_contract) {
  Counts counts;
  auto buffer = CountingAllocator(counts).allocate(1);
  ASSERT_TRUE(buffer.has_value());
  const DmaBuffer taken = std::move(*buffer);
  EXPECT_CONTRACT(moved_dma_buffer, (void)buffer->fd());
  EXPECT_CONTRACT(moved_dma_buffer, (void)buffer->size_bytes());
}

}}  // namespace dma_buffer_test
