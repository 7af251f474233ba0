// RpcmemAllocator: which function is called with which arguments, and what is released after a
// failure.
#include "qnnpp/memory/rpcmem_allocator.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <climits>

#include "qnnpp/core/detail/access.hpp"

#include "../support/contracts.hpp"
#include "fakes/rpcmem.hpp"

namespace {

using fakes::Answer;
using qnnpp::DmaBuffer;
using qnnpp::Errc;
using qnnpp::Result;
using qnnpp::RpcmemAllocator;

constexpr std::uint64_t int_max = INT_MAX;

/// An allocator over a fake library, and the record of that library.
class rpcmem_allocator : public ::testing::Test {
 protected:
  static constexpr const char* with_alloc2 = FAKES_DIR "fake_rpcmem.so";
  static constexpr const char* without_alloc2 = FAKES_DIR "fake_rpcmem_without_alloc2.so";

  void open(const char* path) {
    close();
    library_ = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    fake = reinterpret_cast<fakes::RpcmemControlFn>(::dlsym(library_, "fake_rpcmem_control"))();
    *fake = fakes::RpcmemControl();
    auto loaded = RpcmemAllocator::load(path);
    ASSERT_TRUE(loaded.has_value());
    allocator_.emplace(std::move(*loaded));
  }
  void TearDown() override { close(); }

  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    return allocator_->allocate(bytes);
  }
  [[nodiscard]] RpcmemAllocator& allocator() { return *allocator_; }
  [[nodiscard]] int allocations() const { return fake->alloc_calls + fake->alloc2_calls; }

  void close() {
    allocator_.reset();
    if (library_ != nullptr) ::dlclose(library_);
    library_ = nullptr;
  }
  static bool is_loaded(const char* path) {
    void* handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (handle != nullptr) ::dlclose(handle);
    return handle != nullptr;
  }
  /// Closes the library's handle, so that only the allocator and its memory keep the library
  /// loaded.
  void forget_library() {
    ::dlclose(library_);
    library_ = nullptr;
  }
  void forget_allocator() { allocator_.reset(); }

  fakes::RpcmemControl* fake = nullptr;

 private:
  void* library_ = nullptr;
  std::optional<RpcmemAllocator> allocator_;
};

static_assert(qnnpp::DmaAllocator<RpcmemAllocator>);

// ---- ALC-01: large sizes ------------------------------------------------------------------------

TEST_F(rpcmem_allocator, ALC_01_more_than_int_max_bytes_go_through_alloc2_unnarrowed) {
  open(with_alloc2);
  for (const std::uint64_t bytes :
       {int_max + 1, std::uint64_t{1} << 32, (std::uint64_t{1} << 40) + 7}) {
    const auto buffer = allocate(bytes);
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(fake->bytes, bytes);
    EXPECT_EQ(buffer->size_bytes(), bytes);
  }
  EXPECT_EQ(fake->alloc_calls, 0);
  EXPECT_EQ(fake->alloc2_calls, 3);
}

TEST_F(rpcmem_allocator,
       ALC_01_more_than_int_max_bytes_without_alloc2_are_refused_and_nothing_is_called) {
  open(without_alloc2);
  for (const std::uint64_t bytes : {int_max + 1, (std::uint64_t{1} << 32) + 4096, UINT64_MAX}) {
    const auto buffer = allocate(bytes);
    ASSERT_FALSE(buffer.has_value());
    EXPECT_EQ(buffer.error().kind, Errc::too_large);
    EXPECT_EQ(buffer.error().needed, bytes);
    EXPECT_EQ(buffer.error().found, int_max);
    EXPECT_NE(buffer.error().detail.find("rpcmem_alloc2"), std::string::npos);
  }
  EXPECT_EQ(allocations(), 0);
  EXPECT_EQ(fake->to_fd_calls, 0);
  EXPECT_EQ(fake->free_calls, 0);
}

TEST_F(rpcmem_allocator, ALC_01_up_to_int_max_bytes_go_through_alloc_where_alloc2_is_missing) {
  open(without_alloc2);
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{4097}, int_max}) {
    const auto buffer = allocate(bytes);
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(fake->bytes, bytes);
  }
  EXPECT_EQ(fake->alloc_calls, 3);
}

TEST_F(rpcmem_allocator, asks_for_cached_memory_of_the_system_heap) {
  for (const char* path : {with_alloc2, without_alloc2}) {
    open(path);
    ASSERT_TRUE(allocate(4096).has_value());
    EXPECT_EQ(fake->heap, 25);
    EXPECT_EQ(fake->flags, 1u);
  }
}

// ---- ALC-02: failures ---------------------------------------------------------------------------

