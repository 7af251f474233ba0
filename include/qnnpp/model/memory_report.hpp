// MemoryReport: what the contexts of a model take, together and apart, by way of sharing.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/backend/external_weights.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// How the contexts of a model come by their spill-fill memory.
enum class SpillFillSharing : std::uint8_t {
  automatic,        ///< The first of the others that the backend takes.
  external_buffer,  ///< One DMA buffer of the application for all (BUF-10, BUF-11).
  context_group,  ///< One buffer of QNN's own for all (REGISTER_MULTI_CONTEXTS, GRP-01 to GRP-03).
  none,           ///< Each context has its own.
};

[[nodiscard]] constexpr const char* name_of(SpillFillSharing sharing) noexcept {
  switch (sharing) {
    case SpillFillSharing::automatic: return "automatic";
    case SpillFillSharing::external_buffer: return "external_buffer";
    case SpillFillSharing::context_group: return "context_group";
    case SpillFillSharing::none: return "none";
  }
  return "?";
}

/// Where a number comes from.
enum class SizeSource : std::uint8_t {
  unknown,   ///< Nobody tells.
  query,     ///< The backend, asked with a deferred context (QnnContext_getProperty).
  metadata,  ///< The binary, read by the system library.
  manifest,  ///< A manifest, written ahead of time.
};

[[nodiscard]] constexpr const char* name_of(SizeSource source) noexcept {
  switch (source) {
    case SizeSource::unknown: return "unknown";
    case SizeSource::query: return "query";
    case SizeSource::metadata: return "metadata";
    case SizeSource::manifest: return "manifest";
  }
  return "?";
}

/// A number of bytes and who says so. No value is not 0.
struct Bytes {
  std::optional<std::uint64_t> value;
  SizeSource source = SizeSource::unknown;

  [[nodiscard]] std::uint64_t or_zero() const noexcept { return value.value_or(0); }
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

/// A number made of others. Where one of them is unknown it is a lower bound: "at least".
struct ByteSum {
  std::uint64_t bytes = 0;
  bool exact = true;

  /// Stays at the largest number rather than to overflow, and is no longer exact then.
  ByteSum& add(std::uint64_t more) noexcept {
    if (more > UINT64_MAX - bytes) exact = false;
    bytes = more > UINT64_MAX - bytes ? UINT64_MAX : bytes + more;
    return *this;
  }
  ByteSum& add(const Bytes& more) noexcept {
    exact = exact && more.value.has_value();
    return add(more.or_zero());
  }
  ByteSum& add(const ByteSum& more) noexcept {
    exact = exact && more.exact;
    return add(more.bytes);
  }
  friend bool operator==(const ByteSum&, const ByteSum&) = default;
};

/// What one context takes.
struct ContextMemory {
  std::string name;
  std::uint64_t file_bytes = 0;
  Bytes weights = {};
  Bytes spill_fill = {};
  Bytes start_alignment = {};
  Bytes io = {};  ///< Inputs and outputs of all its graphs.
  Bytes op_data = {};
  std::size_t graphs = 0;

  /// What the backend takes off a process domain for it, by DomainNeeds: at least this, as no
  /// binary states its VTCM, and few their run list. External buffers do not lower it (PD-01). The
  /// file's size stands for unknown weights.
  [[nodiscard]] ByteSum pd_estimate() const noexcept;
  /// Whether all numbers are known that a binary or the backend can report.
  [[nodiscard]] bool is_known() const noexcept {
    return weights.value && spill_fill.value && io.value;
  }
  /// Its number alone.
  [[nodiscard]] std::uint64_t pd_estimate_bytes() const noexcept { return pd_estimate().bytes; }

  friend bool operator==(const ContextMemory&, const ContextMemory&) = default;
};

/// What all contexts take. A number that nobody tells makes its sums lower bounds.
struct MemoryReport {
  SpillFillSharing sharing = SpillFillSharing::none;
  /// Why this way of sharing was taken.
  std::string reason;
  /// Whether weights lie in buffers of the application: `refused` if the backend brings none up,
  /// so that QNN keeps the weights (EXT-08); `untried` if none were asked for.
  ExternalWeights external_weights = ExternalWeights::untried;
  std::vector<ContextMemory> contexts;
  /// Whether external buffers are a way of sharing here. They are not with a backend that cannot
  /// defer the initialisation of graphs.
  bool takes_external_buffers = true;

  /// The sum of one number over all contexts, such as `&ContextMemory::weights`.
  [[nodiscard]] ByteSum sum_of(Bytes ContextMemory::* number) const noexcept;
  /// Spill-fill memory of all contexts, if they share it so. `automatic` stands for the way taken.
  [[nodiscard]] ByteSum spill_fill(
      SpillFillSharing how = SpillFillSharing::automatic) const noexcept;
  /// Weights and spill-fill together.
  [[nodiscard]] ByteSum total(SpillFillSharing how = SpillFillSharing::automatic) const noexcept;
  /// What a way of sharing saves beside separate buffers.
  [[nodiscard]] ByteSum saved(SpillFillSharing how = SpillFillSharing::automatic) const noexcept;

  /// The numbers of these alone, with unknown ones as 0; complete() says whether there are any.
  [[nodiscard]] std::uint64_t weights_bytes() const noexcept {
    return sum_of(&ContextMemory::weights).bytes;
  }
  [[nodiscard]] std::uint64_t spill_fill_bytes(SpillFillSharing how) const noexcept {
    return spill_fill(how).bytes;
  }
  [[nodiscard]] std::uint64_t total_bytes(
      SpillFillSharing how = SpillFillSharing::automatic) const noexcept {
    return total(how).bytes;
  }
  [[nodiscard]] std::uint64_t saved_bytes() const noexcept { return saved().bytes; }
  /// Whether the needs of all contexts are known.
  [[nodiscard]] bool complete() const noexcept { return total(SpillFillSharing::none).exact; }
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/memory_report.ipp"
#endif
