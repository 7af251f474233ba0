// Failed loads: which of them are tried again, and what QNN's codes mean there.
#pragma once

#include <string_view>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// After a load that failed on a process domain, the host library may give a later one a graph
/// number of the failed one: that load returns QNN_COMMON_ERROR_UNDEFINED, and the next goes well,
/// for a member of a group the one after it (RES-03).
inline constexpr int most_tries = 3;

/// The steps that can return it.
inline constexpr const char* creation = name_of(c_api::Slot::context_create_from_binary);
inline constexpr const char* finalization = name_of(c_api::Slot::context_finalize);

/// Whether QNN returned QNN_COMMON_ERROR_UNDEFINED, by its low 16 bits (LOAD-06).
[[nodiscard]] inline bool is_undefined(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == code_of(c_api::CommonError::undefined);
}

/// Whether the DSP restarted and is up again; `dead` where another call was told first (SSR-01).
[[nodiscard]] inline bool is_restart(const Error& error) noexcept {
  return error.kind == Errc::dead ||
         (error.kind == Errc::qnn &&
          error.code == code_of(c_api::CommonError::system_communication));
}

/// Calls `load`, and calls it again, at most twice, if `step` in it returns UNDEFINED. `load`
/// starts from creation each time, as a failed QnnContext_finalize cannot be repeated (ORD-13).
template <class Load>
[[nodiscard]] auto try_again(std::string_view step, Load load) -> decltype(load()) {
  for (int tries = 1;; ++tries) {
    auto loaded = load();
    if (loaded || tries == most_tries) return loaded;
    if (!is_undefined(loaded.error()) || step != loaded.error().step) return loaded;
  }
}

/// Whether QNN refused a binary with 5005, which it returns for a full device and for a binary of
/// another architecture alike.
[[nodiscard]] inline bool is_refused_binary(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == code_of(c_api::ContextError::create_from_binary);
}

/// Whether an error says that something has run out which another context gives back when it goes
/// (RES-01), and not that the load itself is wrong:
///
/// - room on the device: 1002, 5005, a mapping that the device refuses. For that QnnMem_register
///   documents 8003; a failure of the operating system (1003) or of a resource (1010) in it can
///   mean the same, as no library confirms the code of a device that maps no more. The caller tells
///   a 5005 that is about the binary apart (RES-04).
/// - memory: an allocation that failed.
/// - file descriptors, of the process (EMFILE) or of the system (ENFILE), and mappings (ENOMEM),
///   where a binary is opened and mapped.
[[nodiscard]] bool is_exhausted(const Error& error) noexcept;

/// The error of creating or finalizing `context`; `wrong_architecture` instead of 5005 if its
/// metadata and the device say so (RES-04). Reads both, and only then. The error of a binary that
/// cannot be read names the versions of the binary and of the library.
[[nodiscard]] Error explain_refusal(const ContextBlock& context, Error error);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/failed_load.ipp"
#endif
