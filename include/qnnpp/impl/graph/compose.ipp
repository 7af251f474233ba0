// Definitions of compose.hpp.
#pragma once

#include "qnnpp/graph/compose.hpp"

#include <cstring>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/profiled_call.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/graph/detail/graph_configs.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Returns "graph of context", for messages.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string text_of(
    const ComposedGraph& graph) {
  return detail::joined({graph.name, " of ", graph.context});
}

/// Returns a node's op, graph, inputs and outputs, for messages.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string text_of(
    const c_api::OpConfigV1& op, const ComposedGraph& graph) {
  std::string text = detail::joined({"op ", op.type_name, " in graph ", text_of(graph), ":"});
  const auto add = [&text](const c_api::Tensor* tensors, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      // Versions 1 and 2 begin with the same members.
      const c_api::TensorV1& v1 = tensors[i].v1;
      text += detail::joined({i == 0 ? " " : ", ", v1.name, " ", name_of(v1.data_type), " ",
                              to_string({v1.dimensions, v1.dimensions + v1.rank})});
    }
  };
  add(op.input_tensors, op.num_of_inputs);
  text += " ->";
  add(op.output_tensors, op.num_of_outputs);
  return text;
}

/// Makes the error of a call for a node name the op, the graph and the tensors, too.
[[nodiscard]] QNNPP_INLINE Result<void> with_op(Result<void> done, const c_api::OpConfigV1& op,
                                                const ComposedGraph& graph) {
  if (done) return done;
  Error error = std::move(done).error();
  error.detail = text_of(op, graph) + (error.detail.empty() ? "" : "; ") + error.detail;
  return fail(std::move(error));
}

/// Returns whether a backend validates no nodes at all, so that its answer is no refusal.
[[nodiscard]] QNNPP_INLINE bool has_no_validation(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == code_of(c_api::BackendError::not_supported);
}

/// Returns what is wrong with the options; null if nothing is.
[[nodiscard]] QNNPP_INLINE const char* wrong_option(const GraphOptions& options) noexcept {
  if (options.optimization_level.value_or(0) > 3)
    return "optimization_level is not known; give 1, 2 or 3";
  if (options.precision && *options.precision != c_api::Precision::float16 &&
      *options.precision != c_api::Precision::float32)
    return "precision is not known; give float16 or float32";
  return !options.priority || is_priority(*options.priority) ? nullptr : unknown_priority;
}

/// Reserves capacity, so that the next push_back() allocates nothing.
template <class T>
void make_room_for_one(std::vector<T>& list) {
  if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
}

QNNPP_INLINE Result<ComposingHandle> ComposingHandle::make(const Context<Composing>& context,
                                                           std::string name,
                                                           const GraphOptions& options) {
  const Ref<ContextBlock>& parent = Access::block(context);
  qnnpp::detail::expects(parent, moved_context);
  constexpr const char* step = name_of(c_api::Slot::graph_create);
  QNNPP_TRY(check_new_name(name, step));
  QNNPP_LET(create, parent->provider().find<&c_api::InterfaceTable::graph_create>());

  if (const char* const wrong = wrong_option(options))
    return fail(Errc::invalid_argument, step, name, wrong);
  const GraphConfigs configs(options);

  c_api::GraphHandle handle = nullptr;
  QNNPP_TRY(
      parent->call(step, name, *create, parent->handle(), name.c_str(), configs.native(), &handle));
  ++parent->unfinished_graphs;
  return ComposingHandle(parent, handle, std::move(name), options.validate_nodes);
}

QNNPP_INLINE Result<GraphTensor> ComposingHandle::create_tensor(TensorSpec spec,
                                                                std::span<const std::byte> data) {
  constexpr const char* step = name_of(c_api::Slot::tensor_create_graph_tensor);
  QNNPP_LET(size, spec.size_bytes());
  if (*size > max_registered_bytes)  // CMP-02
    return fail(beyond_limit(step, spec.name, *size, max_registered_bytes));
  if (spec.is_dynamic())
    QNNPP_TRY(context().backend->require(c_api::PropertyKey::tensor_support_dynamic_dimensions,
                                         "dynamic dimensions", spec.name));
  QNNPP_TRY(spec.quantisation.check(spec.data_type, spec.dimensions, spec.name));
  QNNPP_TRY(check_new_name(spec.name, step));
  QNNPP_LET(create,
            context().provider().find<&c_api::InterfaceTable::tensor_create_graph_tensor>());
  // Allocated before the call, so that no failed allocation can lose a tensor that QNN has created.
  make_room_for_one(tensors_);
  std::list<TensorSpec> made_spec;
  made_spec.push_back(std::move(spec));
  c_api::Tensor tensor = {};
  describe(made_spec.back(), tensor);
  if (made_spec.back().is_dynamic()) mark_dynamic(made_spec.back(), tensor);
  if (!data.empty()) {
    tensor.v1.mem_type = c_api::TensorMemType::raw;
    tensor.v1.client_buf.data = const_cast<std::byte*>(data.data());  // QNN only reads it.
    tensor.v1.client_buf.data_size = static_cast<std::uint32_t>(data.size());
  }
  QNNPP_TRY(context().call(step, made_spec.back().name, *create, handle_, &tensor));
  made_spec.back().id = tensor.v1.id;
  specs_.splice(specs_.end(), made_spec);
  tensors_.push_back(tensor);
  return GraphTensor(graph_, tensors_.size() - 1);
}

