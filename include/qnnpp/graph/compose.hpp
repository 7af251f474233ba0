// Graph<Composing, Io>: a graph that is being made, tensor by tensor and node by node.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/graph/graph.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

/// Which graph is meant: its tensors refer to it wherever the graph is moved to.
struct ComposedGraph : RefCounted<ComposedGraph> {
  ComposedGraph(std::string called, std::string of)
      : name(std::move(called)), context(std::move(of)) {}
  std::string name;
  std::string context;  ///< Its name.
};

}  // namespace detail

/// A tensor of a graph that is being composed. Another graph refuses it.
class GraphTensor {
 public:
  /// No tensor: every graph refuses it.
  GraphTensor() = default;

 private:
  template <class, class>
  friend class Graph;
  GraphTensor(Ref<detail::ComposedGraph> graph, std::size_t index)
      : graph_(std::move(graph)), index_(index) {}

  Ref<detail::ComposedGraph> graph_;
  std::size_t index_ = 0;
};

/// A parameter of a node: a scalar, or a static tensor of the graph.
struct NodeParam {
  std::string name = {};
  c_api::Scalar scalar{};
  bool is_tensor = false;
  GraphTensor tensor{};
};

/// A scalar by the type of `value`: a bool is BOOL_8, a floating-point number FLOAT_32, a whole
/// number UINT_32, as QNN's operations want theirs, or INT_32 where it is negative. For another
/// type fill NodeParam::scalar.
template <class T>
  requires(std::is_arithmetic_v<T> && (!std::is_integral_v<T> || sizeof(T) <= 4))
[[nodiscard]] NodeParam scalar_param(std::string name, T value) {
  NodeParam param{.name = std::move(name)};
  param.scalar.uint64_value = 0;
  if constexpr (std::is_same_v<T, bool>) {
    param.scalar.data_type = c_api::DataType::bool_8;
    param.scalar.bool8_value = value ? 1 : 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    param.scalar.data_type = c_api::DataType::float_32;
    param.scalar.float_value = static_cast<float>(value);
  } else {
    const bool negative = value < T{};
    param.scalar.data_type = negative ? c_api::DataType::int_32 : c_api::DataType::uint_32;
    // The same four bytes either way.
    param.scalar.uint32_value = static_cast<std::uint32_t>(value);
  }
  return param;
}
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) > 4)
QNNPP_REFUSE("a scalar of QNN has 32 bits; cast the value to std::uint32_t", NodeParam,
             scalar_param(std::string, T));
[[nodiscard]] inline NodeParam tensor_param(std::string name, GraphTensor tensor) {
  return {.name = std::move(name), .is_tensor = true, .tensor = std::move(tensor)};
}

/// An operation: its type as QNN's operation definitions name it, and what goes in and out.
struct NodeSpec {
  std::string name = {};
  std::string type = {};
  std::vector<GraphTensor> inputs = {};
  std::vector<GraphTensor> outputs = {};
  std::vector<NodeParam> params = {};
  std::string package = "qti.aisw";
};

/// How a graph is prepared. 0: the backend's default.
struct GraphOptions {
  std::uint32_t vtcm_mb = 0;
  std::uint32_t optimization_level = 0;
};

/// A graph of a composing context. Tensors come first, then the nodes that use them, then
/// finalize().
///
/// Io is the hint for its inputs and outputs: RegisteredIo prepares all of them for registered
/// memory, RawIo all for raw memory (QMEM-05); with AnyIo each one's `mem_type` says it.
///
/// Move-only; keeps the context alive. Dropped without finalize() it stays in the context as an
/// unfinished graph, and the context cannot be finalized. One thread at a time uses the graphs of a
/// composing context, and the context itself.
template <class Io>
class QNNPP_LINEAR Graph<Composing, Io> {
  using Final = Graph<Retrieved, Io>;

