// Definitions of failed_load.hpp.
#pragma once

#include "qnnpp/context/detail/failed_load.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/impl/context/context_block.ipp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Minor version of an SDK, such as 48 of "2.48.40"; 0 of an empty text.
[[nodiscard]] QNNPP_INLINE std::uint32_t minor_of(std::string_view sdk) {
  std::uint32_t minor = 0;
  if (const auto dot = sdk.find('.'); dot != std::string_view::npos)
    std::from_chars(sdk.data() + dot + 1, sdk.data() + sdk.size(), minor);
  return minor;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error explain_newer(const ContextBlock& context,
                                                              Error error) {
  const bool may_be_newer = error.code == code_of(c_api::ContextError::invalid_argument);
  if (error.kind != Errc::qnn || !context.binary || (step_of(error.step) & step::reads) == 0 ||
      (!may_be_newer && !is_unreadable(error)))
    return error;
  std::string made_by = context.made_by;
  std::uint32_t needs = context.needed_api_minor;
  if (made_by.empty()) made_by = sdk_of(context.binary->bytes());
  if (needs == 0) needs = minor_of(made_by);  // The HTP's API has the SDK's minor version.
  if (needs != 0 && needs <= context.provider().backend_version().minor)
    error.facts |= fact::not_newer;
  if (!may_be_newer || needs <= context.provider().backend_version().minor) return error;
  Error explained = Error::make(Errc::version_unsupported, error.step, context.name,
                                {"SDK ", made_by.empty() ? detail::joined({"2.", needs}) : made_by,
                                 " made the binary, ", library_words(context)});
  explained.native = error.native;
  explained.code = error.code;
  explained.log = std::move(error.log);
  return explained;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error explain_refusal(const ContextBlock& context,
                                                                Error error) {
  if (!context.binary) return error;
  error = explain_newer(context, std::move(error));
  if (is_unreadable(error) && std::string_view(error.step) != metadata_step)
    error = explain_unreadable(std::move(error), context.binary->bytes(), library_words(context));
  if (error.kind == Errc::qnn && !is_whole(context.binary->bytes()))
    error.detail = error.detail.empty() ? std::string(became_shorter)
                                        : joined({became_shorter, "; ", error.detail});
  const bool may_be_wrong = is_refused_binary(error) && context.needed_arch != 0;
  const auto chip =
      may_be_wrong && !context.backend->is_emulation() ? context.backend->chip() : std::nullopt;
  // A device executes binaries of older architectures.
  const std::uint32_t arch = chip ? static_cast<std::uint32_t>(chip->arch) : 0;
  if (chip && context.needed_arch <= arch) error.facts |= fact::arch_fits;
  if (!chip || context.needed_arch <= arch) {
    if (is_exhausted(error)) name_live_contexts(error, *context.list, &context);
    return error;
  }
  Error explained = Error::mismatch(Errc::wrong_architecture, error.step, std::move(error.object),
                                    context.needed_arch, arch);
  explained.native = error.native;
  explained.detail = std::move(error.detail);  // Has the log.
  explained.log = std::move(error.log);
  return explained;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
