// Definitions of model.hpp.
#pragma once

#include "qnnpp/model/model.hpp"

#include <algorithm>

#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

QNNPP_INLINE const Context<Finalized>& Model::context(std::size_t index) const& {
  qnnpp::detail::expects(index < contexts_.size(),
                         "the model has no context with this index; use an index below its size");
  return contexts_[index];
}

QNNPP_INLINE Model::Model(std::vector<Context<Finalized>> contexts, SharedSpillFill spill_fill,
                          MemoryReport report)
    : contexts_(std::move(contexts)),
      spill_fill_(std::move(spill_fill)),
      report_(std::move(report)) {
  std::size_t count = 0;
  for (const Context<Finalized>& context : contexts_) {
    count += context.graphs().size();
    qnnpp::detail::Access::block(context)->kept_by = qnnpp::detail::kept_by_model;
  }
  by_name_ = qnnpp::detail::NameTable(count);
  const auto name_of = [this](std::uint32_t index) { return name_at(index); };
  for (std::size_t i = 0; i < contexts_.size(); ++i)
    for (std::size_t graph = 0; graph < contexts_[i].graphs().size(); ++graph) {
      std::uint32_t& at = by_name_(contexts_[i].graphs()[graph].name, name_of);
      if (at != qnnpp::detail::NameTable::none) {
        graphs_[at].other = std::min(graphs_[at].other, i);
      } else {
        at = static_cast<std::uint32_t>(graphs_.size());
        graphs_.push_back({i, graph});
      }
    }
}

QNNPP_INLINE Result<void> Model::close() && {
  qnnpp::detail::expects(!contexts_.empty(),
                         "the model was moved from or closed; use the object it was moved to");
  Model closed = std::move(*this);  // Its destructor drops what an error leaves.
  Result<void> done;
  std::uint64_t uses = 0;
  qnnpp::detail::NameList held;
  const auto close = [&](Context<Finalized>& context) {
    const auto block = qnnpp::detail::Access::take(std::move(context));
    const std::uint32_t others = block.use_count() - 1;
    uses += others;
    // The last of them frees the context.
    if (others != 0) return held.add("", block->list->text_of(*block));
    if (auto freed = qnnpp::detail::close_context(block); done) done = std::move(freed);
  };
  // The members of a group have references to its head (GRP-03).
  for (Context<Finalized>& context : closed.contexts_)
    if (qnnpp::detail::Access::block(context)->group_head) close(context);
  for (Context<Finalized>& context : closed.contexts_)
    if (qnnpp::detail::Access::block(context)) close(context);
  // The contexts that are left use the buffer too, so that it is asked for only without any.
  if (const auto& buffer = qnnpp::detail::Access::block(closed.spill_fill_); buffer && uses == 0) {
    uses = buffer.use_count() - 1;
    held.add("", "a copy of spill_fill() holds its buffer");
  }
  if (!done || uses == 0) return done;
  Error error = Error::mismatch(Errc::in_use, "closing a model", "the model", 1, uses + 1);
  error.detail = held.text();
  return fail(std::move(error));
}

QNNPP_INLINE std::vector<std::string> Model::graph_names() const {
  std::vector<std::string> names;
  for (const Context<Finalized>& context : contexts_)
    for (const GraphSpec& graph : context.graphs()) names.push_back(graph.name);
  return names;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string Model::names_text(
    std::string_view wanted) const {
  qnnpp::detail::NameList names(wanted);
  for (const Context<Finalized>& context : contexts_)
    for (const GraphSpec& graph : context.graphs()) names.add("", graph.name);
  return names.empty() ? "none" : names.text();
}

QNNPP_INLINE Result<void> Model::check_metadata() const {
  for (const Context<Finalized>& context : contexts_)
    if (const auto& unread = qnnpp::detail::Access::block(context)->metadata_error)
      return fail(unread->error);
  return {};
}

QNNPP_INLINE Result<std::string> Model::only_graph() const {
  if (const auto names = graph_names(); names.size() == 1) return names.front();
  QNNPP_TRY(check_metadata());
  return fail(Errc::invalid_argument, "finding the graph", "the model",
              {"its graphs: ", names_text(), "; pass the name of one"});
}

QNNPP_INLINE Result<void> Model::find(const std::string& name,
                                      const Context<Finalized>*& owner) const {
  const auto name_of = [this](std::uint32_t index) { return name_at(index); };
  const std::uint32_t at =
      graphs_.empty() ? qnnpp::detail::NameTable::none : by_name_(name, name_of);
  if (at != qnnpp::detail::NameTable::none) {
    const GraphIndex& found = graphs_[at];
    owner = &contexts_[found.context];
    if (found.other == SIZE_MAX) return {};
    return fail(Errc::duplicate_name, "finding a graph", name,
                {"in ", owner->name(), " and in ", contexts_[found.other].name()});
  }
  QNNPP_TRY(check_metadata());
  for (const Context<Finalized>& context : contexts_)
    if (qnnpp::detail::Access::block(context)->leaves_out(name)) {
      Error error = Error::make(Errc::unknown_name, "finding a graph", name,
                                {context.name(), " has it; enabled: ", names_text(name)});
      error.found = 1;
      return fail(std::move(error));
    }
  return fail(Errc::unknown_name, "finding a graph", name,
              {"none of ", size(), " contexts has it; its graphs: ", names_text(name)});
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
