// What a broken contract does: it prints a sentence, then ends the program.
#pragma once

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Prints `qnnpp: <sentence>` to stderr and ends the program as gsl/assert's Expects does. The
/// sentence says which object is misused and what to do instead. Called by QNNPP_EXPECTS.
[[noreturn]] void contract_broken(const char* sentence) noexcept;

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/contract.ipp"
#endif
