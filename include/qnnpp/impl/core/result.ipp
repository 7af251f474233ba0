// Definitions of result.hpp.
#pragma once

#include "qnnpp/core/result.hpp"

#include <cstdint>
#include <string>

#include "qnnpp/config.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE Result<void> check(std::uint64_t native, const char* step, const std::string& object) {
  if (is_success(native)) return success();
  return fail(Error::from_qnn(native, step, object));
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
