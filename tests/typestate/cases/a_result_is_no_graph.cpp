// EXPECT: this is a Result; test it and pass *std::move(graph), or use value_or_throw()
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

void keep(std::vector<Graph<Retrieved>>& all, const Context<Finalized>& context) {
#ifdef MISUSE
  all.push_back(Graph<Retrieved>::retrieve(context, "g"));
#else
  if (auto graph = Graph<Retrieved>::retrieve(context, "g")) all.push_back(*std::move(graph));
#endif
}
