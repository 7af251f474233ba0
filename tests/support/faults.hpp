// A job whose calls fail one by one: nothing is left, and the error names the call that failed.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "qnnpp/abi/interface.hpp"

#include "fixture.hpp"
#include "recorder.hpp"

namespace support {

/// Runs a job over the recording backend (QNNPP_RECORDER). The test defines the job as run().
/// Prints the number of calls that were made to fail, for the table of docs/reliability.md.
class FaultsTest : public SimTest {
 protected:
  void TearDown() override {
    SimTest::TearDown();
    if (failed_ != 0) std::printf("C calls failed: %zu\n", failed_);
  }

  /// Runs the job from loading the backend to releasing everything, and stops at the first error.
  /// Returns the largest difference from the reference.
  virtual qnnpp::Result<float> run() const = 0;

  /// Runs the job without faults and records its calls.
  void run_clean() {
    control().reset_counters();
    rpcmem_control().reset_counters();
    const Recording recording(&record);
    recorded().clear();
    const auto difference = run();
    ASSERT_TRUE(succeeds(difference));
    ASSERT_LT(*difference, tolerance);
    calls_ = recorded();
    ASSERT_EQ(control().counters().calls, calls_.size());
    // After the last execution, the job only releases.
    const auto last = std::find(calls_.rbegin(), calls_.rend(),
                                static_cast<std::size_t>(sim::Slot::graph_execute));
    calls_of_the_job_ = static_cast<std::size_t>(calls_.rend() - last);
  }
  /// Returns the number of calls of `slot` that the job makes.
  std::ptrdiff_t count(sim::Slot slot) const {
    return std::count(calls_.begin(), calls_.end(), static_cast<std::size_t>(slot));
  }
  static const char* name_of(std::size_t slot) { return qnnpp::c_api::slots[slot].name; }

  /// Makes each call fail, once and permanently.
  void fail_each_call(std::uint32_t code) const {
    for (std::size_t k = 1; k <= calls_.size(); ++k)
      for (const bool persistent : {false, true}) fail_call(k, code, persistent);
  }
  /// Makes every `step`-th call of the job fail, and in the same run a second call, at most `most`
  /// calls later.
  void fail_two_calls(std::size_t step, std::size_t most) const {
    for (std::size_t first = 1; first <= calls_of_the_job_; first += step)
      for (std::size_t second = 1; second <= most; ++second) {
        SCOPED_TRACE(std::to_string(first) + " and " + std::to_string(second) + " later");
        control().reset_counters();
        control().fail_any_call(first, 5005);
        control().fail_any_call(first + second, 5001);
        failed_ += 2;
        EXPECT_STREQ(error_of(run()).step, name_of(calls_[first - 1]));
        control().clear_faults();
        settle();
        expect_nothing_left(descriptors());
        expect_no_misuse();
      }
  }
  /// Makes each call of rpcmem from the first to the `last` fail, once and permanently.
  void fail_each_call(sim::RpcmemCall call, std::uint64_t last,
                      sim::RpcmemFailure failure = sim::RpcmemFailure::null) const {
    const bool allocates = call == sim::RpcmemCall::alloc2;
    for (std::uint64_t k = 1; k <= last; ++k)
      for (const bool persistent : {false, true}) {
        SCOPED_TRACE(std::to_string(k));
        control().reset_counters();
        rpcmem_control().fail_call(call, k, persistent, failure);
        ++failed_;
        const qnnpp::Error error = error_of(run());
        rpcmem_control().clear_faults();
        EXPECT_EQ(error.kind,
                  allocates ? qnnpp::Errc::allocation_failed : qnnpp::Errc::no_file_descriptor);
        EXPECT_STREQ(error.step, allocates ? "rpcmem_alloc2" : "rpcmem_to_fd");
        EXPECT_EQ(error.object, rpcmem_library);
        EXPECT_EQ(error.needed > 0, allocates);
        expect_nothing_left(descriptors());
        expect_no_misuse();
      }
  }
  /// Makes each `step`-th call of the job fail, and expects that the next run succeeds.
  void succeed_after_failures(std::size_t step) const {
    for (std::size_t k = 1; k <= calls_.size(); k += step) {
      control().fail_any_call(k, 1002);
      ++failed_;
      (void)run();
      control().clear_faults();
      const auto again = run();
      ASSERT_TRUE(succeeds(again)) << k;
      EXPECT_LT(*again, tolerance);
    }
  }

 private:
  static std::vector<std::size_t>& recorded() {
    static std::vector<std::size_t> slots;
    return slots;
  }
  static void record(std::size_t slot, bool entering, const void* const*) {
    if (entering) recorded().push_back(slot);
  }

  /// After a failed QnnContext_free, runs the job once more: its first creation looks whether the
  /// external buffers are in use (RES-05).
  void settle() const {
    if (qnnpp::detail::lost_contexts->count() == 0) return;
    EXPECT_TRUE(succeeds(run()));
  }
  /// Runs the job with the k-th call (from 1) failing. After a restart (1007) the device reports
  /// releases as misuse; after other failures it reports none.
  void fail_call(std::size_t k, std::uint32_t code, bool persistent) const {
    const char* const name = name_of(calls_[k - 1]);
    SCOPED_TRACE("call " + std::to_string(k) + " (" + name + "), code " + std::to_string(code) +
                 (persistent ? ", for good" : ", once"));
    control().reset_counters();
    control().fail_any_call(k, code, persistent);
    ++failed_;
    const auto outcome = run();
    control().clear_faults();
    EXPECT_GE(control().counters().faults_fired, 1u);
    settle();
    expect_nothing_left(descriptors());
    if (code != 1007) expect_no_misuse();
    if (k > calls_of_the_job_) {
      EXPECT_TRUE(succeeds(outcome)) << "destructors are silent";
      return;
    }
    const qnnpp::Error error = error_of(outcome);
    EXPECT_STREQ(error.step, name);
    EXPECT_FALSE(error.object.empty());
    EXPECT_EQ(error.kind, qnnpp::Errc::qnn);
    EXPECT_EQ(error.code, code);
  }

  std::vector<std::size_t> calls_;
  std::size_t calls_of_the_job_ = 0;
  mutable std::size_t failed_ = 0;  ///< counts each chosen call once, however often it fails
};

}  // namespace support
