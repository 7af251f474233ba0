// Finds the context binaries that ONNX Runtime has put in or beside an ONNX file (its nodes
// EPContext).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"

namespace tool {

/// A context binary of an ONNX file: its bytes, which are in the file, or the name of a file beside
/// it.
struct OnnxContext {
  std::span<const std::byte> bytes = {};  ///< Borrowed from the ONNX file; empty: see `file`.
  std::string file = {};                  ///< Relative to the folder of the ONNX file.
};

/// What read_onnx() found.
struct OnnxFile {
  std::size_t nodes = 0;                   ///< Nodes of the graph.
  std::vector<OnnxContext> contexts = {};  ///< Of its EPContext nodes with a main context.
};

namespace detail {

inline constexpr const char* reading_onnx = "reading an ONNX file";

/// Reads the fields of a protobuf message, one after another.
class ProtobufReader {
 public:
  explicit ProtobufReader(std::span<const std::byte> message) : rest_(message) {}

  /// A field: the number of a varint, or the bytes of a text, a message or a list.
  struct Field {
    std::uint32_t number = 0;
    std::uint64_t value = 0;                ///< Of a varint.
    std::span<const std::byte> bytes = {};  ///< Of a field with a length.
    bool has_length = false;
  };

  /// Returns the next field; nothing at the end or at damage, which is_damaged() reports.
  [[nodiscard]] std::optional<Field> next() {
    if (rest_.empty() || is_damaged_) return std::nullopt;
    std::uint64_t tag = 0;
    std::uint64_t length = 0;
    Field field;
    if (!varint(tag) || tag >> 3 == 0 || tag >> 3 > most_number) return damaged();
    field.number = static_cast<std::uint32_t>(tag >> 3);
    switch (tag & 7u) {
      case 0:
        if (!varint(field.value)) return damaged();
        return field;
      case 1: length = 8; break;
      case 2:
        if (!varint(length)) return damaged();
        field.has_length = true;
        break;
      case 5: length = 4; break;
      default: return damaged();  // Groups, which ONNX does not use.
    }
    if (length > rest_.size()) return damaged();
    field.bytes = rest_.first(static_cast<std::size_t>(length));
    rest_ = rest_.subspan(static_cast<std::size_t>(length));
    return field;
  }
  [[nodiscard]] bool is_damaged() const noexcept { return is_damaged_; }

 private:
  static constexpr std::uint64_t most_number = (std::uint64_t{1} << 29) - 1;

  std::optional<Field> damaged() {
    is_damaged_ = true;
    return std::nullopt;
  }
  /// Reads a number of at most ten bytes with seven bits each, lowest first.
  [[nodiscard]] bool varint(std::uint64_t& value) {
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(rest_.front());
      rest_ = rest_.subspan(1);
      value |= (byte & 0x7Fu) << shift;
      if (byte < 0x80) return shift != 63 || byte <= 1;
    }
    return false;
  }

  std::span<const std::byte> rest_;
  bool is_damaged_ = false;
};

/// Reads the nodes of an ONNX file. Field numbers are those of onnx.proto.
class OnnxReader {
 public:
  /// Reads a ModelProto. Returns what is wrong; null: nothing.
  [[nodiscard]] const char* model(std::span<const std::byte> message) {
    bool has_version = false;
    bool has_graph = false;
    const char* fault = each(message, [&](const ProtobufReader::Field& field) -> const char* {
      if (field.number == 1 && !field.has_length) has_version = true;  // ir_version
      if (field.number != 7 || !field.has_length) return nullptr;      // graph
      has_graph = true;
      return each(field.bytes, [&](const ProtobufReader::Field& part) {
        return part.number == 1 && part.has_length ? node(part.bytes) : nullptr;
      });
    });
    if (fault == nullptr && !(has_version && has_graph)) return "it is no ONNX model";
    return fault;
  }

  OnnxFile found;

 private:
  struct Node {
    std::string_view type;
    std::string_view source;
    std::span<const std::byte> context;
    std::uint64_t is_embedded = 1;  ///< The defaults of ONNX Runtime's operator.
    std::uint64_t is_main = 1;
    bool has_context = false;
  };

