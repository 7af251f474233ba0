// Definitions of survey.hpp.
#pragma once

#include "qnnpp/model/survey.hpp"

#include <algorithm>
#include <utility>

#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

QNNPP_INLINE void add_told(const std::vector<GraphSpec>& graphs,
                           const qnnpp::detail::BinaryNeeds& binary, ContextMemory& memory) {
  const auto stated = [](const std::optional<std::uint64_t>& bytes) {
    return bytes ? Bytes{bytes, SizeSource::metadata} : Bytes{};
  };
  const auto sum = [&](const auto& number) {
    ByteSum all{.exact = !graphs.empty()};
    for (const GraphSpec& graph : graphs) all.add(stated(number(graph)));
    return all.exact ? stated(all.bytes) : Bytes{};
  };
  const auto fill = [](Bytes& known, const Bytes& told) {
    if (!known.value) known = told;
  };
  memory.graphs = graphs.size();
  fill(memory.weights, stated(binary.weights_bytes));
  fill(memory.spill_fill, stated(binary.spill_fill_bytes));
  fill(memory.domain_weights, stated(qnnpp::detail::weights_bytes(graphs)));
  fill(memory.domain_spill_fill,
       sum([](const GraphSpec& graph) { return graph.spill_fill_bytes; }));
  fill(memory.io, sum(qnnpp::detail::io_bytes));
  add_io(graphs, memory);
  fill(memory.op_data, sum([](const GraphSpec& graph) { return graph.op_data_bytes; }));
  fill(memory.vtcm, sum([](const GraphSpec& graph) -> std::optional<std::uint64_t> {
         if (!graph.preparation.vtcm_mb) return std::nullopt;
         return std::uint64_t{*graph.preparation.vtcm_mb} << 20;
       }));
  ByteSum unread, shared{.exact = !graphs.empty()};
  for (const GraphSpec& graph : graphs) {
    unread.add(graph.unread_metadata_bytes);
    shared.exact = shared.exact && graph.shared_weights_bytes;
    shared.bytes = std::max(shared.bytes, graph.shared_weights_bytes.value_or(0));
  }
  if (shared.exact) fill(memory.shared_weights, stated(shared.bytes));
  memory.unread_metadata_bytes = unread.bytes;
}

QNNPP_INLINE void add_queried(const BufferRequirements& need, ContextMemory& memory) {
  memory.weights = {need.weights_bytes, SizeSource::query};
  memory.spill_fill = {need.spill_fill_bytes, SizeSource::query};
  memory.start_alignment = {need.start_alignment, SizeSource::query};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

QNNPP_INLINE Result<Survey> survey(const System& system, const BinarySource& source) {
  QNNPP_LET(binary, detail::open_checked(source));
  QNNPP_LET(spec, system.metadata(binary->bytes(), source.name));
  const auto needs = qnnpp::detail::needs_of(spec->graphs);
  keep_graphs(spec->graphs, source.enabled_graphs);
  Survey found{.memory = {.name = source.name, .file_bytes = binary->bytes().size()}, .graphs = {}};
  detail::add_told(spec->graphs, needs, found.memory);
  found.graphs = std::move(spec->graphs);
  return found;
}

QNNPP_INLINE Result<Survey> read_metadata(const Backend<Htp>& backend, const BinarySource& source) {
  const auto& block = *qnnpp::detail::Access::block(backend);
  if (block.system) return survey(*block.system, source);
  QNNPP_LET(binary, detail::open_checked(source));
  return fail(*block.system_error);
}

QNNPP_INLINE bool can_defer(const Backend<Htp>& backend) {
  return backend.capability(c_api::PropertyKey::context_support_deferred_graph_init) ==
         Capability::supported;
}

QNNPP_INLINE bool takes_io_limit(const Backend<Htp>& backend, bool in_one_call) noexcept {
  using qnnpp::detail::OptionPlace;
  return qnnpp::detail::takes_io_limit(*qnnpp::detail::Access::block(backend),
                                       in_one_call ? OptionPlace::list : OptionPlace::context);
}

QNNPP_INLINE Result<Survey> survey(const Backend<Htp>& backend, const BinarySource& source) {
  if (!can_defer(backend)) return read_metadata(backend, source);
  QNNPP_LET(binary, detail::open_checked(source));
  const std::size_t file_bytes = binary->bytes().size();
  DeferredOptions options;
  options.enabled_graphs = source.enabled_graphs;
  QNNPP_LET(
      context,
      Context<Deferred>::create(backend, std::move(*binary), options).and_then(transition::query));
  const auto& block = *qnnpp::detail::Access::block(*context);
  // The graphs apart: g++ 12 destroys the name twice if their copy fails in the initialiser.
  Survey found{.memory = {.name = source.name, .file_bytes = file_bytes}, .graphs = {}};
  found.graphs = std::vector<GraphSpec>(block.graphs);
  detail::add_queried(context->requirements(), found.memory);
  detail::add_told(block.graphs, block.needs, found.memory);
  return found;
}

QNNPP_INLINE Result<BufferRequirements> requirements_of(const ContextMemory& memory) {
  if (!memory.weights.value || !memory.spill_fill.value)
    return fail(Errc::no_metadata, "reading needs", memory.name,
                "its weights or its spill-fill are not known");
  // An earlier manifest has numbers of the metadata that are not rounded.
  const auto asked = [](const Bytes& stated) {
    return stated.source == SizeSource::metadata ? qnnpp::detail::rounded_by_backend(*stated.value)
                                                 : *stated.value;
  };
  return BufferRequirements{asked(memory.weights), asked(memory.spill_fill),
                            memory.start_alignment.value.value_or(4096)};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
