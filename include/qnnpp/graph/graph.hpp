// Graph<State>: a graph of a context whose type says how far it has come.
//
//   Graph<Retrieved>::retrieve(context, "name") --bind()--> Graph<Bound> --execute()
//   Graph<Composing>::create(context, "name") --finalize()--> Graph<Retrieved>   (compose.hpp)
#pragma once

#include <gsl/assert>
#include <initializer_list>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/graph_spec.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/graph_block.hpp"

namespace qnnpp {

template <class State>
class Graph;
struct NodeSpec;

namespace detail {

/// What a final graph has in every state.
class QNNPP_LINEAR GraphHandle {
 public:
  [[nodiscard]] QNNPP_LIVE const std::string& name() const { return block().spec.name; }

  /// The C handle; it belongs to the context and dies with it.
  [[nodiscard]] QNNPP_LIVE abi::GraphHandle native() const& { return block().handle; }
  QNNPP_REFUSE("native() of a temporary would dangle; name the graph first", abi::GraphHandle,
               native() const&&);

  /// Lets go of memory and context. QNN has nothing to free here: always success.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() && {
    (void)take();
    return {};
  }
  QNNPP_REFUSE("close() consumes the graph; write std::move(graph).close()", Result<void>,
               close() const&);

 protected:
  QNNPP_FRESH explicit GraphHandle(Ref<GraphBlock> block) : block_(std::move(block)) {}

  [[nodiscard]] GraphBlock& block() const {
    Expects(block_);  // ORD-09: not used after a transition or a move.
    return *block_;
  }
  [[nodiscard]] Ref<GraphBlock> take() {
    Expects(block_);
    return std::move(block_);
  }

 private:
  Ref<GraphBlock> block_;
};

}  // namespace detail

// ---------------------------------------------------------------------------------------- Bound

/// A graph all of whose inputs and outputs have memory. Keeps its context and registered memory
/// alive; raw memory is the caller's and stays in place while this object lives.
template <>
class QNNPP_LINEAR Graph<Bound> : public detail::GraphHandle {
 public:
  QNNPP_MOVE_ONLY(Graph, "a graph has one owner; write std::move(graph)");

  /// Runs the graph once, blocking (QnnGraph_execute). Waits first while a graph of another context
  /// with the same spill-fill memory executes (BUF-12): a thread that holds the lease passes it instead,
  /// or waits for itself. Nothing is checked or allocated.
  /// One thread at a time executes one graph. Errors: `qnn`, e.g. 6035 for a disabled graph, 1007.
  [[nodiscard]] QNNPP_LIVE Result<void> execute() {
    detail::GraphBlock& graph = block();
    const auto& lock = graph.context->lock;
    if (!lock) return graph.run();
    const std::scoped_lock held(lock->mutex);
    return graph.run();
  }

  /// The same under a lease that the caller holds already: no lock is taken. The lease must be that
  /// of this graph's context (contract).
  [[nodiscard]] QNNPP_LIVE Result<void> execute(const SpillFillLease& lease) {
    detail::GraphBlock& graph = block();
    Expects(lease.covers(graph.context->lock));
    return graph.run();
  }

  /// Gives the memory up; the graph can be bound again.
  [[nodiscard]] QNNPP_CONSUMES Graph<Retrieved> unbind() &&;
  QNNPP_REFUSE("unbind() consumes the graph; write std::move(graph).unbind()", Graph<Retrieved>,
               unbind() const&);

  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph<Bound>>,
               bind(std::span<const Binding>) const);
  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph<Bound>>,
               bind(std::initializer_list<Binding>) const);

 private:
  template <class>
  friend class Graph;
  QNNPP_FRESH explicit Graph(Ref<detail::GraphBlock> block)
      : detail::GraphHandle(std::move(block)) {}
};

// ------------------------------------------------------------------------------------ Retrieved

/// A final graph whose tensors are known; none has memory yet.
template <>
class QNNPP_LINEAR Graph<Retrieved> : public detail::GraphHandle {
 public:
  QNNPP_MOVE_ONLY(Graph, "a graph has one owner; write std::move(graph)");

  /// Finds a graph of a context (QnnGraph_retrieve). Keeps the context alive.
  ///
  /// Errors: `unknown_name` listing the graphs there are; `qnn` with 6002; `no_metadata` or the
  /// system library's error where the graph's tensors are not known.
  [[nodiscard]] static Result<Graph> retrieve(const Context<Finalized>& context,
                                              const std::string& name) {
    return retrieve_from(context.control(), name);
  }
  /// The same for a graph that was composed online.
  [[nodiscard]] static Result<Graph> retrieve(const Context<Composed>& context,
                                              const std::string& name) {
    return retrieve_from(context.control(), name);
  }
  static QNNPP_REFUSE("the context is not finalized; query, register and finalize() it first",
                      Result<Graph>, retrieve(const Context<Deferred>&, const std::string&));
  static QNNPP_REFUSE("the context is not finalized; register_buffers() and finalize() it first",
                      Result<Graph>, retrieve(const Context<Queried>&, const std::string&));
  static QNNPP_REFUSE("the context is not finalized; call std::move(context).finalize() first",
                      Result<Graph>, retrieve(const Context<Registered>&, const std::string&));

