// The CPU's access to tensors: which memory is synchronised, and when.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

#include "../support/contracts.hpp"
#include "kernel.hpp"
#include "tracking_allocator.hpp"

namespace {

using memory_test::Kernel;
using memory_test::kernel;
using memory_test::sync_end;
using memory_test::sync_start;
using memory_test::Track;
using memory_test::TrackingAllocator;
using qnnpp::CpuUse;
using qnnpp::DmaBuf;
using qnnpp::Errc;
using qnnpp::MemRegion;
using qnnpp::MultiTensor;
using qnnpp::PerTensor;
using qnnpp::SharedBuffer;
using qnnpp::TensorAccess;
using qnnpp::TensorIo;
using qnnpp::TensorSpec;
using Syncs = std::vector<Kernel::Sync>;

const std::vector<TensorSpec>& two_tensors() {
  static const std::vector<TensorSpec> specs{{.name = "x", .dimensions = {4}},
                                             {.name = "y", .dimensions = {4}}};
  return specs;
}

class tensor_access : public testing::Test {
 protected:
  void SetUp() override {
    kernel() = Kernel();
    track.needs_sync = true;
  }
  void TearDown() override { EXPECT_EQ(track.live, 0); }

  template <class Form>
  SharedBuffer<Form> allocate() {
    auto buffer = SharedBuffer<Form>::allocate(TrackingAllocator(track), two_tensors());
    EXPECT_TRUE(buffer.has_value());
    return std::move(buffer).value();
  }
  static const Syncs& syncs() { return kernel().syncs; }

