// External weights and spill-fill buffers: what is refused before any call, and the arguments that
// QNN receives (BUF-01 to BUF-14).
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class external_buffers : public LoadedTest {
 protected:
  /// Returns a region whose size or place can differ from the request.
  template <class Purpose>
  MemRegion<Purpose> region(std::uint64_t buffer_bytes, std::uint64_t offset = 0,
                            std::uint64_t size = 0) const {
    return must(
        MemRegion<Purpose>::from_buffer(must(allocator().allocate(buffer_bytes)), offset, size));
  }
  /// Expects that register_buffers() was refused: nothing was registered, and the context was
  /// destroyed.
  static void expect_refused_before_any_call(const Error& error, Errc kind,
                                             const std::string& object) {
    EXPECT_EQ(error.kind, kind) << error.message();
    EXPECT_EQ(error.object, object);
    EXPECT_EQ(calls(Slot::mem_register), 0u);
    EXPECT_EQ(control().counters().live_contexts, 0u);
    EXPECT_EQ(control().counters().misuses, 0u);
  }
  /// Returns a network that needs no spill-fill memory, because it fits the VTCM.
  static Network tiny() { return {.name = "tiny", .rows = 1, .width = 8, .hidden = 8}; }
};

TEST_F(external_buffers, BUF_01_the_device_maps_the_buffers_by_their_descriptors) {
  auto asked = queried(Network{});
  auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const std::uint64_t bytes =
      asked.requirements().weights_bytes + asked.requirements().spill_fill_bytes;
  const auto context = finalized(std::move(asked), pool);
  EXPECT_EQ(control().counters().mapped_fds, 2u);
  EXPECT_EQ(control().counters().mapped_bytes, bytes);
}

TEST_F(external_buffers, BUF_01_memory_without_a_descriptor_never_becomes_a_buffer) {
  EXPECT_EQ(error_of(DmaBuffer::from_native(-1, 4096)).kind, Errc::no_file_descriptor);
  // No process has this many open files.
  EXPECT_EQ(error_of(DmaBuffer::from_native(987654, 4096)).kind, Errc::no_file_descriptor);
}

TEST_F(external_buffers, BUF_01_a_descriptor_that_the_device_cannot_map_is_an_error_of_QNN) {
  expect_misuse();
  auto asked = queried(Network{});
  // An open file without a size, as the descriptor of something other than DMA memory.
  const int fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  auto buffer =
      must(DmaBuffer::from_native(fd, asked.requirements().weights_bytes, {.fd = FdUse::take}));
  const Error error = error_of(
      std::move(asked)
          .register_buffers({.weights = must(MemRegion<Weights>::from_buffer(std::move(buffer)))})
          .and_then(transition::finalize));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, drawn_code(sim::Unconfirmed::crash, 1002));
  EXPECT_STREQ(error.step, "QnnContext_finalize");
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_NE(control().misuses("BUF-01"), 0u);
}

TEST_F(external_buffers, BUF_02_a_weights_region_that_starts_aligned_is_taken) {
  qnnpp::detail::Access::block(backend())->external_weights.confirm();  // EXT-08
  auto asked = queried(Network{});
  const auto [need, spill_fill, alignment, backup] = asked.requirements();
  auto weights = region<Weights>(need + alignment, alignment, need);
  EXPECT_TRUE(succeeds(std::move(asked).register_buffers({.weights = std::move(weights)})));
}

TEST_F(external_buffers, BUF_02_a_weights_region_that_starts_unaligned_is_refused_before_any_call) {
  set(&sim::Config::start_alignment_bytes, 4096);
  auto asked = queried(Network{});
  const std::uint64_t need = asked.requirements().weights_bytes;
  const Error error = error_of(
      std::move(asked).register_buffers({.weights = region<Weights>(need + 4096, 2048, need)}));
  expect_refused_before_any_call(error, Errc::misaligned, "net.bin");
  EXPECT_EQ(error.needed, 4096u);
  EXPECT_EQ(error.found, 2048u);
}

TEST_F(external_buffers,
       BUF_02_a_spill_fill_region_that_starts_unaligned_is_refused_before_any_call) {
  set(&sim::Config::start_alignment_bytes, 4096);
  auto asked = queried(Network{});
  const std::uint64_t need = asked.requirements().spill_fill_bytes;
  const auto pool = SharedSpillFill::from_region(region<SpillFill>(need + 4096, 256, need));
  const Error error = error_of(std::move(asked).register_buffers({.spill_fill = pool}));
  expect_refused_before_any_call(error, Errc::misaligned, "net.bin");
  EXPECT_EQ(error.needed, 4096u);
  EXPECT_EQ(error.found, 256u);
}

