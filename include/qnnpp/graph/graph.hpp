// Graph<State, Io>: a graph of a context whose type says how far it has come, and which memory its
// inputs and outputs take.
//
//   Graph<Retrieved>::retrieve(context, "name") --bind()--> Graph<Bound> --execute()
//   Graph<Composing>::create(context, "name") --finalize()--> Graph<Retrieved>   (compose.hpp)
//
//   AnyIo         raw or registered memory; io_cost() reports what a mismatch costs  (the default)
//   RegisteredIo  prepared for registered memory, and bound to nothing else: no copy
//   RawIo         prepared for raw memory, and bound to nothing else
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/detail/graph_block.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

template <class State, class Io = AnyIo>
class Graph;
struct NodeSpec;

namespace detail {

/// What a final graph has in every state.
class QNNPP_LINEAR GraphHandle {
 public:
  [[nodiscard]] QNNPP_LIVE const std::string& name() const& { return block().spec.name; }
  /// Of a temporary a copy, which does not dangle.
  [[nodiscard]] QNNPP_LIVE std::string name() const&& { return block().spec.name; }

  /// The C handle; it belongs to the context and dies with it.
  [[nodiscard]] QNNPP_LIVE c_api::GraphHandle native() const& { return block().call.graph(); }
  QNNPP_REFUSE("native() of a temporary would dangle; name the graph first", c_api::GraphHandle,
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
    QNNPP_EXPECTS(block_, moved_graph);  // ORD-09: not used after a transition or a move.
    return *block_;
  }
  [[nodiscard]] Ref<GraphBlock> take() {
    QNNPP_EXPECTS(block_, moved_graph);
    return std::move(block_);
  }

 private:
  friend struct Access;

  Ref<GraphBlock> block_;
};

}  // namespace detail

// ---------------------------------------------------------------------------------------- Bound

/// A graph all of whose inputs and outputs have memory. Keeps its context and registered memory
/// alive; raw memory is the caller's and stays in place while this object lives.
///
/// Threads: one at a time uses one graph (THR-02), and may destroy it, whatever others do with
/// other graphs of the same context. Graphs that share spill-fill memory execute in turn, others at
/// the same time. If it is the last object of its context, its destructor frees the context, and
/// waits while another thread creates, finalizes or frees a context of the same backend.
template <class Io>
class QNNPP_LINEAR Graph<Bound, Io> : public detail::GraphHandle {
  using Unbound = Graph<Retrieved, Io>;

