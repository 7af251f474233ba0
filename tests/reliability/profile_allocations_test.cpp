// Every allocation of every public operation on profiles and traces fails once. Nothing is left,
// and the next run works.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/profile.hpp"
#include "qnnpp/format.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/model/trace.hpp"

#include "allocations.hpp"

namespace support::allocations {
namespace {

using namespace qnnpp;

class allocations_of_a_profile : public AllocationTest {
 protected:
  Profile profile() const {
    return must(Profile::create(backend(), {.level = ProfileLevel::detailed}));
  }
  /// A graph that executes, and a profile.
  struct Executed {
    Context<Finalized> context;
    SharedBuffer<MultiTensor> buffer;
    Graph<Bound> graph;
    Profile profile;
  };
  Executed executed() const {
    auto context = finalized();
    auto graph = must(Graph<Retrieved>::retrieve(context, networks[0].name));
    auto buffer =
        must(SharedBuffer<MultiTensor>::allocate(rpcmem(), graph.inputs(), graph.outputs()));
    auto bound = must(std::move(graph).bind(must(RegisteredTensors::create(context, buffer))));
    return {std::move(context), std::move(buffer), std::move(bound), profile()};
  }
  /// A profile with a record.
  Profile with_records() const {
    Executed made = executed();
    EXPECT_TRUE(succeeds(made.graph.execute(made.profile)));
    return std::move(made.profile);
  }
};

TEST_F(allocations_of_a_profile, fail_while_it_is_created_and_closed) {
  each(
      "Profile::create", [] { return 0; },
      [&](int) {
        return Profile::create(backend(), {.level = ProfileLevel::detailed, .op_trace = true});
      });
  each(
      "Profile::create, whose options contradict", [] { return 0; },
      [&](int) { return Profile::create(backend(), {.op_trace = true}).error().message(); });
  each(
      "Profile::close", [&] { return with_records(); },
      [](Profile& made) { return std::move(made).close(); });
  each("Profile::take", [&] { return with_records(); }, [](Profile& made) { return made.take(); });
}

TEST_F(allocations_of_a_profile, fail_while_calls_are_recorded) {
  each(
      "Context<Deferred>::create, with a profile", [&] { return std::pair(binary(), profile()); },
      [&](auto& given) {
        return Context<Deferred>::create(backend(), std::move(given.first),
                                         {.profile = &given.second});
      });
  each(
      "Context<Registered>::finalize, with a profile",
      [&] { return std::pair(registered_context(), profile()); },
      [](auto& given) { return std::move(given.first).finalize(given.second); });
  each(
      "Context<Finalized>::close, with a profile", [&] { return std::pair(restored(), profile()); },
      [](auto& given) { return std::move(given.first).close(given.second); });
  each(
      "Graph::execute, with a profile", [&] { return executed(); },
      [](Executed& made) { return made.graph.execute(made.profile); });
  each(
      "Graph::execute, under a lease with a profile", [&] { return executed(); },
      [](Executed& made) {
        return made.context.lease().and_then(
            [&](SpillFillLease lease) { return made.graph.execute(lease, made.profile); });
      });
}

TEST_F(allocations_of_a_profile, fail_while_it_becomes_text) {
  each(
      "to_text, of a record", [&] { return with_records(); },
      [](Profile& made) { return to_text(made.records().front()); });
  each(
      "format, of a profile", [&] { return with_records(); },
      [](Profile& made) { return fmt::format("{}", made); });
  each(
      "Trace::text", [&] { return with_records(); },
      [](Profile& made) {
        model::Trace trace;
        trace.add(made);
        trace.add_memory("a counter whose name is on the heap", 1, 2);
        return trace.text();
      });
}

}  // namespace
}  // namespace support::allocations
