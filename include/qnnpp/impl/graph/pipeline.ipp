// Definitions of pipeline.hpp.
#pragma once

#include "qnnpp/graph/pipeline.hpp"

#include <algorithm>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/profiled_call.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/graph/detail/graph_block.hpp"
#include "qnnpp/impl/graph/pipeline_plan.ipp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

inline constexpr char moved_pipeline[] =
    "the pipeline was moved from; use the object it was moved to";

/// Holds a list of locks, which is sorted by address. Everyone locks in this order, so that no two
/// threads wait for each other.
class AllLocked {
 public:
  /// Locks all within `seconds`. Locks none if this thread already holds one of them.
  AllLocked(std::span<const Ref<ExecutionLock>> locks, double seconds, const CallLimits& limits)
      : locks_(locks) {
    for (const auto& lock : locks_)
      if (lock->is_held_by_this_thread()) return;
    const std::uint64_t began = seconds < ExecutionLock::endless ? now_ns() : 0;
    const auto left = [&] {
      return began == 0 ? seconds : seconds - 1e-9 * static_cast<double>(now_ns() - began);
    };
    result_ = ExecutionLock::Attempt::taken;
    while (taken_ != locks_.size() &&
           (result_ = limits ? locks_[taken_]->take(left(), limits.stop())
                             : locks_[taken_]->take(left())) == ExecutionLock::Attempt::taken)
      ++taken_;
  }
  AllLocked(const AllLocked&) = delete;
  AllLocked& operator=(const AllLocked&) = delete;
  ~AllLocked() {
    while (taken_ != 0) locks_[--taken_]->give_back();
  }

  [[nodiscard]] ExecutionLock::Attempt result() const noexcept { return result_; }

