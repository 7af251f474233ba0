// RpcmemAllocator on the simulated libcdsprpc.so, which allocates real memory.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

#include <climits>

#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/sim/control.hpp"

namespace {

using qnnpp::Errc;
using qnnpp::MemRegion;
using qnnpp::RpcmemAllocator;
using qnnpp::TensorIo;
using qnnpp::sim::RpcmemCall;
using qnnpp::sim::RpcmemFailure;

constexpr const char* path = QNNPP_SIM_DIR "/libcdsprpc.so";

class simulated_rpcmem : public ::testing::Test {
 protected:
  void SetUp() override {
    control = qnnpp::sim::RpcmemControl::from(::dlopen(path, RTLD_NOW | RTLD_LOCAL));
    ASSERT_TRUE(control);
    control.clear_faults();
    control.reset_counters();
  }
  void TearDown() override {
    control.clear_faults();
    const auto counters = control.counters();
    EXPECT_EQ(counters.live_allocations, 0u);
    EXPECT_EQ(counters.live_fds, 0u);
    EXPECT_EQ(counters.ignored_frees, 0u);
    EXPECT_EQ(counters.refused_to_fd, 0u);
  }

  qnnpp::sim::RpcmemControl control;
};

TEST_F(simulated_rpcmem, BUF_01_gives_memory_that_others_can_map_by_its_descriptor) {
  const auto allocator = RpcmemAllocator::load(path);
  ASSERT_TRUE(allocator.has_value());
  const auto region = MemRegion<TensorIo>::allocate(*allocator, 6000);
  ASSERT_TRUE(region.has_value());
  EXPECT_EQ(control.counters().live_allocations, 1u);
  const auto access = region->access(qnnpp::CpuUse::write);
  ASSERT_TRUE(access.has_value());
  std::memset(access->bytes().data(), 0x5A, access->bytes().size());
  void* again = ::mmap(nullptr, 6000, PROT_READ, MAP_SHARED, region->fd(), 0);
  ASSERT_NE(again, MAP_FAILED);
  EXPECT_EQ(std::memcmp(again, access->bytes().data(), 6000), 0);
  ::munmap(again, 6000);
}

TEST_F(simulated_rpcmem, ALC_02_leaks_nothing_whichever_call_fails) {
  const auto allocator = RpcmemAllocator::load(path);
  ASSERT_TRUE(allocator.has_value());
  control.fail_call(RpcmemCall::alloc2, 1, false, RpcmemFailure::null);
  EXPECT_EQ(allocator->allocate(4096).error().kind, Errc::allocation_failed);
  control.fail_call(RpcmemCall::alloc2, 1, false, RpcmemFailure::map_failed);
  EXPECT_EQ(allocator->allocate(4096).error().kind, Errc::allocation_failed);
  control.fail_call(RpcmemCall::to_fd, 1);
  EXPECT_EQ(allocator->allocate(4096).error().kind, Errc::no_file_descriptor);
  EXPECT_EQ(control.counters().live_allocations, 0u);
  EXPECT_TRUE(allocator->allocate(4096).has_value());
}

TEST_F(simulated_rpcmem, ALC_01_without_alloc2_gives_small_buffers_and_refuses_large_ones) {
  const auto allocator = RpcmemAllocator::load(QNNPP_SIM_DIR "/no_alloc2/libcdsprpc.so");
  ASSERT_TRUE(allocator.has_value());
  EXPECT_TRUE(allocator->allocate(4096).has_value());
  const auto large = allocator->allocate(std::uint64_t{INT_MAX} + 1);
  ASSERT_FALSE(large.has_value());
  EXPECT_EQ(large.error().kind, Errc::too_large);
}

}  // namespace
