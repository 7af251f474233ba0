// Graph<State, Io>: a graph of a context. Its type states how far the graph is prepared, and which
// memory it accepts for its inputs and outputs.
//
//   Graph<Retrieved>::retrieve(context, "name") --bind()--> Graph<Bound> --execute()
//   Graph<Composing>::create(context, "name") --finalize()--> Graph<Retrieved>   (compose.hpp)
//
//   AnyIo         raw or registered memory; io_cost() reports the cost of a mismatch  (the default)
//   RegisteredIo  prepared for registered memory, accepts only registered memory: no copies
//   RawIo         prepared for raw memory, accepts only raw memory
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/context/context.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/detail/execute_refusals.hpp"
#include "qnnpp/graph/detail/graph_block.hpp"
#include "qnnpp/graph/execute_options.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

template <class State, class Io = AnyIo>
class Graph;
struct NodeSpec;

namespace detail {

/// Base of a final graph in every state.
class QNNPP_LINEAR GraphHandle {
 public:
  /// Name of the graph.
  [[nodiscard]] QNNPP_LIVE const std::string& name() const& { return block().spec.name; }
  /// Name of a temporary graph, as a copy that cannot dangle.
  [[nodiscard]] QNNPP_LIVE std::string name() const&& { return block().spec.name; }

  /// The C handle. The context owns it and frees it.
  [[nodiscard]] QNNPP_LIVE c_api::GraphHandle native() const& { return block().call.graph(); }
  QNNPP_REFUSE("native() of a temporary would dangle; name the graph first", c_api::GraphHandle,
               native() const&&);

  /// Sets the priority of the next executions, in place of the context's (QnnGraph_setConfig).
  /// Errors: `invalid_argument` for a number that is no priority; `slot_null`; `dead`; `qnn`.
  [[nodiscard]] QNNPP_LIVE Result<void> set_priority(c_api::Priority priority) {
    return block().set_priority(priority);
  }

  /// Releases the memory and the context. Always succeeds, because QNN has nothing to free here.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() && {
    (void)take();
    return {};
  }
  QNNPP_REFUSE("close() consumes the graph; write std::move(graph).close()", Result<void>,
               close() const&);

 protected:
  explicit GraphHandle(Ref<GraphBlock> block) : block_(std::move(block)) {}

  [[nodiscard]] GraphBlock& block() const {
    qnnpp::detail::expects(block_, moved_graph);  // ORD-09: not used after a transition or a move.
    return *block_;
  }
  [[nodiscard]] Ref<GraphBlock> take() {
    qnnpp::detail::expects(block_, moved_graph);
    return std::move(block_);
  }

 private:
  friend struct Access;

  Ref<GraphBlock> block_;
};

}  // namespace detail

/// A graph with memory for every input and output. Keeps its context and its registered memory
/// alive. Borrows raw memory, which must stay in place while this object exists.
///
/// Threads: only one thread at a time may use or destroy one graph (THR-02). Different graphs of
/// one context may be used on different threads. Graphs that share spill-fill memory execute one
/// after another, other graphs concurrently. If this is the last object of its context, the
/// destructor frees the context. It then waits while another thread creates, finalizes or frees a
/// context of the same backend.
template <class Io>
class QNNPP_LINEAR Graph<Bound, Io> : public detail::GraphHandle, private detail::ExecuteRefusals {
  using Unbound = Graph<Retrieved, Io>;

