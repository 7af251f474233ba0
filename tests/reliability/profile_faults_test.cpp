// Every call of a job with a profile fails, once and permanently: creation, finalize and executions
// are recorded. Nothing is left, and the error names the call that failed.
#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/backend/profile.hpp"

#include "faults.hpp"
#include "job.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class profile_faults : public FaultsTest {
 protected:
  void SetUp() override {
    FaultsTest::SetUp();
    if (HasFatalFailure()) return;
    binary_ = binary_of(must(load()), {network_});
  }
  /// The error of a call; if it succeeded, the error of reading its events.
  static Result<void> outcome(Result<void> done, const Profile& profile) {
    if (done && !profile.records().empty() && profile.records().back().error)
      return fail(*profile.records().back().error);
    return done;
  }
  Result<float> run() const override {
    auto backend = Backend<Htp>::load({.library = QNNPP_RECORDER,
                                       .system_library = system_library,
                                       .log = log_to<log_nothing>(c_api::LogLevel::error)});
    if (!backend) return fail(std::move(backend).error());
    const auto rpcmem = RpcmemAllocator::load(rpcmem_library);
    if (!rpcmem) return fail(rpcmem.error());
    auto profile = Profile::create(*backend, ProfileLevel::op_trace);
    if (!profile) return fail(std::move(profile).error());
    auto asked = ContextBinary::borrow(binary_, "net.bin").and_then([&](ContextBinary binary) {
      return Context<Deferred>::create(*backend, std::move(binary), {.profile = &*profile});
    });
    if (!asked) return fail(std::move(asked).error());
    if (auto read = outcome({}, *profile); !read) return fail(std::move(read).error());
    auto queried = std::move(*asked).query();
    if (!queried) return fail(std::move(queried).error());
    const BufferRequirements need = queried->requirements();
    auto weights = MemRegion<Weights>::allocate(*rpcmem, need);
    if (!weights) return fail(std::move(weights).error());
    auto pool = SharedSpillFill::allocate(*rpcmem, need);
    if (!pool) return fail(std::move(pool).error());
    auto registered = std::move(*queried).register_buffers(
        {.weights = std::move(*weights), .spill_fill = std::move(*pool)});
    if (!registered) return fail(std::move(registered).error());
    auto context = std::move(*registered).finalize(&*profile);
    if (!context) return fail(std::move(context).error());
    if (auto read = outcome({}, *profile); !read) return fail(std::move(read).error());
    const std::vector<float> in = network_.input();
    std::vector<float> out(network_.io_elements());
    auto retrieved = Graph<Retrieved>::retrieve(*context, network_.name);
    if (!retrieved) return fail(std::move(retrieved).error());
    auto graph = std::move(*retrieved).bind({raw("x", in), raw("y", out)});
    if (!graph) return fail(std::move(graph).error());
    auto done = outcome(graph->execute(&*profile), *profile);
    if (done) {
      auto lease = context->spill_fill().lease();
      if (!lease) return fail(std::move(lease).error());
      done = outcome(graph->execute(*lease, &*profile), *profile);
    }
    // After the last execution, the job only releases.
    if (done) done = graph->execute();
    if (!done) return fail(std::move(done).error());
    return largest_difference(out, network_.reference(in));
  }

 private:
  const Network network_{.name = "net"};
  std::vector<std::byte> binary_;
};

TEST_F(profile_faults, the_job_reads_the_events_of_four_calls) {
  run_clean();
  EXPECT_EQ(count(Slot::profile_create), 1);
  EXPECT_EQ(count(Slot::profile_get_events), 4);
  EXPECT_EQ(count(Slot::profile_free), 1);
  EXPECT_GT(count(Slot::profile_get_extended_event_data), 8);
  EXPECT_EQ(count(Slot::graph_execute), 3);
}

TEST_F(profile_faults, the_job_fails_at_any_call_and_leaves_nothing) {
  run_clean();
  for (const std::uint32_t code : {1002u, 12000u}) fail_each_call(code);
}

TEST_F(profile_faults, SSR_01_the_job_fails_at_any_call_with_a_restart_and_leaves_nothing) {
  run_clean();
  expect_misuse();
  fail_each_call(1007);
}

TEST_F(profile_faults, two_calls_fail_in_one_run_and_nothing_is_left) {
  run_clean();
  fail_two_calls(3, 3);
}

TEST_F(profile_faults, the_job_runs_again_after_every_failure) {
  run_clean();
  succeed_after_failures(3);
}

}}  // namespace support
