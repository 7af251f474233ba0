// MemoryReport: what the contexts of a model take, together and apart, by way of sharing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/model/sharing.hpp"

namespace qnnpp::model {

/// Where a number comes from.
enum class SizeSource : std::uint8_t {
  unknown,   ///< Nobody tells.
  query,     ///< The backend, asked with a deferred context (QnnContext_getProperty).
  metadata,  ///< The binary, read by the system library.
};

[[nodiscard]] constexpr const char* name_of(SizeSource source) noexcept {
  switch (source) {
    case SizeSource::unknown: return "unknown";
    case SizeSource::query: return "query";
    case SizeSource::metadata: return "metadata";
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

  /// What the backend takes off a process domain for it, roughly: 1.0438 times the sum of binary,
  /// spill-fill and op data (measured on one device). External buffers do not lower it (PD-01).
  [[nodiscard]] std::uint64_t pd_estimate_bytes() const noexcept {
    const double sum = static_cast<double>(file_bytes) + static_cast<double>(spill_fill.or_zero()) +
                       static_cast<double>(op_data.or_zero());
    return static_cast<std::uint64_t>(sum * 1.0438);
  }
};

/// What all contexts take. Numbers that nobody tells count as 0 in the sums; complete() says whether
/// there are any.
struct MemoryReport {
  SpillFillSharing sharing = SpillFillSharing::none;
  /// Why this way of sharing was taken.
  std::string reason;
  std::vector<ContextMemory> contexts;

  [[nodiscard]] std::uint64_t weights_bytes() const noexcept {
    std::uint64_t sum = 0;
    for (const ContextMemory& context : contexts) sum += context.weights.or_zero();
    return sum;
  }
  /// Spill-fill memory of all contexts, if they share it so. `automatic` stands for the way taken.
  [[nodiscard]] std::uint64_t spill_fill_bytes(SpillFillSharing how) const noexcept {
    if (how == SpillFillSharing::automatic) how = sharing;
    std::uint64_t sum = 0, largest = 0;
    for (const ContextMemory& context : contexts) {
      sum += context.spill_fill.or_zero();
      if (context.spill_fill.or_zero() > largest) largest = context.spill_fill.or_zero();
    }
    return how == SpillFillSharing::none ? sum : largest;
  }
  /// Weights and spill-fill together.
  [[nodiscard]] std::uint64_t total_bytes(
      SpillFillSharing how = SpillFillSharing::automatic) const noexcept {
    return weights_bytes() + spill_fill_bytes(how);
  }
  /// What the way taken saves beside separate buffers.
  [[nodiscard]] std::uint64_t saved_bytes() const noexcept {
    return spill_fill_bytes(SpillFillSharing::none) - spill_fill_bytes(sharing);
  }
  /// Whether the needs of all contexts are known.
  [[nodiscard]] bool complete() const noexcept {
    for (const ContextMemory& context : contexts)
      if (!context.weights.value || !context.spill_fill.value) return false;
    return true;
  }
};

}  // namespace qnnpp::model
