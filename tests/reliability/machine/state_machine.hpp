// The API as a state machine: the objects that a program may hold, the operations on them, and a
// model that predicts the result of each operation. The caller chooses the operations: from a table
// of all pairs, from random numbers, or from the bytes of a fuzzer.
//
//   support::machine::Machine machine(world);
//   machine.apply({.op = Op::load_backend});   // and so on
//   machine.difference();                      // empty: the library did what the model says
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"

#include "controls.hpp"
#include "networks.hpp"

namespace support::machine {

using namespace qnnpp;

// ---- operations --------------------------------------------------------------------------------

/// Operation on the object of slot `a`. The other objects are in slots `b` and `c`.
enum class Op : std::uint8_t {
  load_backend,
  share_backend,  ///< stores the copy in slot b
  close_backend,
  drop_backend,
  move_backend,
  load_allocator,
  drop_allocator,
  allocate_pool,  ///< slot 0: as large as the largest need; slot 1: as large as the smallest
  copy_pool,      ///< stores the copy in slot b
  drop_pool,
  move_pool,
  allocate_buffer,
  drop_buffer,
  move_buffer,
  create,   ///< creates a context of backend b
  restore,  ///< restores a context of backend b
  compose,  ///< begins a context of backend b, for composing
  query,    ///< applies to a context, like every operation until move_context
  register_nothing,
  register_weights,
  register_pool,  ///< with pool b
  register_both,  ///< with pool b and weights
  finalize,
  serialize,
  reclaim,
  readopt,           ///< gives the handle back, and adopts it: borrowed, then owned
  retrieve,          ///< stores the graph in slot b
  begin_graph,       ///< stores the graph in slot b
  register_tensors,  ///< registers tensors of buffer b, as registration c
  close_context,
  drop_context,
  move_context,
  close_tensors,
  drop_tensors,
  move_tensors,
  finish_graph,
  bind_raw,
  bind_registered,  ///< binds memory of registration b
  unbind,
  execute,
  execute_limited,    ///< executes with a time limit, and with a stop, which do not end it
  execute_stopped,    ///< executes with a stop that is pulled
  execute_leased,     ///< executes under a lease of its context's spill-fill memory
  execute_open,       ///< executes while the CPU has the input open
  execute_unwritten,  ///< binds new memory, executes before the input is written, and unbinds
  close_graph,
  drop_graph,
  move_graph,
};
inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::move_graph) + 1;
inline constexpr std::array<const char*, op_count> op_names{"load backend",
                                                            "share backend",
                                                            "close backend",
                                                            "drop backend",
                                                            "move backend",
                                                            "load allocator",
                                                            "drop allocator",
                                                            "allocate pool",
                                                            "copy pool",
                                                            "drop pool",
                                                            "move pool",
                                                            "allocate buffer",
                                                            "drop buffer",
                                                            "move buffer",
                                                            "create",
                                                            "restore",
                                                            "compose",
                                                            "query",
                                                            "register nothing",
                                                            "register weights",
                                                            "register pool",
                                                            "register both",
                                                            "finalize",
                                                            "serialize",
                                                            "reclaim",
                                                            "give back and adopt",
                                                            "retrieve",
                                                            "begin graph",
                                                            "register tensors",
                                                            "close context",
                                                            "drop context",
                                                            "move context",
                                                            "close registration",
                                                            "drop registration",
                                                            "move registration",
                                                            "finish graph",
                                                            "bind raw",
                                                            "bind registered",
                                                            "unbind",
                                                            "execute",
                                                            "execute with limits",
                                                            "execute with a pulled stop",
                                                            "execute under a lease",
                                                            "execute with an open input",
                                                            "execute with an unwritten input",
                                                            "close graph",
                                                            "drop graph",
                                                            "move graph"};

/// Answer of the first call of the operation's C function, or of its allocation.
enum class Fault : std::uint8_t { none, no_room, restart };
inline constexpr std::array<std::uint32_t, 3> fault_codes{0, 1002, 1007};

enum class Kind : std::uint8_t { backend, allocator, pool, buffer, context, tensors, graph };
inline constexpr std::size_t kind_count = 7;
inline constexpr std::array<const char*, kind_count> kind_names{
    "backend", "allocator", "pool", "buffer", "context", "registration", "graph"};
inline constexpr std::array<std::size_t, kind_count> slot_counts{2, 1, 2, 4, 4, 4, 4};

[[nodiscard]] constexpr Kind kind_of(Op op) noexcept {
  if (op <= Op::move_backend) return Kind::backend;
  if (op <= Op::drop_allocator) return Kind::allocator;
  if (op <= Op::move_pool) return Kind::pool;
  if (op <= Op::move_buffer) return Kind::buffer;
  if (op <= Op::move_context) return Kind::context;
  if (op <= Op::move_tensors) return Kind::tensors;
  return Kind::graph;
}

/// Returns the C function that a fault of this operation affects; nothing if the operation calls
/// none.
[[nodiscard]] constexpr std::optional<sim::Slot> call_of(Op op) noexcept {
  using sim::Slot;
  switch (op) {
    case Op::load_backend: return Slot::backend_create;
    case Op::close_backend: return Slot::backend_free;
    case Op::create:
    case Op::restore: return Slot::context_create_from_binary;
    case Op::compose: return Slot::context_create;
    case Op::query: return Slot::context_get_property;
    case Op::register_weights:
    case Op::register_pool:
    case Op::register_both:
    case Op::register_tensors: return Slot::mem_register;
    case Op::finalize: return Slot::context_finalize;
    case Op::serialize: return Slot::context_get_binary;
    case Op::reclaim:
    case Op::close_context: return Slot::context_free;
    case Op::retrieve: return Slot::graph_retrieve;
    case Op::begin_graph: return Slot::graph_create;
    case Op::close_tensors: return Slot::mem_de_register;
    case Op::finish_graph: return Slot::graph_finalize;
    case Op::execute:
    case Op::execute_limited:
    case Op::execute_leased: return Slot::graph_execute;
    default: return {};
  }
}
/// Reports whether an operation begins with an allocation, which `no_room` makes fail.
[[nodiscard]] constexpr bool allocates(Op op) noexcept {
  return op == Op::allocate_pool || op == Op::allocate_buffer;
}
[[nodiscard]] constexpr bool can_fail(Op op, Fault fault) noexcept {
  if (fault == Fault::none) return true;
  if (allocates(op)) return fault == Fault::no_room;
  return call_of(op).has_value();
}

struct Step {
  Op op = Op::load_backend;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  std::uint8_t c = 0;
  Fault fault = Fault::none;
};

