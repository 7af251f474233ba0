// ExecuteCall: a call of QnnGraph_execute with its arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "qnnpp/abi/graph_functions.hpp"
#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// All that an execution passes to QNN, in one place. Borrows graph and tensors.
class ExecuteCall {
 public:
  ExecuteCall(c_api::GraphExecuteFn execute, c_api::GraphHandle graph) noexcept
      : execute_(reinterpret_cast<Function>(execute)), graph_(graph) {}

  [[nodiscard]] c_api::GraphHandle graph() const noexcept { return graph_; }

  /// Sets the tensors of the next calls. They stay in place meanwhile.
  void use(const std::vector<c_api::Tensor>& inputs, std::vector<c_api::Tensor>& outputs) noexcept {
    inputs_ = inputs.data();
    outputs_ = outputs.data();
    input_count_ = static_cast<std::uint32_t>(inputs.size());
    output_count_ = static_cast<std::uint32_t>(outputs.size());
  }

  /// Calls QnnGraph_execute and returns its error.
  [[nodiscard]] QNNPP_ALWAYS_INLINE std::uint64_t operator()() const noexcept {
    return execute_(graph_, inputs_, input_count_, outputs_, output_count_, nullptr, nullptr);
  }

 private:
  /// QnnGraph_execute. It is C and throws nothing, so callers need no code for an exception.
  using Function = std::uint64_t (*)(c_api::GraphHandle, const c_api::Tensor*, std::uint32_t,
                                     c_api::Tensor*, std::uint32_t, c_api::ProfileHandle,
                                     c_api::SignalHandle) noexcept;

  Function execute_;
  c_api::GraphHandle graph_;
  const c_api::Tensor* inputs_ = nullptr;
  c_api::Tensor* outputs_ = nullptr;
  std::uint32_t input_count_ = 0;
  std::uint32_t output_count_ = 0;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
