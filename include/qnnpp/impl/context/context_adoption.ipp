// Definitions of context.hpp: a context that exists already, and giving it back.
#pragma once

#include <mutex>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

inline constexpr char adopting_a_context[] = "adopting a context";
inline constexpr char releasing_a_context[] = "releasing a context";

/// Fills in the graphs and the needs of a context from its description.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<void> describe(
    ContextBlock& block, ContextDescription& from) {
  const bool has_binary = !from.binary.empty();
  if (has_binary != from.graphs.empty())
    return fail(
        Errc::invalid_argument, adopting_a_context, block.name,
        {"the description has ", has_binary ? "a binary and graphs" : "no binary and no graph",
         "; give one of them"});
  if (has_binary) {
    const BackendBlock& backend = *block.backend;
    if (!backend.system && backend.system_error) return fail(Error(*backend.system_error));
    if (!backend.system)
      return fail(Errc::no_metadata, adopting_a_context, block.name,
                  "AdoptOptions::system_library names it; or describe the graphs");
    QNNPP_LET(told, backend.system->metadata(from.binary, block.name));
    block.made_by = sdk_of(std::string_view(told->build_id));
    block.needed_api_minor = told->backend_api.minor;
    block.needed_arch = told->dsp_arch.value_or(0);
    from.graphs = std::move(told->graphs);
  }
  if (from.graphs.empty())
    return fail(Errc::no_metadata, adopting_a_context, block.name, "the binary lists no graph");
  for (const GraphSpec& graph : from.graphs)
    if (graph.inputs.empty() || graph.outputs.empty())
      return fail(Errc::invalid_argument, adopting_a_context, block.name,
                  {"graph ", graph.name, " has no ", graph.inputs.empty() ? "inputs" : "outputs",
                   "; describe both"});
  QNNPP_TRY(require_graphs(from.graphs, from.enabled_graphs, block.name));
  block.needs = needs_of(from.graphs);
  block.graphs = std::move(from.graphs);
  block.left_out = keep_graphs(block.graphs, from.enabled_graphs);
  IoNeeds io;
  (void)io.add(block.graphs);
  block.live_bytes = block.needs.weights_bytes.value_or(from.binary.size()) +
                     block.needs.spill_fill_bytes.value_or(0) + io.all;
  return {};
}

/// Asks QNN for each graph of the context `handle`, which it answers only for a context of this
/// library that is finalized. Requires the lock of setup calls.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<void> ask_for_graphs(
    const ContextBlock& block, c_api::ContextHandle handle) {
  constexpr const char* step = name_of(c_api::Slot::graph_retrieve);
  QNNPP_LET(retrieve, block.provider().find<&c_api::InterfaceTable::graph_retrieve>());
  for (const GraphSpec& graph : block.graphs) {
    QNNPP_TRY(check_name(graph.name, adopting_a_context));
    c_api::GraphHandle found = nullptr;
    auto asked = block.call(step, block.name, *retrieve, handle, graph.name.c_str(), &found);
    if (asked) continue;
    Error& error = asked.error();
    error.detail = joined({"graph ", graph.name, error.detail.empty() ? "" : "; ", error.detail});
    return asked;
  }
  return {};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<Context<Finalized>> Context<Finalized>::adopt(
    const Backend<Htp>& backend, c_api::ContextHandle handle, Ownership ownership,
    ContextDescription description) {
  auto block = Ref<detail::ContextBlock>::make(
      detail::Access::block(backend),
      description.name.empty() ? std::string("adopted context") : std::move(description.name));
  if (handle == nullptr)
    return fail(Errc::invalid_argument, detail::adopting_a_context, block->name,
                "the handle is null; pass what QNN has created");
  if (const detail::Epoch& epoch = block->epoch; epoch.has_ended())
    return fail(epoch.kind(), detail::adopting_a_context, block->name, epoch.cause());
  QNNPP_TRY(detail::describe(*block, description));
  c_api::ContextFreeFn free = [](c_api::ContextHandle, c_api::ProfileHandle) -> std::uint64_t {
    return 0;
  };
  if (ownership == Ownership::owned) {
    QNNPP_LET(found, block->provider().find<&c_api::InterfaceTable::context_free>());
    free = *found;
  }
  const std::lock_guard guard(block->backend->setup);
  const bool is_taken = block->list->has([handle](const detail::LiveContext& other) {
    return static_cast<const detail::ContextBlock&>(other).created == handle;
  });
  if (is_taken)
    return fail(Errc::in_use, detail::adopting_a_context, block->name, "a Context has this handle");
  QNNPP_TRY(detail::ask_for_graphs(*block, handle));
  block->is_borrowed = ownership == Ownership::borrowed;
  block->created = handle;
  block->own(free, handle);
  return Context(std::move(block));
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<c_api::ContextHandle>
Context<Finalized>::release() && {
  Ref<detail::ContextBlock> block = take();
  constexpr const char* step = detail::releasing_a_context;
  QNNPP_TRY(detail::check_unused(block, step));
  const detail::Epoch& epoch = block->epoch;
  if (epoch.log->has_ended()) return fail(epoch.kind(), step, block->name, epoch.cause());
  const char* const kept = block->has_external_buffers() ? "external buffers"
                           : block->binary               ? "persistent binary"
                           : block->group_bytes != 0     ? "group"
                           : block->kept                 ? "list"
                                                         : nullptr;
  if (kept != nullptr)
    return fail(Errc::invalid_argument, step, block->name,
                {"QNN uses its ", kept, ", which qnnpp owns; close() it instead"});
  const std::lock_guard guard(block->backend->setup);
  detail::LiveContexts::remove(*block);
  return block->context.release().handle;
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
