// Definitions of bring_up.hpp.
#pragma once

#include "qnnpp/model/detail/bring_up.hpp"

#include <algorithm>
#include <string_view>

#include "qnnpp/config.hpp"
#include "qnnpp/context/detail/try_again.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

QNNPP_INLINE bool Refusals::include(const Error& error) const noexcept {
  switch (error.kind) {
    case Errc::capability_missing:
    case Errc::slot_missing:
    case Errc::slot_null:
    case Errc::no_metadata: return true;
    case Errc::qnn:
      return error.code == 1000 || error.code == 5010 || error.code == 8001 ||
             std::find(more_.begin(), more_.end(), error.code) != more_.end();
    default: return false;
  }
}

QNNPP_INLINE bool may_refuse_weights(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == 1002 &&
         std::string_view(error.step) == qnnpp::detail::finalization;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
