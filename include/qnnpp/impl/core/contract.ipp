// Definitions of contract.hpp, and of the object that keeps both forms apart. Only this file uses
// Expects.
#pragma once

#include "qnnpp/core/detail/contract.hpp"

#include <cstdio>

#include <gsl/assert>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

#if defined(QNNPP_SEPARATE)
constinit thread_local const char all_sources_of_a_program_define_QNNPP_SEPARATE_or_none_does = 0;
#endif

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void contract_broken(const char* sentence) noexcept {
  std::fprintf(stderr, "qnnpp: %s\n", sentence);
  Expects(false);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
