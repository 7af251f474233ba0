// The programs of the examples on Qualcomm's library, one after the other as a user runs them.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "digits/task.hpp"
#include "library.hpp"
#include "temporary_folder.hpp"
#include "tool/program.hpp"
#include "tool/tolerance.hpp"

int assistant_main(int argc, char** argv);
int camera_ring_main(int argc, char** argv);
int decoder_main(int argc, char** argv);
int first_program_main(int argc, char** argv);
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

/// Runs a program, and returns what it prints.
std::string output_of(int (*program)(int, char**), std::vector<std::string> arguments) {
  testing::internal::CaptureStdout();
  const int status = run(program, std::move(arguments));
  std::fflush(stdout);
  std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, 0) << printed;
  return printed;
}

void expect_printed(const std::string& printed, std::initializer_list<const char*> texts) {
  for (const char* const text : texts)
    EXPECT_NE(printed.find(text), std::string::npos) << text << "\nis not in:\n" << printed;
}

/// Writes the binaries of the digits network for the library's own device.
void make_binaries(const support::TemporaryFolder& folder) {
  ASSERT_EQ(run(make_binaries_main,
                {"make_binaries", "--backend", htp(), "--data", QNNPP_DIGITS_DATA, "--output",
                 folder.path(), "--input_output_tensor_mem_type", "memhandle"}),
            0);
}

/// Programs that bind their tensors by address, and compare them with the references.
class a_real_program : public testing::Test {
 protected:
  /// A device without options is for the chip of the last one in this process.
  void SetUp() override { (void)backend_for(chips[0]); }
};

TEST_F(a_real_program, of_the_readme_reads_its_digit) {
  const support::TemporaryFolder folder;
  make_binaries(folder);
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const std::string printed = output_of(first_program_main, {"first_program", htp()});
  std::filesystem::current_path(here);
  expect_printed(printed, {"digit 7, probability 0.9997\n"});
}

TEST_F(a_real_program, assistant_classifies_the_images) {
  const support::TemporaryFolder folder;
  make_binaries(folder);
  expect_printed(
      output_of(assistant_main, {"assistant", "--backend", htp(), "--rpcmem", "memfd", "--folder",
                                 folder.path(), "--data", QNNPP_DIGITS_DATA, "--quiet"}),
      {"492 of 500 images right", "389024 B copied each inference",
       "QnnGraph_execute classifier: "});
}

TEST_F(a_real_program, camera_ring_sees_every_frame) {
  expect_printed(output_of(camera_ring_main, {"camera_ring", "--backend", htp(), "--rpcmem",
                                              "memfd", "--data", QNNPP_DIGITS_DATA}),
                 {"12 frames in 3 buffers, mean brightness 36, largest difference"});
}

TEST_F(a_real_program, decoder_writes_the_text_of_the_reference) {
  // It ends with 1 if a token differs from the reference, or when it is decoded again.
  expect_printed(output_of(decoder_main, {"decoder", "--backend", htp(), "--rpcmem", "memfd"}),
                 {"the quick brown fox jumps over the lazy dog|!vonbrqaibwtxjq,bllrh.anfanjahss\n",
                  "74 positions, 8 tokens twice, largest difference"});
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
  words = {"qnnpp-run",  "--backend", htp(),    "--repeat", "2",      "--graph",
           "classifier", "--input",   input,    "--expect", expected, "--tolerance",
           tolerance,    "--quiet",   "--json", report};
  words.insert(words.end(), binaries.begin(), binaries.end());
  ASSERT_EQ(run(qnnpp_run_main, words), 0);
  const auto ran = nlohmann::json::parse(std::ifstream(report));
  EXPECT_TRUE(ran.at("error").is_null()) << ran.at("error");
}

}}  // namespace real