  Track track;
};

TEST_F(tensor_access, SHB_07_to_a_tensor_of_its_own_buffer_syncs_that_buffer_alone) {
  const auto buffer = allocate<PerTensor>();
  const int fd = qnnpp::detail::Access::block(buffer)->memory[1]->fd;
  {
    const auto access = buffer.access("y", CpuUse::write);
    ASSERT_TRUE(access.has_value());
    EXPECT_EQ(syncs(), (Syncs{{fd, sync_start | DMA_BUF_SYNC_WRITE}}));
  }
  EXPECT_EQ(syncs(),
            (Syncs{{fd, sync_start | DMA_BUF_SYNC_WRITE}, {fd, sync_end | DMA_BUF_SYNC_WRITE}}));
}

TEST_F(tensor_access, SHB_07_to_a_dma_buf_syncs_it) {
  const auto buffer = allocate<DmaBuf>();
  const int fd = qnnpp::detail::Access::block(buffer)->memory[0]->fd;
  {
    const auto access = buffer.access("x", CpuUse::read);
  }
  EXPECT_EQ(syncs(),
            (Syncs{{fd, sync_start | DMA_BUF_SYNC_READ}, {fd, sync_end | DMA_BUF_SYNC_READ}}));
}

TEST_F(tensor_access, SHB_07_to_one_of_many_tensors_syncs_the_buffer_of_all) {
  const auto buffer = allocate<MultiTensor>();
  const int fd = qnnpp::detail::Access::block(buffer)->memory[0]->fd;
  {
    const auto access = buffer.access("y", CpuUse::read_write);
  }
  EXPECT_EQ(syncs(), (Syncs{{fd, sync_start | DMA_BUF_SYNC_RW}, {fd, sync_end | DMA_BUF_SYNC_RW}}));
}

TEST_F(tensor_access, SHB_07_to_the_whole_buffer_syncs_it_once) {
  const auto buffer = allocate<MultiTensor>();
  const int fd = qnnpp::detail::Access::block(buffer)->memory[0]->fd;
  {
    auto access = buffer.access(CpuUse::read);
    ASSERT_TRUE(access.has_value());
    EXPECT_TRUE(std::move(*access).end().has_value());
    EXPECT_EQ(syncs().size(), 2u);
  }
  EXPECT_EQ(syncs(),
            (Syncs{{fd, sync_start | DMA_BUF_SYNC_READ}, {fd, sync_end | DMA_BUF_SYNC_READ}}));
}

TEST_F(tensor_access, SHB_07_to_a_region_syncs_its_buffer) {
  const auto region = MemRegion<TensorIo>::allocate(TrackingAllocator(track), 64);
  ASSERT_TRUE(region.has_value());
  {
    const auto access = region->access(CpuUse::write);
  }
  EXPECT_EQ(syncs(), (Syncs{{region->fd(), sync_start | DMA_BUF_SYNC_WRITE},
                            {region->fd(), sync_end | DMA_BUF_SYNC_WRITE}}));
}

TEST_F(tensor_access, SHB_07_to_coherent_memory_calls_nothing) {
  track.needs_sync = false;
  const auto each = allocate<PerTensor>();
  const auto all = allocate<MultiTensor>();
  {
    const auto first = each.access("x", CpuUse::read_write);
    const auto second = all.access("x", CpuUse::read_write);
    const auto third = all.access(CpuUse::read_write);
    EXPECT_TRUE(first.has_value() && second.has_value() && third.has_value());
  }
  EXPECT_TRUE(syncs().empty());
}

TEST_F(tensor_access, SHB_07_that_the_kernel_refuses_is_an_error_with_its_reason) {
  const auto each = allocate<PerTensor>();
  const auto all = allocate<MultiTensor>();
  kernel().errors = {EIO, EIO, EIO};
  for (const auto& access : {each.access("x", CpuUse::read), all.access("x", CpuUse::read)}) {
    ASSERT_FALSE(access.has_value());
    EXPECT_EQ(access.error().kind, Errc::sync_failed);
    EXPECT_EQ(access.error().code, EIO);
  }
  EXPECT_EQ(all.access(CpuUse::read).error().kind, Errc::sync_failed);
  EXPECT_EQ(syncs().size(), 3u) << "what did not begin does not end";
}

TEST_F(tensor_access, to_a_tensor_keeps_its_memory_until_the_end) {
  auto buffer = std::optional(allocate<PerTensor>());
  auto access = std::optional(buffer->access("x", CpuUse::write));
  ASSERT_TRUE(access->has_value());
  buffer.reset();
  EXPECT_EQ(track.live, 1) << "the other tensor's memory is gone";
  access.reset();
  EXPECT_EQ(syncs().size(), 2u);
}

TEST_F(tensor_access, SHB_07_by_type_gives_the_elements_between_start_and_end) {
  const auto buffer = allocate<MultiTensor>();
  const int fd = qnnpp::detail::Access::block(buffer)->memory[0]->fd;
  {
    const auto x = buffer.access<float>("x", CpuUse::write);
    ASSERT_TRUE(x.has_value());
    EXPECT_EQ(syncs(), (Syncs{{fd, sync_start | DMA_BUF_SYNC_WRITE}}));
    ASSERT_EQ(x->size(), 4u);
    std::iota(x->elements().begin(), x->elements().end(), 1.0f);
    (*x)[3] = 9.0f;
  }
  EXPECT_EQ(syncs(),
            (Syncs{{fd, sync_start | DMA_BUF_SYNC_WRITE}, {fd, sync_end | DMA_BUF_SYNC_WRITE}}));
  const auto read = buffer.access<const float>("x", CpuUse::read);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(std::vector<float>(read->elements().begin(), read->elements().end()),
            (std::vector<float>{1, 2, 3, 9}));
}

TEST_F(tensor_access, SHB_07_by_type_that_is_closed_ends_once_and_says_what_failed) {
  const auto buffer = allocate<MultiTensor>();
  auto x = buffer.access<float>("x", CpuUse::write);
  ASSERT_TRUE(x.has_value());
  kernel().errors = {EIO};
  const auto closed = std::move(*x).close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().kind, Errc::sync_failed);
  EXPECT_EQ(syncs().size(), 2u) << "a start and its end";
}

static_assert(!std::ranges::range<qnnpp::TensorAccess<float>>,
              "a span or a loop over a temporary would outlive the access");
static_assert(!std::is_convertible_v<qnnpp::TensorAccess<float>, std::span<const float>>);

