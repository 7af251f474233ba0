// A context of the engine: restored from a binary, executed, closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/abi/interface.hpp"

#include "sim/engine/libraries.hpp"
#include "sim/ops/network.hpp"
#include "sim/plan/needs.hpp"
#include "sim/plan/placement.hpp"
#include "sim/tables/abi_view.hpp"

namespace qnnpp::sim::engine {

/// What the engine runs for one context of the simulated HTP. The destructor closes it.
class Restored {
 public:
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() {
    if (is_over() || context_ == nullptr) return;
    Htp& library = htp();
    const std::lock_guard lock{library.mutex};
    (void)library.table->table.context_free(context_, nullptr);
    --library.contexts;
  }

  /// Restores a binary whose network this is. Borrows the network. Refuses what the engine cannot
  /// run, before the engine is called.
  [[nodiscard]] static Status restore(std::span<const std::byte> binary, const Network& network,
                                      const NetworkPlan& plan, std::unique_ptr<Restored>& out) {
    using c_api::ContextError;
    if (plan.shared_weights_bytes != 0)
      return refusal(ContextError::unsupported_feature,
                     "it cannot load binaries whose graphs share weights");
    Htp& library = htp();
    if (library.table == nullptr)
      return refusal(c_api::CommonError::loading_binaries, library.fault);
    if (is_over()) return refusal(c_api::CommonError::general, "it has ended");
    std::unique_ptr<Restored> made{new Restored};  // closed after the mutex is unlocked
    const std::lock_guard lock{library.mutex};
    std::uint64_t vtcm_bytes = library.contexts == 0 ? 0 : library.vtcm_bytes;
    for (const GraphPlan& graph : plan.graphs) {
      if (vtcm_bytes == 0) vtcm_bytes = graph.vtcm_limit_bytes;
      if (vtcm_bytes != graph.vtcm_limit_bytes)
        return refusal(c_api::CommonError::general,
                       text("contexts that live at a time have one VTCM size in it: %llu bytes and "
                            "%llu bytes",
                            static_cast<unsigned long long>(vtcm_bytes),
                            static_cast<unsigned long long>(graph.vtcm_limit_bytes)));
    }
    const c_api::InterfaceTable& table = library.table->table;
    if (const auto code =
            table.context_create_from_binary(library.backend, nullptr, nullptr, binary.data(),
                                             binary.size(), &made->context_, nullptr);
        code != 0) {
      made->context_ = nullptr;
      return failed("QnnContext_createFromBinary", code);
    }
    ++library.contexts;
    library.vtcm_bytes = vtcm_bytes;
    static const int guarded = (guard_objects(), 0);
    static_cast<void>(guarded);
    for (const Graph& graph : network.graphs) {
      One& one = made->graphs_.emplace_back();
      for (auto& [side, indices] : {std::pair{&one.inputs, graph_inputs(graph)},
                                    std::pair{&one.outputs, graph_outputs(graph)}}) {
        side->tensors = abi_views(graph, indices);
        side->indices = indices;
        for (c_api::Tensor& tensor : side->tensors) tensor.v1.mem_type = c_api::TensorMemType::raw;
        for (const std::uint32_t index : indices)
          side->sizes.push_back(static_cast<std::uint32_t>(tensor_bytes(graph.tensors[index])));
      }
      if (const auto code = table.graph_retrieve(made->context_, graph.name.c_str(), &one.handle);
          code != 0)
        return failed("QnnGraph_retrieve", code);
    }
    out = std::move(made);
    return success();
  }

  /// Executes a graph over the addresses of its tensors, by tensor index. Executions of one context
  /// do not overlap.
  [[nodiscard]] Status execute(std::uint32_t graph, std::span<std::byte* const> addresses) {
    if (is_over()) return refusal(c_api::CommonError::general, "it has ended");
    One& one = graphs_[graph];
    for (Side* const side : {&one.inputs, &one.outputs})
      for (std::size_t i = 0; i < side->tensors.size(); ++i)
        side->tensors[i].v1.client_buf = {addresses[side->indices[i]], side->sizes[i]};
    const auto code = htp().table->table.graph_execute(
        one.handle, one.inputs.tensors.data(), size_of(one.inputs), one.outputs.tensors.data(),
        size_of(one.outputs), nullptr, nullptr);
    static const int guarded = (guard_objects(), 0);
    static_cast<void>(guarded);
    return code == 0 ? success() : failed("QnnGraph_execute", code);
  }

 private:
  /// Tensors of one direction, as the engine gets them.
  struct Side {
    std::vector<c_api::Tensor> tensors;
    std::vector<std::uint32_t> indices;  ///< into Graph::tensors
    std::vector<std::uint32_t> sizes;    ///< in bytes
  };
  struct One {
    c_api::GraphHandle handle = nullptr;
    Side inputs;
    Side outputs;
  };
  Restored() = default;

  [[nodiscard]] static std::uint32_t size_of(const Side& side) noexcept {
    return static_cast<std::uint32_t>(side.tensors.size());
  }
  [[nodiscard]] static Status failed(const char* function, c_api::ErrorHandle code) {
    return refusal(static_cast<std::uint32_t>(code & 0xFFFF),
                   text("%s failed with %llu", function, static_cast<unsigned long long>(code)));
  }

  c_api::ContextHandle context_ = nullptr;
  std::vector<One> graphs_;
};

}  // namespace qnnpp::sim::engine
