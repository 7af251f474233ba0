// What follows a finalize that failed at its last remote call: its buffers live on, and no other
// context gets its number (RES-05).
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>

#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Frees a context after QnnContext_finalize failed with `error`. If QNN has marked its number,
/// keeps its external buffers until the process ends, holds the number, and says so in `error`.
void end_failed_finalize(Ref<ContextBlock> block, Error& error);

/// Holds numbers of lost contexts with contexts made from the binary of `block`, until the next
/// `count` contexts get others. Errors: of these creations; `dead` if no further context can be
/// lost.
[[nodiscard]] Result<void> hold_lost_numbers(const ContextBlock& block, std::size_t count);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/lost_context.ipp"
#endif
