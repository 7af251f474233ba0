// Cost of executing and of setting up contexts, compared with the same work in plain C.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "qnnpp/sim/control.hpp"

#include "probes/jobs.hpp"
#include "recorder.hpp"
#include "support/callgrind.hpp"
#include "support/small_binary.hpp"
#include "temporary_folder.hpp"

namespace {

using bench::Instructions;

/// A binary of a graph that spills, in a separate folder.
class cost : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("QNNPP_SIM_VTCM_BYTES", "64", 1);
    const auto backend = qnnpp::value_or_throw(
        qnnpp::Backend<qnnpp::Htp>::load({.library = QNNPP_SIM_DIR "/libQnnHtp.so"}));
    bench::write_file(binary(), bench::small_binary(backend));
  }
  void TearDown() override { ::unsetenv("QNNPP_SIM_VTCM_BYTES"); }

  [[nodiscard]] const std::string& binary() const { return binary_; }

  static constexpr std::uint64_t executions = 200;

  /// Cost of `executions` executions.
  struct Cost {
    std::uint64_t instructions;
    std::uint64_t allocations;
  };
  [[nodiscard]] Cost of_executions(const std::string& way) const {
    const auto run = [&](const char* calls) {
      return bench::count_instructions(
          "measured_" + way, EXECUTE_PROBE " " + way + " " + binary() + " " + calls, profile_);
    };
    const Instructions few = run("100");
    const Instructions many = run("300");
    return {many.own() - few.own(), many.allocations - few.allocations};
  }
  /// Prints the instructions of one execution beyond those of C.
  static void print(const char* way, const Cost& ours, const Cost& c) {
    std::printf("instructions of an execution, %s: %.1f more than C\n", way,
                (static_cast<double>(ours.instructions) - static_cast<double>(c.instructions)) /
                    static_cast<double>(executions));
  }
  /// Prints the cost of one execution with a profile.
  static void print_profiled(const char* level, const Cost& ours) {
    constexpr auto all = static_cast<double>(executions);
    std::printf("an execution with a profile, %s: %.0f instructions, %.3f allocations\n", level,
                static_cast<double>(ours.instructions) / all,
                static_cast<double>(ours.allocations) / all);
  }
  [[nodiscard]] Instructions of_setup(const std::string& way, std::uint64_t contexts) const {
    return bench::count_instructions(
        "measured_" + way,
        SETUP_PROBE " " + way + " " + std::to_string(contexts) + " small " + binary(), profile_);
  }

 private:
  support::TemporaryFolder folder_;
  std::string binary_ = folder_.file("small.bin");
  std::string profile_ = folder_.file("profile");
};

TEST_F(cost, of_an_execution_under_a_lease_is_fifty_instructions) {
  const Cost c = of_executions("c");
  for (const char* way : {"lease", "given"}) {
    const Cost ours = of_executions(way);
    print(way, ours, c);
    EXPECT_LE(ours.instructions, c.instructions + 50 * executions) << way;
    EXPECT_EQ(ours.allocations, 0u) << way;
  }
}

TEST_F(cost, of_an_execution_at_any_call_site_is_fifty_instructions) {
  const Cost c = of_executions("sites_c");
  const Cost ours = of_executions("sites");
  print("at other places", ours, c);
  EXPECT_LE(ours.instructions, c.instructions + 50 * executions);
}

TEST_F(cost, of_an_execution_that_locks_is_250_instructions) {
  const Cost c = of_executions("c");
  const Cost ours = of_executions("lock");
  print("with the lock", ours, c);
  EXPECT_LE(ours.instructions, c.instructions + 250 * executions);
  EXPECT_EQ(ours.allocations, 0u);
}

// A basic profile has six events here, and each is two calls of QNN.
TEST_F(cost, of_an_execution_with_a_basic_profile_is_1500_instructions_and_no_allocation) {
  const Cost ours = of_executions("basic");
  print_profiled("basic", ours);
  EXPECT_LE(ours.instructions, 1500 * executions);
  EXPECT_EQ(ours.allocations, 0u);
}

TEST_F(cost, of_an_execution_with_a_detailed_profile_is_2700_instructions_and_no_allocation) {
  const Cost ours = of_executions("detailed");
  print_profiled("detailed", ours);
  EXPECT_LE(ours.instructions, 2700 * executions);
  EXPECT_EQ(ours.allocations, 0u);
}

// The 200 records begin after 100: the memory of a log doubles.
TEST_F(cost, of_200_executions_whose_records_a_profile_keeps_is_six_allocations) {
  const Cost ours = of_executions("recorded");
  print_profiled("all kept", ours);
  EXPECT_LE(ours.instructions, 1500 * executions);
  EXPECT_LE(ours.allocations, 6u);
}