TEST_F(external_buffers, BUF_03_a_weights_buffer_of_exactly_the_need_is_taken) {
  auto asked = queried(Network{});
  auto weights = region<Weights>(asked.requirements().weights_bytes);
  EXPECT_TRUE(succeeds(std::move(asked)
                           .register_buffers({.weights = std::move(weights)})
                           .and_then(transition::finalize)));
}

TEST_F(external_buffers, BUF_03_a_weights_buffer_one_byte_too_small_is_refused_before_any_call) {
  auto asked = queried(Network{});
  const std::uint64_t need = asked.requirements().weights_bytes;
  const Error error =
      error_of(std::move(asked).register_buffers({.weights = region<Weights>(need - 1)}));
  expect_refused_before_any_call(error, Errc::too_small, "net.bin");
  EXPECT_EQ(error.needed, need);
  EXPECT_EQ(error.found, need - 1);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(external_buffers,
       BUF_03_check_buffers_says_what_register_buffers_would_and_consumes_nothing) {
  auto asked = queried(Network{});
  const BufferRequirements need = asked.requirements();
  ExternalBuffers buffers{.weights = region<Weights>(need.weights_bytes - 1)};
  const std::uint64_t before = control().counters().calls;
  const Error error = error_of(asked.check_buffers(buffers));
  EXPECT_EQ(error.kind, Errc::too_small);
  EXPECT_EQ(error.needed, need.weights_bytes);
  EXPECT_EQ(error.found, need.weights_bytes - 1);
  buffers.weights = region<Weights>(need.weights_bytes);
  EXPECT_TRUE(succeeds(asked.check_buffers(buffers)));
  EXPECT_EQ(control().counters().calls, before);
  EXPECT_TRUE(succeeds(std::move(asked).register_buffers(std::move(buffers))));
}

TEST_F(external_buffers, BUF_06_memory_given_to_a_context_lives_as_long_as_it) {
  const Network network;
  auto asked = queried(network);
  auto pool = std::optional(must(SharedSpillFill::allocate(allocator(), asked.requirements())));
  auto context = std::optional(finalized(std::move(asked), *pool));
  pool.reset();
  drop_allocator();
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 2u);
  EXPECT_LT(difference(*context, network), tolerance);
  context.reset();
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(external_buffers, BUF_06_memory_of_a_failed_registration_is_freed_at_once) {
  auto asked = queried(Network{});
  auto weights = weights_for(asked);
  control().fail_call(Slot::mem_register, 1, 8003);
  EXPECT_EQ(error_of(std::move(asked).register_buffers({.weights = std::move(weights)})).code,
            8003);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
  EXPECT_EQ(calls(Slot::mem_de_register), 0u) << "all or nothing: there was nothing to give back";
}

TEST_F(external_buffers, BUF_07_one_descriptor_in_both_roles_is_refused_before_any_call) {
  auto asked = queried(Network{});
  const BufferRequirements need = asked.requirements();
  const auto memory = must(allocator().allocate(need.weights_bytes + need.spill_fill_bytes));
  const NativeMemory lend{.fd = FdUse::duplicate, .needs_sync = false};
  const auto again = [&] {
    return must(DmaBuffer::from_native(memory.fd(), memory.size_bytes(), lend));
  };
  const auto pool = SharedSpillFill::from_region(must(MemRegion<SpillFill>::from_buffer(again())));
  const Error error = error_of(std::move(asked).register_buffers(
      {.weights = must(MemRegion<Weights>::from_buffer(again())), .spill_fill = pool}));
  expect_refused_before_any_call(error, Errc::purpose_mismatch, "net.bin");
}

TEST_F(external_buffers, BUF_07_a_buffer_of_another_context_is_seen_by_nobody_but_the_device) {
  expect_misuse();
  auto first = queried(Network{});
  auto second = queried(Network{.name = "second"});
  const BufferRequirements need = first.requirements();
  const auto memory = must(allocator().allocate(need.weights_bytes));
  const NativeMemory lend{.fd = FdUse::duplicate, .needs_sync = false};
  const auto again = [&] {
    return must(DmaBuffer::from_native(memory.fd(), memory.size_bytes(), lend));
  };
  const auto holder = must(std::move(first).register_buffers(
      {.weights = must(MemRegion<Weights>::from_buffer(again()))}));
  const auto pool = SharedSpillFill::from_region(must(MemRegion<SpillFill>::from_buffer(again())));
  EXPECT_TRUE(succeeds(std::move(second).register_buffers({.spill_fill = pool})));
  EXPECT_EQ(control().misuses("BUF-07"), 1u);
}

TEST_F(external_buffers,
       BUF_07_tensor_memory_on_the_descriptor_of_an_external_buffer_is_refused_before_any_call) {
  const Network network;
  auto asked = queried(network);
  const std::uint64_t need = asked.requirements().weights_bytes;
  const auto memory = must(allocator().allocate(need));
  const NativeMemory lend{.fd = FdUse::duplicate, .needs_sync = false};
  const auto again = [&] {
    return must(DmaBuffer::from_native(memory.fd(), memory.size_bytes(), lend));
  };
  auto context =
      must(std::move(asked)
               .register_buffers({.weights = must(MemRegion<Weights>::from_buffer(again()))})
               .and_then(transition::finalize));
  const std::uint64_t before = calls(Slot::mem_register);
  const auto tensors = must(SharedBuffer<PerTensor>::from_region(
      must(MemRegion<TensorIo>::from_buffer(again())), network.spec("x")));
  const Error error = error_of(RegisteredTensors::create(context, tensors));
  EXPECT_EQ(error.kind, Errc::purpose_mismatch);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(calls(Slot::mem_register), before);
  EXPECT_TRUE(succeeds(std::move(context).close()));
}

TEST_F(external_buffers, BUF_08_each_context_reads_its_own_weights) {
  const Network one{.name = "one", .seed = 3};
  const Network two{.name = "two", .seed = 4};
  const auto first = finalized(queried(one));
  const auto second = finalized(queried(two));
  EXPECT_LT(difference(first, one), tolerance);
  EXPECT_LT(difference(second, two), tolerance);
  EXPECT_EQ(control().counters().external_weights_bytes, one.weights_bytes() + two.weights_bytes());
}

TEST_F(external_buffers, BUF_08_weights_memory_lent_to_two_contexts_is_refused_before_any_call) {
  auto first = queried(Network{});
  auto second = queried(Network{.name = "second"});
  const auto memory = must(allocator().allocate(first.requirements().weights_bytes));
  const NativeMemory lend{.fd = FdUse::borrow, .needs_sync = false};
  const auto again = [&] {
    return must(MemRegion<Weights>::from_buffer(
        must(DmaBuffer::from_native(memory.fd(), memory.size_bytes(), lend))));
  };
  auto holder = must(std::move(first).register_buffers({.weights = again()}));
  auto third = queried(Network{.name = "third"});
  control().reset_counters();
  EXPECT_EQ(error_of(second.check_buffers({.weights = again()})).kind, Errc::in_use);
  const Error error = error_of(std::move(second).register_buffers({.weights = again()}));
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.object, "second.bin");
  const auto words = [](const char* name, const detail::LiveContext& context) {
    return std::string(name) + " (" + std::to_string(context.live_bytes) +
           " bytes, held by its Context object)";
  };
  EXPECT_EQ(error.message(),
            "second.bin: registering a weights buffer: another context has weights in these bytes; "
            "2 other live contexts: " +
                words("net.bin", *detail::Access::block(holder)) + ", " +
                words("third.bin", *detail::Access::block(third)) +
                "; try again when this use has ended");
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  // The memory is free again after its context was closed.
  EXPECT_TRUE(succeeds(std::move(holder).close()));
  EXPECT_TRUE(succeeds(std::move(third).register_buffers({.weights = again()})));
}

