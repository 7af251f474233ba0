// Threads that would wait for each other's leases in a circle: the call that would close the circle
// is refused, and every other call goes on (BUF-12).
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

#include "../support/sleeping.hpp"

namespace {

using qnnpp::Errc;
using qnnpp::SharedSpillFill;
using qnnpp::SpillFillLease;

std::vector<SharedSpillFill> buffers(std::size_t count) {
  std::vector<SharedSpillFill> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(
        SharedSpillFill::allocate(qnnpp::MemfdAllocator(), {.spill_fill_bytes = 4096}).value());
  return made;
}

/// Ends the process if it is not destroyed within the time.
class Watchdog {
 public:
  explicit Watchdog(unsigned seconds) { ::alarm(seconds); }
  ~Watchdog() { ::alarm(0); }
};

/// What some threads do with leases: each takes up to three at a time, in an order of its own.
struct Users {
  std::vector<SharedSpillFill> memory = buffers(4);
  std::atomic<int> taken{0};
  std::atomic<int> refused{0};

  void use(std::uint32_t seed, bool in_order) {
    std::mt19937 random(seed);
    for (int round = 0; round < 4; ++round) {
      std::vector<std::pair<std::size_t, SpillFillLease>> mine;
      for (int i = 0; i < 3; ++i) {
        const std::size_t first = !in_order || mine.empty() ? 0 : mine.back().first + 1;
        if (first == memory.size()) break;
        const std::size_t wanted = first + random() % (memory.size() - first);
        auto lease = random() % 8 == 0 ? memory[wanted].lease_for(std::chrono::microseconds(50))
                                       : memory[wanted].lease();
        if (lease) {
          ++taken;
          mine.emplace_back(wanted, std::move(*lease));
          if (random() % 4 == 0) std::this_thread::yield();
        } else if (lease.error().kind == Errc::would_deadlock) {
          ++refused;
          break;  // Gives all back, so that the others go on.
        }
      }
      if (!mine.empty() && random() % 2 == 0) mine.erase(mine.begin());
    }
  }
  void run(std::uint32_t seed, bool in_order) {
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < 8; ++i)
      threads.emplace_back([=, this] { use(seed * 8 + i, in_order); });
    for (std::thread& thread : threads) thread.join();
    for (const SharedSpillFill& each : memory) EXPECT_TRUE(each.try_lease()) << seed;
  }
};

TEST(lease_circles, BUF_12_of_8_threads_in_1000_random_orders_never_hang) {
  const Watchdog watchdog(120);
  Users users;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) users.run(seed, false);
  EXPECT_GT(users.taken, 0);
  EXPECT_GT(users.refused, 0);
}

TEST(lease_circles, BUF_12_of_threads_that_keep_one_order_are_never_refused) {
  const Watchdog watchdog(120);
  Users users;
  for (std::uint32_t seed = 0; seed < 100; ++seed) users.run(seed, true);
  EXPECT_EQ(users.refused, 0);
}

/// A thread that has one lease and waits for another.
class Waiting {
 public:
  Waiting(const SharedSpillFill& has, const SharedSpillFill& wants)
      : thread_([this, &has, &wants] {
          const auto lease = has.lease();
          has_it_ = lease.has_value();
          while (!may_wait_) std::this_thread::yield();
          thread_id_ = ::gettid();
          succeeds_ = wants.lease().has_value();
        }) {
    while (!has_it_) std::this_thread::yield();
  }
  /// Returns when the thread waits.
  void wait() {
    may_wait_ = true;
    support::wait_until_it_sleeps(thread_id_);
  }
  [[nodiscard]] bool succeeds() {
    thread_.join();
    return succeeds_;
  }

 private:
  std::atomic<bool> has_it_{false}, may_wait_{false};
  std::atomic<int> thread_id_{0};
  bool succeeds_ = false;
  std::thread thread_;
};

TEST(lease_circles, BUF_12_of_any_length_are_refused_to_the_call_that_would_close_them) {
  const Watchdog watchdog(60);
  for (std::size_t length = 2; length < 6; ++length) {
    const auto memory = buffers(length);
    std::optional<SpillFillLease> mine = memory[0].lease().value();
    std::vector<std::unique_ptr<Waiting>> others;
    for (std::size_t i = 1; i < length; ++i)
      others.push_back(std::make_unique<Waiting>(memory[i], memory[i - 1]));
    for (const auto& each : others) each->wait();
    // With a limit, this wait closes no circle.
    const SharedSpillFill& last = memory[length - 1];
    EXPECT_EQ(last.lease_for(std::chrono::milliseconds(1)).error().kind, Errc::timed_out);
    const qnnpp::Error refused = last.lease().error();
    EXPECT_EQ(refused.kind, Errc::would_deadlock);
    EXPECT_EQ(refused.detail, "the thread that has the lease waits for one that this thread has");
    mine.reset();
    for (const auto& each : others) EXPECT_TRUE(each->succeeds());
  }
}

}  // namespace
