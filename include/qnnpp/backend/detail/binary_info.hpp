// Reading the metadata of a context binary: every version of the C structures, into a ContextSpec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/abi/system_context.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// The call that reads metadata, for errors.
inline constexpr const char* metadata_step = "QnnSystemContext_getMetadata";

/// The SDK that made a context binary, such as "2.29.0", as it stands in clear text near the start
/// of the file; empty if it does not. For binaries that the system library does not read.
[[nodiscard]] std::string sdk_of(std::span<const std::byte> binary);

/// Whether QNN says that a binary cannot be read, by the code.
[[nodiscard]] bool is_unreadable(const Error& error) noexcept;

/// `error` with both versions if is_unreadable(error): the SDK that made `binary`, and `reader`
/// with its version.
[[nodiscard]] Error explain_unreadable(Error error, std::span<const std::byte> binary,
                                       const std::string& reader);

/// Reads all of `info`. `graph_stride`: bytes from one graph info to the next, as the system
/// library was compiled. Errors: `no_metadata` for an unknown version and for counts and names
/// beyond detail::most, those of tensor_spec(); all name the binary `name`.
[[nodiscard]] Result<ContextSpec> context_spec(const c_api::SystemContextBinaryInfo& info,
                                               std::size_t graph_stride, const std::string& name);

/// Reads the graphs of `info` alone. Errors: the same.
[[nodiscard]] Result<std::vector<GraphSpec>> graph_specs(const c_api::SystemContextBinaryInfo& info,
                                                         std::size_t graph_stride,
                                                         const std::string& name);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/binary_info.ipp"
#endif
