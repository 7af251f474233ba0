// GraphBlock: what a graph is made of once it is final: its handle, its tensors and their memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/context/context_block.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/graph_spec.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/io_cost.hpp"

namespace qnnpp::detail {

/// Lives at one address, because the C tensors point into the specs.
struct GraphBlock : RefCounted<GraphBlock> {
  /// A graph that its context lists: described there.
  GraphBlock(Ref<ContextBlock> parent, abi::GraphHandle made, const GraphSpec* listed,
             abi::GraphExecuteFn execute);
  /// A graph that was composed here.
  GraphBlock(Ref<ContextBlock> parent, abi::GraphHandle made, GraphSpec described,
             abi::GraphExecuteFn execute);
  ~GraphBlock();

  /// Outlives the gate, which is listed with the backend.
  Ref<ContextBlock> context;
  // What an execution reads lies together.
  ExecuteGate gate;
  /// Belongs to the context: there is nothing to free.
  abi::GraphHandle handle;
  // Filled by bind(), of inputs and outputs below.
  const abi::Tensor* first_input = nullptr;
  abi::Tensor* first_output = nullptr;
  std::uint32_t input_count = 0;
  std::uint32_t output_count = 0;

  GraphSpec composed;
  const GraphSpec& spec;

  // Filled by bind().
  std::vector<abi::Tensor> inputs;
  std::vector<abi::Tensor> outputs;
  std::vector<Ref<TensorRegistrationBlock>> memory;
  IoCost cost;

  /// Of the last execution that failed, until its Result has it.
  Error failure;

  /// Gives each input and output the one binding of its name; on an error none has memory.
  [[nodiscard]] Result<void> bind(std::span<const Binding> bindings);

  void unbind() noexcept;

  /// Runs the graph; see call().
  [[nodiscard]] Result<void> run() noexcept {
    const std::uint64_t native = call();
    if (is_success(native)) return success();
    if (Error* const error = after(native)) return Result<void>(unexpect, std::move(*error));
    return success();
  }

  /// QnnGraph_execute itself: nothing is looked up, asked or allocated here. Not with dead handles,
  /// see ExecuteGate.
  [[nodiscard]] std::uint64_t call() noexcept {
    return gate.function()(handle, first_input, input_count, first_output, output_count, nullptr,
                           nullptr);
  }

  /// What is left to do where the call did not succeed at once. Null if it has succeeded since. No
  /// Result: of one that the caller makes, the compiler knows what it holds and asks it no more.
  [[nodiscard]] QNNPP_COLD Error* after(std::uint64_t native) noexcept {
    constexpr const char* step = "QnnGraph_execute";
    if (native == ExecuteGate::closed) {
      do {
        if (!gate.open()) {
          failure = Error::make(Errc::dead, step, spec.name);
          return &failure;
        }
        native = call();
      } while (native == ExecuteGate::closed && gate.is_closed());
    }
    context->birth.note(native, gate.moment());
    if (is_success(native)) return nullptr;
    failure = Error::from_qnn(native, step, spec.name);
    return &failure;
  }
  /// The same under a lease; where it did not fit at once, nothing was called and `native` is
  /// `closed`. A graph that shares nothing runs under any lease; any other under its own alone, and
  /// one that was moved from (ORD-09), null here, under none.
  [[nodiscard]] QNNPP_OUT_OF_LINE static Error* after(GraphBlock* graph, const ExecutionLock* lease,
                                                      std::uint64_t native) noexcept {
    Expects(graph != nullptr);
    const auto& lock = graph->context->lock;
    Expects(!lock || lock.get() == lease);
    return graph->after(native);
  }

 private:
  void point_to_tensors() noexcept {
    first_input = inputs.data();
    input_count = static_cast<std::uint32_t>(inputs.size());
    first_output = outputs.data();
    output_count = static_cast<std::uint32_t>(outputs.size());
  }
};

/// A C tensor that says what `spec` says. Points into `spec`.
[[nodiscard]] abi::Tensor c_tensor(const TensorSpec& spec);

/// Finds a graph of a context and its tensors (QnnGraph_retrieve).
[[nodiscard]] Result<Ref<GraphBlock>> retrieve_graph(const Ref<ContextBlock>& context,
                                                     const std::string& name);

/// Success if every input and output was prepared for one kind of memory. Error:
/// `memory_type_mismatch` naming the first tensor that was not.
[[nodiscard]] Result<void> require_prepared(const GraphBlock& graph, bool for_memhandles);

}  // namespace qnnpp::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/graph/graph_block.ipp"
#endif