 private:
  std::span<const Ref<ExecutionLock>> locks_;
  std::size_t taken_ = 0;
  ExecutionLock::Attempt result_ = ExecutionLock::Attempt::held_by_this_thread;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<void> Pipeline::check_graphs(
    const std::vector<const detail::GraphBlock*>& graphs, const PipelineOptions& options) {
  for (const detail::GraphBlock* graph : graphs) {
    qnnpp::detail::expects(graph != nullptr, detail::moved_graph);  // ORD-09
    if (graph->is_for_registered) QNNPP_TRY(detail::require_registered(*graph));
  }
  const auto list = detail::planned(graphs);
  QNNPP_LET(draft, detail::PipelineDraft::make(list, options));
  detail::TensorMemoryBlock memory;
  memory.tensors = draft->tensors;
  if (auto done = memory.index(); !done) return draft->failed(list, std::move(done).error());
  return {};
}

QNNPP_INLINE Result<Pipeline> Pipeline::make(detail::AllocatorRef allocator,
                                             std::vector<Ref<detail::GraphBlock>> graphs,
                                             const PipelineOptions& options) {
  const auto list = detail::planned(graphs);
  QNNPP_LET(draft, detail::PipelineDraft::make(list, options));
  auto buffer =
      detail::Access::make<SharedBuffer<MultiTensor>>(allocator, draft->tensors, draft->bytes);
  if (!buffer) return draft->failed(list, std::move(buffer).error());

  Pipeline pipeline(std::move(*buffer));
  pipeline.graphs_ = std::move(graphs);
  if (auto done = pipeline.connect(*draft); !done)
    return draft->failed(list, std::move(done).error());
  const detail::PipelinePlan& plan = draft->plan;
  for (const auto& [name, tensor] : plan.inputs_by_name)
    pipeline.inputs_.push_back({std::string(name), tensor, plan.tensors[tensor].graph});
  for (const auto& [name, tensor] : plan.outputs_by_name)
    if (options.share_bytes == nullptr || !plan.tensors[tensor].consumed)
      pipeline.outputs_.push_back({std::string(name), tensor, plan.tensors[tensor].graph});
  pipeline.wires_ = std::move(draft->plan.wires);
  pipeline.unwritten_ = pipeline.inputs_.size();
  return pipeline;
}

QNNPP_INLINE Result<void> Pipeline::connect(const detail::PipelineDraft& draft) {
  const detail::PipelinePlan& plan = draft.plan;
  const Ref<detail::TensorMemoryBlock>& memory = detail::Access::block(buffer_);
  // One registration per context, with the tensors that its graphs use.
  std::vector<std::size_t> registration_of(graphs_.size());
  std::vector<std::vector<bool>> used;  // By registration and tensor.
  std::vector<std::size_t> first_graph_of;
  for (std::size_t g = 0; g < graphs_.size(); ++g) {
    std::size_t& at = registration_of[g];
    while (at < used.size() && !(graphs_[first_graph_of[at]]->context == graphs_[g]->context)) ++at;
    if (at == used.size()) {
      used.emplace_back(draft.tensors.size());
      first_graph_of.push_back(g);
    }
    for (const auto* tensors : {&plan.inputs[g], &plan.outputs[g]})
      for (const std::size_t tensor : *tensors) used[at][tensor] = true;
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < used.size(); ++i) {
    chosen.clear();
    for (std::size_t tensor = 0; tensor < used[i].size(); ++tensor)
      if (used[i][tensor]) chosen.push_back(tensor);
    QNNPP_LET(made, detail::register_tensors(graphs_[first_graph_of[i]]->context, memory, chosen));
    registrations_.push_back(std::move(*made));
  }

  for (std::size_t g = 0; g < graphs_.size(); ++g) {
    detail::GraphBlock& graph = *graphs_[g];
    std::vector<detail::OfferedMemory> offered;
    PipelineStage stage{.graph = graph.spec.name, .context = graph.context->name};
    const auto offer_all = [&](const std::vector<TensorSpec>& specs,
                               const std::vector<std::size_t>& tensors, std::uint64_t& bytes) {
      for (std::size_t i = 0; i < specs.size(); ++i) {
        offered.push_back({.name = specs[i].name,
                           .registration = &registrations_[registration_of[g]],
                           .tensor = tensors[i]});
        bytes += draft.tensors[tensors[i]].size_bytes;
      }
    };
    offer_all(graph.spec.inputs, plan.inputs[g], stage.input_bytes);
    offer_all(graph.spec.outputs, plan.outputs[g], stage.output_bytes);
    QNNPP_TRY(graph.use(graph.bind(std::move(offered))));
    stage.cost = graph.io_cost();
    stages_.push_back(std::move(stage));
    if (const auto& lock = graph.context->lock) {
      const auto at = std::ranges::lower_bound(locks_, lock.get(), {},
                                               [](const auto& each) { return each.get(); });
      if (at == locks_.end() || *at != lock) locks_.insert(at, lock);
    }
  }
  return {};
}

QNNPP_INLINE Result<void> Pipeline::execute(const ExecuteOptions& options) {
  QNNPP_TRY(check_call(options.profile));
  const detail::CallLimits limits(options.stop, options.at_most);
  const double wait_seconds = options.wait_at_most.seconds();
  const detail::AllLocked held(
      locks_, limits ? std::min(wait_seconds, limits.left()) : wait_seconds, limits);
  if (held.result() != detail::ExecutionLock::Attempt::taken)
    return fail(detail::not_taken(held.result(), stages_.front().graph, Errc::timed_out));
  return run_each(options.profile, limits);
}

QNNPP_INLINE Result<void> Pipeline::execute(SpillFillLease& lease, const ExecuteOptions& options) {
  QNNPP_TRY(check_call(options.profile));
  const detail::CallLimits limits(options.stop, options.at_most);
  for (const auto& lock : locks_)
    qnnpp::detail::expects(
        detail::covers(lease, lock),
        "the lease does not cover the pipeline; pass the lease of the buffer its contexts share");
  if (locks_.empty()) return run_each(options.profile, limits);
  // There is only one lock, because the lease covers all contexts.
  detail::ExecutionLock& lock = *locks_.front();
  if (!lock.begin_execution()) return fail(detail::lease_executes(stages_.front().graph));
  const detail::EndsExecution guard{lock};
  return run_each(options.profile, limits);
}

QNNPP_INLINE Result<void> Pipeline::run_each(Profile* profile, const detail::CallLimits& limits) {
  qnnpp::detail::expects(!graphs_.empty(), detail::moved_pipeline);  // ORD-09: not moved from.
  std::uint64_t before = detail::now_ns();
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    if (auto done = limits ? graphs_[i]->run(profile, limits) : graphs_[i]->run(profile); !done) {
      std::string& detail = done.error().detail;
      detail = detail::joined(
          {"graph ", i, " of the pipeline", detail.empty() ? "" : detail::joined({"; ", detail})});
      return done;
    }
    const std::uint64_t after = detail::now_ns();
    PipelineStage& stage = stages_[i];
    ++stage.executions;
    stage.last_ns = after - before;
    stage.total_ns += stage.last_ns;
    before = after;
  }
  return {};
}

