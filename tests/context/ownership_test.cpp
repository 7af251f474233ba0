// Which object closes which resource, when, and the result of close().
#include <optional>
#include <string>
#include <string_view>

#include "fixture.hpp"
#include "registered.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class context_ownership : public LoadedTest {};

TEST_F(context_ownership, close_frees_in_every_state) {
  auto deferred = must(Context<Deferred>::create(backend(), binary(Network{})));
  EXPECT_TRUE(succeeds(std::move(deferred).close()));
  auto asked = queried(Network{});
  EXPECT_TRUE(succeeds(std::move(asked).close()));
  auto registered = must(queried(Network{}).register_buffers({}));
  EXPECT_TRUE(succeeds(std::move(registered).close()));
  auto context = restored(Network{});
  EXPECT_TRUE(succeeds(std::move(context).close()));
  auto composing = must(Context<Composing>::create(backend()));
  EXPECT_TRUE(succeeds(std::move(composing).close()));
  auto growing = must(Context<Composing>::create(backend()));
  auto composed = must(std::move(growing).finalize());
  EXPECT_TRUE(succeeds(std::move(composed).close()));
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(context_ownership, close_returns_the_error_of_the_call_and_names_the_context) {
  auto context = restored(Network{});
  control().fail_call(Slot::context_free, 1, 5001);
  const Error error = error_of(std::move(context).close());
  EXPECT_EQ(error.code, 5001);
  EXPECT_STREQ(error.step, "QnnContext_free");
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_EQ(error.detail, "log: QnnContext_free failed with 5001");
}

TEST_F(context_ownership, a_log_sink_must_not_free_a_context) {
  EXPECT_DEATH(
      {
        std::optional<Context<Finalized>> context;
        const auto drop = [&context](c_api::LogLevel, std::string_view) { context.reset(); };
        const auto logging = must(Backend<Htp>::load(
            {.library = htp_library, .log = log_to(drop, c_api::LogLevel::error)}));
        context.emplace(must(Context<Finalized>::restore(logging, binary(Network{}))));
        control().fail_call(Slot::context_create_from_binary, 1, 5001);
        (void)Context<Finalized>::restore(logging, binary(Network{}));
      },
      "a log sink must not create, finalize or free a backend or a context");
}

TEST_F(context_ownership,
       close_of_a_registered_context_returns_the_first_error_and_frees_all_the_same) {
  auto asked = queried(Network{});
  auto weights = weights_for(asked);
  auto registered = must(std::move(asked).register_buffers({.weights = std::move(weights)}));
  control().fail_call(Slot::mem_de_register, 1, 8001);
  const std::uint64_t before = calls(Slot::context_free);
  const Error error = error_of(std::move(registered).close());
  EXPECT_EQ(error.code, 8001);
  EXPECT_STREQ(error.step, "QnnMem_deRegister");
  EXPECT_EQ(error.detail, "log: QnnMem_deRegister failed with 8001");
  EXPECT_EQ(calls(Slot::mem_de_register), 1u) << "never tried again (SHB-04)";
  EXPECT_EQ(calls(Slot::context_free), before + 1);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(context_ownership, a_destructor_is_silent_about_an_error) {
  control().fail_call(Slot::context_free, 2, 5001);
  {
    const auto context = restored(Network{});
  }
  EXPECT_EQ(control().counters().faults_fired, 1u);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(context_ownership, a_context_is_in_use_while_a_graph_of_it_lives_and_goes_with_the_last) {
  auto context = restored(Network{});
  auto graph = std::optional(must(Graph<Retrieved>::retrieve(context, "net")));
  const auto second = must(Graph<Retrieved>::retrieve(context, "net"));
  const Error error = error_of(std::move(context).close());
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_EQ(error.found - error.needed, 2u);
  EXPECT_EQ(control().counters().live_contexts, 1u);
  graph.reset();
  EXPECT_EQ(control().counters().live_contexts, 1u);
}

TEST_F(context_ownership, a_context_is_in_use_while_memory_is_registered_with_it) {
  auto context = restored(Network{});
  const TensorSpec spec = Network{}.spec("x");
  auto memory = RegisteredMemory<>::make(allocator(), context, {spec});
  EXPECT_EQ(error_of(std::move(context).close()).kind, Errc::in_use);
  EXPECT_EQ(control().counters().live_contexts, 1u);
  EXPECT_TRUE(succeeds(std::move(memory.tensors).close()));
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(context_ownership, a_backend_is_in_use_while_a_context_of_it_lives) {
  auto other = must(load());
  auto context = must(Context<Finalized>::restore(other, binary(Network{})));
  EXPECT_EQ(error_of(std::move(other).close()).kind, Errc::in_use);
  EXPECT_LT(difference(context, Network{}), tolerance) << "and works on";
}

TEST_F(context_ownership, a_context_that_is_assigned_over_is_freed_at_once) {
  auto context = restored(Network{.name = "one"});
  context = restored(Network{.name = "two"});
  EXPECT_EQ(control().counters().live_contexts, 1u);
  EXPECT_EQ(context.name(), "two.bin");
  EXPECT_LT(difference(context, Network{.name = "two"}), tolerance);
}

TEST_F(context_ownership, a_failed_creation_leaves_nothing_and_names_the_binary) {
  control().fail_call(Slot::context_create_from_binary, 1, 5005);
  const Error error =
      error_of(Context<Deferred>::create(backend(), binary(Network{.name = "broken"})));
  EXPECT_EQ(error.code, 5005);
  EXPECT_EQ(error.object, "broken.bin");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(context_ownership, a_context_lives_on_after_backend_and_allocator_went) {
  auto asked = queried(Network{});
  auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  drop_backend();
  drop_allocator();
  EXPECT_EQ(control().counters().live_backends, 1u);
  EXPECT_LT(difference(context, Network{}), tolerance);
}

}}  // namespace support
