// Reads the metadata of a context binary, in every version of the C structures, into a ContextSpec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "qnnpp/abi/system_context.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Name of the step that reads metadata, for errors.
inline constexpr const char* metadata_step = "QnnSystemContext_getMetadata";

/// Version of the SDK, such as "2.29.0", that a text with a build id names; empty if it names none.
[[nodiscard]] std::string sdk_of(std::string_view text);

/// Version of the SDK that made a context binary, from plain text near the start of the file. For
/// binaries that the system library cannot read. The bytes are read by the kernel: if they are of a
/// mapped file that has become shorter, reading them here would raise SIGBUS. Empty then too.
[[nodiscard]] std::string sdk_of(std::span<const std::byte> binary);

/// Whether the last of `bytes` can be read; false if they are of a mapped file that has become
/// shorter. True if the kernel has no pipe for the question.
[[nodiscard]] bool is_whole(std::span<const std::byte> bytes) noexcept;

/// Words for a mapped file that has become shorter.
inline constexpr const char* became_shorter = "the file became shorter after it was mapped";

/// Whether the code of `error` means that QNN cannot read a binary.
[[nodiscard]] bool is_unreadable(const Error& error) noexcept;

/// If is_unreadable(error), adds two versions to `error`: the SDK that made `binary`, and `reader`,
/// which names the reading library and its version.
[[nodiscard]] Error explain_unreadable(Error error, std::span<const std::byte> binary,
                                       const std::string& reader);

/// Reads all of `info`. `graph_stride`: bytes from one graph info to the next in the system
/// library's array. Errors, which name the binary `name`: `no_metadata` for an unknown version and
/// for counts and names beyond detail::most; the errors of tensor_spec().
[[nodiscard]] Result<ContextSpec> context_spec(const c_api::SystemContextBinaryInfo& info,
                                               std::size_t graph_stride, const std::string& name);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/binary_info.ipp"
#endif
