// ContextSpec and GraphSpec: descriptions of a context and of its graphs, read from a binary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/core/graph_options.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Description of one graph. A value that owns all its data. Bytes without a value are not reported
/// by the binary; they need not be 0. They are not known for a composed graph.
struct GraphSpec {
  std::string name = {};                               ///< Name of the graph.
  std::vector<TensorSpec> inputs = {};                 ///< Inputs in the graph's order.
  std::vector<TensorSpec> outputs = {};                ///< Outputs in the graph's order.
  std::optional<std::uint64_t> spill_fill_bytes = {};  ///< Intermediates that do not fit the VTCM.
  /// Inputs and outputs as the backend counts them: in pages, so mostly more than their tensors.
  std::optional<std::uint64_t> io_bytes = {};
  std::optional<std::uint64_t> constant_bytes = {};  ///< Weights and other constants of its own.
  /// Data of the operations; part of the run list.
  std::optional<std::uint64_t> op_data_bytes = {};
  /// Weights that it shares with the other graphs of its context, which has them once.
  std::optional<std::uint64_t> shared_weights_bytes = {};
  /// Options with which the graph was prepared, as the binary reports them. Not known for a
  /// composed graph.
  GraphOptions preparation = {};
  /// Bytes of the binary's metadata of this graph that a newer SDK wrote and qnnpp does not know.
  std::uint64_t unread_metadata_bytes = 0;
};

/// Description of a context binary. A value that owns all its data.
struct ContextSpec {
  std::vector<GraphSpec> graphs = {};           ///< All graphs that the binary lists.
  std::uint64_t blob_bytes = 0;                 ///< Size of the serialised context.
  std::string build_id = {};                    ///< Build id of the SDK that made the binary.
  c_api::Version core_api{};                    ///< Core API version of that SDK.
  c_api::Version backend_api{};                 ///< HTP API version of that SDK.
  c_api::Version blob_version{};                ///< Version of the binary's format.
  std::optional<std::uint32_t> dsp_arch = {};   ///< Hexagon architecture, such as 79, if reported.
  std::optional<std::uint32_t> soc_model = {};  ///< Number of the SoC, if reported.

  /// Returns the spill-fill bytes that the context needs: the largest need of its graphs. Returns
  /// no value if the binary reports none for any one of its graphs, or lists no graph.
  [[nodiscard]] std::optional<std::uint64_t> spill_fill_bytes() const noexcept;
};

/// Returns the largest spill-fill need of these graphs, in bytes. Returns no value if the list is
/// empty or the need of any graph is not known.
[[nodiscard]] std::optional<std::uint64_t> spill_fill_bytes(
    const std::vector<GraphSpec>& graphs) noexcept;

/// Checks that no graph was prepared with DLBC, which the HTP turns off without a word where
/// spill-fill memory is shared (BUF-18). Error: `capability_missing`, which names the graph.
[[nodiscard]] Result<void> require_no_dlbc(const std::vector<GraphSpec>& graphs, const char* step,
                                           const std::string& context);

/// Checks that `graphs` contains a graph for each of these names. `binary` is the binary's name for
/// messages. Error: `unknown_name` with the nearest graphs that the binary has.
[[nodiscard]] Result<void> require_graphs(const std::vector<GraphSpec>& graphs,
                                          const std::vector<std::string>& names,
                                          const std::string& binary);

namespace detail {

/// Rounds up to the pieces of 2 MiB in which a backend allocates weights and spill-fill; UINT64_MAX
/// if there is no such number.
[[nodiscard]] constexpr std::uint64_t rounded_by_backend(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t piece = std::uint64_t{2} << 20;
  if (bytes > UINT64_MAX - (piece - 1)) return UINT64_MAX;
  return (bytes + (piece - 1)) / piece * piece;
}

/// Returns the bytes of weights that a backend allocates for these graphs: the constants of each
/// graph, and once the weights that they share, each rounded by itself. Returns no value if the
/// list is empty or a number of any graph is not known.
[[nodiscard]] std::optional<std::uint64_t> weights_bytes(
    const std::vector<GraphSpec>& graphs) noexcept;

/// Returns the bytes of a graph's inputs and outputs: as the metadata counts them, or the sum of
/// the tensors. Returns no value if the size of a tensor is not known.
[[nodiscard]] std::optional<std::uint64_t> io_bytes(const GraphSpec& graph);

/// External buffers that a backend asks for: for all graphs of a binary, whichever are enabled.
struct BinaryNeeds {
  std::optional<std::uint64_t> weights_bytes = {};     ///< Size of the weights buffer.
  std::optional<std::uint64_t> spill_fill_bytes = {};  ///< Largest graph's need, not rounded.
};

/// Returns the needs of a binary, whose graphs are all in the list.
[[nodiscard]] BinaryNeeds needs_of(const std::vector<GraphSpec>& graphs) noexcept;

/// Inputs and outputs of graphs. Their process domain has all of them, or `copies` and `largest` if
/// one graph's are registered at a time.
struct IoNeeds {
  std::uint64_t all = 0;      ///< As a backend counts them.
  std::uint64_t copies = 0;   ///< QNN's own, of tensors that were prepared as raw.
  std::uint64_t largest = 0;  ///< Memory for the graph with the most, each tensor in whole pages.

  /// Adds graphs. Returns false if a size is not known.
  [[nodiscard]] bool add(const std::vector<GraphSpec>& graphs);
  /// REUSED_IO_LIMIT for one graph at a time, in megabytes; 0 if it is not below `all`.
  [[nodiscard]] std::uint64_t limit_mb() const noexcept;
};

}  // namespace detail

/// Removes each graph whose name is not in `names`, and returns the names of the removed graphs.
/// Keeps all graphs if `names` is empty.
std::vector<std::string> keep_graphs(std::vector<GraphSpec>& graphs,
                                     const std::vector<std::string>& names);

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/context_spec.ipp"
#endif
