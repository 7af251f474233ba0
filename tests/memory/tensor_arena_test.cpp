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

using arena::bytes_of;
using arena::Random;
using arena::tensor;
using arena::Tensors;
using qnnpp::Errc;
using qnnpp::ScheduledTensor;
using qnnpp::TensorArena;
using support::error_of;
using support::must;

constexpr std::uint64_t alignment = 128;

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t to = alignment) {
  return (bytes + to - 1) / to * to;
}

/// Returns the bytes that the busiest step needs, computed at every first use.
std::uint64_t busiest_bytes(const Tensors& tensors, std::uint64_t to = alignment) {
  std::uint64_t most = 0;
  for (const ScheduledTensor& at : tensors) {
    std::uint64_t live = 0;
    for (const ScheduledTensor& tensor : tensors)
      if (tensor.first_use <= at.first_use && at.first_use <= tensor.last_use)
        live += rounded(bytes_of(tensor), to);
    most = std::max(most, live);
  }
  return most;
}

/// Checks every rule of a plan, pair by pair.
testing::AssertionResult keeps_rules(const Tensors& tensors, const TensorArena& plan,
                                     std::uint64_t to = alignment) {
  const auto& packing = plan.placements();
  if (packing.size() != tensors.size())
    return testing::AssertionFailure() << packing.size() << " placements";
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string& name = tensors[i].spec.name;
    const std::uint64_t begin = packing[i].offset_bytes;
    if (packing[i].spec.name != name || packing[i].size_bytes != bytes_of(tensors[i]))
      return testing::AssertionFailure() << name << " is not the one that was given";
    if (begin % to != 0) return testing::AssertionFailure() << name << " at " << begin;
    end = std::max(end, begin + rounded(packing[i].size_bytes, to));
    for (std::size_t j = 0; j < i; ++j) {
      const ScheduledTensor &a = tensors[i], &b = tensors[j];
      const bool meet = a.first_use <= b.last_use && b.first_use <= a.last_use;
      const std::uint64_t other = packing[j].offset_bytes;
      if (meet && begin < other + packing[j].size_bytes && other < begin + packing[i].size_bytes)
        return testing::AssertionFailure() << name << " lies over " << b.spec.name;
      if (begin == other &&
          (a.spec.data_type != b.spec.data_type || a.spec.dimensions != b.spec.dimensions))
        return testing::AssertionFailure() << name << " begins where " << b.spec.name << " does";
    }
  }
  if (plan.size_bytes() != end)
    return testing::AssertionFailure() << "ends at " << end << ", not " << plan.size_bytes();
  if (plan.lower_bound_bytes() != busiest_bytes(tensors, to))
    return testing::AssertionFailure() << "busiest step needs " << busiest_bytes(tensors, to)
                                       << ", not " << plan.lower_bound_bytes();
  return testing::AssertionSuccess();
}

std::vector<std::uint64_t> offsets_of(const TensorArena& plan) {
  std::vector<std::uint64_t> offsets;
  for (const auto& place : plan.placements()) offsets.push_back(place.offset_bytes);
  return offsets;
}

/// Makes a tensor of 2^60 bytes.
ScheduledTensor huge_tensor(std::string name, std::uint64_t first, std::uint64_t last) {
  ScheduledTensor huge = tensor(std::move(name), 1, first, last);
  huge.spec.data_type = qnnpp::c_api::DataType::int_64;
  huge.spec.dimensions = {1u << 31u, 1u << 26u};
  return huge;
}

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
    const TensorArena plan = must(TensorArena::plan(tensors, alignment, effort));
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
      const std::uint64_t bytes =
          instance % 2 == 0 ? random.from(1, 5000) : 900 * random.from(1, 4);
      arena::add(tensors, bytes, first, first + random.from(0, steps / 2));
    }
    ASSERT_TRUE(keeps_rules(tensors, must(TensorArena::plan(tensors)))) << instance;
  }
}

TEST(TensorArena, SHB_02_a_last_use_and_a_first_use_at_the_same_step_meet) {
  const auto tensors = Tensors{tensor("in", 1000, 0, 1), tensor("out", 1000, 1, 2)};
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.size_bytes(), 2048u);
}

TEST(TensorArena, SHB_02_tensors_that_never_meet_share_bytes) {
  const auto tensors =
      Tensors{tensor("a", 1000, 0, 0), tensor("b", 5000, 1, 1), tensor("c", 1000, 2, 9)};
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
  Tensors tensors{tensor("a", 1024, 0, 0), tensor("b", 1024, 1, 1)};
  tensors[1].spec.dimensions = {2, 512};
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.size_bytes(), 1024u + 128u);
}

TEST(TensorArena, SHB_05_tensors_of_one_kind_may_begin_at_the_same_byte) {
  const Tensors tensors{tensor("a", 1024, 0, 0), tensor("b", 512, 1, 1), tensor("c", 1024, 2, 2)};
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.placements()[0].offset_bytes, plan.placements()[2].offset_bytes);
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
    }
}

