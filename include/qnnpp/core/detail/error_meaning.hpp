// What an error means by its code, its step and its facts: whether room is used up, and the advice.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "qnnpp/core/detail/error_facts.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

struct Error;

namespace detail {

/// Returns the bit of a step: the C function of an error, or words.
[[nodiscard]] std::uint16_t step_of(std::string_view step) noexcept;

/// Returns Error::facts, and the facts that follow from the code, the step and the log.
[[nodiscard]] std::uint32_t facts_of(const Error& error) noexcept;

/// Whether a resource is exhausted that evicting another context releases (RES-01):
///
/// - room on the device: 1002, 5005, and in QnnMem_register a refused mapping. QnnMem_register
///   documents 8003 for the mapping, but a failure of the operating system (1003) or of a resource
///   (1010) can mean the same: it is not known which code a full device returns. The caller
///   excludes a 5005 that is caused by the binary (RES-04).
/// - the same in creating or finalizing a context: 4000 if rpcmem has no memory for the library,
///   and 14001 if a load before it found no room and left a half-made process domain, but not if
///   the log says that the stub or the skel library cannot be loaded.
/// - memory: an allocation that failed.
/// - file descriptors of the process (EMFILE) or of the system (ENFILE), and mappings (ENOMEM), in
///   opening and mapping a binary.
[[nodiscard]] bool is_exhausted(const Error& error) noexcept;

/// Returns the causes of an error of kind `qnn` that its facts leave, commonest first; "; "; and
/// what to do. Uses the rows of error_advice.
[[nodiscard]] std::string advice_on(const Error& error);

/// Makes an error `too_large` for a limit that nobody can raise: fact::fixed_limit. `bytes` is 0
/// for a size that no integer holds; `detail` then says which.
[[nodiscard]] Error beyond_limit(const char* step, std::string_view object, std::uint64_t bytes,
                                 std::uint64_t limit, std::string_view detail = {});

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/error_meaning.ipp"
#endif
