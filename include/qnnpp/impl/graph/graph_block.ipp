// Definitions of graph_block.hpp.
#pragma once

#include "qnnpp/graph/detail/graph_block.hpp"

#include <algorithm>

#include "qnnpp/abi/graph.hpp"
#include "qnnpp/backend/detail/profiled_call.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/graph/execute_options.hpp"
#include "qnnpp/impl/graph/offered_memory.ipp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE GraphBlock::GraphBlock(Ref<ContextBlock> parent, c_api::GraphHandle made,
                                    c_api::GraphExecuteFn execute, const GraphSpec* listed,
                                    GraphSpec described)
    : context(std::move(parent)),
      call(execute, made, context->epoch, context->lock),
      composed(std::move(described)),
      spec(listed != nullptr ? *listed : composed),
      user(*context, "graph ", spec.name) {}

QNNPP_INLINE GraphBlock::~GraphBlock() = default;

QNNPP_INLINE void GraphBlock::unbind() noexcept {
  static_cast<BoundMemory&>(*this) = {};
  call.use(inputs, outputs);
}

QNNPP_INLINE Result<void> GraphBlock::run(Profile* profile, c_api::SignalHandle signal) const {
  if (profile == nullptr && signal == nullptr) return run();
  ProfiledCall profiled(profile, name_of(c_api::Slot::graph_execute));
  QNNPP_TRY(profiled.check(context->backend, spec.name));
  const Epoch& epoch = call.epoch();
  const std::uint64_t created = epoch.contexts_created();
  const std::uint64_t logged = error_lines->count();
  const bool is_dead = epoch.has_ended();
  if (!is_dead && needs_checks() && !is_in_order()) QNNPP_TRY(check_order());
  const std::uint64_t native =
      is_dead ? not_called
              : profiled([&](c_api::ProfileHandle with) { return call(with, signal); });
  const bool has_executed = !is_dead && is_success(native);
  order.executed(has_executed);
  auto done = has_executed ? Result<void>() : failed(native, created, logged);
  profiled.record(spec.name, done);
  return done;
}

QNNPP_INLINE Result<void> GraphBlock::run(Profile* profile, const CallLimits& limits) const {
  if (!limits) return run(profile);
  SignalledCall signalled(limits, "executing", spec.name);
  QNNPP_TRY(signalled.begin(*context->backend, &signals));
  return signalled.finished(run(profile, signalled.signal()));
}

[[gnu::noinline]] QNNPP_INLINE Result<void> GraphBlock::lock_and_run(Profile* profile,
                                                                     double seconds) const {
  const auto& lock = call.lock();
  if (!lock) return run(profile);
  if (const auto attempt = lock->take(seconds); attempt != ExecutionLock::Attempt::taken)
    return fail(not_taken(attempt, spec.name, Errc::timed_out));
  const GivesBack guard{*lock};
  return profile == nullptr ? run() : run(profile);
}

[[gnu::noinline]] QNNPP_INLINE Result<void> GraphBlock::lock_and_run(
    const ExecuteOptions& options) const {
  const double seconds = options.wait_at_most.seconds();
  const CallLimits limits(options.stop, options.at_most);
  if (!limits) return lock_and_run(options.profile, seconds);
  const auto& lock = call.lock();
  if (!lock) return run(options.profile, limits);
  const auto attempt = lock->take(std::min(seconds, limits.left()), limits.stop());
  if (attempt != ExecutionLock::Attempt::taken)
    return fail(not_taken(attempt, spec.name, Errc::timed_out));
  const GivesBack guard{*lock};
  return run(options.profile, limits);
}

