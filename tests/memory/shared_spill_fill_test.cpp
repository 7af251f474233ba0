// SharedSpillFill: one buffer, as large as the largest need, for one execution at a time.
#include "qnnpp/memory/shared_spill_fill.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

#include "../support/contracts.hpp"
#include "../support/results.hpp"
#include "../support/sleeping.hpp"
#include "counting_allocator.hpp"

namespace {

using memory_test::CountingAllocator;
using memory_test::Counts;
using qnnpp::BufferRequirements;
using qnnpp::Errc;
using qnnpp::MemRegion;
using qnnpp::Ref;
using qnnpp::SharedSpillFill;
using qnnpp::SpillFill;
using qnnpp::SpillFillLease;
using qnnpp::TensorIo;
using qnnpp::Weights;
using support::must;

/// The requirements of a queried context, for SharedSpillFill.
struct Needs {
  std::uint64_t spill_fill_bytes = 0;
  std::uint64_t start_alignment = 1;
  [[nodiscard]] BufferRequirements requirements() const {
    return {.weights_bytes = 1u << 20,
            .spill_fill_bytes = spill_fill_bytes,
            .start_alignment = start_alignment};
  }
};
using Contexts = std::vector<Needs>;

static_assert(qnnpp::RequirementsRange<Contexts> &&
              qnnpp::RequirementsRange<std::span<const Needs>>);
static_assert(!qnnpp::RequirementsRange<std::vector<int>> && !qnnpp::RequirementsRange<Needs>);
static_assert(!std::is_constructible_v<SharedSpillFill, MemRegion<Weights>>);
static_assert(!std::is_constructible_v<SharedSpillFill, MemRegion<TensorIo>>);

SharedSpillFill buffer_of(Counts& counts, std::uint64_t bytes, std::uint64_t alignment = 1) {
  return SharedSpillFill::allocate(CountingAllocator(counts), Contexts{{bytes, alignment}}).value();
}

SharedSpillFill buffer_at(Counts& counts, std::uint64_t offset, std::uint64_t bytes) {
  auto buffer = CountingAllocator(counts).allocate(offset + bytes).value();
  return SharedSpillFill::from_region(
      MemRegion<SpillFill>::from_buffer(std::move(buffer), offset, bytes).value());
}

// ---- size ---------------------------------------------------------------------------------------

TEST(shared_spill_fill, BUF_10_is_as_large_as_the_largest_need_wherever_that_stands) {
  for (const Contexts& contexts :
       {Contexts{{3000}, {1000}, {2000}}, Contexts{{1000}, {3000}, {2000}},
        Contexts{{1000}, {2000}, {3000}}}) {
    Counts counts;
    const auto shared = SharedSpillFill::allocate(CountingAllocator(counts), contexts);
    ASSERT_TRUE(shared.has_value());
    EXPECT_EQ(shared->size_bytes(), 3000u);
    EXPECT_EQ(counts.allocated, 1);
    EXPECT_EQ(counts.last_bytes, 3000u);
  }
}

TEST(shared_spill_fill, BUF_10_admits_each_context_that_it_was_made_for) {
  std::mt19937 random(20260106);
  for (int round = 0; round < 200; ++round) {
    Contexts contexts(1 + random() % 8);
    std::uint64_t most = 0;
    std::uint64_t widest = 1;
    for (auto& context : contexts) {
      context = {random() % 5 == 0 ? 0 : random() % 100000, std::uint64_t{1} << (random() % 17)};
      most = std::max(most, context.spill_fill_bytes);
      widest = std::max(widest, context.start_alignment);
    }
    Counts counts;
    const auto shared = SharedSpillFill::allocate(CountingAllocator(counts), contexts);
    ASSERT_TRUE(shared.has_value());
    ASSERT_EQ(shared->size_bytes(), most);
    const auto& region = qnnpp::detail::Access::block(*shared)->region;
    ASSERT_TRUE(!region || qnnpp::detail::Access::block(region)->start_alignment >= widest);
    std::shuffle(contexts.begin(), contexts.end(), random);
    for (const auto& context : contexts)
      ASSERT_TRUE(shared->admit(context.requirements(), "c").has_value());
    const auto again = SharedSpillFill::allocate(CountingAllocator(counts), contexts);
    ASSERT_TRUE(again.has_value());
    ASSERT_EQ(again->size_bytes(), most);
  }
}

TEST(shared_spill_fill, BUF_10_refuses_a_context_larger_than_the_buffer_with_both_sizes) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 3000);
  EXPECT_TRUE(shared.admit(Needs{3000}.requirements(), "fits.bin").has_value());
  const auto admitted = shared.admit(Needs{3001}.requirements(), "large.bin");
  ASSERT_FALSE(admitted.has_value());
  EXPECT_EQ(admitted.error().kind, Errc::too_small);
  EXPECT_EQ(admitted.error().object, "large.bin");
  EXPECT_EQ(admitted.error().needed, 3001u);
  EXPECT_EQ(admitted.error().found, 3000u);
}

