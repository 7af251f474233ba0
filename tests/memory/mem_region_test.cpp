// MemRegion: a part of a buffer, for one purpose.
#include "qnnpp/memory/mem_region.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/any_allocator.hpp"
#include "qnnpp/memory/detail/allocator_ref.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

#include "../support/contracts.hpp"
#include "counting_allocator.hpp"

namespace {

using memory_test::CountingAllocator;
using memory_test::Counts;
using qnnpp::BufferRequirements;
using qnnpp::DmaBuffer;
using qnnpp::Errc;
using qnnpp::MemfdAllocator;
using qnnpp::MemRegion;
using qnnpp::SpillFill;
using qnnpp::TensorIo;
using qnnpp::Weights;

// ---- purposes -----------------------------------------------------------------------------------

template <class Region>
constexpr bool has_bytes = requires(const Region& region) { region.bytes(); };
template <class Region>
constexpr bool has_access = requires(const Region& region) { region.access(qnnpp::CpuUse::read); };

TEST(mem_region, BUF_05_of_tensors_alone_is_opened_for_the_cpu) {
  EXPECT_TRUE(has_access<MemRegion<TensorIo>>);
  EXPECT_FALSE(has_bytes<MemRegion<TensorIo>>) << "SHB-07: its guard has them";
}

TEST(mem_region, BUF_05_of_weights_or_spill_fill_has_no_view_of_its_bytes) {
  EXPECT_FALSE(has_bytes<MemRegion<Weights>>);
  EXPECT_FALSE(has_bytes<MemRegion<SpillFill>>);
  EXPECT_FALSE(has_access<MemRegion<Weights>>);
  EXPECT_FALSE(has_access<MemRegion<SpillFill>>);
}

TEST(mem_region, BUF_07_never_becomes_a_region_of_another_purpose) {
  EXPECT_FALSE((std::is_constructible_v<MemRegion<TensorIo>, MemRegion<Weights>>));
  EXPECT_FALSE((std::is_constructible_v<MemRegion<TensorIo>, MemRegion<SpillFill>>));
  EXPECT_FALSE((std::is_constructible_v<MemRegion<Weights>, MemRegion<SpillFill>>));
  EXPECT_FALSE((std::is_assignable_v<MemRegion<Weights>&, MemRegion<TensorIo>>));
  EXPECT_FALSE(std::is_copy_constructible_v<MemRegion<Weights>>);
}

TEST(mem_region, BUF_07_takes_its_buffer_away_from_all_others) {
  Counts counts;
  auto buffer = CountingAllocator(counts).allocate(4096);
  ASSERT_TRUE(buffer.has_value());
  const auto region = MemRegion<Weights>::from_buffer(std::move(*buffer));
  ASSERT_TRUE(region.has_value());
  EXPECT_CONTRACT(moved_dma_buffer, (void)MemRegion<TensorIo>::from_buffer(std::move(*buffer)));
}

TEST(mem_region, allocates_what_its_purpose_needs) {
  Counts counts;
  const CountingAllocator allocator(counts);
  const BufferRequirements need{
      .weights_bytes = 300, .spill_fill_bytes = 200, .start_alignment = 64};
  const auto weights = MemRegion<Weights>::allocate(allocator, need);
  ASSERT_TRUE(weights.has_value());
  EXPECT_EQ(weights->size_bytes(), 300u);
  const auto spill_fill = MemRegion<SpillFill>::allocate(allocator, need);
  ASSERT_TRUE(spill_fill.has_value());
  EXPECT_EQ(spill_fill->size_bytes(), 200u);
  EXPECT_NE(weights->fd(), spill_fill->fd());
}

TEST(mem_region, SHB_06_of_a_tensor_has_the_size_of_the_tensor) {
  qnnpp::TensorSpec tensor;
  tensor.dimensions = {2, 3};
  const auto region = MemRegion<TensorIo>::allocate(MemfdAllocator(), tensor);
  ASSERT_TRUE(region.has_value());
  EXPECT_EQ(region->size_bytes(), 24u);
}

TEST(mem_region, SHB_06_of_a_tensor_without_size_is_not_allocated) {
  Counts counts;
  qnnpp::TensorSpec tensor;
  tensor.dimensions = {2, 0};
  const auto region = MemRegion<TensorIo>::allocate(CountingAllocator(counts), tensor);
  ASSERT_FALSE(region.has_value());
  EXPECT_EQ(region.error().kind, Errc::unsupported_tensor);
  EXPECT_EQ(counts.allocated, 0);
}

// ---- emptiness ----------------------------------------------------------------------------------

TEST(mem_region, BUF_09_of_0_bytes_is_empty_and_allocates_nothing) {
  Counts counts;
  const auto region = MemRegion<Weights>::allocate(CountingAllocator(counts), BufferRequirements());
  ASSERT_TRUE(region.has_value());
  EXPECT_FALSE(*region);
  EXPECT_EQ(region->fd(), -1);
  EXPECT_EQ(region->size_bytes(), 0u);
  EXPECT_EQ(region->buffer_bytes(), 0u);
  EXPECT_EQ(counts.allocated, 0);
}

TEST(mem_region, BUF_09_of_any_bytes_is_not_empty) {
  Counts counts;
  const auto region = MemRegion<Weights>::allocate(CountingAllocator(counts), 1);
  ASSERT_TRUE(region.has_value());
  EXPECT_TRUE(*region);
  EXPECT_GE(region->fd(), 0);
  EXPECT_EQ(counts.allocated, 1);
}

TEST(mem_region, that_is_empty_has_no_bytes) {
  const MemRegion<TensorIo> region;
  auto access = region.access(qnnpp::CpuUse::read_write);
  ASSERT_TRUE(access.has_value());
  EXPECT_TRUE(access->bytes().empty());
  EXPECT_TRUE(std::move(*access).end().has_value());
}

TEST(mem_region, that_was_moved_from_is_empty_in_every_respect) {
  Counts counts;
  auto buffer = CountingAllocator(counts).allocate(4096);
  ASSERT_TRUE(buffer.has_value());
  auto region = MemRegion<SpillFill>::from_buffer(std::move(*buffer), 64, 128);
  ASSERT_TRUE(region.has_value());
  const MemRegion<SpillFill> taken = std::move(*region);
  EXPECT_FALSE(*region);
  EXPECT_EQ(region->size_bytes(), 0u);
  EXPECT_EQ(region->offset_bytes(), 0u);
  EXPECT_EQ(region->buffer_bytes(), 0u);
  EXPECT_EQ(region->fd(), -1);
  EXPECT_TRUE(region->is_moved_from());
  EXPECT_FALSE(taken.is_moved_from());
  EXPECT_EQ(taken.size_bytes(), 128u);
  EXPECT_EQ(taken.offset_bytes(), 64u);
}

TEST(mem_region, that_is_empty_is_never_moved_from) {
  MemRegion<Weights> none;
  EXPECT_FALSE(none.is_moved_from());
  const MemRegion<Weights> taken = std::move(none);
  EXPECT_FALSE(none.is_moved_from()) << "there was nothing to take";
  EXPECT_FALSE(taken.is_moved_from());
}

TEST(mem_region, that_was_moved_from_stays_so_until_it_is_given_memory) {
  Counts counts;
  auto region = MemRegion<Weights>::allocate(CountingAllocator(counts), 4096).value();
  MemRegion<Weights> taken = std::move(region);
  MemRegion<Weights> again = std::move(region);
  EXPECT_TRUE(again.is_moved_from());
  region = std::move(taken);
  EXPECT_FALSE(region.is_moved_from());
  EXPECT_TRUE(region);
}

// ---- allocation ---------------------------------------------------------------------------------

TEST(mem_region, BUF_02_allocated_on_its_own_starts_at_the_start_of_its_buffer) {
  Counts counts;
  const auto region = MemRegion<Weights>::allocate(CountingAllocator(counts), 5000);
  ASSERT_TRUE(region.has_value());
  EXPECT_EQ(region->offset_bytes(), 0u);
  EXPECT_EQ(region->size_bytes(), 5000u);
}

/// Allocators that promise an alignment: without and with a parameter for the requested one.
struct Promising {
  static constexpr std::uint64_t start_alignment = 64;
  [[nodiscard]] qnnpp::Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    ++*allocated;
    return MemfdAllocator().allocate(bytes);
  }
  int* allocated;
};
struct Asked : Promising {
  using Promising::allocate;
  [[nodiscard]] qnnpp::Result<DmaBuffer> allocate(std::uint64_t bytes,
                                                  std::uint64_t alignment) const {
    *last_alignment = alignment;
    auto memory = allocate(bytes);
    return DmaBuffer::from_native(memory->fd(), bytes, {.start_alignment = alignment});
  }
  std::uint64_t* last_alignment;
};
static_assert(!qnnpp::AlignedDmaAllocator<Promising> && qnnpp::AlignedDmaAllocator<Asked>);