 public:
  QNNPP_MOVE_ONLY(Graph, "a graph has one owner; write std::move(graph)");
  template <detail::ResultOf<Graph> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(graph), or use value_or_throw()", Graph,
      const R&);

  /// Begins a graph (QnnGraph_create). Errors: `invalid_argument` for a name that holds a NUL;
  /// `qnn`.
  [[nodiscard]] static Result<Graph> create(const Context<Composing>& context, std::string name,
                                            const GraphOptions& options = {});
  static QNNPP_REFUSE("a context from a binary takes no new graphs; use Context<Composing>",
                      Result<Graph>,
                      create(const Context<Finalized>&, std::string, const GraphOptions& = {}));

  /// Adds an input, output or intermediate, as `spec.kind` says (QnnTensor_createGraphTensor). An
  /// input or output for registered memory carries memType MEMHANDLE and no handle, here and in the
  /// nodes that use it (QMEM-05). Errors: those of TensorSpec::size_bytes(); `invalid_argument` for
  /// a name that holds a NUL; `qnn`.
  [[nodiscard]] QNNPP_LIVE Result<GraphTensor> add_tensor(TensorSpec spec) {
    const bool is_io =
        spec.kind == c_api::TensorType::app_write || spec.kind == c_api::TensorType::app_read;
    if (!is_io || std::is_same_v<Io, RawIo>)
      spec.mem_type = c_api::TensorMemType::raw;
    else if (std::is_same_v<Io, RegisteredIo>)
      spec.mem_type = c_api::TensorMemType::memhandle;
    return create_tensor(std::move(spec), {});
  }

  /// Adds a constant: `spec.kind` becomes STATIC. `data` stays in place until finalize() returns:
  /// QNN is given its address again with each node that uses the constant.
  /// Errors: `size_mismatch` (both sizes), `too_large` from 4 GiB on; those of add_tensor().
  [[nodiscard]] QNNPP_LIVE Result<GraphTensor> add_static(TensorSpec spec,
                                                          std::span<const std::byte> data) {
    spec.kind = c_api::TensorType::static_;
    spec.mem_type = c_api::TensorMemType::raw;
    const auto size = spec.size_bytes();
    if (!size) return fail(size.error());
    if (*size != data.size())
      return fail(
          Error::mismatch(Errc::size_mismatch, "adding a constant", spec.name, *size, data.size()));
    if (*size > UINT32_MAX)
      return fail(
          Error::mismatch(Errc::too_large, "adding a constant", spec.name, UINT32_MAX, *size));
    return create_tensor(std::move(spec), data);
  }
  template <class R>
    requires(!detail::LastingMemory<R> && std::is_convertible_v<R, std::span<const std::byte>>)
  QNNPP_REFUSE("the memory of a temporary would dangle; name the buffer first", Result<GraphTensor>,
               add_static(const TensorSpec&, R&&));

  /// Adds an operation (QnnGraph_addNode). Errors: `foreign_object` for a tensor of another graph,
  /// naming both graphs and their contexts; `invalid_argument` for a GraphTensor that is none and
  /// for a name, type, package or parameter that holds a NUL; `qnn`, e.g. 6005 for wrong parameters
  /// or shapes.
  [[nodiscard]] QNNPP_LIVE Result<void> add_node(const NodeSpec& node);

  /// Ends the composing (QnnGraph_finalize): the graph is final then and can be bound. Errors:
  /// `qnn`.
  [[nodiscard]] QNNPP_CONSUMES Result<Final> finalize() &&;
  QNNPP_REFUSE("finalize() consumes the graph; write std::move(graph).finalize()", Result<Final>,
               finalize() const&);

  /// Gives the composing up: the graph stays unfinished in its context. Always success.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() && {
    (void)context();
    context_ = {};
    return {};
  }
  QNNPP_REFUSE("close() consumes the graph; write std::move(graph).close()", Result<void>,
               close() const&);

  [[nodiscard]] QNNPP_LIVE const std::string& name() const& {
    (void)context();
    return graph_->name;
  }
  /// Of a temporary a copy, which does not dangle.
  [[nodiscard]] QNNPP_LIVE std::string name() const&& {
    (void)context();
    return graph_->name;
  }
  /// The C handle; it belongs to the context and dies with it.
  [[nodiscard]] QNNPP_LIVE c_api::GraphHandle native() const& {
    (void)context();
    return handle_;
  }
  QNNPP_REFUSE("native() of a temporary would dangle; name the graph first", c_api::GraphHandle,
               native() const&&);

  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first", Result<void>,
               execute() const);
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first", Result<void>,
               execute(const SpillFillLease&) const);
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first",
               Result<Graph<Bound>>, bind(std::initializer_list<Binding>) const);
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first",
               Result<Graph<Bound>>, bind(std::span<const Binding>) const);
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first",
               Result<Graph<Bound>>, bind(std::span<const RegisteredBinding>) const);
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first",
               Result<Graph<Bound>>, bind(std::span<const RawBinding>) const);
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first",
               Result<Graph<Bound>>, bind(const RegisteredTensors&) const);
  template <DmaAllocator Allocator>
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first",
               Result<Graph<Bound>>, bind(const Allocator&) const);

 private:
  QNNPP_FRESH Graph(Ref<detail::ContextBlock> context, c_api::GraphHandle handle, std::string name)
      : context_(std::move(context)),
        handle_(handle),
        graph_(Ref<detail::ComposedGraph>::make(std::move(name), context_->name)) {}

  [[nodiscard]] Result<GraphTensor> create_tensor(TensorSpec spec, std::span<const std::byte> data);

  [[nodiscard]] detail::ContextBlock& context() const {
    QNNPP_EXPECTS(context_, detail::moved_graph);
    return *context_;
  }

  Ref<detail::ContextBlock> context_;
  c_api::GraphHandle handle_;
  Ref<detail::ComposedGraph> graph_;
  /// A list: the C tensors point into the specs, and to move it allocates nothing.
  std::list<TensorSpec> specs_;
  std::vector<c_api::Tensor> tensors_;
};

