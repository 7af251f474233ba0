// A load that returns 0x7fffffff because of an earlier failed load is repeated.
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/model/load.hpp"

#include "residency_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::SpillFillSharing;
using sim::Slot;

/// A device with one process domain.
class a_load_after_a_failed_one : public ResidencyTest {
 protected:
  void SetUp() override {
    ResidencyTest::SetUp();
    if (HasFatalFailure()) return;
    set(&sim::Config::pd_count, 1);
    {
      const auto context = restored(networks[0]);
    }
    estimate_ = control().counters().peak_pd_bytes;
    control().reset_counters();
  }
  Result<Context<Finalized>> restore(std::size_t i, const RestoreOptions& options = {}) const {
    return Context<Finalized>::restore(backend(), must(sources[i].open()), options);
  }
  /// Makes a load fail for lack of room. Afterwards `contexts` contexts fit, and the next
  /// `undefined` loads return UNDEFINED.
  void fail_a_load(std::uint32_t undefined, std::uint64_t contexts = 6) {
    set(&sim::Config::undefined_loads, undefined);
    set(&sim::Config::pd_budget_bytes, 1);
    EXPECT_EQ(error_of(restore(0)).code, 1002);
    set(&sim::Config::pd_budget_bytes, contexts * estimate_);
    control().reset_counters();
  }

 private:
  std::uint64_t estimate_ = 0;
};

TEST_F(a_load_after_a_failed_one, RES_03_is_restored_at_the_second_try) {
  fail_a_load(1);
  EXPECT_LT(difference(must(restore(0)), networks[0]), tolerance);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 2u);
}

TEST_F(a_load_after_a_failed_one, RES_03_is_a_member_of_a_group_at_the_third_try) {
  const auto head = must(restore(0, {.group = ContextGroup::head(spill_fill_bytes())}));
  fail_a_load(2);
  const auto member = must(restore(1, {.group = head.as_group_head()}));
  EXPECT_LT(difference(member, networks[1]), tolerance);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 3u);
}

TEST_F(a_load_after_a_failed_one, RES_03_is_given_up_after_the_third_try_and_says_so) {
  fail_a_load(3);
  const Error error = error_of(restore(0));
  EXPECT_EQ(calls(Slot::context_create_from_binary), 3u);
  EXPECT_EQ(error.native & 0x7FFFFFFFu, 0x7FFFFFFFu);
  EXPECT_EQ(
      error.message(),
      "n0.bin: QnnContext_createFromBinary returned UNDEFINED: the backend gives no code, for "
      "example for a load after a failed load; try the load again (" +
          error.detail + ")");
  EXPECT_EQ(error.detail.rfind("log: ", 0), 0u) << error.detail;
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_load_after_a_failed_one, RES_03_is_not_repeated_for_any_other_code) {
  for (const std::uint32_t code : {1000u, 1002u, 5005u, 5010u}) {
    control().reset_counters();
    control().fail_call(Slot::context_create_from_binary, 1, code);
    EXPECT_EQ(error_of(restore(0)).code, code);
    EXPECT_EQ(calls(Slot::context_create_from_binary), 1u);
  }
}

TEST_F(a_load_after_a_failed_one, RES_03_of_a_model_is_made_again_from_creation) {
  using enum SpillFillSharing;
  for (const auto sharing : {external_buffer, context_group, none}) {
    fail_a_load(2);
    const auto loaded = must(model::load(backend(), allocator(), sources, {.sharing = sharing}));
    for (std::size_t i = 0; i < networks.size(); ++i)
      EXPECT_LT(difference(loaded.context(i), networks[i]), tolerance);
    EXPECT_EQ(calls(Slot::context_create_from_binary), networks.size() + 2);
    EXPECT_EQ(calls(Slot::context_finalize), sharing == external_buffer ? networks.size() + 2 : 0u);
    EXPECT_EQ(control().counters().live_contexts, networks.size());
  }
}

TEST_F(a_load_after_a_failed_one, RES_03_of_a_model_in_one_call_is_made_again) {
  fail_a_load(2);
  const auto loaded =
      must(model::load(backend(), allocator(), sources,
                       {.sharing = SpillFillSharing::none, .in_one_call = restore_list}));
  for (std::size_t i = 0; i < networks.size(); ++i)
    EXPECT_LT(difference(loaded.context(i), networks[i]), tolerance);
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 2u);
  EXPECT_EQ(control().counters().live_contexts, networks.size());
}

TEST_F(a_load_after_a_failed_one, RES_03_of_a_model_that_stays_undefined_is_an_error) {
  control().fail_call(Slot::context_finalize, 1, 0x7FFFFFFF, true);
  const Error error = error_of(model::load(backend(), allocator(), sources));
  EXPECT_EQ(calls(Slot::context_finalize), 3u);
  EXPECT_STREQ(error.step, "QnnContext_finalize");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_load_after_a_failed_one, RES_03_costs_a_residency_no_context) {
  for (const std::uint32_t deferred : {1u, 0u}) {
    set(&sim::Config::deferred_init, deferred);
    reload_backend();
    fail_a_load(2, 2);
    Options made = options();
    made.order = UseOrder::cyclic();
    auto residency = must(create(std::move(made)));
    serve(residency, {0, 1});
    EXPECT_EQ(residency.stats().evictions, 0u);
    // From here on, each eviction follows a failed load.
    set(&sim::Config::undefined_loads, 1);
    serve(residency, {2, 3});
    EXPECT_EQ(residency.stats().resident_contexts, 2u);
    EXPECT_EQ(residency.stats().evictions, 2u);
    set(&sim::Config::undefined_loads, 0);
  }
}

TEST_F(a_load_after_a_failed_one, RES_03_is_the_callers_to_repeat_in_single_steps) {
  auto context = queried(networks[0]);
  control().fail_call(Slot::context_finalize, 1, 0x7FFFFFFF);
  auto refused = std::move(context).register_buffers({}).and_then(transition::finalize);
  EXPECT_EQ(error_of(refused).code, 0xFFFF);
  EXPECT_LT(difference(finalized(queried(networks[0])), networks[0]), tolerance);
}

}}  // namespace support