TEST_F(external_buffers, BUF_08_two_contexts_have_their_weights_in_parts_of_one_memory) {
  auto first = queried(Network{});
  auto second = queried(Network{.name = "second"});
  const std::uint64_t need = first.requirements().weights_bytes;
  const std::uint64_t alignment = first.requirements().start_alignment;
  const std::uint64_t begin = (need + alignment - 1) / alignment * alignment;
  const auto memory = must(allocator().allocate(begin + need));
  const auto part = [&](std::uint64_t offset) {
    return must(MemRegion<Weights>::from_buffer(
        must(DmaBuffer::from_native(memory.fd(), memory.size_bytes(),
                                    {.fd = FdUse::borrow, .needs_sync = false})),
        offset, need));
  };
  const auto holder =
      must(std::move(first).register_buffers({.weights = part(0)}).and_then(transition::finalize));
  EXPECT_EQ(error_of(second.check_buffers({.weights = part(begin - alignment)})).kind,
            Errc::in_use);
  EXPECT_TRUE(succeeds(std::move(second).register_buffers({.weights = part(begin)})));
}

TEST_F(external_buffers, BUF_09_no_need_of_spill_fill_means_none_is_allocated_or_registered) {
  auto asked = queried(tiny());
  ASSERT_EQ(asked.requirements().spill_fill_bytes, 0u);
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  EXPECT_EQ(pool.size_bytes(), 0u);
  EXPECT_EQ(rpcmem_control().counters().allocations, 0u);
  const auto context = finalized(std::move(asked), pool);
  EXPECT_EQ(control().counters().live_spill_fill_registrations, 0u);
  EXPECT_EQ(control().counters().live_weights_registrations, 1u);
  EXPECT_LT(difference(context, tiny()), tolerance);
}

