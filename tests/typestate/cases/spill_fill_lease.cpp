// Misuses of SpillFillLease.
#include "qnnpp/memory/spill_fill_lease.hpp"

#include "qnnpp/graph/graph.hpp"
#include "qnnpp/graph/pipeline.hpp"

using namespace qnnpp;

// EXPECT: a lease has one owner; write std::move(lease)
SpillFillLease a_lease_is_not_copied(SpillFillLease& lease) {
#if MISUSE == 1
  return SpillFillLease(lease);
#else
  return SpillFillLease(std::move(lease));
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(lease), or use value_or_throw()
bool a_result_is_no_lease(Graph<Bound>& graph, const SharedSpillFill& pool) {
#if MISUSE == 2
  SpillFillLease lease = pool.lease();
  return graph.execute(lease).has_value();
#else
  auto lease = pool.lease();
  return lease && graph.execute(*lease).has_value();
#endif
}

// EXPECT: a const lease cannot be used; declare it without const
bool a_graph_is_not_executed_under_a_const_lease(Graph<Bound>& graph, SpillFillLease lease) {
#if MISUSE == 3
  const SpillFillLease kept = std::move(lease);
  return graph.execute(kept).has_value();
#else
  return graph.execute(lease).has_value();
#endif
}

// EXPECT: a temporary lease ends with the call; write execute(), or name the lease
bool a_graph_is_not_executed_under_a_temporary_lease(Graph<Bound>& graph, SpillFillLease lease) {
#if MISUSE == 4
  return graph.execute(std::move(lease)).has_value();
#else
  return graph.execute(lease).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *lease, or use value_or_throw()
bool a_graph_is_not_executed_under_a_result(Graph<Bound>& graph, const SharedSpillFill& pool) {
  auto lease = pool.lease();
#if MISUSE == 5
  return graph.execute(lease).has_value();
#else
  return lease && graph.execute(*lease).has_value();
#endif
}

// EXPECT: a const lease cannot be used; declare it without const
bool a_pipeline_is_not_executed_under_a_const_lease(Pipeline& pipeline, SpillFillLease lease) {
#if MISUSE == 6
  const SpillFillLease kept = std::move(lease);
  return pipeline.execute(kept).has_value();
#else
  return pipeline.execute(lease).has_value();
#endif
}

// EXPECT: a temporary lease ends with the call; write execute(), or name the lease
bool a_pipeline_is_not_executed_under_a_temporary_lease(Pipeline& pipeline, SpillFillLease lease) {
#if MISUSE == 7
  return pipeline.execute(std::move(lease)).has_value();
#else
  return pipeline.execute(lease).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *lease, or use value_or_throw()
bool a_pipeline_is_not_executed_under_a_result(Pipeline& pipeline, const SharedSpillFill& pool) {
#if MISUSE == 8
  return pipeline.execute(pool.lease()).has_value();
#else
  auto lease = pool.lease();
  return lease && pipeline.execute(*lease).has_value();
#endif
}

// EXPECT: a const lease cannot be used; declare it without const
bool a_graph_is_not_executed_with_a_profile_under_a_const_lease(Graph<Bound>& graph,
                                                                SpillFillLease lease,
                                                                Profile& profile) {
#if MISUSE == 9
  const SpillFillLease kept = std::move(lease);
  return graph.execute(kept, &profile).has_value();
#else
  return graph.execute(lease, &profile).has_value();
#endif
}

// EXPECT: a temporary lease ends with the call; write execute(), or name the lease
bool a_graph_is_not_executed_with_a_profile_under_a_temporary_lease(Graph<Bound>& graph,
                                                                    SpillFillLease lease,
                                                                    Profile& profile) {
#if MISUSE == 10
  return graph.execute(std::move(lease), &profile).has_value();
#else
  return graph.execute(lease, &profile).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *lease, or use value_or_throw()
bool a_graph_is_not_executed_with_a_profile_under_a_result(Graph<Bound>& graph,
                                                           const SharedSpillFill& pool,
                                                           Profile& profile) {
  auto lease = pool.lease();
#if MISUSE == 11
  return graph.execute(lease, &profile).has_value();
#else
  return lease && graph.execute(*lease, &profile).has_value();
#endif
}

// EXPECT: a const lease cannot be used; declare it without const
bool a_pipeline_is_not_executed_with_a_profile_under_a_const_lease(Pipeline& pipeline,
                                                                   SpillFillLease lease,
                                                                   Profile& profile) {
#if MISUSE == 12
  const SpillFillLease kept = std::move(lease);
  return pipeline.execute(kept, &profile).has_value();
#else
  return pipeline.execute(lease, &profile).has_value();
#endif
}

// EXPECT: a temporary lease ends with the call; write execute(), or name the lease
bool a_pipeline_is_not_executed_with_a_profile_under_a_temporary_lease(Pipeline& pipeline,
                                                                       SpillFillLease lease,
                                                                       Profile& profile) {
#if MISUSE == 13
  return pipeline.execute(std::move(lease), &profile).has_value();
#else
  return pipeline.execute(lease, &profile).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *lease, or use value_or_throw()
bool a_pipeline_is_not_executed_with_a_profile_under_a_result(Pipeline& pipeline,
                                                              const SharedSpillFill& pool,
                                                              Profile& profile) {
  auto lease = pool.lease();
#if MISUSE == 14
  return pipeline.execute(lease, &profile).has_value();
#else
  return lease && pipeline.execute(*lease, &profile).has_value();
#endif
}
