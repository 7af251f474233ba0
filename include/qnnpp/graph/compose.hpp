// Graph<Composing, Io>: a graph under construction, tensor by tensor and node by node.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/backend/detail/profiled_call.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/graph/graph.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

/// Identity of a graph under construction. Its tensors refer to it, also after the graph is moved.
struct ComposedGraph : RefCounted<ComposedGraph> {
  ComposedGraph(std::string called, std::string of)
      : name(std::move(called)), context(std::move(of)) {}
  std::string name;
  std::string context;  ///< Name of the context.
};

}  // namespace detail

/// Tensor of a graph under construction. add_tensor() and add_static() return it; another graph
/// refuses it. May outlive the graph. Threads: as for std::shared_ptr.
class GraphTensor {
 public:
  /// Makes an object without a tensor. Every graph refuses it.
  GraphTensor() = default;

 private:
  template <class, class>
  friend class Graph;
  GraphTensor(Ref<detail::ComposedGraph> graph, std::size_t index)
      : graph_(std::move(graph)), index_(index) {}

  Ref<detail::ComposedGraph> graph_;
  std::size_t index_ = 0;
};

/// Parameter of a node: a scalar, or a constant of the graph. scalar_param() and tensor_param()
/// make it.
struct NodeParam {
  std::string name = {};   ///< Name of the parameter, as in QNN's operation definitions.
  c_api::Scalar scalar{};  ///< The value, if `is_tensor` is false.
  bool is_tensor = false;  ///< Whether the value is `tensor`, not `scalar`.
  GraphTensor tensor{};    ///< The value, if `is_tensor` is true.
};

/// Makes a scalar parameter. Its QNN type depends on `value`:
/// - BOOL_8 for a bool;
/// - FLOAT_32 for a floating-point number;
/// - UINT_32 for an integer, as QNN's operations require; INT_32 for a negative integer.
///
/// For other types, fill NodeParam::scalar.
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
    // UINT_32 and INT_32 have the same four bytes.
    param.scalar.uint32_value = static_cast<std::uint32_t>(value);
  }
  return param;
}
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) > 4)
QNNPP_REFUSE("a scalar of QNN has 32 bits; cast the value to std::uint32_t", NodeParam,
             scalar_param(std::string, T));
/// Makes a parameter from a constant of the graph, which add_static() returned.
[[nodiscard]] inline NodeParam tensor_param(std::string name, GraphTensor tensor) {
  return {.name = std::move(name), .is_tensor = true, .tensor = std::move(tensor)};
}

/// Description of a node: an operation with its inputs, outputs and parameters.
struct NodeSpec {
  std::string name = {};                  ///< Name of the node.
  std::string type = {};                  ///< Operation, as in QNN's operation definitions.
  std::vector<GraphTensor> inputs = {};   ///< Inputs in the order of the operation's definition.
  std::vector<GraphTensor> outputs = {};  ///< Outputs in the order of the operation's definition.
  std::vector<NodeParam> params = {};     ///< Parameters in any order.
  std::string package = "qti.aisw";       ///< Op package that defines the operation.
};

/// Options for the preparation of a graph. Empty, 0 and false mean the backend's default, except
/// `vtcm_mb` and `validate_nodes`. docs/graph-options.md has the defaults and limits that QNN
/// documents.
struct GraphOptions {
  /// Value of `vtcm_mb`: all VTCM of the chip in DeviceOptions::soc_model.
  static constexpr std::uint32_t all_vtcm = 0;

  /// Size of the VTCM that the graph uses, in MB; `all_vtcm`. Empty: the backend's default (4).
  std::optional<std::uint32_t> vtcm_mb = {};
  std::uint32_t optimization_level = 0;  ///< Effort of the preparation, 1 to 3.
  /// Precision of float operations: float16 or float32. QNN ignores it from SDK 2.35 on.
  std::optional<c_api::Precision> precision = {};
  std::uint32_t hvx_threads = 0;  ///< Number of vector threads.
  /// Compresses activations on the way to memory (DLBC). The HTP does not if spill-fill memory is
  /// shared, so qnnpp then refuses such a graph's context, unless its options have
  /// `share_without_dlbc`.
  bool dlbc = false;
  /// Compresses weights on the way to memory. Needs spill-fill memory of its own too, but no
  /// metadata states it, so qnnpp cannot check it. HTP 5.30.
  bool dlbc_weights = false;
  /// Priority of the graph. Empty: the priority of the context.
  std::optional<c_api::Priority> priority = {};
  /// Asks QNN to validate each node before it is added (CMP-01). False: for nodes that the HTP
  /// computes right although its validation refuses them; docs/own-network.md lists some. A wrong
  /// node then computes wrong values, or ends the process in finalize().
  bool validate_nodes = true;
};