template <class Allocator>
qnnpp::Result<MemRegion<Weights>> weights_at(const Allocator& allocator, std::uint64_t alignment) {
  return MemRegion<Weights>::allocate(
      allocator, BufferRequirements{.weights_bytes = 5000, .start_alignment = alignment});
}

TEST(mem_region, BUF_02_of_an_alignment_beyond_the_promise_is_an_error_and_nothing_is_allocated) {
  int allocated = 0;
  const Promising promising{&allocated};
  EXPECT_TRUE(weights_at(promising, 64).has_value());
  EXPECT_EQ(allocated, 1);
  const auto region = weights_at(promising, 128);
  ASSERT_FALSE(region.has_value());
  EXPECT_EQ(region.error().kind, Errc::misaligned);
  EXPECT_EQ(region.error().needed, 128u);
  EXPECT_EQ(region.error().found, 64u);
  EXPECT_EQ(allocated, 1);
}

TEST(mem_region,
     BUF_02_of_an_allocator_that_promises_nothing_starts_on_a_page_as_the_device_has_it) {
  EXPECT_TRUE(weights_at(MemfdAllocator(), 4096).has_value());
  EXPECT_EQ(weights_at(MemfdAllocator(), 8192).error().found, 4096u);
}

TEST(mem_region, BUF_02_asks_its_allocator_for_an_alignment_beyond_the_promise) {
  int allocated = 0;
  std::uint64_t last = 0;
  const Asked asked{{&allocated}, &last};
  EXPECT_TRUE(weights_at(asked, 64).has_value());
  EXPECT_EQ(last, 0u);
  const auto region = weights_at(asked, 65536);
  ASSERT_TRUE(region.has_value());
  EXPECT_EQ(last, 65536u);
  EXPECT_EQ(qnnpp::detail::Access::block(*region)->start_alignment, 65536u);
}

