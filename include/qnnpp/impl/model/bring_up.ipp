// Definitions of bring_up.hpp.
#pragma once

#include "qnnpp/model/detail/bring_up.hpp"

#include "qnnpp/config.hpp"

#include <algorithm>
#include <string_view>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/context/detail/failed_load.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

QNNPP_INLINE bool Refusals::include(const Error& error) const noexcept {
  switch (error.kind) {
    case Errc::capability_missing:
    case Errc::slot_missing:
    case Errc::slot_null:
    case Errc::no_metadata: return true;
    case Errc::qnn:
      return error.code == code_of(c_api::CommonError::not_supported) ||
             error.code == code_of(c_api::ContextError::invalid_config) ||
             error.code == code_of(c_api::MemError::invalid_handle) ||
             error.code == code_of(c_api::MemError::unsupported_memtype) ||
             std::find(more_.begin(), more_.end(), error.code) != more_.end();
    default: return false;
  }
}

QNNPP_INLINE bool may_refuse_weights(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == code_of(c_api::CommonError::mem_alloc) &&
         std::string_view(error.step) == qnnpp::detail::finalization;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