/// Describes a step: "context 2: finalize, which gives 1002".
[[nodiscard]] inline std::string words(const Step& step) {
  const Kind kind = kind_of(step.op);
  const std::size_t slots = slot_counts[static_cast<std::size_t>(kind)];
  std::string text = std::string(kind_names[static_cast<std::size_t>(kind)]) + " " +
                     std::to_string(step.a % slots) + ": " +
                     op_names[static_cast<std::size_t>(step.op)];
  const auto add = [&](const char* before, std::size_t number) {
    text += before + std::to_string(number);
  };
  switch (step.op) {
    case Op::share_backend: add(" as backend ", step.b % 2); break;
    case Op::copy_pool: add(" as pool ", step.b % 2); break;
    case Op::create:
    case Op::restore:
    case Op::compose: add(" of backend ", step.b % 2); break;
    case Op::register_pool:
    case Op::register_both: add(" pool ", step.b % 2); break;
    case Op::retrieve:
    case Op::begin_graph: add(" as graph ", step.b % 4); break;
    case Op::register_tensors:
      add(" of buffer ", step.b % 4);
      add(" as registration ", step.c % 4);
      break;
    case Op::bind_registered: add(" to registration ", step.b % 4); break;
    default: break;
  }
  if (step.fault != Fault::none)
    text +=
        allocates(step.op)
            ? ", out of memory"
            : ", which gives " + std::to_string(fault_codes[static_cast<std::size_t>(step.fault)]);
  return text;
}

/// Steps that a sequence may begin with, so that later steps find objects to use.
inline const std::vector<Step> prelude{{.op = Op::load_backend, .a = 0},
                                       {.op = Op::load_backend, .a = 1},
                                       {.op = Op::load_allocator},
                                       {.op = Op::allocate_pool, .a = 0},
                                       {.op = Op::allocate_pool, .a = 1}};

/// Returns how often an operation is chosen. Operations that construct are chosen more often than
/// operations that destroy.
[[nodiscard]] constexpr std::size_t weight_of(Op op) noexcept {
  switch (op) {
    case Op::load_backend:
    case Op::share_backend:
    case Op::close_backend:
    case Op::drop_backend:
    case Op::load_allocator:
    case Op::drop_allocator:
    case Op::drop_pool:
    case Op::copy_pool:
    case Op::begin_graph:
    case Op::move_backend:
    case Op::move_pool:
    case Op::move_buffer: return 1;
    case Op::register_both:
    case Op::register_pool:
    case Op::register_tensors:
    case Op::create:
    case Op::query:
    case Op::bind_raw: return 6;
    case Op::finalize:
    case Op::retrieve:
    case Op::execute:
    case Op::execute_leased:
    case Op::bind_registered: return 12;
    default: return 2;
  }
}
/// Contains each operation as often as its weight.
inline constexpr auto weighted_ops = [] {
  constexpr std::size_t sum = [] {
    std::size_t all = 0;
    for (std::size_t op = 0; op < op_count; ++op) all += weight_of(static_cast<Op>(op));
    return all;
  }();
  static_assert(sum < 256);
  std::array<Op, sum> all{};
  std::size_t next = 0;
  for (std::size_t op = 0; op < op_count; ++op)
    for (std::size_t i = 0; i < weight_of(static_cast<Op>(op)); ++i)
      all[next++] = static_cast<Op>(op);
  return all;
}();

/// Makes a step from three bytes. Every combination of bytes is valid.
inline constexpr std::size_t bytes_of_a_step = 3;
[[nodiscard]] inline Step step_of(std::span<const std::uint8_t> bytes) {
  Step step;
  step.op = weighted_ops[bytes[0] % weighted_ops.size()];
  step.a = bytes[1] & 3;
  step.b = bytes[1] >> 2 & 3;
  step.c = bytes[1] >> 4 & 3;
  // One operation of 16 meets a fault; one of 64 reports a restart.
  const Fault fault = bytes[2] % 64 < 3    ? Fault::no_room
                      : bytes[2] % 64 == 3 ? Fault::restart
                                           : Fault::none;
  if (can_fail(step.op, fault)) step.fault = fault;
  return step;
}

// ---- what changes with the API: one small function each ----------------------------------------

/// Executes under a lease.
inline Result<void> execute_under(Graph<Bound>& graph, SpillFillLease& lease) {
  return graph.execute(lease);
}
/// Writes the input of a graph that is bound to registered memory.
inline bool write_input(Graph<Bound>& graph, const std::vector<float>& values) {
  return write_elements(graph.input<float>("x"), values).has_value();
}
/// Reads the output of a graph that is bound to registered memory.
inline std::vector<float> read_output(Graph<Bound>& graph) {
  auto open = graph.output<float>("y");
  if (!open) return {};
  return {open->elements().begin(), open->elements().end()};
}
inline Result<RpcmemAllocator> load_allocator() { return RpcmemAllocator::load(rpcmem_library); }
inline Result<Backend<Htp>> load_backend() { return Backend<Htp>::load({.library = htp_library}); }

// ---- the world: what all machines have in common -----------------------------------------------

/// Four binaries with increasing needs of spill-fill memory, and the outputs of their graphs.
struct World {
  static constexpr std::size_t contexts = 4;
  std::array<Network, contexts> networks;
  std::array<std::vector<std::byte>, contexts> binaries;
  std::array<BufferRequirements, contexts> needs;
  std::array<std::vector<float>, contexts> inputs;
  std::array<std::vector<float>, contexts> outputs;
  std::vector<float> factors;
  std::vector<TensorSpec> tensors;

  World() {
    const auto backend = must(load_backend());
    for (std::size_t i = 0; i < contexts; ++i) {
      networks[i] = {.name = "net",
                     .rows = 4,
                     .width = 8,
                     .hidden = static_cast<std::uint32_t>(48 + 16 * i),
                     .seed = static_cast<std::uint32_t>(90 + i)};
      binaries[i] = binary_of(backend, {networks[i]});
      needs[i] = must(Context<Deferred>::create(backend, binary(i)).and_then(transition::query))
                     .requirements();
      inputs[i] = networks[i].input();
      outputs[i] = networks[i].reference(inputs[i]);
    }
    factors.assign(networks[0].io_elements(), 2.0f);
    tensors = {networks[0].spec("x"), networks[0].spec("y")};
  }
  [[nodiscard]] ContextBinary binary(std::size_t context) const {
    return must(ContextBinary::borrow(std::span<const std::byte>(binaries[context]), "net.bin"));
  }
};

// ---- the model ---------------------------------------------------------------------------------

/// Counts that the device and the allocator have to report.
struct Live {
  std::uint64_t backends = 0;
  std::uint64_t contexts = 0;
  std::uint64_t graphs = 0;
  std::uint64_t tensors = 0;
  std::uint64_t weights = 0;
  std::uint64_t spill_fills = 0;
  std::uint64_t allocations = 0;
};

struct BackendModel {
  explicit BackendModel(Live& of) : live(of) { ++live.backends; }
  BackendModel(const BackendModel&) = delete;
  BackendModel& operator=(const BackendModel&) = delete;
  ~BackendModel() { --live.backends; }
  Live& live;
};
struct MemoryModel {
  MemoryModel(Live& of, std::uint64_t has) : live(of), bytes(has) { ++live.allocations; }
  MemoryModel(const MemoryModel&) = delete;
  MemoryModel& operator=(const MemoryModel&) = delete;
  ~MemoryModel() { --live.allocations; }
  Live& live;
  std::uint64_t bytes;
};

