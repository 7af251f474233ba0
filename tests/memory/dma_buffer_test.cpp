// DmaBuffer: memory that was taken over, freed once by the last that uses it.
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/core/detail/access.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "../support/contracts.hpp"
#include "counting_allocator.hpp"

namespace {

using memory_test::CountingAllocator;
using memory_test::Counts;
using qnnpp::DmaBuffer;
using qnnpp::Errc;

static_assert(!std::is_copy_constructible_v<DmaBuffer> &&
              std::is_nothrow_move_constructible_v<DmaBuffer>);
struct NoAllocator {
  int allocate(std::uint64_t) const;
};
static_assert(!qnnpp::DmaAllocator<NoAllocator> && !qnnpp::DmaAllocator<int>);

struct Freed {
  int times = 0;
  void* data = nullptr;
  int fd = -1;
  std::uint64_t size_bytes = 0;
};

void note(const qnnpp::detail::DmaBlock& block) noexcept {
  auto& freed = *static_cast<Freed*>(block.owner);
  ++freed.times;
  freed.data = block.data;
  freed.fd = block.fd;
  freed.size_bytes = block.size_bytes;
}

TEST(dma_buffer, BUF_01_of_a_mapping_and_a_descriptor_is_freed_once_with_both) {
  Freed freed;
  int memory = 0;
  {
    const auto buffer = DmaBuffer::from_native(&memory, 5, 4096, &note, &freed);
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(buffer->fd(), 5);
    EXPECT_EQ(buffer->size_bytes(), 4096u);
    EXPECT_EQ(freed.times, 0);
  }
  EXPECT_EQ(freed.times, 1);
  EXPECT_EQ(freed.data, &memory);
  EXPECT_EQ(freed.fd, 5);
  EXPECT_EQ(freed.size_bytes, 4096u);
}

TEST(dma_buffer, BUF_01_without_a_mapping_or_a_descriptor_is_an_error_and_stays_the_callers) {
  Freed freed;
  int memory = 0;
  EXPECT_EQ(DmaBuffer::from_native(nullptr, 5, 4096, &note, &freed).error().kind,
            Errc::allocation_failed);
  void* const map_failed = reinterpret_cast<void*>(std::intptr_t{-1});
  EXPECT_EQ(DmaBuffer::from_native(map_failed, 5, 4096, &note, &freed).error().kind,
            Errc::allocation_failed);
  EXPECT_EQ(DmaBuffer::from_native(&memory, -1, 4096, &note, &freed).error().kind,
            Errc::no_file_descriptor);
  EXPECT_EQ(DmaBuffer::from_native(&memory, 5, 0, &note, &freed).error().kind, Errc::empty);
  EXPECT_EQ(freed.times, 0);
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

}  // namespace
