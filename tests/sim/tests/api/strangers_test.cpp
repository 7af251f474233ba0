// Programs that know nothing of the simulated HTP: only the environment configures and observes it.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "ended.hpp"
#include "temporary_folder.hpp"
#include "user_notification.hpp"

namespace sim_test { namespace {

Ended hazard(int number, const std::string& variables) {
  return run(variables, QNNPP_SIM_HAZARDS, std::to_string(number));
}
Ended ending(const std::string& way, const std::string& variables) {
  return run(variables, QNNPP_SIM_EXITS, way);
}
/// A member runs after its head was freed: GRP-03 twice, QnnGraph_execute fails.
constexpr int two_misuses_of_a_rule = 30;
/// ION-04: frees the memory of a registered tensor.
constexpr int memory_freed_too_early = 3;
/// Leaves a context and the backend alive.
constexpr int two_objects_left = 20;
/// Leaves what a failed creation has left, and the backend.
constexpr int context_of_a_failed_creation = 38;
/// Creates a deferred context.
constexpr int context_created_deferred = 35;

TEST(sim_log, without_a_variable_stderr_gets_the_first_misuse_of_each_rule) {
  const Ended ended = hazard(two_misuses_of_a_rule, "");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.lines(), 1u) << ended.said;
  EXPECT_EQ(ended.said.find("simulated HTP: QnnContext_free: GRP-03: "), 0u) << ended.said;
}

TEST(sim_log, none_keeps_stderr_empty) {
  EXPECT_EQ(hazard(two_misuses_of_a_rule, "QNNPP_SIM_LOG=none").said, "");
  EXPECT_EQ(hazard(two_misuses_of_a_rule, "QNNPP_SIM_LOG=0").said, "");
}

TEST(sim_log, a_level_prints_the_lines_of_calls_without_a_logger) {
  for (const char* const level : {"error", "1", "what else"}) {
    const Ended ended = hazard(two_misuses_of_a_rule, "QNNPP_SIM_LOG='" + std::string(level) + "'");
    const bool known = std::string(level) != "what else";
    EXPECT_EQ(ended.lines(), known ? 3u : 4u) << level << ": " << ended.said;
    EXPECT_EQ(ended.says("simulated HTP: QNNPP_SIM_LOG: no such level: 'what else'"), !known);
    EXPECT_TRUE(ended.says("simulated HTP: QnnGraph_execute failed with 60")) << ended.said;
  }
  EXPECT_GT(hazard(two_misuses_of_a_rule, "QNNPP_SIM_LOG=debug").lines(), 3u);
}

TEST(sim_log, a_line_that_the_clients_callback_gets_is_not_printed) {
  // This client breaks rules on purpose, mostly while it has a logger with a callback.
  EXPECT_EQ(run("", QNNPP_SIM_C_CLIENT, "").said,
            "simulated HTP: rpcmem_to_fd: ALC-02: an address that rpcmem has not allocated\n");
  EXPECT_EQ(run("QNNPP_SIM_LOG=none", QNNPP_SIM_C_CLIENT, "").said, "");
  // Its first calls happen before it has a logger.
  const Ended ended = run("QNNPP_SIM_LOG=error", QNNPP_SIM_C_CLIENT, "");
  EXPECT_TRUE(ended.says("simulated HTP: QnnError_getMessage failed with 10001: ")) << ended.said;
  EXPECT_FALSE(ended.says("QnnContext_free")) << ended.said;
}

TEST(sim_log, the_callback_of_a_freed_logger_is_called_at_exit) {
  EXPECT_EQ(ending("log", "").said, "at exit\n");
  EXPECT_EQ(ending("quiet", "").said, "") << "the line has level verbose";
}

TEST(sim_report, says_in_its_first_line_that_all_is_well) {
  const Ended ended = ending("well", "QNNPP_SIM_REPORT=stderr");
  EXPECT_EQ(ended.first_line(),
            "simulated HTP: all is well: no misuse and nothing left alive, in 2 calls");
  EXPECT_FALSE(ended.says("left alive, never")) << ended.said;
  EXPECT_FALSE(ended.says("\nexecutions")) << ended.said;
}

TEST(sim_report, counts_misuses_and_what_is_left_in_its_first_line) {
  const Ended left = hazard(two_objects_left, "QNNPP_SIM_REPORT=stderr");
  EXPECT_EQ(left.first_line().find("simulated HTP: 0 misuses and 2 objects left alive; 1 of "), 0u)
      << left.said;
  EXPECT_TRUE(left.says("1  contexts: QnnContext_free (ORD-08); graph digits\n")) << left.said;
  const Ended misused = hazard(two_misuses_of_a_rule, "QNNPP_SIM_LOG=none QNNPP_SIM_REPORT=stderr");
  EXPECT_EQ(misused.first_line().find("simulated HTP: 2 misuses and 0 objects left alive"), 0u);
  EXPECT_TRUE(misused.says("2  GRP-03  QnnContext_free: the first context of a group"));
  EXPECT_TRUE(misused.says("the rule: the head outlives its members\n"));
  EXPECT_TRUE(misused.says("docs/rules.md"));
}

TEST(sim_report, tells_how_to_end_what_a_failed_creation_has_left) {
  const Ended eager = hazard(context_of_a_failed_creation, "QNNPP_SIM_REPORT=stderr");
  EXPECT_TRUE(eager.says("1  contexts of a failed creation: QnnContext_free (ORD-14)\n"))
      << eager.said;
  // The first remote call and allocation are those of graphFinalize.
  for (const char* const fault : {"remote_call 2 1003", "own_allocation 2 NULL"}) {
    const Ended deferred =
        hazard(context_created_deferred,
               "QNNPP_SIM_REPORT=stderr QNNPP_SIM_HOST_LIBRARY=2.46.0 QNNPP_SIM_FAULT='" +
                   std::string(fault) + "'");
    EXPECT_TRUE(
        deferred.says("1  contexts of a failed deferred creation: QnnBackend_free (ORD-17)\n"))
        << deferred.said;
  }
}

TEST(sim_report, goes_to_a_file_that_may_be_named_after_the_process) {
  const support::TemporaryFolder folder;
  for (const char* const name : {"report", "report-%p"})
    EXPECT_EQ(ending("well", "QNNPP_SIM_REPORT=" + folder.file(name)).said, "");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++files;
    EXPECT_TRUE(std::regex_match(entry.path().filename().string(), std::regex("report(-[0-9]+)?")));
    std::ifstream file(entry.path());
    std::string line;
    EXPECT_TRUE(std::getline(file, line));
    EXPECT_EQ(line.find("simulated HTP: all is well"), 0u) << line;
  }
  EXPECT_EQ(files, 2u);
}

