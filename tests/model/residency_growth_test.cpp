// Cost of a residency with 66, 1,000 and 10,000 contexts: calls and allocations.
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "heap.hpp"
#include "residency_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;

/// Each context has a buffer, and so a descriptor and a mapping. A process may have 65,530
/// mappings.
class growth_of_a_residency : public ResidencyTest {
 protected:
  using Plain = model::Residency<>;

  void SetUp() override {
    ResidencyTest::SetUp();
    (void)::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit raised = before_;
    raised.rlim_cur = raised.rlim_max;
    (void)::setrlimit(RLIMIT_NOFILE, &raised);
    if (raised.rlim_max < 10100) GTEST_SKIP() << "the hard limit of descriptors is lower";
    make_networks(1);
    set(&sim::Config::pd_budget_bytes, std::uint64_t{1} << 40);  // No full process domain.
  }
  void TearDown() override {
    (void)::setrlimit(RLIMIT_NOFILE, &before_);
    ResidencyTest::TearDown();
  }

  struct Cost {
    std::uint64_t calls = 0;
    std::uint64_t allocations = 0;
  };
  template <class Work>
  Cost of(Work work) const {
    control().reset_counters();
    {
      const HeapWatch watch(Threads::this_one);
      work();
    }
    return {control().counters().calls, HeapWatch::allocations()};
  }
  static void request(Plain& residency, std::size_t from, std::size_t count) {
    for (std::size_t i = from; i < from + count; ++i)
      (void)must(residency.acquire(i % residency.size()));
  }

  struct Costs {
    Cost making, loading, hits, evictions;
  };
  /// Returns the costs for `count` contexts: all but one are loaded, then some requests hit, then
  /// some evict.
  Costs of_contexts(std::size_t count) const {
    Plain::Options made;
    made.max_contexts = count - 1;
    std::vector<model::BinarySource> same(count, sources[0]);
    std::vector<Plain> residency;
    Costs costs;
    costs.making = of([&] {
      residency.push_back(
          must(Plain::create(backend(), allocator(), std::move(same), std::move(made))));
    });
    costs.loading = of([&] { request(residency[0], 0, count - 1); });
    EXPECT_EQ(residency[0].stats().resident_contexts, count - 1);
    costs.hits = of([&] { request(residency[0], 0, requests); });
    request(residency[0], count - 1, 1);
    EXPECT_EQ(residency[0].stats().evictions, 1u);
    costs.evictions = of([&] { request(residency[0], requests, 1); });
    EXPECT_EQ(residency[0].stats().evictions, 2u);
    return costs;
  }
  static constexpr std::size_t requests = 50;

 private:
  rlimit before_{};
};

TEST_F(growth_of_a_residency, is_linear_to_make_and_load_and_none_for_a_request) {
  const Costs few = of_contexts(66);
  EXPECT_EQ(few.hits.calls, 0u);
  EXPECT_EQ(few.hits.allocations, 0u);
  for (const std::uint64_t count : {std::uint64_t{1000}, std::uint64_t{10000}}) {
    const Costs many = of_contexts(count);
    SCOPED_TRACE(count);
    EXPECT_LE(many.making.calls, few.making.calls * count / 66 + 10);
    EXPECT_LE(many.making.allocations, few.making.allocations * count / 66 + 100);
    EXPECT_LE(many.loading.calls, few.loading.calls * count / 65 + 10);
    EXPECT_LE(many.loading.allocations, few.loading.allocations * count / 65 + 100);
    EXPECT_EQ(many.hits.calls, 0u);
    EXPECT_EQ(many.hits.allocations, 0u);
    EXPECT_EQ(many.evictions.calls, few.evictions.calls);
    EXPECT_LE(many.evictions.allocations, few.evictions.allocations + 2);
  }
}

}}  // namespace support