enum class State : std::uint8_t {
  absent,
  deferred,
  queried,
  registered,
  finalized,
  composing,
  composed,
};
inline constexpr std::array<const char*, 7> state_names{
    "absent", "Deferred", "Queried", "Registered", "Finalized", "Composing", "Composed"};

struct ContextModel {
  ContextModel(Live& of, std::shared_ptr<BackendModel> parent, State made, std::size_t number)
      : live(of), backend(std::move(parent)), state(made), network(number) {
    ++live.contexts;
    if (state == State::finalized) add_graph();
  }
  ContextModel(const ContextModel&) = delete;
  ContextModel& operator=(const ContextModel&) = delete;
  ~ContextModel() {
    --live.contexts;
    live.graphs -= graphs;
    if (weights) --live.weights;
    if (pool) --live.spill_fills;
  }
  void add_graph() {
    ++graphs;
    ++live.graphs;
  }
  Live& live;
  std::shared_ptr<BackendModel> backend;
  State state;
  std::size_t network;
  bool dead = false;
  std::uint64_t graphs = 0;
  std::uint64_t unfinished = 0;
  std::vector<std::string> names;  ///< names of composed graphs that are finalized
  std::uint64_t begun = 0;         ///< number of graphs begun, for distinct names
  std::shared_ptr<MemoryModel> weights;
  std::shared_ptr<MemoryModel> pool;
};
struct TensorsModel {
  TensorsModel(Live& of, std::shared_ptr<ContextModel> with, std::shared_ptr<MemoryModel> in)
      : live(of), context(std::move(with)), buffer(std::move(in)) {
    live.tensors += 2;
  }
  TensorsModel(const TensorsModel&) = delete;
  TensorsModel& operator=(const TensorsModel&) = delete;
  ~TensorsModel() { live.tensors -= 2; }
  Live& live;
  std::shared_ptr<ContextModel> context;
  std::shared_ptr<MemoryModel> buffer;
};
enum class GraphState : std::uint8_t { absent, composing, retrieved, bound_raw, bound_registered };
inline constexpr std::array<const char*, 5> graph_state_names{
    "absent", "Composing", "Retrieved", "Bound to raw memory", "Bound to registered memory"};
struct GraphModel {
  GraphState state = GraphState::absent;
  std::shared_ptr<ContextModel> context;
  std::shared_ptr<TensorsModel> tensors;
  bool composed = false;
  std::string name;
};

/// Expected result of an operation.
struct Outcome {
  bool succeeds = true;
  Errc kind = Errc::qnn;
  std::uint32_t code = 0;  ///< error code if the kind is qnn; 0 accepts any code
  [[nodiscard]] static Outcome error(Errc kind) { return {false, kind, 0}; }
  [[nodiscard]] static Outcome qnn(std::uint32_t code) { return {false, Errc::qnn, code}; }
};

// ---- which operations compile ------------------------------------------------------------------

template <class T>
T any();
using Bytes = std::vector<std::byte>;

/// Reports whether an operation compiles for a context of this state.
template <class S>
[[nodiscard]] constexpr bool compiles_for(Op op) {
  using C = Context<S>;
  switch (op) {
    case Op::query: return requires { any<C>().query(); };
    case Op::register_nothing:
    case Op::register_weights:
    case Op::register_pool:
    case Op::register_both: return requires { any<C>().register_buffers(any<ExternalBuffers>()); };
    case Op::finalize: return requires { any<C>().finalize(); };
    case Op::serialize: return requires { any<C&>().serialize(); };
    case Op::reclaim: return requires { any<C>().reclaim(); };
    case Op::readopt: return requires { any<C>().release(); };
    case Op::retrieve:
      return requires { Graph<Retrieved>::retrieve(any<const C&>(), any<std::string>()); };
    case Op::begin_graph:
      return requires { Graph<Composing>::create(any<const C&>(), any<std::string>()); };
    case Op::register_tensors:
      return requires {
        RegisteredTensors::create(any<const C&>(), any<const SharedBuffer<MultiTensor>&>());
      };
    default: return true;
  }
}
[[nodiscard]] constexpr bool compiles(Op op, State state) {
  switch (state) {
    case State::absent: return true;
    case State::deferred: return compiles_for<Deferred>(op);
    case State::queried: return compiles_for<Queried>(op);
    case State::registered: return compiles_for<Registered>(op);
    case State::finalized: return compiles_for<Finalized>(op);
    case State::composing: return compiles_for<Composing>(op);
    case State::composed: return compiles_for<Composed>(op);
  }
  return false;
}
template <class S>
[[nodiscard]] constexpr bool graph_compiles_for(Op op) {
  using G = Graph<S>;
  switch (op) {
    case Op::finish_graph: return requires { any<G>().finalize(); };
    case Op::bind_raw: return requires { any<G>().bind({any<Binding<>>()}); };
    case Op::bind_registered: return requires { any<G>().bind(any<const RegisteredTensors&>()); };
    case Op::unbind: return requires { any<G>().unbind(); };
    case Op::execute: return requires { any<G&>().execute(); };
    case Op::execute_limited:
    case Op::execute_stopped: return requires { any<G&>().execute(any<const ExecuteOptions&>()); };
    case Op::execute_leased: return requires { any<G&>().execute(any<SpillFillLease&>()); };
    case Op::execute_open: return requires { any<G&>().execute(); };
    case Op::execute_unwritten: return requires { any<G>().bind(any<const RpcmemAllocator&>()); };
    default: return true;
  }
}
[[nodiscard]] constexpr bool compiles(Op op, GraphState state) {
  switch (state) {
    case GraphState::absent: return true;
    case GraphState::composing: return graph_compiles_for<Composing>(op);
    case GraphState::retrieved: return graph_compiles_for<Retrieved>(op);
    default: return graph_compiles_for<Bound>(op);
  }
}

// ---- the machine -------------------------------------------------------------------------------

/// Says whether a step was applied.
enum class Applied : std::uint8_t {
  done,     ///< the operation was called and compared with the model
  nothing,  ///< the step had no object
  refused,  ///< the operation does not compile
};

/// Holds objects of the library together with their models.
class Machine {
 public:
  explicit Machine(const World& world) : world_(world) {
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      raw_in_[i].resize(world.factors.size());
      raw_out_[i].resize(world.factors.size());
    }
    device_before_ = control().counters();
    rpcmem_before_ = rpcmem_control().counters();
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Returns the first difference between library and model; empty if there is none.
  [[nodiscard]] const std::string& difference() const { return difference_; }
  /// Collects the applied pairs of state and operation, as text.
  std::set<std::string>* pairs = nullptr;

