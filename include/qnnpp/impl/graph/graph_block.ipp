// Definitions of graph_block.hpp.
#pragma once

#include "qnnpp/graph/detail/graph_block.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/graph.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/graph/binding.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

QNNPP_INLINE GraphBlock::GraphBlock(Ref<ContextBlock> parent, c_api::GraphHandle made,
                                    const GraphSpec* listed, c_api::GraphExecuteFn execute)
    : context(std::move(parent)), call(execute, made), spec(*listed) {}

QNNPP_INLINE GraphBlock::GraphBlock(Ref<ContextBlock> parent, c_api::GraphHandle made,
                                    GraphSpec described, c_api::GraphExecuteFn execute)
    : context(std::move(parent)),
      call(execute, made),
      composed(std::move(described)),
      spec(composed) {}

QNNPP_INLINE GraphBlock::~GraphBlock() = default;

QNNPP_INLINE void GraphBlock::unbind() noexcept {
  inputs.clear();
  outputs.clear();
  call.use(inputs, outputs);
  memory.clear();
  cost = {};
}

QNNPP_COLD QNNPP_INLINE Result<void> GraphBlock::failed(std::uint64_t native,
                                                        std::uint64_t created) const {
  if (native == not_called)
    return fail(Error::make(Errc::dead, name_of(c_api::Slot::graph_execute), spec.name));
  context->epoch.record(native, created);
  return fail(Error::from_qnn(native, name_of(c_api::Slot::graph_execute), spec.name));
}

QNNPP_INLINE c_api::Tensor c_tensor(const TensorSpec& spec) {
  c_api::Tensor tensor;
  std::memset(&tensor, 0, sizeof(tensor));
  tensor.version = c_api::TensorVersion::v1;
  c_api::TensorV1& v1 = tensor.v1;
  v1.id = spec.id;
  v1.name = spec.name.c_str();
  v1.type = spec.kind;
  v1.data_format = spec.format;
  v1.data_type = spec.data_type;
  v1.quantize_params.encoding_definition = c_api::Definition::undefined;
  v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::undefined;
  if (spec.scale != 0.0f) {
    v1.quantize_params.encoding_definition = c_api::Definition::defined;
    v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::scale_offset;
    v1.quantize_params.scale_offset_encoding = {spec.scale, spec.offset};
  }
  v1.rank = static_cast<std::uint32_t>(spec.dimensions.size());
  v1.dimensions = const_cast<std::uint32_t*>(spec.dimensions.data());  // QNN only reads them.
  v1.mem_type = spec.mem_type;
  return tensor;
}

/// Checks that `binding` fits `spec` by type, shape and size, and writes its memory to `tensor`.
[[nodiscard]] QNNPP_INLINE Result<void> bind_memory(const ContextBlock& context,
                                                    const Binding& binding, const TensorSpec& spec,
                                                    bool is_output, c_api::Tensor& tensor) {
  constexpr const char* step = "binding a graph";
  const auto types_differ = [&](c_api::DataType found) {
    return fail(Error::make(Errc::type_mismatch, step, spec.name,
                            std::string("the graph's tensor is ") + name_of(spec.data_type) +
                                ", the memory " + name_of(found)));
  };
  const auto shapes_differ = [&](std::span<const std::uint32_t> found) {
    return fail(Error::make(Errc::shape_mismatch, step, spec.name,
                            "the graph's tensor is " + to_string(spec.dimensions) +
                                ", the memory " +
                                to_string(std::vector<std::uint32_t>(found.begin(), found.end()))));
  };

  if (const auto& registration = Access::block(binding)) {
    const auto at = registration->find(binding.registered_name());
    if (!at) return fail(at.error());
    if (registration->context.get() != &context)
      return fail(Error::make(Errc::foreign_object, step, spec.name,
                              "the memory is registered with " + registration->context->name +
                                  ", the graph belongs to " + context.name));
    const TensorSpec& found = registration->memory->tensors[*at].spec;
    if (found.data_type != spec.data_type) return types_differ(found.data_type);
    if (found.dimensions != spec.dimensions) return shapes_differ(found.dimensions);
    if (!same_quantisation(found, spec))
      return fail(Error::make(Errc::type_mismatch, step, spec.name,
                              "the graph's tensor has " + quantisation_text(spec) +
                                  ", the memory " + quantisation_text(found)));
    tensor.v1.mem_type = c_api::TensorMemType::memhandle;
    tensor.v1.mem_handle = registration->handles[*at];
    return {};
  }

  if (!binding.carries(spec.data_type)) return types_differ(binding.data_type());
  if (const auto stated = binding.dimensions(); !stated.empty()) {
    bool same = stated.size() == spec.dimensions.size();
    for (std::size_t i = 0; same && i < stated.size(); ++i) same = stated[i] == spec.dimensions[i];
    if (!same) return shapes_differ(stated);
  }
  const auto size = spec.size_bytes();
  if (!size) return fail(size.error());
  if (binding.size_bytes() != *size || binding.data() == nullptr)
    return fail(Error::mismatch(Errc::size_mismatch, step, spec.name, *size, binding.size_bytes()));
  if (*size > UINT32_MAX)
    return fail(Error::mismatch(Errc::too_large, step, spec.name, UINT32_MAX, *size));
  if (is_output && !binding.writable())
    return fail(Error::make(Errc::invalid_argument, step, spec.name,
                            "an output needs memory that is not const"));
  tensor.v1.mem_type = c_api::TensorMemType::raw;
  tensor.v1.client_buf.data = binding.data();
  tensor.v1.client_buf.data_size = static_cast<std::uint32_t>(*size);
  return {};
}

