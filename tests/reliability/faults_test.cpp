// Every call of the four-context job fails, once and permanently. Nothing is left, and the error
// names the call that failed.
#include "faults.hpp"

#include <string>

#include "job.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class reliability : public FaultsTest {
 protected:
  void SetUp() override {
    FaultsTest::SetUp();
    if (!HasFatalFailure()) parts_ = recorded_parts(four_networks());
  }
  Result<float> run() const override {
    return run_job(parts_).transform([](const Outcome& outcome) { return outcome.difference; });
  }

  Parts parts_;
};

TEST_F(reliability, the_job_uses_as_much_spill_fill_as_its_largest_context_needs) {
  const auto outcome = must(run_job(parts_));
  EXPECT_LT(outcome.difference, tolerance);
  EXPECT_LT(outcome.shared_spill_fill_bytes, outcome.separate_spill_fill_bytes);
  EXPECT_EQ(outcome.device_bytes, outcome.weights_bytes + outcome.shared_spill_fill_bytes);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(reliability, the_job_makes_every_call_that_is_to_fail) {
  run_clean();
  EXPECT_EQ(count(Slot::context_create_from_binary), 4);
  EXPECT_EQ(count(Slot::context_get_property), 4);
  EXPECT_EQ(count(Slot::mem_register), 10) << "four times two external buffers, two tensors";
  EXPECT_EQ(count(Slot::context_finalize), 4);
  EXPECT_EQ(count(Slot::graph_retrieve), 4);
  EXPECT_EQ(count(Slot::graph_execute), 4);
  EXPECT_EQ(count(Slot::mem_de_register), 2) << "the tensors alone (ORD-06)";
  EXPECT_EQ(count(Slot::context_free), 4);
  EXPECT_EQ(count(Slot::log_create), 1);
  EXPECT_EQ(count(Slot::log_free), 1);
}

TEST_F(reliability, the_job_fails_at_any_call_with_1002_and_leaves_nothing) {
  run_clean();
  fail_each_call(1002);
}

TEST_F(reliability, the_job_fails_at_any_call_with_5005_and_leaves_nothing) {
  run_clean();
  fail_each_call(5005);
}

TEST_F(reliability, the_job_fails_at_any_call_with_a_restarted_sub_system_and_leaves_nothing) {
  run_clean();
  expect_misuse();
  fail_each_call(1007);
}

TEST_F(reliability, every_call_of_one_slot_fails_for_good_and_nothing_is_left) {
  run_clean();
  for (std::size_t index = 0; index < sim::table_slots; ++index) {
    const auto slot = static_cast<Slot>(index);
    if (count(slot) == 0) continue;
    SCOPED_TRACE(name_of(index));
    control().reset_counters();
    control().fail_call(slot, 1, 1002, true);
    const auto outcome = run();
    control().clear_faults();
    expect_nothing_left(descriptors());
    expect_no_misuse();
    if (sim::releases(slot)) {
      EXPECT_TRUE(succeeds(outcome));
    } else {
      EXPECT_STREQ(error_of(outcome).step, name_of(index));
    }
  }
}

TEST_F(reliability, two_calls_fail_in_one_run_and_nothing_is_left) {
  run_clean();
  fail_two_calls(3, 4);
}

TEST_F(reliability, ALC_02_every_allocation_fails_in_every_way_and_nothing_is_left) {
  run_clean();
  const std::uint64_t allocations = rpcmem_control().counters().allocations;
  ASSERT_EQ(allocations, 7u) << "the pool, four weights buffers, two tensors";
  for (const auto failure : {sim::RpcmemFailure::null, sim::RpcmemFailure::map_failed})
    fail_each_call(sim::RpcmemCall::alloc2, allocations, failure);
}

TEST_F(reliability, ALC_02_every_descriptor_fails_and_nothing_is_left) {
  run_clean();
  fail_each_call(sim::RpcmemCall::to_fd, 7);
}

TEST_F(reliability, ALC_02_an_older_rpcmem_fails_at_every_allocation_and_nothing_is_left) {
  parts_.rpcmem = QNNPP_SIM_DIR "/no_alloc2/libcdsprpc.so";
  run_clean();
  const auto older =
      sim::RpcmemControl::from(::dlopen(parts_.rpcmem.c_str(), RTLD_NOW | RTLD_LOCAL));
  ASSERT_TRUE(older);
  for (std::uint64_t k = 1; k <= 7; ++k)
    for (const auto failure : {sim::RpcmemFailure::null, sim::RpcmemFailure::map_failed}) {
      SCOPED_TRACE(std::to_string(k));
      control().reset_counters();
      older.reset_counters();
      older.fail_call(sim::RpcmemCall::alloc, k, false, failure);
      const Error error = error_of(run());
      older.clear_faults();
      EXPECT_EQ(error.kind, Errc::allocation_failed);
      EXPECT_STREQ(error.step, "rpcmem_alloc");
      expect_nothing_left(descriptors());
      EXPECT_EQ(older.counters().live_allocations, 0u);
      EXPECT_EQ(older.counters().live_fds, 0u);
    }
}

TEST_F(reliability,
       a_process_domain_too_small_for_a_later_context_is_1002_at_finalize_and_nothing_is_left) {
  set(&sim::Config::pd_count, 1);
  control().reset_counters();
  ASSERT_TRUE(succeeds(run()));
  const std::uint64_t all = control().counters().peak_pd_bytes;
  for (const std::uint64_t budget : {all - 1, all / 2, all / 4, all / 8}) {
    set(&sim::Config::pd_budget_bytes, budget);
    const Error error = error_of(run());
    EXPECT_EQ(error.code, 1002);
    EXPECT_STREQ(error.step, "QnnContext_finalize");
    EXPECT_NE(error.object.find(".bin"), std::string::npos);
    expect_nothing_left(descriptors());
  }
}

TEST_F(reliability, the_job_runs_again_after_every_failure) {
  run_clean();
  succeed_after_failures(7);
}

}}  // namespace support
