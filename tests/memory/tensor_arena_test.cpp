#include "qnnpp/memory/tensor_arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "memory/arena_instances.hpp"
#include "support/results.hpp"

namespace {

using arena::Random;
using arena::Tensors;
using qnnpp::Errc;
using qnnpp::TensorArena;
using qnnpp::TensorUse;
using support::error_of;
using support::must;

constexpr std::uint64_t alignment = 128;

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t to = alignment) {
  return (bytes + to - 1) / to * to;
}

/// Returns the bytes that the busiest step needs, computed at every first use.
std::uint64_t busiest_bytes(const Tensors& tensors, std::uint64_t to = alignment) {
  std::uint64_t most = 0;
  for (const TensorUse& at : tensors) {
    std::uint64_t live = 0;
    for (const TensorUse& tensor : tensors)
      if (tensor.first_use <= at.first_use && at.first_use <= tensor.last_use)
        live += rounded(tensor.size_bytes, to);
    most = std::max(most, live);
  }
  return most;
}

/// Checks every rule of a plan, pair by pair.
testing::AssertionResult keeps_rules(const Tensors& tensors, const TensorArena& plan,
                                     std::uint64_t to = alignment) {
  const auto offsets = plan.offsets();
  if (offsets.size() != tensors.size())
    return testing::AssertionFailure() << offsets.size() << " offsets";
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (offsets[i] % to != 0)
      return testing::AssertionFailure() << tensors[i].name << " at " << offsets[i];
    end = std::max(end, offsets[i] + rounded(tensors[i].size_bytes, to));
    for (std::size_t j = 0; j < i; ++j) {
      const TensorUse &a = tensors[i], &b = tensors[j];
      const bool meet = a.first_use <= b.last_use && b.first_use <= a.last_use;
      if (meet && offsets[i] < offsets[j] + b.size_bytes && offsets[j] < offsets[i] + a.size_bytes)
        return testing::AssertionFailure() << a.name << " lies over " << b.name;
      if (a.kind != b.kind && offsets[i] == offsets[j])
        return testing::AssertionFailure() << a.name << " begins where " << b.name << " does";
    }
  }
  if (plan.size_bytes() != end)
    return testing::AssertionFailure() << "ends at " << end << ", not " << plan.size_bytes();
  if (plan.lower_bound_bytes() != busiest_bytes(tensors, to))
    return testing::AssertionFailure() << "busiest step needs " << busiest_bytes(tensors, to)
                                       << ", not " << plan.lower_bound_bytes();
  return testing::AssertionSuccess();
}

Tensors tensors_of(std::initializer_list<TensorUse> tensors) { return tensors; }

/// Plans every instance of a family and checks the plans. Records under `name` the worst ratio of
/// the size to the lower bound; worst() returns it.
class Ratio {
 public:
  explicit Ratio(std::string name) : name_(std::move(name)) {}
  ~Ratio() {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", worst_);
    testing::Test::RecordProperty(name_, text);
  }
  Ratio(const Ratio&) = delete;
  Ratio& operator=(const Ratio&) = delete;

  void plan(const Tensors& tensors, std::uint64_t effort = 100) {
    const TensorArena plan =
        must(TensorArena::plan(tensors, TensorArena::default_alignment, effort));
    EXPECT_TRUE(keeps_rules(tensors, plan)) << name_;
    worst_ = std::max(worst_, static_cast<double>(plan.size_bytes()) /
                                  static_cast<double>(plan.lower_bound_bytes()));
  }
  double worst() const { return worst_; }

 private:
  std::string name_;
  double worst_ = 1;
};

// ---- the rule -------------------------------------------------------------------------------

TEST(TensorArena, SHB_02_tensors_in_use_at_the_same_step_do_not_overlap) {
  Random random(1);
  for (int instance = 0; instance < 300; ++instance) {
    Tensors tensors;
    const std::uint64_t steps = random.from(1, 40);
    for (std::uint64_t count = random.from(1, 30); count > 0; --count) {
      const std::uint64_t first = random.from(0, steps);
      arena::add(tensors, random.from(1, 5000), first, first + random.from(0, steps / 2));
      tensors.back().kind = instance % 2 == 0 ? 0 : random.from(0, 3);
    }
    ASSERT_TRUE(keeps_rules(tensors, must(TensorArena::plan(tensors)))) << instance;
  }
}

TEST(TensorArena, SHB_02_a_last_use_and_a_first_use_at_the_same_step_meet) {
  const auto tensors = tensors_of({{"in", 1000, 0, 1}, {"out", 1000, 1, 2}});
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.size_bytes(), 2048u);
}

TEST(TensorArena, SHB_02_tensors_that_never_meet_share_bytes) {
  const auto tensors = tensors_of({{"a", 1000, 0, 0}, {"b", 5000, 1, 1}, {"c", 300, 2, 9}});
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.size_bytes(), 5120u);
}