 public:
  QNNPP_MOVE_ONLY(Graph, "a graph has one owner; write std::move(graph)");
  template <detail::ResultOf<Graph> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(graph), or use value_or_throw()", Graph,
      const R&);

  /// Executes the graph once and blocks until it ends (QnnGraph_execute). Waits first while a graph
  /// that shares the spill-fill memory executes; waiting threads proceed in order of arrival
  /// (BUF-12). Searches and allocates nothing.
  ///
  /// Errors, before the C call: `would_deadlock` if this thread holds the lease: pass the lease
  /// instead; and if the thread that holds it waits for a lease of this thread; `dead` after a
  /// restart of the DSP (SSR-01); `in_use` while the CPU has a tensor of the graph open (ORD-18);
  /// `unwritten_input` for an input in memory of bind(allocator) that was neither opened by input()
  /// nor rebound (ORD-19); `wrong_order` for memory of a KvCache that is laid out for another graph
  /// (ORD-20). The call's own error: `qnn`, e.g. 6001 for a graph that is not enabled, or 1007.
  ///
  /// `profile` records the call, also if it fails, unless it is null; this allocates. Error of
  /// another backend's profile: `foreign_object`. Events that cannot be read are no error of the
  /// call.
  [[nodiscard]] QNNPP_LIVE [[gnu::always_inline]] Result<void> execute(Profile* profile = nullptr) {
    const detail::GraphBlock& graph = block();
    if (profile != nullptr || graph.call.lock()) return graph.lock_and_run(profile);
    return graph.run();
  }
  /// Executes the graph as execute() does, with options. Further errors: `timed_out`, `cancelled`.
  [[nodiscard]] QNNPP_LIVE Result<void> execute(const ExecuteOptions& options) {
    return block().lock_and_run(options);
  }

  /// Executes the graph under a lease that the caller holds, without waiting. The lease must belong
  /// to this graph's context (contract). Errors: `in_use` if another thread executes under the same
  /// lease; those of execute() without a lease, except `would_deadlock`.
  [[nodiscard]] QNNPP_LIVE [[gnu::always_inline]] Result<void> execute(SpillFillLease& lease,
                                                                       Profile* profile = nullptr) {
    const detail::GraphBlock& graph = block();
    detail::ExecutionLock* const lock = graph.call.lock().get();
    qnnpp::detail::expects(detail::covers(lease, graph.call.lock()), detail::foreign_lease);
    if (profile != nullptr || lock == nullptr || !lock->begin_execution()) [[unlikely]]
      return graph.run_under_lease(profile);
    return graph.run(lock);
  }
  /// Executes the graph under a lease, with options but `wait_at_most`.
  [[nodiscard]] QNNPP_LIVE Result<void> execute(SpillFillLease& lease, const ExecuteOptions& with) {
    qnnpp::detail::expects(detail::covers(lease, block().call.lock()), detail::foreign_lease);
    return block().run_under_lease(with.profile, {with.stop, with.at_most});
  }
  using detail::ExecuteRefusals::execute;

  /// Opens an input in registered memory, for the CPU to write. For the types T see carries().
  /// Destroy the returned access before the graph executes. With dynamic dimensions, the access
  /// covers the elements of the actual extents.
  ///
  /// Errors: `unknown_name` with the nearest inputs; `type_mismatch` (both types); `sync_failed`;
  /// `raw_memory` for a tensor that is bound to raw memory.
  template <class T>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] QNNPP_LIVE Result<TensorAccess<T>> input(std::string_view name) const {
    return block().template access<T>(name, false);
  }
  /// Opens an output in registered memory, for the CPU to read. Errors: the errors of input();
  /// `shape_mismatch` if the execution wrote extents above the maxima.
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

  /// Gives one input or output other memory, until the next rebind() or unbind(). The other tensors
  /// keep their memory. So a ring of buffers is registered once, and one is chosen for each
  /// execution. `binding` comes from registered() or raw(), as for bind(); keep one for each.
  ///
  /// Allocates nothing after the first call and makes no C call. Releases the graph's share of the
  /// old memory. An error changes nothing. Errors: those of bind() about one tensor;
  /// `unknown_name`.
  [[nodiscard]] QNNPP_LIVE Result<void> rebind(const Binding<Io>& binding) {
    return block().rebind(detail::Access::block(binding));
  }
  template <class Kind>
    requires(std::is_same_v<Io, RegisteredIo> && !std::is_same_v<Kind, RegisteredIo>)
  QNNPP_REFUSE("raw memory is copied at every inference; bind registered memory or use AnyIo",
               Result<void>, rebind(const Binding<Kind>&) const);
  template <class Kind>
    requires(std::is_same_v<Io, RawIo> && !std::is_same_v<Kind, RawIo>)
  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               Result<void>, rebind(const Binding<Kind>&) const);

  /// Exchanges the memory of an input and an output: the next execution reads what the last one
  /// wrote, and writes where the last one read. Both are registered and have equal type, layout,
  /// dimensions and quantisation. So a graph that returns a whole new state continues without a
  /// copy. With dynamic dimensions, each memory keeps its actual extents.
  ///
  /// Allocates nothing after the first call and makes no C call. An error changes nothing. Errors:
  /// `unknown_name`; `type_mismatch`, `shape_mismatch`; `raw_memory`; `overlapping` if the input
  /// shares its bytes with another input; `in_use` while the CPU has one of them open (ORD-18).
  [[nodiscard]] QNNPP_LIVE Result<void> exchange(std::string_view input, std::string_view output)
    requires(!std::is_same_v<Io, RawIo>)
  {
    return block().exchange(input, output);
  }
  /// Exchanges each pair of an input and an output, from the first to the last: all caches of a
  /// token in one call, `exchange({{"past_0", "next_0"}, {"past_1", "next_1"}})`. An error changes
  /// nothing.
  template <class Pairs = std::initializer_list<std::pair<std::string_view, std::string_view>>>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] QNNPP_LIVE Result<void> exchange(const Pairs& pairs) {
    return block().exchange(pairs);
  }
  template <class Name>
    requires(std::is_same_v<Io, RawIo>)
  QNNPP_REFUSE("raw memory is yours; bind registered memory to exchange it", Result<void>,
               exchange(const Name&, std::string_view) const);

  /// Sets the actual extents of an input with dynamic dimensions for the next executions:
  /// `set_extents("tokens", {1, 37})`. bind() begins with the maxima, TensorSpec::dimensions. The
  /// data is dense and begins at the memory's start. The outputs' extents become their maxima until
  /// the next execution writes them.
  ///
  /// Allocates nothing after the first call and makes no C call. An error changes nothing. Errors:
  /// `unknown_name` with the nearest tensors of the graph; `invalid_argument` for an output, and
  /// for an input without dynamic dimensions; `shape_mismatch` (both shapes) for another rank,
  /// another value of a fixed dimension, 0, or more than the maximum. The backend can refuse
  /// extents that contradict each other in execute() (6036).
  [[nodiscard]] QNNPP_LIVE Result<void> set_extents(std::string_view input,
                                                    std::span<const std::uint32_t> extents) {
    return block().set_extents(input, extents);
  }
  /// Sets the extents that a list in braces states.
  [[nodiscard]] QNNPP_LIVE Result<void> set_extents(std::string_view input,
                                                    std::initializer_list<std::uint32_t> extents) {
    return block().set_extents(input, std::span(extents.begin(), extents.size()));
  }
  /// Returns the actual extents of an input or output: what set_extents() set and the last
  /// execution wrote, or the dimensions of a tensor without dynamic dimensions. Valid until the
  /// graph is unbound or destroyed; set_extents(), execute() and exchange() change the values.
  /// Error: `unknown_name`.
  [[nodiscard]] QNNPP_LIVE Result<std::span<const std::uint32_t>> extents(
      std::string_view name) const& {
    return block().extents_of_tensor(name);
  }
  QNNPP_REFUSE("extents() of a temporary would dangle; name the graph first",
               Result<std::span<const std::uint32_t>>, extents(std::string_view) const&&);

  /// Returns the copies and allocations that the bound memory causes; all 0 for RegisteredIo.
  /// Memory that is bound by address counts as raw.
  [[nodiscard]] QNNPP_LIVE IoCost io_cost() const { return block().io_cost(); }

  /// Releases the memory. The returned graph can be bound again.
  [[nodiscard]] QNNPP_CONSUMES Unbound unbind() && {
    Ref<detail::GraphBlock> block = take();
    block->unbind();
    return Unbound(std::move(block));
  }
  QNNPP_REFUSE("unbind() consumes the graph; write std::move(graph).unbind()", Unbound,
               unbind() const&);

  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph>,
               bind(std::initializer_list<Binding<>>) const);
  template <class... Memory>
  QNNPP_REFUSE("this graph is bound; call std::move(graph).unbind() first", Result<Graph>,
               bind(const Memory&...) const);

 private:
  template <class, class>
  friend class Graph;
  explicit Graph(Ref<detail::GraphBlock> block) : detail::GraphHandle(std::move(block)) {}
};