  template <class Use>
  [[nodiscard]] static const char* each(std::span<const std::byte> message, const Use& use) {
    ProtobufReader reader(message);
    while (const auto field = reader.next())
      if (const char* const fault = use(*field)) return fault;
    return reader.is_damaged() ? "it is damaged or cut off" : nullptr;
  }
  [[nodiscard]] static std::string_view text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  [[nodiscard]] const char* node(std::span<const std::byte> message) {
    Node node;
    const char* fault = each(message, [&](const ProtobufReader::Field& field) -> const char* {
      if (field.number == 4 && field.has_length) node.type = text(field.bytes);  // op_type
      if (field.number == 5 && field.has_length) return attribute(field.bytes, node);
      return nullptr;
    });
    if (fault != nullptr) return fault;
    ++found.nodes;
    if (node.type != "EPContext" || node.is_main == 0) return nullptr;
    if (!node.source.empty() && node.source.find("QNN") == node.source.npos &&
        node.source.find("Qnn") == node.source.npos)
      return "the context of its node EPContext is not one of QNN";
    if (!node.has_context || node.context.empty())
      return "its node EPContext has no ep_cache_context";
    if (node.is_embedded != 0)
      found.contexts.push_back({.bytes = node.context});
    else
      found.contexts.push_back({.file = std::string(text(node.context))});
    return nullptr;
  }
  [[nodiscard]] static const char* attribute(std::span<const std::byte> message, Node& node) {
    std::string_view name;
    std::uint64_t number = 0;
    std::span<const std::byte> bytes;
    const char* fault = each(message, [&](const ProtobufReader::Field& field) -> const char* {
      if (field.number == 1 && field.has_length) name = text(field.bytes);
      if (field.number == 3 && !field.has_length) number = field.value;  // i
      if (field.number == 4 && field.has_length) bytes = field.bytes;    // s
      return nullptr;
    });
    if (name == "main_context") node.is_main = number;
    if (name == "embed_mode") node.is_embedded = number;
    if (name == "source") node.source = text(bytes);
    if (name == "ep_cache_context") node.context = bytes, node.has_context = true;
    return fault;
  }
};

/// Whether a name of an ONNX file stays in the folder of that file.
[[nodiscard]] inline bool is_beside(const std::string& name) {
  const std::string parts = "/" + name + "/";
  return !name.empty() && name.front() != '/' && name.find('\0') == name.npos &&
         parts.find("/../") == parts.npos;
}

}  // namespace detail

/// Returns whether a file is taken as an ONNX file, by its name.
[[nodiscard]] inline bool is_onnx(std::string_view path) { return path.ends_with(".onnx"); }

/// Finds the context binaries of an ONNX file, whose bytes are `file`. `path` is its name in
/// errors. Errors: `malformed` for damage, for a node without a context of QNN and for a name that
/// leaves the folder; `invalid_argument` if no node has a context, with what to do.
[[nodiscard]] inline qnnpp::Result<OnnxFile> read_onnx(std::span<const std::byte> file,
                                                       const std::string& path) {
  using qnnpp::Errc;
  const auto refuse = [&](Errc kind, std::string_view why) {
    return qnnpp::fail(qnnpp::Error::make(kind, detail::reading_onnx, path, why));
  };
  detail::OnnxReader reader;
  if (const char* const fault = reader.model(file)) return refuse(Errc::malformed, fault);
  for (const OnnxContext& context : reader.found.contexts)
    if (context.bytes.empty() && !detail::is_beside(context.file))
      return refuse(Errc::malformed, "its context is '" + context.file +
                                         "', which is no file in its folder or below");
  if (reader.found.contexts.empty())
    return refuse(Errc::invalid_argument,
                  "it has no context binary: none of its " + std::to_string(reader.found.nodes) +
                      " nodes is an EPContext; make one with ONNX Runtime's QNN execution provider "
                      "and the options ep.context_enable=1 and ep.context_embed_mode=1 (or 0), or "
                      "give a .bin");
  return std::move(reader.found);
}

}  // namespace tool
