// Reading the metadata of a context binary: every version of the C structures, into a ContextSpec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "qnnpp/abi/system_context.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// The call that reads metadata, for errors.
inline constexpr const char* metadata_step = "QnnSystemContext_getMetadata";

/// More than any binary has; larger counts are rubbish, and not walked along.
inline constexpr std::uint32_t most_metadata_entries = 65536;

/// Reads all of `info`. `graph_stride`: bytes from one graph info to the next, as the system
/// library was compiled. Errors: `no_metadata` for an unknown version, those of tensor_spec(); both
/// name the binary `name`.
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