TEST(shared_spill_fill, BUF_10_of_nothing_refuses_a_need_and_admits_none) {
  const SharedSpillFill nothing;
  EXPECT_FALSE(nothing);
  EXPECT_EQ(nothing.size_bytes(), 0u);
  EXPECT_TRUE(nothing.admit(Needs{0, 4096}.requirements(), "c").has_value());
  const auto admitted = nothing.admit(Needs{1}.requirements(), "c");
  ASSERT_FALSE(admitted.has_value());
  EXPECT_EQ(admitted.error().kind, Errc::too_small);
}

TEST(shared_spill_fill, that_was_moved_from_is_told_from_none) {
  Counts counts;
  SharedSpillFill shared = buffer_of(counts, 3000);
  const SharedSpillFill copy = shared;
  const SharedSpillFill taken = std::move(shared);
  EXPECT_TRUE(shared.is_moved_from());
  EXPECT_TRUE(SharedSpillFill(shared).is_moved_from());
  EXPECT_EQ(shared.admit(Needs{}.requirements(), "c").error().kind, Errc::invalid_argument);
  EXPECT_FALSE(copy.is_moved_from());
  EXPECT_FALSE(taken.is_moved_from());
  shared = copy;
  EXPECT_FALSE(shared.is_moved_from());
  SharedSpillFill none;
  const SharedSpillFill still_none = std::move(none);
  EXPECT_FALSE(none.is_moved_from());
}

TEST(shared_spill_fill, is_allocated_for_needs_that_are_known_already) {
  Counts counts;
  const auto shared =
      SharedSpillFill::allocate(CountingAllocator(counts), Needs{777, 64}.requirements());
  ASSERT_TRUE(shared.has_value());
  EXPECT_EQ(shared->size_bytes(), 777u);
}

TEST(shared_spill_fill, passes_the_error_of_its_allocator_on) {
  Counts counts;
  counts.fails = true;
  const auto shared = SharedSpillFill::allocate(CountingAllocator(counts), Contexts{{4096}});
  ASSERT_FALSE(shared.has_value());
  EXPECT_EQ(shared.error().kind, Errc::allocation_failed);
}

// ---- alignment ----------------------------------------------------------------------------------

TEST(shared_spill_fill, BUF_02_allocated_on_its_own_meets_every_alignment) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096, 65536);
  EXPECT_TRUE(shared.admit(Needs{4096, 65536}.requirements(), "c").has_value());
}

TEST(shared_spill_fill, BUF_02_admits_a_context_whose_alignment_its_start_meets) {
  Counts counts;
  const SharedSpillFill shared = buffer_at(counts, 4096 + 256, 1000);
  for (const std::uint64_t alignment : {1u, 2u, 64u, 256u})
    EXPECT_TRUE(shared.admit(Needs{1000, alignment}.requirements(), "c").has_value()) << alignment;
}

