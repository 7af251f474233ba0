// Two shared objects of one process, each with its own qnnpp, in each way in which users build
// them: one right to execute over the memory that both use. And objects that are unloaded.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "fixture.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

/// How a program ended, and what it printed.
struct Outcome {
  int code = -1;  ///< -1 for a signal
  std::string said;
};

class objects_of_a_process : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    const auto bytes = binary_of(must(load()), {Network{.hidden = 64}});
    std::ofstream(binary_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  }

  /// Runs two_objects.cpp on the simulated HTP.
  Outcome run(const std::string& way_and_objects) const {
    const std::string command = "QNNPP_SIM_VTCM_BYTES=" + std::to_string(small_vtcm_bytes) +
                                " " QNNPP_TWO_OBJECTS " " + htp_library + " " + rpcmem_library +
                                " " + binary_ + " " + way_and_objects + " 2>&1";
    Outcome outcome;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return outcome;
    char part[4096];
    while (const std::size_t got = std::fread(part, 1, sizeof part, pipe))
      outcome.said.append(part, got);
    const int status = ::pclose(pipe);
    if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
    return outcome;
  }

  static bool has(const std::string& compiler) {
    return ::access(object(compiler, "hidden", "a").c_str(), R_OK) == 0;
  }
  static std::string object(const std::string& compiler, const std::string& form,
                            const std::string& which) {
    return QNNPP_OBJECTS "/" + compiler + "_" + form + "_" + which + ".so";
  }

 private:
  TemporaryFolder folder_;
  std::string binary_ = folder_.file("net.bin");
};

/// How two objects are built.
struct Pair {
  std::string compiler;
  std::string form;
  std::string version;  ///< of the second object
};
constexpr int pairs = 2 * 4 * 2;
Pair pair_of(int number) {
  constexpr const char* forms[] = {"default", "hidden", "version_script", "static"};
  return {number < pairs / 2 ? "gcc" : "clang", forms[number / 2 % 4],
          number % 2 == 0 ? "same" : "other"};
}
std::string name_of_pair(const testing::TestParamInfo<int>& number) {
  const auto [compiler, form, version] = pair_of(number.param);
  return compiler + "_" + form + "_and_" + version + "_version";
}

class two_objects : public objects_of_a_process, public testing::WithParamInterface<int> {};

TEST_P(two_objects, BUF_12_have_one_right_to_execute_and_one_use_of_memory) {
  const auto [compiler, form, version] = pair_of(GetParam());
  if (!has(compiler)) GTEST_SKIP() << "no " << compiler;
  const std::string options = version == "same" ? " same" : "";
  const Outcome outcome = run("shares " + object(compiler, form, "a") + " " +
                              object(compiler, form, version) + options);
  EXPECT_EQ(outcome.code, 0) << outcome.said;
  std::printf("pairs of shared objects: 1\n");
}

INSTANTIATE_TEST_SUITE_P(built_as, two_objects, testing::Range(0, pairs), name_of_pair);

class an_unloaded_object : public objects_of_a_process {
 protected:
  /// Runs a way with objects of each compiler. Those of g++ with default symbols stay mapped
  /// anyway.
  void expect_well(const char* way, bool takes_two) const {
    for (const char* const compiler : {"gcc", "clang"})
      for (const char* const form : {"default", "hidden"}) {
        if (!has(compiler)) continue;
        const Outcome outcome =
            run(way + (" " + object(compiler, form, "a")) +
                (takes_two ? " " + object(compiler, form, "same") : std::string()));
        EXPECT_EQ(outcome.code, 0) << compiler << ", " << form << ": " << outcome.said;
        std::printf("shared objects closed: 1\n");
      }
  }
};

TEST_F(an_unloaded_object, that_loaded_a_backend_still_receives_what_QNN_logs) {
  expect_well("unloads", false);
}

TEST_F(an_unloaded_object, whose_load_failed_still_receives_what_QNN_logs) {
  expect_well("unloads_late", false);
}

TEST_F(an_unloaded_object, gives_back_its_right_and_leaves_that_of_others) {
  expect_well("stops_sharing", true);
}

}}  // namespace support
