// Definitions of error.hpp.
#pragma once

#include "qnnpp/core/error.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE Error Error::from_qnn(std::uint64_t native, const char* step, std::string object) {
  Error error;
  error.kind = Errc::qnn;
  error.code = static_cast<std::uint16_t>(native & 0xFFFFu);
  error.native = native;
  error.step = step;
  error.object = std::move(object);
  return error;
}

QNNPP_INLINE Error Error::make(Errc kind, const char* step, std::string object,
                               std::string detail) {
  Error error;
  error.kind = kind;
  error.step = step;
  error.object = std::move(object);
  error.detail = std::move(detail);
  return error;
}

QNNPP_INLINE Error Error::mismatch(Errc kind, const char* step, std::string object,
                                   std::uint64_t needed, std::uint64_t found) {
  Error error = make(kind, step, std::move(object));
  error.needed = needed;
  error.found = found;
  return error;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
