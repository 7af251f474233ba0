// Refusals: which errors say that a way of sharing is not to be had, rather than failed on the way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// What makes automatic sharing go on to the next way. Anything else, such as no room (1002), a bad
/// binary or a cancellation, is the caller's to know.
///
/// The codes are those of the host libraries 2.43.1 and 2.45.0: 1000 for a feature that is excluded
/// or not there, in creation, QnnContext_getProperty or QnnContext_finalize; 5010 for an option
/// that is unknown or excluded, in creation or QnnContext_finalize; 8001 for a type of memory that
/// QnnMem_register does not know. Not 8000, which is a wrong size first of all.
class Refusals {
 public:
  /// `more`: further codes that mean the same on some backend.
  explicit Refusals(std::vector<std::uint16_t> more = {}) : more_(std::move(more)) {}

  [[nodiscard]] bool include(const Error& error) const noexcept {
    switch (error.kind) {
      case Errc::capability_missing:
      case Errc::slot_missing:
      case Errc::slot_null:
      case Errc::no_metadata: return true;
      case Errc::qnn:
        return error.code == code_of(c_api::CommonError::not_supported) ||
               error.code == code_of(c_api::ContextError::invalid_config) ||
               error.code == code_of(c_api::MemError::invalid_handle) ||
               std::find(more_.begin(), more_.end(), error.code) != more_.end();
      default: return false;
    }
  }

 private:
  std::vector<std::uint16_t> more_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
