// Every call of a job with performance votes and the platform's description fails, once and
// permanently. Nothing is left.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/backend/performance.hpp"

#include "faults.hpp"
#include "job.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class performance_faults : public FaultsTest {
 protected:
  void SetUp() override {
    FaultsTest::SetUp();
    if (HasFatalFailure()) return;
    const auto backend = must(load());
    binary_ = binary_of(backend, {network_});
    platform_ = must(backend.platform_info());
  }
  Result<float> run() const override {
    auto backend = Backend<Htp>::load(
        {.library = QNNPP_RECORDER,
         .system_library = system_library,
         .log = log_to<log_nothing>(c_api::LogLevel::error),
         .device = {.process_domain = ProcessDomainKind::unsigned_, .platform = platform_}});
    if (!backend) return fail(std::move(backend).error());
    const auto platform = backend->platform_info();
    if (!platform) return fail(platform.error());
    auto held = Performance::vote(*backend, PerformanceMode::burst);
    if (!held) return fail(std::move(held).error());
    auto inner = Performance::vote(*backend, PerformanceMode::power_saver);
    if (!inner) return fail(std::move(inner).error());
    auto done = held->change(PerformanceMode::balanced);
    if (done) done = std::move(*inner).close();
    if (!done) return fail(std::move(done).error());

    const auto context =
        ContextBinary::borrow(binary_, "a.bin").and_then([&](ContextBinary binary) {
          return Context<Finalized>::restore(*backend, std::move(binary));
        });
    if (!context) return fail(context.error());
    const std::vector<float> in = network_.input();
    std::vector<float> out(network_.io_elements());
    auto graph = Graph<Retrieved>::retrieve(*context, network_.name)
                     .and_then([&](Graph<Retrieved> retrieved) {
                       return std::move(retrieved).bind({raw("x", in), raw("y", out)});
                     });
    if (!graph) return fail(std::move(graph).error());
    if (done = graph->execute(); !done) return fail(std::move(done).error());
    return largest_difference(out, network_.reference(in));
  }

 private:
  const Network network_ = {};
  std::vector<std::byte> binary_;
  std::vector<DeviceInfo> platform_;
};

TEST_F(performance_faults, the_job_releases_each_vote_and_each_description_once) {
  run_clean();
  EXPECT_EQ(count(Slot::perf_create_power_config_id), 3);
  EXPECT_EQ(count(Slot::perf_destroy_power_config_id), 3);
  EXPECT_EQ(count(Slot::perf_set_power_config), 7);
  EXPECT_EQ(count(Slot::device_get_platform_info), count(Slot::device_free_platform_info));
}

TEST_F(performance_faults, the_job_fails_at_any_call_and_leaves_nothing) {
  run_clean();
  for (const std::uint32_t code : {1002u, 13003u, 13006u}) fail_each_call(code);
}

TEST_F(performance_faults, SSR_01_the_job_fails_at_any_call_with_a_restart_and_leaves_nothing) {
  run_clean();
  expect_misuse();
  fail_each_call(1007);
}

TEST_F(performance_faults, two_calls_fail_in_one_run_and_nothing_is_left) {
  run_clean();
  fail_two_calls(1, 3);
}

TEST_F(performance_faults, the_job_runs_again_after_every_failure) {
  run_clean();
  succeed_after_failures(1);
}

}}  // namespace support
