// Every call of the four-context job fails once, and for good: what is left is nothing, and the
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
struct Calls {
  static inline std::vector<std::size_t> slots;
  static void hook(std::size_t slot, bool entering, const void* const*) {
    if (entering) slots.push_back(slot);
  }
};

class reliability : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (HasFatalFailure()) return;
    parts_.backend = QNNPP_RECORDER;
    const auto backend = must(load());
    for (const Network& network : parts_.networks)
      parts_.binaries.push_back(binary_of(backend, {network}));
  }

  /// Runs the job without faults: `calls_` and `calls_of_the_job_` are known then.
  void run_clean() {
    control().reset_counters();
    rpcmem_control().reset_counters();
    const Recording recording(&Calls::hook);
    Calls::slots.clear();
    std::size_t in_the_job = 0;
    const auto outcome = run_job(parts_);
    ASSERT_TRUE(succeeds(outcome));
    ASSERT_LT(outcome->difference, tolerance);
    calls_ = Calls::slots;
    // Only releases come after the last execution.
    for (std::size_t i = 0; i < calls_.size(); ++i)
      if (calls_[i] == static_cast<std::size_t>(Slot::graph_execute)) in_the_job = i + 1;
    calls_of_the_job_ = in_the_job;
    ASSERT_EQ(control().counters().calls, calls_.size());
  }

  /// One run with the k-th call (from 1) failing.
  void run_with_a_fault(std::size_t k, std::uint32_t code, bool persistent) {
    SCOPED_TRACE("call " + std::to_string(k) + " (" + c_api::slots[calls_[k - 1]].name +
                 "), code " + std::to_string(code) + (persistent ? ", for good" : ", once"));
    control().reset_counters();
    control().fail_any_call(k, code, persistent);
    const auto outcome = run_job(parts_);
    control().clear_faults();
    expect_nothing_left(descriptors());
    EXPECT_GE(control().counters().faults_fired, 1u);
    if (k > calls_of_the_job_) {
      EXPECT_TRUE(succeeds(outcome)) << "destructors are silent";
    } else {
      const Error error = error_of(outcome);
      EXPECT_STREQ(error.step, c_api::slots[calls_[k - 1]].name);
      EXPECT_FALSE(error.object.empty());
      EXPECT_EQ(error.kind, Errc::qnn);
      EXPECT_EQ(error.code, code);
    }
  }

  Parts parts_;
  std::vector<std::size_t> calls_;
  std::size_t calls_of_the_job_ = 0;
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
  const auto count = [&](Slot slot) {
    return std::count(calls_.begin(), calls_.end(), static_cast<std::size_t>(slot));
  };
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
  for (std::size_t k = 1; k <= calls_.size(); ++k)
    for (const bool persistent : {false, true}) {
      run_with_a_fault(k, 1002, persistent);
      expect_no_misuse();
    }
}

TEST_F(reliability, the_job_fails_at_any_call_with_5005_and_leaves_nothing) {
  run_clean();
  for (std::size_t k = 1; k <= calls_.size(); ++k)
    for (const bool persistent : {false, true}) {
      run_with_a_fault(k, 5005, persistent);
      expect_no_misuse();
    }
}

TEST_F(reliability, the_job_fails_at_any_call_with_a_restarted_sub_system_and_leaves_nothing) {
  run_clean();
  expect_misuse();
  for (std::size_t k = 1; k <= calls_.size(); ++k)
    for (const bool persistent : {false, true}) run_with_a_fault(k, 1007, persistent);
}

TEST_F(reliability, every_call_of_one_slot_fails_for_good_and_nothing_is_left) {
  run_clean();
  for (std::size_t slot = 0; slot < sim::table_slots; ++slot) {
    if (std::find(calls_.begin(), calls_.end(), slot) == calls_.end()) continue;
    SCOPED_TRACE(c_api::slots[slot].name);
    control().reset_counters();
    control().fail_call(static_cast<Slot>(slot), 1, 1002, true);
    const auto outcome = run_job(parts_);
    control().clear_faults();
    expect_nothing_left(descriptors());
    expect_no_misuse();
    if (sim::releases(static_cast<Slot>(slot))) {
      EXPECT_TRUE(succeeds(outcome));
    } else {
      EXPECT_STREQ(error_of(outcome).step, c_api::slots[slot].name);
    }
  }
}

