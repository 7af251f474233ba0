// Definitions of the members of graph_block.hpp for options of a final graph.
#pragma once

#include "qnnpp/abi/graph.hpp"
#include "qnnpp/context/detail/context_configs.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/graph/detail/graph_block.hpp"
#include "qnnpp/graph/detail/graph_configs.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE Result<void> GraphBlock::set_priority(c_api::Priority priority) {
  if (!is_priority(priority))
    return fail(Errc::invalid_argument, name_of(c_api::Slot::graph_set_config), spec.name,
                unknown_priority);
  return set({.priority = priority});
}

QNNPP_INLINE Result<void> GraphBlock::set_hvx_threads(std::uint32_t threads) {
  if (threads == 0)
    return fail(Errc::invalid_argument, name_of(c_api::Slot::graph_set_config), spec.name,
                "the number of vector threads is 0; give 1 or more");
  return set({.hvx_threads = threads});
}

QNNPP_INLINE Result<void> GraphBlock::set(const GraphOptions& options) {
  QNNPP_LET(set_config, context->provider().find<&c_api::InterfaceTable::graph_set_config>());
  return context->call(name_of(c_api::Slot::graph_set_config), spec.name, *set_config, call.graph(),
                       GraphConfigs(options).native());
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
