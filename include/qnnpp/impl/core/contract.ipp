// Definition of contract.hpp. Only this file uses Expects.
#pragma once

#include "qnnpp/core/detail/contract.hpp"

#include <cstdio>

#include <gsl/assert>

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

QNNPP_COLD QNNPP_INLINE void contract_broken(const char* sentence) noexcept {
  std::fprintf(stderr, "qnnpp: %s\n", sentence);
  Expects(false);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
