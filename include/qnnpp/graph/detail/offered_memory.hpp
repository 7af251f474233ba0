// OfferedMemory: memory that a caller offers for a tensor; UsedMemory: the memory of a bound
// tensor; ApartRanges: the bytes of all bound tensors.
#pragma once

#include "qnnpp/config.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Memory that a caller offers for the tensor `name`. Borrows everything.
struct OfferedMemory {
  std::string_view name;
  const BindingBlock* binding = nullptr;  ///< Null if all tensors of a registration are offered.
  const Ref<TensorRegistrationBlock>* registration = nullptr;  ///< Null for raw memory.
  std::size_t tensor = 0;  ///< Index of the tensor in the registration.
};

/// Bytes of a tensor: a range of a memory, or of addresses if `memory` is the default.
struct ByteRange {
  MemoryId memory = {};
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  auto operator<=>(const ByteRange&) const = default;
  [[nodiscard]] bool meets(const ByteRange& other) const noexcept {
    return memory == other.memory && begin < other.end && other.begin < end;
  }
};

/// Memory of an input or output of a bound graph.
struct UsedMemory {
  ByteRange range;
  Ref<TensorRegistrationBlock> registration;  ///< Null for raw memory.
  std::uint32_t tensor = 0;                   ///< Index of the tensor in the registration.
  std::uint32_t slot = 0;                     ///< Number of `range` in ApartRanges.

  /// Whether the CPU has bytes of registered memory open.
  [[nodiscard]] bool is_open() const {
    return registration->memory->memory_of(tensor).open.meet(range.begin, range.end);
  }
  /// Whether the memory is that of a KvCache.
  [[nodiscard]] bool has_order() const noexcept {
    return registration && registration->memory->order;
  }
};

/// The ranges of a graph's memory in the order of their places, if no two of them meet. Then a
/// search finds whether another range meets one: only its neighbours can.
class ApartRanges {
 public:
  /// Numbers the ranges by UsedMemory::slot, unless that is done. Returns whether no two of them
  /// meet, and all are of registered or all of raw memory. Allocates in the first call only.
  [[nodiscard]] bool made(std::span<UsedMemory> used) {
    if (!is_made_) make(used);
    return !in_order_.empty();
  }
  /// Gives the range `slot` another place. Returns false and changes nothing if it would meet
  /// another range. Allocates nothing.
  [[nodiscard]] bool replace(std::uint32_t slot, const ByteRange& range) noexcept;
  /// Forgets the ranges, because two of them may meet from now on.
  void forget() noexcept { in_order_.clear(); }

 private:
  void make(std::span<UsedMemory> used);
  /// Returns the place of the first range that does not stand before `range`. Looks first at the
  /// place `hint`.
  [[nodiscard]] std::size_t place_of(const ByteRange& range, std::size_t hint) const noexcept;
  /// Whether the range of the slot at `place` meets `range`, or is memory of another device with
  /// its inode. False for the slot `except`, and for a place beyond the last.
  [[nodiscard]] bool meets(std::size_t place, const ByteRange& range,
                           std::uint32_t except) const noexcept;

  bool is_made_ = false;
  std::vector<ByteRange> by_slot_;
  std::vector<std::uint32_t> in_order_;  ///< Slots by their ranges; empty if two may meet.
  // Places after the last replace(): where its range was, and after where it is. The next call
  // often replaces the neighbour by a neighbour.
  std::size_t next_old_ = 0;
  std::size_t next_new_ = 0;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
