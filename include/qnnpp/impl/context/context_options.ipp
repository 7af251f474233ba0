// Definitions of context_options.hpp.
#pragma once

#include "qnnpp/context/context_options.hpp"

#include <cstdint>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/ref.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE ContextGroup ContextGroup::head(std::uint64_t max_spill_fill_bytes) {
  ContextGroup group;
  group.max_spill_fill_bytes_ = max_spill_fill_bytes;
  group.in_group_ = true;
  return group;
}

QNNPP_INLINE ContextGroup ContextGroup::make(Ref<detail::ContextBlock> head) {
  ContextGroup group;
  group.block_ = std::move(head);
  group.in_group_ = true;
  return group;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