TEST(TensorArena, SHB_02_tensors_that_all_meet_lie_one_after_another) {
  Tensors tensors;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 1; i <= 40; ++i) {
    arena::add(tensors, 77 * i, i, 1000 - i);
    sum += rounded(77 * i);
  }
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.size_bytes(), sum);
}

TEST(TensorArena, SHB_05_tensors_of_different_kinds_never_begin_at_the_same_byte) {
  const auto tensors = tensors_of({{"a", 1024, 0, 0, 1}, {"b", 1024, 1, 1, 2}});
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.size_bytes(), 1024u + 128u);
}

TEST(TensorArena, SHB_05_tensors_of_one_kind_may_begin_at_the_same_byte) {
  const auto tensors =
      tensors_of({{"a", 1024, 0, 0, 7}, {"b", 512, 1, 1, 9}, {"c", 1024, 2, 2, 7}});
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.offsets()[0], plan.offsets()[2]);
  EXPECT_EQ(plan.size_bytes(), 1024u);
}

// ---- how little is enough -------------------------------------------------------------------

TEST(TensorArena, a_pipeline_of_up_to_128_tensors_needs_at_most_5_percent_more_than_is_in_use) {
  struct Family {
    const char* name;
    Tensors (*make)(std::size_t, Random);
  };
  for (const Family family :
       {Family{"chain", arena::chain}, Family{"skips", arena::skips},
        Family{"branches", arena::branches}, Family{"transformer", arena::transformer}})
    for (const std::size_t count : {16u, 48u, 128u}) {
      Ratio ratio(family.name + ("_" + std::to_string(count)));
      for (std::uint64_t seed = 1; seed <= 12; ++seed) ratio.plan(family.make(count, Random(seed)));
      EXPECT_LE(ratio.worst(), 1.05) << family.name << ' ' << count;
      Ratio kinds(family.name + ("_with_kinds_" + std::to_string(count)));
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        kinds.plan(arena::with_kinds(family.make(count, Random(seed)), count, Random(seed)));
      EXPECT_LE(kinds.worst(), 1.05) << family.name << ' ' << count;
    }
}

TEST(TensorArena, a_chain_needs_exactly_its_two_largest_neighbours) {
  for (const std::size_t count : {16u, 64u, 256u, 512u})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Tensors tensors = arena::chain(count, Random(seed));
      const TensorArena plan = must(TensorArena::plan(tensors, TensorArena::default_alignment, 0));
      EXPECT_TRUE(keeps_rules(tensors, plan));
      EXPECT_EQ(plan.size_bytes(), plan.lower_bound_bytes()) << count << ' ' << seed;
    }
}

TEST(TensorArena, a_puzzle_needs_at_most_25_percent_more_than_its_solution) {
  for (const std::size_t count : {150u, 300u, 500u})
    for (const std::uint64_t jitter : {0u, 8u}) {
      Ratio ratio("puzzle_" + std::to_string(count) + (jitter != 0 ? "_jittered" : ""));
      for (std::uint64_t seed = 1; seed <= 2; ++seed)
        ratio.plan(arena::puzzle(count, 1 << 20, jitter, Random(seed)), 5);
      EXPECT_LE(ratio.worst(), 1.25) << count;
    }
}

TEST(TensorArena, the_usual_effort_solves_most_of_a_puzzle) {
  Ratio ratio("puzzle_200_usual_effort");
  ratio.plan(arena::puzzle(200, 1 << 20, 0, Random(4)));
  EXPECT_LE(ratio.worst(), 1.10);
}

TEST(TensorArena, more_effort_saves_bytes) {
  const Tensors tensors = arena::puzzle(128, 1 << 20, 4, Random(3));
  const auto size = [&](std::uint64_t effort) {
    return must(TensorArena::plan(tensors, TensorArena::default_alignment, effort)).size_bytes();
  };
  EXPECT_LT(size(100), size(0));
}

TEST(TensorArena, the_puzzles_have_the_solution_that_they_were_cut_from) {
  const Tensors tensors = arena::puzzle(300, 1 << 20, 0, Random(1));
  EXPECT_EQ(tensors.size(), 300u);
  EXPECT_EQ(busiest_bytes(tensors), std::uint64_t{1} << 20);
}

// ---- promises -------------------------------------------------------------------------------

TEST(TensorArena, the_same_tensors_get_the_same_offsets) {
  const Tensors tensors = arena::puzzle(100, 1 << 20, 0, Random(2));
  const TensorArena once = must(TensorArena::plan(tensors));
  const TensorArena again = must(TensorArena::plan(tensors));
  EXPECT_TRUE(std::equal(once.offsets().begin(), once.offsets().end(), again.offsets().begin(),
                         again.offsets().end()));
}

TEST(TensorArena, offsets_keep_the_alignment_that_is_asked_for) {
  const Tensors tensors = arena::skips(60, Random(5));
  for (const std::uint64_t to : {1u, 64u, 4096u, 1u << 24u}) {
    const TensorArena plan = must(TensorArena::plan(tensors, to));
    EXPECT_TRUE(keeps_rules(tensors, plan, to)) << to;
  }
}