TEST(sim_report, that_cannot_be_written_is_one_line) {
  const Ended ended = ending("well", "QNNPP_SIM_REPORT=/no/such/folder/report");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.said,
            "simulated HTP: QNNPP_SIM_REPORT: /no/such/folder/report: No such file or directory\n");
}

TEST(sim_report, comes_after_the_handlers_and_the_destructors_of_the_program) {
  for (const char* const way : {"handler", "late"})
    EXPECT_TRUE(ending(way, "QNNPP_SIM_REPORT=stderr").says("and 0 objects left alive")) << way;
}

TEST(sim_exit, PRC_04_a_call_after_the_library_destroyed_its_objects_is_named) {
  for (const char* const way : {"handler", "late"}) {
    const Ended ended = ending(way, "QNNPP_SIM_REPORT=stderr");
    EXPECT_EQ(ended.code, 0) << way;
    EXPECT_TRUE(ended.says("1 misuse and")) << way << ended.said;
    EXPECT_TRUE(ended.says("1  PRC-04  QnnBackend_free: the process exits")) << way << ended.said;
    EXPECT_EQ(ending(way, "QNNPP_SIM_CRASH=1").signal, SIGABRT) << way;
  }
}

TEST(sim_exit, PRC_04_calls_before_that_are_no_misuse) {
  EXPECT_TRUE(ending("well", "QNNPP_SIM_CRASH=1 QNNPP_SIM_REPORT=stderr").says("all is well"));
}

TEST(sim_fork, PRC_01_a_call_of_a_child_for_its_parents_objects_is_named) {
  const Ended ended = ending("inherit", "QNNPP_SIM_REPORT=stderr");
  EXPECT_TRUE(ended.says("QnnBackend_free: PRC-01: a forked child calls")) << ended.said;
  EXPECT_TRUE(ended.says("all is well")) << "of the parent: " << ended.said;
  EXPECT_TRUE(ending("inherit", "QNNPP_SIM_CRASH=1").says("PRC-01: a forked child")) << ended.said;
}

TEST(sim_fork, PRC_01_a_child_may_call_a_library_that_its_parent_has_not_called) {
  const Ended ended = ending("first", "QNNPP_SIM_CRASH=1 QNNPP_SIM_REPORT=stderr");
  EXPECT_FALSE(ended.says("PRC-01")) << ended.said;
  EXPECT_TRUE(ended.says("all is well")) << ended.said;
}

TEST(sim_report, comes_when_another_thread_exits) {
  const Ended ended = ending("thread 4", "QNNPP_SIM_REPORT=stderr");
  EXPECT_EQ(ended.code, 4);
  EXPECT_TRUE(ended.says("0 misuses and 1 object left alive")) << ended.said;
}

TEST(sim_report, of_a_forked_child_is_none) {
  const Ended ended = ending("fork", "QNNPP_SIM_REPORT=stderr");
  EXPECT_TRUE(ended.says("all is well")) << ended.said;
  EXPECT_FALSE(ended.says("left alive, never")) << ended.said;
}

TEST(sim_strict, ends_a_process_that_did_something_wrong_with_its_code_and_a_report) {
  const Ended left = hazard(two_objects_left, "QNNPP_SIM_STRICT=7");
  EXPECT_EQ(left.code, 7);
  EXPECT_TRUE(left.says("2 objects left alive")) << left.said;
  EXPECT_EQ(hazard(two_misuses_of_a_rule, "QNNPP_SIM_STRICT=1").code, 1);
}

