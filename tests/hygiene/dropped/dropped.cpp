// Calls whose Result is dropped. Each such line ends in a marker, and a compiler warns about it
// without any option.
#include <utility>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"

namespace {

using namespace qnnpp;

[[maybe_unused]] void transitions(Context<Deferred> deferred, Context<Queried> queried,
                                  Context<Registered> known, Context<Composing> composing,
                                  Graph<Composing> growing, Graph<Retrieved> graph,
                                  const RegisteredTensors& io) {
  std::move(deferred).query();              // dropped
  queried.check_buffers({});                // dropped
  std::move(queried).register_buffers({});  // dropped
  std::move(known).finalize();              // dropped
  composing.check_finalize();               // dropped
  std::move(composing).finalize();          // dropped
  growing.add_node({});                     // dropped
  std::move(growing).finalize();            // dropped
  graph.check(io);                          // dropped
  std::move(graph).bind(io);                // dropped
}

[[maybe_unused]] void ends(Backend<Htp> backend, Context<Finalized> context,
                           Context<Finalized> other, Graph<Bound> graph, RegisteredTensors io,
                           Performance vote) {
  Performance::vote(backend, PerformanceMode::burst);  // dropped
  vote.change(PerformanceMode::balanced);              // dropped
  std::move(vote).close();                             // dropped
  graph.execute();                                     // dropped
  graph.input<float>("x");                             // dropped
  write_elements(graph.input<float>("x"), {});         // dropped
  std::move(graph).close();                            // dropped
  std::move(io).close();                               // dropped
  std::move(context).close();                          // dropped
  std::move(other).reclaim();                          // dropped
  std::move(backend).close();                          // dropped
}

[[maybe_unused]] void by_intention(Context<Finalized> context) { (void)std::move(context).close(); }

}  // namespace
