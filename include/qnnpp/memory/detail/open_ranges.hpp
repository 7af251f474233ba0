// OpenRanges: the bytes of a memory that the CPU has open.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "qnnpp/core/detail/forked.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Number of accesses of the CPU that are open in the process. An execution looks for open tensors
/// only if there are any.
inline constinit std::atomic<std::uint32_t> open_accesses = 0;
[[nodiscard]] inline bool has_open_accesses() noexcept {
  return open_accesses.load(std::memory_order_relaxed) != 0;
}

/// The bytes of one DMA buffer that accesses of the CPU have open (SHB-07). Thread-safe.
class OpenRanges {
 public:
  /// Whether an open access has a byte from `begin` up to `end`.
  [[nodiscard]] bool meet(std::uint64_t begin, std::uint64_t end) const;

  /// Adds an access to the bytes from `begin` up to `end`. Allocates nothing for the first few that
  /// are open at once.
  void add(std::uint64_t begin, std::uint64_t end);
  /// Removes an access that was added.
  void remove(std::uint64_t begin, std::uint64_t end) noexcept;

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool operator==(const Range&) const = default;
  };

  [[nodiscard]] const Range& at(std::size_t i) const noexcept {
    return i < few_.size() ? few_[i] : more_[i - few_.size()];
  }

  mutable ForkableMutex mutex_;
  std::atomic<std::size_t> count_ = 0;
  std::array<Range, 4> few_;
  std::vector<Range> more_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/open_ranges.ipp"
#endif
