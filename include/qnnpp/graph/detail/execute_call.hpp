// ExecuteCall: QnnGraph_execute with its arguments, and all that is checked before the call.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/abi/graph.hpp"
#include "qnnpp/backend/detail/epoch.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// All that an execution reads of its graph and context. Borrows the graph and the tensors.
///
/// Fills one cache line: an inference evicts the program's data from the caches, so each further
/// line costs the next execution a read of the memory.
class alignas(64) ExecuteCall {
 public:
  ExecuteCall(c_api::GraphExecuteFn execute, c_api::GraphHandle graph, const Epoch& epoch,
              Ref<ExecutionLock> lock) noexcept
      : execute_(reinterpret_cast<Function>(execute)),
        graph_(graph),
        epoch_(epoch),
        lock_(std::move(lock)) {}

  [[nodiscard]] c_api::GraphHandle graph() const noexcept { return graph_; }
  /// Epoch of the graph's context.
  [[nodiscard]] const Epoch& epoch() const noexcept { return epoch_; }
  /// Lock of the context's executions; null: no lock is needed.
  [[nodiscard]] const Ref<ExecutionLock>& lock() const noexcept { return lock_; }

  /// Sets the tensors for the next calls. The arrays must stay in place until then.
  void use(const std::vector<c_api::Tensor>& inputs, std::vector<c_api::Tensor>& outputs) noexcept {
    inputs_ = inputs.data();
    outputs_ = outputs.data();
    input_count_ = static_cast<std::uint32_t>(inputs.size());
    output_count_ = static_cast<std::uint32_t>(outputs.size());
  }

  /// Calls QnnGraph_execute and returns its value.
  [[nodiscard]] [[gnu::always_inline]] std::uint64_t operator()() const noexcept {
    return execute_(graph_, inputs_, input_count_, outputs_, output_count_, nullptr, nullptr);
  }
  /// Calls QnnGraph_execute with a profile and a signal, and returns its value.
  [[nodiscard]] std::uint64_t operator()(c_api::ProfileHandle profile,
                                         c_api::SignalHandle signal) const noexcept {
    return execute_(graph_, inputs_, input_count_, outputs_, output_count_, profile, signal);
  }

 private:
  /// Type of QnnGraph_execute, plus noexcept: a C function throws nothing, and callers then need no
  /// code for exceptions.
  using Function = std::uint64_t (*)(c_api::GraphHandle, const c_api::Tensor*, std::uint32_t,
                                     c_api::Tensor*, std::uint32_t, c_api::ProfileHandle,
                                     c_api::SignalHandle) noexcept;

  Function execute_;
  c_api::GraphHandle graph_;
  const c_api::Tensor* inputs_ = nullptr;
  c_api::Tensor* outputs_ = nullptr;
  std::uint32_t input_count_ = 0;
  std::uint32_t output_count_ = 0;
  Epoch epoch_;
  Ref<ExecutionLock> lock_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
