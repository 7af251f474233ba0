// Every call that an example makes of QNN and of rpcmem fails. The program ends with one line and
// exit code 1, or succeeds if the call only releases. Nothing is left.
//
// This test contains the programs, with main() under another name.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/interface.hpp"

#include "fixture.hpp"
#include "temporary_folder.hpp"

int ion_buffers_main(int argc, char** argv);
int multi_tensor_buffer_main(int argc, char** argv);
int external_buffers_main(int argc, char** argv);
int online_prepare_main(int argc, char** argv);
int camera_ring_main(int argc, char** argv);
int make_binaries_main(int argc, char** argv);

namespace support { namespace {

using sim::Slot;

struct Program {
  const char* name;
  int (*main)(int, char**);
  std::uint64_t allocations;  ///< DMA buffers that the program requests
};

/// Return value and stderr output of a run. Its stdout is dropped.
struct Ending {
  int status = -1;
  std::string error;
};

Ending run(int (*program)(int, char**), std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ending ending;
  ending.status = program(static_cast<int>(arguments.size()), argv.data());
  ending.error = testing::internal::GetCapturedStderr();
  (void)testing::internal::GetCapturedStdout();
  return ending;
}

class example_faults : public SimTest, public testing::WithParamInterface<Program> {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (HasFatalFailure()) return;
    set(&sim::Config::vtcm_bytes, 32768);
    const Ending made =
        run(&make_binaries_main, {"make_binaries", "--backend", htp_library, "--output",
                                  folder_.path(), "--input_output_tensor_mem_type", "memhandle"});
    ASSERT_EQ(made.status, 0) << made.error;
    // A first load may open descriptors that belong to no test.
    ASSERT_EQ(run_program().status, 0);
  }
  Ending run_program(const std::string& rpcmem = rpcmem_library) const {
    return run(GetParam().main, {GetParam().name, "--backend", htp_library, "--rpcmem", rpcmem,
                                 "--folder", folder_.path()});
  }

  /// Expects status 1 and one line that names the program and has `words`.
  static void expect_failed(const Ending& ending, const std::string& words) {
    EXPECT_EQ(ending.status, 1);
    EXPECT_EQ(std::count(ending.error.begin(), ending.error.end(), '\n'), 1) << ending.error;
    EXPECT_EQ(ending.error.find(std::string(GetParam().name) + ": "), 0u) << ending.error;
    EXPECT_NE(ending.error.find(words), std::string::npos) << words << "\n" << ending.error;
  }
  static void expect_succeeded(const Ending& ending) {
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.error, "");
  }

  /// Returns the slots that the program calls.
  std::vector<Slot> called_slots() const {
    control().reset_counters();
    expect_succeeded(run_program());
    std::vector<Slot> called;
    for (std::uint32_t slot = 0; slot < sim::table_slots; ++slot)
      if (control().calls(static_cast<Slot>(slot)) > 0) called.push_back(static_cast<Slot>(slot));
    return called;
  }

  /// Makes the k-th call of each slot fail. k is every number in an optimised build, and 1, 2, 4, 8
  /// and so on in another. Returns the number of faults.
  std::uint64_t fail_each_call(std::uint32_t code, bool persistent) const {
    std::uint64_t all_fired = 0;
    for (const Slot slot : called_slots()) {
      const std::string name = qnnpp::c_api::slots[static_cast<std::size_t>(slot)].name;
      std::uint64_t fired = 1;
      for (std::uint64_t k = 1; fired != 0; k = next(k)) {
        SCOPED_TRACE(name + ", call " + std::to_string(k) + ", code " + std::to_string(code) +
                     (persistent ? ", for good" : ", once"));
        control().reset_counters();
        control().fail_call(slot, k, code, persistent);
        const Ending ending = run_program();
        fired = control().counters().faults_fired;
        control().clear_faults();
        all_fired += fired;
        expect_nothing_left(descriptors());
        // A program works without a logger too; only its errors have less detail.
        // Backend::platform_info() reports that its release failed.
        const bool is_silent = sim::releases(slot) && slot != Slot::device_free_platform_info;
        if (fired == 0 || is_silent || slot == Slot::log_create)
          expect_succeeded(ending);
        else
          expect_failed(ending, name + " returned " + std::to_string(code));
      }
    }
    return all_fired;
  }

