// Cost of a residency's requests with a growing number of contexts.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <string>

#include "qnnpp/throw.hpp"

#include "support/callgrind.hpp"
#include "support/small_binary.hpp"
#include "temporary_folder.hpp"

namespace {

class cost_of_a_request : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("QNNPP_SIM_VTCM_BYTES", "64", 1);
    const auto backend = qnnpp::value_or_throw(
        qnnpp::Backend<qnnpp::Htp>::load({.library = QNNPP_SIM_DIR "/libQnnHtp.so"}));
    bench::write_file(binary_, bench::small_binary(backend));
  }
  void TearDown() override { ::unsetenv("QNNPP_SIM_VTCM_BYTES"); }

  static constexpr std::uint64_t requests = 48;
  [[nodiscard]] bench::Instructions of(const std::string& kind, int contexts) const {
    return bench::count_instructions("measured_requests",
                                     RESIDENCY_PROBE " " + kind + " " + std::to_string(contexts) +
                                         " " + std::to_string(requests) + " " + binary_,
                                     folder_.file("profile"));
  }

 private:
  support::TemporaryFolder folder_;
  std::string binary_ = folder_.file("small.bin");
};

TEST_F(cost_of_a_request, whose_context_is_there_is_that_of_66_contexts_with_10000) {
  const auto few = of("hits", 66);
  const auto many = of("hits", 10000);
  EXPECT_LE(many.total, 2 * few.total);
  EXPECT_LE(many.total, requests * 1000);
}

TEST_F(cost_of_a_request, that_evicts_is_that_of_66_contexts_and_a_few_passes_with_10000) {
  const auto few = of("evictions", 66);
  const auto many = of("evictions", 10000);
  // A pass looks at each place once.
  EXPECT_LE(many.own(), few.own() + requests * 10000 * 20);
}

}  // namespace