TEST(mem_region, BUF_02_asks_through_a_reference_to_an_allocator_what_it_would_ask_itself) {
  int allocated = 0;
  std::uint64_t last = 0;
  const Asked asked{{&allocated}, &last};
  EXPECT_TRUE(weights_at(qnnpp::detail::AllocatorRef(asked), 4096).has_value());
  EXPECT_EQ(last, 4096u);
  const Promising promising{&allocated};
  EXPECT_EQ(weights_at(qnnpp::detail::AllocatorRef(promising), 4096).error().found, 64u);
  for (const std::uint64_t alignment : {1u, 16u})
    EXPECT_EQ(
        qnnpp::detail::Access::block(*weights_at(qnnpp::detail::AllocatorRef(promising), alignment))
            ->start_alignment,
        64u)
        << "the promise of the allocator, not the request";
}

/// An allocator whose destruction ends a flag.
struct Living : Asked {
  explicit Living(Asked asked) : Asked(asked) {}
  std::shared_ptr<bool> alive = std::make_shared<bool>(true);
};

TEST(mem_region, BUF_02_asks_through_any_allocator_what_it_would_ask_the_one_that_was_chosen) {
  static_assert(!std::is_convertible_v<int, qnnpp::AnyAllocator>);
  int allocated = 0;
  std::uint64_t last = 0;
  std::weak_ptr<bool> alive;
  {
    std::optional<qnnpp::AnyAllocator> chosen;
    {
      Living living(Asked{{&allocated}, &last});
      alive = living.alive;
      chosen.emplace(std::move(living));
    }
    const qnnpp::AnyAllocator copy = *chosen;
    const qnnpp::AnyAllocator moved = std::move(*chosen);
    for (const auto* each : {&std::as_const(*chosen), &copy, &moved}) {
      last = 0;
      EXPECT_TRUE(weights_at(*each, 4096).has_value());
      EXPECT_EQ(last, 4096u);
      EXPECT_TRUE(weights_at(qnnpp::detail::AllocatorRef(*each), 8192).has_value());
      EXPECT_EQ(last, 8192u);
    }
    EXPECT_EQ(allocated, 6);
    *chosen = qnnpp::AnyAllocator(Promising{&allocated});
    EXPECT_EQ(weights_at(*chosen, 4096).error().found, 64u);
    EXPECT_EQ(qnnpp::detail::Access::block(*weights_at(*chosen, 16))->start_alignment, 64u)
        << "the promise of the allocator, not the request";
    chosen.reset();
    EXPECT_FALSE(alive.expired()) << "the copies share it";
  }
  EXPECT_TRUE(alive.expired());
}