/// A graph under construction, in a composing context. Add the tensors first, then the nodes that
/// use them, then call finalize().
///
/// Io is the hint for the memory of inputs and outputs (QMEM-05). RegisteredIo prepares all of them
/// for registered memory, RawIo for raw memory. With AnyIo, TensorSpec::mem_type decides for each.
///
/// Move-only. Keeps the context alive. If destroyed without finalize(), the graph stays unfinished
/// in the context, and the context cannot be finalized.
///
/// Threads: only one thread at a time may use a composing context and all its graphs.
template <class Io>
class QNNPP_LINEAR Graph<Composing, Io> {
  using Final = Graph<Retrieved, Io>;

 public:
  QNNPP_MOVE_ONLY(Graph, "a graph has one owner; write std::move(graph)");
  template <detail::ResultOf<Graph> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(graph), or use value_or_throw()", Graph,
      const R&);

  /// Creates an empty graph (QnnGraph_create). `context` must not be moved from (contract). Errors:
  /// `invalid_argument` for a name that contains a NUL or has more than 4096 bytes (CMP-02), and
  /// for an option that is out of range; `qnn`.
  [[nodiscard]] static Result<Graph> create(const Context<Composing>& context, std::string name,
                                            const GraphOptions& options = {});
  static QNNPP_REFUSE("a context from a binary takes no new graphs; use Context<Composing>",
                      Result<Graph>,
                      create(const Context<Finalized>&, std::string, const GraphOptions& = {}));

  /// Adds an input, an output or an intermediate, by `spec.kind` (QnnTensor_createGraphTensor). An
  /// input or output for registered memory has the memType MEMHANDLE and no handle, here and in the
  /// nodes that use it (QMEM-05). Errors: the errors of TensorSpec::size_bytes() and of
  /// Quantisation::check(); `too_large` for 2 GiB or more, which no library finalizes (CMP-02);
  /// `capability_missing` for dynamic dimensions if the backend does not
  /// support them (LOAD-04); `invalid_argument` for a name that contains a NUL or has more than
  /// 4096 bytes; `qnn`.
  [[nodiscard]] QNNPP_LIVE Result<GraphTensor> add_tensor(TensorSpec spec) {
    const bool is_io = spec.kind == c_api::TensorType::app_write ||
                       spec.kind == c_api::TensorType::app_read || is_read_write(spec.kind);
    if (!is_io || std::is_same_v<Io, RawIo>)
      spec.mem_type = c_api::TensorMemType::raw;
    else if (std::is_same_v<Io, RegisteredIo>)
      spec.mem_type = c_api::TensorMemType::memhandle;
    return create_tensor(std::move(spec), {});
  }

  /// Adds a constant: `spec.kind` becomes STATIC. `data` must stay in place until finalize()
  /// returns, because each node that uses the constant passes its address to QNN again.
  /// Errors: `size_mismatch` (both sizes); the errors of add_tensor().
  [[nodiscard]] QNNPP_LIVE Result<GraphTensor> add_static(TensorSpec spec,
                                                          std::span<const std::byte> data) {
    spec.kind = c_api::TensorType::static_;
    spec.mem_type = c_api::TensorMemType::raw;
    const auto size = spec.size_bytes();
    if (!size) return fail(size.error());
    if (*size != data.size())
      return fail(
          Error::mismatch(Errc::size_mismatch, "adding a constant", spec.name, *size, data.size()));
    return create_tensor(std::move(spec), data);
  }
  template <class R>
    requires(!detail::LastingMemory<R> && std::is_convertible_v<R, std::span<const std::byte>>)
  QNNPP_REFUSE("the memory of a temporary would dangle; name the buffer first", Result<GraphTensor>,
               add_static(const TensorSpec&, R&&));

  /// Adds a node (QnnBackend_validateOpConfig, QnnGraph_addNode). QNN validates the node first,
  /// because QnnGraph_addNode checks almost nothing (CMP-01); it adds the node unchecked if
  /// GraphOptions::validate_nodes is false or the backend has no validation. An error leaves the
  /// graph as it was. Errors: `foreign_object` for a tensor of another graph, naming both graphs
  /// and their contexts; `invalid_argument` for a default-constructed GraphTensor, and for a name,
  /// type, package or parameter that contains a NUL or has more than 4096 bytes (CMP-02); `qnn`
  /// with the op, the graph and the lines of the backend's log, e.g. 3110 for wrong inputs,
  /// outputs, types or parameters, 4005 for an unknown op.
  [[nodiscard]] QNNPP_LIVE Result<void> add_node(const NodeSpec& node);

  /// Finalizes the graph (QnnGraph_finalize). The returned graph can be bound. On failure the graph
  /// is consumed and stays unfinished in its context. Errors: `qnn`.
  [[nodiscard]] QNNPP_CONSUMES Result<Final> finalize() && {
    return std::move(*this).finalize_with(nullptr);
  }
  QNNPP_REFUSE("finalize() consumes the graph; write std::move(graph).finalize()", Result<Final>,
               finalize() const&);
  /// Finalizes the graph; `profile` records the call, also if it fails. Further error:
  /// `foreign_object` for a profile of another backend. If recording a successful call throws
  /// std::bad_alloc, the graph is finalized in its context, and Graph<Retrieved>::retrieve()
  /// returns it.
  [[nodiscard]] QNNPP_CONSUMES Result<Final> finalize(Profile& profile) && {
    return std::move(*this).finalize_with(&profile);
  }
  QNNPP_REFUSE("finalize() consumes the graph; write std::move(graph).finalize()", Result<Final>,
               finalize(Profile&) const&);
  QNNPP_REFUSE("a const profile cannot record; declare it without const", Result<Final>,
               finalize(const Profile&) &&);
  QNNPP_REFUSE("a temporary profile loses its records; name the profile first", Result<Final>,
               finalize(Profile&&) &&);
  template <detail::ResultOf<Profile> R>
  QNNPP_REFUSE("this is a Result; test it and pass *profile, or use value_or_throw()",
               Result<Final>, finalize(const R&) &&);

  /// Abandons the graph: it stays unfinished in its context. Always succeeds.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() && {
    (void)context();
    context_ = {};
    return {};
  }
  QNNPP_REFUSE("close() consumes the graph; write std::move(graph).close()", Result<void>,
               close() const&);

  /// Name of the graph.
  [[nodiscard]] QNNPP_LIVE const std::string& name() const& {
    (void)context();
    return graph_->name;
  }
  /// Name of a temporary graph, as a copy that cannot dangle.
  [[nodiscard]] QNNPP_LIVE std::string name() const&& {
    (void)context();
    return graph_->name;
  }
  /// The C handle. The context owns it and frees it.
  [[nodiscard]] QNNPP_LIVE c_api::GraphHandle native() const& {
    (void)context();
    return handle_;
  }
  QNNPP_REFUSE("native() of a temporary would dangle; name the graph first", c_api::GraphHandle,
               native() const&&);

  template <class... Arguments>
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first", Result<void>,
               execute(const Arguments&...) const);
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
  [[nodiscard]] Result<Final> finalize_with(Profile* profile) &&;
  QNNPP_FRESH Graph(Ref<detail::ContextBlock> context, c_api::GraphHandle handle, std::string name,
                    bool validates)
      : context_(std::move(context)),
        handle_(handle),
        validates_(validates),
        graph_(Ref<detail::ComposedGraph>::make(std::move(name), context_->name)) {}

  [[nodiscard]] Result<GraphTensor> create_tensor(TensorSpec spec, std::span<const std::byte> data);

  [[nodiscard]] detail::ContextBlock& context() const {
    QNNPP_EXPECTS(context_, detail::moved_graph);
    return *context_;
  }

  Ref<detail::ContextBlock> context_;
  c_api::GraphHandle handle_;
  bool validates_;  ///< GraphOptions::validate_nodes.
  Ref<detail::ComposedGraph> graph_;
  /// A list, because the C tensors point to the specs and a move must allocate nothing.
  std::list<TensorSpec> specs_;
  std::vector<c_api::Tensor> tensors_;
};

