// What follows a failed finalize or QnnContext_free: the buffers of the context live on, and no
// other context gets its number (RES-05).
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>

#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Holds numbers of lost contexts with contexts made from the binary of `block`, until the next
/// `count` contexts get others. Errors: of these creations; `dead` if no further context can be
/// lost.
[[nodiscard]] Result<void> hold_lost_numbers(const ContextBlock& block, std::size_t count);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/lost_context.ipp"
#endif