TEST_F(tensor_access, SHB_07_by_copies_of_all_elements_begins_and_ends_with_each) {
  const auto buffer = allocate<MultiTensor>();
  const int fd = qnnpp::detail::Access::block(buffer)->memory[0]->fd;
  const std::array<float, 4> values{1, 2, 3, 4};
  EXPECT_TRUE(write_elements(buffer.access<float>("x", CpuUse::write), values).has_value());
  std::vector<float> read(4);
  EXPECT_TRUE(read_elements(buffer.access<const float>("x", CpuUse::read), read).has_value());
  EXPECT_EQ(read, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(syncs(), (Syncs{{fd, sync_start | DMA_BUF_SYNC_WRITE},
                            {fd, sync_end | DMA_BUF_SYNC_WRITE},
                            {fd, sync_start | DMA_BUF_SYNC_READ},
                            {fd, sync_end | DMA_BUF_SYNC_READ}}));
  auto y = buffer.access<float>("y", CpuUse::read_write);
  EXPECT_TRUE(write_elements(std::move(*y), read).has_value()) << "an access without its Result";
  auto again = buffer.access<float>("y", CpuUse::read_write);
  std::ranges::fill(read, 0.0f);
  EXPECT_TRUE(read_elements(std::move(*again), read).has_value());
  EXPECT_EQ(read[3], 4.0f);
}

TEST_F(tensor_access, by_copies_of_another_count_copies_nothing_and_names_the_tensor) {
  const auto buffer = allocate<MultiTensor>();
  std::vector<float> four(4, 1.0f);
  ASSERT_TRUE(write_elements(buffer.access<float>("x", CpuUse::write), four).has_value());
  for (const std::size_t count : {0u, 3u, 5u}) {
    std::vector<float> values(count, 9.0f);
    const auto written = write_elements(buffer.access<float>("x", CpuUse::write), values);
    const auto read = read_elements(buffer.access<const float>("x", CpuUse::read), values);
    for (const auto& copied : {written, read}) {
      ASSERT_FALSE(copied.has_value());
      EXPECT_EQ(copied.error().kind, Errc::size_mismatch);
      EXPECT_EQ(copied.error().object, "x");
      EXPECT_EQ(copied.error().needed, 16u);
      EXPECT_EQ(copied.error().found, 4 * count);
      EXPECT_NE(copied.error().message().find("the tensor has 4 elements, " +
                                              std::to_string(count) + " were given"),
                std::string::npos)
          << copied.error().message();
    }
    EXPECT_EQ(values, std::vector<float>(count, 9.0f));
  }
  EXPECT_TRUE(read_elements(buffer.access<const float>("x", CpuUse::read), four).has_value());
  EXPECT_EQ(four, std::vector<float>(4, 1.0f));
  EXPECT_EQ(syncs().size() % 2, 0u) << "each start has its end";
}

TEST_F(tensor_access, SHB_07_by_copies_passes_errors_on_from_the_start_and_from_the_end) {
  const auto buffer = allocate<MultiTensor>();
  std::vector<float> values(4);
  EXPECT_EQ(write_elements(buffer.access<float>("z", CpuUse::write), values).error().kind,
            Errc::unknown_name);
  EXPECT_EQ(read_elements(buffer.access<const float>("z", CpuUse::read), values).error().kind,
            Errc::unknown_name);
  EXPECT_TRUE(syncs().empty());
  kernel().errors = {0, EIO};
  const auto written = write_elements(buffer.access<float>("x", CpuUse::write), values);
  EXPECT_EQ(written.error().kind, Errc::sync_failed);
  EXPECT_EQ(written.error().code, EIO);
  kernel().errors = {0, EIO};
  EXPECT_EQ(read_elements(buffer.access<const float>("x", CpuUse::read), values).error().kind,
            Errc::sync_failed);
}

TEST_F(tensor_access, ORD_09_by_type_gives_nothing_after_a_move_or_beyond_its_end) {
  const auto buffer = allocate<MultiTensor>();
  auto x = std::move(*buffer.access<float>("x", CpuUse::write));
  EXPECT_CONTRACT(outside_tensor, x[4] = 1.0f);
  const auto moved = std::move(x);
  EXPECT_CONTRACT(closed_access, x[0] = 1.0f);
  EXPECT_CONTRACT(closed_access, (void)x.elements());
  EXPECT_EQ(moved.size(), 4u);
}

template <class Access>
using ElementOf = decltype(std::declval<Access>()[0]);
static_assert(std::is_same_v<ElementOf<const TensorAccess<float>&>, float&>);
static_assert(std::is_same_v<ElementOf<TensorAccess<float>>, float>);
static_assert(std::is_same_v<ElementOf<TensorAccess<const float>>, float>);

TEST_F(tensor_access, of_a_temporary_gives_a_copy_of_its_element) {
  const auto buffer = allocate<MultiTensor>();
  const std::vector<float> values{1, 2, 3, 4};
  ASSERT_TRUE(write_elements(buffer.access<float>("x", CpuUse::write), values).has_value());
  const auto& third = (*buffer.access<const float>("x", CpuUse::read))[2];
  ASSERT_TRUE(
      write_elements(buffer.access<float>("x", CpuUse::write), std::vector<float>(4)).has_value());
  EXPECT_EQ(third, 3.0f) << "it outlives the access";
}

TEST_F(tensor_access, by_type_that_the_kernel_refuses_gives_no_elements) {
  const auto buffer = allocate<PerTensor>();
  kernel().errors = {EIO};
  EXPECT_EQ(buffer.access<float>("x", CpuUse::write).error().kind, Errc::sync_failed);
}

TEST_F(tensor_access, by_another_type_or_name_calls_nothing) {
  const auto buffer = allocate<PerTensor>();
  EXPECT_EQ(buffer.access<std::int32_t>("x", CpuUse::read).error().kind, Errc::type_mismatch);
  EXPECT_EQ(buffer.access<float>("z", CpuUse::read).error().kind, Errc::unknown_name);
  EXPECT_EQ(buffer.access<std::byte>("x", CpuUse::read)->size(), 16u);
  EXPECT_EQ(syncs().size(), 2u) << "those of the bytes";
}

TEST_F(tensor_access, by_type_keeps_the_memory_until_the_end) {
  auto buffer = std::optional(allocate<MultiTensor>());
  auto access = std::optional(buffer->access<float>("x", CpuUse::write));
  ASSERT_TRUE(access->has_value());
  buffer.reset();
  EXPECT_EQ(track.live, 1);
  (**access)[0] = 1.0f;
  access.reset();
  EXPECT_EQ(syncs().size(), 2u);
}

TEST_F(tensor_access, SHB_07_to_memory_of_the_application_syncs_its_own_descriptor) {
  const int frame = ::memfd_create("frame", MFD_CLOEXEC);
  ASSERT_EQ(::ftruncate(frame, 4096), 0);
  const auto region =
      MemRegion<TensorIo>::from_buffer(qnnpp::DmaBuffer::from_native(frame, 4096).value());
  ::close(frame);
  {
    const auto access = region->access(CpuUse::read);
    ASSERT_TRUE(access.has_value());
    EXPECT_EQ(access->bytes().size(), 4096u);
  }
  EXPECT_EQ(syncs(), (Syncs{{region->fd(), sync_start | DMA_BUF_SYNC_READ},
                            {region->fd(), sync_end | DMA_BUF_SYNC_READ}}));
}

TEST_F(tensor_access, by_indices_is_good_until_it_ends) {
  const auto buffer = allocate<MultiTensor>();
  auto x = buffer.access<float>("x", CpuUse::write);
  ASSERT_TRUE(x.has_value());
  const auto view = x->view<1>();
  ASSERT_TRUE(view.has_value());
  (*view)(2) = 5.0f;
  EXPECT_EQ((*x)[2], 5.0f);
  EXPECT_EQ(x->view<2>().error().kind, Errc::shape_mismatch);
  EXPECT_TRUE(std::move(*x).close().has_value());
  EXPECT_CONTRACT(closed_access, (void)x->view<1>());
}

TEST_F(tensor_access, to_bytes_has_none_after_its_end_or_a_move) {
  const auto buffer = allocate<MultiTensor>();
  auto all = buffer.access(CpuUse::read);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->bytes().size(), buffer.size_bytes());
  auto moved = std::move(*all);
  EXPECT_TRUE(all->bytes().empty());
  EXPECT_EQ(moved.bytes().size(), buffer.size_bytes());
  EXPECT_TRUE(std::move(moved).end().has_value());
  EXPECT_TRUE(moved.bytes().empty());
  const auto y = buffer.access("y", CpuUse::read);
  EXPECT_EQ(y->bytes().size(), 16u);
}

TEST_F(tensor_access, of_an_unknown_name_calls_nothing) {
  const auto buffer = allocate<PerTensor>();
  EXPECT_EQ(buffer.access("z", CpuUse::read).error().kind, Errc::unknown_name);
  EXPECT_TRUE(syncs().empty());
}

}  // namespace
