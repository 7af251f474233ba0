// Definitions of the members of graph_block.hpp for options of a final graph.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/abi/graph.hpp"
#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/context/detail/context_configs.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/graph/detail/graph_block.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

QNNPP_INLINE Result<void> GraphBlock::set_priority(c_api::Priority priority) {
  constexpr const char* step = name_of(c_api::Slot::graph_set_config);
  if (!is_priority(priority))
    return fail(Error::make(Errc::invalid_argument, step, spec.name, unknown_priority));
  c_api::GraphConfig config = {};
  config.option = c_api::GraphConfigOption::priority;
  config.priority = priority;
  return set(config);
}

QNNPP_INLINE Result<void> GraphBlock::set_hvx_threads(std::uint32_t threads) {
  if (threads == 0)
    return fail(Error::make(Errc::invalid_argument, name_of(c_api::Slot::graph_set_config),
                            spec.name, "the number of vector threads is 0; give 1 or more"));
  c_api::HtpGraphCustomConfig custom = {};
  custom.option = c_api::HtpGraphConfigOption::num_hvx_threads;
  custom.num_hvx_threads = threads;
  c_api::GraphConfig config = {};
  config.option = c_api::GraphConfigOption::custom;
  config.custom_config = &custom;
  return set(config);
}

QNNPP_INLINE Result<void> GraphBlock::set(const c_api::GraphConfig& config) {
  const auto set_config = context->provider().find<&c_api::InterfaceTable::graph_set_config>();
  if (!set_config) return fail(set_config.error());
  const c_api::GraphConfig* configs[] = {&config, nullptr};
  return context->call(name_of(c_api::Slot::graph_set_config), spec.name, *set_config, call.graph(),
                       configs);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
