// OfferedMemory: memory that a caller offers for a tensor; UsedMemory: the memory of a bound
// tensor.
#pragma once

#include "qnnpp/config.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

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
  std::size_t tensor = 0;                     ///< Index of the tensor in the registration.

  /// Whether the CPU has bytes of registered memory open.
  [[nodiscard]] bool is_open() const {
    return registration->memory->memory_of(tensor).open.meet(range.begin, range.end);
  }
  /// Whether the memory is that of a KvCache.
  [[nodiscard]] bool has_order() const noexcept {
    return registration && registration->memory->order;
  }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
