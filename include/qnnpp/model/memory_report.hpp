// MemoryReport: memory needs of a model's contexts, each and in sum, for each way of sharing.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/backend/external_weights.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// How the contexts of a model get their spill-fill memory.
enum class SpillFillSharing : std::uint8_t {
  automatic,        ///< The first of the following ways that the backend supports.
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

namespace detail {

/// Bytes of an external buffer that a host library asks for, for a number that the metadata states:
/// the next multiple of 2 MiB; UINT64_MAX if there is none.
[[nodiscard]] constexpr std::uint64_t rounded_by_backend(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t piece = std::uint64_t{2} << 20;
  if (bytes > UINT64_MAX - (piece - 1)) return UINT64_MAX;
  return (bytes + (piece - 1)) / piece * piece;
}

}  // namespace detail

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

/// Memory needs of one context.
struct ContextMemory {
  std::string name;              ///< Path of the file, or name of the bytes.
  std::uint64_t file_bytes = 0;  ///< Size of the binary.
  Bytes weights = {};            ///< Constants of all its graphs.
  Bytes spill_fill = {};         ///< Memory for intermediate results; its graphs use it in turn.
  Bytes start_alignment = {};    ///< Alignment of its external buffers.
  Bytes io = {};                 ///< Inputs and outputs of all its graphs.
  Bytes op_data = {};            ///< Run lists of all its graphs.
  std::size_t graphs = 0;        ///< Number of graphs.
  /// Bytes of the graphs' metadata that a newer SDK wrote and qnnpp does not know.
  std::uint64_t unread_metadata_bytes = 0;
  /// Whether the context shares spill-fill memory where others do. False for one with DLBC, which
  /// has memory of its own (BUF-18).
  bool shares_spill_fill = true;

  /// Estimates the bytes that the backend reserves in a process domain for the context: weights,
  /// spill-fill, inputs and outputs, and run list. Host libraries 2.43.1 and 2.45.0 logged this sum
  /// plus the VTCM for a binary with raw inputs and outputs. A lower bound, because no binary
  /// states its VTCM and few state their run list. External buffers do not reduce it (PD-01).
  /// Unknown weights are replaced by the file size.
  [[nodiscard]] ByteSum pd_estimate() const noexcept;
  /// Whether all numbers are known that the binary or the backend can report.
  [[nodiscard]] bool is_known() const noexcept {
    return weights.value && spill_fill.value && io.value;
  }

  /// Compares all members.
  friend bool operator==(const ContextMemory&, const ContextMemory&) = default;
};

namespace detail {

/// Returns the needs with `manifest` as the source of each known number.
[[nodiscard]] ContextMemory from_manifest(ContextMemory memory);

}  // namespace detail

/// Memory needs of all contexts of a model. An unknown number makes its sums lower bounds.
struct MemoryReport {
  /// The way of sharing that was planned or used.
  SpillFillSharing sharing = SpillFillSharing::none;
  /// Why this way of sharing was chosen.
  std::string reason;
  /// Whether the application's buffers contain the weights. `refused`: the backend cannot use such
  /// buffers, and QNN keeps the weights (EXT-08). `untried`: none were requested.
  ExternalWeights external_weights = ExternalWeights::untried;
  /// Needs of each context, in the order of the binaries.
  std::vector<ContextMemory> contexts;
  /// Whether contexts can share an external buffer. False for a backend that cannot defer the
  /// initialisation of graphs.
  bool takes_external_buffers = true;

  /// Returns the sum of one number over all contexts, such as `&ContextMemory::weights`.
  [[nodiscard]] ByteSum sum_of(Bytes ContextMemory::* number) const noexcept;
  /// Returns the spill-fill memory of all contexts for a way of sharing. `automatic` means the
  /// report's own `sharing`, here and below.
  [[nodiscard]] ByteSum spill_fill(
      SpillFillSharing how = SpillFillSharing::automatic) const noexcept;
  /// Returns the sum of weights and spill-fill.
  [[nodiscard]] ByteSum total(SpillFillSharing how = SpillFillSharing::automatic) const noexcept;
  /// Returns the bytes that a way of sharing saves compared with separate buffers.
  [[nodiscard]] ByteSum saved(SpillFillSharing how = SpillFillSharing::automatic) const noexcept;
  /// Whether weights and spill-fill of all contexts are known.
  [[nodiscard]] bool complete() const noexcept { return total(SpillFillSharing::none).exact; }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/memory_report.ipp"
#endif
