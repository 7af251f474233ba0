// Every call of the job as a pipeline fails once, and for good: what is left is nothing, and the
// error says what failed.
#include <algorithm>
#include <string>
#include <vector>

#include "job.hpp"
#include "qnnpp/abi/slots.hpp"
#include "recorder.hpp"

namespace support {
namespace {

using namespace qnnpp;
using sim::Slot;

/// The slots of all calls, in their order.
struct PipelineCalls {
  static inline std::vector<std::size_t> slots;
  static void hook(std::size_t slot, bool entering, const void* const*) {
    if (entering) slots.push_back(slot);
  }
};

class pipeline_faults : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (HasFatalFailure()) return;
    parts_.backend = QNNPP_RECORDER;
    for (Network& network : parts_.networks) network.io = c_api::TensorMemType::memhandle;
    const auto backend = must(load());
    for (const Network& network : parts_.networks)
      parts_.binaries.push_back(binary_of(backend, {network}));
  }
  Result<Outcome> run() const { return run_pipeline(parts_, share_bytes_); }

  /// Runs the job without faults: its calls are known then.
  void run_clean() {
    control().reset_counters();
    rpcmem_control().reset_counters();
    const Recording recording(&PipelineCalls::hook);
    PipelineCalls::slots.clear();
    const auto outcome = run();
    ASSERT_TRUE(succeeds(outcome));
    ASSERT_LT(outcome->difference, tolerance);
    calls_ = PipelineCalls::slots;
    ASSERT_EQ(control().counters().calls, calls_.size());
    const auto last =
        std::find(calls_.rbegin(), calls_.rend(), static_cast<std::size_t>(Slot::graph_execute));
    calls_of_the_job_ = static_cast<std::size_t>(calls_.rend() - last);
  }
  void run_with_a_fault(std::size_t k, std::uint32_t code, bool persistent) {
    SCOPED_TRACE("call " + std::to_string(k) + " (" + c_api::slots[calls_[k - 1]].name +
                 "), code " + std::to_string(code) + (persistent ? ", for good" : ", once"));
    control().reset_counters();
    control().fail_any_call(k, code, persistent);
    const auto outcome = run();
    control().clear_faults();
    expect_nothing_left(descriptors());
    EXPECT_GE(control().counters().faults_fired, 1u);
    if (k > calls_of_the_job_) {
      EXPECT_TRUE(succeeds(outcome)) << "destructors are silent";
      return;
    }
    const Error error = error_of(outcome);
    EXPECT_STREQ(error.step, c_api::slots[calls_[k - 1]].name);
    EXPECT_FALSE(error.object.empty());
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, code);
  }

  Parts parts_;
  bool share_bytes_ = false;
  std::vector<std::size_t> calls_;
  std::size_t calls_of_the_job_ = 0;
};

TEST_F(pipeline_faults, the_job_makes_one_registration_a_context_and_copies_nothing) {
  run_clean();
  const auto count = [&](Slot slot) {
    return std::count(calls_.begin(), calls_.end(), static_cast<std::size_t>(slot));
  };
  EXPECT_EQ(count(Slot::mem_register), 12) << "four times two external buffers, four times tensors";
  EXPECT_EQ(count(Slot::mem_de_register), 4) << "the tensors alone (ORD-06)";
  EXPECT_EQ(count(Slot::graph_retrieve), 4);
  EXPECT_EQ(count(Slot::graph_execute), 4);
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
  EXPECT_EQ(control().counters().in_place, 8u);
}

TEST_F(pipeline_faults, SHB_03_a_pipeline_fails_at_any_call_with_1002_and_leaves_nothing) {
  for (const bool share_bytes : {false, true}) {
    share_bytes_ = share_bytes;
    run_clean();
    for (std::size_t k = 1; k <= calls_.size(); ++k)
      for (const bool persistent : {false, true}) {
        run_with_a_fault(k, 1002, persistent);
        expect_no_misuse();
      }
  }
}

TEST_F(pipeline_faults, SSR_01_a_pipeline_fails_at_any_call_with_a_restart_and_leaves_nothing) {
  run_clean();
  expect_misuse();
  for (std::size_t k = 1; k <= calls_.size(); ++k)
    for (const bool persistent : {false, true}) run_with_a_fault(k, 1007, persistent);
}

TEST_F(pipeline_faults, two_calls_fail_in_one_run_and_nothing_is_left) {
  run_clean();
  for (std::size_t first = 1; first <= calls_of_the_job_; ++first)
    for (std::size_t second = 1; second <= 6; ++second) {
      SCOPED_TRACE(std::to_string(first) + " and " + std::to_string(second) + " later");
      control().reset_counters();
      control().fail_any_call(first, 5005);
      control().fail_any_call(first + second, 5001);
      EXPECT_STREQ(error_of(run()).step, c_api::slots[calls_[first - 1]].name);
      control().clear_faults();
      expect_nothing_left(descriptors());
      expect_no_misuse();
    }
}

TEST_F(pipeline_faults, ALC_02_every_allocation_and_every_descriptor_fails_and_nothing_is_left) {
  run_clean();
  const std::uint64_t allocations = rpcmem_control().counters().allocations;
  ASSERT_EQ(allocations, 6u) << "the pool, four weights buffers, all tensors";
  for (const auto call : {sim::RpcmemCall::alloc2, sim::RpcmemCall::to_fd})
    for (std::uint64_t k = 1; k <= allocations; ++k)
      for (const bool persistent : {false, true}) {
        SCOPED_TRACE(std::to_string(k));
        control().reset_counters();
        rpcmem_control().fail_call(call, k, persistent);
        const Error error = error_of(run());
        rpcmem_control().clear_faults();
        EXPECT_EQ(error.kind, call == sim::RpcmemCall::alloc2 ? Errc::allocation_failed
                                                              : Errc::no_file_descriptor);
        expect_nothing_left(descriptors());
        expect_no_misuse();
      }
}

TEST_F(pipeline_faults, a_pipeline_runs_again_after_every_failure) {
  run_clean();
  for (std::size_t k = 1; k <= calls_.size(); k += 5) {
    control().fail_any_call(k, 1002);
    (void)run();
    control().clear_faults();
    const auto again = run();
    ASSERT_TRUE(succeeds(again)) << k;
    EXPECT_LT(again->difference, tolerance);
  }
}

}  // namespace
}  // namespace support
