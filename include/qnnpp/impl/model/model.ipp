// Definitions of model.hpp.
#pragma once

#include "qnnpp/model/model.hpp"

#include <cstddef>
#include <string>

#include "qnnpp/config.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

QNNPP_INLINE const Context<Finalized>& Model::context(std::size_t place) const& {
  QNNPP_EXPECTS(place < contexts_.size(),
                "the model has no context at this place; use a place below its size");
  return contexts_[place];
}

QNNPP_INLINE_ON_USE Result<void> Model::find(const std::string& name,
                                             const Context<Finalized>*& owner) const {
  for (const Context<Finalized>& context : contexts_)
    for (const GraphSpec& graph : context.graphs()) {
      if (graph.name != name) continue;
      if (owner != nullptr)
        return fail(Error::make(Errc::duplicate_name, "finding a graph", name,
                                "in " + owner->name() + " and in " + context.name()));
      owner = &context;
    }
  if (owner != nullptr) return {};
  for (const Context<Finalized>& context : contexts_)
    if (const auto& unread = qnnpp::detail::Access::block(context)->metadata_error)
      return fail(*unread);
  return fail(Error::make(Errc::unknown_name, "finding a graph", name,
                          "none of " + std::to_string(size()) + " contexts has it"));
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
