// The digits network as binaries of Qualcomm's library, for each chip: loaded by the simulated HTP,
// executed by its engine.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <span>

#include "engine.hpp"
#include "temporary_folder.hpp"

int assistant_main(int argc, char** argv);
int first_program_main(int argc, char** argv);
int make_binaries_main(int argc, char** argv);
int qnnpp_run_main(int argc, char** argv);
int shared_spill_fill_main(int argc, char** argv);

namespace engine { namespace {

using namespace qnnpp;

/// Chips whose binaries a device of the newest architecture loads.
inline constexpr std::span<const real::Chip> chips = std::span(real::chips).subspan(1);
/// Of them, the chip of the tests that take a minute, and those of further ones, which only CI
/// runs.
inline constexpr std::span<const real::Chip> first_chip = chips.first(1);
inline constexpr std::span<const real::Chip> other_chips = chips.subspan(1);

class engine_digits : public testing::TestWithParam<real::Chip> {};
INSTANTIATE_TEST_SUITE_P(chips, engine_digits,
                         testing::ValuesIn(first_chip.begin(), first_chip.end()), real::name_of);
INSTANTIATE_TEST_SUITE_P(other_chips, engine_digits,
                         testing::ValuesIn(other_chips.begin(), other_chips.end()), real::name_of);

TEST_P(engine_digits, of_a_chip_have_the_engines_own_outputs_bit_for_bit) {
  const real::Digits digits;
  std::vector<std::vector<float>> wanted;
  {
    real::DigitsNetwork network(real::backend_for(GetParam()), digits.weights);
    for (std::size_t first = 0; first < digits.images.count(); first += digits::batch) {
      const auto found = network.classify(digits::input_batch(digits.images, first));
      wanted.emplace_back(found.begin(), found.end());
    }
  }
  const auto binaries = digits_binaries(GetParam(), digits.weights);
  std::vector<model::BinarySource> sources;
  for (std::size_t i = 0; i < binaries.size(); ++i)
    sources.push_back({.name = digits_segments[i], .bytes = binaries[i]});
  be_device(GetParam().arch);
  {
    const auto backend = simulated();
    const auto memory = rpcmem();
    // Deferred contexts with weights buffers and registered tensors.
    const auto network = value_or_throw(model::load(backend, memory, std::move(sources)));
    auto pipeline = value_or_throw(network.pipeline(memory, digits_segments));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      {
        auto images = value_or_throw(pipeline.input<float>("image"));
        std::ranges::copy(digits::input_batch(digits.images, i * digits::batch),
                          images.elements().begin());
      }
      value_or_throw(pipeline.execute());
      const auto found = value_or_throw(pipeline.output<float>("probabilities"));
      ASSERT_EQ(found.elements().size(), wanted[i].size());
      ASSERT_EQ(std::memcmp(found.elements().data(), wanted[i].data(), wanted[i].size() * 4), 0)
          << "images from " << i * digits::batch << " on";
    }
    const auto counters = support::control().counters();
    EXPECT_EQ(counters.executions, 4 * wanted.size());
    EXPECT_EQ(counters.in_place, 2 * counters.executions);
    EXPECT_EQ(counters.copied_in + counters.copied_out, 0u);
    EXPECT_EQ(wanted.size() * digits::batch, 500u);
  }
  expect_nothing_left();
}

/// Runs a program's main() with arguments. Returns what it prints.
std::string output_of(int (*program)(int, char**), std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  testing::internal::CaptureStdout();
  const int status = program(static_cast<int>(arguments.size()), words.data());
  std::fflush(stdout);
  std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, 0) << printed;
  return printed;
}

/// Programs of the examples, unchanged, with binaries for a chip in a folder.
class engine_programs : public testing::TestWithParam<real::Chip> {
 protected:
  void SetUp() override {
    output_of(make_binaries_main, {"make_binaries", "--backend", real::htp(), "--soc-model", "43",
                                   "--data", QNNPP_DIGITS_DATA, "--output", folder_.path(),
                                   "--input_output_tensor_mem_type", "memhandle"});
    be_device(GetParam().arch);
  }
  void TearDown() override { expect_nothing_left(); }

  static void expect_printed(const std::string& printed, std::initializer_list<const char*> texts) {
    for (const char* const text : texts)
      EXPECT_NE(printed.find(text), std::string::npos) << text << "\nis not in:\n" << printed;
  }

  support::TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(chips, engine_programs, testing::ValuesIn(chips.begin(), chips.end()),
                         real::name_of);

TEST_P(engine_programs, of_the_readme_reads_its_digit) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  const std::string printed = output_of(
      first_program_main, {"first_program", support::htp_library, support::rpcmem_library});
  std::filesystem::current_path(here);
  expect_printed(printed, {"digit 7, probability 0.99"});
}

TEST_P(engine_programs, qnnpp_run_executes_a_pipeline) {
  std::vector<std::string> words = {"qnnpp-run",
                                    "--backend",
                                    support::htp_library,
                                    "--rpcmem",
                                    support::rpcmem_library,
                                    "--pipeline",
                                    "stem,features,gate,classifier"};
  for (const std::string& name : digits_segments) words.push_back(folder_.file(name + ".bin"));
  expect_printed(output_of(qnnpp_run_main, words),
                 {"pipeline: output probabilities FLOAT_32 [4, 10]",
                  "0 B copied each inference, 0 B allocated at the first, 0 B unused"});
}

class engine_programs_over_all_images : public engine_programs {};
INSTANTIATE_TEST_SUITE_P(chips, engine_programs_over_all_images,
                         testing::ValuesIn(first_chip.begin(), first_chip.end()), real::name_of);
INSTANTIATE_TEST_SUITE_P(other_chips, engine_programs_over_all_images,
                         testing::ValuesIn(other_chips.begin(), other_chips.end()), real::name_of);

TEST_P(engine_programs_over_all_images, shared_spill_fill_classifies_the_images) {
  expect_printed(
      output_of(shared_spill_fill_main,
                {"shared_spill_fill", "--backend", support::htp_library, "--rpcmem",
                 support::rpcmem_library, "--folder", folder_.path(), "--data", QNNPP_DIGITS_DATA}),
      {"492 of 500"});
}

TEST_P(engine_programs_over_all_images, assistant_classifies_the_images) {
  expect_printed(
      output_of(assistant_main, {"assistant", "--backend", support::htp_library, "--rpcmem",
                                 support::rpcmem_library, "--folder", folder_.path(), "--data",
                                 QNNPP_DIGITS_DATA, "--quiet"}),
      {"492 of 500 images right", "0 B copied each inference"});
}

}}  // namespace engine
