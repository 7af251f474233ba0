// reclaim(): returns the weights buffer of a context and frees the context.
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class reclaiming : public LoadedTest {};

TEST_F(reclaiming, RES_02_frees_the_context_and_gives_its_weights_buffer_to_another_one) {
  const Network one{.name = "one", .seed = 3};
  const Network two{.name = "two", .seed = 4};
  auto context = finalized(queried(one));
  const int fd = qnnpp::detail::Access::block(context)->weights.fd();
  auto weights = must(std::move(context).reclaim());
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(weights.fd(), fd);
  EXPECT_EQ(weights.size_bytes(), one.weights_bytes());
  const auto next = must(queried(two)
                             .register_buffers({.weights = std::move(weights)})
                             .and_then(transition::finalize));
  EXPECT_LT(difference(next, two), tolerance);
  EXPECT_EQ(rpcmem_control().counters().allocations, 1u);
}

TEST_F(reclaiming, is_refused_while_a_graph_uses_the_context_and_keeps_its_weights_there) {
  const Network network;
  auto context = finalized(queried(network));
  std::vector<float> in = network.input();
  std::vector<float> out(network.io_elements());
  auto graph =
      must(must(Graph<Retrieved>::retrieve(context, "net")).bind({raw("x", in), raw("y", out)}));
  const Error error = error_of(std::move(context).reclaim());
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_TRUE(succeeds(graph.execute()));
  EXPECT_LT(largest_difference(out, network.reference(in)), tolerance);
}

TEST_F(reclaiming, can_be_asked_for_without_consuming_the_context) {
  const Network network;
  auto context = finalized(queried(network));
  {
    const auto graph = must(Graph<Retrieved>::retrieve(context, "net"));
    control().reset_counters();
    const Error error = error_of(context.check_reclaim());
    EXPECT_EQ(error.kind, Errc::in_use);
    EXPECT_EQ(error.object, "net.bin");
    EXPECT_EQ(error.found, 2u);
    EXPECT_EQ(control().counters().calls, 0u);
  }
  EXPECT_LT(difference(context, network), tolerance);
  EXPECT_TRUE(succeeds(context.check_reclaim()));
  EXPECT_TRUE(must(std::move(context).reclaim()));
}

TEST_F(reclaiming, of_weights_that_are_QNNs_own_gives_nothing) {
  auto context = restored(Network{});
  EXPECT_FALSE(must(std::move(context).reclaim()));
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(reclaiming, gives_no_buffer_of_a_context_that_could_not_be_freed) {
  auto context = finalized(queried(Network{}));
  control().fail_call(Slot::context_free, 1, 5001);
  EXPECT_EQ(error_of(std::move(context).reclaim()).code, 5001);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u) << "QNN may use it (RES-05)";
  (void)restored(Network{});  // Looks whether it does.
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

}}  // namespace support
