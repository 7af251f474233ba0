// Writes ONNX files: protobuf messages with the field numbers of onnx.proto.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace support::onnx {

/// Returns a number in bytes of seven bits, lowest first.
inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes + static_cast<char>(value);
}
/// Returns a field with a number.
inline std::string number(std::uint32_t field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}
/// Returns a field with text, bytes or a message.
inline std::string bytes(std::uint32_t field, std::string_view content) {
  return varint(field << 3 | 2) + varint(content.size()) + std::string(content);
}

/// Returns an attribute of a node.
inline std::string attribute(std::string_view name, std::uint64_t value) {
  return bytes(5, bytes(1, name) + number(3, value) + number(20, 2));
}
inline std::string attribute(std::string_view name, std::string_view value) {
  return bytes(5, bytes(1, name) + bytes(4, value) + number(20, 3));
}
/// Returns a node of a graph.
inline std::string node(std::string_view type, const std::string& content) {
  return bytes(1, bytes(1, "x") + bytes(2, "y") + content + bytes(4, type));
}
/// Returns the node of a context: its bytes, or the name of its file.
inline std::string ep_context(std::string_view context, bool is_embedded) {
  return node("EPContext", bytes(7, "com.microsoft") + attribute("main_context", 1) +
                               attribute("ep_cache_context", context) +
                               attribute("embed_mode", is_embedded ? 1 : 0) +
                               attribute("source", "QNN"));
}
/// Returns an input (field 11) or output (field 12) of a graph, of type FLOAT.
inline std::string value(std::uint32_t field, std::string_view name,
                         std::initializer_list<std::uint64_t> dimensions) {
  std::string shape;
  for (const std::uint64_t extent : dimensions) shape += bytes(1, number(1, extent));
  return bytes(field, bytes(1, name) + bytes(2, bytes(1, number(1, 1) + bytes(2, shape))));
}
/// Returns a model whose graph has these fields.
inline std::string model(const std::string& graph) {
  return number(1, 8) + bytes(7, bytes(2, "graph") + graph) +
         bytes(8, bytes(1, "") + number(2, 17));
}

}  // namespace support::onnx
