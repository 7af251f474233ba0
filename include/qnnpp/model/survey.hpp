// Survey: what a context binary will take, without loading it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::model {

namespace detail {

/// Adds what the graphs of a binary tell of themselves.
inline void add_told(std::span<const GraphSpec> graphs, std::span<const GraphNeeds> needs,
                     ContextMemory& memory) {
  memory.graphs = graphs.size();
  std::uint64_t io = 0;
  bool sized = !graphs.empty();
  for (const GraphSpec& graph : graphs)
    for (const auto* tensors : {&graph.inputs, &graph.outputs})
      for (const TensorSpec& tensor : *tensors) {
        const auto bytes = tensor.size_bytes();
        sized = sized && bytes.has_value();
        io += bytes.value_or(0);
      }
  if (sized) memory.io = {io, SizeSource::metadata};

  const auto told = [&](auto member, bool largest) -> Bytes {
    std::uint64_t all = 0;
    for (const GraphNeeds& graph : needs) {
      const auto& bytes = graph.*member;
      if (!bytes) return {};
      all = largest ? (*bytes > all ? *bytes : all) : all + *bytes;
    }
    return needs.empty() ? Bytes{} : Bytes{all, SizeSource::metadata};
  };
  if (!memory.spill_fill.value) memory.spill_fill = told(&GraphNeeds::spill_fill_bytes, true);
  if (!memory.weights.value) memory.weights = told(&GraphNeeds::constant_bytes, false);
  memory.op_data = told(&GraphNeeds::op_data_bytes, false);
}

/// Adds what the backend answered.
inline void add_queried(const BufferRequirements& need, ContextMemory& memory) {
  memory.weights = {need.weights_bytes, SizeSource::query};
  memory.spill_fill = {need.spill_fill_bytes, SizeSource::query};
  memory.start_alignment = {need.start_alignment, SizeSource::query};
}

}  // namespace detail

/// What a binary's metadata tells. Errors: `file_unreadable`, `empty`, the system library's; the error
/// for a missing system library.
[[nodiscard]] inline Result<ContextMemory> read_metadata(const Backend<Htp>& backend,
                                                         const BinarySource& source) {
  auto binary = source.open();
  if (!binary) return fail(std::move(binary).error());
  const auto& block = *backend.control();
  if (!block.system) return fail(*block.system_error);
  auto spec = block.system->metadata(binary->bytes(), source.name);
  if (!spec) return fail(std::move(spec).error());
  ContextMemory memory{.name = source.name, .file_bytes = binary->bytes().size()};
  detail::add_told(spec->graphs, spec->needs, memory);
  return memory;
}

/// What a binary will take: asked of a deferred context, which is dropped again, and completed from
/// the metadata; where the backend cannot defer, from the metadata alone. Nothing is brought up.
/// Errors: `file_unreadable`, `empty`, what creating and querying return.
[[nodiscard]] inline Result<ContextMemory> survey(const Backend<Htp>& backend,
                                                  const BinarySource& source) {
  if (backend.capability(abi::PropertyKey::context_support_deferred_graph_init) !=
      Capability::supported)
    return read_metadata(backend, source);
  auto binary = source.open();
  if (!binary) return fail(std::move(binary).error());
  ContextMemory memory{.name = source.name, .file_bytes = binary->bytes().size()};
  auto context = Context<Deferred>::create(backend, std::move(*binary)).and_then(query);
  if (!context) return fail(std::move(context).error());
  detail::add_queried(context->requirements(), memory);
  const auto& block = *context->control();
  detail::add_told(block.graphs, block.needs, memory);
  return memory;
}

}  // namespace qnnpp::model
