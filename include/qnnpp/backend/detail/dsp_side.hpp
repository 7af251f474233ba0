// The libraries of the DSP's side: the stub, which the host library opens in this process, and the
// skel, which the DSP opens.
#pragma once

#include "qnnpp/config.hpp"

#include <span>
#include <string>
#include <string_view>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Files of all stub libraries that are loaded in this process, such as "/a/libQnnHtpV79Stub.so",
/// separated by ", "; empty if there is none. The host library searches its own folder first, then
/// as the loader does; a stub of the same name that the process has loaded before is used again.
[[nodiscard]] std::string loaded_stubs();

/// Words of the line of the host library's log that refuses a stub of another build. Android's
/// library closes the stub afterwards, so that only while it logs the stub's file is known.
inline constexpr std::string_view refuses_stub = "Stub lib id mismatch";
/// Begin of the line that qnnpp adds after it, with the stub's file.
inline constexpr std::string_view refused_stub = "the refused stub is ";
/// Writes that line for the stub that the process has loaded last, into `line`. Returns it; empty
/// if no stub is loaded. Allocates nothing, because a log callback calls it.
[[nodiscard]] std::string_view line_of_refused_stub(std::span<char> line) noexcept;

/// Explains a failed start of the DSP's side. `lines`: of the host library's log (2.43 to 2.51,
/// also Android's), joined by "; ". Each part of the text ends with "; ".
///
/// If a library is of another build (1008), names the build that was found, the build that is
/// needed and the stub's file. Otherwise (14001) names the library that is missing, as the log
/// does. Names the stub's file if one is loaded. For the skel, whose file only the DSP knows, names
/// the folders of ADSP_LIBRARY_PATH. Without a telling line, names what may be wrong.
[[nodiscard]] std::string dsp_side(bool is_other_build, std::string_view lines);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/dsp_side.ipp"
#endif
