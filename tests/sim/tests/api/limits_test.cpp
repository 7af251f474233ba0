// Plain C programs that meet a limit of the simulated HTP, an injected fault or a mistake of their
// own: what stderr, the report and the command qnnpp-sim say.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "ended.hpp"
#include "fixture.hpp"
#include "sim/tables/environment.hpp"
#include "temporary_folder.hpp"

namespace sim_test { namespace {

/// A sanitizer must not turn the signal of a client into an exit code.
const std::string plain_signals = "ASAN_OPTIONS=handle_segv=0 TSAN_OPTIONS=handle_segv=0 ";

Ended client(const std::string& way, const std::string& variables) {
  return run(variables, QNNPP_SIM_LIMITS, way);
}
/// Runs the client by `qnnpp-sim report`.
Ended reported(const std::string& way, const std::string& variables) {
  return run(plain_signals + variables, QNNPP_SIM_PROGRAM " report " QNNPP_SIM_LIMITS, way);
}
/// Runs the client by `qnnpp-sim each-call`; `said` has the table.
Ended each_call(const std::string& way, const std::string& variables = {},
                const std::string& options = {}) {
  return run_command(plain_signals + variables + " exec " QNNPP_SIM_PROGRAM " each-call " +
                     options + " " QNNPP_SIM_LIMITS " " QNNPP_SIM_DIR " " + way + " 2>&1");
}
std::string page(const char* name) {
  std::ifstream file(std::string(QNNPP_DOCS "/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* fails_the_device = "QNNPP_SIM_FAULT='QnnDevice_create 1 1003'";
constexpr const char* subtract =
    "the simulated HTP does not compute ElementWiseSubtract (node sub_3)";

// ---- a missing op -------------------------------------------------------------------------------

TEST(sim_limits, an_op_that_is_missing_is_named_once_whatever_callback_the_client_has) {
  const Ended ended = client("op", "");
  EXPECT_EQ(ended.code, 0) << ended.said;
  EXPECT_EQ(ended.said, "simulated HTP: QnnGraph_addNode: " + std::string(subtract) + "\n");
  EXPECT_EQ(client("op", "QNNPP_SIM_LOG=none").said, "");
}

TEST(sim_limits, an_op_that_is_missing_is_in_the_report_and_no_fault_of_the_client) {
  const Ended ended = client("op", "QNNPP_SIM_LOG=none QNNPP_SIM_REPORT=stderr");
  EXPECT_EQ(ended.first_line(),
            "simulated HTP: 2 of 14 calls failed; no misuse and nothing left alive");
  EXPECT_TRUE(
      ended.says("limits of the simulated HTP that calls have met: how often, and the "
                 "first of each\n       2  " +
                 std::string(subtract) + "\n"))
      << ended.said;
  EXPECT_TRUE(ended.says("\n       2  QnnGraph_addNode: 6005: " + std::string(subtract) + "\n"))
      << ended.said;
  EXPECT_FALSE(ended.says("no such op")) << ended.said;
}

TEST(sim_limits, an_op_of_a_registered_package_is_a_limit_too) {
  const Ended ended = client("package", "");
  EXPECT_EQ(ended.said,
            "simulated HTP: QnnGraph_addNode: the simulated HTP does not compute "
            "ElementWiseSubtract of op package my.ops (node sub_3): it runs no op packages\n");
}

// ---- failed calls -------------------------------------------------------------------------------

TEST(sim_report, counts_failed_calls_by_function_and_code_with_the_first_reason) {
  const Ended ended = client("ignored", "QNNPP_SIM_REPORT=stderr");
  EXPECT_EQ(ended.first_line(),
            "simulated HTP: 1 of 7 calls failed; no misuse and nothing left alive");
  EXPECT_TRUE(
      ended.says("failed calls, by function and code, and the reason of the first of each\n"
                 "       1  QnnLog_setLogLevel: 11003: no such log level: 99\n"))
      << ended.said;
}

TEST(sim_strict_calls, ends_a_process_that_went_on_after_a_failure_with_its_code_and_a_report) {
  const Ended ended = client("ignored", "QNNPP_SIM_STRICT_CALLS=9");
  EXPECT_EQ(ended.code, 9);
  EXPECT_EQ(ended.first_line(),
            "simulated HTP: 1 of 7 calls failed; no misuse and nothing left alive");
  EXPECT_EQ(client("ignored", "QNNPP_SIM_STRICT=9").code, 0) << "no misuse, and nothing is left";
}

TEST(sim_strict_calls, leaves_answers_about_capabilities_and_injected_faults_alone) {
  const Ended asked = client("asks", "QNNPP_SIM_STRICT_CALLS=9 QNNPP_SIM_LOG=none");
  EXPECT_EQ(asked.code, 0);
  EXPECT_EQ(asked.said, "");
  // The job goes on without a device.
  EXPECT_EQ(client("job", std::string("QNNPP_SIM_STRICT_CALLS=9 ") + fails_the_device).code, 0);
}

// ---- faults, and processes that end by a signal -------------------------------------------------

TEST(sim_fault, that_fires_is_one_line_with_the_call_and_its_code) {
  const Ended ended = client("job", fails_the_device);
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.said,
            "simulated HTP: QNNPP_SIM_FAULT: call 3 (QnnDevice_create 1) fails with 1003\n");
  EXPECT_EQ(client("job", "QNNPP_SIM_FAULT='any 3 1003 always'").first_line(),
            "simulated HTP: QNNPP_SIM_FAULT: call 3 (QnnDevice_create 1) fails with 1003, as each "
            "later one");
  const Ended remote = client("boolean", "QNNPP_SIM_FAULT='remote_call 2 1003'");
  EXPECT_TRUE(
      remote.says("simulated HTP: QNNPP_SIM_FAULT: remote call 2 fails with 1003, in call "))
      << remote.said;
  const Ended own = client("boolean", "QNNPP_SIM_FAULT='own_allocation 1 NULL'");
  EXPECT_TRUE(
      own.says("simulated HTP: QNNPP_SIM_FAULT: allocation 1 of the library itself returns "
               "NULL, in call "))
      << own.said;
  const Ended rpcmem = client("sizes", "QNNPP_SIM_FAULT='rpcmem_to_fd 1 -1'");
  EXPECT_FALSE(rpcmem.says("QNNPP_SIM_FAULT")) << "the program does not call it: " << rpcmem.said;
  EXPECT_TRUE(run("QNNPP_SIM_FAULT='rpcmem_alloc2 1 NULL'", QNNPP_SIM_HAZARDS, "3")
                  .says("simulated HTP: QNNPP_SIM_FAULT: rpcmem_alloc2 1 returns NULL\n"));
}

TEST(sim_program, reports_a_process_that_crashes_after_a_fault) {
  const Ended ended = reported("crash", fails_the_device);
  EXPECT_EQ(ended.code, 128 + SIGSEGV);
  EXPECT_EQ(ended.said.find(
                "simulated HTP: QNNPP_SIM_FAULT: call 3 (QnnDevice_create 1) fails with 1003\n"
                "simulated HTP: the process was ended by SIGSEGV, after call 3 (QnnDevice_create "
                "1), which failed with 1003\n"
                "simulated HTP: 0 misuses and 2 objects left alive; 1 of 3 calls failed, as "
                "injected\n"),
            0u)
      << ended.said;
  EXPECT_TRUE(ended.says("1  backends: QnnBackend_free (ORD-08)\n")) << ended.said;
  EXPECT_TRUE(ended.says("1  QnnDevice_create: 1003: an injected fault\n")) << ended.said;
}

TEST(sim_program, reports_after_abort_and_after_exit_without_destructors) {
  const Ended aborted = reported("abort", fails_the_device);
  EXPECT_EQ(aborted.code, 128 + SIGABRT);
  EXPECT_TRUE(aborted.says("ended by SIGABRT, after call 3 (QnnDevice_create 1)")) << aborted.said;
  EXPECT_TRUE(aborted.says("2 objects left alive")) << aborted.said;
  const Ended left = reported("exit", fails_the_device);
  EXPECT_EQ(left.code, 0);
  EXPECT_TRUE(left.says("2 objects left alive")) << left.said;
  EXPECT_EQ(reported("exit", std::string("QNNPP_SIM_STRICT=7 ") + fails_the_device).code, 7);
}

TEST(sim_program, reports_what_the_process_itself_would_report) {
  const auto without_process = [](const std::string& text) {
    return text.substr(text.find("simulated HTP: "));
  };
  for (const char* const way : {"op", "boolean", "finalize", "sizes"})
    EXPECT_EQ(without_process(reported(way, "").said),
              without_process(client(way, "QNNPP_SIM_REPORT=stderr").said))
        << way;
}

TEST(sim_program, ends_as_the_command_and_says_if_no_process_loaded_the_simulated_HTP) {
  const Ended none = run("", QNNPP_SIM_PROGRAM " report sh -c 'exit 5'", "");
  EXPECT_EQ(none.code, 5);
  EXPECT_TRUE(none.says("qnnpp-sim: the program has not loaded libQnnHtp.so of ")) << none.said;
  EXPECT_EQ(run("", QNNPP_SIM_PROGRAM " report /no/such/program", "").code, 127);
  for (const char* const wrong : {"", " report", " each-call --code x true", " reports true"})
    EXPECT_EQ(run_command(std::string(QNNPP_SIM_PROGRAM) + wrong + " 2>&1").code, 125) << wrong;
}

TEST(sim_program, leaves_no_file_and_reports_each_process) {
  const support::TemporaryFolder folder;
  const Ended both =
      run_command("TMPDIR=" + folder.path() +
                  " " QNNPP_SIM_PROGRAM " report sh -c '" QNNPP_SIM_LIMITS " " QNNPP_SIM_DIR
                  " op; " QNNPP_SIM_LIMITS " " QNNPP_SIM_DIR " sizes; true' 2>&1");
  EXPECT_EQ(both.code, 0) << both.said;
  EXPECT_TRUE(std::regex_search(
      both.said, std::regex("\nprocess [0-9]+\nsimulated HTP: 2 of 14 calls failed; no misuse")))
      << both.said;
  EXPECT_TRUE(both.says("simulated HTP: 2 misuses and 0 objects left alive")) << both.said;
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(folder.path())));
}

TEST(sim_program, keeps_the_counts_of_a_process_apart_from_those_of_its_forked_children) {
  const Ended ended = run("", QNNPP_SIM_PROGRAM " report " QNNPP_SIM_EXITS, "inherit");
  EXPECT_TRUE(ended.says("QnnBackend_free: PRC-01: a forked child calls")) << ended.said;
  EXPECT_TRUE(
      ended.says("\nsimulated HTP: all is well: no misuse and nothing left alive, in 2 "
                 "calls\n"))
      << ended.said;
}

TEST(sim_program, runs_a_program_once_for_each_call_that_fails) {
  const Ended ended = each_call("job");
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(page("test-without-a-device.md").find("```\n" + ended.said + "```"), std::string::npos)
      << "the page lacks:\n"
      << ended.said;
  EXPECT_TRUE(
      ended.says("     4  QnnContext_create                               -  SIGSEGV      3"
                 "  -\n"))
      << ended.said;
}

TEST(sim_program, fails_calls_of_rpcmem_too_and_at_most_as_many_as_it_is_told) {
  const Ended ended = each_call("sizes", "", "--calls 1 --code 1002");
  EXPECT_TRUE(ended.says("     1  QnnLog_create ")) << ended.said;
  EXPECT_TRUE(ended.says("     1  rpcmem_alloc ")) << ended.said;
  EXPECT_EQ(ended.lines(), 5u) << ended.said;
}

TEST(sim_program, ends_a_run_that_hangs) {
  const Ended ended =
      run_command("exec " QNNPP_SIM_PROGRAM " each-call --calls 0 --seconds 4 " QNNPP_SIM_EXITS
                  " " QNNPP_SIM_DIR " hang 2>&1");
  EXPECT_TRUE(
      ended.says("  none  -                                               -  hung         "
                 "1  -\n"))
      << ended.said;
}

// ---- broken rules that no code reports ----------------------------------------------------------

TEST(sim_booleans, CFG_01_a_boolean_of_144_is_named_with_its_option) {
  const Ended ended = client("boolean", "QNNPP_SIM_REPORT=stderr");
  EXPECT_EQ(ended.code, 0);
  EXPECT_TRUE(
      ended.says("       1  CFG-01  QnnContext_createFromBinary: the boolean of "
                 "PERSISTENT_BINARY is 144, neither 0 nor 1: "))
      << ended.said;
  EXPECT_TRUE(ended.says("a boolean is 0 or 1")) << "the rule: " << ended.said;
}

TEST(sim_booleans, CFG_01_of_every_option_are_checked) {
  // 13 options of contexts and PERSISTENT_BINARY, the same by contextSetConfig; 9 options of graphs
  // from a binary, and 9 of composed ones; SIGNEDPD.
  EXPECT_TRUE(client("booleans", "QNNPP_SIM_REPORT=stderr").says("      34  CFG-01  "));
  // A callback that drops lines hides them from stderr; without one each rule is there once.
  EXPECT_EQ(client("booleans", "").said, "");
}

TEST(sim_finalize, CFG_02_ORD_05_ORD_12_are_all_named_if_one_finalize_breaks_them) {
  const Ended ended = client("finalize", "QNNPP_SIM_REPORT=stderr");
  EXPECT_EQ(ended.first_line(),
            "simulated HTP: 3 misuses and 0 objects left alive; 1 of 28 calls failed");
  for (const char* const words : {"1  CFG-02  QnnContext_finalize: the configs have changed",
                                  "1  ORD-05  QnnContext_finalize: the binary has changed",
                                  "1  ORD-12  QnnContext_finalize: the variable"})
    EXPECT_TRUE(ended.says(words)) << words << "\n" << ended.said;
}

TEST(sim_rpcmem_sizes, ALC_01_zero_and_negative_ones_have_words_of_their_own) {
  const Ended ended = client("sizes", "");
  EXPECT_EQ(ended.said,
            "simulated HTP: rpcmem_alloc: ALC-01: a size of 0: it was never set, or a cast to int "
            "has cut 4 GiB or a multiple of it\n"
            "simulated HTP: rpcmem_alloc: ALC-01: a negative size; a cast to int makes sizes of 2 "
            "GiB or more negative\n");
}

TEST(sim_ids, ORD_09_that_no_call_has_returned_have_words_of_their_own) {
  const Ended ended = client("ids", "QNNPP_SIM_REPORT=stderr");
  EXPECT_TRUE(
      ended.says("2  ORD-09  QnnHtpPerfInfrastructure_destroyPowerConfigId: no call has "
                 "returned this id; the library returns 0\n"
                 "                  the rule: a handle or id that is used names a live "
                 "object\n"))
      << ended.said;
}

// ---- variables ----------------------------------------------------------------------------------

TEST(sim_variables, that_are_malformed_or_unknown_are_one_line_each) {
  const struct {
    const char* variable;
    const char* line;
  } cases[] = {
      {"QNNPP_SIM_VTCM_BYTES=many", "QNNPP_SIM_VTCM_BYTES: 'many' is no number, ignored"},
      {"QNNPP_SIM_VTCM_BYTES=-1", "QNNPP_SIM_VTCM_BYTES: '-1' is no number, ignored"},
      {"QNNPP_SIM_ARCH=73x", "QNNPP_SIM_ARCH: '73x' is no number, ignored"},
      {"QNNPP_SIM_MAX_CONTEXTS=99999999999",
       "QNNPP_SIM_MAX_CONTEXTS: '99999999999' is too large, ignored"},
      {"QNNPP_SIM_PD_COUNT=17", "QNNPP_SIM_PD_COUNT: '17' describes no possible device, ignored"},
      {"QNNPP_SIM_SEED=one", "QNNPP_SIM_SEED: 'one' is no number, ignored"},
      {"QNNPP_SIM_STRICT=256", "QNNPP_SIM_STRICT: '256' is too large, ignored"},
      {"QNNPP_SIM_STRICT_CALLS=yes", "QNNPP_SIM_STRICT_CALLS: 'yes' is no number, ignored"},
      {"QNNPP_SIM_CRASH=true", "QNNPP_SIM_CRASH: 'true' is no number, ignored"},
      {"QNNPP_SIM_ENGINE=/no/such",
       "QNNPP_SIM_ENGINE: '/no/such' has no libQnnHtp.so: binaries of "
       "the SDK are refused"},
      {"QNNPP_SIM_START_FAILURE=no_luck", "QNNPP_SIM_START_FAILURE: no such failure: 'no_luck'"},
      {"QNNPP_SIM_HOST_LIBRARY=2.44.0", "QNNPP_SIM_HOST_LIBRARY: no such host library: '2.44.0'"},
      {"QNNPP_SIM_LOG=loud", "QNNPP_SIM_LOG: no such level: 'loud'"},
      {"QNNPP_SIM_COUNTS=/no/such/file", "QNNPP_SIM_COUNTS: /no/such/file: No such file"},
      {"QNNPP_SIM_VTCM_BYTE=65536",
       "QNNPP_SIM_VTCM_BYTE: no such variable, ignored; QNNPP_SIM_VTCM_BYTES exists"},
      {"QNNPP_SIM_TURBO=1",
       "QNNPP_SIM_TURBO: no such variable, ignored; docs/simulated-htp.md has their names"}};
  for (const auto& each : cases) {
    const Ended ended = run(each.variable, QNNPP_SIM_EXITS, "well");
    EXPECT_EQ(ended.code, 0) << ended.said;
    EXPECT_EQ(ended.said.find("simulated HTP: " + std::string(each.line)), 0u) << ended.said;
    EXPECT_EQ(ended.lines(), 1u) << ended.said;
  }
}

TEST(sim_variables, of_libQnnSystem_are_reported_by_it) {
  const Ended ended = run("QNNPP_SIM_GRAPH_BLOB_BYTES=big", QNNPP_SIM_C_CLIENT, "");
  EXPECT_TRUE(ended.says("simulated HTP: QNNPP_SIM_GRAPH_BLOB_BYTES: 'big' is no number, ignored"))
      << ended.said;
}

TEST(sim_variables, are_the_ones_of_the_page) {
  const std::string text = page("simulated-htp.md");
  const std::string table = text.substr(text.find("| variable | default | meaning |"),
                                        text.find("| start failure |") - text.find("| variable |"));
  std::set<std::string> documented;
  const std::regex name("\n\\| `QNNPP_SIM_([A-Z0-9_]+)`(, `QNNPP_SIM_([A-Z0-9_]+)`)?");
  for (std::sregex_iterator row(table.begin(), table.end(), name), end; row != end; ++row)
    for (const int group : {1, 3})
      if ((*row)[static_cast<std::size_t>(group)].matched)
        documented.insert((*row)[static_cast<std::size_t>(group)]);
  const std::set<std::string> known(std::begin(sim::variable_names), std::end(sim::variable_names));
  EXPECT_EQ(documented, known);
}

}}  // namespace sim_test