  /// Its inputs and outputs, in the graph's order. They live as long as the graph.
  [[nodiscard]] QNNPP_LIVE const std::vector<TensorSpec>& inputs() const& {
    return block().spec.inputs;
  }
  [[nodiscard]] QNNPP_LIVE const std::vector<TensorSpec>& outputs() const& {
    return block().spec.outputs;
  }
  QNNPP_REFUSE("inputs() of a temporary would dangle; name the graph first",
               const std::vector<TensorSpec>&, inputs() const&&);
  QNNPP_REFUSE("outputs() of a temporary would dangle; name the graph first",
               const std::vector<TensorSpec>&, outputs() const&&);

  /// Gives every input and output its memory, checked by name, type, shape and size.
  ///
  /// Errors name the tensor and both sides: `missing_tensor`, `unknown_name`, `duplicate_name`,
  /// `type_mismatch`, `shape_mismatch`, `size_mismatch`, `too_large` (raw memory of 4 GiB or more),
  /// `foreign_object` (memory registered with another context), `invalid_argument` (const memory
  /// for an output). The graph is consumed then too; retrieve it again.
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound>> bind(std::span<const Binding> bindings) && {
    Ref<detail::GraphBlock> block = take();
    if (auto bound = block->bind(bindings); !bound) return fail(std::move(bound).error());
    return Graph<Bound>(std::move(block));
  }
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound>> bind(
      std::initializer_list<Binding> bindings) && {
    return std::move(*this).bind(std::span<const Binding>(bindings.begin(), bindings.size()));
  }
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})",
               Result<Graph<Bound>>, bind(std::span<const Binding>) const&);
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})",
               Result<Graph<Bound>>, bind(std::initializer_list<Binding>) const&);

  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first",
               Result<void>, execute() const);
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first",
               Result<void>, execute(const SpillFillLease&) const);
  QNNPP_REFUSE("a final graph takes no more nodes; use Graph<Composing>::create()", Result<void>,
               add_node(const NodeSpec&) const);
  QNNPP_REFUSE("a final graph takes no more tensors; use Graph<Composing>::create()", Result<void>,
               add_tensor(const TensorSpec&) const);

 private:
  template <class>
  friend class Graph;
  QNNPP_FRESH explicit Graph(Ref<detail::GraphBlock> block)
      : detail::GraphHandle(std::move(block)) {}

  [[nodiscard]] static Result<Graph> retrieve_from(const Ref<detail::ContextBlock>& context,
                                                   const std::string& name);
};

// ---------------------------------------------------------------------------------------------

inline Graph<Retrieved> Graph<Bound>::unbind() && {
  Ref<detail::GraphBlock> block = take();
  block->unbind();
  return Graph<Retrieved>(std::move(block));
}

inline Result<Graph<Retrieved>> Graph<Retrieved>::retrieve_from(
    const Ref<detail::ContextBlock>& context, const std::string& name) {
  constexpr const char* step = "QnnGraph_retrieve";
  Expects(context);
  const GraphSpec* spec = nullptr;
  std::string known;
  for (const GraphSpec& graph : context->graphs) {
    if (graph.name == name) spec = &graph;
    known += (known.empty() ? "" : ", ") + graph.name;
  }
  if (spec == nullptr && !context->graphs.empty())
    return fail(Error::make(Errc::unknown_name, step, name, context->name + " has: " + known));

  const auto retrieve = context->provider().slot<&abi::InterfaceTable::graph_retrieve>();
  const auto execute = context->provider().slot<&abi::InterfaceTable::graph_execute>();
  if (!retrieve) return fail(retrieve.error());
  if (!execute) return fail(execute.error());
  abi::GraphHandle handle = nullptr;
  if (auto got = check((*retrieve)(context->handle(), name.c_str(), &handle), step, name); !got)
    return fail(std::move(got).error());
  if (spec == nullptr) {
    if (context->metadata_error) return fail(*context->metadata_error);
    return fail(Error::make(Errc::no_metadata, step, name, context->name + " lists no graph"));
  }
  return Graph(Ref<detail::GraphBlock>::make(context, handle, *spec, *execute));
}

}  // namespace qnnpp
