// Graph<Composing, Io>: a graph under construction, tensor by tensor and node by node.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "qnnpp/abi/op.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/graph_options.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/graph/graph.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

class ComposingHandle;

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
  friend class detail::ComposingHandle;
  GraphTensor(Ref<detail::ComposedGraph> graph, std::size_t index)
      : graph_(std::move(graph)), index_(index) {}

  Ref<detail::ComposedGraph> graph_;
  std::size_t index_ = 0;
};

/// Parameter of a node: its name, as in QNN's operation definitions, and its value. The value is a
/// scalar, which scalar_param() makes, or a constant of the graph: `{"perm", constant}`.
using NodeParam = std::pair<std::string, std::variant<c_api::Scalar, GraphTensor>>;

/// Makes a scalar parameter. Its QNN type depends on `value`:
/// - BOOL_8 for a bool;
/// - FLOAT_32 for a floating-point number;
/// - UINT_32 for an integer, as QNN's operations require; INT_32 for a negative integer.
///
/// For other types, use a c_api::Scalar as the value.
template <class T>
  requires(std::is_arithmetic_v<T> && (!std::is_integral_v<T> || sizeof(T) <= 4))
[[nodiscard]] NodeParam scalar_param(std::string name, T value) {
  c_api::Scalar scalar{};
  scalar.uint64_value = 0;
  if constexpr (std::is_same_v<T, bool>) {
    scalar.data_type = c_api::DataType::bool_8;
    scalar.bool8_value = value ? 1 : 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    scalar.data_type = c_api::DataType::float_32;
    scalar.float_value = static_cast<float>(value);
  } else {
    scalar.data_type = value < T{} ? c_api::DataType::int_32 : c_api::DataType::uint_32;
    // UINT_32 and INT_32 have the same four bytes.
    scalar.uint32_value = static_cast<std::uint32_t>(value);
  }
  return {std::move(name), scalar};
}
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) > 4)
QNNPP_REFUSE("a scalar of QNN has 32 bits; cast the value to std::uint32_t", NodeParam,
             scalar_param(std::string, T));

/// Description of a node: an operation with its inputs, outputs and parameters.
struct NodeSpec {
  std::string name = {};                  ///< Name of the node.
  std::string type = {};                  ///< Operation, as in QNN's operation definitions.
  std::vector<GraphTensor> inputs = {};   ///< Inputs in the order of the operation's definition.
  std::vector<GraphTensor> outputs = {};  ///< Outputs in the order of the operation's definition.
  std::vector<NodeParam> params = {};     ///< Parameters in any order.
  std::string package = "qti.aisw";       ///< Op package that defines the operation.
};

namespace detail {

/// Base of a graph under construction, for every hint of memory.
class QNNPP_LINEAR ComposingHandle {
 public:
  /// Adds a constant: `spec.kind` becomes STATIC. `data` must stay in place until finalize()
  /// returns, because each node that uses the constant passes its address to QNN again.
  /// Errors: `size_mismatch` (both sizes); the errors of add_tensor().
  [[nodiscard]] QNNPP_LIVE Result<GraphTensor> add_static(TensorSpec spec,
                                                          std::span<const std::byte> data) {
    spec.kind = c_api::TensorType::static_;
    spec.mem_type = c_api::TensorMemType::raw;
    QNNPP_LET(size, spec.size_bytes());
    if (*size != data.size())
      return fail(
          Error::mismatch(Errc::size_mismatch, "adding a constant", spec.name, *size, data.size()));
    return create_tensor(std::move(spec), data);
  }
  template <class R>
    requires(!LastingMemory<R> && std::is_convertible_v<R, std::span<const std::byte>>)
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
               Result<Graph<Bound>>, bind(std::initializer_list<Binding<>>) const);
  template <class... Memory>
  QNNPP_REFUSE("the graph is not finalized; call std::move(graph).finalize() first",
               Result<Graph<Bound>>, bind(const Memory&...) const);

 protected:
  /// Creates the graph. The errors of Graph<Composing>::create().
  [[nodiscard]] static Result<ComposingHandle> make(const Context<Composing>& context,
                                                    std::string name, const GraphOptions& options);
  [[nodiscard]] Result<GraphTensor> create_tensor(TensorSpec spec, std::span<const std::byte> data);
  /// Finalizes the graph. `profile` may be null.
  [[nodiscard]] Result<Ref<GraphBlock>> finalized(Profile* profile);

 private:
  ComposingHandle(Ref<ContextBlock> context, c_api::GraphHandle handle, std::string name,
                  bool validates)
      : context_(std::move(context)),
        handle_(handle),
        validates_(validates),
        graph_(Ref<ComposedGraph>::make(std::move(name), context_->name)) {}

  [[nodiscard]] ContextBlock& context() const {
    qnnpp::detail::expects(context_, moved_graph);
    return *context_;
  }

  Ref<ContextBlock> context_;
  c_api::GraphHandle handle_;
  bool validates_;  ///< GraphOptions::validate_nodes.
  Ref<ComposedGraph> graph_;
  /// A list, because the C tensors point to the specs and a move must allocate nothing.
  std::list<TensorSpec> specs_;
  std::vector<c_api::Tensor> tensors_;
};

}  // namespace detail

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
class QNNPP_LINEAR Graph<Composing, Io> : public detail::ComposingHandle {
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
                                            const GraphOptions& options = {}) {
    QNNPP_LET(made, make(context, std::move(name), options));
    return Graph(std::move(*made));
  }
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

  /// Finalizes the graph (QnnGraph_finalize). The returned graph can be bound. On failure the graph
  /// is consumed and stays unfinished in its context. Errors: `qnn`.
  ///
  /// `profile` records the call, also if it fails, unless it is null. Error: `foreign_object` for a
  /// profile of another backend. If recording a successful call throws std::bad_alloc, the graph is
  /// finalized in its context, and Graph<Retrieved>::retrieve() returns it.
  [[nodiscard]] QNNPP_CONSUMES Result<Final> finalize(Profile* profile = nullptr) && {
    QNNPP_LET(block, finalized(profile));
    return Final(std::move(*block));
  }
  QNNPP_REFUSE("finalize() consumes the graph; write std::move(graph).finalize()", Result<Final>,
               finalize(Profile* = nullptr) const&);

 private:
  explicit Graph(detail::ComposingHandle&& made) : detail::ComposingHandle(std::move(made)) {}
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/graph/compose.ipp"
#endif
