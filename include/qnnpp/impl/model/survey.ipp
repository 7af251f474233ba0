// Definitions of survey.hpp.
#pragma once

#include "qnnpp/model/survey.hpp"

#include <algorithm>
#include <utility>

#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

QNNPP_INLINE void add_told(std::span<const GraphSpec> graphs, ContextMemory& memory) {
  memory.graphs = graphs.size();
  ByteSum unread;
  for (const GraphSpec& graph : graphs) unread.add(graph.unread_metadata_bytes);
  memory.unread_metadata_bytes = unread.bytes;
  ByteSum io{.exact = !graphs.empty()};
  for (const GraphSpec& graph : graphs)
    for (const auto* tensors : {&graph.inputs, &graph.outputs})
      for (const TensorSpec& tensor : *tensors) {
        const auto bytes = tensor.size_bytes();
        io.add(bytes ? Bytes{*bytes, SizeSource::metadata} : Bytes{});
      }
  if (io.exact) memory.io = {io.bytes, SizeSource::metadata};

  const auto told = [&](auto member, bool largest) -> Bytes {
    ByteSum all{.exact = !graphs.empty()};
    for (const GraphSpec& graph : graphs) {
      const auto& bytes = graph.*member;
      if (!bytes) return {};
      if (largest)
        all.bytes = std::max(all.bytes, *bytes);
      else
        all.add(*bytes);
    }
    return all.exact ? Bytes{all.bytes, SizeSource::metadata} : Bytes{};
  };
  if (!memory.spill_fill.value) memory.spill_fill = told(&GraphSpec::spill_fill_bytes, true);
  if (!memory.weights.value) {
    memory.weights = told(&GraphSpec::constant_bytes, false);
    // The context has the weights that its graphs share once.
    if (const Bytes shared = told(&GraphSpec::shared_weights_bytes, true);
        memory.weights.value && shared.value)
      memory.weights.value = ByteSum{*memory.weights.value}.add(*shared.value).bytes;
  }
  if (!memory.op_data.value) memory.op_data = told(&GraphSpec::op_data_bytes, false);
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
  keep_graphs(spec->graphs, source.enabled_graphs);
  Survey found{.memory = {.name = source.name, .file_bytes = binary->bytes().size()}, .graphs = {}};
  detail::add_told(spec->graphs, found.memory);
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

QNNPP_INLINE Result<Survey> survey(const Backend<Htp>& backend, const BinarySource& source) {
  if (!can_defer(backend)) return read_metadata(backend, source);
  QNNPP_LET(binary, detail::open_checked(source));
  Survey found{.memory = {.name = source.name, .file_bytes = binary->bytes().size()}, .graphs = {}};
  DeferredOptions options;
  options.enabled_graphs = source.enabled_graphs;
  QNNPP_LET(
      context,
      Context<Deferred>::create(backend, std::move(*binary), options).and_then(transition::query));
  detail::add_queried(context->requirements(), found.memory);
  const auto& block = *qnnpp::detail::Access::block(*context);
  detail::add_told(block.graphs, found.memory);
  found.graphs = block.graphs;
  return found;
}

QNNPP_INLINE Result<BufferRequirements> requirements_of(const ContextMemory& memory) {
  if (!memory.weights.value || !memory.spill_fill.value)
    return fail(Error::make(Errc::no_metadata, "reading needs", memory.name,
                            "its weights or its spill-fill are not known"));
  const auto asked = [](const Bytes& stated) {
    return stated.source == SizeSource::metadata ? detail::rounded_by_backend(*stated.value)
                                                 : *stated.value;
  };
  BufferRequirements need{asked(memory.weights), asked(memory.spill_fill),
                          memory.start_alignment.value.value_or(4096)};
  if (memory.weights.source == SizeSource::metadata) {
    // Each further graph may add almost one piece, and so may the weights that graphs share. Every
    // binary needs at least one piece.
    need.weights_bytes = std::max(need.weights_bytes, detail::rounded_by_backend(1));
    for (std::size_t i = 1; i < memory.graphs + (memory.graphs > 1 ? 1 : 0); ++i)
      need.weights_bytes = ByteSum{need.weights_bytes}.add(detail::rounded_by_backend(1)).bytes;
  }
  return need;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
