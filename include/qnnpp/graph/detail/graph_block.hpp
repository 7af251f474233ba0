// GraphBlock: what a graph is made of once it is final: its handle, its tensors and their memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/slots.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/graph_spec.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/io_cost.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// What a broken contract says of a graph.
inline constexpr char moved_graph[] =
    "the graph was moved from or consumed by a transition; use the object that the transition "
    "returned";

/// Lives at one address, because the C tensors point into the specs.
struct GraphBlock : RefCounted<GraphBlock> {
  /// A graph that its context lists: described there.
  GraphBlock(Ref<ContextBlock> parent, c_api::GraphHandle made, const GraphSpec* listed,
             c_api::GraphExecuteFn execute);
  /// A graph that was composed here.
  GraphBlock(Ref<ContextBlock> parent, c_api::GraphHandle made, GraphSpec described,
             c_api::GraphExecuteFn execute);
  ~GraphBlock();

  /// Outlives the gate, which is listed with the backend.
  Ref<ContextBlock> context;
  /// Its handle belongs to the context: there is nothing to free. Its tensors are those that bind()
  /// fills, below.
  ExecuteGate gate;

  GraphSpec composed;
  const GraphSpec& spec;

  // Filled by bind().
  std::vector<c_api::Tensor> inputs;
  std::vector<c_api::Tensor> outputs;
  std::vector<Ref<TensorRegistrationBlock>> memory;
  IoCost cost;

  /// Of the last execution that failed, until its Result has it.
  Error failure;

  /// Gives each input and output the one binding of its name; on an error none has memory.
  [[nodiscard]] Result<void> bind(std::span<const Binding> bindings);

  void unbind() noexcept;

  /// Where an input or output of a bound graph lies.
  struct Place {
    Ref<TensorMemoryBlock> memory;
    std::size_t tensor = 0;
  };
  /// Finds an input (or output) by its name. Errors: `unknown_name` listing those that there are;
  /// `raw_memory` for one that is bound to raw memory, which is the caller's.
  [[nodiscard]] Result<Place> place_of(std::string_view name, bool is_output) const;

  /// Opens an input (or output) for the CPU. Errors: those of place_of(); `type_mismatch`,
  /// `sync_failed`.
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> access(std::string_view name, bool is_output) const {
    const LateResult<Place, T> place = place_of(name, is_output);
    if (!place) return fail(place.error());
    return place->memory->template access<T>(place->tensor,
                                             is_output ? CpuUse::read : CpuUse::write);
  }

  /// Runs the graph, by the one who holds the lock of its context, if it has one. Nothing is looked
  /// up or allocated.
  [[nodiscard]] Result<void> run() noexcept {
    std::uint64_t native = not_called;
    if (!gate.is_closed()) {
      native = gate.call();
      if (is_success(native)) return success();
    }
    if (Error* const error = after(native)) return Result<void>(unexpect, std::move(*error));
    return success();
  }

  /// Stands for the answer of a call that was not made, as the gate was closed.
  static constexpr std::uint64_t not_called = 0;

  /// What is left to do where the call did not succeed at once. Null if it has succeeded since. No
  /// Result: of one that the caller makes, the compiler knows what it holds and asks it no more.
  [[nodiscard]] QNNPP_COLD Error* after(std::uint64_t native) noexcept {
    constexpr const char* step = name_of(c_api::Slot::graph_execute);
    if (native == not_called) {
      do {
        if (!gate.open(key_of(context->lock.get()))) {
          failure = Error::make(Errc::dead, step, spec.name);
          return &failure;
        }
      } while (gate.is_closed());
      native = gate.call();
    }
    context->birth.note(native, gate.moment());
    if (is_success(native)) return nullptr;
    failure = Error::from_qnn(native, step, spec.name);
    return &failure;
  }
  /// The same under a lease, that the gate may have been closed to. A graph that shares nothing
  /// runs under any; any other under its own alone, and one that was moved from (ORD-09), null
  /// here, under none.
  [[nodiscard]] QNNPP_OUT_OF_LINE static Error* after(GraphBlock* graph, const ExecutionLock* lease,
                                                      std::uint64_t native) noexcept {
    QNNPP_EXPECTS(graph != nullptr, moved_graph);
    const auto& lock = graph->context->lock;
    QNNPP_EXPECTS(!lock || lock.get() == lease,
                  "the lease does not cover the graph; pass the lease of the graph's own context");
    return graph->after(native);
  }

 private:
  void point_to_tensors() noexcept {
    gate.call.inputs = inputs.data();
    gate.call.input_count = static_cast<std::uint32_t>(inputs.size());
    gate.call.outputs = outputs.data();
    gate.call.output_count = static_cast<std::uint32_t>(outputs.size());
  }
};

/// A C tensor that says what `spec` says. Points into `spec`.
[[nodiscard]] c_api::Tensor c_tensor(const TensorSpec& spec);

/// Finds a graph of a context and its tensors (QnnGraph_retrieve).
[[nodiscard]] Result<Ref<GraphBlock>> retrieve_graph(const Ref<ContextBlock>& context,
                                                     const std::string& name);

/// Success if every input and output was prepared for one kind of memory. Error:
/// `memory_type_mismatch` naming the first tensor that was not.
[[nodiscard]] Result<void> require_prepared(const GraphBlock& graph, bool for_memhandles);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/graph/graph_block.ipp"
#endif