TEST_F(rpcmem_allocator, ALC_02_null_and_map_failed_are_errors_and_nothing_is_freed) {
  for (const char* path : {with_alloc2, without_alloc2})
    for (const Answer answer : {Answer::null, Answer::map_failed}) {
      open(path);
      fake->answer = answer;
      const auto buffer = allocate(4096);
      ASSERT_FALSE(buffer.has_value());
      EXPECT_EQ(buffer.error().kind, Errc::allocation_failed);
      EXPECT_EQ(buffer.error().object, path);
      EXPECT_STREQ(buffer.error().step, path == with_alloc2 ? "rpcmem_alloc2" : "rpcmem_alloc");
      EXPECT_EQ(buffer.error().needed, 4096u);
      EXPECT_EQ(fake->to_fd_calls, 0);
      EXPECT_EQ(fake->free_calls, 0);
    }
}

TEST_F(rpcmem_allocator, ALC_02_memory_without_a_descriptor_is_freed_again) {
  open(with_alloc2);
  fake->fd = -1;
  const auto buffer = allocate(4096);
  ASSERT_FALSE(buffer.has_value());
  EXPECT_EQ(buffer.error().kind, Errc::no_file_descriptor);
  EXPECT_STREQ(buffer.error().step, "rpcmem_to_fd");
  EXPECT_EQ(fake->free_calls, 1);
  EXPECT_EQ(fake->freed, fake->given);
}

TEST_F(rpcmem_allocator, ALC_02_memory_is_asked_its_descriptor_and_freed_once_by_its_exact_start) {
  open(with_alloc2);
  {
    const auto buffer = allocate(100);
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(buffer->fd(), 77);
    EXPECT_EQ(buffer->size_bytes(), 100u);
    EXPECT_EQ(qnnpp::detail::Access::block(*buffer)->data(), fake->given);
    EXPECT_EQ(fake->asked_fd_of, fake->given);
    EXPECT_EQ(fake->free_calls, 0);
  }
  EXPECT_EQ(fake->free_calls, 1);
  EXPECT_EQ(fake->freed, fake->given);
}

TEST_F(rpcmem_allocator, BUF_01_takes_descriptor_0_for_a_descriptor) {
  open(with_alloc2);
  fake->fd = 0;
  const auto buffer = allocate(100);
  ASSERT_TRUE(buffer.has_value());
  EXPECT_EQ(buffer->fd(), 0);
}

TEST_F(rpcmem_allocator, BUF_09_of_0_bytes_calls_nothing) {
  open(with_alloc2);
  const auto buffer = allocate(0);
  ASSERT_FALSE(buffer.has_value());
  EXPECT_EQ(buffer.error().kind, Errc::empty);
  EXPECT_EQ(allocations(), 0);
}

// ---- the library of an allocator ----------------------------------------------------------------

TEST_F(rpcmem_allocator, LOAD_01_opens_a_library_with_the_three_functions) {
  EXPECT_TRUE(RpcmemAllocator::load(without_alloc2).has_value());
}

TEST_F(rpcmem_allocator, LOAD_01_a_library_without_one_of_them_is_refused_and_closed) {
  constexpr const char* path = FAKES_DIR "fake_rpcmem_without_to_fd.so";
  const auto loaded = RpcmemAllocator::load(path);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, Errc::symbol_missing);
  EXPECT_EQ(loaded.error().detail, "rpcmem_to_fd");
  EXPECT_EQ(loaded.error().object, path);
  EXPECT_FALSE(is_loaded(path));
}

TEST_F(rpcmem_allocator, whose_library_is_not_there_is_an_error_with_its_name) {
  const auto loaded = RpcmemAllocator::load("/no/such/libcdsprpc.so");
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, Errc::library_not_found);
  EXPECT_EQ(loaded.error().object, "/no/such/libcdsprpc.so");
}

TEST_F(rpcmem_allocator, BUF_06_its_buffers_keep_the_library_open) {
  open(without_alloc2);
  {
    auto buffer = allocate(4096);
    ASSERT_TRUE(buffer.has_value());
    forget_allocator();
    forget_library();
    EXPECT_TRUE(is_loaded(without_alloc2));
  }
  EXPECT_FALSE(is_loaded(without_alloc2));
}

TEST_F(rpcmem_allocator, copies_share_the_library) {
  open(without_alloc2);
  const RpcmemAllocator copy = allocator();
  forget_allocator();
  EXPECT_TRUE(copy.allocate(4096).has_value());
  EXPECT_EQ(fake->alloc_calls, 1);
  EXPECT_EQ(fake->free_calls, 1);
}

TEST_F(rpcmem_allocator, ORD_09_that_was_moved_from_breaks_a_contract) {
  open(with_alloc2);
  const RpcmemAllocator taken = std::move(allocator());
  EXPECT_CONTRACT(moved_allocator, (void)allocate(4096));
}

}  // namespace