TEST(shared_spill_fill,
     BUF_02_refuses_a_context_whose_alignment_its_start_misses_with_both_numbers) {
  Counts counts;
  const SharedSpillFill shared = buffer_at(counts, 4096 + 256, 1000);
  const auto admitted = shared.admit(Needs{1000, 512}.requirements(), "c.bin");
  ASSERT_FALSE(admitted.has_value());
  EXPECT_EQ(admitted.error().kind, Errc::misaligned);
  EXPECT_EQ(admitted.error().object, "c.bin");
  EXPECT_EQ(admitted.error().needed, 512u);
  EXPECT_EQ(admitted.error().found, 4096u + 256u);
}

// ---- nothing to share ---------------------------------------------------------------------------

TEST(shared_spill_fill, BUF_09_for_contexts_that_need_none_allocates_nothing) {
  Counts counts;
  for (const Contexts& contexts : {Contexts{}, Contexts{{0}, {0, 4096}}}) {
    const auto shared = SharedSpillFill::allocate(CountingAllocator(counts), contexts);
    ASSERT_TRUE(shared.has_value());
    EXPECT_EQ(shared->size_bytes(), 0u);
    EXPECT_TRUE(*shared);
    EXPECT_TRUE(shared->admit(Needs{0, 4096}.requirements(), "c").has_value());
    EXPECT_FALSE(shared->admit(Needs{1}.requirements(), "c").has_value());
  }
  EXPECT_EQ(counts.allocated, 0);
}

TEST(shared_spill_fill, BUF_09_a_context_that_needs_none_is_admitted_whatever_its_alignment) {
  Counts counts;
  const SharedSpillFill shared = buffer_at(counts, 1, 1000);
  EXPECT_TRUE(shared.admit(Needs{0, 4096}.requirements(), "c").has_value());
}

// ---- sharing ------------------------------------------------------------------------------------

TEST(shared_spill_fill, BUF_11_copies_mean_the_same_buffer) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const SharedSpillFill copy = shared;  // NOLINT: the copy is what is tested
  EXPECT_EQ(qnnpp::detail::Access::block(copy), qnnpp::detail::Access::block(shared));
  EXPECT_EQ(copy.size_bytes(), 4096u);
  EXPECT_EQ(counts.allocated, 1);
}

TEST(shared_spill_fill, BUF_06_is_freed_after_the_last_that_shares_it) {
  Counts counts;
  std::optional first = buffer_of(counts, 4096);
  std::optional second = first;
  first.reset();
  EXPECT_EQ(counts.freed, 0);
  second.reset();
  EXPECT_EQ(counts.freed, 1);
}

// ---- BUF-12: one execution at a time ------------------------------------------------------------

/// Reports whether another thread could lock the right to execute now.
bool is_free(const SharedSpillFill& shared) {
  bool taken = false;
  std::thread([&] { taken = shared.try_lease().has_value(); }).join();
  return taken;
}

TEST(lease, BUF_12_excludes_all_others_while_it_lives) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  EXPECT_TRUE(is_free(shared));
  {
    const SpillFillLease lease = shared.lease().value();
    EXPECT_FALSE(is_free(shared));
  }
  EXPECT_TRUE(is_free(shared));
}

TEST(lease, BUF_12_of_another_buffer_excludes_nobody) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const SharedSpillFill other = buffer_of(counts, 4096);
  const SpillFillLease lease = other.lease().value();
  EXPECT_TRUE(is_free(shared));
  const SpillFillLease both = shared.lease().value();
}

/// Returns a spill-fill buffer over memory that other buffers share.
SharedSpillFill lent(int fd, qnnpp::FdUse use, std::uint64_t offset = 0) {
  auto buffer = qnnpp::DmaBuffer::from_native(fd, 8192, {.fd = use, .needs_sync = false}).value();
  return SharedSpillFill::from_region(
      MemRegion<SpillFill>::from_buffer(std::move(buffer), offset, 4096).value());
}