TEST_F(external_buffers, BUF_09_a_context_without_need_leaves_the_pool_of_others_alone) {
  auto large = queried(Network{});
  auto small = queried(tiny());
  const auto pool = must(SharedSpillFill::allocate(allocator(), large.requirements()));
  const auto first = finalized(std::move(large), pool);
  const auto second = finalized(std::move(small), pool);
  EXPECT_EQ(control().counters().live_spill_fill_registrations, 1u);
  EXPECT_LT(difference(first, Network{}), tolerance);
  EXPECT_LT(difference(second, tiny()), tolerance);
}

TEST_F(external_buffers, BUF_09_nothing_to_register_makes_no_call) {
  auto asked = queried(tiny());
  const auto registered = must(std::move(asked).register_buffers({}));
  EXPECT_EQ(calls(Slot::mem_register), 0u);
}

TEST_F(external_buffers, BUF_08_a_weights_region_that_was_moved_from_is_refused_before_any_call) {
  std::vector<Context<Queried>> all;
  all.push_back(queried(Network{}));
  all.push_back(queried(Network{.name = "second"}));
  const auto pool = must(SharedSpillFill::allocate(allocator(), all));
  auto weights = weights_for(all[0]);
  std::vector<Context<Registered>> registered;
  std::vector<Error> errors;
  for (auto& context : all) {
    auto done =
        std::move(context).register_buffers({.weights = std::move(weights), .spill_fill = pool});
    if (done)
      registered.push_back(std::move(*done));
    else
      errors.push_back(std::move(done).error());
  }
  EXPECT_EQ(registered.size(), 1u);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].kind, Errc::invalid_argument);
  EXPECT_EQ(errors[0].object, "second.bin");
  EXPECT_EQ(errors[0].detail, "the weights region was moved from; allocate one for each context");
  EXPECT_EQ(calls(Slot::mem_register), 2u) << "those of the first";
}

TEST_F(external_buffers,
       BUF_02_an_alignment_that_no_allocator_promises_is_refused_before_any_call) {
  set(&sim::Config::start_alignment_bytes, 65536);
  auto asked = queried(Network{});
  const BufferRequirements need = asked.requirements();
  for (const Error& error : {error_of(MemRegion<Weights>::allocate(allocator(), need)),
                             error_of(SharedSpillFill::allocate(allocator(), need))}) {
    EXPECT_EQ(error.kind, Errc::misaligned);
    EXPECT_EQ(error.needed, 65536u);
    EXPECT_EQ(error.found, 4096u);
  }
  // The buffer meets the size only, not the alignment, and is refused at registration.
  auto weights = must(MemRegion<Weights>::allocate(allocator(), need.weights_bytes));
  const Error error = error_of(std::move(asked).register_buffers({.weights = std::move(weights)}));
  expect_refused_before_any_call(error, Errc::misaligned, "net.bin");
  EXPECT_EQ(error.found, 4096u);
}

TEST_F(external_buffers, BUF_02_memory_of_the_application_says_how_its_start_is_aligned) {
  set(&sim::Config::start_alignment_bytes, 65536);
  auto asked = queried(Network{});
  const std::uint64_t need = asked.requirements().weights_bytes;
  const auto memory = must(allocator().allocate(need));
  auto weights = must(MemRegion<Weights>::from_buffer(
      must(DmaBuffer::from_native(memory.fd(), need, {.start_alignment = 65536}))));
  EXPECT_TRUE(succeeds(std::move(asked).register_buffers({.weights = std::move(weights)})));
}

TEST_F(external_buffers, BUF_11_a_pool_that_was_moved_from_is_refused_before_any_call) {
  auto asked = queried(Network{});
  auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto taken = std::move(pool);
  const Error error = error_of(std::move(asked).register_buffers({.spill_fill = std::move(pool)}));
  expect_refused_before_any_call(error, Errc::invalid_argument, "net.bin");
  auto region = must(MemRegion<SpillFill>::allocate(allocator(), 65536));
  const auto elsewhere = std::move(region);
  EXPECT_TRUE(SharedSpillFill::from_region(std::move(region)).is_moved_from());
}

