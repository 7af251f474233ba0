// AllocateRefusals: what `allocate(allocator, ...)` answers to arguments that it cannot use.
#pragma once

#include <type_traits>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Base of a class with static functions `allocate(allocator, ...)`, which are declared beside
/// these by a using-declaration.
template <class Made>
struct AllocateRefusals {
  template <class... Arguments>
    requires(AnyResult<Arguments> || ...)
  static QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
                      Result<Made>, allocate(const Arguments&...));
  // Rest&&: clang 14 takes const Rest& for the same signature as the function beside it.
  template <NoAllocator Allocator, class... Rest>
    requires(!AnyResult<std::remove_cvref_t<Rest>> && ...)
  static QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
                      Result<Made>, allocate(const Allocator&, Rest&&...));
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
