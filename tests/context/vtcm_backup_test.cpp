// VTCM backup buffers: their size, their right to execute, and libraries that take none (BUF-19).
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class vtcm_backup : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (!HasFatalFailure()) be(sim::HostLibrary::v2_48_40);
  }
  void be(sim::HostLibrary library) {
    set(&sim::Config::host_library, static_cast<std::uint32_t>(library));
    reload_backend();
    control().reset_counters();
  }
  Context<Queried> asked(const std::string& name, c_api::Priority priority) const {
    return must(Context<Deferred>::create(backend(), binary({.name = name}), {.priority = priority})
                    .and_then(transition::query));
  }
  /// Expects that register_buffers() and check_buffers() refuse before any call.
  static void expect_refused(Context<Queried> asked, ExternalBuffers buffers, Errc kind,
                             const std::string& words) {
    const std::uint64_t before = calls(Slot::mem_register);
    EXPECT_EQ(error_of(asked.check_buffers(buffers)).kind, kind);
    const Error error = error_of(std::move(asked).register_buffers(std::move(buffers)));
    EXPECT_EQ(error.kind, kind) << error.message();
    EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
    EXPECT_EQ(calls(Slot::mem_register), before);
  }
};

TEST_F(vtcm_backup, BUF_19_beside_weights_and_spill_fill_is_used_from_creation_to_execution) {
  const Network network;
  auto from = binary(network);
  set(&sim::Config::vtcm_bytes, std::uint64_t{8} << 20);
  auto queried =
      must(Context<Deferred>::create(backend(), std::move(from)).and_then(transition::query));
  const BufferRequirements need = queried.requirements();
  EXPECT_EQ(need.vtcm_backup_bytes, std::uint64_t{8} << 20) << "the chip's, not property 6";
  const auto spill_fill = must(SharedSpillFill::allocate(allocator(), need));
  const auto backup = must(SharedVtcmBackup::allocate(allocator(), need, spill_fill));
  EXPECT_EQ(backup.size_bytes(), need.vtcm_backup_bytes);
  auto weights = must(MemRegion<Weights>::allocate(allocator(), need));
  const auto context =
      must(std::move(queried)
               .register_buffers(
                   {.weights = std::move(weights), .spill_fill = spill_fill, .vtcm_backup = backup})
               .and_then(transition::finalize));
  EXPECT_EQ(must(context.vtcm_backup()).size_bytes(), backup.size_bytes());
  EXPECT_EQ(control().counters().live_vtcm_backup_registrations, 1u);
  EXPECT_EQ(control().counters().live_spill_fill_registrations, 1u);
  EXPECT_EQ(control().counters().external_vtcm_backup_bytes, backup.size_bytes());
  EXPECT_LT(difference(context, network), tolerance);
}

TEST_F(vtcm_backup, BUF_19_has_the_vtcm_of_the_graphs_if_the_chip_states_less) {
  EXPECT_EQ(backend().chip().value().vtcm_bytes, 0u) << "less than a megabyte";
  EXPECT_EQ(queried(Network{}).requirements().vtcm_backup_bytes, std::uint64_t{1} << 20);
}

TEST_F(vtcm_backup, BUF_19_that_is_one_byte_too_small_is_refused_before_any_call) {
  auto asked = queried(Network{});
  BufferRequirements less = asked.requirements();
  --less.vtcm_backup_bytes;
  expect_refused(std::move(asked),
                 {.vtcm_backup = must(SharedVtcmBackup::allocate(allocator(), less))},
                 Errc::too_small, "sharing a VTCM backup buffer");
}

TEST_F(vtcm_backup, BUF_19_BUF_07_in_the_memory_of_another_buffer_is_refused_before_any_call) {
  const auto need = queried(Network{}).requirements();
  const auto memory = must(allocator().allocate(
      std::max({need.vtcm_backup_bytes, need.spill_fill_bytes, need.weights_bytes})));
  const auto again = [&] {
    return must(DmaBuffer::from_native(memory.fd(), memory.size_bytes(),
                                       {.fd = FdUse::duplicate, .needs_sync = false}));
  };
  const auto backup =
      SharedVtcmBackup::from_region(must(MemRegion<VtcmBackup>::from_buffer(again())));
  expect_refused(
      queried(Network{}),
      {.spill_fill = SharedSpillFill::from_region(must(MemRegion<SpillFill>::from_buffer(again()))),
       .vtcm_backup = backup},
      Errc::purpose_mismatch, "same memory");
  expect_refused(queried(Network{}),
                 {.weights = must(MemRegion<Weights>::from_buffer(again())), .vtcm_backup = backup},
                 Errc::purpose_mismatch, "same memory");
}

TEST_F(vtcm_backup, BUF_19_with_a_right_of_its_own_is_refused_beside_spill_fill) {
  auto asked = queried(Network{});
  const auto need = asked.requirements();
  const auto spill_fill = must(SharedSpillFill::allocate(allocator(), need));
  expect_refused(std::move(asked),
                 {.spill_fill = spill_fill,
                  .vtcm_backup = must(SharedVtcmBackup::allocate(allocator(), need))},
                 Errc::invalid_argument, "separate rights");
}

TEST_F(vtcm_backup, BUF_12_BUF_19_a_lease_of_the_spill_fill_covers_a_context_with_a_backup_alone) {
  const Network network;
  auto asked = queried(network);
  const auto need = asked.requirements();
  const auto spill_fill = must(SharedSpillFill::allocate(allocator(), need));
  const auto context =
      must(std::move(asked)
               .register_buffers(
                   {.vtcm_backup = must(SharedVtcmBackup::allocate(allocator(), need, spill_fill))})
               .and_then(transition::finalize));
  const auto lease = must(spill_fill.lease());
  EXPECT_EQ(error_of(context.spill_fill().lease()).kind, Errc::would_deadlock);
  EXPECT_TRUE(qnnpp::detail::covers(lease, qnnpp::detail::Access::block(context)->lock));
}

