// Model: several contexts used as one.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Owns contexts that were loaded together, in the order of their binaries, and the memory that
/// they share. Move-only. Graphs taken from it keep their context and its memory alive.
///
/// Threads: several at a time may use it, except for moving, closing and destroying.
class Model {
 public:
  QNNPP_MOVE_ONLY(Model, "a model has one owner; write std::move(model)");

  /// Number of contexts.
  [[nodiscard]] std::size_t size() const noexcept { return contexts_.size(); }

  /// Returns the context of the binary with `index`, which is below size() (contract). Valid while
  /// the model lives.
  [[nodiscard]] const Context<Finalized>& context(std::size_t index) const&;
  QNNPP_REFUSE("context() of a temporary would dangle; name the model first",
               const Context<Finalized>&, context(std::size_t) const&&);

  /// Retrieves the graph called `name` from the context that contains it (QnnGraph_retrieve). Io:
  /// RegisteredIo, RawIo, AnyIo. Errors: `unknown_name`, or the error that kept the metadata of a
  /// context from being read; `duplicate_name` if several contexts contain the name: retrieve it
  /// from context(index); the errors of Graph<Retrieved, Io>::retrieve().
  template <class Io = AnyIo>
  [[nodiscard]] Result<Graph<Retrieved, Io>> graph(const std::string& name) const {
    const Context<Finalized>* owner = nullptr;
    QNNPP_TRY(find(name, owner));
    return Graph<Retrieved, Io>::retrieve(*owner, name);
  }

  /// Retrieves the only graph of the model, whatever its name. Errors: `invalid_argument`, with the
  /// names, if the model has several graphs; otherwise those of graph(name).
  template <class Io = AnyIo>
  [[nodiscard]] Result<Graph<Retrieved, Io>> graph() const {
    QNNPP_LET(name, only_graph());
    return graph<Io>(*name);
  }

  /// Returns the names of all graphs: by context, in the order of the metadata. Graphs of a context
  /// whose metadata cannot be read are missing.
  [[nodiscard]] std::vector<std::string> graph_names() const;

  /// Chains graphs of any contexts in the order of `names`, with one buffer for all their tensors:
  /// `model.pipeline(rpcmem, {"encoder", "decoder"})`. Errors: see graph() and Pipeline::create().
  template <class Io = AnyIo, DmaAllocator Allocator>
  [[nodiscard]] Result<Pipeline> pipeline(const Allocator& allocator,
                                          const std::vector<std::string>& names,
                                          const PipelineOptions& options = {}) const {
    std::vector<Graph<Retrieved, Io>> graphs;
    graphs.reserve(names.size());
    for (const std::string& name : names) {
      QNNPP_LET(found, graph<Io>(name));
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

  /// Memory needs of the contexts and their way of sharing. Valid while the model lives.
  [[nodiscard]] const MemoryReport& report() const& { return report_; }
  QNNPP_REFUSE("report() of a temporary would dangle; name the model first", const MemoryReport&,
               report() const&&);

  /// The spill-fill memory of the contexts. It holds a buffer only if they share an external one.
  /// Its lease() covers the graphs of all contexts, for every way of sharing.
  [[nodiscard]] const SharedSpillFill& spill_fill() const& noexcept { return spill_fill_; }
  QNNPP_REFUSE("spill_fill() of a temporary would dangle; name the model first",
               const SharedSpillFill&, spill_fill() const&&);

  /// Frees the contexts now (QnnContext_free), the head of a group last, and the memory that they
  /// share. After success nothing of the model is left. After an error the other contexts are freed
  /// all the same. Errors:
  /// - `qnn` with the code of the first QnnContext_free that failed.
  /// - `in_use` while graphs, pipelines or registered tensors hold a context, or a copy of
  ///   spill_fill() its buffer. Names them with the bytes; the last holder frees the context.
  [[nodiscard]] Result<void> close() &&;
  QNNPP_REFUSE("close() consumes the model; write std::move(model).close()", Result<void>,
               close() const&);

  /// Owns the contexts and indexes their graphs by name. Called by load() only.
  Model(std::vector<Context<Finalized>> contexts, SharedSpillFill spill_fill, MemoryReport report);

 private:
  /// First graph of a name: the index of its context, and its index in that context.
  struct GraphIndex {
    std::size_t context;
    std::size_t graph;
    std::size_t other = SIZE_MAX;  ///< Context of another graph of this name; SIZE_MAX for none.
  };
  [[nodiscard]] std::string_view name_at(std::uint32_t index) const {
    return contexts_[graphs_[index].context].graphs()[graphs_[index].graph].name;
  }
  /// Returns the error that kept the metadata of a context from being read, if any.
  [[nodiscard]] Result<void> check_metadata() const;
  /// Returns the name of the only graph. Errors: see graph().
  [[nodiscard]] Result<std::string> only_graph() const;
  /// Three names of graphs as a text, those most like `wanted`, and the number of the others.
  [[nodiscard]] std::string names_text(std::string_view wanted = {}) const;
  /// Finds the context that contains a graph of this name. Errors: see graph().
  [[nodiscard]] Result<void> find(const std::string& name, const Context<Finalized>*& owner) const;

  std::vector<Context<Finalized>> contexts_;
  std::vector<GraphIndex> graphs_;    ///< One for each name.
  qnnpp::detail::NameTable by_name_;  ///< Indices in `graphs_`.
  SharedSpillFill spill_fill_;
  MemoryReport report_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/model.ipp"
#endif