/// An allocator that keeps the memory it returns.
struct Keeping {
  [[nodiscard]] qnnpp::Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    auto memory = MemfdAllocator().allocate(bytes);
    kept->emplace(*std::move(memory));
    return std::move(*memory);
  }
  std::optional<DmaBuffer>* kept;
};

TEST(mem_region, of_a_buffer_that_the_allocator_moved_from_is_refused) {
  std::optional<DmaBuffer> kept;
  for (const auto& region : {weights_at(Keeping{&kept}, 1),
                             weights_at(qnnpp::detail::AllocatorRef(Keeping{&kept}), 64)}) {
    ASSERT_FALSE(region.has_value());
    EXPECT_EQ(region.error().kind, Errc::invalid_argument);
    EXPECT_EQ(region.error().detail,
              "it returned a buffer that was moved from; make it return one that owns its memory");
  }
}

/// An allocator that promises no alignment, but accepts each.
struct Unpromising : Asked {
  static constexpr std::uint64_t start_alignment = 1;
};

TEST(mem_region, of_one_tensor_starts_at_a_multiple_of_its_element) {
  int allocated = 0;
  std::uint64_t last = 0;
  const qnnpp::TensorSpec x{.data_type = qnnpp::c_api::DataType::float_64, .dimensions = {2}};
  EXPECT_TRUE(
      MemRegion<qnnpp::TensorIo>::allocate(Unpromising{{{&allocated}, &last}}, x).has_value());
  EXPECT_EQ(last, 8u);
}

/// An allocator whose buffers start at multiples of `start`, independent of the request.
struct Telling {
  [[nodiscard]] qnnpp::Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    ++*allocated;
    auto memory = MemfdAllocator().allocate(bytes);
    return DmaBuffer::from_native(memory->fd(), bytes, {.start_alignment = start});
  }
  [[nodiscard]] qnnpp::Result<DmaBuffer> allocate(std::uint64_t bytes, std::uint64_t) const {
    return allocate(bytes);
  }
  int* allocated;
  std::uint64_t start;
};

TEST(mem_region, BUF_02_of_a_buffer_that_says_less_than_its_allocator_is_no_more_than_the_buffer) {
  int allocated = 0;
  const Telling telling{&allocated, 64};
  const auto region = weights_at(telling, 64);
  ASSERT_TRUE(region.has_value());
  EXPECT_EQ(qnnpp::detail::Access::block(*region)->start_alignment, 64u);
  for (const std::uint64_t alignment : {128u, 4096u, 8192u}) {
    const auto wider = weights_at(telling, alignment);
    ASSERT_FALSE(wider.has_value()) << alignment;
    EXPECT_EQ(wider.error().kind, Errc::misaligned);
    EXPECT_EQ(wider.error().needed, alignment);
    EXPECT_EQ(wider.error().found, 64u);
  }
}

TEST(mem_region, BUF_02_of_an_alignment_that_is_no_power_of_two_is_refused_and_not_allocated) {
  int allocated = 0;
  const Telling telling{&allocated, 4096};
  for (const std::uint64_t alignment : {0u, 3u, 3000u, 12288u})
    for (const auto& region : {weights_at(telling, alignment),
                               weights_at(qnnpp::detail::AllocatorRef(telling), alignment)}) {
      ASSERT_FALSE(region.has_value()) << alignment;
      EXPECT_EQ(region.error().kind, Errc::invalid_argument);
    }
  EXPECT_EQ(allocated, 0);
}

TEST(mem_region, passes_the_error_of_its_allocator_on) {
  Counts counts;
  counts.fails = true;
  const auto region = MemRegion<Weights>::allocate(CountingAllocator(counts), 5000);
  ASSERT_FALSE(region.has_value());
  EXPECT_EQ(region.error().kind, Errc::allocation_failed);
  EXPECT_EQ(region.error().needed, 5000u);
}

TEST(mem_region, BUF_03_does_not_claim_more_than_its_allocator_gave) {
  Counts counts;
  counts.shortage_bytes = 1;
  const auto region = MemRegion<Weights>::allocate(CountingAllocator(counts), 5000);
  ASSERT_FALSE(region.has_value());
  EXPECT_EQ(region.error().kind, Errc::too_small);
  EXPECT_EQ(region.error().needed, 5000u);
  EXPECT_EQ(region.error().found, 4999u);
  EXPECT_EQ(counts.freed, 1);
}

