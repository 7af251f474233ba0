// GraphBlock: what a graph is made of once it is final: its handle, its tensors and their memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/detail/execute_call.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// What a broken contract says of a graph.
inline constexpr char moved_graph[] =
    "the graph was moved from or consumed by a transition; use the object that the transition "
    "returned";

/// The memory of all inputs and outputs of a graph, as QNN is told of it.
struct BoundMemory {
  /// A tensor in registered memory; of a tensor in raw memory it says nothing.
  struct Source {
    std::uint32_t registration = 0;  ///< Its index in `memory`.
    std::uint32_t tensor = 0;        ///< Its index in the registration.
  };

  std::vector<c_api::Tensor> inputs;
  std::vector<c_api::Tensor> outputs;
  std::vector<Ref<TensorRegistrationBlock>> memory;
  std::vector<Source> sources;  ///< Of the inputs, then of the outputs.
  IoCost cost;
};

/// Memory that a graph is offered for the tensor of this name. Borrows all.
struct OfferedMemory {
  std::string_view name;
  const Binding* binding = nullptr;                            ///< Raw memory.
  const Ref<TensorRegistrationBlock>* registration = nullptr;  ///< Null: raw memory.
  std::size_t tensor = 0;                                      ///< Its index in the registration.
};

/// Lives at one address, because the C tensors point into the specs.
struct GraphBlock : RefCounted<GraphBlock>, BoundMemory {
  /// A graph that its context lists: described there.
  GraphBlock(Ref<ContextBlock> parent, c_api::GraphHandle made, const GraphSpec* listed,
             c_api::GraphExecuteFn execute);
  /// A graph that was composed here.
  GraphBlock(Ref<ContextBlock> parent, c_api::GraphHandle made, GraphSpec described,
             c_api::GraphExecuteFn execute);
  ~GraphBlock();

  Ref<ContextBlock> context;
  /// Calls the graph with the tensors that bind() sets. The handle belongs to the context: there is
  /// nothing to free.
  ExecuteCall call;

  GraphSpec composed;
  const GraphSpec& spec;
  mutable std::mutex names;  ///< Guards the two indexes.
  LazyNameIndex inputs_by_name;
  LazyNameIndex outputs_by_name;

  /// The memory of an execution: each input and output has the one binding of its name.
  [[nodiscard]] Result<BoundMemory> prepare(std::span<const Binding> bindings) const;
  /// Each has the one registered tensor of its name.
  [[nodiscard]] Result<BoundMemory> prepare(
      std::initializer_list<const RegisteredTensors*> registrations) const;
  /// Each has what is offered for its name. Of wrong names one error lists all.
  [[nodiscard]] Result<BoundMemory> prepare(std::span<const OfferedMemory> offered) const;

  /// Takes what prepare() made; on its error none has memory.
  [[nodiscard]] Result<void> use(Result<BoundMemory> prepared);

  void unbind() noexcept;

  /// Where an input or output of a bound graph lies.
  struct Place {
    Ref<TensorMemoryBlock> memory;
    std::size_t tensor = 0;
  };
  /// Finds an input (or output) by its name. Errors: `unknown_name` with the first of those there;
  /// `raw_memory` for one that is bound to raw memory, which is the caller's.
  [[nodiscard]] Result<Place> place_of(std::string_view name, bool is_output) const;

  /// Opens an input (or output) for the CPU. Errors: those of place_of(); `type_mismatch`,
  /// `sync_failed`.
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> access(std::string_view name, bool is_output) const {
    const Result<Place> place = place_of(name, is_output);
    if (!place) return fail(place.error());
    return TensorMemoryBlock::access<T>(place->memory, place->tensor,
                                        is_output ? CpuUse::read : CpuUse::write);
  }

  /// Runs the graph. The caller holds the lock of the context, if it has one. Ends the execution
  /// under `lease`, if it is one's lock. Looks nothing up and allocates nothing. Errors: `dead`
  /// (SSR-01), `qnn`.
  [[nodiscard]] QNNPP_ALWAYS_INLINE Result<void> run(ExecutionLock* lease = nullptr) const {
    // Counted before the question, so that a report spares contexts of after the restart.
    const Epoch epoch = context->epoch;
    const std::uint64_t created = epoch.contexts_created();
    std::uint64_t native = not_called;
    if (!epoch.has_ended()) [[likely]] {
      native = call();
      if (lease != nullptr) lease->end_execution();
      if (is_success(native)) [[likely]]
        return success();
    } else if (lease != nullptr) {
      lease->end_execution();
    }
    return failed(native, created);
  }

 private:
  /// The same in one step a tensor; its errors of names are those of the first wrong one.
  [[nodiscard]] Result<BoundMemory> match(std::span<const OfferedMemory> offered) const;
  /// Whether each tensor is offered memory once, and nothing else is. Error: `duplicate_name`,
  /// `missing_tensor` or `unknown_name`, with all that is missing or unknown.
  [[nodiscard]] Result<void> check_names(std::span<const OfferedMemory> offered) const;

  /// Whether no output lies in bytes of another tensor: QNN promises no order in which a graph
  /// reads and writes. Inputs may share theirs. Raw memory is compared with registered memory where
  /// the CPU has that mapped. Error: `overlapping` naming both.
  [[nodiscard]] Result<void> check_overlaps(const BoundMemory& bound) const;

  /// Stands for what QNN returned where nothing was called. No failed call returns it (LOAD-06).
  static constexpr std::uint64_t not_called = 0;

  /// The error of a call that returned `native`, or was not made because a restart killed the
  /// context. A restart that the call reports is recorded.
  [[nodiscard]] Result<void> failed(std::uint64_t native, std::uint64_t created) const;
};

/// Makes `tensor`, which is zero, say what `spec` says. Points into `spec`.
void describe(const TensorSpec& spec, c_api::Tensor& tensor);

/// Finds a graph of a context and its tensors (QnnGraph_retrieve).
[[nodiscard]] Result<Ref<GraphBlock>> retrieve_graph(const Ref<ContextBlock>& context,
                                                     const std::string& name);

/// Success if every input and output was prepared for one kind of memory. Error:
/// `memory_type_mismatch` naming the first tensor that was not.
[[nodiscard]] Result<void> require_prepared(const GraphBlock& graph, bool for_registered);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/graph/graph_block.ipp"
#endif