TEST(lease, BUF_12_of_one_memory_is_one_however_often_it_was_lent) {
  const auto memory = qnnpp::MemfdAllocator().allocate(8192).value();
  const auto other_memory = qnnpp::MemfdAllocator().allocate(8192).value();
  const SharedSpillFill first = lent(memory.fd(), qnnpp::FdUse::borrow);
  const SharedSpillFill other = lent(other_memory.fd(), qnnpp::FdUse::duplicate);
  const SharedSpillFill lent_again = lent(memory.fd(), qnnpp::FdUse::borrow);
  const SharedSpillFill duplicated = lent(memory.fd(), qnnpp::FdUse::duplicate);
  const SharedSpillFill behind = lent(memory.fd(), qnnpp::FdUse::duplicate, 4096);
  const SpillFillLease lease = duplicated.lease().value();
  for (const SharedSpillFill* same : {&first, &lent_again, &duplicated, &behind}) {
    EXPECT_TRUE(qnnpp::detail::covers(lease, qnnpp::detail::Access::block(*same)->lock));
    EXPECT_EQ(same->lease().error().kind, Errc::would_deadlock);
    EXPECT_FALSE(is_free(*same));
  }
  EXPECT_FALSE(qnnpp::detail::covers(lease, qnnpp::detail::Access::block(other)->lock));
  EXPECT_TRUE(is_free(other));
}

TEST(lease, BUF_12_of_one_memory_stays_one_whichever_buffer_goes_first) {
  const auto memory = qnnpp::MemfdAllocator().allocate(8192).value();
  for (int going = 0; going < 3; ++going) {
    std::vector<SharedSpillFill> buffers;
    for (int i = 0; i < 3; ++i) buffers.push_back(lent(memory.fd(), qnnpp::FdUse::duplicate));
    const SpillFillLease lease = buffers[0].lease().value();
    buffers.erase(buffers.begin() + going);
    buffers.push_back(lent(memory.fd(), qnnpp::FdUse::duplicate));
    for (const SharedSpillFill& same : buffers) EXPECT_FALSE(is_free(same)) << going;
  }
  EXPECT_TRUE(is_free(lent(memory.fd(), qnnpp::FdUse::duplicate)));
}

TEST(lease, BUF_12_of_one_memory_is_left_before_the_memory_is_given_back) {
  const auto memory = qnnpp::MemfdAllocator().allocate(8192).value();
  int given_back = 0;
  {
    auto buffer =
        qnnpp::DmaBuffer::from_native(memory.fd(), 8192, {.fd = qnnpp::FdUse::borrow}, [&] {
          // The library holds no lock while a deleter runs.
          const SpillFillLease lease = lent(memory.fd(), qnnpp::FdUse::borrow).lease().value();
          ++given_back;
        });
    const SharedSpillFill shared = SharedSpillFill::from_region(
        MemRegion<SpillFill>::from_buffer(std::move(buffer).value()).value());
  }
  EXPECT_EQ(given_back, 1);
}

TEST(lease, BUF_12_of_buffers_without_memory_are_many) {
  const auto one = SharedSpillFill::from_region({});
  const auto two = SharedSpillFill::from_region({});
  const SpillFillLease lease = one.lease().value();
  EXPECT_TRUE(is_free(two));
}

TEST(lease, BUF_12_of_one_memory_excludes_threads_that_make_and_drop_buffers_of_it) {
  const auto memory = qnnpp::MemfdAllocator().allocate(8192).value();
  // In the first round a buffer lives throughout; in the second there are times without any buffer.
  for (const bool kept : {true, false}) {
    const SharedSpillFill keeper =
        kept ? lent(memory.fd(), qnnpp::FdUse::borrow) : SharedSpillFill();
    int executions = 0;  // if a buffer is kept, only the lease guards it
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread)
      threads.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          const SharedSpillFill mine = lent(memory.fd(), qnnpp::FdUse::borrow);
          const SpillFillLease lease = mine.lease().value();
          if (kept) ++executions;
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(executions, kept ? 600 : 0);
  }
}

