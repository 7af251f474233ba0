// A finalize whose last remote call fails loses its context (RES-05): its number and its buffers
// are in use until the process ends, and loads afterwards are right.
#include <string>
#include <utility>

#include "qnnpp/context/restore_list.hpp"

#include "residency_fixture.hpp"
#include "sim/tables/host_library.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::SpillFillSharing;
using sim::Slot;

/// Host libraries that give the numbers of freed contexts to new ones.
class a_lost_context : public ResidencyTest {
 protected:
  void SetUp() override {
    ResidencyTest::SetUp();
    if (HasFatalFailure()) return;
    set(&sim::Config::recycled_handles, 1);
  }
  /// Makes a context and gives it buffers of its own.
  Context<Registered> registered(const Backend<Htp>& with, std::size_t i) const {
    auto asked =
        must(Context<Deferred>::create(with, must(sources[i].open())).and_then(transition::query));
    auto weights = weights_for(asked);
    auto spill_fill = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
    return must(std::move(asked).register_buffers(
        {.weights = std::move(weights), .spill_fill = std::move(spill_fill)}));
  }
  Error lose(const Backend<Htp>& with, std::uint32_t code = 5000) const {
    auto context = registered(with, 0);
    const bool has_three =
        sim::host_libraries[control().config().host_library].call_before_last_marks;
    control().fail_remote_call(has_three ? 3 : 2, code);
    Error error = error_of(std::move(context).finalize());
    control().clear_faults();
    return error;
  }
  static void expect_no_use_of_freed_memory() {
    EXPECT_EQ(control().misuses("BUF-06"), 0u) << control().misuse_text(0);
  }
};

TEST_F(a_lost_context, RES_05_says_what_it_keeps_and_the_next_contexts_are_right) {
  for (std::uint32_t library = 0; library < std::size(sim::host_libraries); ++library)
    for (const std::uint32_t code : {5000u, 1007u}) {
      SCOPED_TRACE(sim::host_library_names[library]);
      set(&sim::Config::host_library, library);
      auto with = must(load());
      const Error error = lose(with, code);
      EXPECT_EQ(error.code, code);
      EXPECT_NE(error.detail.find(" bytes until the process ends"), std::string::npos)
          << error.detail;
      EXPECT_LT(difference(must(registered(with, 1).finalize()), networks[1]), tolerance);
      EXPECT_LT(
          difference(must(Context<Finalized>::restore(with, must(sources[2].open()))), networks[2]),
          tolerance);
      EXPECT_TRUE(succeeds(std::move(with).close()));
    }
  EXPECT_GE(rpcmem_control().counters().live_allocations, 2 * 2 * std::size(sim::host_libraries));
  expect_no_use_of_freed_memory();
}

TEST_F(a_lost_context, RES_05_is_made_up_for_by_a_load_once_and_reported) {
  set(&sim::Config::host_library, static_cast<std::uint32_t>(sim::HostLibrary::v2_48_40));
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::automatic}) {
    const auto with = must(load());
    (void)must(Context<Deferred>::create(with, must(sources[0].open())));  // Holds the number.
    // Six creations come first.
    control().fail_remote_call(8, 5000);
    const auto loaded = must(model::load(with, allocator(), sources, {.sharing = sharing}));
    control().clear_faults();
    EXPECT_GE(loaded.report().lost_bytes, weights_bytes());
    expect_to_work(loaded);
  }
  expect_no_use_of_freed_memory();
}

TEST_F(a_lost_context, RES_05_takes_no_room_from_a_residency_that_goes_on) {
  auto residency = must(Residency::create(backend(), allocator(), sources, options()));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    control().fail_remote_call(2, i % 2 == 0 ? 5000u : 1003u);
    const auto pinned = must(residency.acquire(i));
    control().clear_faults();
    EXPECT_LT(difference(pinned.context(), networks[i]), tolerance);
  }
  EXPECT_GE(residency.stats().lost_bytes, sources.size() * weights_bytes());
  expect_no_use_of_freed_memory();
}

TEST_F(a_lost_context, RES_05_is_one_of_16_before_the_process_must_be_reloaded) {
  std::string detail;
  for (int lost = 0; lost < 16; ++lost) {
    EXPECT_EQ(detail.find("reload the process"), std::string::npos) << detail;
    detail = lose(backend()).detail;
  }
  EXPECT_NE(detail.find("; reload the process"), std::string::npos) << detail;
  for (const Error& refused :
       {error_of(Context<Finalized>::restore(backend(), must(sources[0].open()))),
        error_of(Context<Deferred>::create(backend(), must(sources[0].open()))),
        error_of(model::load(backend(), allocator(), sources,
                             {.sharing = SpillFillSharing::none, .in_one_call = restore_list}))}) {
    EXPECT_EQ(refused.kind, Errc::dead);
    EXPECT_EQ(refused.message(),
              "n0.bin: QnnContext_createFromBinary: failed calls have lost 16 contexts with "
              "their memory; reload the process");
  }
  expect_no_use_of_freed_memory();
}

TEST_F(a_lost_context, RES_05_keeps_its_number_from_a_list_a_composed_context_and_a_later_backend) {
  (void)lose(backend());
  const auto loaded =
      must(model::load(backend(), allocator(), sources,
                       {.sharing = SpillFillSharing::none, .in_one_call = restore_list}));
  expect_to_work(loaded);
  (void)binary_of(backend(), {networks[0]});  // Composes.
  auto other = must(load());
  EXPECT_LT(
      difference(must(Context<Finalized>::restore(other, must(sources[2].open()))), networks[2]),
      tolerance);
  EXPECT_TRUE(succeeds(std::move(other).close()));
  expect_no_use_of_freed_memory();
}

TEST_F(a_lost_context, RES_05_gives_its_number_to_no_composed_context_of_a_later_backend) {
  auto with = must(load());
  (void)lose(with);
  EXPECT_TRUE(succeeds(std::move(with).close()));
  const auto other = must(load());
  const auto free =
      *detail::Access::block(other)->provider.find<&c_api::InterfaceTable::context_free>();
  const auto lost = detail::lost_contexts->find(free);
  ASSERT_NE(lost.block, nullptr);
  const auto composing = must(Context<Composing>::create(other));
  EXPECT_NE(detail::number_of(detail::Access::block(composing)->handle()), lost.number);
  EXPECT_EQ(detail::lost_contexts->find(free).block, nullptr) << "nothing holds its number";
}

TEST_F(a_lost_context, RES_05_that_was_not_freed_keeps_its_buffers_until_its_number_is_known) {
  expect_misuse();  // The context stays alive when its backend closes.
  for (const bool is_closed : {true, false}) {
    auto with = must(load());
    {
      auto context = must(registered(with, 0).finalize());
      control().fail_call(Slot::context_free, 1, 1002);
      if (is_closed) {
        EXPECT_EQ(error_of(std::move(context).close()).detail,
                  "QNN may use its buffers until the process ends; log: QnnContext_free failed "
                  "with 1002");
      } else {
        const auto gone = std::move(context);
      }
    }
    control().clear_faults();
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 2u);
  }
  (void)must(Context<Deferred>::create(backend(), must(sources[1].open())));  // It is not marked.
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

}}  // namespace support
