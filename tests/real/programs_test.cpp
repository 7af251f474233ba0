// The programs of the examples on Qualcomm's library, one after the other as a user runs them.
#include <gtest/gtest.h>

#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "digits/task.hpp"
#include "library.hpp"
#include "temporary_folder.hpp"
#include "tool/program.hpp"
#include "tool/tolerance.hpp"

int make_binaries_main(int argc, char** argv);
int qnnpp_plan_main(int argc, char** argv);
int qnnpp_run_main(int argc, char** argv);

namespace real { namespace {

/// Runs a program's main() with arguments; returns its exit code.
int run(int (*program)(int, char**), std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  return program(static_cast<int>(arguments.size()), words.data());
}

class real_programs : public testing::TestWithParam<Chip> {};
INSTANTIATE_TEST_SUITE_P(chips, real_programs, testing::ValuesIn(chips), name_of);

TEST_P(real_programs, prepare_plan_and_run_the_digits_network) {
  const support::TemporaryFolder folder;
  const std::string soc = std::to_string(static_cast<std::uint32_t>(GetParam().soc));
  ASSERT_EQ(run(make_binaries_main, {"make_binaries", "--backend", htp(), "--soc-model", soc,
                                     "--data", QNNPP_DIGITS_DATA, "--output", folder.path()}),
            0);
  std::vector<std::string> binaries;
  for (const char* const name : {"stem", "features", "gate", "classifier"})
    binaries.push_back(folder.file(std::string(name) + ".bin"));

  const std::string plan = folder.file("plan.json");
  std::vector<std::string> words = {"qnnpp-plan", "--system", system(), "--quiet", "--json", plan};
  words.insert(words.end(), binaries.begin(), binaries.end());
  ASSERT_EQ(run(qnnpp_plan_main, words), 0);
  const auto planned = nlohmann::json::parse(std::ifstream(plan));
  EXPECT_EQ(planned.at("contexts").size(), binaries.size()) << planned.dump(2);

  // The classifier with digits that the program compares with the float reference.
  const digits::Task task = digits::load_task(QNNPP_DIGITS_DATA);
  const auto write = [&](const char* name, const std::vector<float>& values) {
    tool::write(folder.file(name), std::as_bytes(std::span(values)));
    return folder.file(name);
  };
  const std::string input = "positions=" + write("positions.raw", task.input);
  const std::string expected = "probabilities=" + write("probabilities.raw", task.probabilities);
  const std::string tolerance = std::to_string(tool::tolerance(GetParam().arch).digits);
  const std::string report = folder.file("run.json");
  words = {"qnnpp-run", "--backend",   htp(),     "--memory",   "memfd",   "--io", "raw",
           "--repeat",  "2",           "--graph", "classifier", "--input", input,  "--expect",
           expected,    "--tolerance", tolerance, "--quiet",    "--json",  report};
  words.insert(words.end(), binaries.begin(), binaries.end());
  ASSERT_EQ(run(qnnpp_run_main, words), 0);
  const auto ran = nlohmann::json::parse(std::ifstream(report));
  EXPECT_TRUE(ran.at("error").is_null()) << ran.at("error");
}

}}  // namespace real