TEST(lease, BUF_12_is_held_by_one_thread_at_a_time) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  std::atomic<int> inside = 0;
  std::atomic<int> most_inside = 0;
  int executions = 0;  // only the lease guards it
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread)
    threads.emplace_back([&, copy = shared] {
      for (int i = 0; i < 200; ++i) {
        const SpillFillLease lease = copy.lease().value();
        const int now = ++inside;
        if (now > most_inside) most_inside = now;
        std::this_thread::yield();
        ++executions;
        --inside;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(most_inside, 1);
  EXPECT_EQ(executions, 600);
}

TEST(lease, covers_the_buffer_that_it_was_taken_from) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const SharedSpillFill copy = shared;  // NOLINT: the copy is what is tested
  const SpillFillLease lease = shared.lease().value();
  EXPECT_TRUE(qnnpp::detail::covers(lease, qnnpp::detail::Access::block(shared)->lock));
  EXPECT_TRUE(qnnpp::detail::covers(lease, qnnpp::detail::Access::block(copy)->lock));
}

TEST(lease, covers_no_other_buffer) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const SharedSpillFill other = buffer_of(counts, 4096);
  const SpillFillLease lease = other.lease().value();
  EXPECT_FALSE(qnnpp::detail::covers(lease, qnnpp::detail::Access::block(shared)->lock));
}

TEST(lease, BUF_09_covers_what_shares_nothing_whatever_it_was_taken_from) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const SpillFillLease lease = shared.lease().value();
  const auto of_nothing =
      qnnpp::detail::Access::make<SpillFillLease>(Ref<qnnpp::detail::ExecutionLock>()).value();
  EXPECT_TRUE(qnnpp::detail::covers(lease, {}));
  EXPECT_TRUE(qnnpp::detail::covers(of_nothing, {}));
}

TEST(lease, of_nothing_covers_no_buffer) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const auto lease =
      qnnpp::detail::Access::make<SpillFillLease>(Ref<qnnpp::detail::ExecutionLock>()).value();
  EXPECT_FALSE(qnnpp::detail::covers(lease, qnnpp::detail::Access::block(shared)->lock));
  EXPECT_TRUE(is_free(shared));
}

TEST(lease, that_was_moved_from_covers_its_buffer_no_more) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  SpillFillLease lease = shared.lease().value();
  const SpillFillLease taken = std::move(lease);
  EXPECT_FALSE(qnnpp::detail::covers(
      lease,
      qnnpp::detail::Access::block(shared)->lock));  // NOLINT: a moved-from lease is empty
  EXPECT_TRUE(qnnpp::detail::covers(taken, qnnpp::detail::Access::block(shared)->lock));
  EXPECT_FALSE(is_free(shared));
}

TEST(lease, assigned_to_another_gives_the_old_one_back_now) {
  Counts counts;
  const SharedSpillFill first = buffer_of(counts, 4096);
  const SharedSpillFill second = buffer_of(counts, 4096);
  SpillFillLease lease = first.lease().value();
  lease = second.lease().value();
  EXPECT_TRUE(is_free(first));
  EXPECT_FALSE(is_free(second));
  EXPECT_TRUE(qnnpp::detail::covers(lease, qnnpp::detail::Access::block(second)->lock));
}

TEST(lease, may_be_the_last_to_know_of_its_buffer) {
  Counts counts;
  std::optional first = buffer_of(counts, 4096);
  const SharedSpillFill second = buffer_of(counts, 4096);
  SpillFillLease lease = first->lease().value();
  first.reset();
  EXPECT_EQ(counts.freed, 1);      // a lease keeps the right alive, not the memory
  lease = second.lease().value();  // the last reference to the old lock ends after unlocking it
  EXPECT_FALSE(is_free(second));
}

