// Ref: counts references; the last one deletes the block.
#include "qnnpp/core/ref.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using qnnpp::Ref;

struct Block : qnnpp::RefCounted<Block> {
  explicit Block(std::atomic<int>& count, int number_in = 0) : deleted(count), number(number_in) {}
  ~Block() { ++deleted; }

  std::atomic<int>& deleted;
  int number;
  int written[2] = {};
};

static_assert(std::is_nothrow_copy_constructible_v<Ref<Block>>);
static_assert(std::is_nothrow_move_constructible_v<Ref<Block>>);
static_assert(!std::is_copy_constructible_v<Block>);

TEST(ref, of_nothing_is_empty) {
  const Ref<Block> none;
  const Ref<Block> copy = none;  // NOLINT: the copy is what is tested
  EXPECT_FALSE(none);
  EXPECT_EQ(none.get(), nullptr);
  EXPECT_EQ(none.use_count(), 0u);
  EXPECT_EQ(none, copy);
}

TEST(ref, made_with_a_block_is_its_only_one) {
  std::atomic<int> deleted = 0;
  {
    const auto ref = Ref<Block>::make(deleted, 5);
    ASSERT_TRUE(ref);
    EXPECT_EQ(ref.use_count(), 1u);
    EXPECT_EQ(ref->number, 5);
    EXPECT_EQ(&*ref, ref.get());
  }
  EXPECT_EQ(deleted, 1);
}

TEST(ref, that_is_released_is_adopted_by_another) {
  std::atomic<int> deleted = 0;
  auto ref = Ref<Block>::make(deleted);
  Block* const block = ref.release();
  EXPECT_FALSE(ref);
  EXPECT_EQ(deleted, 0);
  {
    const auto other = Ref<Block>::adopt(block);
    EXPECT_EQ(other.use_count(), 1u);
  }
  EXPECT_EQ(deleted, 1);
}

TEST(ref, copies_share_the_block_and_the_last_deletes_it) {
  std::atomic<int> deleted = 0;
  auto first = Ref<Block>::make(deleted);
  auto second = first;
  EXPECT_EQ(first, second);
  EXPECT_EQ(first.use_count(), 2u);
  first = {};
  EXPECT_FALSE(first);
  EXPECT_EQ(deleted, 0);
  EXPECT_EQ(second.use_count(), 1u);
  second = {};
  EXPECT_EQ(deleted, 1);
}

// A template, because in templates clang 14 omits the destructor of an object that initialises a
// by-value parameter.
template <class Holder>
void empty(Holder& holder) {
  holder.ref = {};
}
struct Holder {
  Ref<Block> ref;
};

TEST(ref, emptied_in_a_template_drops_the_block) {
  std::atomic<int> deleted = 0;
  Holder holder{Ref<Block>::make(deleted)};
  empty(holder);
  EXPECT_EQ(deleted, 1);
}

TEST(ref, a_move_changes_no_count) {
  std::atomic<int> deleted = 0;
  auto first = Ref<Block>::make(deleted);
  const auto second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT: a moved-from reference is empty
  EXPECT_EQ(second.use_count(), 1u);
  EXPECT_EQ(deleted, 0);
}

TEST(ref, assignment_drops_the_old_block_at_once) {
  std::atomic<int> old_deleted = 0;
  std::atomic<int> new_deleted = 0;
  auto ref = Ref<Block>::make(old_deleted);
  const auto other = Ref<Block>::make(new_deleted);
  ref = other;
  EXPECT_EQ(old_deleted, 1);
  EXPECT_EQ(new_deleted, 0);
  EXPECT_EQ(other.use_count(), 2u);
}

TEST(ref, assigned_to_itself_keeps_its_block) {
  std::atomic<int> deleted = 0;
  auto ref = Ref<Block>::make(deleted);
  auto& same = ref;
  ref = same;
  EXPECT_EQ(ref.use_count(), 1u);
  ref = std::move(same);
  EXPECT_EQ(ref.use_count(), 1u);
  EXPECT_EQ(deleted, 0);
}

TEST(ref, different_blocks_are_different) {
  std::atomic<int> deleted = 0;
  EXPECT_NE(Ref<Block>::make(deleted), Ref<Block>::make(deleted));
  EXPECT_EQ(deleted, 2);
}

TEST(ref, the_count_is_that_of_the_references_after_any_steps) {
  std::mt19937 random(20260102);
  std::atomic<int> deleted = 0;
  constexpr std::size_t count = 16;
  {
    std::vector<Ref<Block>> refs(count);
    int made = 0;
    for (int step = 0; step < 2000; ++step) {
      auto& one = refs[random() % count];
      auto& other = refs[random() % count];
      switch (random() % 4) {
        case 0: one = other; break;
        case 1: one = std::move(other); break;
        case 2: one = {}; break;
        default: one = Ref<Block>::make(deleted, made++);
      }
      std::vector<int> seen;
      for (const auto& ref : refs) {
        std::uint32_t same = 0;
        for (const auto& again : refs) same += ref && again == ref ? 1u : 0u;
        ASSERT_EQ(ref.use_count(), same);
        if (ref) {
          bool known = false;
          for (const int number : seen) known = known || number == ref->number;
          if (!known) seen.push_back(ref->number);
        }
      }
      ASSERT_EQ(made - deleted, static_cast<int>(seen.size()));
    }
  }
}

TEST(ref, threads_that_copy_and_drop_delete_the_block_once_and_last) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> deleted = 0;
    auto ref = Ref<Block>::make(deleted);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 2; ++thread) {
      threads.emplace_back([own = ref, thread, &deleted]() mutable {
        for (int i = 0; i < 200; ++i) {
          const auto copy = own;
          EXPECT_GE(copy.use_count(), 2u);
          EXPECT_EQ(deleted, 0);
        }
        own->written[thread] = 1;  // the thread that deletes the block must see this
        own = {};
      });
    }
    ref = {};
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(deleted, 1);
  }
}

}  // namespace
