// CpuAccess: brackets what the CPU does with cached DMA memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "qnnpp/config.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// What the CPU is going to do.
enum class CpuUse : std::uint8_t { read, write, read_write };

/// While it lives the CPU may use the memory; the device may not (DMA_BUF_IOCTL_SYNC, SHB-07).
/// Memory whose allocator keeps caches coherent costs nothing. Keeps the memory alive until its
/// end. No graph may execute with the memory meanwhile.
class CpuAccess {
 public:
  /// Begins it for `size_bytes` from `offset_bytes` on: data that the device wrote is visible from
  /// now on. Errors: `sync_failed` with the errno of the ioctl; `allocation_failed`, `too_small` of
  /// memory that cannot be mapped. No memory: nothing to begin.
  [[nodiscard]] static Result<CpuAccess> begin(Ref<detail::DmaBlock> memory, CpuUse use,
                                               std::uint64_t offset_bytes,
                                               std::uint64_t size_bytes);

  /// What was opened: of a tensor its bytes, of a region or buffer all of them. None before it
  /// begins, after its end, and after a move.
  [[nodiscard]] std::span<std::byte> bytes() const& noexcept {
    return is_open() ? bytes_ : std::span<std::byte>();
  }
  QNNPP_REFUSE("the access of a temporary ends at once; name it first", std::span<std::byte>,
               bytes() const&&);

  /// Ends it now: what the CPU wrote is visible to the device. The destructor does the same and
  /// says nothing. Error: as of begin().
  [[nodiscard]] Result<void> end() &&;

  /// Whether it has begun and not ended; false for no memory, and after a move.
  [[nodiscard]] bool is_open() const noexcept { return static_cast<bool>(open_); }

 private:
  struct Policy {
    struct Value {
      Ref<detail::DmaBlock> memory = {};
      std::uint64_t flags = 0;  ///< As given to its start; 0: there is nothing to end.
      bool operator==(const Value&) const = default;
    };
    static Value null() noexcept { return {}; }
    static std::uint64_t close(Value value) noexcept;
  };

  static std::uint64_t sync(int fd, std::uint64_t flags) noexcept;

  static Error refused(int fd, std::uint64_t reason);

  CpuAccess() noexcept = default;

  Owner<Policy> open_;
  std::span<std::byte> bytes_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/cpu_access.ipp"
#endif