TEST_F(vtcm_backup, BUF_19_of_contexts_of_another_priority_is_refused_before_any_call) {
  auto first = asked("first", c_api::Priority::high);
  const auto backup = must(SharedVtcmBackup::allocate(allocator(), first.requirements()));
  const auto context = must(std::move(first).register_buffers({.vtcm_backup = backup}));
  expect_refused(asked("low", c_api::Priority::low), {.vtcm_backup = backup}, Errc::in_use,
                 "one for each priority");
  EXPECT_TRUE(
      succeeds(asked("high", c_api::Priority::high).register_buffers({.vtcm_backup = backup})));
}

TEST_F(vtcm_backup, BUF_11_BUF_19_of_four_contexts_is_freed_by_the_last) {
  std::vector<Context<Queried>> asked;
  for (const char* name : {"a", "b", "c", "d"}) asked.push_back(queried({.name = name}));
  std::vector<Context<Finalized>> contexts;
  {
    const auto backup = must(SharedVtcmBackup::allocate(allocator(), asked));
    for (auto& each : asked)
      contexts.push_back(must(std::move(each)
                                  .register_buffers({.vtcm_backup = backup})
                                  .and_then(transition::finalize)));
  }
  EXPECT_EQ(control().counters().live_vtcm_backup_registrations, 4u);
  EXPECT_EQ(control().counters().external_vtcm_backup_bytes,
            must(contexts.front().vtcm_backup()).size_bytes());
  EXPECT_LT(difference(contexts.back(), {.name = "d"}), tolerance);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
  contexts.clear();
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(vtcm_backup, BUF_19_that_the_library_or_the_chip_does_not_take_is_left_out) {
  const Network network;
  for (const std::uint16_t refusal : {std::uint16_t{1000}, std::uint16_t{8001}}) {
    if (refusal == 1000) be(sim::HostLibrary::v2_46_0);
    auto asked = queried(network);
    const auto need = asked.requirements();
    const auto spill_fill = must(SharedSpillFill::allocate(allocator(), need));
    if (refusal == 8001) {
      be(sim::HostLibrary::v2_48_40);
      asked = queried(network);
      control().fail_call(Slot::mem_register, 2, refusal);
    }
    const auto context = must(std::move(asked)
                                  .register_buffers({.spill_fill = spill_fill,
                                                     .vtcm_backup = must(SharedVtcmBackup::allocate(
                                                         allocator(), need, spill_fill))})
                                  .and_then(transition::finalize));
    control().clear_faults();
    const Error error = error_of(context.vtcm_backup());
    EXPECT_EQ(error.code, refusal);
    EXPECT_STREQ(error.step, "QnnMem_register");
    EXPECT_EQ(control().counters().live_vtcm_backup_registrations, 0u);
    EXPECT_EQ(control().counters().live_spill_fill_registrations, 1u);
    EXPECT_LT(difference(context, network), tolerance);
  }
}

TEST_F(vtcm_backup, BUF_09_BUF_19_is_neither_asked_for_nor_registered_before_5_46) {
  be(sim::HostLibrary::v2_43_1);
  auto asked = queried(Network{});
  const auto need = asked.requirements();
  EXPECT_EQ(need.vtcm_backup_bytes, 0u);
  const auto context =
      must(std::move(asked)
               .register_buffers({.vtcm_backup = must(SharedVtcmBackup::allocate(
                                      allocator(), BufferRequirements{.vtcm_backup_bytes = 4096}))})
               .and_then(transition::finalize));
  EXPECT_FALSE(must(context.vtcm_backup()));
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(vtcm_backup, BUF_15_BUF_19_if_it_is_refused_for_another_reason_all_are_given_back) {
  auto asked = queried(Network{});
  const auto need = asked.requirements();
  const auto spill_fill = must(SharedSpillFill::allocate(allocator(), need));
  control().fail_call(Slot::mem_register, 3, 8003);
  const Error error = error_of(std::move(asked).register_buffers(
      {.weights = must(MemRegion<Weights>::allocate(allocator(), need)),
       .spill_fill = spill_fill,
       .vtcm_backup = must(SharedVtcmBackup::allocate(allocator(), need, spill_fill))}));
  EXPECT_EQ(error.code, 8003);
  EXPECT_EQ(calls(Slot::mem_de_register), 2u);
}

TEST_F(vtcm_backup, ORD_07_BUF_19_of_a_context_that_is_closed_before_finalize_is_deregistered) {
  auto asked = queried(Network{});
  const auto backup = must(SharedVtcmBackup::allocate(allocator(), asked.requirements()));
  auto registered = must(std::move(asked).register_buffers({.vtcm_backup = backup}));
  EXPECT_TRUE(succeeds(std::move(registered).close()));
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  EXPECT_EQ(control().counters().live_vtcm_backup_registrations, 0u);
}

TEST_F(vtcm_backup, that_was_moved_from_is_refused_before_any_call) {
  auto asked = queried(Network{});
  auto backup = must(SharedVtcmBackup::allocate(allocator(), asked.requirements()));
  const auto taken = std::move(backup);
  expect_refused(std::move(asked),
                 {.vtcm_backup = backup},  // NOLINT(bugprone-use-after-move): the test
                 Errc::invalid_argument, "moved from");
}

}}  // namespace support