TEST(mem_region, frees_its_memory_when_it_goes) {
  Counts counts;
  {
    const auto region = MemRegion<Weights>::allocate(CountingAllocator(counts), 5000);
  }
  EXPECT_EQ(counts.allocated, 1);
  EXPECT_EQ(counts.freed, 1);
}

// ---- a part of a buffer -------------------------------------------------------------------------

qnnpp::Result<MemRegion<TensorIo>> part_of_8192(std::uint64_t offset, std::uint64_t size) {
  auto buffer = MemfdAllocator().allocate(8192);
  return MemRegion<TensorIo>::from_buffer(std::move(*buffer), offset, size);
}

TEST(mem_region, from_a_buffer_is_the_part_that_was_asked_for) {
  const auto region = part_of_8192(4096, 100);
  ASSERT_TRUE(region.has_value());
  EXPECT_EQ(region->offset_bytes(), 4096u);
  EXPECT_EQ(region->size_bytes(), 100u);
  EXPECT_EQ(region->buffer_bytes(), 8192u);
  const auto access = region->access(qnnpp::CpuUse::read);
  ASSERT_TRUE(access.has_value());
  EXPECT_EQ(access->bytes().size(), 100u);
  EXPECT_EQ(access->bytes().data(), qnnpp::detail::Access::block(*region)->data() + 4096);
}

TEST(mem_region, from_a_buffer_without_a_size_is_the_rest_of_it) {
  EXPECT_EQ(part_of_8192(0, 0)->size_bytes(), 8192u);
  EXPECT_EQ(part_of_8192(8191, 0)->size_bytes(), 1u);
}

TEST(mem_region, SHB_02_up_to_the_end_of_the_buffer_is_within) {
  EXPECT_TRUE(part_of_8192(0, 8192).has_value());
  EXPECT_TRUE(part_of_8192(8000, 192).has_value());
}

TEST(mem_region, SHB_02_past_the_end_of_the_buffer_is_an_error_with_both_sizes) {
  const auto longer = part_of_8192(8000, 193);
  ASSERT_FALSE(longer.has_value());
  EXPECT_EQ(longer.error().kind, Errc::too_small);
  EXPECT_EQ(longer.error().needed, 193u);
  EXPECT_EQ(longer.error().found, 192u);
  const auto behind = part_of_8192(8192, 0);
  ASSERT_FALSE(behind.has_value());
  EXPECT_EQ(behind.error().kind, Errc::too_small);
  EXPECT_EQ(behind.error().found, 8192u);
  EXPECT_GT(behind.error().needed, behind.error().found);
}

TEST(mem_region, SHB_02_an_end_that_overflows_is_an_error) {
  EXPECT_EQ(part_of_8192(1, UINT64_MAX).error().kind, Errc::too_small);
  EXPECT_EQ(part_of_8192(4096, UINT64_MAX - 4095).error().kind, Errc::too_small);
  const auto last = part_of_8192(UINT64_MAX, 1);
  ASSERT_FALSE(last.has_value());
  EXPECT_GT(last.error().needed, last.error().found);
}

TEST(mem_region, SHB_02_any_offset_and_size_give_a_region_within_its_buffer_or_none) {
  std::mt19937_64 random(20260105);
  int given = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t whole = 1 + random() % 10000;
    const std::uint64_t offset = random() >> (random() % 64);
    const std::uint64_t size = i % 2 == 0 ? random() >> (random() % 64) : random() % 10000;
    Counts counts;
    auto buffer = CountingAllocator(counts).allocate(whole);
    ASSERT_TRUE(buffer.has_value());
    const auto region = MemRegion<SpillFill>::from_buffer(std::move(*buffer), offset, size);
    const bool fits = offset < whole && size <= whole - offset;
    ASSERT_EQ(region.has_value(), fits) << whole << " " << offset << " " << size;
    if (!region) {
      ASSERT_GT(region.error().needed, region.error().found);
      continue;
    }
    ++given;
    ASSERT_GT(region->size_bytes(), 0u);
    ASSERT_LE(region->offset_bytes() + region->size_bytes(), whole);
  }
  EXPECT_GT(given, 50);
}

}  // namespace