  /// Returns the state of the object that a step uses.
  [[nodiscard]] std::string state_of(const Step& step) const {
    const auto held = [](const char* kind, bool is, bool shared) {
      return std::string(kind) + (is ? shared ? " in use" : " alone" : " absent");
    };
    switch (kind_of(step.op)) {
      case Kind::backend: {
        const auto& one = backend_models_[step.a % 2];
        return held("backend", one != nullptr, one.use_count() > 1);
      }
      case Kind::allocator: return held("allocator", allocator_.has_value(), false);
      case Kind::pool: {
        const auto& one = pool_models_[step.a % 2];
        return held("pool", one != nullptr, one.use_count() > 1);
      }
      case Kind::buffer: {
        const auto& one = buffer_models_[step.a % 4];
        return held("buffer", one != nullptr, one.use_count() > 1);
      }
      case Kind::context: {
        const auto& one = context_models_[step.a % 4];
        if (!one) return "context absent";
        return std::string("context ") + state_names[static_cast<std::size_t>(one->state)] +
               (one.use_count() > 1 ? " in use" : " alone") + (one->dead ? ", dead" : "");
      }
      case Kind::tensors: {
        const auto& one = tensors_models_[step.a % 4];
        return held("registration", one != nullptr, one.use_count() > 1) +
               (one && one->context->dead ? ", dead" : "");
      }
      case Kind::graph: {
        const GraphModel& one = graph_models_[step.a % 4];
        return std::string("graph ") + graph_state_names[static_cast<std::size_t>(one.state)] +
               (one.context && one.context->dead ? ", dead" : "");
      }
    }
    return {};
  }

