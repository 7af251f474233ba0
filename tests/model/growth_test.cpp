// 1,000 and 10,000 contexts loaded as one model: ten times the contexts need at most ten times the
// calls and allocations. tests/cost/growth_test.cpp counts instructions.
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "heap.hpp"
#include "model_fixture.hpp"

namespace support::growth { namespace {

using namespace qnnpp;

/// Cost of one load.
struct Cost {
  std::uint64_t calls = 0;
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0;
  std::uint64_t descriptors = 0;
  std::uint64_t mappings = 0;
};

std::uint64_t mappings() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<std::uint64_t>(std::count(std::istreambuf_iterator<char>(maps), {}, '\n'));
}

/// Raises this process's limit of descriptors to its hard limit. Returns the new limit.
std::uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
  (void)::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

class a_model_of_many_contexts : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (HasFatalFailure()) return;
    descriptor_limit_ = raise_descriptor_limit();
    add_network({.name = "net", .rows = 2, .width = 8, .hidden = 64, .seed = 71});
    set(&sim::Config::max_contexts, 0);
    set(&sim::Config::max_mappings, 0);
    set(&sim::Config::max_mapped_bytes, 0);
    set(&sim::Config::pd_budget_bytes, std::uint64_t{1} << 40);
  }
  /// Returns the number of contexts that can each have a descriptor: 10,000, or less if the hard
  /// limit of this process is lower.
  std::size_t most_contexts() const {
    constexpr std::size_t wanted = 10'000;
    constexpr std::size_t of_the_test = 200;
    return std::min<std::size_t>(wanted, descriptor_limit_ - of_the_test) / 10 * 10;
  }

  /// Loads the network `contexts` times, and destroys the model.
  Cost load(std::size_t contexts, const model::LoadOptions& options) const {
    std::vector<model::BinarySource> many;
    for (std::size_t i = 0; i < contexts; ++i)
      many.push_back({"context_" + std::to_string(i) + ".bin", sources[0].bytes, {}});
    control().reset_counters();
    const std::uint64_t open_before = open_descriptors().size();
    const std::uint64_t mapped_before = mappings();
    Cost cost;
    {
      const HeapWatch watch(Threads::this_one);
      const auto loaded = model::load(backend(), allocator(), many, options);
      EXPECT_TRUE(succeeds(loaded));
      HeapWatch::pause(true);
      if (loaded) {
        EXPECT_EQ(loaded->size(), contexts);
        EXPECT_EQ(control().counters().live_contexts, contexts);
        EXPECT_LT(difference(loaded->context(contexts - 1), networks[0]), tolerance);
      }
      cost.descriptors = open_descriptors().size() - open_before;
      cost.mappings = mappings() - mapped_before;
      HeapWatch::pause(false);
    }
    cost.calls = control().counters().calls;
    cost.allocations = HeapWatch::allocations();
    cost.bytes = HeapWatch::bytes();
    return cost;
  }
  static void expect_linear(const Cost& few, const Cost& many) {
    const auto at_most = [](const char* what, std::uint64_t a, std::uint64_t b) {
      EXPECT_LE(static_cast<double>(b), 10.5 * static_cast<double>(a)) << what;
      std::printf("%s: %llu, and %llu for ten times the contexts\n", what,
                  static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
    };
    at_most("C calls", few.calls, many.calls);
    at_most("allocations", few.allocations, many.allocations);
    at_most("allocated bytes", few.bytes, many.bytes);
    at_most("descriptors", few.descriptors, many.descriptors);
    // A sanitizer maps the shadow of each large mapping apart. The kernel merges neighbours, and
    // how many become neighbours depends on the threads; without that it is three for each
    // descriptor.
    if (HeapWatch::counts_malloc())
      at_most("mappings", std::max(few.mappings, 3 * few.descriptors), many.mappings);
  }

 private:
  std::uint64_t descriptor_limit_ = 0;
};

/// Default of the kernel's vm.max_map_count.
constexpr std::uint64_t most_mappings = 65'530;

TEST_F(a_model_of_many_contexts, takes_ten_times_as_much_for_ten_times_as_many) {
  const model::LoadOptions options{.contexts = {.external_weights = false}};
  const Cost few = load(1'000, options);
  const Cost many = load(10'000, options);
  expect_linear(few, many);
  EXPECT_EQ(many.descriptors, 1u) << "that of the shared spill-fill buffer";
}

TEST_F(a_model_of_many_contexts, with_weights_of_their_own_takes_a_descriptor_for_each) {
  const std::size_t contexts = most_contexts();
  const Cost few = load(contexts / 10, {});
  const Cost many = load(contexts, {});
  expect_linear(few, many);
  EXPECT_EQ(many.descriptors, contexts + 1);
  // Counts mappings of the program and of the device, which the simulated HTP keeps in this
  // process.
  EXPECT_LE(many.mappings, 3 * contexts + 100);
  EXPECT_LT(many.mappings, most_mappings);
}

}}  // namespace support::growth