/// A final graph whose tensors are known but have no memory yet. Keeps its context alive.
///
/// Threads: only one thread at a time may use one graph. Different graphs of one context may be
/// bound on different threads.
template <class Io>
class QNNPP_LINEAR Graph<Retrieved, Io> : public detail::GraphHandle {
  using Accepted = Binding<Io>;
  using BoundGraph = Result<Graph<Bound, Io>>;
  static constexpr bool is_raw = std::is_same_v<Io, RawIo>;
  static constexpr bool is_registered = std::is_same_v<Io, RegisteredIo>;

 public:
  QNNPP_MOVE_ONLY(Graph, "a graph has one owner; write std::move(graph)");
  template <detail::ResultOf<Graph> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(graph), or use value_or_throw()", Graph,
      const R&);

  /// Finds a graph of a context (QnnGraph_retrieve). The graph keeps the context alive.
  ///
  /// Errors: `unknown_name` with the nearest graphs of the context; `invalid_argument` for a name
  /// that contains a NUL; `qnn`, e.g. 6003; `no_metadata` or the system library's error if the
  /// graph's tensors are not known; for RegisteredIo and RawIo, `memory_type_mismatch` naming the
  /// tensor that was prepared for the other kind of memory (QMEM-02, QMEM-03). For RegisteredIo,
  /// `capability_missing` with TensorMemory::by_address; with `either`, the graph decides for
  /// `registered`.
  [[nodiscard]] static Result<Graph> retrieve(const Context<Finalized>& context,
                                              const std::string& name) {
    return make(detail::retrieve_graph(detail::Access::block(context), name));
  }
  /// Finds a graph that this process composed. Errors: as for a finalized context.
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

  /// Inputs in the graph's order. The reference is valid while the graph exists.
  [[nodiscard]] QNNPP_LIVE const std::vector<TensorSpec>& inputs() const& {
    return block().spec.inputs;
  }
  /// Outputs in the graph's order. The reference is valid while the graph exists.
  [[nodiscard]] QNNPP_LIVE const std::vector<TensorSpec>& outputs() const& {
    return block().spec.outputs;
  }
  QNNPP_REFUSE("inputs() of a temporary would dangle; name the graph first",
               const std::vector<TensorSpec>&, inputs() const&&);
  QNNPP_REFUSE("outputs() of a temporary would dangle; name the graph first",
               const std::vector<TensorSpec>&, outputs() const&&);

  /// Sets the number of vector threads (HVX) of a graph from a binary (QnnGraph_setConfig). QNN
  /// does not support another number after the graph has executed, but may return success.
  /// Errors: `invalid_argument` for 0; `slot_null`; `dead`; `qnn`.
  [[nodiscard]] QNNPP_LIVE Result<void> set_hvx_threads(std::uint32_t threads) {
    return block().set_hvx_threads(threads);
  }

  /// Assigns memory to every input and output, by name. Checks type, shape, size and overlaps.
  /// `bindings` come from registered() for RegisteredIo, from raw() for RawIo, from both for AnyIo.
  /// An error consumes the graph too: call check() first to keep it.
  ///
  /// Errors name the tensor and both sides:
  /// - `missing_tensor` and `unknown_name` (each lists all wrong names), `duplicate_name`;
  /// - `type_mismatch` (element type or quantisation), `shape_mismatch`, `size_mismatch`;
  /// - `too_large` for raw memory of 4 GiB or more;
  /// - `foreign_object` for memory that is registered with another context;
  /// - `capability_missing` for a graph that was composed for RegisteredIo, with
  ///   TensorMemory::by_address;
  /// - `invalid_argument` for an output in const memory, and for a name that contains a NUL;
  /// - `overlapping` for an output that shares bytes with another tensor of the graph. Inputs may
  ///   share bytes; so may an input and an output that are both of type app_readwrite, if they have
  ///   exactly the same bytes: the graph then updates them in place. Raw memory within registered
  ///   memory is found only if the registered memory is mapped for the CPU.
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound, Io>> bind(
      std::initializer_list<Accepted> bindings) && {
    return std::move(*this).bind(std::span<const Accepted>(bindings.begin(), bindings.size()));
  }
  /// Binds the memory that a span of bindings names.
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound, Io>> bind(
      std::span<const Accepted> bindings) && {
    return bound(take(), bindings);
  }
  /// Binds the graph's tensors to the tensors of these registrations with the same names. The
  /// registrations may have more tensors than the graph. They must not be moved from (contract).
  /// Errors: the same; `missing_tensor` lists what they lack.
  template <std::same_as<RegisteredTensors>... More>
    requires(!is_raw)
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound, Io>> bind(const RegisteredTensors& tensors,
                                                             const More&... more) && {
    return bound(take(), std::initializer_list<const RegisteredTensors*>{&tensors, &more...});
  }
  /// Allocates one buffer for all inputs and outputs, registers it with the graph's context and
  /// binds it. The bound graph owns the memory; its input() and output() open the tensors.
  ///
  /// Errors: the errors of SharedBuffer::allocate() and RegisteredTensors::create(). An error
  /// releases the new memory and consumes the graph.
  template <DmaAllocator Allocator>
    requires(!is_raw)
  [[nodiscard]] QNNPP_CONSUMES Result<Graph<Bound, Io>> bind(const Allocator& allocator) && {
    const Ref<detail::GraphBlock> block = take();
    QNNPP_LET(memory, SharedBuffer<MultiTensor>::allocate(allocator, block->spec.inputs,
                                                          block->spec.outputs));
    QNNPP_LET(tensors, detail::Access::make<RegisteredTensors>(block->context,
                                                               detail::Access::block(*memory)));
    auto done = bound(block, std::initializer_list<const RegisteredTensors*>{&*tensors});
    if (done) block->expect_writes();
    return done;
  }
  /// Checks whether bind() would accept this memory. Returns the same errors, binds nothing and
  /// keeps the graph.
  [[nodiscard]] QNNPP_LIVE Result<void> check(std::initializer_list<Accepted> bindings) const {
    return check(std::span<const Accepted>(bindings.begin(), bindings.size()));
  }
  /// Checks whether bind() would accept this span of bindings.
  [[nodiscard]] QNNPP_LIVE Result<void> check(std::span<const Accepted> bindings) const {
    return checked(bindings);
  }
  /// Checks whether bind() would accept these registrations.
  template <std::same_as<RegisteredTensors>... More>
    requires(!is_raw)
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
             !detail::is_list_of<Other, Binding<>, Binding<RegisteredIo>, Binding<RawIo>>)
  QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
               BoundGraph, bind(const Other&) &&);
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(std::initializer_list<Accepted>) const&);
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(std::span<const Accepted>) const&);
  template <class Memory, class... More>
    requires(!is_raw && (std::same_as<Memory, RegisteredTensors> || DmaAllocator<Memory>))
  QNNPP_REFUSE("bind() consumes the graph; write std::move(graph).bind({...})", BoundGraph,
               bind(const Memory&, const More&...) const&);
  QNNPP_REFUSE("raw memory is copied at every inference; bind registered memory or use AnyIo",
               BoundGraph, bind(std::initializer_list<Binding<>>) const& requires(is_registered));
  template <class List>
    requires(is_registered && detail::is_list_of<List, Binding<>, Binding<RawIo>>)
  QNNPP_REFUSE("raw memory is copied at every inference; bind registered memory or use AnyIo",
               BoundGraph, bind(const List&) const&);
  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               BoundGraph, bind(std::initializer_list<Binding<>>) const& requires(is_raw));
  template <class Memory, class... More>
    requires(is_raw && (std::same_as<Memory, RegisteredTensors> || DmaAllocator<Memory> ||
                        detail::is_list_of<Memory, Binding<>, Binding<RegisteredIo>>))
  QNNPP_REFUSE("registered memory leaves copies of this graph unused; bind raw memory or use AnyIo",
               BoundGraph, bind(const Memory&, const More&...) const&);

  template <class... Arguments>
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first", Result<void>,
               execute(const Arguments&...) const);
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first", Result<void>,
               rebind(const Binding<>&) const);
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first", Result<void>,
               exchange(std::string_view, std::string_view) const);
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first", Result<void>,
               set_extents(std::string_view, std::span<const std::uint32_t>) const);
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first", Result<void>,
               set_extents(std::string_view, std::initializer_list<std::uint32_t>) const);
  QNNPP_REFUSE("the graph has no memory yet; call std::move(graph).bind({...}) first",
               Result<std::span<const std::uint32_t>>, extents(std::string_view) const);
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

 private:
  template <class, class>
  friend class Graph;
  explicit Graph(Ref<detail::GraphBlock> block) : detail::GraphHandle(std::move(block)) {
    this->block().is_for_registered = is_registered;
  }

  [[nodiscard]] static Result<Graph> make(Result<Ref<detail::GraphBlock>> block) {
    if (!block) return fail(std::move(block).error());
    if constexpr (!std::is_same_v<Io, AnyIo>)
      QNNPP_TRY(detail::require_prepared(**block, is_registered));
    return Graph(std::move(*block));
  }

  /// `memory` is a list of bindings or of registrations.
  template <class Memory>
  [[nodiscard]] Result<void> checked(const Memory& memory) const {
    QNNPP_TRY(block().prepare(memory));
    return {};
  }
  /// `memory` is a list of bindings or of registrations.
  template <class Memory>
  [[nodiscard]] static Result<Graph<Bound, Io>> bound(Ref<detail::GraphBlock> block,
                                                      const Memory& memory) {
    QNNPP_TRY(block->use(block->prepare(memory)));
    return Graph<Bound, Io>(std::move(block));
  }
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