TEST_F(external_buffers, BUF_09_that_are_left_out_are_allocated_by_qnn) {
  auto asked = queried(Network{});
  auto context = must(std::move(asked).register_buffers({}).and_then(transition::finalize));
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  EXPECT_LT(difference(context, Network{}), tolerance);
}

TEST_F(external_buffers, BUF_10_the_pool_is_as_large_as_the_largest_need) {
  std::vector<Context<Queried>> all;
  std::uint64_t most = 0;
  for (const Network& network : four_networks()) {
    all.push_back(queried(network));
    most = std::max(most, all.back().requirements().spill_fill_bytes);
  }
  EXPECT_NE(all.front().requirements().spill_fill_bytes, most);
  EXPECT_NE(all.back().requirements().spill_fill_bytes, most);
  const auto pool = must(SharedSpillFill::allocate(allocator(), all));
  EXPECT_EQ(pool.size_bytes(), most);
  for (const auto& context : all)
    EXPECT_TRUE(succeeds(pool.admit(context.requirements(), context.name())));
}

TEST_F(external_buffers, BUF_10_a_context_larger_than_the_pool_is_refused_before_any_call) {
  auto small = queried(four_networks()[0]);
  auto large = queried(four_networks()[2]);
  const std::uint64_t need = large.requirements().spill_fill_bytes;
  const auto pool = must(SharedSpillFill::allocate(allocator(), small.requirements()));
  ASSERT_LT(pool.size_bytes(), need);
  auto weights = weights_for(large);
  const std::uint64_t live = control().counters().live_contexts;
  const Error error = error_of(
      std::move(large).register_buffers({.weights = std::move(weights), .spill_fill = pool}));
  EXPECT_EQ(error.kind, Errc::too_small);
  EXPECT_EQ(error.object, "three.bin");
  EXPECT_EQ(error.needed, need);
  EXPECT_EQ(error.found, pool.size_bytes());
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  EXPECT_EQ(control().counters().live_contexts, live - 1);
  EXPECT_TRUE(succeeds(std::move(small).register_buffers({.spill_fill = pool})))
      << "the pool is as good as before";
}

TEST_F(external_buffers, BUF_10_a_pool_that_was_made_for_no_need_admits_none) {
  const auto pool = must(SharedSpillFill::allocate(allocator(), BufferRequirements{}));
  auto asked = queried(Network{});
  const Error error = error_of(std::move(asked).register_buffers({.spill_fill = pool}));
  expect_refused_before_any_call(error, Errc::too_small, "net.bin");
}