 public:
  QNNPP_MOVE_ONLY(Graph, "a graph has one owner; write std::move(graph)");
  template <detail::ResultOf<Graph> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(graph), or use value_or_throw()", Graph,
      const R&);

  /// Runs the graph once, blocking (QnnGraph_execute). Waits first while a graph of another context
  /// with the same spill-fill memory executes, in turn with others that wait (BUF-12). Looks
  /// nothing up and allocates nothing. One thread at a time executes one graph.
  ///
  /// Errors: `would_deadlock` where this thread holds the lease, which it passes instead; `dead`
  /// after a restart of the DSP (SSR-01); `qnn`, e.g. 6001 for a graph that is not enabled, 1007.
  [[nodiscard]] QNNPP_LIVE Result<void> execute() {
    const detail::GraphBlock& graph = block();
    const auto& lock = graph.context->lock;
    if (!lock) return graph.run();
    const auto attempt = lock->take();
    if (attempt != detail::ExecutionLock::Attempt::taken) [[unlikely]]
      return fail(detail::not_taken(attempt, graph.spec.name));
    const detail::GivesBack guard{*lock};
    return graph.run();
  }

  /// The same under a lease that the caller holds already: nothing waits. The lease must be that of
  /// this graph's context (contract). Errors: `in_use` where another thread executes under the same
  /// lease; `dead`, `qnn`.
  [[nodiscard]] QNNPP_LIVE QNNPP_ALWAYS_INLINE Result<void> execute(SpillFillLease& lease) {
    const detail::GraphBlock& graph = block();
    detail::ExecutionLock* const lock = graph.context->lock.get();
    QNNPP_EXPECTS(detail::covers(lease, graph.context->lock),
                  "the lease does not cover the graph; pass the lease of the graph's own context");
    if (lock != nullptr && !lock->begin_execution()) [[unlikely]]
      return fail(detail::lease_executes(graph.spec.name));
    return graph.run(lock);
  }
  QNNPP_REFUSE("a const lease cannot be used; declare it without const", Result<void>,
               execute(const SpillFillLease&) const);
  QNNPP_REFUSE("a temporary lease ends with the call; write execute(), or name the lease",
               Result<void>, execute(SpillFillLease&&) const);
  template <detail::ResultOf<SpillFillLease> R>
  QNNPP_REFUSE("this is a Result; test it and pass *lease, or use value_or_throw()", Result<void>,
               execute(const R&) const);

  /// Opens an input for the CPU to write, in the registered memory that it is bound to. T is what
  /// carries() allows: the tensor's type, or std::byte. The access ends, as its object does, before
  /// the graph executes.
  ///
  /// Errors: `unknown_name` with the first inputs; `type_mismatch` (both types); `sync_failed`;
  /// `raw_memory` for a tensor that is bound to the caller's own.
  template <class T>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] QNNPP_LIVE Result<TensorAccess<T>> input(std::string_view name) const {
    return block().template access<T>(name, false);
  }
  /// Opens an output for the CPU to read. Errors: those of input().
  template <class T>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] QNNPP_LIVE Result<TensorAccess<const T>> output(std::string_view name) const {
    return block().template access<const T>(name, true);
  }
  template <class T>
    requires(std::is_same_v<Io, RawIo>)
  QNNPP_REFUSE("raw memory is yours; use what you gave to bind()", Result<TensorAccess<T>>,
               input(std::string_view) const);
  template <class T>
    requires(std::is_same_v<Io, RawIo>)
  QNNPP_REFUSE("raw memory is yours; use what you gave to bind()", Result<TensorAccess<const T>>,
               output(std::string_view) const);

  /// What its memory costs beside what the graph was prepared for; nothing for RegisteredIo.
  [[nodiscard]] QNNPP_LIVE IoCost io_cost() const { return block().cost; }

  /// Gives the memory up; the graph can be bound again.
  [[nodiscard]] QNNPP_CONSUMES Unbound unbind() && {
    Ref<detail::GraphBlock> block = take();
    block->unbind();
    return Unbound(std::move(block));
  }
  QNNPP_REFUSE("unbind() consumes the graph; write std::move(graph).unbind()", Unbound,
               unbind() const&);

  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph>,
               bind(std::initializer_list<Binding>) const);
  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph>,
               bind(std::span<const Binding>) const);
  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph>,
               bind(std::span<const RegisteredBinding>) const);
  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph>,
               bind(std::span<const RawBinding>) const);
  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph>,
               bind(const RegisteredTensors&) const);
  template <DmaAllocator Allocator>
  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph>,
               bind(const Allocator&) const);

 private:
  template <class, class>
  friend class Graph;
  QNNPP_FRESH explicit Graph(Ref<detail::GraphBlock> block)
      : detail::GraphHandle(std::move(block)) {}
};

// ------------------------------------------------------------------------------------ Retrieved

namespace detail {

/// What a graph without memory has, whichever memory it takes.
class QNNPP_LINEAR RetrievedHandle : public GraphHandle {
 public:
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

  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first", Result<void>,
               execute() const);
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first", Result<void>,
               execute(const SpillFillLease&) const);
  template <class T>
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first",
               Result<TensorAccess<T>>, input(std::string_view) const);
  template <class T>
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first",
               Result<TensorAccess<const T>>, output(std::string_view) const);
  QNNPP_REFUSE("a final graph takes no more nodes; use Graph<Composing>::create()", Result<void>,
               add_node(const NodeSpec&) const);
  QNNPP_REFUSE("a final graph takes no more tensors; use Graph<Composing>::create()", Result<void>,
               add_tensor(const TensorSpec&) const);

 protected:
  using GraphHandle::GraphHandle;
};

/// Whether a T converts to a span of one of these elements.
template <class T, class... Elements>
inline constexpr bool is_list_of =
    (std::is_convertible_v<const T&, std::span<const Elements>> || ...);

/// The memory that bind() takes, by kind of graph, and what it refuses.
template <class Io>
class BindOverloads;

template <>
class QNNPP_LINEAR BindOverloads<AnyIo> : public RetrievedHandle {
 public:
  using Accepted = Binding;
  using BoundGraph = Result<Graph<Bound, AnyIo>>;

  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(std::initializer_list<Binding>) const&);
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(std::span<const Binding>) const&);
  template <class... More>
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(const RegisteredTensors&, const More&...) const&);
  template <DmaAllocator Allocator>
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(const Allocator&) const&);

 protected:
  using RetrievedHandle::RetrievedHandle;
};