TEST(TensorArena, a_chain_needs_little_more_than_its_two_largest_neighbours) {
  for (const std::size_t count : {16u, 64u, 256u, 512u})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Tensors tensors = arena::chain(count, Random(seed));
      const TensorArena plan = must(TensorArena::plan(tensors, alignment, 0));
      EXPECT_TRUE(keeps_rules(tensors, plan));
      EXPECT_LE(plan.size_bytes(), plan.lower_bound_bytes() + count * alignment) << seed;
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
    return must(TensorArena::plan(tensors, alignment, effort)).size_bytes();
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
  EXPECT_EQ(offsets_of(once), offsets_of(again));
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
  for (ScheduledTensor& each : tensors) {
    each.first_use = UINT64_MAX - 1000 * (1000 - each.first_use);
    each.last_use = UINT64_MAX - 1000 * (1000 - each.last_use);
  }
  const TensorArena renumbered = must(TensorArena::plan(tensors));
  EXPECT_EQ(offsets_of(plan), offsets_of(renumbered));
}

TEST(TensorArena, no_tensors_need_no_bytes) {
  const TensorArena plan = must(TensorArena::plan({}));
  EXPECT_TRUE(plan.placements().empty());
  EXPECT_EQ(plan.size_bytes(), 0u);
  EXPECT_EQ(plan.lower_bound_bytes(), 0u);
}

TEST(TensorArena, one_tensor_needs_its_rounded_size) {
  const Tensors tensors{tensor("only", 129, 3, UINT64_MAX)};
  const TensorArena plan = must(TensorArena::plan(tensors));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_EQ(plan.placements()[0].offset_bytes, 0u);
  EXPECT_EQ(plan.size_bytes(), 256u);
}

TEST(TensorArena, ten_thousand_tensors_are_planned) {
  const Tensors tensors = arena::skips(10'000, Random(7));
  const TensorArena plan = must(TensorArena::plan(tensors, alignment, 5));
  EXPECT_TRUE(keeps_rules(tensors, plan));
  EXPECT_LE(static_cast<double>(plan.size_bytes()),
            1.05 * static_cast<double>(plan.lower_bound_bytes()));
}

TEST(TensorArena, sizes_up_to_the_largest_are_placed) {
  constexpr std::uint64_t huge = std::uint64_t{1} << 60;
  for (const std::uint64_t to : {std::uint64_t{1}, alignment, huge}) {
    Tensors tensors{huge_tensor("a", 0, 1), huge_tensor("b", 1, 2), tensor("c", 1, 2, 3)};
    std::swap(tensors[1].spec.dimensions[0], tensors[1].spec.dimensions[1]);
    const TensorArena plan = must(TensorArena::plan(tensors, to));
    EXPECT_TRUE(keeps_rules(tensors, plan, to)) << to;
    EXPECT_LT(plan.size_bytes(), 3 * huge + 1) << to;
  }
}

// ---- errors ---------------------------------------------------------------------------------

TEST(TensorArena, a_tensor_without_bytes_is_an_error) {
  const Tensors tensors{tensor("a", 8, 0, 1), tensor("void", 0, 0, 1)};
  const auto error = error_of(TensorArena::plan(tensors));
  EXPECT_EQ(error.kind, Errc::unsupported_tensor);
  EXPECT_EQ(error.object, "void");
}

TEST(TensorArena, a_last_use_before_the_first_is_an_error) {
  const Tensors tensors{tensor("a", 8, 0, 1), tensor("late", 8, 7, 5)};
  const auto error = error_of(TensorArena::plan(tensors));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "late");
  EXPECT_NE(error.detail.find("at 5"), std::string::npos);
  EXPECT_NE(error.detail.find("at 7"), std::string::npos);
}

TEST(TensorArena, an_alignment_that_is_no_power_of_two_is_an_error) {
  for (const std::uint64_t to : {0u, 3u, 129u}) {
    const auto error = error_of(TensorArena::plan(Tensors{tensor("a", 8, 0, 1)}, to));
    EXPECT_EQ(error.kind, Errc::invalid_argument) << to;
    EXPECT_NE(error.detail.find(std::to_string(to)), std::string::npos);
  }
}

TEST(TensorArena, sizes_whose_sum_overflows_are_an_error) {
  Tensors tensors(7, huge_tensor("a", 0, 1));
  EXPECT_TRUE(TensorArena::plan(tensors, alignment, 0).has_value());
  tensors.push_back(huge_tensor("b", 0, 1));
  const auto error = error_of(TensorArena::plan(tensors));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "b");
}

TEST(TensorArena, a_size_that_overflows_when_rounded_up_is_an_error) {
  constexpr std::uint64_t to = std::uint64_t{1} << 63;
  const auto error = error_of(TensorArena::plan(Tensors{tensor("a", 1, 0, 1)}, to));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "a");
}

TEST(TensorArena, sizes_whose_sum_overflows_when_rounded_up_are_an_error) {
  constexpr std::uint64_t to = std::uint64_t{1} << 62;
  const Tensors tensors{tensor("a", 1, 0, 1), tensor("b", 1, 0, 1)};
  const auto error = error_of(TensorArena::plan(tensors, to));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "b");
}

}  // namespace