// ---------------------------------------------------------------------------------------------
// Doxygen cannot match these definitions to their declarations above.
/// @cond

namespace detail {

/// Returns "graph of context", for messages.
[[nodiscard]] inline std::string text_of(const ComposedGraph& graph) {
  return graph.name + " of " + graph.context;
}

/// Returns a node's op, graph, inputs and outputs, for messages.
[[nodiscard]] QNNPP_COLD inline std::string text_of(const c_api::OpConfigV1& op,
                                                    const ComposedGraph& graph) {
  std::string text = std::string("op ") + op.type_name + " in graph " + text_of(graph) + ":";
  const auto add = [&text](const c_api::Tensor* tensors, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      // Versions 1 and 2 begin with the same members.
      const c_api::TensorV1& v1 = tensors[i].v1;
      text += std::string(i == 0 ? " " : ", ") + v1.name + " " + name_of(v1.data_type) + " " +
              to_string({v1.dimensions, v1.dimensions + v1.rank});
    }
  };
  add(op.input_tensors, op.num_of_inputs);
  text += " ->";
  add(op.output_tensors, op.num_of_outputs);
  return text;
}

/// Makes the error of a call for a node name the op, the graph and the tensors, too.
[[nodiscard]] inline Result<void> with_op(Result<void> done, const c_api::OpConfigV1& op,
                                          const ComposedGraph& graph) {
  if (done) return done;
  Error error = std::move(done).error();
  error.detail = text_of(op, graph) + (error.detail.empty() ? "" : "; ") + error.detail;
  return fail(std::move(error));
}