[[gnu::noinline]] QNNPP_INLINE Result<void> GraphBlock::run_under_lease(
    Profile* profile, const CallLimits& limits) const {
  const auto& lock = call.lock();
  if (!lock) return run(profile, limits);
  if (!lock->begin_execution()) return fail(lease_executes(spec.name));
  const EndsExecution guard{*lock};
  return run(profile, limits);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<void> GraphBlock::failed(
    std::uint64_t native, std::uint64_t created, std::uint64_t logged) const {
  if (native == not_called)
    return fail(call.epoch().kind(), name_of(c_api::Slot::graph_execute), spec.name,
                call.epoch().cause());
  call.epoch().record(native, created);
  Error error = context->with_facts(
      with_log(Error::from_qnn(native, name_of(c_api::Slot::graph_execute), spec.name), logged));
  error.facts |= facts_of_memory();
  if (is_exhausted(error)) name_live_contexts(error, *context->list, context.get());
  return fail(std::move(error));
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::uint32_t GraphBlock::facts_of_memory()
    const noexcept {
  std::uint32_t facts = fact::registered;
  for (const UsedMemory& each : used) {
    if (!each.registration) return fact::raw_tensors;
    if (each.registration->is_by_address) facts = 0;
  }
  return facts;
}

QNNPP_INLINE void describe(const TensorSpec& spec, c_api::Tensor& tensor) {
  tensor.version = c_api::TensorVersion::v1;
  c_api::TensorV1& v1 = tensor.v1;
  v1.id = spec.id;
  v1.name = spec.name.c_str();
  v1.type = spec.kind;
  v1.data_format = spec.format;
  v1.data_type = spec.data_type;
  v1.quantize_params.encoding_definition = c_api::Definition::undefined;
  v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::undefined;
  if (spec.quantisation) v1.quantize_params = spec.quantisation.native();
  v1.rank = static_cast<std::uint32_t>(spec.dimensions.size());
  v1.dimensions = const_cast<std::uint32_t*>(spec.dimensions.data());  // QNN only reads them.
  v1.mem_type = spec.mem_type;
}

[[gnu::noinline]] QNNPP_INLINE std::size_t GraphBlock::find_tensor(
    std::string_view name, std::optional<bool> is_output) const {
  const NamesView all(this, tensor_count(), [](const void* graph, std::size_t i) noexcept {
    return std::string_view(static_cast<const GraphBlock*>(graph)->spec_at(i).name);
  });
  if (!tensors_by_name.is_built(all)) [[unlikely]] {
    const std::lock_guard guard(names);  // The searches of several threads may be the first.
    (void)tensors_by_name.find(name, all);
  }
  std::size_t at = tensors_by_name.find(name, all);
  if (at == NameTable::none) return tensor_count();
  const std::size_t inputs_count = spec.inputs.size();
  if (!is_output || *is_output == (at >= inputs_count)) return at;
  if (!*is_output) return tensor_count();
  // An output may have the name of an input.
  at = inputs_count;
  while (at != tensor_count() && spec_at(at).name != name) ++at;
  return at;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Failure GraphBlock::unknown_tensor(
    std::string_view name, const char* step, std::optional<bool> is_output) const {
  NameList known(name);
  for (std::size_t i = 0; i < tensor_count(); ++i)
    if (!is_output || *is_output == (i >= spec.inputs.size())) known.add("", spec_at(i).name);
  const char* const kind = !is_output ? "tensors " : *is_output ? "outputs " : "inputs ";
  return fail(Errc::unknown_name, step, name,
              {"graph ", spec.name, " has the ", kind, known.text()});
}

QNNPP_INLINE Result<GraphBlock::RegisteredTensor> GraphBlock::registered_tensor(
    std::string_view name, bool is_output) const {
  QNNPP_LET(at, index_of(name, finding_step, is_output));
  const UsedMemory& bound_to = used[*at];
  if (!bound_to.registration)
    return fail(Errc::raw_memory, finding_step, spec_at(*at).name, {"graph ", spec.name});
  RegisteredTensor found{*at, bound_to.registration->memory, bound_to.tensor};
  if (const c_api::Tensor& bound = tensor_at(*at); bound.version == c_api::TensorVersion::v2)
    QNNPP_TRY(complete_extents(spec_at(*at), bound, found));
  return found;
}

QNNPP_INLINE Result<Ref<GraphBlock>> retrieve_graph(const Ref<ContextBlock>& context,
                                                    const std::string& name) {
  constexpr const char* step = name_of(c_api::Slot::graph_retrieve);
  qnnpp::detail::expects(context, moved_context);
  QNNPP_TRY(check_name(name, step));
  const std::vector<GraphSpec>& graphs = context->graphs;
  const std::uint32_t at = [&] {
    const std::lock_guard guard(context->objects);
    return context->graphs_by_name.find(name, graphs);
  }();
  if (at == NameTable::none && !graphs.empty()) {
    const bool is_there = context->leaves_out(name);
    NameList known(name);
    for (const GraphSpec& graph : graphs) known.add("", graph.name);
    const char* has = context->left_out.empty() ? " has: " : " has enabled: ";
    Error error = Error::make(Errc::unknown_name, step, name, {context->name, has, known.text()});
    error.found = is_there ? 1 : 0;
    return fail(std::move(error));
  }

  QNNPP_LET(retrieve, context->provider().find<&c_api::InterfaceTable::graph_retrieve>());
  QNNPP_LET(execute, context->provider().find<&c_api::InterfaceTable::graph_execute>());
  c_api::GraphHandle handle = nullptr;
  QNNPP_LET(got, [&] {
    const std::lock_guard guard(context->objects);
    return context->call(step, name, *retrieve, context->handle(), name.c_str(), &handle);
  }());
  if (at == NameTable::none) {
    if (context->metadata_error) return fail(context->metadata_error->error);
    return fail(Errc::no_metadata, step, name, {context->name, " lists no graph"});
  }
  return Ref<GraphBlock>::make(context, handle, *execute, &graphs[at]);
}

QNNPP_INLINE Result<void> require_registered(const GraphBlock& graph) {
  const BackendBlock& backend = *graph.context->backend;
  if (backend.decide(TensorMemory::registered) == TensorMemory::registered) return {};
  return fail(Errc::capability_missing, "using RegisteredIo", graph.spec.name,
              {backend.library.path(),
               " gets tensors by address and copies them; use AnyIo, or load the "
               "backend with TensorMemory::registered"});
}

QNNPP_INLINE Result<void> require_prepared(const GraphBlock& graph, bool for_registered) {
  for (const auto* tensors : {&graph.spec.inputs, &graph.spec.outputs})
    for (const TensorSpec& tensor : *tensors) {
      if ((tensor.mem_type == c_api::TensorMemType::memhandle) == for_registered) continue;
      const auto bytes = tensor.size_bytes();
      return fail(
          Errc::memory_type_mismatch, "retrieving a graph", tensor.name,
          {"graph ", graph.spec.name, " was prepared ",
           for_registered ? "for raw memory here and keeps a copy of "
                          : "for registered memory here; the first raw inference allocates ",
           bytes ? std::to_string(*bytes) : std::string("?"), " bytes"});
    }
  if (for_registered) return require_registered(graph);
  return {};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
