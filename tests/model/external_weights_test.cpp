// External weights if the host library maps none: memRegister succeeds, finalize returns 1002.
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/manifest.hpp"

#include "model_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::BinarySource;
using model::SpillFillSharing;
using sim::Slot;

class external_weights : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (!HasFatalFailure()) add_four_networks();
  }
  static void be_linux() { set(&sim::Config::linux_weights, 1); }
};

TEST_F(external_weights,
       EXT_08_that_finalize_refuses_are_left_to_QNN_and_the_spill_fill_is_shared) {
  be_linux();
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, SpillFillSharing::external_buffer);
  EXPECT_EQ(loaded.report().external_weights, ExternalWeights::refused);
  EXPECT_EQ(backend().external_weights(), ExternalWeights::refused);
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.external_weights_bytes, 0u);
  EXPECT_GT(counters.internal_weights_bytes, 0u);
  EXPECT_EQ(counters.external_spill_fill_bytes, loaded.spill_fill().size_bytes());
  EXPECT_EQ(counters.internal_spill_fill_bytes, 0u);
  EXPECT_EQ(counters.live_contexts, networks.size());
  EXPECT_EQ(calls(Slot::context_finalize), networks.size() + 1) << "refused once";
  expect_to_work(loaded);
}

TEST_F(external_weights, EXT_08_that_were_refused_are_not_tried_again_on_this_backend) {
  be_linux();
  {
    const auto first = must(model::load(backend(), allocator(), sources));
  }
  control().reset_counters();
  const auto again = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(calls(Slot::context_finalize), networks.size());
  EXPECT_EQ(again.report().external_weights, ExternalWeights::refused);
  reload_backend();
  EXPECT_EQ(backend().external_weights(), ExternalWeights::untried);
}

TEST_F(external_weights, EXT_08_that_a_manifest_says_were_refused_are_not_tried) {
  be_linux();
  model::Manifest manifest;
  manifest.external_weights = ExternalWeights::refused;
  for (const BinarySource& source : sources)
    manifest.entries.push_back(must(model::manifest_entry(backend(), source, source.name)));
  const auto loaded = must(model::load(
      backend(), allocator(), must(model::expected_by(manifest, sources, model::digest_of))));
  EXPECT_EQ(calls(Slot::context_finalize), networks.size());
  EXPECT_EQ(loaded.report().external_weights, ExternalWeights::refused);
  EXPECT_EQ(backend().external_weights(), ExternalWeights::untried) << "it is of this load alone";
  expect_to_work(loaded);
}

TEST_F(external_weights, EXT_08_that_are_asked_for_are_refused_as_an_error) {
  be_linux();
  const Error error = error_of(
      model::load(backend(), allocator(), sources, {.sharing = SpillFillSharing::external_buffer}));
  EXPECT_EQ(error.code, 1002);
  EXPECT_STREQ(error.step, "QnnContext_finalize");
  EXPECT_EQ(calls(Slot::context_finalize), 1u);
  EXPECT_EQ(backend().external_weights(), ExternalWeights::untried);
}

TEST_F(external_weights, EXT_08_are_named_as_a_cause_until_they_have_worked_once) {
  const auto fail_one = [&] {
    control().fail_call(Slot::context_finalize, 1, 1002);
    return error_of(model::load(backend(), allocator(), sources,
                                {.sharing = SpillFillSharing::external_buffer}))
        .message();
  };
  constexpr char cause[] = "a Linux library was given external weights";
  EXPECT_NE(fail_one().find(cause), std::string::npos);
  (void)must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(fail_one().find(cause), std::string::npos);
  EXPECT_EQ(fail_one().find("leave the weights to QNN"), std::string::npos);
}