// ---------------------------------------------------------------------------------------------

namespace detail {

/// "graph of context", for messages.
[[nodiscard]] inline std::string text_of(const ComposedGraph& graph) {
  return graph.name + " of " + graph.context;
}

/// Lets the next push_back() allocate nothing.
template <class T>
void make_room_for_one(std::vector<T>& list) {
  if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
}

}  // namespace detail

template <class Io>
Result<Graph<Composing, Io>> Graph<Composing, Io>::create(const Context<Composing>& context,
                                                          std::string name,
                                                          const GraphOptions& options) {
  const Ref<detail::ContextBlock>& parent = detail::Access::block(context);
  QNNPP_EXPECTS(parent, detail::moved_context);
  constexpr const char* step = name_of(c_api::Slot::graph_create);
  if (auto whole = detail::check_name(name, step); !whole) return fail(std::move(whole).error());
  const auto create = parent->provider().find<&c_api::InterfaceTable::graph_create>();
  if (!create) return fail(create.error());

  c_api::HtpGraphCustomConfig custom[2] = {};
  c_api::GraphConfig configs[2] = {};
  const c_api::GraphConfig* pointers[3] = {};
  std::size_t count = 0;
  const auto next = [&](c_api::HtpGraphConfigOption option) -> c_api::HtpGraphCustomConfig& {
    std::memset(&custom[count], 0, sizeof(custom[count]));
    custom[count].option = option;
    configs[count].option = c_api::GraphConfigOption::custom;
    configs[count].custom_config = &custom[count];
    pointers[count] = &configs[count];
    return custom[count++];
  };
  if (options.vtcm_mb != 0)
    next(c_api::HtpGraphConfigOption::vtcm_size_in_mb).vtcm_size_in_mb = options.vtcm_mb;
  if (options.optimization_level != 0) {
    auto& optimization = next(c_api::HtpGraphConfigOption::optimization).optimization_option;
    optimization.type = c_api::HtpGraphOptimizationType::finalize_optimization_flag;
    optimization.float_value = static_cast<float>(options.optimization_level);
  }

  c_api::GraphHandle handle = nullptr;
  if (auto made = parent->call(step, name, *create, parent->handle(), name.c_str(),
                               count == 0 ? nullptr : pointers, &handle);
      !made)
    return fail(std::move(made).error());
  ++parent->unfinished_graphs;
  return Graph(parent, handle, std::move(name));
}