TEST_F(external_buffers, BUF_11_each_of_four_contexts_registers_the_one_buffer_and_runs_right) {
  const auto networks = four_networks();
  std::vector<Context<Queried>> all;
  for (const Network& network : networks) all.push_back(queried(network));
  const auto pool = must(SharedSpillFill::allocate(allocator(), all));
  std::vector<Context<Finalized>> contexts;
  std::uint64_t weights = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    contexts.push_back(finalized(std::move(all[i]), pool));
    weights += networks[i].weights_bytes();
  }
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.live_spill_fill_registrations, 4u);
  EXPECT_EQ(counters.external_spill_fill_bytes, pool.size_bytes());
  EXPECT_EQ(counters.device_bytes, weights + pool.size_bytes());
  EXPECT_EQ(rpcmem_control().counters().live_bytes, weights + pool.size_bytes());
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < networks.size(); ++i)
      EXPECT_LT(difference(contexts[i], networks[i]), tolerance);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(external_buffers, BUF_11_copies_of_a_pool_mean_one_buffer_and_the_last_of_all_frees_it) {
  auto asked = queried(Network{});
  auto pool = std::optional(must(SharedSpillFill::allocate(allocator(), asked.requirements())));
  auto copy = std::optional(*pool);
  EXPECT_EQ(qnnpp::detail::Access::block(*copy)->region.fd(),
            qnnpp::detail::Access::block(*pool)->region.fd());
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
  pool.reset();
  auto registered = std::optional(must(std::move(asked).register_buffers({.spill_fill = *copy})));
  copy.reset();
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
  registered.reset();
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(external_buffers, BUF_12_sharers_have_one_lock_and_others_have_none) {
  auto one = queried(Network{.name = "one"});
  auto two = queried(Network{.name = "two"});
  const auto pool = must(SharedSpillFill::allocate(allocator(), one.requirements()));
  const auto first = finalized(std::move(one), pool);
  const auto second = finalized(std::move(two), pool);
  const auto alone = finalized(queried(Network{.name = "alone"}));
  EXPECT_EQ(qnnpp::detail::Access::block(first)->lock, qnnpp::detail::Access::block(second)->lock);
  EXPECT_EQ(qnnpp::detail::Access::block(first)->lock, qnnpp::detail::Access::block(pool)->lock);
  EXPECT_FALSE(qnnpp::detail::Access::block(alone)->lock);
  EXPECT_TRUE(qnnpp::detail::covers(must(pool.lease()), qnnpp::detail::Access::block(first)->lock));
  EXPECT_TRUE(qnnpp::detail::covers(must(pool.lease()), qnnpp::detail::Access::block(alone)->lock))
      << "who shares nothing runs under any lease";
}

TEST_F(external_buffers, BUF_12_a_lease_does_not_cover_sharers_of_another_buffer) {
  auto one = queried(Network{.name = "one"});
  auto two = queried(Network{.name = "two"});
  const auto pool = must(SharedSpillFill::allocate(allocator(), one.requirements()));
  const auto other = must(SharedSpillFill::allocate(allocator(), two.requirements()));
  const auto first = finalized(std::move(one), pool);
  const auto second = finalized(std::move(two), other);
  EXPECT_FALSE(
      qnnpp::detail::covers(must(pool.lease()), qnnpp::detail::Access::block(second)->lock));
  EXPECT_TRUE(qnnpp::detail::covers(must(second.spill_fill().lease()),
                                    qnnpp::detail::Access::block(second)->lock));
  EXPECT_EQ(second.spill_fill().size_bytes(), other.size_bytes());
}

TEST_F(external_buffers, BUF_13_BUF_15_weights_and_spill_fill_are_registered_once_in_a_call_each) {
  auto asked = queried(Network{});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  auto weights = weights_for(asked);
  const auto registered =
      must(std::move(asked).register_buffers({.weights = std::move(weights), .spill_fill = pool}));
  EXPECT_EQ(calls(Slot::mem_register), 2u);
  EXPECT_EQ(control().counters().live_weights_registrations, 1u);
  EXPECT_EQ(control().counters().live_spill_fill_registrations, 1u);
}

TEST_F(external_buffers, BUF_15_if_the_spill_fill_is_refused_the_weights_are_given_back) {
  auto asked = queried(Network{});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  auto weights = weights_for(asked);
  control().fail_call(Slot::mem_register, 2, 8003);
  const Error error = error_of(
      std::move(asked).register_buffers({.weights = std::move(weights), .spill_fill = pool}));
  EXPECT_EQ(error.code, 8003);
  EXPECT_EQ(calls(Slot::mem_register), 2u);
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u) << "the pool is the caller's";
}

TEST_F(external_buffers, BUF_13_a_second_registration_by_the_raw_handle_is_refused_by_QNN) {
  auto asked = queried(Network{});
  auto weights = weights_for(asked);
  const auto more = weights_for(asked);
  const auto registered = must(std::move(asked).register_buffers({.weights = std::move(weights)}));
  detail::ExternalDescriptor custom;
  c_api::MemDescriptor descriptor;
  custom.describe(c_api::HtpMemType::weights_buffer, *detail::Access::block(more),
                  more.offset_bytes(), descriptor);
  c_api::MemHandle handle = nullptr;
  const auto reg = *backend().provider().find<&c_api::InterfaceTable::mem_register>();
  EXPECT_EQ(reg(registered.native(), &descriptor, 1, &handle) & 0xFFFF, 8002u);
}

// BUF-14: the exact bytes that QNN receives.
struct Descriptors {
  struct One {
    unsigned char descriptor[sizeof(c_api::MemDescriptor)];
    unsigned char custom[sizeof(c_api::HtpMemDescriptor)];
    const void* custom_address;
  };
  static inline std::vector<One> seen;
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering || slot != static_cast<std::size_t>(Slot::mem_register)) return;
    const auto* all = argument<const c_api::MemDescriptor*>(arguments, 1);
    for (std::uint32_t i = 0; i < argument<std::uint32_t>(arguments, 2); ++i) {
      One one;
      std::memcpy(one.descriptor, &all[i], sizeof one.descriptor);
      std::memset(one.custom, 0, sizeof one.custom);
      one.custom_address = nullptr;
      if (all[i].mem_type == c_api::MemType::custom) {
        one.custom_address = all[i].custom_info;
        std::memcpy(one.custom, all[i].custom_info, sizeof one.custom);
      }
      seen.push_back(one);
    }
  }
};

