// The files of --output, which are known and checked before the first execution.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "qnnpp/core/tensor_spec.hpp"

#include "../tool/program.hpp"
#include "same_file.hpp"

namespace run {

/// Makes a folder, unless it exists. Throws an exception with the reason on failure.
inline void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::runtime_error(path + ": the folder cannot be made: " + error.message());
}

/// Paths of the outputs of all graphs, without the endings .npy and .raw.
class OutputFiles {
 public:
  /// `others`: files of the command line, which no output may replace.
  OutputFiles(std::string folder, std::vector<NamedFile> others)
      : folder_(std::move(folder)), others_(std::move(others)) {}

  /// Makes the folder of a graph in the binary at `place`. Throws an exception if a file of an
  /// output cannot be written. Does nothing for a graph that is prepared.
  void prepare(std::size_t place, const std::string& graph,
               const std::vector<qnnpp::TensorSpec>& outputs) {
    if (!prepared_.insert({place, graph}).second) return;
    const std::string folder = new_path(folder_ + "/" + file_name(graph));
    make_folder(folder);
    for (const qnnpp::TensorSpec& output : outputs) {
      const std::string path = new_path(folder + "/" + file_name(output.name));
      for (const char* const ending : {".npy", ".raw"}) {
        require_other("--output", path + ending, others_);
        tool::require_writable(path + ending);
      }
      paths_.insert_or_assign({place, graph, output.name}, path);
    }
  }

  /// Returns the path of an output that was prepared.
  [[nodiscard]] const std::string& path(std::size_t place, const std::string& graph,
                                        const std::string& output) const {
    return paths_.at({place, graph, output});
  }

 private:
  /// Returns a name for a file or folder: letters, digits, and "-", "_" or "." inside.
  static std::string file_name(const std::string& name) {
    std::string file;
    for (const char c : name) {
      const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || c == '-' || (c == '.' && !file.empty());
      file += is_plain ? c : '_';
    }
    return file.empty() ? "_" : file.substr(0, 200);
  }
  /// Returns a path that no other output has: adds "-2" and so on.
  [[nodiscard]] std::string new_path(const std::string& wanted) {
    std::string path = wanted;
    for (std::size_t i = 2; !used_.insert(path).second; ++i)
      path = wanted + "-" + std::to_string(i);
    return path;
  }

  std::string folder_;
  std::vector<NamedFile> others_;
  std::set<std::pair<std::size_t, std::string>> prepared_;
  std::map<std::tuple<std::size_t, std::string, std::string>, std::string> paths_;
  std::set<std::string> used_;
};

}  // namespace run
