// Graphs that a binary describes: which are kept, and which are missing.
#include "qnnpp/core/context_spec.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using qnnpp::Errc;
using qnnpp::GraphSpec;

std::vector<GraphSpec> graphs_of(const std::vector<std::string>& names) {
  std::vector<GraphSpec> graphs;
  for (const std::string& name : names) graphs.push_back({.name = name});
  return graphs;
}
std::vector<std::string> names_of(const std::vector<GraphSpec>& graphs) {
  std::vector<std::string> names;
  for (const GraphSpec& graph : graphs) names.push_back(graph.name);
  return names;
}
std::vector<std::string> kept(const std::vector<std::string>& there,
                              const std::vector<std::string>& wanted) {
  auto graphs = graphs_of(there);
  keep_graphs(graphs, wanted);
  return names_of(graphs);
}
using Names = std::vector<std::string>;

TEST(keep_graphs, keeps_those_of_the_names_in_their_order) {
  EXPECT_EQ(kept({"a", "b", "c", "d"}, {"d", "a", "unknown", "a"}), (Names{"a", "d"}));
  EXPECT_EQ(kept({"a", "ab", "abc"}, {"ab"}), (Names{"ab"}));
  EXPECT_EQ(kept({"a", "b", "a"}, {"a"}), (Names{"a", "a"}));
  EXPECT_EQ(kept({"a"}, {"b"}), Names());
  EXPECT_EQ(kept({}, {"a"}), Names());
}

TEST(keep_graphs, keeps_all_without_names) { EXPECT_EQ(kept({"a", "b"}, {}), (Names{"a", "b"})); }

TEST(require_graphs, succeeds_where_each_name_is_there) {
  EXPECT_TRUE(require_graphs(graphs_of({"a", "b"}), {"b", "a", "b"}, "binary").has_value());
  EXPECT_TRUE(require_graphs({}, {}, "binary").has_value());
}

TEST(require_graphs, lists_the_graphs_of_many_that_are_most_like_the_wanted_one) {
  Names many;
  for (int i = 0; i < 4000; ++i) many.push_back("graph_" + std::to_string(i));
  const auto found = require_graphs(graphs_of(many), {"graph_3999", "graph_4000"}, "binary");
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().kind, Errc::unknown_name);
  EXPECT_EQ(found.error().object, "graph_4000");
  EXPECT_EQ(found.error().detail, "binary has: graph_400, graph_1000, graph_2000 and 3997 more");
}

// -Wextra warns about a member without initialiser that an aggregate initialisation leaves out.
TEST(an_aggregate, is_made_from_any_of_its_members) {
  EXPECT_EQ(GraphSpec{.op_data_bytes = 2}.op_data_bytes, 2u);
  EXPECT_EQ(qnnpp::ContextSpec{.blob_bytes = 3}.blob_bytes, 3u);
  EXPECT_EQ(qnnpp::TensorSpec{.id = 4}.id, 4u);
}

}  // namespace
