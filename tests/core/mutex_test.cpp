// Mutex: one at a time, and whoever waits is woken.
#include "qnnpp/core/detail/mutex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using qnnpp::detail::LockGuard;
using qnnpp::detail::Mutex;

TEST(mutex, is_taken_once_and_again_when_it_is_given_back) {
  Mutex mutex;
  EXPECT_TRUE(mutex.try_lock());
  EXPECT_FALSE(mutex.try_lock());
  mutex.unlock();
  EXPECT_TRUE(mutex.try_lock());
  mutex.unlock();
}

TEST(mutex, is_held_for_the_life_of_an_object) {
  Mutex mutex;
  {
    const LockGuard guard(mutex);
    EXPECT_FALSE(mutex.try_lock());
  }
  EXPECT_TRUE(mutex.try_lock());
  mutex.unlock();
}

TEST(mutex, lets_one_thread_in_at_a_time_and_wakes_all_that_wait) {
  constexpr int threads = 8;
  constexpr int rounds = 2000;
  Mutex mutex;
  int inside = 0;  // Not atomic: the mutex guards it.
  int most = 0;
  long sum = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const LockGuard guard(mutex);
        most = ++inside > most ? inside : most;
        ++sum;
        if (round % 64 == 0) std::this_thread::yield();
        --inside;
      }
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(sum, long{threads} * rounds);
}

TEST(mutex, makes_a_waiting_thread_sleep_until_it_is_given_back) {
  Mutex mutex;
  std::atomic<bool> got{false};
  mutex.lock();
  std::thread waiting([&] {
    const LockGuard guard(mutex);
    got = true;
  });
  EXPECT_FALSE(got);
  mutex.unlock();
  waiting.join();
  EXPECT_TRUE(got);
}

}  // namespace
