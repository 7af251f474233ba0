// Definitions of failed_load.hpp.
#pragma once

#include "qnnpp/context/detail/failed_load.hpp"

#include <utility>

#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

QNNPP_INLINE Error explain_refusal(const ContextBlock& context, Error error) {
  if (!context.binary) return error;
  error = explain_unreadable(std::move(error), context.binary->bytes(),
                             context.backend->library.path() + " is " +
                                 version_text(context.provider().backend_version()));
  if (!is_refused_binary(error) || !context.backend->system) return error;
  const auto spec = context.backend->system->metadata(context.binary->bytes(), context.name);
  if (!spec || !spec->dsp_arch) return error;
  const auto chip = context.backend->chip();
  // A device runs what was prepared for an older architecture.
  if (!chip || *spec->dsp_arch <= chip->dsp_arch) return error;
  Error explained = Error::mismatch(Errc::wrong_architecture, error.step, std::move(error.object),
                                    *spec->dsp_arch, chip->dsp_arch);
  explained.native = error.native;
  return explained;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
