// Definitions of failed_load.hpp.
#pragma once

#include "qnnpp/context/detail/failed_load.hpp"

#include "qnnpp/config.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/backend/interface.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// SDK of the backend library; empty if its build id names none.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE std::string sdk_of_library(const ContextBlock& context) {
  const auto build = context.backend->build_id();
  return build ? sdk_of(std::as_bytes(std::span(*build))) : std::string();
}

/// Text that names the backend library and its SDK, or its version if the build id names no SDK.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE std::string library_words(const ContextBlock& context) {
  const std::string sdk = sdk_of_library(context);
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

/// SDK that made the context's binary, from the metadata's build id or from plain text in the file;
/// empty if neither names one.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE std::string sdk_of_binary(const ContextBlock& context) {
  const auto bytes = context.binary->bytes();
  if (context.backend->system)
    if (const auto spec = context.backend->system->metadata(bytes, context.name))
      if (std::string sdk = sdk_of(std::as_bytes(std::span(spec->build_id))); !sdk.empty())
        return sdk;
  return sdk_of(bytes);
}

/// The three numbers of an SDK's version, such as "2.48.40", as one number.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE std::uint64_t sdk_number(std::string_view sdk) {
  std::uint64_t parts[3] = {};
  std::size_t part = 0;
  for (const char each : sdk)
    if (each == '.' && part < 2)
      ++part;
    else
      parts[part] = parts[part] * 10 + static_cast<std::uint64_t>(each - '0');
  return (parts[0] * 1'000 + parts[1]) * 1'000 + parts[2];
}

QNNPP_INLINE Error explain_newer(const ContextBlock& context, Error error) {
  if (error.kind != Errc::qnn || error.code != code_of(c_api::ContextError::invalid_argument) ||
      !context.binary || std::string_view(error.step) == finalization)
    return error;
  const std::string made_by = sdk_of_binary(context);
  if (made_by.empty()) return error;
  std::string library = sdk_of_library(context);
  // The minor version of the HTP's API is the SDK's.
  const std::uint64_t has =
      library.empty() ? context.provider().backend_version().minor : sdk_number(library);
  const std::uint64_t needs =
      library.empty() ? sdk_number(made_by) / 1'000 % 1'000 : sdk_number(made_by);
  if (needs <= has) return error;
  Error explained = Error::make(Errc::version_unsupported, error.step, context.name,
                                "SDK " + made_by + " made the binary, " + library_words(context));
  explained.native = error.native;
  explained.code = error.code;
  return explained;
}

QNNPP_INLINE Error explain_refusal(const ContextBlock& context, Error error) {
  if (!context.binary) return error;
  error = explain_newer(context, std::move(error));
  if (is_unreadable(error) && std::string_view(error.step) != metadata_step)
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
