// expects(): a broken contract prints its sentence, then ends the program.
#include "qnnpp/core/detail/contract.hpp"

#include "qnnpp/config.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <exception>

namespace {

TEST(contract, evaluates_its_condition_once_and_says_nothing_if_it_holds) {
  int evaluations = 0;
  testing::internal::CaptureStderr();
  qnnpp::detail::expects(++evaluations == 1, "the test is broken; mend it");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(evaluations, 1);
}

TEST(contract_death, that_is_broken_prints_its_sentence_and_terminates) {
  EXPECT_EXIT(qnnpp::detail::expects(1 == 2, "the test is broken; mend it"),
              testing::KilledBySignal(SIGABRT), "qnnpp: the test is broken; mend it\n");
}

TEST(contract_death, that_is_broken_ends_as_the_program_chose_to_terminate) {
  const auto broken = [] {
    std::set_terminate([] { std::_Exit(7); });
    qnnpp::detail::expects(false, "100 % broken; mend it");
  };
  EXPECT_EXIT(broken(), testing::ExitedWithCode(7), "qnnpp: 100 % broken; mend it\n");
}

}  // namespace
