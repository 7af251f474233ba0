// Properties that hold for random cases (RapidCheck). A test that uses this header links
// rapidcheck.
//
// The cases are the same in every run. RC_PARAMS changes them: RC_PARAMS="seed=5 max_success=100".
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

namespace support {

struct Silent : rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

/// Seed and number of the random cases. Runs with the same seed try the same cases.
struct Tries {
  std::uint64_t seed = 1;
  int count = 100;
};

/// Tests `property` on random cases. A failure contains RapidCheck's description of the smallest
/// failing case.
template <class Property>
testing::AssertionResult holds(const std::string& id, const Tries& tries,
                               const Property& property) {
  rc::detail::Configuration configuration;
  configuration.testParams.seed = tries.seed;
  configuration.testParams.maxSuccess = tries.count;
  if (const char* given = std::getenv("RC_PARAMS"))
    configuration = rc::detail::configFromString(given, configuration);
  Silent silent;
  const auto result =
      rc::detail::checkProperty(rc::detail::toProperty(property), {.id = id, .description = id},
                                configuration.testParams, silent, configuration.reproduce);
  if (result.template is<rc::detail::SuccessResult>()) return testing::AssertionSuccess();
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  return testing::AssertionFailure() << text.str();
}

}  // namespace support