TEST_F(external_weights, of_a_binary_with_a_checked_digest_are_lost_by_no_damage) {
  model::Manifest manifest;
  for (const BinarySource& source : sources)
    manifest.entries.push_back(
        must(model::manifest_entry(backend(), source, source.name, model::DigestKind::whole)));
  const auto checked = must(model::expected_by(manifest, sources, model::digest_of));
  const auto message = [&](const std::vector<BinarySource>& binaries) {
    control().fail_call(Slot::context_create_from_binary, 1, 30010);
    return error_of(model::load(backend(), allocator(), binaries)).message();
  };
  EXPECT_NE(message(sources).find("the binary is damaged"), std::string::npos);
  EXPECT_EQ(message(checked).find("the binary is damaged"), std::string::npos) << message(checked);
}

TEST_F(external_weights, EXT_08_are_kept_where_the_platform_maps_them) {
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().external_weights, ExternalWeights::confirmed);
  EXPECT_EQ(control().counters().internal_weights_bytes, 0u);
  EXPECT_EQ(calls(Slot::context_finalize), networks.size());
}

TEST_F(external_weights, EXT_08_are_not_refused_by_a_device_without_room) {
  set(&sim::Config::pd_budget_bytes, 1024);
  const Error error = error_of(model::load(backend(), allocator(), sources));
  EXPECT_EQ(error.code, 1002);
  EXPECT_STREQ(error.step, "QnnContext_finalize");
  EXPECT_EQ(calls(Slot::context_finalize), 3u) << "with them, without, and without for all";
  EXPECT_EQ(backend().external_weights(), ExternalWeights::untried);
}

TEST_F(external_weights, EXT_08_that_were_confirmed_are_not_given_up) {
  {
    const auto first = must(model::load(backend(), allocator(), sources));
  }
  control().reset_counters();
  control().fail_call(Slot::context_finalize, 2, 1002);
  {
    const auto loaded = must(model::load(backend(), allocator(), sources));
    EXPECT_EQ(calls(Slot::context_finalize), 2 + networks.size()) << "this load leaves them to QNN";
    EXPECT_EQ(loaded.report().external_weights, ExternalWeights::untried);
    expect_to_work(loaded);
  }
  EXPECT_EQ(backend().external_weights(), ExternalWeights::confirmed);
  const auto next = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(next.report().external_weights, ExternalWeights::confirmed);
}

TEST_F(external_weights, EXT_08_an_error_of_the_try_without_them_is_told) {
  be_linux();
  control().fail_call(Slot::context_finalize, 2, 1001);
  EXPECT_EQ(error_of(model::load(backend(), allocator(), sources)).code, 1001);
  EXPECT_EQ(backend().external_weights(), ExternalWeights::untried);
}

TEST_F(external_weights, EXT_08_that_finalize_refuses_cost_a_residency_no_context) {
  be_linux();
  auto residency = must(model::Residency<>::create(backend(), allocator(), sources));
  EXPECT_EQ(residency.stats().external_weights, ExternalWeights::untried);
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto pinned = must(residency.acquire(i));
    EXPECT_LT(difference(pinned.context(), networks[i]), tolerance);
  }
  const model::ResidencyStats stats = residency.stats();
  EXPECT_EQ(stats.external_weights, ExternalWeights::refused);
  EXPECT_EQ(stats.sharing, SpillFillSharing::external_buffer);
  EXPECT_EQ(stats.resident_contexts, networks.size());
  EXPECT_EQ(stats.evictions + stats.capacity_retries, 0u);
  EXPECT_EQ(stats.learnt_contexts, 0u);
  EXPECT_EQ(calls(Slot::context_finalize), networks.size() + 1);
  EXPECT_EQ(control().counters().external_spill_fill_bytes, stats.spill_fill_bytes);
}

TEST_F(external_weights, EXT_08_refused_a_residency_still_evicts_for_want_of_room) {
  be_linux();
  set(&sim::Config::max_contexts, 2);
  auto residency = must(model::Residency<>::create(backend(), allocator(), sources));
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto pinned = must(residency.acquire(i));
    EXPECT_LT(difference(pinned.context(), networks[i]), tolerance);
  }
  EXPECT_EQ(residency.stats().resident_contexts, 2u);
  EXPECT_EQ(residency.stats().external_weights, ExternalWeights::refused);
  EXPECT_EQ(residency.stats().pooled_bytes, 0u);
}

}}  // namespace support