template <>
class QNNPP_LINEAR BindOverloads<RegisteredIo> : public RetrievedHandle {
 public:
  using Accepted = RegisteredBinding;
  using BoundGraph = Result<Graph<Bound, RegisteredIo>>;

  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(std::initializer_list<RegisteredBinding>) const&);
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(std::span<const RegisteredBinding>) const&);
  template <class... More>
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(const RegisteredTensors&, const More&...) const&);
  template <DmaAllocator Allocator>
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(const Allocator&) const&);

  QNNPP_REFUSE("raw memory is copied at every inference; bind registered memory or use AnyIo",
               BoundGraph, bind(std::initializer_list<RawBinding>) const&);
  QNNPP_REFUSE("raw memory is copied at every inference; bind registered memory or use AnyIo",
               BoundGraph, bind(std::initializer_list<Binding>) const&);
  QNNPP_REFUSE("raw memory is copied at every inference; bind registered memory or use AnyIo",
               BoundGraph, bind(std::span<const RawBinding>) const&);
  QNNPP_REFUSE("raw memory is copied at every inference; bind registered memory or use AnyIo",
               BoundGraph, bind(std::span<const Binding>) const&);

 protected:
  using RetrievedHandle::RetrievedHandle;
};

template <>
class QNNPP_LINEAR BindOverloads<RawIo> : public RetrievedHandle {
 public:
  using Accepted = RawBinding;
  using BoundGraph = Result<Graph<Bound, RawIo>>;

  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(std::initializer_list<RawBinding>) const&);
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(std::span<const RawBinding>) const&);

  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               BoundGraph, bind(std::initializer_list<RegisteredBinding>) const&);
  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               BoundGraph, bind(std::initializer_list<Binding>) const&);
  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               BoundGraph, bind(std::span<const RegisteredBinding>) const&);
  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               BoundGraph, bind(std::span<const Binding>) const&);
  template <class... More>
  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               BoundGraph, bind(const RegisteredTensors&, const More&...) const&);
  template <DmaAllocator Allocator>
  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               BoundGraph, bind(const Allocator&) const&);

 protected:
  using RetrievedHandle::RetrievedHandle;
};

}  // namespace detail

/// A final graph whose tensors are known; none has memory yet. One thread at a time uses it;
/// different graphs of one context may be bound on different threads.
template <class Io>
class QNNPP_LINEAR Graph<Retrieved, Io> : public detail::BindOverloads<Io> {
  using Accepted = typename detail::BindOverloads<Io>::Accepted;
  using BoundGraph = Result<Graph<Bound, Io>>;

