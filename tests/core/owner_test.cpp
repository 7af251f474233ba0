// Owner: closes its resource exactly once, immediately.
#include "qnnpp/core/owner.hpp"

#include <gtest/gtest.h>

#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using qnnpp::Owner;

// Values that the owners of the running test have closed, in order.
std::vector<int> closed;

struct Recorder {
  using Value = int;
  static Value null() noexcept { return -1; }
  static std::uint64_t close(Value value) noexcept {
    closed.push_back(value);
    return value == 13 ? 4011 : 0;
  }
};
using Resource = Owner<Recorder>;
using Closed = std::vector<int>;

static_assert(!std::is_copy_constructible_v<Resource> && !std::is_copy_assignable_v<Resource>);
static_assert(std::is_nothrow_move_constructible_v<Resource> &&
              std::is_nothrow_move_assignable_v<Resource>);

class owner : public ::testing::Test {
 protected:
  void SetUp() override { closed.clear(); }
};

TEST_F(owner, closes_its_resource_once_when_it_dies) {
  {
    const Resource resource(7);
    EXPECT_TRUE(resource);
    EXPECT_EQ(resource.get(), 7);
    EXPECT_TRUE(closed.empty());
  }
  EXPECT_EQ(closed, Closed{7});
}

/// A value that counts its copies. A value with a vector would allocate for each copy.
struct Counted {
  Counted() = default;
  Counted(const Counted& other) : id(other.id) { ++copies; }
  Counted& operator=(const Counted& other) {
    id = other.id;
    ++copies;
    return *this;
  }
  Counted(Counted&& other) noexcept : id(other.id) {}
  Counted& operator=(Counted&& other) noexcept {
    id = other.id;
    return *this;
  }
  bool operator==(const Counted& other) const { return id == other.id; }

  int id = 0;
  static inline int copies = 0;
};
struct CountedPolicy {
  using Value = Counted;
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept {
    closed.push_back(value.id);
    return 0;
  }
};

TEST_F(owner, copies_no_value_on_its_way_from_the_call_to_its_end) {
  Counted::copies = 0;
  {
    Counted value;
    value.id = 5;
    Owner<CountedPolicy> first(std::move(value));
    Owner<CountedPolicy> second(std::move(first));
    first = std::move(second);
  }
  EXPECT_EQ(closed, Closed{5});
  EXPECT_EQ(Counted::copies, 0);
}

TEST_F(owner, closes_nothing_when_it_has_nothing) {
  {
    Resource resource;
    EXPECT_FALSE(resource);
    EXPECT_EQ(resource.get(), -1);
    EXPECT_EQ(resource.close(), 0u);
  }
  EXPECT_TRUE(closed.empty());
}

TEST_F(owner, of_the_null_value_has_nothing) {
  {
    const Resource resource(-1);
    EXPECT_FALSE(resource);
  }
  EXPECT_TRUE(closed.empty());
}

TEST_F(owner, close_closes_now_and_never_again) {
  {
    Resource resource(7);
    EXPECT_EQ(resource.close(), 0u);
    EXPECT_EQ(closed, Closed{7});
    EXPECT_FALSE(resource);
    EXPECT_EQ(resource.close(), 0u);
  }
  EXPECT_EQ(closed, Closed{7});
}

TEST_F(owner, close_returns_what_the_policy_returned_and_keeps_nothing) {
  Resource resource(13);
  EXPECT_EQ(resource.close(), 4011u);
  EXPECT_FALSE(resource);
}

TEST_F(owner, release_gives_the_resource_up_unclosed) {
  {
    Resource resource(7);
    EXPECT_EQ(resource.release(), 7);
    EXPECT_FALSE(resource);
  }
  EXPECT_TRUE(closed.empty());
}

TEST_F(owner, move_construction_passes_the_resource_on) {
  {
    Resource first(7);
    const Resource second(std::move(first));
    EXPECT_FALSE(first);  // NOLINT: a moved-from owner is empty
    EXPECT_EQ(second.get(), 7);
    EXPECT_TRUE(closed.empty());
  }
  EXPECT_EQ(closed, Closed{7});
}

TEST_F(owner, move_assignment_closes_the_old_resource_now_and_the_new_one_later) {
  {
    Resource first(1);
    Resource second(2);
    first = std::move(second);
    EXPECT_EQ(closed, Closed{1});
    EXPECT_EQ(first.get(), 2);
    EXPECT_FALSE(second);  // NOLINT: a moved-from owner is empty
  }
  EXPECT_EQ(closed, (Closed{1, 2}));
}

TEST_F(owner, assignment_of_nothing_closes_the_old_resource) {
  Resource resource(1);
  resource = Resource();
  EXPECT_EQ(closed, Closed{1});
  EXPECT_FALSE(resource);
}

TEST_F(owner, moved_onto_itself_keeps_its_resource) {
  {
    Resource resource(7);
    Resource& same = resource;
    resource = std::move(same);
    EXPECT_EQ(resource.get(), 7);
    EXPECT_TRUE(closed.empty());
  }
  EXPECT_EQ(closed, Closed{7});
}

TEST_F(owner, of_a_vector_are_closed_once_each_however_they_are_moved) {
  std::mt19937 random(20260101);
  constexpr int count = 100;
  {
    std::vector<Resource> resources;
    for (int i = 0; i < count; ++i) resources.emplace_back(100 + i);
    for (int i = 0; i < 1000; ++i)
      std::swap(resources[random() % count], resources[random() % count]);
    EXPECT_TRUE(closed.empty());
  }
  std::vector<int> times(count, 0);
  for (const int value : closed) ++times.at(static_cast<std::size_t>(value - 100));
  EXPECT_EQ(times, std::vector<int>(count, 1));
}

}  // namespace
