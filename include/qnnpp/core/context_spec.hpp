// ContextSpec and GraphSpec: what a binary says of a context and of its graphs, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Bytes that one graph takes, as far as its binary reports them. No value: the binary does not
/// say, which is not a need of 0.
struct GraphNeeds {
  std::optional<std::uint64_t> spill_fill_bytes = {};
  std::optional<std::uint64_t> constant_bytes = {};
  std::optional<std::uint64_t> op_data_bytes = {};
};

/// Description of one graph. A value: it owns all it says.
struct GraphSpec {
  std::string name = {};
  std::vector<TensorSpec> inputs = {};   ///< In the order that the graph wants them.
  std::vector<TensorSpec> outputs = {};  ///< In the order that the graph wants them.
  GraphNeeds needs = {};                 ///< Unknown for a graph that was composed.
};

/// Description of a context binary. A value: it owns all it says.
struct ContextSpec {
  std::vector<GraphSpec> graphs = {};
  std::uint64_t blob_bytes = 0;   ///< Size of the serialised context.
  std::string build_id = {};      ///< Of the SDK that made it.
  c_api::Version core_api{};      ///< Of the SDK that made it.
  c_api::Version blob_version{};  ///< Of the binary's format.
  std::optional<std::uint32_t> dsp_arch = {};
  std::optional<std::uint32_t> soc_model = {};

  /// What the context needs of spill-fill memory: the largest need of its graphs. No value where
  /// that of any is not told.
  [[nodiscard]] std::optional<std::uint64_t> spill_fill_bytes() const noexcept;
};

/// The largest need of spill-fill memory of some graphs. No value where that of any is not told.
[[nodiscard]] std::optional<std::uint64_t> spill_fill_bytes(
    const std::vector<GraphSpec>& graphs) noexcept;

/// Success if there is a graph for each of these names. Error: `unknown_name` with the first of the
/// graphs that `binary` has.
[[nodiscard]] Result<void> require_graphs(const std::vector<GraphSpec>& graphs,
                                          const std::vector<std::string>& names,
                                          const std::string& binary);

/// Drops all graphs but those with one of these names; no names: keeps all.
void keep_graphs(std::vector<GraphSpec>& graphs, const std::vector<std::string>& names);

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/context_spec.ipp"
#endif
