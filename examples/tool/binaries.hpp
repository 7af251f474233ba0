// The context binaries of the command line: files, and what ONNX files contain.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/throw.hpp"

#include "onnx.hpp"

namespace tool {

/// Context binaries with their names. Move-only, because sources borrow bytes of it.
class Binaries {
 public:
  Binaries() = default;
  /// Opens the ONNX files among `paths`. A binary in an ONNX file has the name of the file, from
  /// the second one on with "#2" and so on. Throws qnnpp::Exception: the errors of
  /// ContextBinary::map() and of read_onnx().
  explicit Binaries(const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
      if (is_onnx(path))
        add_onnx(path);
      else
        sources_.push_back(qnnpp::model::BinarySource::file(path));
  }
  Binaries(const Binaries&) = delete;
  Binaries& operator=(const Binaries&) = delete;
  Binaries(Binaries&&) = default;
  Binaries& operator=(Binaries&&) = default;
  ~Binaries() = default;

  /// Valid while this object, or the one that it is moved to, lives.
  [[nodiscard]] const std::vector<qnnpp::model::BinarySource>& sources() const { return sources_; }

 private:
  void add_onnx(const std::string& path) {
    const auto file = qnnpp::value_or_throw(qnnpp::ContextBinary::map(path));
    const auto found = qnnpp::value_or_throw(read_onnx(file.bytes(), path));
    for (std::size_t i = 0; i < found.contexts.size(); ++i) {
      const OnnxContext& context = found.contexts[i];
      if (context.bytes.empty()) {
        sources_.push_back(
            qnnpp::model::BinarySource::file(path.substr(0, path.rfind('/') + 1) + context.file));
        continue;
      }
      // Copies the bytes, because they begin at any address of the file.
      const auto& bytes = copies_.emplace_back(context.bytes.begin(), context.bytes.end());
      sources_.push_back(
          {.name = path + (i == 0 ? std::string() : "#" + std::to_string(i + 1)), .bytes = bytes});
    }
  }

  std::vector<std::vector<std::byte>> copies_;  // Their elements stay where they are.
  std::vector<qnnpp::model::BinarySource> sources_;
};

}  // namespace tool
