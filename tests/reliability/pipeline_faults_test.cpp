// Every call of the job as a pipeline fails, once and permanently. Nothing is left, and the error
// names the call that failed.
#include <utility>
#include <vector>

#include "faults.hpp"
#include "job.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class pipeline_faults : public FaultsTest {
 protected:
  void SetUp() override {
    FaultsTest::SetUp();
    if (HasFatalFailure()) return;
    std::vector<Network> networks = four_networks();
    for (Network& network : networks) network.io = c_api::TensorMemType::memhandle;
    parts_ = recorded_parts(std::move(networks));
  }
  Result<float> run() const override {
    return run_pipeline(parts_, share_bytes_).transform([](const Outcome& outcome) {
      return outcome.difference;
    });
  }

  Parts parts_;
  bool share_bytes_ = false;
};

TEST_F(pipeline_faults, the_job_makes_one_registration_a_context_and_copies_nothing) {
  run_clean();
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
    fail_each_call(1002);
  }
}

TEST_F(pipeline_faults, SSR_01_a_pipeline_fails_at_any_call_with_a_restart_and_leaves_nothing) {
  run_clean();
  expect_misuse();
  fail_each_call(1007);
}

TEST_F(pipeline_faults, two_calls_fail_in_one_run_and_nothing_is_left) {
  run_clean();
  fail_two_calls(1, 6);
}

TEST_F(pipeline_faults, ALC_02_every_allocation_and_every_descriptor_fails_and_nothing_is_left) {
  run_clean();
  const std::uint64_t allocations = rpcmem_control().counters().allocations;
  ASSERT_EQ(allocations, 6u) << "the pool, four weights buffers, all tensors";
  for (const auto call : {sim::RpcmemCall::alloc2, sim::RpcmemCall::to_fd})
    fail_each_call(call, allocations);
}

TEST_F(pipeline_faults, a_pipeline_runs_again_after_every_failure) {
  run_clean();
  succeed_after_failures(5);
}

}}  // namespace support
