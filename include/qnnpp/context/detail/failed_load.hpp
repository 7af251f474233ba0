// Failed loads: which of them are repeated, and the meaning of QNN's codes there.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <string_view>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Most tries of a load. After a failed load, the host library may reuse a graph number of that
/// load on the same process domain. The load that gets the number returns
/// QNN_COMMON_ERROR_UNDEFINED. The second try succeeds, or the third for a member of a group
/// (RES-03).
inline constexpr int most_tries = 3;

/// Steps that can return QNN_COMMON_ERROR_UNDEFINED.
inline constexpr const char* creation = name_of(c_api::Slot::context_create_from_binary);
inline constexpr const char* finalization = name_of(c_api::Slot::context_finalize);

/// Whether QNN returned QNN_COMMON_ERROR_UNDEFINED, by its low 16 bits (LOAD-06).
[[nodiscard]] inline bool is_undefined(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == code_of(c_api::CommonError::undefined);
}

/// Whether the DSP restarted and runs again; `dead` if another call reported the restart first
/// (SSR-01).
[[nodiscard]] inline bool is_restart(const Error& error) noexcept {
  return error.kind == Errc::dead ||
         (error.kind == Errc::qnn &&
          error.code == code_of(c_api::CommonError::system_communication));
}

/// Whether a finalize failed because a remote call did, and the DSP has not restarted.
[[nodiscard]] inline bool is_failed_remote_call(const Error& error) noexcept {
  return error.kind == Errc::qnn && std::string_view(error.step) == finalization &&
         (error.code == code_of(c_api::ContextError::invalid_argument) ||
          error.code == code_of(c_api::CommonError::system));
}

/// Calls `load`, and repeats it at most twice if its `step` returns UNDEFINED, and once after a
/// failed remote call, which may have lost a context (RES-05). `load` must start from creation each
/// time, because a failed QnnContext_finalize cannot be repeated (ORD-13).
template <class Load>
[[nodiscard]] auto try_again(std::string_view step, Load load) -> decltype(load()) {
  const std::size_t lost = lost_contexts->count();
  for (int tries = 1;; ++tries) {
    auto loaded = load();
    if (loaded) return loaded;
    if (lost_contexts->count() > lost) say_what_is_lost(loaded.error());
    if (tries == most_tries || step != loaded.error().step) return loaded;
    const bool may_pass = tries == 1 && is_failed_remote_call(loaded.error());
    if (!is_undefined(loaded.error()) && !may_pass) return loaded;
  }
}

/// Whether QNN refused a binary with 5005, which means a full device or a binary of another
/// architecture.
[[nodiscard]] inline bool is_refused_binary(const Error& error) noexcept {
  return error.kind == Errc::qnn &&
         error.code == code_of(c_api::ContextError::create_from_binary) &&
         (error.facts & fact::of_source) == 0;
}

/// Changes 5000 of a creation to `version_unsupported`, which names both versions, if the binary
/// was made with a newer version of the HTP's API than the library has (BIN-01). The library
/// compares the same numbers; its error names neither, nor the binary of a list. Without metadata,
/// compares the minor version in the build id that the binary has as plain text. Reads the binary
/// by sdk_of() only, because a mapped file may have become shorter during the call. States
/// fact::not_newer of another error of the binary if the numbers say so.
[[nodiscard]] Error explain_newer(const ContextBlock& context, Error error);

/// Explains the error of creating or finalizing `context`, as explain_newer() does. Changes 5005 to
/// `wrong_architecture` if the metadata and the device show it (RES-04), or else states
/// fact::arch_fits; asks the device only then.
/// The library for x86-64 executes binaries of every architecture, whatever its device reports.
/// Adds the versions of the binary and of the library if QNN cannot read the binary, says if the
/// mapped file has become shorter, and names the other live contexts if there is no room.
[[nodiscard]] Error explain_refusal(const ContextBlock& context, Error error);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/failed_load.ipp"
#endif
