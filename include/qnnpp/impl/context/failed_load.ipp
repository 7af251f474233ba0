// Definitions of failed_load.hpp.
#pragma once

#include "qnnpp/context/detail/failed_load.hpp"

#include <utility>

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

QNNPP_INLINE Error explain_refusal(const ContextBlock& context, Error error) {
  if (!is_refused_binary(error) || !context.backend->system || !context.binary) return error;
  const auto spec = context.backend->system->metadata(context.binary->bytes(), context.name);
  if (!spec || !spec->dsp_arch) return error;
  const auto architecture = context.backend->architecture();
  // A device runs what was prepared for an older architecture.
  if (!architecture || *spec->dsp_arch <= *architecture) return error;
  Error explained = Error::mismatch(Errc::wrong_architecture, error.step, std::move(error.object),
                                    *spec->dsp_arch, *architecture);
  explained.native = error.native;
  return explained;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
