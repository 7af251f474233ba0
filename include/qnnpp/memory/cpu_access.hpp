// CpuAccess: guard under which the CPU may use DMA memory.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// How the CPU uses the memory during an access.
enum class CpuUse : std::uint8_t {
  read,       ///< Reads only: the device may not see what the CPU writes.
  write,      ///< Writes only.
  read_write  ///< Reads and writes.
};

/// Guard under which the CPU may use DMA memory (DMA_BUF_IOCTL_SYNC, SHB-07).
///
/// While the guard is open, the device must not use the memory: executing a graph with a tensor in
/// the opened bytes is an error, `in_use` (ORD-18). Coherent memory needs no sync calls. Move-only.
/// Keeps the memory alive.
///
/// Threads: only one at a time may use an access.
class CpuAccess {
 public:
  /// Moves the access. The other guard is not open any more.
  CpuAccess(CpuAccess&&) noexcept = default;
  /// Ends this access, as the destructor does, and moves the other one.
  CpuAccess& operator=(CpuAccess&&) noexcept = default;
  /// Ends the access, if it is open. Ignores an error.
  ~CpuAccess();

  /// Opens `size_bytes` from `offset_bytes` on, a range inside `memory`. What the device wrote is
  /// visible to the CPU from then on. Null memory returns a guard that is not open.
  ///
  /// Errors: `sync_failed` with the errno of the ioctl; `allocation_failed` or `too_small` if the
  /// memory cannot be mapped.
  [[nodiscard]] static Result<CpuAccess> begin(Ref<detail::DmaBlock> memory, CpuUse use,
                                               std::uint64_t offset_bytes,
                                               std::uint64_t size_bytes);

  /// The opened bytes: one tensor, or the whole region or buffer. Empty while the guard is not
  /// open. Valid until the access ends.
  [[nodiscard]] std::span<std::byte> bytes() const& noexcept {
    return is_open() ? bytes_ : std::span<std::byte>();
  }
  QNNPP_REFUSE("the access of a temporary ends at once; name it first", std::span<std::byte>,
               bytes() const&&);

  /// Ends the access: what the CPU wrote is visible to the device from then on. The destructor does
  /// the same and is silent. Error: `sync_failed`.
  [[nodiscard]] Result<void> end() &&;

  /// Whether the guard is open. False if it was opened on null memory, has ended or was moved from.
  [[nodiscard]] bool is_open() const noexcept { return static_cast<bool>(open_); }

 private:
  struct Policy {
    /// The memory and how it was opened.
    struct Value {
      Ref<detail::DmaBlock> memory = {};  ///< The opened memory; null if the guard is not open.
      std::uint64_t flags = 0;            ///< Flags of DMA_BUF_SYNC_START; 0 if no sync is needed.
      std::uint64_t begin = 0;            ///< Offset of the first opened byte.
      std::uint64_t end = 0;              ///< Offset behind the last one.
      /// Compares all members.
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

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/cpu_access.ipp"
#endif