QNNPP_INLINE Result<void> GraphBlock::bind(std::span<const Binding> bindings) {
  constexpr const char* step = "binding a graph";
  unbind();
  std::vector<bool> used(bindings.size(), false);
  const auto bind_all = [&](const std::vector<TensorSpec>& specs, bool are_outputs,
                            std::vector<c_api::Tensor>& tensors) -> Result<void> {
    for (const TensorSpec& tensor_spec : specs) {
      const Binding* chosen = nullptr;
      for (std::size_t i = 0; i < bindings.size(); ++i) {
        if (bindings[i].name() != tensor_spec.name) continue;
        if (chosen != nullptr)
          return fail(Error::make(Errc::duplicate_name, step, tensor_spec.name,
                                  "bound twice to graph " + spec.name));
        chosen = &bindings[i];
        used[i] = true;
      }
      if (chosen == nullptr)
        return fail(Error::make(Errc::missing_tensor, step, tensor_spec.name,
                                std::string(are_outputs ? "an output" : "an input") + " of graph " +
                                    spec.name + " got no memory"));
      c_api::Tensor tensor = c_tensor(tensor_spec);
      if (auto bound = bind_memory(*context, *chosen, tensor_spec, are_outputs, tensor); !bound)
        return bound;
      const auto bytes = tensor_spec.size_bytes();
      if (!bytes) return fail(bytes.error());
      const auto& registration = Access::block(*chosen);
      cost += IoCost::of(tensor_spec.mem_type, static_cast<bool>(registration), *bytes);
      tensors.push_back(tensor);
      if (registration && (memory.empty() || !(memory.back() == registration)))
        memory.push_back(registration);
    }
    return {};
  };
  auto bound = bind_all(spec.inputs, false, inputs);
  if (bound) bound = bind_all(spec.outputs, true, outputs);
  for (std::size_t i = 0; bound && i < bindings.size(); ++i)
    if (!used[i])
      bound = fail(Error::make(Errc::unknown_name, step, std::string(bindings[i].name()),
                               "graph " + spec.name + " has no input or output of this name"));
  if (!bound) unbind();
  call.use(inputs, outputs);
  return bound;
}

QNNPP_INLINE Result<GraphBlock::Place> GraphBlock::place_of(std::string_view name,
                                                            bool is_output) const {
  constexpr const char* step = "finding a tensor";
  const auto& specs = is_output ? spec.outputs : spec.inputs;
  const auto& bound = is_output ? outputs : inputs;
  std::string known;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].name != name) {
      known += (known.empty() ? "" : ", ") + specs[i].name;
      continue;
    }
    const c_api::TensorV1& tensor = bound[i].v1;
    if (tensor.mem_type != c_api::TensorMemType::memhandle)
      return fail(Error::make(Errc::raw_memory, step, specs[i].name, "graph " + spec.name));
    // A handle belongs to one registration, and to tensors in the same bytes.
    for (const auto& registration : memory)
      for (std::size_t at = 0; at < registration->handles.size(); ++at)
        if (registration->handles[at] == tensor.mem_handle) return Place{registration->memory, at};
  }
  return fail(Error::make(
      Errc::unknown_name, step, std::string(name),
      "graph " + spec.name + (is_output ? " has the outputs " : " has the inputs ") + known));
}

QNNPP_INLINE Result<Ref<GraphBlock>> retrieve_graph(const Ref<ContextBlock>& context,
                                                    const std::string& name) {
  constexpr const char* step = name_of(c_api::Slot::graph_retrieve);
  QNNPP_EXPECTS(context, moved_context);
  const GraphSpec* spec = nullptr;
  for (const GraphSpec& graph : context->graphs)
    if (graph.name == name) spec = &graph;
  if (spec == nullptr && !context->graphs.empty()) {
    std::string known;
    for (const GraphSpec& graph : context->graphs)
      known += (known.empty() ? "" : ", ") + graph.name;
    const char* has = context->configs.enabled_graphs().empty() ? " has: " : " has enabled: ";
    return fail(Error::make(Errc::unknown_name, step, name, context->name + has + known));
  }

  const auto retrieve = context->provider().find<&c_api::InterfaceTable::graph_retrieve>();
  const auto execute = context->provider().find<&c_api::InterfaceTable::graph_execute>();
  if (!retrieve) return fail(retrieve.error());
  if (!execute) return fail(execute.error());
  c_api::GraphHandle handle = nullptr;
  auto got = [&] {
    const std::lock_guard guard(context->objects);
    return context->call(step, name, *retrieve, context->handle(), name.c_str(), &handle);
  }();
  if (!got) return fail(std::move(got).error());
  if (spec == nullptr) {
    if (context->metadata_error) return fail(*context->metadata_error);
    return fail(Error::make(Errc::no_metadata, step, name, context->name + " lists no graph"));
  }
  return Ref<GraphBlock>::make(context, handle, spec, *execute);
}

QNNPP_INLINE Result<void> require_prepared(const GraphBlock& graph, bool for_registered) {
  for (const auto* tensors : {&graph.spec.inputs, &graph.spec.outputs})
    for (const TensorSpec& tensor : *tensors) {
      if ((tensor.mem_type == c_api::TensorMemType::memhandle) == for_registered) continue;
      const auto bytes = tensor.size_bytes();
      return fail(Error::make(
          Errc::memory_type_mismatch, "retrieving a graph", tensor.name,
          "graph " + graph.spec.name + " was prepared " +
              (for_registered ? "for raw memory here and keeps a copy of "
                              : "for registered memory here; the first raw inference allocates ") +
              (bytes ? std::to_string(*bytes) : std::string("?")) + " bytes"));
    }
  return {};
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
