// The end of the process: objects that are older than the library call none of its functions.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace support { namespace {

/// How a program ended, and what it wrote to stderr.
struct Ended {
  int code = -1;  ///< -1 for a signal
  std::string said;
};

/// Runs exits.cpp, which ends in one way. The simulated HTP aborts where a host library would
/// crash, and reports.
Ended end_by(const std::string& way) {
  const std::string command =
      "QNNPP_SIM_CRASH=1 QNNPP_SIM_REPORT=stderr QNNPP_EXITS_RPCMEM=" QNNPP_SIM_DIR
      "/libcdsprpc.so " QNNPP_EXITS " " QNNPP_SIM_DIR "/libQnnHtp.so " +
      way + " 2>&1 >/dev/null";
  Ended ended;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return ended;
  char part[4096];
  while (const std::size_t got = std::fread(part, 1, sizeof part, pipe))
    ended.said.append(part, got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  return ended;
}

TEST(process_exit, PRC_04_objects_that_end_before_the_library_are_freed_by_calls) {
  for (const char* const way : {"younger", "thread_local"}) {
    const Ended ended = end_by(way);
    EXPECT_EQ(ended.code, 0) << way;
    EXPECT_NE(ended.said.find("all is well"), std::string::npos) << way << ": " << ended.said;
  }
}

TEST(process_exit, PRC_04_objects_of_static_storage_older_than_the_library_call_nothing) {
  for (const char* const way : {"global", "member", "local", "thread"}) {
    const Ended ended = end_by(way);
    EXPECT_EQ(ended.code, 0) << way << ": " << ended.said;
    EXPECT_NE(ended.said.find(" 0 misuses and "), std::string::npos) << way << ": " << ended.said;
    EXPECT_NE(ended.said.find("backends: QnnBackend_free"), std::string::npos) << way;
  }
}

TEST(process_exit, PRC_04_calls_from_a_destructor_that_runs_too_late_are_refused) {
  EXPECT_EQ(end_by("late_calls").code, 0);
}

TEST(process_exit, PRC_04_of_a_thread_that_goes_on_and_by_quick_exit_destroys_no_object) {
  const Ended ended = end_by("other_thread_local");
  EXPECT_EQ(ended.code, 0) << ended.said;
  EXPECT_NE(ended.said.find(" 0 misuses and "), std::string::npos) << ended.said;
  EXPECT_EQ(end_by("quick").code, 0);
}

TEST(process_exit, PRC_04_a_shared_object_with_its_own_qnnpp_calls_nothing_either) {
  for (const char* const way : {"plugin", "two"}) {
    const Ended ended = end_by(std::string(way) + " " QNNPP_EXITS_PLUGIN);
    EXPECT_EQ(ended.code, 0) << way << ": " << ended.said;
    EXPECT_NE(ended.said.find(" 0 misuses and "), std::string::npos) << way << ": " << ended.said;
  }
}

TEST(process_exit, PRC_04_a_closed_shared_object_stays_mapped_and_its_objects_alive) {
  const Ended ended = end_by("closed_plugin " QNNPP_EXITS_PLUGIN);
  EXPECT_EQ(ended.code, 0) << ended.said;
  EXPECT_NE(ended.said.find(" 0 misuses and "), std::string::npos) << ended.said;
}

TEST(process_exit, PRC_04_objects_older_than_what_composing_makes_call_nothing) {
  const Ended ended = end_by("between");
  EXPECT_EQ(ended.code, 0) << ended.said;
  EXPECT_NE(ended.said.find(" 0 misuses and "), std::string::npos) << ended.said;
}

}}  // namespace support
