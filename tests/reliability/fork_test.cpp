// fork() after QNN was loaded: the child calls none of its functions, and the parent goes on.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace support { namespace {

/// Runs forks.cpp, whose child acts in one way. The simulated HTP aborts at a call of the child.
void expect_to_end_well(const std::string& way) {
  const std::string command = "QNNPP_SIM_CRASH=1 QNNPP_SIM_REPORT=stderr " QNNPP_FORKS
                              " " QNNPP_SIM_DIR "/libQnnHtp.so " QNNPP_SIM_DIR "/libcdsprpc.so " +
                              way + " 2>&1 >/dev/null";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  char part[4096];
  while (const std::size_t got = std::fread(part, 1, sizeof part, pipe)) said.append(part, got);
  const int status = ::pclose(pipe);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << way << ": " << said;
  EXPECT_EQ(said.find("PRC-01"), std::string::npos) << way << ": " << said;
}

TEST(forked_process, PRC_01_the_calls_of_a_child_are_refused_by_type) {
  expect_to_end_well("calls");
}

TEST(forked_process, PRC_01_destructors_of_a_child_call_nothing_and_the_parent_goes_on) {
  for (const char* const way : {"returns", "exits"}) expect_to_end_well(way);
}

TEST(forked_process, PRC_01_a_child_waits_for_no_thread_of_its_parent) {
  expect_to_end_well("waits");
}

TEST(forked_process, PRC_01_a_child_of_a_process_without_QNN_loads_it) {
  expect_to_end_well("first");
}

}}  // namespace support
