// Manifests as JSON: docs/memory-report.md has the schema. Include it where one is read or written.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/model/detail/json_reader.hpp"
#include "qnnpp/model/detail/json_writer.hpp"
#include "qnnpp/model/digest.hpp"
#include "qnnpp/model/manifest.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// What a manifest may hold; anything beyond is refused while it is read.
struct ManifestLimits {
  std::size_t file_bytes = std::size_t{8} << 20;
  std::size_t binaries = 1024;
  std::size_t graphs = 16384;   ///< of all binaries
  std::size_t tensors = 65536;  ///< of all graphs
  std::size_t rank = 16;
  std::size_t name_bytes = 4096;
};

/// Whether inputs and outputs of graphs are written.
enum class ManifestTensors : bool { none, all };

namespace detail {

inline constexpr std::string_view manifest_schema = "qnnpp-manifest-1";

inline void write_bytes(JsonWriter& json, std::string_view key, const Bytes& bytes) {
  json.key(key);
  if (!bytes.value) return void(json.null());
  json.begin_object().key("bytes").number(*bytes.value);
  json.key("source").string(name_of(bytes.source)).end_object();
}

inline void write_tensors(JsonWriter& json, std::string_view key,
                          const std::vector<TensorSpec>& tensors) {
  json.key(key).begin_array();
  for (const TensorSpec& tensor : tensors) {
    json.begin_object().key("name").string(tensor.name);
    json.key("data_type").string(qnnpp::name_of(tensor.data_type));
    json.key("dimensions").begin_array(true);
    for (const std::uint32_t extent : tensor.dimensions) json.number(extent);
    json.end_array().key("dynamic").boolean(tensor.dynamic);
    const bool shared = tensor.mem_type == c_api::TensorMemType::memhandle;
    json.key("memory").string(shared ? "memhandle" : "raw").end_object();
  }
  json.end_array();
}

/// Without a seal where that is empty.
[[nodiscard]] inline std::string manifest_text(const Manifest& manifest, std::string_view seal) {
  JsonWriter json;
  json.begin_object().key("schema").string(manifest_schema);
  if (manifest.external_weights != ExternalWeights::untried)
    json.key("external_weights").string(qnnpp::name_of(manifest.external_weights));
  json.key("binaries").begin_array();
  for (const ManifestEntry& entry : manifest.entries) {
    const ContextMemory& memory = entry.memory;
    json.begin_object().key("file").string(memory.name);
    json.key("bytes").number(memory.file_bytes).key("digest");
    if (entry.digest)
      json.string(to_string(*entry.digest));
    else
      json.null();
    write_bytes(json, "weights", memory.weights);
    write_bytes(json, "spill_fill", memory.spill_fill);
    write_bytes(json, "start_alignment", memory.start_alignment);
    write_bytes(json, "io", memory.io);
    write_bytes(json, "op_data", memory.op_data);
    json.key("graphs").begin_array();
    for (const GraphSpec& graph : entry.graphs) {
      json.begin_object().key("name").string(graph.name);
      if (!graph.inputs.empty()) write_tensors(json, "inputs", graph.inputs);
      if (!graph.outputs.empty()) write_tensors(json, "outputs", graph.outputs);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
  if (!seal.empty()) json.key("seal").string(seal);
  json.end_object();
  return std::move(json).take();
}

/// The digest of all that a manifest says, however its text is laid out.
[[nodiscard]] inline std::string seal_of(const Manifest& manifest) {
  const std::string text = manifest_text(manifest, {});
  return to_string(digest_of(std::as_bytes(std::span(text)), DigestKind::whole));
}

/// Reads one manifest's text.
class ManifestReader {
 public:
  ManifestReader(std::string_view text, const ManifestLimits& limits)
      : json_(text), limits_(limits) {}

  [[nodiscard]] Result<Manifest> read(const std::string& name) {
    Manifest manifest;
    std::string seal;
    bool knows_schema = false;
    json_.object({"schema", "external_weights?", "binaries", "seal?"}, [&](std::size_t member) {
      if (member == 0) {
        const std::string schema = json_.string(limits_.name_bytes);
        knows_schema = schema == manifest_schema;
        if (!knows_schema)
          json_.refuse("its schema is '" + printable(schema) + "', known is '" +
                       std::string(manifest_schema) + "'");
      } else if (!knows_schema) {
        json_.refuse("'schema' must come first");
      } else if (member == 1) {
        manifest.external_weights = external_weights();
      } else if (member == 2) {
        json_.array(limits_.binaries, [&] { manifest.entries.push_back(entry()); });
      } else {
        seal = json_.string(limits_.name_bytes);
        if (seal.empty()) json_.refuse("its seal is empty");
      }
    });
    json_.end();
    if (json_.ok() && !seal.empty() && seal != seal_of(manifest))
      json_.refuse("its seal is broken: it is not as it was written");
    if (!json_.ok())
      return fail(Error::make(Errc::malformed, "reading a manifest", name, json_.fault()));
    return manifest;
  }

 private:
  [[nodiscard]] ManifestEntry entry() {
    ManifestEntry entry;
    ContextMemory& memory = entry.memory;
    std::set<std::string, std::less<>> graph_names;
    json_.object({"file", "bytes", "digest", "weights", "spill_fill", "start_alignment", "io",
                  "op_data", "graphs"},
                 [&](std::size_t member) {
                   switch (member) {
                     case 0: return void(memory.name = file_name());
                     case 1: return void(memory.file_bytes = json_.number());
                     case 2: return void(entry.digest = digest());
                     case 3: return void(memory.weights = bytes());
                     case 4: return void(memory.spill_fill = bytes());
                     case 5: return void(memory.start_alignment = bytes());
                     case 6: return void(memory.io = bytes());
                     case 7: return void(memory.op_data = bytes());
                     default:
                       json_.array(limits_.graphs, [&] {
                         entry.graphs.push_back(graph());
                         if (!graph_names.insert(entry.graphs.back().name).second)
                           json_.refuse("two graphs of one name");
                       });
                   }
                 });
    memory.graphs = entry.graphs.size();
    return entry;
  }

  [[nodiscard]] ExternalWeights external_weights() {
    const std::string shown = json_.string(64);
    for (const auto known : {ExternalWeights::confirmed, ExternalWeights::refused})
      if (shown == qnnpp::name_of(known)) return known;
    json_.refuse("external_weights is 'confirmed' or 'refused'");
    return ExternalWeights::untried;
  }

  [[nodiscard]] std::string file_name() {
    std::string name = json_.string(limits_.name_bytes);
    if (!json_.ok()) return name;
    if (name.empty() || name.front() == '/') json_.refuse("a file's name is empty or absolute");
    if (!files_.insert(name).second) json_.refuse("'" + printable(name) + "' is listed twice");
    return name;
  }

  [[nodiscard]] std::optional<Digest> digest() {
    if (json_.null()) return std::nullopt;
    const auto read = digest_from(json_.string(64));
    if (!read) json_.refuse("a digest is wanted");
    return read;
  }

  [[nodiscard]] Bytes bytes() {
    Bytes bytes;
    if (json_.null()) return bytes;
    json_.object({"bytes", "source"}, [&](std::size_t member) {
      if (member == 0) return void(bytes.value = json_.number());
      const std::string source = json_.string(64);
      for (const auto known : {SizeSource::query, SizeSource::metadata, SizeSource::manifest})
        if (source == name_of(known)) bytes.source = known;
      if (bytes.source == SizeSource::unknown) json_.refuse("a source is wanted");
    });
    return bytes;
  }

  [[nodiscard]] GraphSpec graph() {
    GraphSpec graph;
    if (++graphs_ > limits_.graphs) json_.refuse("too many graphs");
    json_.object({"name", "inputs?", "outputs?"}, [&](std::size_t member) {
      if (member == 0) return void(graph.name = json_.string(limits_.name_bytes));
      auto& tensors = member == 1 ? graph.inputs : graph.outputs;
      const auto kind = member == 1 ? c_api::TensorType::app_write : c_api::TensorType::app_read;
      json_.array(limits_.tensors, [&] { tensors.push_back(tensor(kind)); });
    });
    return graph;
  }

  [[nodiscard]] TensorSpec tensor(c_api::TensorType kind) {
    TensorSpec tensor;
    tensor.kind = kind;
    if (++tensors_ > limits_.tensors) json_.refuse("too many tensors");
    json_.object({"name", "data_type", "dimensions", "dynamic", "memory"}, [&](std::size_t member) {
      switch (member) {
        case 0: return void(tensor.name = json_.string(limits_.name_bytes));
        case 1: return void(tensor.data_type = data_type());
        case 2:
          return json_.array(limits_.rank, [&] {
            const auto extent = json_.number(std::numeric_limits<std::uint32_t>::max());
            tensor.dimensions.push_back(static_cast<std::uint32_t>(extent));
          });
        case 3: return void(tensor.dynamic = json_.boolean());
        default: {
          const std::string memory = json_.string(64);
          const bool shared = memory == "memhandle";
          if (!shared && memory != "raw") json_.refuse("memory is 'raw' or 'memhandle'");
          tensor.mem_type = shared ? c_api::TensorMemType::memhandle : c_api::TensorMemType::raw;
        }
      }
    });
    return tensor;
  }

  [[nodiscard]] c_api::DataType data_type() {
    using enum c_api::DataType;
    const std::string name = json_.string(64);
    for (const c_api::DataType type :
         {int_8,           int_16,         int_32,         int_64,          uint_8,
          uint_16,         uint_32,        uint_64,        float_16,        bfloat_16,
          float_32,        float_64,       sfixed_point_4, sfixed_point_8,  sfixed_point_16,
          sfixed_point_32, ufixed_point_4, ufixed_point_8, ufixed_point_16, ufixed_point_32,
          bool_8,          string,         undefined})
      if (name == qnnpp::name_of(type)) return type;
    json_.refuse("'" + printable(name) + "' is no data type");
    return undefined;
  }

  JsonReader json_;
  const ManifestLimits& limits_;
  std::set<std::string, std::less<>> files_;
  std::size_t graphs_ = 0, tensors_ = 0;
};

}  // namespace detail

/// A manifest as JSON text, sealed: whatever changes in it by accident is noticed when it is read.
[[nodiscard]] inline std::string to_json(const Manifest& manifest) {
  return detail::manifest_text(manifest, detail::seal_of(manifest));
}

/// Reads the text of a manifest. `name` is its name in errors: `malformed` with the line,
/// `too_large`. The folder is left empty.
[[nodiscard]] inline Result<Manifest> manifest_from_json(std::string_view text,
                                                         const std::string& name,
                                                         const ManifestLimits& limits = {}) {
  if (text.size() > limits.file_bytes)
    return fail(
        Error::mismatch(Errc::too_large, "a manifest", name, limits.file_bytes, text.size()));
  return detail::ManifestReader(text, limits).read(name);
}

/// Reads a manifest's file; its file names start in the folder that this is in. Errors:
/// `file_unreadable`, `too_large`, `malformed`.
[[nodiscard]] inline Result<Manifest> read_manifest(const std::string& path,
                                                    const ManifestLimits& limits = {}) {
  const auto unreadable = [&](int code) {
    Error error = Error::make(Errc::file_unreadable, "reading a manifest", path);
    error.code = static_cast<std::uint16_t>(code);
    return fail(std::move(error));
  };
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return unreadable(errno);
  std::string text;
  char block[16384];
  // One byte more than may be is enough to know.
  while (text.size() <= limits.file_bytes) {
    const std::size_t got = std::fread(block, 1, sizeof block, file);
    if (got == 0) break;
    text.append(block, got);
  }
  const int failed = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (failed != 0) return unreadable(failed);
  auto manifest = manifest_from_json(text, path, limits);
  const std::size_t slash = path.rfind('/');
  if (manifest && slash != std::string::npos)
    manifest->folder = path.substr(0, slash == 0 ? 1 : slash);
  return manifest;
}

/// Writes a manifest to a file, all of it or nothing: beside the file first, then in its place.
/// Errors: `file_unwritable`; `invalid_argument` where it could not be read again, such as for a
/// name that is no UTF-8, a name that is absolute or listed twice, or a number of 2^63 and more.
[[nodiscard]] inline Result<void> write_manifest(const Manifest& manifest, const std::string& path,
                                                 ManifestTensors tensors = ManifestTensors::all) {
  Manifest written = manifest;
  for (ManifestEntry& entry : written.entries)
    for (GraphSpec& graph : entry.graphs)
      if (tensors == ManifestTensors::none) graph.inputs.clear(), graph.outputs.clear();
  const auto refuse = [&](std::string detail) {
    return fail(Error::make(Errc::invalid_argument, "writing a manifest", path, std::move(detail)));
  };
  for (const ManifestEntry& entry : written.entries)
    if (!detail::is_utf8(entry.memory.name))
      return refuse("the name " + detail::printable(entry.memory.name) + " is no UTF-8");
  const std::string text = to_json(written);
  if (auto again = manifest_from_json(text, path); !again) {
    Error error = std::move(again).error();
    return refuse(error.detail.empty() ? "it is too large" : std::move(error.detail));
  }
  const auto unwritable = [&](int code) {
    Error error = Error::make(Errc::file_unwritable, "writing a manifest", path);
    error.code = static_cast<std::uint16_t>(code);
    return fail(std::move(error));
  };
  const std::string beside = path + ".new";
  std::FILE* file = std::fopen(beside.c_str(), "wbe");
  if (file == nullptr) return unwritable(errno);
  errno = 0;
  const bool complete = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (complete && closed && std::rename(beside.c_str(), path.c_str()) == 0) return {};
  const int failed = errno;
  std::remove(beside.c_str());
  return unwritable(failed);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