/// Overwrites the stack, so that a forgotten initialisation does not read zeros by chance.
[[gnu::noinline]] void spoil_the_stack() {
  volatile unsigned char rubbish[16384];
  for (std::size_t i = 0; i < sizeof rubbish; ++i) rubbish[i] = 0xA5;
}

/// Returns the bytes of a descriptor as BUF-14 requires them, built field by field over zeros.
Descriptors::One expected_descriptor(c_api::HtpMemType type, std::uint64_t size, std::int32_t fd,
                                     std::uint64_t offset, const void* custom_address) {
  Descriptors::One expected;
  std::memset(expected.descriptor, 0, sizeof expected.descriptor);
  std::memset(expected.custom, 0, sizeof expected.custom);
  const auto put = [](unsigned char* to, std::size_t at, const auto& value) {
    std::memcpy(to + at, &value, sizeof value);
  };
  put(expected.descriptor, offsetof(c_api::MemDescriptor, data_type), c_api::DataType::undefined);
  put(expected.descriptor, offsetof(c_api::MemDescriptor, mem_type), c_api::MemType::custom);
  put(expected.descriptor, offsetof(c_api::MemDescriptor, custom_info), custom_address);
  put(expected.custom, offsetof(c_api::HtpMemDescriptor, type), type);
  put(expected.custom, offsetof(c_api::HtpMemDescriptor, size), size);
  const std::size_t config = offsetof(c_api::HtpMemDescriptor, weights_buffer_config);
  put(expected.custom, config + offsetof(c_api::HtpMemSharedBufferConfig, fd), fd);
  put(expected.custom, config + offsetof(c_api::HtpMemSharedBufferConfig, offset), offset);
  return expected;
}

TEST_F(external_buffers, BUF_14_every_byte_of_the_descriptors_is_as_it_should_be) {
  auto from = binary(Network{});
  const auto recorder = must(load_recorder());
  qnnpp::detail::Access::block(recorder)->external_weights.confirm();  // EXT-08
  const Recording recording(&Descriptors::hook);
  Descriptors::seen.clear();
  auto asked =
      must(Context<Deferred>::create(recorder, std::move(from)).and_then(transition::query));
  const BufferRequirements need = asked.requirements();
  const std::uint64_t offset = need.start_alignment;
  auto weights =
      region<Weights>(need.weights_bytes + 2 * offset + 17, offset, need.weights_bytes + 17);
  const auto pool = SharedSpillFill::from_region(region<SpillFill>(need.spill_fill_bytes + 5));
  const int weights_fd = weights.fd();
  spoil_the_stack();
  const auto registered =
      must(std::move(asked).register_buffers({.weights = std::move(weights), .spill_fill = pool}));
  ASSERT_EQ(Descriptors::seen.size(), 2u);
  const auto compare = [](const Descriptors::One& found, const Descriptors::One& expected) {
    EXPECT_EQ(std::memcmp(found.descriptor, expected.descriptor, sizeof found.descriptor), 0);
    EXPECT_EQ(std::memcmp(found.custom, expected.custom, sizeof found.custom), 0);
  };
  compare(
      Descriptors::seen[0],
      expected_descriptor(c_api::HtpMemType::weights_buffer, need.weights_bytes + 2 * offset + 17,
                          weights_fd, offset, Descriptors::seen[0].custom_address));
  compare(Descriptors::seen[1],
          expected_descriptor(c_api::HtpMemType::shared_spillfill_buffer, need.spill_fill_bytes + 5,
                              qnnpp::detail::Access::block(pool)->region.fd(), 0,
                              Descriptors::seen[1].custom_address));
}

TEST_F(external_buffers, BUF_14_a_shape_or_a_data_type_in_such_a_descriptor_is_named) {
  expect_misuse();
  auto asked = queried(Network{});
  const auto weights = weights_for(asked);
  const auto registered = must(std::move(asked).register_buffers({}));
  const auto reg = *backend().provider().find<&c_api::InterfaceTable::mem_register>();
  detail::ExternalDescriptor custom;
  c_api::MemDescriptor descriptor;
  c_api::MemHandle handle = nullptr;
  custom.describe(c_api::HtpMemType::weights_buffer, *detail::Access::block(weights),
                  weights.offset_bytes(), descriptor);
  descriptor.data_type = c_api::DataType::float_32;
  EXPECT_EQ(reg(registered.native(), &descriptor, 1, &handle) & 0xFFFF, 0u);
  EXPECT_EQ(control().misuses("BUF-14"), 1u);
  const auto dereg = *backend().provider().find<&c_api::InterfaceTable::mem_de_register>();
  EXPECT_EQ(dereg(&handle, 1), 0u);
  custom.describe(c_api::HtpMemType::weights_buffer, *detail::Access::block(weights),
                  weights.offset_bytes(), descriptor);
  std::uint32_t extent = 1;
  descriptor.mem_shape.num_dim = 1;
  descriptor.mem_shape.dim_size = &extent;
  EXPECT_EQ(reg(registered.native(), &descriptor, 1, &handle) & 0xFFFF, 0u);
  EXPECT_EQ(control().misuses("BUF-14"), 2u);
  EXPECT_EQ(dereg(&handle, 1), 0u);
}

