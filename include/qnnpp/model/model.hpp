// Model: many contexts as one.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/concepts.hpp"
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
  [[nodiscard]] const Context<Finalized>& context(std::size_t place) const&;
  QNNPP_REFUSE("context() of a temporary would dangle; name the model first",
               const Context<Finalized>&, context(std::size_t) const&&);

  /// Finds a graph in whichever context has it (QnnGraph_retrieve). Io: RegisteredIo, RawIo, AnyIo.
  /// Errors: `unknown_name`, or why the graphs of a context are not known; `duplicate_name` where
  /// several contexts have one of this name: take it from context(place) then; those of
  /// Graph<Retrieved, Io>::retrieve().
  template <class Io = AnyIo>
  [[nodiscard]] Result<Graph<Retrieved, Io>> graph(const std::string& name) const {
    const Context<Finalized>* owner = nullptr;
    if (auto found = find(name, owner); !found) return fail(std::move(found).error());
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

  /// The one spill-fill buffer of all contexts; it holds no buffer unless they share an external
  /// one. Its lease() covers the graphs of all of them, in whichever way they share.
  [[nodiscard]] const SharedSpillFill& spill_fill() const& noexcept { return spill_fill_; }
  QNNPP_REFUSE("spill_fill() of a temporary would dangle; name the model first",
               const SharedSpillFill&, spill_fill() const&&);

  /// For load(). Sorts the graphs of all contexts by name, once.
  QNNPP_ON_USE Model(std::vector<Context<Finalized>> contexts, SharedSpillFill spill_fill,
                     MemoryReport report);

 private:
  /// Where a graph is: in which context, and there.
  struct GraphPlace {
    std::size_t context;
    std::size_t graph;
  };
  [[nodiscard]] const std::string& name_at(GraphPlace place) const {
    return contexts_[place.context].graphs()[place.graph].name;
  }
  /// The context that has a graph of this name. Errors: those of graph() before it is retrieved.
  QNNPP_ON_USE [[nodiscard]] Result<void> find(const std::string& name,
                                               const Context<Finalized>*& owner) const;

  std::vector<Context<Finalized>> contexts_;
  std::vector<GraphPlace> by_name_;
  SharedSpillFill spill_fill_;
  MemoryReport report_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/model.ipp"
#endif