/// Returns whether a backend validates no nodes at all, so that its answer is no refusal.
[[nodiscard]] inline bool has_no_validation(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == code_of(c_api::BackendError::not_supported);
}

/// Returns what is wrong with the options; null if nothing is.
[[nodiscard]] inline const char* wrong_option(const GraphOptions& options) noexcept {
  if (options.optimization_level > 3) return "optimization_level is 1, 2 or 3";
  if (options.precision && *options.precision != c_api::Precision::float16 &&
      *options.precision != c_api::Precision::float32)
    return "precision is float16 or float32";
  return !options.priority || is_priority(*options.priority) ? nullptr : unknown_priority;
}

/// QNN's form of GraphOptions.
class GraphConfigs {
 public:
  explicit GraphConfigs(const GraphOptions& options) {
    using Option = c_api::HtpGraphConfigOption;
    using Type = c_api::HtpGraphOptimizationType;
    std::memset(custom_, 0, sizeof(custom_));
    if (options.vtcm_mb) add(Option::vtcm_size_in_mb).vtcm_size_in_mb = *options.vtcm_mb;
    if (options.optimization_level != 0)
      optimize(Type::finalize_optimization_flag, static_cast<float>(options.optimization_level));
    if (options.precision) add(Option::precision).precision = *options.precision;
    if (options.hvx_threads != 0)
      add(Option::num_hvx_threads).num_hvx_threads = options.hvx_threads;
    if (options.dlbc) optimize(Type::enable_dlbc, 1.0f);
    if (options.dlbc_weights) optimize(Type::enable_dlbc_weights, 1.0f);
    if (options.priority) {
      configs_[count_].option = c_api::GraphConfigOption::priority;
      configs_[count_].priority = *options.priority;
      pointers_[count_] = &configs_[count_];
      ++count_;
    }
  }
  GraphConfigs(const GraphConfigs&) = delete;
  GraphConfigs& operator=(const GraphConfigs&) = delete;

  /// NULL-ended list; NULL for no option.
  [[nodiscard]] const c_api::GraphConfig** native() const& noexcept {
    return count_ == 0 ? nullptr : const_cast<const c_api::GraphConfig**>(pointers_);
  }

 private:
  static constexpr std::size_t most = 7;

  c_api::HtpGraphCustomConfig& add(c_api::HtpGraphConfigOption option) {
    custom_[count_].option = option;
    configs_[count_].option = c_api::GraphConfigOption::custom;
    configs_[count_].custom_config = &custom_[count_];
    pointers_[count_] = &configs_[count_];
    return custom_[count_++];
  }
  void optimize(c_api::HtpGraphOptimizationType type, float value) {
    add(c_api::HtpGraphConfigOption::optimization).optimization_option = {type, value};
  }

  c_api::HtpGraphCustomConfig custom_[most];
  c_api::GraphConfig configs_[most] = {};
  const c_api::GraphConfig* pointers_[most + 1] = {};
  std::size_t count_ = 0;
};