TEST(lease, BUF_12_goes_to_those_who_wait_in_the_order_in_which_they_asked) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  constexpr std::size_t clients = 4;
  std::vector<std::size_t> order;  // guarded by the lease
  std::vector<std::thread> threads;
  auto first = std::optional(shared.lease().value());
  for (std::size_t client = 0; client < clients; ++client) {
    std::atomic<int> thread = 0;
    threads.emplace_back([&, client] {
      thread.store(::gettid());
      const SpillFillLease lease = shared.lease().value();
      order.push_back(client);
    });
    // Each thread queues before the next one starts.
    support::wait_until_it_sleeps(thread);
  }
  // A client that requests the lease again gets it after all the waiting clients, not before.
  first.reset();
  {
    const SpillFillLease again = shared.lease().value();
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
  }
  for (auto& thread : threads) thread.join();
}

TEST(lease, BUF_12_of_a_thread_that_has_it_already_is_an_error_and_no_wait) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  {
    const SpillFillLease lease = shared.lease().value();
    // As in `lease = *pool.lease()`, which requests the new lease before the old one ends.
    EXPECT_EQ(shared.lease().error().kind, Errc::would_deadlock);
    EXPECT_EQ(shared.try_lease().error().kind, Errc::would_deadlock);
    EXPECT_EQ(shared.lease_for(std::chrono::hours(1)).error().kind, Errc::would_deadlock);
    EXPECT_FALSE(is_free(shared)) << "a refusal changes nothing";
  }
  EXPECT_TRUE(is_free(shared));
}

TEST(lease, BUF_12_that_another_thread_has_is_in_use_or_timed_out) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const SpillFillLease lease = shared.lease().value();
  std::thread([&] {
    const auto tried = shared.try_lease();
    ASSERT_FALSE(tried);
    EXPECT_EQ(tried.error().kind, Errc::in_use);
    EXPECT_EQ(tried.error().object, "shared spill-fill buffer");
    EXPECT_EQ(shared.lease_for(std::chrono::milliseconds(2)).error().kind, Errc::timed_out);
    EXPECT_EQ(shared.lease_for(std::chrono::nanoseconds(1)).error().kind, Errc::timed_out);
    EXPECT_EQ(shared.lease_for(std::chrono::seconds(0)).error().kind, Errc::timed_out);
    EXPECT_EQ(shared.lease_for(std::chrono::hours::min()).error().kind, Errc::timed_out);
    const std::chrono::duration<double> no_number(std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(shared.lease_for(no_number).error().kind, Errc::timed_out);
  }).join();
}

TEST(lease, BUF_12_may_be_waited_for_by_any_duration_without_an_overflow) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const auto waits = [&](auto at_most) {
    auto lease = std::optional(shared.lease().value());
    std::atomic<int> thread = 0;
    bool taken = false;
    std::thread other([&] {
      thread.store(::gettid());
      taken = shared.lease_for(at_most).has_value();
    });
    support::wait_until_it_sleeps(thread);
    lease.reset();
    other.join();
    return taken;
  };
  EXPECT_TRUE(waits(std::chrono::nanoseconds::max()));
  EXPECT_TRUE(waits(std::chrono::milliseconds::max()));
  EXPECT_TRUE(waits(std::chrono::hours::max()));
  EXPECT_TRUE(waits(std::chrono::years::max()));
  EXPECT_TRUE(waits(std::chrono::duration<double>::max()));
  EXPECT_TRUE(waits(std::chrono::minutes(1)));
}

TEST(lease, BUF_12_that_came_too_late_leaves_the_turns_of_others_as_they_were) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  auto lease = std::optional(shared.lease().value());
  std::vector<std::thread> threads;
  std::atomic<int> taken = 0;
  // The clients that give up are first, in the middle and last in the queue.
  for (int client = 0; client < 5; ++client) {
    std::atomic<int> thread = 0;
    threads.emplace_back([&, client] {
      thread.store(::gettid());
      if (client % 2 == 0) {
        EXPECT_EQ(shared.lease_for(std::chrono::milliseconds(20)).error().kind, Errc::timed_out);
      } else if (shared.lease()) {
        ++taken;
      }
    });
    support::wait_until_it_sleeps(thread);
  }
  for (const std::size_t patient : {std::size_t{0}, std::size_t{2}, std::size_t{4}})
    threads[patient].join();
  lease.reset();
  threads[1].join();
  threads[3].join();
  EXPECT_EQ(taken, 2);
  EXPECT_TRUE(is_free(shared));
}