template <class Io>
Result<GraphTensor> Graph<Composing, Io>::create_tensor(TensorSpec spec,
                                                        std::span<const std::byte> data) {
  constexpr const char* step = name_of(c_api::Slot::tensor_create_graph_tensor);
  if (const auto size = spec.size_bytes(); !size) return fail(size.error());
  if (auto whole = detail::check_name(spec.name, step); !whole)
    return fail(std::move(whole).error());
  const auto create =
      context().provider().template find<&c_api::InterfaceTable::tensor_create_graph_tensor>();
  if (!create) return fail(create.error());
  // What QNN has made is known here at once: there is room for it before the call.
  detail::make_room_for_one(tensors_);
  std::list<TensorSpec> made_spec;
  made_spec.push_back(std::move(spec));
  c_api::Tensor tensor = {};
  detail::describe(made_spec.back(), tensor);
  if (!data.empty()) {
    tensor.v1.mem_type = c_api::TensorMemType::raw;
    tensor.v1.client_buf.data = const_cast<std::byte*>(data.data());  // QNN only reads it.
    tensor.v1.client_buf.data_size = static_cast<std::uint32_t>(data.size());
  }
  if (auto made = context().call(step, made_spec.back().name, *create, handle_, &tensor); !made)
    return fail(std::move(made).error());
  made_spec.back().id = tensor.v1.id;
  specs_.splice(specs_.end(), made_spec);
  tensors_.push_back(tensor);
  return GraphTensor(graph_, tensors_.size() - 1);
}

template <class Io>
Result<void> Graph<Composing, Io>::add_node(const NodeSpec& node) {
  constexpr const char* step = "adding a node";
  const auto add = context().provider().template find<&c_api::InterfaceTable::graph_add_node>();
  if (!add) return fail(add.error());
  for (const std::string* name : {&node.name, &node.type, &node.package})
    if (auto whole = detail::check_name(*name, step); !whole) return whole;
  for (const NodeParam& param : node.params)
    if (auto whole = detail::check_name(param.name, step); !whole) return whole;
  const GraphTensor* unknown = nullptr;
  const auto find = [&](const GraphTensor& tensor) {
    if (tensor.graph_ == graph_) return tensors_[tensor.index_];
    if (unknown == nullptr) unknown = &tensor;
    return c_api::Tensor{};
  };
  const auto tensors_of = [&](const std::vector<GraphTensor>& list) {
    std::vector<c_api::Tensor> tensors;
    for (const GraphTensor& tensor : list) tensors.push_back(find(tensor));
    return tensors;
  };
  std::vector<c_api::Tensor> inputs = tensors_of(node.inputs);
  std::vector<c_api::Tensor> outputs = tensors_of(node.outputs);
  std::vector<c_api::Param> params;
  for (const NodeParam& from : node.params) {
    c_api::Param param;
    std::memset(&param, 0, sizeof(param));
    param.name = from.name.c_str();
    if (from.is_tensor) {
      param.param_type = c_api::ParamType::tensor;
      param.tensor_param = find(from.tensor);
    } else {
      param.param_type = c_api::ParamType::scalar;
      param.scalar_param = from.scalar;
    }
    params.push_back(param);
  }
  if (unknown != nullptr)
    return fail(unknown->graph_
                    ? Error::make(Errc::foreign_object, step, node.name,
                                  "it uses a tensor of graph " + detail::text_of(*unknown->graph_) +
                                      ", the node belongs to graph " + detail::text_of(*graph_))
                    : Error::make(Errc::invalid_argument, step, node.name,
                                  "it uses a GraphTensor that no graph has returned"));

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
  return context().call(name_of(c_api::Slot::graph_add_node), node.name, *add, handle_, op);
}

template <class Io>
Result<Graph<Retrieved, Io>> Graph<Composing, Io>::finalize() && {
  const Ref<detail::ContextBlock> parent = std::move(context_);
  QNNPP_EXPECTS(parent, detail::moved_graph);
  const auto finalize = parent->provider().find<&c_api::InterfaceTable::graph_finalize>();
  const auto execute = parent->provider().find<&c_api::InterfaceTable::graph_execute>();
  if (!finalize) return fail(finalize.error());
  if (!execute) return fail(execute.error());
  GraphSpec spec{.name = graph_->name};
  for (const TensorSpec& tensor : specs_) {
    if (tensor.kind == c_api::TensorType::app_write) spec.inputs.push_back(tensor);
    if (tensor.kind == c_api::TensorType::app_read) spec.outputs.push_back(tensor);
  }
  // What QNN has finalized is known to the context at once: there is room for it before the call.
  detail::make_room_for_one(parent->graphs);
  auto block = Ref<detail::GraphBlock>::make(parent, handle_, spec, *execute);
  if (auto done = parent->call(name_of(c_api::Slot::graph_finalize), graph_->name, *finalize,
                               handle_, nullptr, nullptr);
      !done)
    return fail(std::move(done).error());
  --parent->unfinished_graphs;
  parent->graphs.push_back(std::move(spec));
  return Final(std::move(block));
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