TEST_F(cost, of_bringing_up_a_context_is_8540_instructions_and_ten_allocations) {
  const Instructions few_of_c = of_setup("c", 8);
  const Instructions few = of_setup("qnnpp", 8);
  const Instructions many_of_c = of_setup("c", 24);
  const Instructions many = of_setup("qnnpp", 24);
  const std::uint64_t sixteen_of_c = many_of_c.own() - few_of_c.own();
  const std::uint64_t sixteen = many.own() - few.own();
  EXPECT_LE(sixteen, sixteen_of_c + 16 * 8'540);
  EXPECT_LE(many.allocations - few.allocations,
            many_of_c.allocations - few_of_c.allocations + 16 * 10);
  // Once, at the load: the handlers of exit() and of fork(), finding the code that must stay mapped
  // (PRC-01, PRC-04), for the log's callback and for the handlers, and finding other copies of
  // qnnpp in the process. Half of it is the dynamic linker's, and what /proc/self/maps lists
  // decides the rest, so that it differs from machine to machine.
  const std::uint64_t first = few.own() - few_of_c.own();
  std::printf("instructions beyond C: %.0f a context, %.0f the first 8\n",
              (static_cast<double>(sixteen) - static_cast<double>(sixteen_of_c)) / 16,
              static_cast<double>(first));
  EXPECT_LE(first, 8 * 8'540 + 70'000);
  EXPECT_LE(few.allocations, few_of_c.allocations + 8 * 10);
}

/// Cost of registering and binding many inputs and outputs of one graph.
class cost_of_binding : public testing::Test {
 protected:
  [[nodiscard]] std::uint64_t of(const std::string& way, std::size_t inputs) const {
    const std::string function = "measured_" + (way == "shuffled" ? std::string("qnnpp") : way);
    return bench::count_instructions(function, BIND_PROBE " " + way + " " + std::to_string(inputs),
                                     folder_.file("profile"))
        .own();
  }

 private:
  support::TemporaryFolder folder_;
};

TEST_F(cost_of_binding, a_thousand_tensors_is_three_times_the_instructions_of_c) {
  const std::uint64_t c = of("c", 500);
  EXPECT_LE(of("qnnpp", 500), c * 3);
  EXPECT_LE(of("shuffled", 500), c * 6) << "in another order than the graph's";
}

TEST_F(cost_of_binding, twice_the_tensors_is_twice_the_instructions) {
  for (const char* way : {"qnnpp", "shuffled", "all"})
    EXPECT_LE(of(way, 400), of(way, 200) * 22 / 10) << way;
}

// libc compares names and shapes by other instructions on other processors: 20 more for them.
TEST_F(cost_of_binding, other_memory_for_one_of_400_tensors_is_1000_instructions) {
  for (const char* way : {"exchange", "rebind"}) {
    const std::uint64_t of_two = of(way, 1), of_400 = of(way, 200);
    std::printf("instructions of %s: %.1f of 2 tensors, %.1f of 400\n", way,
                static_cast<double>(of_two) / 100, static_cast<double>(of_400) / 100);
    EXPECT_GT(of_two, 0u);
    EXPECT_LE(of_400, 100 * 1'020) << way;
  }
}

std::vector<std::size_t> calls;
void record(std::size_t slot, bool entering, const void* const*) {
  if (entering) calls.push_back(slot);
}

TEST_F(cost, of_bringing_up_contexts_is_no_call_beyond_those_of_c_and_in_their_order) {
  const bench::Job job{QNNPP_RECORDER, QNNPP_RECORDER, QNNPP_RECORDER,
                       std::vector<std::string>(8, binary()), std::vector<std::string>(8, "small")};
  const support::Recording recording(record);
  calls.clear();
  ASSERT_EQ(bench::run_job_c(job), 0);
  const std::vector<std::size_t> by_c = calls;
  calls.clear();
  bench::run_job(job);
  // The backend also has one logger, which keeps error lines.
  for (const auto slot : {qnnpp::sim::Slot::log_create, qnnpp::sim::Slot::log_free})
    EXPECT_EQ(std::erase(calls, static_cast<std::size_t>(slot)), 1u);
  EXPECT_EQ(calls, by_c);
  EXPECT_GE(by_c.size(), 8u * 12);
}

/// Returns the compiler's output for a file that includes `header`.
std::string output_of_compiler(const std::string& options, const std::string& header) {
  const std::string command = "echo '#include <" + header + ">' | " COMPILER " -std=c++20 " +
                              options + " -I" QNNPP_INCLUDE_DIR " -x c++ -";
  FILE* output = ::popen(command.c_str(), "r");
  if (output == nullptr) return {};
  std::string text;
  for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) text += static_cast<char>(c);
  return ::pclose(output) == 0 ? text : std::string();
}

/// Returns the number of preprocessed lines of a header, without blank lines.
std::ptrdiff_t lines_of(const std::string& header, const std::string& option = {}) {
  const std::string text = output_of_compiler("-E -P " + option, header);
  return std::count(text.begin(), text.end(), '\n');
}

// All headers up to graphs: the cost of the layers below the umbrella.
TEST(cost_of_including, graphs_compiled_apart_is_a_fifth_more_lines_than_fmt) {
  const auto fmt = lines_of("fmt/format.h");
  const auto graph = lines_of("qnnpp/graph/graph.hpp", "-DQNNPP_SEPARATE");
  ASSERT_GT(fmt, 1000);
  ASSERT_GT(graph, fmt / 2);
  EXPECT_LE(graph, fmt * 12 / 10);
}

TEST(cost_of_including, graphs_is_72_percent_more_lines_than_fmt) {
  EXPECT_LE(lines_of("qnnpp/graph/graph.hpp"), lines_of("fmt/format.h") * 172 / 100);
}

TEST(cost_of_including,
     all_of_qnnpp_is_nineteen_tenths_of_the_lines_of_fmt_and_a_quarter_more_compiled_apart) {
  const auto fmt = lines_of("fmt/format.h");
  const auto umbrella = lines_of("qnnpp/qnnpp.hpp");
  ASSERT_GT(umbrella, lines_of("qnnpp/graph/graph.hpp"));
  EXPECT_LE(umbrella, fmt * 19 / 10);
  EXPECT_LE(lines_of("qnnpp/qnnpp.hpp", "-DQNNPP_SEPARATE"), fmt * 5 / 4);
}

}  // namespace