QNNPP_INLINE Result<void> ComposingHandle::add_node(const NodeSpec& node) {
  constexpr const char* step = "adding a node";
  QNNPP_LET(add, context().provider().find<&c_api::InterfaceTable::graph_add_node>());
  for (const std::string* name : {&node.name, &node.type, &node.package})
    QNNPP_TRY(check_new_name(*name, step));
  for (const NodeParam& param : node.params) QNNPP_TRY(check_new_name(param.first, step));
  const GraphTensor* unknown = nullptr;
  const auto find = [&](const GraphTensor& tensor) {
    if (tensor.graph_ == graph_) return tensors_[tensor.index_];
    if (unknown == nullptr) unknown = &tensor;
    return c_api::Tensor{};
  };
  const auto tensors_of = [&](const std::vector<GraphTensor>& list) {
    std::vector<c_api::Tensor> tensors;
    tensors.reserve(list.size());
    for (const GraphTensor& tensor : list) tensors.push_back(find(tensor));
    return tensors;
  };
  std::vector<c_api::Tensor> inputs = tensors_of(node.inputs);
  std::vector<c_api::Tensor> outputs = tensors_of(node.outputs);
  std::vector<c_api::Param> params;
  for (const auto& [name, value] : node.params) {
    c_api::Param param;
    std::memset(&param, 0, sizeof(param));
    param.name = name.c_str();
    if (const auto* const scalar = std::get_if<c_api::Scalar>(&value)) {
      param.param_type = c_api::ParamType::scalar;
      param.scalar_param = *scalar;
    } else {
      param.param_type = c_api::ParamType::tensor;
      param.tensor_param = find(*std::get_if<GraphTensor>(&value));
    }
    params.push_back(param);
  }
  if (unknown != nullptr)
    return fail(
        unknown->graph_
            ? Error::make(Errc::foreign_object, step, node.name,
                          {"it uses a tensor of graph ", text_of(*unknown->graph_),
                           ", the node belongs to graph ", text_of(*graph_)})
            : Error::make(
                  Errc::invalid_argument, step, node.name,
                  "it uses a GraphTensor that no graph has returned; give one of this graph"));

  c_api::OpConfig op;
  std::memset(&op, 0, sizeof(op));
  op.version = c_api::OpConfigVersion::v1;
  op.v1.name = node.name.c_str();
  op.v1.package_name = node.package.c_str();
  op.v1.type_name = node.type.c_str();
  op.v1.num_of_params = static_cast<std::uint32_t>(params.size());
  op.v1.params = params.data();
  op.v1.num_of_inputs = static_cast<std::uint32_t>(inputs.size());
  op.v1.input_tensors = inputs.data();
  op.v1.num_of_outputs = static_cast<std::uint32_t>(outputs.size());
  op.v1.output_tensors = outputs.data();
  const auto call = [&](c_api::Slot slot, auto function, auto handle) {
    return with_op(context().call(name_of(slot), node.name, function, handle, op), op.v1, *graph_);
  };
  using Slot = c_api::Slot;
  const auto validate =
      context().provider().find<&c_api::InterfaceTable::backend_validate_op_config>();
  if (validates_ && validate)
    if (auto valid = call(Slot::backend_validate_op_config, *validate,
                          context().backend->backend.get().handle);
        !valid && !has_no_validation(valid.error()))
      return valid;
  return call(Slot::graph_add_node, *add, handle_);
}

QNNPP_INLINE Result<Ref<GraphBlock>> ComposingHandle::finalized(Profile* profile) {
  const Ref<ContextBlock> parent = std::move(context_);
  qnnpp::detail::expects(parent, moved_graph);
  QNNPP_LET(finalize, parent->provider().find<&c_api::InterfaceTable::graph_finalize>());
  QNNPP_LET(execute, parent->provider().find<&c_api::InterfaceTable::graph_execute>());
  GraphSpec spec{.name = graph_->name};
  for (const TensorSpec& tensor : specs_) {
    if (tensor.kind == c_api::TensorType::app_write) spec.inputs.push_back(tensor);
    if (tensor.kind == c_api::TensorType::app_read) spec.outputs.push_back(tensor);
  }
  // Allocated before the call, so that no failed allocation can lose a graph that QNN has
  // finalized. Only its record is allocated afterwards, when the context lists the graph.
  make_room_for_one(parent->graphs);
  auto block = Ref<GraphBlock>::make(parent, handle_, *execute, nullptr, spec);
  constexpr const char* step = name_of(c_api::Slot::graph_finalize);
  ProfiledCall profiled(profile, step);
  QNNPP_TRY(profiled.check(parent->backend, graph_->name));
  auto done = profiled([&](c_api::ProfileHandle with) {
    return parent->call(step, graph_->name, *finalize, handle_, with, nullptr);
  });
  if (done) {
    --parent->unfinished_graphs;
    parent->graphs.push_back(std::move(spec));
  }
  profiled.record(graph_->name, done);
  if (!done) return fail(std::move(done).error());
  return block;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
