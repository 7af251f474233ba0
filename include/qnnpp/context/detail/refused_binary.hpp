// explain_refusal(): why QNN does not make a context of a binary, where its code has many meanings.
#pragma once

#include "qnnpp/abi/error.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Whether QNN refused a binary with 5005, which it returns for a full device and for a binary of
/// another architecture alike.
[[nodiscard]] inline bool is_refused_binary(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == code_of(c_api::ContextError::create_from_binary);
}

/// The error of creating or finalizing `context`; `wrong_architecture` instead of 5005 if its
/// metadata and the device say so (RES-04). Reads both, and only then.
[[nodiscard]] Error explain_refusal(const ContextBlock& context, Error error);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/refused_binary.ipp"
#endif
