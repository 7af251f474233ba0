// Names of graphs and tensors on the command line of qnnpp-run.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "qnnpp/core/error.hpp"
#include "qnnpp/throw.hpp"

namespace run {

/// Returns the last part of a path.
[[nodiscard]] inline std::string file_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// Returns whether `text` names a graph of a binary: GRAPH or BINARY:GRAPH, in which BINARY is the
/// name or the path of the file.
[[nodiscard]] inline bool names_graph(const std::string& text, const std::string& binary,
                                      const std::string& graph) {
  return text == graph || text == file_of(binary) + ":" + graph || text == binary + ":" + graph;
}

/// Returns whether `text` names a tensor of a graph: TENSOR or GRAPH/TENSOR, in which GRAPH is a
/// text that names the graph.
[[nodiscard]] inline bool names_tensor(const std::string& text, const std::string& binary,
                                       const std::string& graph, const std::string& tensor) {
  if (text == tensor) return true;
  const std::string end = "/" + tensor;
  return text.ends_with(end) &&
         names_graph(text.substr(0, text.size() - end.size()), binary, graph);
}

/// Names that exist, and the texts of the command line that name one of them.
struct Known {
  std::set<std::string> names = {};
  std::set<std::string> named = {};

  /// Throws an exception that lists the names if `text` is none of the texts. `what` begins the
  /// list.
  void require(const std::string& text, const char* step, const char* what) const {
    if (named.contains(text)) return;
    std::string list;
    std::size_t count = 0;
    for (const std::string& name : names) {
      if (++count > 8) {
        list += " and more";
        break;
      }
      list += (list.empty() ? "" : ", ") + name;
    }
    throw qnnpp::Exception(qnnpp::Error::make(qnnpp::Errc::unknown_name, step, text, what + list));
  }
};

}  // namespace run
