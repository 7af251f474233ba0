// MemoryReport: memory needs of a model's contexts, each and in sum, for each way of sharing.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/backend/external_weights.hpp"
#include "qnnpp/context/acceleration.hpp"
#include "qnnpp/core/context_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// How the contexts of a model get their spill-fill memory.
enum class SpillFillSharing : std::uint8_t {
  automatic,        ///< The first of the following ways that the backend supports with room.
  external_buffer,  ///< All share one DMA buffer of the application (BUF-10, BUF-11).
  context_group,    ///< All share one buffer of QNN (REGISTER_MULTI_CONTEXTS, GRP-01 to GRP-03).
  none,             ///< Each context has its own buffer.
};

/// Returns the name of the enumerator, such as "external_buffer".
[[nodiscard]] constexpr const char* name_of(SpillFillSharing sharing) noexcept {
  switch (sharing) {
    case SpillFillSharing::automatic: return "automatic";
    case SpillFillSharing::external_buffer: return "external_buffer";
    case SpillFillSharing::context_group: return "context_group";
    case SpillFillSharing::none: return "none";
  }
  return "?";
}

/// Source of a number.
enum class SizeSource : std::uint8_t {
  unknown,   ///< No source: the number is unknown.
  query,     ///< The backend, queried with a deferred context (QnnContext_getProperty).
  metadata,  ///< The binary's metadata, read by the system library.
  manifest,  ///< A manifest.
};

/// Returns the name of the enumerator, such as "metadata".
[[nodiscard]] constexpr const char* name_of(SizeSource source) noexcept {
  switch (source) {
    case SizeSource::unknown: return "unknown";
    case SizeSource::query: return "query";
    case SizeSource::metadata: return "metadata";
    case SizeSource::manifest: return "manifest";
  }
  return "?";
}

/// A number of bytes with its source. An unknown number has no value, which differs from 0.
struct Bytes {
  std::optional<std::uint64_t> value;       ///< The number; nothing if it is unknown.
  SizeSource source = SizeSource::unknown;  ///< Source of the number.

  /// Returns the number, or 0 if it is unknown.
  [[nodiscard]] std::uint64_t or_zero() const noexcept { return value.value_or(0); }
  /// Compares value and source.
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

/// A sum of byte counts. If a summand is unknown, the sum is a lower bound: "at least".
struct ByteSum {
  std::uint64_t bytes = 0;  ///< The sum, or its lower bound.
  bool exact = true;        ///< Whether `bytes` is the sum and not a lower bound.

  /// Adds a number. On overflow the sum stays at the largest number and becomes inexact.
  ByteSum& add(std::uint64_t more) noexcept {
    if (more > UINT64_MAX - bytes) exact = false;
    bytes = more > UINT64_MAX - bytes ? UINT64_MAX : bytes + more;
    return *this;
  }
  /// Adds a number. If it is unknown, the sum becomes inexact.
  ByteSum& add(const Bytes& more) noexcept {
    exact = exact && more.value.has_value();
    return add(more.or_zero());
  }
  /// Adds a sum. If that is inexact, this one becomes inexact.
  ByteSum& add(const ByteSum& more) noexcept {
    exact = exact && more.exact;
    return add(more.bytes);
  }
  /// Compares number and exactness.
  friend bool operator==(const ByteSum&, const ByteSum&) = default;
};

/// Memory needs of one context. QNN asks for the buffers of all graphs of a binary, whichever are
/// enabled. In its process domain it counts the enabled graphs only.
struct ContextMemory {
  std::string name;              ///< Path of the file, or name of the bytes.
  std::uint64_t file_bytes = 0;  ///< Size of the binary.
  /// Size of the weights buffer: constants of all graphs, and once the weights that they share.
  Bytes weights = {};
  Bytes shared_weights = {};  ///< Weights that its graphs share, not rounded; part of `weights`.
  /// Largest need of a graph, as the graphs use spill-fill memory in turn. A number of the metadata
  /// is not rounded: an external buffer has multiples of 2 MiB.
  Bytes spill_fill = {};
  Bytes start_alignment = {};  ///< Alignment of its external buffers.
  Bytes io = {};               ///< Inputs and outputs of its graphs, here and below: the enabled.
  /// QNN's copies of tensors that were prepared as raw: with `io_of_one_graph` what counts of the
  /// inputs and outputs if one graph's are registered at a time (one_graph_at_a_time).
  Bytes io_copies = {};
  Bytes io_of_one_graph = {};  ///< Registered memory of the graph with the most.
  /// Counts instead of `io` in the process domain (REUSED_IO_LIMIT); unknown: `io` does.
  Bytes io_limit = {};
  Bytes op_data = {};  ///< Data of the operations, the known part of the run lists.
  Bytes vtcm = {};     ///< VTCM of its graphs, each counted.
  /// Weights in the process domain; unknown: as `weights`.
  Bytes domain_weights = {};
  /// Spill-fill in the process domain: the sum over the graphs, not rounded; unknown: as
  /// `spill_fill`.
  Bytes domain_spill_fill = {};
  std::size_t graphs = 0;  ///< Number of graphs.
  /// Bytes of the graphs' metadata that a newer SDK wrote and qnnpp does not know.
  std::uint64_t unread_metadata_bytes = 0;
  /// Whether the context shares spill-fill memory where others do. False for one with DLBC, which
  /// has memory of its own (BUF-18).
  bool shares_spill_fill = true;
  /// Whether ContextSettings::init_acceleration was asked for, and took effect.
  Acceleration acceleration = Acceleration::not_requested;