TEST(lease, BUF_12_may_be_moved_to_another_thread_and_end_there) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  std::thread([lease = shared.lease().value()] {}).join();
  EXPECT_TRUE(is_free(shared));
}

TEST(lease, BUF_12_belongs_to_the_thread_that_moved_it_last) {
  using namespace std::chrono_literals;
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  auto lease = std::optional(shared.lease().value());
  std::thread([&] {
    const SpillFillLease constructed = *std::move(lease);
    EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::would_deadlock);
    std::thread([&] { EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::timed_out); }).join();
  }).join();
  lease.reset();
  EXPECT_TRUE(is_free(shared));
  auto from = shared.lease().value();
  std::thread([&] {
    auto to = buffer_of(counts, 4096).lease().value();
    to = std::move(from);
    EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::would_deadlock);
    from = std::move(to);
  }).join();
  EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::timed_out) << "the other thread moved it";
}

/// Executes in this thread under the lease of a buffer.
void execute_under_the_lease(const SharedSpillFill& shared) {
  const auto& lock = qnnpp::detail::Access::block(shared)->lock;
  EXPECT_TRUE(lock->begin_execution());
  lock->end_execution();
}

TEST(lease, BUF_12_that_is_lent_by_reference_stays_that_of_its_lender) {
  using namespace std::chrono_literals;
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const SpillFillLease lease = shared.lease().value();
  std::thread([&] { execute_under_the_lease(shared); }).join();
  EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::would_deadlock);
  EXPECT_EQ(shared.try_lease().error().kind, Errc::would_deadlock);
}

TEST(lease, BUF_12_that_was_borrowed_is_waited_for_with_patience_and_never_without_end) {
  using namespace std::chrono_literals;
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const SpillFillLease lease = shared.lease().value();
  std::atomic<int> step = 0;
  const auto await = [&](int wanted) {
    while (step.load() != wanted) std::this_thread::yield();
  };
  std::thread borrower([&] {
    execute_under_the_lease(shared);
    EXPECT_EQ(shared.try_lease().error().kind, Errc::in_use);
    EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::timed_out);
    // This thread may own the lease, because another thread could have moved it into this closure.
    EXPECT_EQ(shared.lease().error().kind, Errc::would_deadlock);
    step.store(1);
    await(2);
    EXPECT_FALSE(qnnpp::detail::Access::block(shared)->lock->is_held_by_this_thread());
  });
  await(1);
  execute_under_the_lease(shared);
  step.store(2);
  borrower.join();
}

TEST(lease, BUF_12_that_was_moved_into_a_threads_closure_is_known_after_an_execution_there) {
  using namespace std::chrono_literals;
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  std::atomic<int> waiting = 0;
  std::atomic<bool> moved = false;
  std::thread other([&, given = shared.lease().value()]() mutable {
    execute_under_the_lease(shared);
    EXPECT_EQ(shared.lease().error().kind, Errc::would_deadlock);
    const SpillFillLease own = std::move(given);
    EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::would_deadlock);
    moved.store(true);
    support::wait_until_it_sleeps(waiting);
  });
  while (!moved.load()) std::this_thread::yield();
  waiting.store(::gettid());
  EXPECT_TRUE(shared.lease()) << "to wait for the other thread is no waiting for oneself";
  other.join();
}

TEST(lease, BUF_12_in_a_threads_closure_is_unknown_there_until_it_is_used_or_moved) {
  using namespace std::chrono_literals;
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const auto received_by = [&](auto receive) {
    std::thread([&, given = shared.lease().value()]() mutable {
      EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::timed_out);
      EXPECT_EQ(shared.try_lease().error().kind, Errc::in_use);
      receive(given);
    }).join();
    EXPECT_TRUE(is_free(shared));
  };
  received_by([&](SpillFillLease&) {
    execute_under_the_lease(shared);
    EXPECT_EQ(shared.lease().error().kind, Errc::would_deadlock);
  });
  received_by([&](SpillFillLease& given) {
    const SpillFillLease own = std::move(given);
    EXPECT_EQ(shared.lease().error().kind, Errc::would_deadlock);
    EXPECT_EQ(shared.lease_for(1ms).error().kind, Errc::would_deadlock);
  });
}