TEST(sim_strict, leaves_a_process_alone_that_failed_or_did_nothing_wrong) {
  EXPECT_EQ(ending("thread 4", "QNNPP_SIM_STRICT=7").code, 4);
  const Ended well = ending("well", "QNNPP_SIM_STRICT=7");
  EXPECT_EQ(well.code, 0);
  EXPECT_EQ(well.said, "");
}

TEST(sim_strict, ends_a_process_whose_report_cannot_be_made_with_its_code_and_says_so) {
  const Ended stuck = ending("call", "QNNPP_SIM_STRICT=7");
  EXPECT_EQ(stuck.code, 7);
  EXPECT_TRUE(stuck.says("no report: a thread of the process is still in a call")) << stuck.said;
}

TEST(sim_fault, of_the_environment_fails_the_call_that_it_names) {
  // The program stops at the first code that it does not expect.
  const Ended second =
      ending("well", "QNNPP_SIM_FAULT='; QnnBackend_create 2 4000; QnnBackend_free 1 4002'");
  EXPECT_TRUE(second.says("returned 4002")) << second.said;
  EXPECT_TRUE(ending("well", "QNNPP_SIM_FAULT='any 1 1003 always'").says("returned 1003"));
}

TEST(sim_fault, that_nobody_understands_is_one_line_and_no_fault) {
  for (const char* const wrong :
       {"QnnContext_finalise 1 1002", "QnnBackend_create 1", "QnnBackend_create 0 1002",
        "QnnBackend_create 1 70000", "QnnBackend_create 1 1002 never", "own_allocation 1 4000"}) {
    const Ended ended = ending("well", "QNNPP_SIM_FAULT='" + std::string(wrong) + "'");
    EXPECT_EQ(ended.code, 0) << wrong;
    EXPECT_EQ(ended.lines(), 1u) << ended.said;
    EXPECT_TRUE(ended.says("QNNPP_SIM_FAULT: \"" + std::string(wrong) + "\": ")) << ended.said;
  }
  // libcdsprpc.so reads the variable, too.
  const Ended both = hazard(memory_freed_too_early, "QNNPP_SIM_FAULT=nonsense");
  EXPECT_EQ(both.lines(), 2u) << both.said;
  EXPECT_TRUE(both.says("QNNPP_SIM_FAULT: \"nonsense\": ")) << both.said;
  EXPECT_TRUE(
      both.says("simulated HTP: rpcmem_free: ION-04: memory that is registered for tensors"));
}

TEST(sim_crash, ends_the_process_where_the_host_library_crashes_and_names_the_rule) {
  const Ended ended = hazard(40, "QNNPP_SIM_CRASH=1");
  EXPECT_EQ(ended.signal, SIGABRT);
  EXPECT_EQ(ended.lines(), 1u);
  EXPECT_TRUE(ended.says("QnnContext_createFromBinary: ORD-15: ")) << ended.said;
  EXPECT_TRUE(ended.says("crashes or hangs")) << ended.said;
}

TEST(sim_syncs_of_a_process, SHB_07_are_seen_and_counted_if_the_environment_asks) {
  if (!has_user_notification()) GTEST_SKIP() << "the system grants no user notification";
  const Ended seen = run("QNNPP_SIM_SEE_SYNCS=1 QNNPP_SIM_REPORT=stderr", QNNPP_SIM_SYNCS, "seen");
  EXPECT_EQ(seen.code, 0);
  EXPECT_TRUE(seen.says("simulated HTP: 3 misuses and 0 objects left alive")) << seen.said;
  EXPECT_TRUE(seen.says("3  SHB-07  QnnGraph_execute: tensor id 1 lies in memory")) << seen.said;
}

TEST(sim_syncs_of_a_process, go_to_the_kernel_if_nobody_asks) {
  const Ended unseen = run("QNNPP_SIM_REPORT=stderr", QNNPP_SIM_SYNCS, "unseen");
  EXPECT_EQ(unseen.code, 0);
  EXPECT_TRUE(unseen.says("all is well")) << unseen.said;
}

TEST(sim_syncs_of_a_process, of_a_child_that_outlives_it_are_refused_and_do_not_wait) {
  if (!has_user_notification()) GTEST_SKIP() << "the system grants no user notification";
  EXPECT_EQ(run("QNNPP_SIM_SEE_SYNCS=1", QNNPP_SIM_SYNCS, "orphan").said, "refused\n");
}

TEST(sim_docs, the_report_in_the_page_is_the_one_that_the_program_writes) {
  std::ifstream file(QNNPP_DOCS "/test-without-a-device.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  // Numbers and widths of columns may differ.
  const auto plain = [](const std::string& text) {
    return std::regex_replace(std::regex_replace(text, std::regex("[0-9]+"), "N"), std::regex(" +"),
                              " ");
  };
  const Ended ended = hazard(two_misuses_of_a_rule, "QNNPP_SIM_REPORT=stderr");
  EXPECT_NE(plain(page).find("```\n" + plain(ended.said) + "```"), std::string::npos)
      << "the page lacks:\n"
      << ended.said;
}

}}  // namespace sim_test