  /// Makes each call of rpcmem fail. `fail` sets up the failure of the k-th call. The last k
  /// exceeds the number of calls.
  template <class Fail>
  void fail_each_allocation(const std::string& words, Fail fail,
                            const sim::RpcmemControl& rpcmem = rpcmem_control(),
                            const std::string& library = rpcmem_library) const {
    for (std::uint64_t k = 1; k <= GetParam().allocations + 1; ++k) {
      SCOPED_TRACE("call " + std::to_string(k));
      fail(k);
      const Ending ending = run_program(library);
      rpcmem.clear_faults();
      expect_nothing_left(descriptors());
      EXPECT_EQ(rpcmem.counters().live_allocations, 0u);
      EXPECT_EQ(rpcmem.counters().live_fds, 0u);
      if (k > GetParam().allocations)
        expect_succeeded(ending);
      else
        expect_failed(ending, words);
    }
  }

 private:
  static std::uint64_t next(std::uint64_t k) {
#if defined(NDEBUG)
    return k + 1;
#else
    return 2 * k;
#endif
  }

  TemporaryFolder folder_;
};

TEST_P(example_faults, ends_well_and_makes_the_calls_that_are_to_fail) {
  const std::vector<Slot> called = called_slots();
  const auto calls_it = [&](Slot slot) {
    return std::find(called.begin(), called.end(), slot) != called.end();
  };
  EXPECT_TRUE(calls_it(Slot::mem_register));
  EXPECT_TRUE(calls_it(Slot::graph_execute));
  EXPECT_TRUE(calls_it(Slot::mem_de_register));
  EXPECT_TRUE(calls_it(Slot::context_free));
  rpcmem_control().reset_counters();
  expect_succeeded(run_program());
  EXPECT_EQ(rpcmem_control().counters().allocations, GetParam().allocations);
}

TEST_P(example_faults, any_call_of_QNN_fails_once_and_nothing_is_left) {
  EXPECT_GE(fail_each_call(1002, false), 10u);
  expect_no_misuse();
}

TEST_P(example_faults, any_call_of_QNN_fails_for_good_and_nothing_is_left) {
  EXPECT_GE(fail_each_call(5005, true), 10u);
  expect_no_misuse();
}

TEST_P(example_faults, the_sub_system_restarts_at_any_call_and_nothing_is_left) {
  expect_misuse();
  EXPECT_GE(fail_each_call(1007, false), 10u);
}

TEST_P(example_faults, ALC_02_any_allocation_fails_in_any_way_and_nothing_is_left) {
  for (const auto failure : {sim::RpcmemFailure::null, sim::RpcmemFailure::map_failed})
    fail_each_allocation("rpcmem_alloc2 gave no memory", [&](std::uint64_t k) {
      rpcmem_control().fail_call(sim::RpcmemCall::alloc2, k, false, failure);
    });
}

TEST_P(example_faults, ALC_02_any_allocation_of_an_older_rpcmem_fails_and_nothing_is_left) {
  const std::string library = QNNPP_SIM_DIR "/no_alloc2/libcdsprpc.so";
  const auto older = sim::RpcmemControl::from(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL));
  ASSERT_TRUE(older);
  fail_each_allocation(
      "rpcmem_alloc gave no memory",
      [&](std::uint64_t k) { older.fail_call(sim::RpcmemCall::alloc, k); }, older, library);
}

TEST_P(example_faults, ALC_02_any_descriptor_fails_and_nothing_is_left) {
  fail_each_allocation("rpcmem_to_fd gave no file descriptor", [](std::uint64_t k) {
    rpcmem_control().fail_call(sim::RpcmemCall::to_fd, k);
  });
}

INSTANTIATE_TEST_SUITE_P(each, example_faults,
                         testing::Values(Program{"ion_buffers", &ion_buffers_main, 2},
                                         Program{"multi_tensor_buffer", &multi_tensor_buffer_main,
                                                 1},
                                         Program{"external_buffers", &external_buffers_main, 3},
                                         Program{"online_prepare", &online_prepare_main, 1},
                                         Program{"camera_ring", &camera_ring_main, 1}),
                         [](const auto& program) { return std::string(program.param.name); });

}}  // namespace support