 public:
  QNNPP_MOVE_ONLY(Graph, "a graph has one owner; write std::move(graph)");
  template <detail::ResultOf<Graph> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(graph), or use value_or_throw()", Graph,
      const R&);

  /// Finds a graph of a context (QnnGraph_retrieve). Keeps the context alive.
  ///
  /// Errors: `unknown_name` with the first of the graphs there are; `invalid_argument` for a name
  /// that holds a NUL; `qnn` with 6003; `no_metadata` or the
  /// system library's error where the graph's tensors are not known; with RegisteredIo or RawIo
  /// `memory_type_mismatch` naming the tensor that was prepared for the other kind of memory
  /// (QMEM-02, QMEM-03).
  [[nodiscard]] static Result<Graph> retrieve(const Context<Finalized>& context,
                                              const std::string& name) {
    return make(detail::retrieve_graph(detail::Access::block(context), name));
  }
  /// The same for a graph that was composed online.
  [[nodiscard]] static Result<Graph> retrieve(const Context<Composed>& context,
                                              const std::string& name) {
    return make(detail::retrieve_graph(detail::Access::block(context), name));
  }
  static QNNPP_REFUSE("the context is not finalized; query, register and finalize() it first",
                      Result<Graph>, retrieve(const Context<Deferred>&, const std::string&));
  static QNNPP_REFUSE("the context is not finalized; register_buffers() and finalize() it first",
                      Result<Graph>, retrieve(const Context<Queried>&, const std::string&));
  static QNNPP_REFUSE("the context is not finalized; call std::move(context).finalize() first",
                      Result<Graph>, retrieve(const Context<Registered>&, const std::string&));
  template <class Other>
    requires(!detail::AnyResult<Other>)
  static QNNPP_REFUSE("no context; retrieve(context, name) wants a finalized Context",
                      Result<Graph>, retrieve(const Other&, const std::string&));

  using detail::BindOverloads<Io>::bind;

  /// Gives every input and output its memory, checked by name, type, shape and size: made by
  /// registered() for RegisteredIo, by raw() for RawIo, by either for AnyIo.
  ///
  /// Errors name the tensor and both sides: `missing_tensor` and `unknown_name` (each lists all
  /// names that are wrong), `duplicate_name`, `type_mismatch`, `shape_mismatch`, `size_mismatch`,
  /// `too_large` (raw memory of 4 GiB or more), `foreign_object` (memory registered with another
  /// context), `invalid_argument` (const memory for an output, a name that holds a NUL),
  /// `overlapping` (an output in bytes of another tensor of the graph; inputs may share theirs; raw
  /// memory in bytes of registered memory is seen where the CPU has that mapped). The graph is
  /// consumed then too: check() asks beforehand.
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound, Io>> bind(
      std::initializer_list<Accepted> bindings) && {
    return std::move(*this).bind(std::span<const Accepted>(bindings.begin(), bindings.size()));
  }
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound, Io>> bind(
      std::span<const Accepted> bindings) && {
    if constexpr (std::is_same_v<Accepted, Binding>)
      return bind_all(bindings);
    else
      return bind_all(std::vector<Binding>(bindings.begin(), bindings.end()));
  }
  /// Binds every tensor of some registrations to the graph's tensor of its name. Errors: the same.
  template <std::same_as<RegisteredTensors>... More>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound, Io>> bind(const RegisteredTensors& tensors,
                                                             const More&... more) && {
    return bound(this->take(), std::initializer_list<const RegisteredTensors*>{&tensors, &more...});
  }
  /// Allocates one buffer for all inputs and outputs, registers it with the graph's context and
  /// binds it: input() and output() of the bound graph open the tensors. The graph owns the memory.
  ///
  /// Errors: those of SharedBuffer::allocate() and RegisteredTensors::create(). Everything made so
  /// far is released then, and the graph is consumed.
  template <DmaAllocator Allocator>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound, Io>> bind(const Allocator& allocator) && {
    const Ref<detail::GraphBlock> block = this->take();
    auto memory =
        SharedBuffer<MultiTensor>::allocate(allocator, block->spec.inputs, block->spec.outputs);
    if (!memory) return fail(std::move(memory).error());
    auto tensors = detail::Access::make<RegisteredTensors>(block->context, *memory);
    if (!tensors) return fail(std::move(tensors).error());
    return bound(block, std::initializer_list<const RegisteredTensors*>{&*tensors});
  }
  /// Whether bind() would take this memory: the same errors, but nothing is consumed or bound.
  [[nodiscard]] QNNPP_LIVE Result<void> check(std::initializer_list<Accepted> bindings) const {
    return check(std::span<const Accepted>(bindings.begin(), bindings.size()));
  }
  [[nodiscard]] QNNPP_LIVE Result<void> check(std::span<const Accepted> bindings) const {
    if constexpr (std::is_same_v<Accepted, Binding>)
      return checked(bindings);
    else
      return checked(std::vector<Binding>(bindings.begin(), bindings.end()));
  }
  template <std::same_as<RegisteredTensors>... More>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] QNNPP_LIVE Result<void> check(const RegisteredTensors& tensors,
                                              const More&... more) const {
    return checked(std::initializer_list<const RegisteredTensors*>{&tensors, &more...});
  }

  template <class... Arguments>
    requires(detail::AnyResult<Arguments> || ...)
  QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
               BoundGraph, bind(const Arguments&...) &&);
  template <detail::NoAllocator Other>
    requires(!std::same_as<Other, RegisteredTensors> &&
             !detail::is_list_of<Other, Binding, RegisteredBinding, RawBinding>)
  QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
               BoundGraph, bind(const Other&) &&);

 private:
  template <class, class>
  friend class Graph;
  QNNPP_FRESH explicit Graph(Ref<detail::GraphBlock> block)
      : detail::BindOverloads<Io>(std::move(block)) {}

  [[nodiscard]] static Result<Graph> make(Result<Ref<detail::GraphBlock>> block) {
    if (!block) return fail(std::move(block).error());
    if constexpr (!std::is_same_v<Io, AnyIo>)
      if (auto fits = detail::require_prepared(**block, std::is_same_v<Io, RegisteredIo>); !fits)
        return fail(std::move(fits).error());
    return Graph(std::move(*block));
  }

  [[nodiscard]] Result<Graph<Bound, Io>> bind_all(std::span<const Binding> bindings) {
    return bound(this->take(), bindings);
  }
  /// `memory`: bindings or registrations.
  template <class Memory>
  [[nodiscard]] Result<void> checked(const Memory& memory) const {
    if (auto fits = this->block().prepare(memory); !fits) return fail(std::move(fits).error());
    return success();
  }
  /// The same.
  template <class Memory>
  [[nodiscard]] static Result<Graph<Bound, Io>> bound(Ref<detail::GraphBlock> block,
                                                      const Memory& memory) {
    if (auto done = block->use(block->prepare(memory)); !done) return fail(std::move(done).error());
    return Graph<Bound, Io>(std::move(block));
  }
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE
