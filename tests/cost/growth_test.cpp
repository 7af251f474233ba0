// Ten times the contexts of a model, or the binaries of a manifest, need at most ten times the
// instructions.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "qnnpp/sim/control.hpp"

#include "support/callgrind.hpp"
#include "support/small_binary.hpp"
#include "temporary_folder.hpp"

namespace growth_of_loading { namespace {

std::uint64_t instructions_of(int contexts, const std::string& binary, const std::string& profile) {
  return bench::count_instructions(
             "measured_load", LOAD_PROBE " " + std::to_string(contexts) + " " + binary, profile)
      .own();
}

TEST(the_cost_of_a_model, of_1000_contexts_is_ten_times_that_of_100) {
  const support::TemporaryFolder folder;
  const std::string binary = folder.file("small.bin");
  bench::write_file(
      binary, bench::small_binary(qnnpp::value_or_throw(
                  qnnpp::Backend<qnnpp::Htp>::load({.library = QNNPP_SIM_DIR "/libQnnHtp.so"}))));
  const std::string profile = folder.file("profile");
  // Prevents a full process domain.
  ::setenv("QNNPP_SIM_PD_BUDGET_BYTES", "1099511627776", 1);
  ::setenv("QNNPP_SIM_MAX_CONTEXTS", "0", 1);
  ::setenv("QNNPP_SIM_MAX_MAPPINGS", "0", 1);
  const std::uint64_t few = instructions_of(100, binary, profile);
  const std::uint64_t many = instructions_of(1000, binary, profile);
  for (const char* name :
       {"QNNPP_SIM_PD_BUDGET_BYTES", "QNNPP_SIM_MAX_CONTEXTS", "QNNPP_SIM_MAX_MAPPINGS"})
    ::unsetenv(name);
  std::printf("instructions: %llu for 100 contexts, %llu for 1,000\n",
              static_cast<unsigned long long>(few), static_cast<unsigned long long>(many));
  EXPECT_GT(few, 0u);
  EXPECT_LE(static_cast<double>(many), 10.5 * static_cast<double>(few));
}

TEST(the_cost_of_a_manifest, whose_10000_binaries_are_looked_up_is_at_most_15_times_that_of_1000) {
  const support::TemporaryFolder folder;
  const auto instructions = [&](const char* binaries) {
    return bench::count_instructions("measured_lookups", std::string(MANIFEST_PROBE " ") + binaries,
                                     folder.file("profile"))
        .own();
  };
  const std::uint64_t few = instructions("1000");
  const std::uint64_t many = instructions("10000");
  std::printf("instructions: %llu for 1,000 binaries, %llu for 10,000\n",
              static_cast<unsigned long long>(few), static_cast<unsigned long long>(many));
  EXPECT_GT(few, 0u);
  // A tree compares the names; its depth grows logarithmically.
  EXPECT_LE(static_cast<double>(many), 15.0 * static_cast<double>(few));
}

/// Cost of finding each of many names. A quadratic search would cost 100 times; the allocator and
/// the collisions of a hash table vary by a few percent from machine to machine.
class the_cost_of_names : public testing::Test {
 protected:
  // Prevents a full process domain.
  void SetUp() override { ::setenv("QNNPP_SIM_PD_BUDGET_BYTES", "1099511627776", 1); }
  void TearDown() override { ::unsetenv("QNNPP_SIM_PD_BUDGET_BYTES"); }

  void expect_linear(const std::string& way, double limit = 12.0) const {
    const std::uint64_t few = of(way, 100);
    const std::uint64_t many = of(way, 1000);
    std::printf("instructions: %llu for 100 names, %llu for 1,000\n",
                static_cast<unsigned long long>(few), static_cast<unsigned long long>(many));
    EXPECT_GT(few, 0u);
    EXPECT_LE(static_cast<double>(many), limit * static_cast<double>(few));
  }

 private:
  [[nodiscard]] std::uint64_t of(const std::string& way, int names) const {
    return bench::count_instructions("measured_names",
                                     NAMES_PROBE " " + way + " " + std::to_string(names),
                                     folder_.file("profile"))
        .own();
  }

  support::TemporaryFolder folder_;
};

TEST_F(the_cost_of_names, of_graphs_to_bring_up_is_linear) { expect_linear("keep"); }
TEST_F(the_cost_of_names, of_the_inputs_of_a_bound_graph_is_linear) { expect_linear("open"); }
TEST_F(the_cost_of_names, of_the_graphs_of_a_context_is_linear) { expect_linear("retrieve"); }
// A binary search in a sorted list compares the names; its steps grow logarithmically.
TEST_F(the_cost_of_names, of_the_graphs_of_a_model_is_nearly_linear) {
  expect_linear("find", 15.0);
}

}}  // namespace growth_of_loading
