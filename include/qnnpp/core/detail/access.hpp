// Access: how qnnpp's own code reaches what a public object holds.
#pragma once

#include <utility>

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Friend of the public classes, whose members thus show no control block. For qnnpp and its tests:
/// a program has no use for it.
struct Access {
  /// The control block that `object` shares. Null after a move. The reference lives as `object`.
  template <class Object>
  [[nodiscard]] static const auto& block(const Object& object) noexcept {
    return object.block_;
  }

  /// Consumes `object` and returns its control block.
  template <class Object>
  [[nodiscard]] static auto take(Object object) {
    return object.take();
  }

  /// Makes an object of its control block, or of others' blocks.
  template <class Made, class... Arguments>
  [[nodiscard]] static auto make(Arguments&&... arguments) {
    return Made::make(std::forward<Arguments>(arguments)...);
  }
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
