// Access: gives qnnpp's own code the private parts of public objects.
#pragma once

#include "qnnpp/config.hpp"

#include <utility>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Friend of the public classes, so that their public members need not expose control blocks. For
/// qnnpp and its tests only.
struct Access {
  /// Returns the control block that `object` shares; null after a move. The reference is valid
  /// while `object` exists.
  template <class Object>
  [[nodiscard]] static const auto& block(const Object& object) noexcept {
    return object.block_;
  }

  /// Consumes `object` and returns its control block.
  template <class Object>
  [[nodiscard]] static auto take(Object object) {
    return object.take();
  }

  /// Creates an object from its control block, or from the blocks of other objects.
  template <class Made, class... Arguments>
  [[nodiscard]] static auto make(Arguments&&... arguments) {
    return Made::make(std::forward<Arguments>(arguments)...);
  }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
