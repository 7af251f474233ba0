// Handler of broken contracts: prints a sentence and ends the program.
#pragma once

#include "qnnpp/config.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Prints `qnnpp: <sentence>` to stderr, then ends the program through Expects of gsl/assert. The
/// sentence names the misused object and the correct use. QNNPP_EXPECTS calls this.
[[noreturn]] void contract_broken(const char* sentence) noexcept;

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/contract.ipp"
#endif
