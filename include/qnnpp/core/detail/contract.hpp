// Contracts: a broken one prints a sentence and ends the program.
#pragma once

#include "qnnpp/config.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Prints `qnnpp: <sentence>` to stderr, then ends the program through Expects of gsl/assert.
[[noreturn]] void contract_broken(const char* sentence) noexcept;

/// Checks a contract: ends the program with the sentence if the condition is false. The sentence
/// names the misused object and says what to do instead.
template <class Condition>
[[gnu::always_inline]] constexpr void expects(const Condition& condition, const char* sentence) {
  if (!condition) contract_broken(sentence);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/contract.ipp"
#endif
