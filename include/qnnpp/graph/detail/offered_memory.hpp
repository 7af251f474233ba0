// OfferedMemory: memory that a caller offers for a tensor; ByteRange: the bytes that it covers.
#pragma once

#include "qnnpp/config.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "qnnpp/core/ref.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

class Binding;

namespace detail {

struct TensorRegistrationBlock;

/// Memory that a caller offers for the tensor `name`. Borrows everything.
struct OfferedMemory {
  std::string_view name;
  const Binding* binding = nullptr;                            ///< Describes raw memory.
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

}  // namespace detail
}  // namespace qnnpp::inline QNNPP_NAMESPACE