  /// Replaces slots that do not hold what the step needs by the next slots that do.
  [[nodiscard]] Step fitted(Step step) const {
    const auto next = [](std::uint8_t& slot, std::size_t count, const auto& fits) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::uint8_t>((slot + i) % count);
        if (!fits(at)) continue;
        slot = at;
        return;
      }
    };
    const auto is_backend = [&](std::size_t at) { return backends_[at].has_value(); };
    const auto is_pool = [&](std::size_t at) { return pool_models_[at] != nullptr; };
    const auto is_buffer = [&](std::size_t at) { return buffers_[at].has_value(); };
    switch (step.op) {
      case Op::load_backend:
      case Op::allocate_pool:
      case Op::allocate_buffer: return step;
      case Op::create:
      case Op::restore:
      case Op::compose: next(step.b, 2, is_backend); return step;
      default: break;
    }
    switch (kind_of(step.op)) {
      case Kind::backend: next(step.a, 2, is_backend); break;
      case Kind::allocator: break;
      case Kind::pool: next(step.a, 2, is_pool); break;
      case Kind::buffer: next(step.a, 4, is_buffer); break;
      case Kind::context:
        next(step.a, 4, [&](std::size_t at) {
          return context_models_[at] && compiles(step.op, context_models_[at]->state);
        });
        if (step.op == Op::register_tensors)
          next(step.b, 4, is_buffer);
        else if (step.op == Op::register_pool || step.op == Op::register_both)
          next(step.b, 2, is_pool);
        break;
      case Kind::tensors:
        next(step.a, 4, [&](std::size_t at) { return tensors_[at].has_value(); });
        break;
      case Kind::graph:
        next(step.a, 4, [&](std::size_t at) {
          return graph_models_[at].state != GraphState::absent &&
                 compiles(step.op, graph_models_[at].state);
        });
        if (step.op == Op::bind_registered) {
          next(step.b, 4, [&](std::size_t at) { return tensors_[at].has_value(); });
          // Prefers a registration of the graph's own context, if there is one. One time in four it
          // accepts a registration of another context.
          if (step.c != 0)
            next(step.b, 4, [&](std::size_t at) {
              return tensors_[at] && tensors_models_[at]->context == graph_models_[step.a].context;
            });
        }
        break;
    }
    return step;
  }

  /// Applies one step and compares library and model.
  Applied apply(const Step& step) {
    const std::string before = pairs == nullptr ? std::string() : state_of(step);
    if (step.fault != Fault::none) arm(step);
    const Applied applied = make(step);
    if (step.fault != Fault::none) disarm(step);
    if (applied == Applied::done) {
      if (pairs != nullptr) pairs->insert(pair_of(before, step));
      compare();
    }
    return applied;
  }
  [[nodiscard]] static std::string pair_of(const std::string& state, const Step& step) {
    std::string pair = state + " | " + op_names[static_cast<std::size_t>(step.op)];
    if (step.fault != Fault::none)
      pair += " gives " + std::to_string(fault_codes[static_cast<std::size_t>(step.fault)]);
    return pair;
  }

  /// Destroys everything and compares library and model.
  void end() {
    for (std::size_t i = 0; i < 4; ++i) {
      graphs_[i] = {};
      graph_models_[i] = {};
      context_models_[i] = {};
      contexts_[i] = {};
      buffers_[i].reset();
      buffer_models_[i].reset();
      tensors_[i].reset();
      tensors_models_[i].reset();
    }
    for (std::size_t i = 0; i < 2; ++i) {
      pools_[i] = {};
      pool_models_[i].reset();
      backends_[i].reset();
      backend_models_[i].reset();
    }
    allocator_.reset();
    compare();
  }

 private:
  using AnyContext =
      std::variant<std::monostate, Context<Deferred>, Context<Queried>, Context<Registered>,
                   Context<Finalized>, Context<Composing>, Context<Composed>>;
  using AnyGraph = std::variant<std::monostate, Graph<Composing>, Graph<Retrieved>, Graph<Bound>>;

  static void arm(const Step& step) {
    if (allocates(step.op)) {
      rpcmem_control().fail_any_call(1);
      return;
    }
    control().fail_call(*call_of(step.op), 1, fault_codes[static_cast<std::size_t>(step.fault)],
                        false, sim::FaultRestart::never);
  }
  static void disarm(const Step& step) {
    if (allocates(step.op))
      rpcmem_control().clear_faults();
    else
      control().clear_faults();
  }

  // ---- expectations

  void differs(const std::string& what, const std::string& model, const std::string& library) {
    if (difference_.empty())
      difference_ = what + ": the model says " + model + ", it is " + library;
  }
  void equal(const char* what, std::uint64_t model, std::uint64_t library) {
    if (model != library) differs(what, std::to_string(model), std::to_string(library));
  }
  [[nodiscard]] static std::string outcome_words(const Outcome& outcome) {
    if (outcome.succeeds) return "success";
    return "error " + std::to_string(static_cast<int>(outcome.kind)) +
           (outcome.kind == Errc::qnn ? " with code " + std::to_string(outcome.code) : "");
  }
  template <class T>
  bool as_wanted(const Step& step, const Outcome& wanted, const Result<T>& result) {
    const bool same = result ? wanted.succeeds
                             : !wanted.succeeds && wanted.kind == result.error().kind &&
                                   (wanted.kind != Errc::qnn || wanted.code == 0 ||
                                    wanted.code == result.error().code);
    if (!same)
      differs(words(step), outcome_words(wanted), result ? "success" : result.error().message());
    return result.has_value();
  }

  /// Compares the device and the allocator with the model.
  void compare() {
    if (!difference_.empty()) return;
    settle_lost_contexts(&load_backend);
    const sim::Counters device = control().counters();
    const auto since = [&](std::uint64_t sim::Counters::* member) {
      return device.*member - device_before_.*member;
    };
    equal("backends", live_.backends, since(&sim::Counters::live_backends));
    equal("devices", live_.backends, since(&sim::Counters::live_devices));
    equal("contexts", live_.contexts, since(&sim::Counters::live_contexts));
    equal("graphs", live_.graphs, since(&sim::Counters::live_graphs));
    equal("tensor registrations", live_.tensors, since(&sim::Counters::live_tensor_registrations));
    equal("weights registrations", live_.weights,
          since(&sim::Counters::live_weights_registrations));
    equal("spill-fill registrations", live_.spill_fills,
          since(&sim::Counters::live_spill_fill_registrations));
    equal("registrations that a context had to drop", 0, since(&sim::Counters::left_registrations));
    if (since(&sim::Counters::misuses) != 0)
      differs("misuse", "none", control().misuse_text(device_before_.misuses));
    const sim::RpcmemCounters rpcmem = rpcmem_control().counters();
    equal("allocations", live_.allocations,
          rpcmem.live_allocations - rpcmem_before_.live_allocations);
    equal("memory freed while the device maps it", rpcmem_before_.freed_while_mapped,
          rpcmem.freed_while_mapped);
  }

  /// Marks every existing context of the backend as dead, as a reported restart does.
  void report_restart(const std::shared_ptr<BackendModel>& backend) {
    for (const auto& weak : all_contexts_)
      if (const auto context = weak.lock(); context && context->backend == backend)
        context->dead = true;
  }
  /// Returns the expected result of a call for `context` that has no other error.
  Outcome call_outcome(const ContextModel& context, Fault fault) {
    if (context.dead) return Outcome::error(Errc::dead);
    return fault_outcome(context.backend, fault);
  }
  Outcome fault_outcome(const std::shared_ptr<BackendModel>& backend, Fault fault) {
    if (fault == Fault::none) return {};
    if (fault == Fault::restart) report_restart(backend);
    return Outcome::qnn(fault_codes[static_cast<std::size_t>(fault)]);
  }

  // ---- slots

  template <class T>
  [[nodiscard]] T take(AnyContext& slot) {
    T taken = std::move(std::get<T>(slot));
    slot = std::monostate();
    return taken;
  }
  template <class T>
  [[nodiscard]] T take(AnyGraph& slot) {
    T taken = std::move(std::get<T>(slot));
    slot = std::monostate();
    return taken;
  }
  /// Stores the result of a transition in a slot. After a failed transition, destroys the model's
  /// object.
  template <class T>
  void put(AnyContext& slot, std::shared_ptr<ContextModel>& model, Result<T> made, State state) {
    if (!made) {
      model.reset();
      return;
    }
    slot.emplace<T>(*std::move(made));
    model->state = state;
  }
  /// Moves an object away and back.
  template <class T>
  static void move_there_and_back(T& object) {
    T elsewhere = std::move(object);
    object = std::move(elsewhere);
  }

  Applied make(const Step& step) {
    switch (kind_of(step.op)) {
      case Kind::backend: return of_backend(step);
      case Kind::allocator: return of_allocator(step);
      case Kind::pool: return of_pool(step);
      case Kind::buffer: return of_buffer(step);
      case Kind::context: return of_context(step);
      case Kind::tensors: return of_tensors(step);
      case Kind::graph: return of_graph(step);
    }
    return Applied::nothing;
  }

  Applied of_backend(const Step& step) {
    auto& real = backends_[step.a % 2];
    auto& model = backend_models_[step.a % 2];
    if (step.op == Op::load_backend) {
      auto made = load_backend();
      const Outcome wanted = step.fault == Fault::none
                                 ? Outcome{}
                                 : Outcome::qnn(fault_codes[static_cast<std::size_t>(step.fault)]);
      if (as_wanted(step, wanted, made)) {
        real.reset();
        model = std::make_shared<BackendModel>(live_);
        real.emplace(*std::move(made));
      }
      return Applied::done;
    }
    if (!real) return Applied::nothing;
    switch (step.op) {
      case Op::share_backend: {
        if (step.b % 2 == step.a % 2) return Applied::nothing;
        backends_[step.b % 2].emplace(real->share());
        backend_models_[step.b % 2] = model;
        break;
      }
      case Op::close_backend: {
        Outcome wanted;
        if (model.use_count() > 1)
          wanted = Outcome::error(Errc::in_use);
        else if (step.fault != Fault::none)
          wanted = Outcome::qnn(fault_codes[static_cast<std::size_t>(step.fault)]);
        Backend<Htp> last = std::move(*real);
        real.reset();
        (void)as_wanted(step, wanted, std::move(last).close());
        model.reset();
        break;
      }
      case Op::drop_backend:
        real.reset();
        model.reset();
        break;
      default: move_there_and_back(*real); break;
    }
    return Applied::done;
  }

  Applied of_allocator(const Step& step) {
    if (step.op == Op::load_allocator) {
      auto made = support::machine::load_allocator();
      if (as_wanted(step, {}, made)) {
        allocator_.reset();
        allocator_.emplace(*std::move(made));
      }
      return Applied::done;
    }
    if (!allocator_) return Applied::nothing;
    allocator_.reset();
    return Applied::done;
  }
  [[nodiscard]] static Outcome allocation(Fault fault) {
    return fault == Fault::none ? Outcome{} : Outcome::error(Errc::allocation_failed);
  }

  Applied of_pool(const Step& step) {
    const std::size_t a = step.a % 2;
    if (step.op == Op::allocate_pool) {
      if (!allocator_) return Applied::nothing;
      const BufferRequirements need = world_.needs[a == 0 ? World::contexts - 1 : 0];
      auto made = SharedSpillFill::allocate(*allocator_, need);
      if (as_wanted(step, allocation(step.fault), made)) {
        pools_[a] = *std::move(made);
        pool_models_[a] = std::make_shared<MemoryModel>(live_, need.spill_fill_bytes);
      }
      return Applied::done;
    }
    if (!pool_models_[a]) return Applied::nothing;
    switch (step.op) {
      case Op::copy_pool:
        if (step.b % 2 == a) return Applied::nothing;
        pools_[step.b % 2] = pools_[a];
        pool_models_[step.b % 2] = pool_models_[a];
        break;
      case Op::drop_pool:
        pools_[a] = {};
        pool_models_[a].reset();
        break;
      default: move_there_and_back(pools_[a]); break;
    }
    return Applied::done;
  }

  Applied of_buffer(const Step& step) {
    auto& real = buffers_[step.a % 4];
    auto& model = buffer_models_[step.a % 4];
    if (step.op == Op::allocate_buffer) {
      if (!allocator_) return Applied::nothing;
      auto made = SharedBuffer<MultiTensor>::allocate(*allocator_, world_.tensors);
      if (as_wanted(step, allocation(step.fault), made)) {
        real.reset();
        real.emplace(*std::move(made));
        model = std::make_shared<MemoryModel>(live_, 0);
      }
      return Applied::done;
    }
    if (!real) return Applied::nothing;
    if (step.op == Op::drop_buffer) {
      real.reset();
      model.reset();
    } else {
      move_there_and_back(*real);
    }
    return Applied::done;
  }

  // ---- contexts

  /// Replaces the context of a slot.
  template <class T>
  void keep(std::size_t slot, const std::shared_ptr<BackendModel>& backend, State state,
            Result<T> made) {
    if (!made) return;
    contexts_[slot].template emplace<T>(*std::move(made));
    context_models_[slot] = std::make_shared<ContextModel>(live_, backend, state, slot);
    std::erase_if(all_contexts_, [](const auto& weak) { return weak.expired(); });
    all_contexts_.push_back(context_models_[slot]);
  }

  Applied make_context(const Step& step) {
    const std::size_t a = step.a % 4;
    const auto& backend = backends_[step.b % 2];
    if (!backend) return Applied::nothing;
    const std::shared_ptr<BackendModel> parent = backend_models_[step.b % 2];
    const Outcome wanted = fault_outcome(parent, step.fault);
    if (step.op == Op::create) {
      auto made = Context<Deferred>::create(*backend, world_.binary(a));
      (void)as_wanted(step, wanted, made);
      keep(a, parent, State::deferred, std::move(made));
    } else if (step.op == Op::restore) {
      auto made = Context<Finalized>::restore(*backend, world_.binary(a));
      (void)as_wanted(step, wanted, made);
      keep(a, parent, State::finalized, std::move(made));
    } else {
      auto made = Context<Composing>::create(*backend);
      (void)as_wanted(step, wanted, made);
      keep(a, parent, State::composing, std::move(made));
    }
    return Applied::done;
  }

  Applied register_buffers(const Step& step) {
    const std::size_t a = step.a % 4;
    auto& model = context_models_[a];
    const bool wants_weights = step.op == Op::register_weights || step.op == Op::register_both;
    const bool wants_pool = step.op == Op::register_pool || step.op == Op::register_both;
    const auto& pool = pool_models_[step.b % 2];
    if (wants_weights && !allocator_) return Applied::nothing;
    if (wants_pool && !pool) return Applied::nothing;
    ExternalBuffers buffers;
    const BufferRequirements need = world_.needs[a];
    if (wants_weights) {
      auto weights = MemRegion<Weights>::allocate(*allocator_, need);
      if (!as_wanted(step, {}, weights)) return Applied::done;
      buffers.weights = *std::move(weights);
    }
    if (wants_pool) buffers.spill_fill = pools_[step.b % 2];
    Outcome wanted;
    if (wants_pool && pool->bytes < need.spill_fill_bytes)
      wanted = Outcome::error(Errc::too_small);
    else if (wants_weights || wants_pool)
      wanted = call_outcome(*model, step.fault);
    auto made = take<Context<Queried>>(contexts_[a]).register_buffers(std::move(buffers));
    if (as_wanted(step, wanted, made)) {
      if (wants_weights) {
        model->weights = std::make_shared<MemoryModel>(live_, need.weights_bytes);
        ++live_.weights;
      }
      if (wants_pool) {
        model->pool = pool;
        ++live_.spill_fills;
      }
    }
    put(contexts_[a], model, std::move(made), State::registered);
    return Applied::done;
  }

  /// Returns the expected result of freeing a context, and destroys the model's object.
  Outcome free_outcome(std::shared_ptr<ContextModel>& model, Fault fault) {
    const std::shared_ptr<ContextModel> last = std::move(model);
    if (last.use_count() > 1) return Outcome::error(Errc::in_use);
    if (last->dead) return {};  // Results of releasing dead contexts are ignored.
    return fault_outcome(last->backend, fault);
  }

  Applied of_context(const Step& step) {
    const std::size_t a = step.a % 4;
    if (step.op == Op::create || step.op == Op::restore || step.op == Op::compose)
      return make_context(step);
    auto& model = context_models_[a];
    auto& slot = contexts_[a];
    if (!model) return Applied::nothing;
    if (!compiles(step.op, model->state)) return Applied::refused;
    switch (step.op) {
      case Op::query: {
        const Outcome wanted = call_outcome(*model, step.fault);
        auto made = take<Context<Deferred>>(slot).query();
        (void)as_wanted(step, wanted, made);
        put(slot, model, std::move(made), State::queried);
        break;
      }
      case Op::register_nothing:
      case Op::register_weights:
      case Op::register_pool:
      case Op::register_both: return register_buffers(step);
      case Op::finalize:
        if (model->state == State::registered) {
          const Outcome wanted = call_outcome(*model, step.fault);
          auto made = take<Context<Registered>>(slot).finalize();
          if (as_wanted(step, wanted, made)) model->add_graph();
          put(slot, model, std::move(made), State::finalized);
        } else {
          const Outcome wanted =
              model->unfinished == 0 ? Outcome{} : Outcome::error(Errc::incomplete);
          auto made = take<Context<Composing>>(slot).finalize();
          (void)as_wanted(step, wanted, made);
          put(slot, model, std::move(made), State::composed);
        }
        break;
      case Op::serialize: {
        // QNN is asked for the size first, and a context without a graph has none.
        const Outcome wanted = model->names.empty() && !model->dead
                                   ? Outcome::qnn(5003)
                                   : call_outcome(*model, step.fault);
        (void)as_wanted(step, wanted, std::get<Context<Composed>>(slot).serialize());
        break;
      }
      case Op::reclaim: {
        const bool has_weights = model->weights != nullptr;
        auto context = take<Context<Finalized>>(slot);
        const Outcome wanted = free_outcome(model, step.fault);
        const auto weights = std::move(context).reclaim();
        if (as_wanted(step, wanted, weights) && static_cast<bool>(*weights) != has_weights)
          differs("reclaimed weights", has_weights ? "some" : "none", "the contrary");
        break;
      }
      case Op::readopt: return readopt(step);
      case Op::retrieve: return retrieve(step);
      case Op::begin_graph: return begin_graph(step);
      case Op::register_tensors: return register_tensors(step);
      case Op::close_context: {
        AnyContext last = std::move(slot);
        slot = std::monostate();
        const Outcome wanted = free_outcome(model, step.fault);
        std::visit(
            [&]<class C>(C& context) {
              if constexpr (!std::is_same_v<C, std::monostate>)
                (void)as_wanted(step, wanted, std::move(context).close());
            },
            last);
        break;
      }
      case Op::drop_context:
        slot = std::monostate();
        model.reset();
        break;
      default:
        std::visit(
            [&]<class C>(C& context) {
              if constexpr (!std::is_same_v<C, std::monostate>) move_there_and_back(context);
            },
            slot);
        break;
    }
    return Applied::done;
  }

  /// Gives the handle of a finalized context back, lends it to a Context, and gives it to another
  /// one, which then owns it.
  Applied readopt(const Step& step) {
    auto& model = context_models_[step.a % 4];
    auto& slot = contexts_[step.a % 4];
    std::size_t of = 0;
    while (of < 2 && !(backends_[of] && backend_models_[of] == model->backend)) ++of;
    if (of == 2) return Applied::nothing;
    auto released = take<Context<Finalized>>(slot).release();
    const bool is_used = model.use_count() > 1;
    const bool has_buffers = model->weights || model->pool;
    const Outcome wanted = is_used       ? Outcome::error(Errc::in_use)
                           : has_buffers ? Outcome::error(Errc::invalid_argument)
                                         : Outcome{};
    const bool is_released = as_wanted(step, wanted, released);
    if (is_released && model->dead) {  // Nobody adopts a dead context: frees it as a program does.
      const auto free = qnnpp::detail::Access::block(*backends_[of])
                            ->provider.find<&c_api::InterfaceTable::context_free>();
      (void)(*free)(*released, nullptr);
    }
    if (!is_released || model->dead) {
      model.reset();
      return Applied::done;
    }
    const auto adopt = [&](Ownership ownership) {
      return Context<Finalized>::adopt(
          *backends_[of], *released, ownership,
          {.name = "net.bin", .binary = world_.binaries[model->network]});
    };
    auto lent = adopt(Ownership::borrowed);
    if (as_wanted(step, {}, lent)) {
      (void)as_wanted(step, Outcome::error(Errc::in_use), adopt(Ownership::owned));
      const auto again = *std::move(lent).and_then(
          [](Context<Finalized> context) { return std::move(context).release(); });
      if (again != *released) differs(words(step), "the same handle", "another one");
    }
    put(slot, model, adopt(Ownership::owned), State::finalized);
    return Applied::done;
  }

  /// Replaces the graph of a slot.
  template <class T>
  void keep_graph(std::size_t slot, T graph, GraphModel model) {
    graphs_[slot].template emplace<T>(std::move(graph));
    graph_models_[slot] = std::move(model);
  }

  Applied retrieve(const Step& step) {
    const std::shared_ptr<ContextModel> model = context_models_[step.a % 4];
    const bool composed = model->state == State::composed;
    const std::string name = !composed              ? "net"
                             : model->names.empty() ? "none"
                                                    : model->names.front();
    Outcome wanted = call_outcome(*model, step.fault);
    if (wanted.succeeds && name == "none") wanted = Outcome::qnn(0);
    const auto found = [&] {
      if (composed)
        return Graph<Retrieved>::retrieve(std::get<Context<Composed>>(contexts_[step.a % 4]), name);
      return Graph<Retrieved>::retrieve(std::get<Context<Finalized>>(contexts_[step.a % 4]), name);
    };
    auto graph = found();
    if (as_wanted(step, wanted, graph))
      keep_graph(step.b % 4, *std::move(graph),
                 {GraphState::retrieved, model, nullptr, composed, name});
    return Applied::done;
  }

  Applied begin_graph(const Step& step) {
    const std::shared_ptr<ContextModel> model = context_models_[step.a % 4];
    const std::string name = "graph_" + std::to_string(model->begun++);
    const Outcome wanted = call_outcome(*model, step.fault);
    auto graph =
        Graph<Composing>::create(std::get<Context<Composing>>(contexts_[step.a % 4]), name);
    if (!as_wanted(step, wanted, graph)) return Applied::done;
    ++model->unfinished;
    model->add_graph();
    // Composes y = 2 x.
    auto x = graph->add_tensor(world_.tensors[0]);
    auto factor = graph->add_static({.name = "factor", .dimensions = world_.tensors[0].dimensions},
                                    std::as_bytes(std::span(world_.factors)));
    auto y = graph->add_tensor(world_.tensors[1]);
    if (!as_wanted(step, {}, x) || !as_wanted(step, {}, factor) || !as_wanted(step, {}, y))
      return Applied::done;
    (void)as_wanted(step, {},
                    graph->add_node({.name = "multiply",
                                     .type = "ElementWiseMultiply",
                                     .inputs = {*x, *factor},
                                     .outputs = {*y}}));
    keep_graph(step.b % 4, *std::move(graph), {GraphState::composing, model, nullptr, true, name});
    return Applied::done;
  }

  Applied register_tensors(const Step& step) {
    const std::shared_ptr<ContextModel> context = context_models_[step.a % 4];
    const auto& buffer = buffers_[step.b % 4];
    if (!buffer) return Applied::nothing;
    const std::shared_ptr<MemoryModel> memory = buffer_models_[step.b % 4];
    std::erase_if(all_tensors_, [](const auto& weak) { return weak.expired(); });
    const bool known = std::any_of(all_tensors_.begin(), all_tensors_.end(), [&](const auto& weak) {
      const auto one = weak.lock();
      return one->context == context && one->buffer == memory;
    });
    const Outcome wanted =
        known ? Outcome::error(Errc::already_registered) : call_outcome(*context, step.fault);
    auto made = std::visit(
        [&]<class C>(const C& real) -> Result<RegisteredTensors> {
          if constexpr (requires { RegisteredTensors::create(real, *buffer); })
            return RegisteredTensors::create(real, *buffer);
          else
            return fail(Error::make(Errc::invalid_argument, "driving the machine", "context"));
        },
        contexts_[step.a % 4]);
    if (as_wanted(step, wanted, made)) {
      auto& slot = tensors_[step.c % 4];
      slot.reset();
      slot.emplace(*std::move(made));
      tensors_models_[step.c % 4] = std::make_shared<TensorsModel>(live_, context, memory);
      all_tensors_.push_back(tensors_models_[step.c % 4]);
    }
    return Applied::done;
  }

  Applied of_tensors(const Step& step) {
    auto& real = tensors_[step.a % 4];
    auto& model = tensors_models_[step.a % 4];
    if (!real) return Applied::nothing;
    switch (step.op) {
      case Op::close_tensors: {
        Outcome wanted;
        if (model.use_count() > 1)
          wanted = Outcome::error(Errc::in_use);
        else if (!model->context->dead)
          wanted = fault_outcome(model->context->backend, step.fault);
        RegisteredTensors last = std::move(*real);
        real.reset();
        model.reset();
        (void)as_wanted(step, wanted, std::move(last).close());
        break;
      }
      case Op::drop_tensors:
        real.reset();
        model.reset();
        break;
      default: move_there_and_back(*real); break;
    }
    return Applied::done;
  }

  // ---- graphs

  Applied of_graph(const Step& step) {
    const std::size_t a = step.a % 4;
    GraphModel& model = graph_models_[a];
    AnyGraph& slot = graphs_[a];
    if (model.state == GraphState::absent) return Applied::nothing;
    if (!compiles(step.op, model.state)) return Applied::refused;
    switch (step.op) {
      case Op::finish_graph: {
        const Outcome wanted = call_outcome(*model.context, step.fault);
        auto made = take<Graph<Composing>>(slot).finalize();
        if (as_wanted(step, wanted, made)) {
          --model.context->unfinished;
          model.context->names.push_back(model.name);
          model.state = GraphState::retrieved;
          slot.emplace<Graph<Retrieved>>(*std::move(made));
        } else {
          model = {};
        }
        break;
      }
      case Op::bind_raw: {
        auto made =
            take<Graph<Retrieved>>(slot).bind({raw("x", raw_in_[a]), raw("y", raw_out_[a])});
        bind(step, {}, std::move(made), GraphState::bound_raw, nullptr);
        break;
      }
      case Op::bind_registered: {
        const auto& tensors = tensors_[step.b % 4];
        if (!tensors) return Applied::nothing;
        const auto& registration = tensors_models_[step.b % 4];
        const Outcome wanted = registration->context == model.context
                                   ? Outcome{}
                                   : Outcome::error(Errc::foreign_object);
        auto made = take<Graph<Retrieved>>(slot).bind(*tensors);
        bind(step, wanted, std::move(made), GraphState::bound_registered, registration);
        break;
      }
      case Op::unbind: {
        auto graph = take<Graph<Bound>>(slot).unbind();
        slot.emplace<Graph<Retrieved>>(std::move(graph));
        model.state = GraphState::retrieved;
        model.tensors.reset();
        break;
      }
      case Op::execute:
      case Op::execute_limited:
      case Op::execute_leased: return run(step);
      case Op::execute_stopped: {
        Stop stop;
        stop.pull();
        (void)as_wanted(step, Outcome::error(Errc::cancelled),
                        std::get<Graph<Bound>>(slot).execute({.stop = stop}));
        break;
      }
      case Op::execute_open: {
        auto& graph = std::get<Graph<Bound>>(slot);
        const bool is_raw = model.state == GraphState::bound_raw;
        const auto open = graph.input<float>("x");
        if (!as_wanted(step, is_raw ? Outcome::error(Errc::raw_memory) : Outcome{}, open)) break;
        const Errc kind = model.context->dead ? Errc::dead : Errc::in_use;
        (void)as_wanted(step, Outcome::error(kind), graph.execute());
        break;
      }
      case Op::execute_unwritten: {
        if (!allocator_) return Applied::nothing;
        auto made = take<Graph<Retrieved>>(slot).bind(*allocator_);
        if (!as_wanted(step, call_outcome(*model.context, Fault::none), made)) {
          model = {};
          break;
        }
        (void)as_wanted(step, Outcome::error(Errc::unwritten_input), made->execute());
        slot.emplace<Graph<Retrieved>>(std::move(*made).unbind());
        break;
      }
      case Op::close_graph: {
        AnyGraph last = std::move(slot);
        slot = std::monostate();
        model = {};
        std::visit(
            [&]<class G>(G& graph) {
              if constexpr (!std::is_same_v<G, std::monostate>)
                (void)as_wanted(step, {}, std::move(graph).close());
            },
            last);
        break;
      }
      case Op::drop_graph:
        slot = std::monostate();
        model = {};
        break;
      default:
        std::visit(
            [&]<class G>(G& graph) {
              if constexpr (!std::is_same_v<G, std::monostate>) move_there_and_back(graph);
            },
            slot);
        break;
    }
    return Applied::done;
  }

  void bind(const Step& step, const Outcome& wanted, Result<Graph<Bound>> made, GraphState state,
            const std::shared_ptr<TensorsModel>& tensors) {
    const std::size_t a = step.a % 4;
    if (as_wanted(step, wanted, made)) {
      graphs_[a].emplace<Graph<Bound>>(*std::move(made));
      graph_models_[a].state = state;
      graph_models_[a].tensors = tensors;
    } else {
      graph_models_[a] = {};
    }
  }

  Applied run(const Step& step) {
    const std::size_t a = step.a % 4;
    const GraphModel& model = graph_models_[a];
    std::optional<SpillFillLease> lease;
    if (step.op == Op::execute_leased) {
      auto taken = lease_for(model);
      if (!taken) return Applied::nothing;
      lease = must(std::move(*taken));
    }
    Graph<Bound>& graph = std::get<Graph<Bound>>(graphs_[a]);
    const std::vector<float>& in = world_.inputs[model.context->network];
    std::vector<float> expected = world_.outputs[model.context->network];
    if (model.composed)
      for (std::size_t i = 0; i < in.size(); ++i) expected[i] = 2.0f * in[i];
    // The registration alone may own its buffer, so the graph opens its own tensors.
    const bool is_registered = model.state == GraphState::bound_registered;
    if (is_registered) {
      if (!write_input(graph, in)) differs(words(step), "an input", "none");
    } else {
      std::copy(in.begin(), in.end(), raw_in_[a].begin());
      std::fill(raw_out_[a].begin(), raw_out_[a].end(), -1.0f);
    }
    const Outcome wanted = call_outcome(*model.context, step.fault);
    Result<void> done;
    if (step.op == Op::execute) {
      done = graph.execute();
    } else if (step.op == Op::execute_limited) {
      const Stop stop;
      const bool is_stoppable = step.b != 0;  // Else QNN's own limit ends it.
      done = is_stoppable ? graph.execute({.stop = stop})
                          : graph.execute({.at_most = std::chrono::hours(1)});
    } else {
      // Both calls return at once, because this thread holds the lease, and neither changes
      // anything.
      if (model.context->pool) {
        const Outcome refused = Outcome::error(Errc::would_deadlock);
        (void)as_wanted(step, refused, graph.execute());
        (void)as_wanted(step, refused, *lease_for(model));
      }
      done = execute_under(graph, *lease);
    }
    if (!as_wanted(step, wanted, done)) return Applied::done;
    const std::vector<float> out = is_registered ? read_output(graph) : raw_out_[a];
    if (!(largest_difference(out, expected) < tolerance))
      differs(words(step), "right numbers",
              "wrong by " + std::to_string(largest_difference(out, expected)));
    return Applied::done;
  }
  /// Returns a lease for a graph, from its context or from the pool that the context shares, if the
  /// machine holds one of them. If the context shares no pool, the lease may be of any pool.
  std::optional<Result<SpillFillLease>> lease_for(const GraphModel& model) {
    for (std::size_t i = 0; i < 4; ++i)
      if (context_models_[i] == model.context)
        if (auto* context = std::get_if<Context<Finalized>>(&contexts_[i]))
          return context->spill_fill().lease();
    for (std::size_t i = 0; i < 2; ++i)
      if (pool_models_[i] && (!model.context->pool || pool_models_[i] == model.context->pool))
        return pools_[i].lease();
    return {};
  }
  const World& world_;
  Live live_;
  std::string difference_;
  sim::Counters device_before_{};
  sim::RpcmemCounters rpcmem_before_{};

  std::array<std::vector<float>, 4> raw_in_;
  std::array<std::vector<float>, 4> raw_out_;
  std::array<std::optional<Backend<Htp>>, 2> backends_;
  std::optional<RpcmemAllocator> allocator_;
  std::array<SharedSpillFill, 2> pools_;
  std::array<std::optional<SharedBuffer<MultiTensor>>, 4> buffers_;
  std::array<AnyContext, 4> contexts_;
  std::array<std::optional<RegisteredTensors>, 4> tensors_;
  std::array<AnyGraph, 4> graphs_;

  std::array<std::shared_ptr<BackendModel>, 2> backend_models_;
  std::array<std::shared_ptr<MemoryModel>, 2> pool_models_;
  std::array<std::shared_ptr<MemoryModel>, 4> buffer_models_;
  std::array<std::shared_ptr<ContextModel>, 4> context_models_;
  std::array<std::shared_ptr<TensorsModel>, 4> tensors_models_;
  std::array<GraphModel, 4> graph_models_;
  std::vector<std::weak_ptr<ContextModel>> all_contexts_;
  std::vector<std::weak_ptr<TensorsModel>> all_tensors_;
};

}  // namespace support::machine