TEST_F(external_buffers, EXT_08_weights_at_an_offset_are_refused_until_some_were_finalized) {
  auto asked = queried(Network{});
  const auto [need, spill_fill, offset, backup] = asked.requirements();
  const Error error = error_of(
      std::move(asked).register_buffers({.weights = region<Weights>(need + offset, offset)}));
  expect_refused_before_any_call(error, Errc::invalid_argument, "net.bin");
  EXPECT_NE(error.detail.find("offset 0"), std::string::npos) << error.detail;
}

TEST_F(external_buffers, BUF_16_regions_at_an_offset_are_taken_and_run_right) {
  const Network network;
  auto first = queried(network);
  auto at_the_start = weights_for(first);
  const auto shown = must(std::move(first)
                              .register_buffers({.weights = std::move(at_the_start)})
                              .and_then(transition::finalize));
  auto asked = queried(network);
  const BufferRequirements need = asked.requirements();
  const std::uint64_t offset = need.start_alignment;
  auto weights = region<Weights>(need.weights_bytes + offset, offset);
  const auto pool = SharedSpillFill::from_region(
      region<SpillFill>(need.spill_fill_bytes + 2 * offset, offset, need.spill_fill_bytes));
  const auto context =
      must(std::move(asked)
               .register_buffers({.weights = std::move(weights), .spill_fill = pool})
               .and_then(transition::finalize));
  EXPECT_LT(difference(context, network), tolerance);
}

TEST_F(external_buffers, BUF_16_a_buffer_that_is_larger_than_its_file_is_refused_before_any_call) {
  auto asked = queried(Network{});
  const auto memory = must(allocator().allocate(4096));
  const NativeMemory lend{.fd = FdUse::borrow, .needs_sync = false};
  const std::uint64_t need = asked.requirements().weights_bytes;
  const Error error = error_of(
      std::move(asked).register_buffers({.weights = must(MemRegion<Weights>::from_buffer(must(
                                             DmaBuffer::from_native(memory.fd(), need, lend))))}));
  expect_refused_before_any_call(error, Errc::too_small, "net.bin");
  EXPECT_EQ(error.needed, need);
  EXPECT_EQ(error.found, static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

TEST_F(external_buffers,
       BUF_16_a_spill_fill_that_is_larger_than_its_file_is_refused_before_any_call) {
  auto asked = queried(Network{});
  auto weights = weights_for(asked);
  const auto memory = must(allocator().allocate(4096));
  const NativeMemory lend{.fd = FdUse::borrow, .needs_sync = false};
  const auto pool = SharedSpillFill::from_region(must(
      MemRegion<SpillFill>::from_buffer(must(DmaBuffer::from_native(memory.fd(), 8192, lend)))));
  const Error error = error_of(
      std::move(asked).register_buffers({.weights = std::move(weights), .spill_fill = pool}));
  expect_refused_before_any_call(error, Errc::too_small, "net.bin");
}

TEST_F(external_buffers, what_is_left_empty_is_allocated_by_the_device_itself) {
  const Network network;
  auto context = must(queried(network).register_buffers({}).and_then(transition::finalize));
  EXPECT_GT(control().counters().internal_weights_bytes, 0u);
  EXPECT_GT(control().counters().internal_spill_fill_bytes, 0u);
  EXPECT_EQ(control().counters().device_bytes, 0u);
  EXPECT_LT(difference(context, network), tolerance);
}

TEST_F(external_buffers, memory_of_a_memfd_serves_as_well) {
  const Network network;
  auto asked = queried(network);
  const MemfdAllocator memfd;
  auto weights = must(MemRegion<Weights>::allocate(memfd, asked.requirements()));
  const auto pool = must(SharedSpillFill::allocate(memfd, asked.requirements()));
  const auto context =
      must(std::move(asked)
               .register_buffers({.weights = std::move(weights), .spill_fill = pool})
               .and_then(transition::finalize));
  EXPECT_LT(difference(context, network), tolerance);
}

}}  // namespace support
