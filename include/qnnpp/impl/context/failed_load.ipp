// Definitions of failed_load.hpp.
#pragma once

#include "qnnpp/context/detail/failed_load.hpp"

#include "qnnpp/config.hpp"

#include <cerrno>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/backend/interface.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Text that names the backend library and its SDK, or its version if the build id names no SDK.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE std::string library_words(const ContextBlock& context) {
  const auto build = context.backend->build_id();
  const std::string sdk = build ? sdk_of(std::as_bytes(std::span(*build))) : std::string();
  return context.backend->library.path() +
         (sdk.empty() ? " has backend API " + version_text(context.provider().backend_version())
                      : " is from SDK " + sdk);
}

QNNPP_INLINE bool is_exhausted(const Error& error) noexcept {
  if (error.kind == Errc::allocation_failed) return true;
  if (error.kind == Errc::file_unreadable)
    return error.code == EMFILE || error.code == ENFILE || error.code == ENOMEM;
  if (error.kind != Errc::qnn) return false;
  if (error.code == code_of(c_api::CommonError::system) ||
      error.code == code_of(c_api::CommonError::resource_unavailable))
    return std::string_view(error.step) == name_of(c_api::Slot::mem_register);
  return error.code == code_of(c_api::CommonError::mem_alloc) ||
         error.code == code_of(c_api::ContextError::create_from_binary) ||
         error.code == code_of(c_api::MemError::mapping);
}

QNNPP_INLINE Error explain_refusal(const ContextBlock& context, Error error) {
  if (!context.binary) return error;
  if (is_unreadable(error))
    error = explain_unreadable(std::move(error), context.binary->bytes(), library_words(context));
  if (!is_refused_binary(error) || !context.backend->system) return error;
  const auto spec = context.backend->system->metadata(context.binary->bytes(), context.name);
  if (!spec || !spec->dsp_arch) return error;
  const auto chip = context.backend->chip();
  // A device executes binaries of older architectures.
  if (!chip || *spec->dsp_arch <= chip->dsp_arch) return error;
  Error explained = Error::mismatch(Errc::wrong_architecture, error.step, std::move(error.object),
                                    *spec->dsp_arch, chip->dsp_arch);
  explained.native = error.native;
  return explained;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
