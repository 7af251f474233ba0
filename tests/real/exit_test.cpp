// Programs that exit while objects of static storage live.
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "library.hpp"

namespace real { namespace {

/// Exit code of exits.cpp, which ends in one way; -1 for a signal.
int end_by(const std::string& way) {
  const int status =
      std::system((QNNPP_EXITS " '" + htp() + "' " + way + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(process_exit, PRC_04_ends_no_process_by_a_signal) {
  for (const char* const way : {"global", "member", "local", "younger", "between", "thread_local",
                                "other_thread_local", "thread", "quick", "late_calls"})
    EXPECT_EQ(end_by(way), 0) << way;
  for (const char* const way : {"plugin", "two", "closed_plugin"})
    EXPECT_EQ(end_by(std::string(way) + " " QNNPP_EXITS_PLUGIN), 0) << way;
}

}}  // namespace real
