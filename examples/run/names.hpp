// Names of graphs and tensors on the command line of qnnpp-run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/throw.hpp"

namespace run {

/// Returns the last part of a path.
[[nodiscard]] inline std::string file_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// A graph, or the pipeline.
struct GraphRef {
  std::string binary;      ///< Path of its binary; empty for the pipeline.
  std::string name;        ///< Its name.
  std::string index = {};  ///< Its index in the binary; empty for the pipeline.
  /// Whether the index is no name of a graph, and so names this one.
  bool is_index_free = false;
};

/// Returns the graph at `index` of a binary.
[[nodiscard]] inline GraphRef graph_ref(const std::string& binary,
                                        const std::vector<qnnpp::GraphSpec>& graphs,
                                        std::size_t index) {
  const std::string text = std::to_string(index);
  return {binary, graphs[index].name, text,
          std::none_of(graphs.begin(), graphs.end(),
                       [&](const qnnpp::GraphSpec& other) { return other.name == text; })};
}

/// Returns whether `text` names a graph: GRAPH or BINARY:GRAPH, in which BINARY is the name or the
/// path of the file, and GRAPH the name or the index in the binary.
[[nodiscard]] inline bool names_graph(const std::string& text, const GraphRef& graph) {
  const auto is = [&](const std::string& name) {
    return text == name || text == file_of(graph.binary) + ":" + name ||
           text == graph.binary + ":" + name;
  };
  return is(graph.name) || (graph.is_index_free && is(graph.index));
}

/// Returns whether `text` names a tensor of a graph: TENSOR or GRAPH/TENSOR, in which GRAPH is a
/// text that names the graph.
[[nodiscard]] inline bool names_tensor(const std::string& text, const GraphRef& graph,
                                       const std::string& tensor) {
  if (text == tensor) return true;
  const std::string end = "/" + tensor;
  return text.ends_with(end) && names_graph(text.substr(0, text.size() - end.size()), graph);
}

/// Names that exist, and the texts of the command line that name one of them.
struct Known {
  std::set<std::string> names = {};
  std::set<std::string> named = {};

  /// Throws an exception that lists the names if `text` is none of the texts. `what` begins the
  /// list.
  void require(const std::string& text, const char* step, const char* what) const {
    if (named.contains(text)) return;
    throw qnnpp::Exception(
        qnnpp::Error::make(qnnpp::Errc::unknown_name, step, text, what + list()));
  }
  /// The same for an input. Converters make constants of some inputs of a model.
  void require_input(const std::string& text) const {
    if (named.contains(text)) return;
    throw std::runtime_error(
        text + ": no such input: it may be a constant of the model; the inputs are " + list());
  }

 private:
  [[nodiscard]] std::string list() const {
    std::string list;
    std::size_t count = 0;
    for (const std::string& name : names) {
      if (++count > 8) {
        list += " and more";
        break;
      }
      list += (list.empty() ? "" : ", ") + name;
    }
    return list;
  }
};

}  // namespace run
