// CpuAccess: the syncs before and after the CPU uses cached memory.
#include "qnnpp/memory/cpu_access.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/error.hpp"

#include "kernel.hpp"

namespace {

using memory_test::kernel;
using memory_test::Kernel;
using memory_test::sync_end;
using memory_test::sync_start;
using qnnpp::CpuAccess;
using qnnpp::CpuUse;
using qnnpp::Errc;
using qnnpp::Ref;
using qnnpp::Result;
using qnnpp::detail::DmaBlock;
using Syncs = std::vector<Kernel::Sync>;

static_assert(!std::is_copy_constructible_v<CpuAccess> &&
              std::is_nothrow_move_constructible_v<CpuAccess>);

/// Number of syncs before the memory was freed; -1 until then.
int syncs_before_free = -1;

class cpu_access : public ::testing::Test {
 protected:
  void SetUp() override {
    kernel() = Kernel();
    syncs_before_free = -1;
  }
  static Ref<DmaBlock> memory(int fd, bool needs_sync) {
    static std::byte nothing[4096];
    auto block = Ref<DmaBlock>::make(sizeof(nothing));
    block->adopt(fd, false, nothing);
    block->needs_sync = needs_sync;
    block->free = [](DmaBlock&) noexcept {
      syncs_before_free = static_cast<int>(kernel().syncs.size());
    };
    return block;
  }
  static const Syncs& syncs() { return kernel().syncs; }
  /// Returns an access that has begun.
  static CpuAccess begun(Ref<DmaBlock> memory, CpuUse use) {
    auto access = CpuAccess::begin(std::move(memory), use, 0, 4096);
    EXPECT_TRUE(access.has_value());
    return std::move(access).value();
  }
};

TEST_F(cpu_access, SHB_07_to_cached_memory_is_bracketed_by_sync) {
  constexpr std::pair<CpuUse, std::uint64_t> uses[] = {{CpuUse::read, DMA_BUF_SYNC_READ},
                                                       {CpuUse::write, DMA_BUF_SYNC_WRITE},
                                                       {CpuUse::read_write, DMA_BUF_SYNC_RW}};
  for (const auto& [use, flags] : uses) {
    kernel() = Kernel();
    {
      const CpuAccess access = begun(memory(7, true), use);
      EXPECT_EQ(syncs(), (Syncs{{7, sync_start | flags}}));
    }
    EXPECT_EQ(syncs(), (Syncs{{7, sync_start | flags}, {7, sync_end | flags}}));
  }
}

TEST_F(cpu_access, SHB_07_to_coherent_memory_calls_nothing) {
  CpuAccess access = begun(memory(7, false), CpuUse::read_write);
  EXPECT_TRUE(std::move(access).end().has_value());
  {
    const CpuAccess silent = begun(memory(8, false), CpuUse::read);
  }
  EXPECT_TRUE(syncs().empty());
}

TEST_F(cpu_access, to_no_memory_calls_nothing) {
  CpuAccess access = begun({}, CpuUse::read);
  EXPECT_TRUE(std::move(access).end().has_value());
  EXPECT_TRUE(syncs().empty());
}

TEST_F(cpu_access, ends_now_and_never_again) {
  {
    CpuAccess access = begun(memory(7, true), CpuUse::read);
    EXPECT_TRUE(std::move(access).end().has_value());
    EXPECT_EQ(syncs().size(), 2u);
    EXPECT_NE(syncs_before_free, -1) << "its memory goes with its end";
  }
  EXPECT_EQ(syncs().size(), 2u);
}

TEST_F(cpu_access, keeps_its_memory_until_it_has_ended) {
  for (const bool needs_sync : {true, false}) {
    kernel() = Kernel();
    syncs_before_free = -1;
    {
      const CpuAccess access = begun(memory(7, needs_sync), CpuUse::read);
      EXPECT_EQ(syncs_before_free, -1);
    }
    EXPECT_EQ(syncs_before_free, needs_sync ? 2 : 0);
  }
}

TEST_F(cpu_access, moved_to_another_ends_once) {
  {
    CpuAccess access = begun(memory(7, true), CpuUse::read);
    const CpuAccess other = std::move(access);
    EXPECT_EQ(syncs().size(), 1u);
  }
  EXPECT_EQ(syncs().size(), 2u);
}

TEST_F(cpu_access, assigned_to_another_ends_the_old_one_before_its_memory_goes) {
  {
    CpuAccess access = begun(memory(7, true), CpuUse::read);
    CpuAccess other = begun(memory(8, true), CpuUse::write);
    access = std::move(other);
    EXPECT_EQ(syncs(), (Syncs{{7, sync_start | DMA_BUF_SYNC_READ},
                              {8, sync_start | DMA_BUF_SYNC_WRITE},
                              {7, sync_end | DMA_BUF_SYNC_READ}}));
    EXPECT_EQ(syncs_before_free, 3);
  }
  EXPECT_EQ(syncs().size(), 4u);
  EXPECT_EQ(syncs().back(), (Kernel::Sync{8, sync_end | DMA_BUF_SYNC_WRITE}));
}

TEST_F(cpu_access, SHB_07_tries_an_interrupted_sync_again) {
  kernel().errors = {EINTR, EAGAIN, 0, EINTR, 0};
  {
    CpuAccess access = begun(memory(7, true), CpuUse::read);
    EXPECT_EQ(syncs().size(), 3u);
    EXPECT_TRUE(std::move(access).end().has_value());
  }
  EXPECT_EQ(syncs().size(), 5u);
}

TEST_F(cpu_access, SHB_07_that_the_kernel_refuses_is_an_error_and_not_ended) {
  kernel().errors = {ENOTTY};
  {
    const auto access = CpuAccess::begin(memory(7, true), CpuUse::read, 0, 4096);
    ASSERT_FALSE(access.has_value());
    EXPECT_EQ(access.error().kind, Errc::sync_failed);
    EXPECT_EQ(access.error().code, ENOTTY);
    EXPECT_STREQ(access.error().step, "DMA_BUF_IOCTL_SYNC");
    EXPECT_NE(access.error().object.find("7"), std::string::npos);
    EXPECT_EQ(syncs_before_free, 1) << "nothing is kept";
  }
  EXPECT_EQ(syncs().size(), 1u);
}

TEST_F(cpu_access, SHB_07_tells_why_it_could_not_end_and_does_not_end_again) {
  {
    CpuAccess access = begun(memory(7, true), CpuUse::read);
    kernel().errors = {EBADF};
    const Result<void> ended = std::move(access).end();
    ASSERT_FALSE(ended.has_value());
    EXPECT_EQ(ended.error().kind, Errc::sync_failed);
    EXPECT_EQ(ended.error().code, EBADF);
    EXPECT_NE(ended.error().object.find("7"), std::string::npos);
  }
  EXPECT_EQ(syncs().size(), 2u);
}

TEST_F(cpu_access, two_of_one_memory_are_each_bracketed) {
  const auto shared = memory(7, true);
  {
    const CpuAccess first = begun(shared, CpuUse::read);
    const CpuAccess second = begun(shared, CpuUse::write);
  }
  EXPECT_EQ(syncs(), (Syncs{{7, sync_start | DMA_BUF_SYNC_READ},
                            {7, sync_start | DMA_BUF_SYNC_WRITE},
                            {7, sync_end | DMA_BUF_SYNC_WRITE},
                            {7, sync_end | DMA_BUF_SYNC_READ}}));
  EXPECT_EQ(syncs_before_free, -1);
}

}  // namespace
