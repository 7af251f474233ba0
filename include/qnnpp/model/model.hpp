// Model: many contexts as one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// Contexts that were loaded together, in the order of their binaries, with the memory they share.
/// Move-only. Graphs taken from it keep what they need alive.
class Model {
 public:
  QNNPP_MOVE_ONLY(Model, "a model has one owner; write std::move(model)");

  [[nodiscard]] std::size_t size() const noexcept { return contexts_.size(); }

  /// A context by the place of its binary, which is below size() (contract).
  [[nodiscard]] const Context<Finalized>& context(std::size_t place) const& {
    QNNPP_EXPECTS(place < contexts_.size(),
                  "the model has no context at this place; use a place below its size");
    return contexts_[place];
  }
  QNNPP_REFUSE("context() of a temporary would dangle; name the model first",
               const Context<Finalized>&, context(std::size_t) const&&);

  /// Finds a graph in whichever context has it (QnnGraph_retrieve). Io: RegisteredIo, RawIo, AnyIo.
  /// Errors: `unknown_name`, or why the graphs of a context are not known; `duplicate_name` where
  /// several contexts have one of this name: take it from context(place) then; those of
  /// Graph<Retrieved, Io>::retrieve().
  template <class Io = AnyIo>
  [[nodiscard]] Result<Graph<Retrieved, Io>> graph(const std::string& name) const {
    const Context<Finalized>* owner = nullptr;
    for (const Context<Finalized>& context : contexts_)
      for (const GraphSpec& graph : context.graphs()) {
        if (graph.name != name) continue;
        if (owner != nullptr)
          return fail(Error::make(Errc::duplicate_name, "finding a graph", name,
                                  "in " + owner->name() + " and in " + context.name()));
        owner = &context;
      }
    if (owner == nullptr) {
      for (const Context<Finalized>& context : contexts_)
        if (const auto& unread = qnnpp::detail::Access::block(context)->metadata_error)
          return fail(*unread);
      return fail(Error::make(Errc::unknown_name, "finding a graph", name,
                              "none of " + std::to_string(size()) + " contexts has it"));
    }
    return Graph<Retrieved, Io>::retrieve(*owner, name);
  }

  /// Chains graphs in the order of `names`, from whichever contexts have them, with one buffer for
  /// all their tensors: `model.pipeline(rpcmem, {"encoder", "decoder"})`. Errors: those of graph()
  /// and of Pipeline::create().
  template <class Io = AnyIo, DmaAllocator Allocator>
  [[nodiscard]] Result<Pipeline> pipeline(const Allocator& allocator,
                                          const std::vector<std::string>& names,
                                          const PipelineOptions& options = {}) const {
    std::vector<Graph<Retrieved, Io>> graphs;
    graphs.reserve(names.size());
    for (const std::string& name : names) {
      auto found = graph<Io>(name);
      if (!found) return fail(std::move(found).error());
      graphs.push_back(std::move(*found));
    }
    return Pipeline::create(allocator, std::move(graphs), options);
  }
  template <class Io = AnyIo, DmaAllocator Allocator, qnnpp::detail::PathLike Name>
  QNNPP_REFUSE("a name is no list of names; write pipeline(allocator, {name})", Result<Pipeline>,
               pipeline(const Allocator&, const Name&, const PipelineOptions& = {}) const);
  template <class Io = AnyIo, qnnpp::detail::AnyResult Allocator>
  QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
               Result<Pipeline>,
               pipeline(const Allocator&, const std::vector<std::string>&,
                        const PipelineOptions& = {}) const);
  template <class Io = AnyIo, qnnpp::detail::NoAllocator Allocator>
  QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
               Result<Pipeline>,
               pipeline(const Allocator&, const std::vector<std::string>&,
                        const PipelineOptions& = {}) const);

  /// What was loaded, how, and what it takes.
  [[nodiscard]] const MemoryReport& report() const& { return report_; }
  QNNPP_REFUSE("report() of a temporary would dangle; name the model first", const MemoryReport&,
               report() const&&);

  /// The one spill-fill buffer of all contexts; empty unless they share an external one.
  [[nodiscard]] const SharedSpillFill& spill_fill() const noexcept { return spill_fill_; }

  /// For load().
  Model(std::vector<Context<Finalized>> contexts, SharedSpillFill spill_fill, MemoryReport report)
      : contexts_(std::move(contexts)),
        spill_fill_(std::move(spill_fill)),
        report_(std::move(report)) {}

 private:
  std::vector<Context<Finalized>> contexts_;
  SharedSpillFill spill_fill_;
  MemoryReport report_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