TEST(TensorArena, steps_may_be_numbered_in_any_way) {
  Tensors tensors = arena::branches(60, Random(6));
  const TensorArena plan = must(TensorArena::plan(tensors));
  for (TensorUse& tensor : tensors) {
    tensor.first_use = UINT64_MAX - 1000 * (1000 - tensor.first_use);
    tensor.last_use = UINT64_MAX - 1000 * (1000 - tensor.last_use);
  }
  const TensorArena renumbered = must(TensorArena::plan(tensors));
  EXPECT_TRUE(std::equal(plan.offsets().begin(), plan.offsets().end(), renumbered.offsets().begin(),
                         renumbered.offsets().end()));
}

TEST(TensorArena, no_tensors_need_no_bytes) {
  const TensorArena plan = must(TensorArena::plan({}));
  EXPECT_TRUE(plan.offsets().empty());
  EXPECT_EQ(plan.size_bytes(), 0u);
  EXPECT_EQ(plan.lower_bound_bytes(), 0u);
}

TEST(TensorArena, one_tensor_needs_its_rounded_size) {
  const auto tensors = tensors_of({{"only", 129, 3, UINT64_MAX, 4}});
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.offsets()[0], 0u);
  EXPECT_EQ(plan.size_bytes(), 256u);
}

TEST(TensorArena, ten_thousand_tensors_are_planned) {
  const Tensors tensors = arena::with_kinds(arena::skips(10'000, Random(7)), 50, Random(8));
  const TensorArena plan = must(TensorArena::plan(tensors, TensorArena::default_alignment, 5));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_LE(static_cast<double>(plan.size_bytes()),
            1.05 * static_cast<double>(plan.lower_bound_bytes()));
}

TEST(TensorArena, sizes_up_to_the_largest_are_placed) {
  constexpr std::uint64_t huge = std::uint64_t{1} << 61;
  for (const std::uint64_t to : {std::uint64_t{1}, alignment, huge}) {
    const auto tensors =
        tensors_of({{"a", huge, 0, 1, 1}, {"b", huge, 1, 2, 2}, {"c", 1, 2, 3, 3}});
    const TensorArena plan = must(TensorArena::plan(tensors, to));
    EXPECT_TRUE(keeps_rules(tensors, plan, to)) << to;
    EXPECT_LT(plan.size_bytes(), 3 * huge + 1) << to;
  }
}

// ---- errors ---------------------------------------------------------------------------------

TEST(TensorArena, a_tensor_without_bytes_is_an_error) {
  const auto error = error_of(TensorArena::plan(tensors_of({{"a", 8, 0, 1}, {"void", 0, 0, 1}})));
  EXPECT_EQ(error.kind, Errc::empty);
  EXPECT_EQ(error.object, "void");
}

TEST(TensorArena, a_last_use_before_the_first_is_an_error) {
  const auto error = error_of(TensorArena::plan(tensors_of({{"a", 8, 0, 1}, {"late", 8, 7, 5}})));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "late");
  EXPECT_NE(error.detail.find("step 5"), std::string::npos);
  EXPECT_NE(error.detail.find("step 7"), std::string::npos);
}

TEST(TensorArena, an_alignment_that_is_no_power_of_two_is_an_error) {
  for (const std::uint64_t to : {0u, 3u, 129u}) {
    const auto error = error_of(TensorArena::plan(tensors_of({{"a", 8, 0, 1}}), to));
    EXPECT_EQ(error.kind, Errc::invalid_argument) << to;
    EXPECT_NE(error.detail.find(std::to_string(to)), std::string::npos);
  }
}

TEST(TensorArena, sizes_whose_sum_overflows_are_an_error) {
  constexpr std::uint64_t huge = std::uint64_t{1} << 62;
  for (const std::uint64_t last : {huge, UINT64_MAX - huge, UINT64_MAX - 127, UINT64_MAX}) {
    const auto tensors = tensors_of({{"a", huge - 128, 0, 1}, {"b", 128, 0, 1}, {"c", last, 0, 1}});
    const auto error = error_of(TensorArena::plan(tensors));
    EXPECT_EQ(error.kind, Errc::too_large) << last;
    EXPECT_EQ(error.object, "c") << last;
  }
}

TEST(TensorArena, a_size_that_overflows_when_rounded_up_is_an_error) {
  constexpr std::uint64_t to = std::uint64_t{1} << 63;
  const auto error = error_of(TensorArena::plan(tensors_of({{"a", 1, 0, 1}}), to));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "a");
}

TEST(TensorArena, sizes_whose_sum_overflows_when_rounded_up_are_an_error) {
  constexpr std::uint64_t to = std::uint64_t{1} << 62;
  const auto tensors = tensors_of({{"a", 1, 0, 1}, {"b", 1, 0, 1}});
  const auto error = error_of(TensorArena::plan(tensors, to));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "b");
}

}  // namespace