TEST(lease, BUF_12_that_is_an_argument_of_a_thread_is_its_own_from_the_start) {
  using namespace std::chrono_literals;
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  SpillFillLease given = shared.lease().value();
  std::atomic<int> waiting = 0;
  std::atomic<bool> refused = false;
  std::thread other(
      [&](SpillFillLease) {
        EXPECT_EQ(shared.lease().error().kind, Errc::would_deadlock);
        refused.store(true);
        support::wait_until_it_sleeps(waiting);
      },
      std::move(given));
  while (!refused.load()) std::this_thread::yield();
  waiting.store(::gettid());
  EXPECT_TRUE(shared.lease()) << "the giver waits like any other thread";
  other.join();
}

TEST(lease, BUF_12_that_a_thread_left_behind_is_not_that_of_the_next_thread) {
  using namespace std::chrono_literals;
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  bool is_same_id = false;
  for (int round = 0; round < 10; ++round) {
    std::optional<SpillFillLease> left;
    std::thread::id gone;
    std::thread([&] {
      left.emplace(shared.lease().value());
      gone = std::this_thread::get_id();
    }).join();
    std::thread([&] {
      is_same_id = is_same_id || gone == std::this_thread::get_id();
      EXPECT_EQ(shared.try_lease().error().kind, Errc::in_use);
      EXPECT_EQ(shared.lease_for(0ms).error().kind, Errc::timed_out);
    }).join();
  }
  if (!is_same_id) GTEST_SKIP() << "the system used no thread's id again";
}

TEST(lease, BUF_12_is_for_one_execution_at_a_time) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const auto& lock = qnnpp::detail::Access::block(shared)->lock;
  const SpillFillLease lease = shared.lease().value();
  ASSERT_TRUE(lock->begin_execution());
  std::thread([&] { EXPECT_FALSE(lock->begin_execution()); }).join();
  lock->end_execution();
  EXPECT_TRUE(lock->begin_execution());
  lock->end_execution();
}

TEST(lease, BUF_12_that_ends_during_an_execution_breaks_a_contract) {
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  const auto& lock = qnnpp::detail::Access::block(shared)->lock;
  EXPECT_CONTRACT(lease_executes, {
    const SpillFillLease lease = shared.lease().value();
    (void)lock->begin_execution();
  });
}

TEST(lease, of_nothing_to_share_waits_for_nobody_and_covers_no_shared_memory) {
  const SharedSpillFill nothing;
  const SpillFillLease first = must(nothing.lease());
  const SpillFillLease second = must(nothing.try_lease());
  const SpillFillLease third = must(nothing.lease_for(std::chrono::seconds(1)));
  Counts counts;
  const SharedSpillFill shared = buffer_of(counts, 4096);
  for (const SpillFillLease* lease : {&first, &second, &third}) {
    EXPECT_TRUE(qnnpp::detail::covers(*lease, {}));
    EXPECT_FALSE(qnnpp::detail::covers(*lease, qnnpp::detail::Access::block(shared)->lock));
  }
}

TEST(lease, of_a_buffer_that_was_moved_from_breaks_a_contract) {
  Counts counts;
  SharedSpillFill gone = buffer_of(counts, 4096);
  const auto kept = [&] { return std::move(gone); }();
  EXPECT_CONTRACT(moved_spill_fill, (void)gone.lease());
  EXPECT_CONTRACT(moved_spill_fill, (void)gone.try_lease());
  EXPECT_CONTRACT(moved_spill_fill, (void)gone.lease_for(std::chrono::seconds(1)));
}

}  // namespace