QNNPP_INLINE Result<void> Pipeline::check_call(Profile* profile) const {
  if (unwritten_ != 0) [[unlikely]]
    return fail(unwritten());
  if (detail::has_open_accesses()) [[unlikely]]
    for (const auto& graph : graphs_) QNNPP_TRY(graph->check_order());
  if (profile == nullptr) return {};
  const detail::ProfiledCall profiled(profile, name_of(c_api::Slot::graph_execute));
  for (const auto& graph : graphs_)
    QNNPP_TRY(profiled.check(graph->context->backend, graph->spec.name));
  return {};
}

QNNPP_INLINE Error Pipeline::unwritten() const {
  qnnpp::detail::expects(!graphs_.empty(), detail::moved_pipeline);  // ORD-09
  const Name& input = *std::ranges::find(inputs_, false, &Name::is_written);
  return Error::make(Errc::unwritten_input, "executing a pipeline", input.name,
                     {"graph ", stages_[input.graph].graph, " (", input.graph,
                      ") reads it, but no graph before makes it and it was never written"});
}

QNNPP_INLINE Result<CpuAccess> Pipeline::access(CpuUse use) const {
  auto opened = buffer_.access(use);
  if (opened && use != CpuUse::read)
    for (const Name& input : inputs_) count_written(input);
  return opened;
}

QNNPP_INLINE std::vector<PipelineTensor> Pipeline::listed(std::vector<Name> names) const {
  std::ranges::sort(names, {}, &Name::tensor);
  std::vector<PipelineTensor> list;
  for (Name& each : names) {
    list.push_back({detail::Access::block(buffer_)->tensors[each.tensor].spec, each.graph});
    list.back().spec.name = std::move(each.name);  // Without the prefix of the buffer's name.
  }
  return list;
}

QNNPP_INLINE IoCost Pipeline::io_cost() const {
  IoCost sum;
  for (const PipelineStage& stage : stages_) sum += stage.cost;
  return sum;
}

QNNPP_INLINE const Pipeline::Name* Pipeline::find(const std::vector<Name>& names,
                                                  std::string_view name) const {
  qnnpp::detail::expects(!graphs_.empty(), detail::moved_pipeline);  // ORD-09
  // create() lists them in the order of the names.
  const auto at = std::ranges::lower_bound(names, name, {}, &Name::name);
  return at != names.end() && at->name == name ? &*at : nullptr;
}

QNNPP_INLINE Error Pipeline::unknown(const std::vector<Name>& names, std::string_view name,
                                     const char* what) {
  detail::NameList known(name);
  for (const Name& each : names) known.add("", each.name);
  return Error::make(Errc::unknown_name, "finding a tensor", name,
                     {"not ", what, "; there are: ", known.text()});
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