  /// Estimates the bytes that the backend reserves in a process domain for the context, as host
  /// libraries 2.43.1 to 2.51.0 log it: the weights, and for each graph spill-fill, inputs and
  /// outputs, run list and VTCM. External buffers do not reduce it (PD-01). A lower bound if a
  /// number is unknown or `op_data` is not 0, because a run list is larger than its op data.
  /// Unknown weights are replaced by the file size.
  [[nodiscard]] ByteSum pd_estimate() const noexcept;

  /// Compares all members.
  friend bool operator==(const ContextMemory&, const ContextMemory&) = default;
};

struct MemoryReport;

/// Returns the report as if one graph's inputs and outputs were registered at a time, with each
/// context, or with all contexts of one list. Leaves out what saves no room.
[[nodiscard]] MemoryReport with_one_graph_at_a_time(MemoryReport report, bool in_one_call);

namespace detail {

/// Adds what counts of the inputs and outputs of `graphs` if one graph's are registered at a time.
void add_io(const std::vector<GraphSpec>& graphs, ContextMemory& memory);

/// Returns the needs with `manifest` as the source of each known number.
[[nodiscard]] ContextMemory from_manifest(ContextMemory memory);

}  // namespace detail

/// Memory needs of all contexts of a model. An unknown number makes its sums lower bounds.
struct MemoryReport {
  /// The way of sharing that was planned or used.
  SpillFillSharing sharing = SpillFillSharing::none;
  /// Why this way of sharing was chosen: which ways were refused or had no room, with the binary
  /// and the code.
  std::string reason;
  /// Whether the application's buffers contain the weights. `refused`: the backend cannot use such
  /// buffers, and QNN keeps the weights (EXT-08). `untried`: none were requested, or there was no
  /// room for them.
  ExternalWeights external_weights = ExternalWeights::untried;
  /// Size of the VTCM backup buffer that the contexts share; 0: none. If one was asked for,
  /// `reason` says why there is none.
  std::uint64_t vtcm_backup_bytes = 0;
  /// Needs of each context, in the order of the binaries.
  std::vector<ContextMemory> contexts;
  /// Whether contexts can share an external buffer. False for a backend that cannot defer the
  /// initialisation of graphs.
  bool takes_external_buffers = true;
  /// Whether contexts can be a group. False for an emulation of the HTP (Backend::is_emulation()).
  bool makes_groups = true;
  /// Bytes that failed finalizes of this process have lost, in this load or before, until it ends:
  /// external buffers and, as far as the metadata states them, tensors (RES-05).
  std::uint64_t lost_bytes = 0;

  /// Returns the sum of one number over all contexts, such as `&ContextMemory::weights`.
  [[nodiscard]] ByteSum sum_of(Bytes ContextMemory::* number) const noexcept;
  /// Returns the spill-fill memory of all contexts for a way of sharing; numbers of the metadata
  /// are rounded up for an external buffer. `automatic` means the report's own `sharing`, here and
  /// below.
  [[nodiscard]] ByteSum spill_fill(
      SpillFillSharing how = SpillFillSharing::automatic) const noexcept;
  /// Returns the sum of weights and spill-fill.
  [[nodiscard]] ByteSum total(SpillFillSharing how = SpillFillSharing::automatic) const noexcept;
  /// Returns the bytes that a way of sharing saves compared with separate buffers; 0 if none.
  [[nodiscard]] ByteSum saved(SpillFillSharing how = SpillFillSharing::automatic) const noexcept;
  /// Whether weights and spill-fill of all contexts are known.
  [[nodiscard]] bool complete() const noexcept { return total(SpillFillSharing::none).exact; }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/memory_report.ipp"
#endif