/// Reserves capacity, so that the next push_back() allocates nothing.
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
  if (auto whole = detail::check_new_name(name, step); !whole)
    return fail(std::move(whole).error());
  const auto create = parent->provider().find<&c_api::InterfaceTable::graph_create>();
  if (!create) return fail(create.error());

  if (const char* const wrong = detail::wrong_option(options))
    return fail(Error::make(Errc::invalid_argument, step, name, wrong));
  const detail::GraphConfigs configs(options);

  c_api::GraphHandle handle = nullptr;
  if (auto made = parent->call(step, name, *create, parent->handle(), name.c_str(),
                               configs.native(), &handle);
      !made)
    return fail(std::move(made).error());
  ++parent->unfinished_graphs;
  return Graph(parent, handle, std::move(name), options.validate_nodes);
}

template <class Io>
Result<GraphTensor> Graph<Composing, Io>::create_tensor(TensorSpec spec,
                                                        std::span<const std::byte> data) {
  constexpr const char* step = name_of(c_api::Slot::tensor_create_graph_tensor);
  if (const auto size = spec.size_bytes(); !size)
    return fail(size.error());
  else if (*size > detail::max_registered_bytes)  // CMP-02
    return fail(
        Error::mismatch(Errc::too_large, step, spec.name, *size, detail::max_registered_bytes));
  if (spec.is_dynamic())
    if (auto able = context().backend->require(
            c_api::PropertyKey::tensor_support_dynamic_dimensions, "dynamic dimensions", spec.name);
        !able)
      return fail(std::move(able).error());
  if (auto fits = spec.quantisation.check(spec.data_type, spec.dimensions, spec.name); !fits)
    return fail(std::move(fits).error());
  if (auto whole = detail::check_new_name(spec.name, step); !whole)
    return fail(std::move(whole).error());
  const auto create =
      context().provider().template find<&c_api::InterfaceTable::tensor_create_graph_tensor>();
  if (!create) return fail(create.error());
  // Allocated before the call, so that no failed allocation can lose a tensor that QNN has created.
  detail::make_room_for_one(tensors_);
  std::list<TensorSpec> made_spec;
  made_spec.push_back(std::move(spec));
  c_api::Tensor tensor = {};
  detail::describe(made_spec.back(), tensor);
  if (made_spec.back().is_dynamic()) detail::mark_dynamic(made_spec.back(), tensor);
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
    if (auto whole = detail::check_new_name(*name, step); !whole) return whole;
  for (const NodeParam& param : node.params)
    if (auto whole = detail::check_new_name(param.name, step); !whole) return whole;
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
  const auto call = [&](c_api::Slot slot, auto function, auto handle) {
    return detail::with_op(context().call(name_of(slot), node.name, function, handle, op), op.v1,
                           *graph_);
  };
  using Slot = c_api::Slot;
  const auto validate =
      context().provider().template find<&c_api::InterfaceTable::backend_validate_op_config>();
  if (validates_ && validate)
    if (auto valid = call(Slot::backend_validate_op_config, *validate,
                          context().backend->backend.get().handle);
        !valid && !detail::has_no_validation(valid.error()))
      return valid;
  return call(Slot::graph_add_node, *add, handle_);
}

template <class Io>
Result<Graph<Retrieved, Io>> Graph<Composing, Io>::finalize_with(Profile* profile) && {
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
  // Allocated before the call, so that no failed allocation can lose a graph that QNN has
  // finalized. Only its record is allocated afterwards, when the context lists the graph.
  detail::make_room_for_one(parent->graphs);
  auto block = Ref<detail::GraphBlock>::make(parent, handle_, spec, *execute);
  constexpr const char* step = name_of(c_api::Slot::graph_finalize);
  detail::ProfiledCall profiled(profile, step);
  if (auto ours = profiled.check(parent->backend, graph_->name); !ours)
    return fail(std::move(ours).error());
  auto done = profiled([&](c_api::ProfileHandle with) {
    return parent->call(step, graph_->name, *finalize, handle_, with, nullptr);
  });
  if (done) {
    --parent->unfinished_graphs;
    parent->graphs.push_back(std::move(spec));
  }
  profiled.record(graph_->name, done);
  if (!done) return fail(std::move(done).error());
  return Final(std::move(block));
}

/// @endcond

}  // namespace qnnpp::inline QNNPP_NAMESPACE