TEST_F(reliability, two_calls_fail_in_one_run_and_nothing_is_left) {
  run_clean();
  for (std::size_t first = 1; first <= calls_of_the_job_; first += 3) {
    for (std::size_t second = 1; second <= 4; ++second) {
      SCOPED_TRACE(std::to_string(first) + " and " + std::to_string(second) + " later");
      control().reset_counters();
      control().fail_any_call(first, 5005);
      control().fail_any_call(first + second, 5001);
      EXPECT_STREQ(error_of(run_job(parts_)).step, c_api::slots[calls_[first - 1]].name);
      control().clear_faults();
      expect_nothing_left(descriptors());
      expect_no_misuse();
    }
  }
}

TEST_F(reliability, ALC_02_every_allocation_fails_in_every_way_and_nothing_is_left) {
  run_clean();
  const std::uint64_t allocations = rpcmem_control().counters().allocations;
  ASSERT_EQ(allocations, 7u) << "the pool, four weights buffers, two tensors";
  for (std::uint64_t k = 1; k <= allocations; ++k)
    for (const auto failure : {sim::RpcmemFailure::null, sim::RpcmemFailure::map_failed})
      for (const bool persistent : {false, true}) {
        SCOPED_TRACE(std::to_string(k));
        control().reset_counters();
        rpcmem_control().fail_call(sim::RpcmemCall::alloc2, k, persistent, failure);
        const Error error = error_of(run_job(parts_));
        rpcmem_control().clear_faults();
        EXPECT_EQ(error.kind, Errc::allocation_failed);
        EXPECT_STREQ(error.step, "rpcmem_alloc2");
        EXPECT_EQ(error.object, rpcmem_library);
        EXPECT_GT(error.needed, 0u);
        expect_nothing_left(descriptors());
        expect_no_misuse();
      }
}

TEST_F(reliability, ALC_02_every_descriptor_fails_and_nothing_is_left) {
  run_clean();
  for (std::uint64_t k = 1; k <= 7; ++k)
    for (const bool persistent : {false, true}) {
      SCOPED_TRACE(std::to_string(k));
      control().reset_counters();
      rpcmem_control().fail_call(sim::RpcmemCall::to_fd, k, persistent);
      const Error error = error_of(run_job(parts_));
      rpcmem_control().clear_faults();
      EXPECT_EQ(error.kind, Errc::no_file_descriptor);
      EXPECT_STREQ(error.step, "rpcmem_to_fd");
      EXPECT_EQ(error.object, rpcmem_library);
      expect_nothing_left(descriptors());
      expect_no_misuse();
    }
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
      const Error error = error_of(run_job(parts_));
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
  ASSERT_TRUE(succeeds(run_job(parts_)));
  const std::uint64_t all = control().counters().peak_pd_bytes;
  for (const std::uint64_t budget : {all - 1, all / 2, all / 4, all / 8}) {
    set(&sim::Config::pd_budget_bytes, budget);
    const Error error = error_of(run_job(parts_));
    EXPECT_EQ(error.code, 1002);
    EXPECT_STREQ(error.step, "QnnContext_finalize");
    EXPECT_NE(error.object.find(".bin"), std::string::npos);
    expect_nothing_left(descriptors());
  }
}

TEST_F(reliability, the_job_runs_again_after_every_failure) {
  run_clean();
  for (std::size_t k = 1; k <= calls_.size(); k += 7) {
    control().fail_any_call(k, 1002);
    (void)run_job(parts_);
    control().clear_faults();
    const auto again = run_job(parts_);
    ASSERT_TRUE(succeeds(again)) << k;
    EXPECT_LT(again->difference, tolerance);
  }
}

}  // namespace
}  // namespace support
