// ManifestReader: reads a manifest's JSON front to back by nlohmann-json's SAX, within bounds.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/core/data_type.hpp"
#include "qnnpp/model/manifest.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Only its reader and its strings are used: the destructors of its objects and arrays allocate.
using Json = nlohmann::json;

/// What a text or file of more than ManifestLimits::file_bytes is refused with.
inline constexpr char raise_file_bytes[] = "raise ManifestLimits::file_bytes";

inline constexpr std::string_view manifest_schema = "qnnpp-manifest-2";

/// Text as a JSON string; what is no UTF-8 becomes U+FFFD.
[[nodiscard]] inline std::string json_string(std::string_view text) {
  return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Text of unknown origin on one line, in single quotes.
[[nodiscard]] inline std::string in_quotes(const std::string& text) {
  std::string line = json_string(text);
  line.front() = line.back() = '\'';
  return line;
}

/// What stands at a place of a manifest. Elements of an array have no name.
// clang-format off
enum class Field : std::uint8_t {
  none, document, schema, external_weights, binaries, seal, binary, file, file_bytes, digest,
  weights, spill_fill, start_alignment, io, op_data, bytes, source, graphs, graph, graph_name,
  inputs, outputs, tensor, tensor_name, data_type, dimensions, extent, dynamic, memory
};
// clang-format on
enum class JsonType : std::uint8_t { object, array, text, number, boolean, null };

/// Where a field may stand, and what type its value has.
struct FieldRule {
  Field parent;
  Field field;
  std::string_view name;
  JsonType type;
  bool is_optional = false;
  bool may_be_null = false;
};
inline constexpr FieldRule field_rules[] = {
    {Field::none, Field::document, "", JsonType::object},
    {Field::document, Field::schema, "schema", JsonType::text},
    {Field::document, Field::external_weights, "external_weights", JsonType::text, true},
    {Field::document, Field::binaries, "binaries", JsonType::array},
    {Field::document, Field::seal, "seal", JsonType::text, true},
    {Field::binaries, Field::binary, "", JsonType::object},
    {Field::binary, Field::file, "file", JsonType::text},
    {Field::binary, Field::file_bytes, "bytes", JsonType::number},
    {Field::binary, Field::digest, "digest", JsonType::text, false, true},
    {Field::binary, Field::weights, "weights", JsonType::object, false, true},
    {Field::binary, Field::spill_fill, "spill_fill", JsonType::object, false, true},
    {Field::binary, Field::start_alignment, "start_alignment", JsonType::object, false, true},
    {Field::binary, Field::io, "io", JsonType::object, false, true},
    {Field::binary, Field::op_data, "op_data", JsonType::object, false, true},
    {Field::binary, Field::graphs, "graphs", JsonType::array},
    {Field::weights, Field::bytes, "bytes", JsonType::number},
    {Field::weights, Field::source, "source", JsonType::text},
    {Field::graphs, Field::graph, "", JsonType::object},
    {Field::graph, Field::graph_name, "name", JsonType::text},
    {Field::graph, Field::inputs, "inputs", JsonType::array, true},
    {Field::graph, Field::outputs, "outputs", JsonType::array, true},
    {Field::inputs, Field::tensor, "", JsonType::object},
    {Field::tensor, Field::tensor_name, "name", JsonType::text},
    {Field::tensor, Field::data_type, "data_type", JsonType::text},
    {Field::tensor, Field::dimensions, "dimensions", JsonType::array},
    {Field::tensor, Field::dynamic, "dynamic", JsonType::boolean},
    {Field::tensor, Field::memory, "memory", JsonType::text},
    {Field::dimensions, Field::extent, "", JsonType::number},
};

inline constexpr std::array data_types = [] {
  using enum c_api::DataType;
  return std::array{int_8,          int_16,         int_32,          int_64,
                    uint_8,         uint_16,        uint_32,         uint_64,
                    float_16,       bfloat_16,      float_32,        float_64,
                    sfixed_point_4, sfixed_point_8, sfixed_point_16, sfixed_point_32,
                    ufixed_point_4, ufixed_point_8, ufixed_point_16, ufixed_point_32,
                    bool_8,         string,         undefined};
}();

/// How far a text has been read, and where reading must stop.
struct TextBounds {
  std::size_t read = 0;
  std::size_t stop = 0;
};

/// A place in a text. Counts what nlohmann-json has read, as its events have no position, and ends
/// the text where it must stop.
class TextCursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TextCursor(const char* at, TextBounds& bounds) noexcept : at_(at), bounds_(&bounds) {}
  reference operator*() const noexcept { return *at_; }
  TextCursor& operator++() noexcept {
    ++at_;
    ++bounds_->read;
    return *this;
  }
  bool operator==(const TextCursor&) const noexcept { return bounds_->read == bounds_->stop; }

 private:
  const char* at_;
  TextBounds* bounds_;
};

/// Handler of SAX events, each of which returns false to stop. Stops at the first thing that its
/// rules do not have, so that it never nests deeper than they do.
class ManifestReader {
 public:
  ManifestReader(std::string_view text, const ManifestLimits& limits)
      : text_(text), limits_(limits) {}

  /// Reads all of it. Empty: it is a manifest; else what is wrong, and in which line.
  [[nodiscard]] std::string run() {
    allow_more();
    const TextCursor begin(text_.data(), bounds_), end(text_.data() + text_.size(), bounds_);
    if (text_.starts_with("\xEF\xBB\xBF")) {
      refuse("a byte order mark; write UTF-8 without one");
      return std::move(fault_);
    }
    (void)Json::sax_parse(begin, end, this);
    // The parser takes a NUL for the end, and so it takes the bound behind the last value.
    if (fault_.empty() && bounds_.read != text_.size()) refuse("more text behind its end");
    return std::move(fault_);
  }

  Manifest manifest;
  std::string seal;

  // ---- events of nlohmann-json

  bool null() { return enter(JsonType::null); }
  bool boolean(bool value) {
    if (!enter(JsonType::boolean)) return false;
    tensor().dynamic = value;
    return true;
  }
  bool number_integer(std::int64_t) {
    return enter(JsonType::number) && refuse("a whole number is wanted");
  }
  bool number_unsigned(std::uint64_t value) {
    if (!enter(JsonType::number)) return false;
    const bool is_extent = rule_->field == Field::extent;
    const std::uint64_t largest = is_extent ? UINT32_MAX : INT64_MAX;
    if (value > largest) return refuse("a number above " + std::to_string(largest));
    if (is_extent)
      tensor().dimensions.push_back(static_cast<std::uint32_t>(value));
    else if (rule_->field == Field::file_bytes)
      entry().memory.file_bytes = value;
    else
      bytes().value = value;
    return true;
  }
  /// Also an integer of more than 64 bits.
  bool number_float(double, const std::string& text) {
    if (!enter(JsonType::number)) return false;
    if (text.find_first_of(".eE-") != std::string::npos) return refuse("a whole number is wanted");
    return refuse("a number above " + std::to_string(INT64_MAX));
  }
  bool string(std::string& text) {
    if (!enter(JsonType::text)) return false;
    if (text.size() > limits_.name_bytes)
      return refuse("a string of more than " + std::to_string(limits_.name_bytes) +
                    " bytes; raise ManifestLimits::name_bytes");
    if (text.find('\0') != std::string::npos) return refuse("a string holds NUL");
    return assign(text);
  }
  template <class Binary>
  bool binary(const Binary&) {
    return refuse("binary data");  // JSON has none.
  }
  bool start_object(std::size_t) {
    if (!enter(JsonType::object)) return false;
    const Field field = rule_->field;
    if (field == Field::graph && ++graphs_ > limits_.graphs) return refuse_more(Field::graphs);
    if (field == Field::tensor && ++tensors_ > limits_.tensors) return refuse_more(Field::inputs);
    if (field == Field::binary) {
      manifest.entries.emplace_back();
      graph_names_.clear();
    } else if (field == Field::graph) {
      entry().graphs.emplace_back();
    } else if (field == Field::tensor) {
      const bool is_input = open_.back().field == Field::inputs;
      tensors().emplace_back().kind =
          is_input ? c_api::TensorType::app_write : c_api::TensorType::app_read;
    }
    open_.push_back({field});
    return true;
  }
  bool key(const std::string& name) {
    Open& object = open_.back();
    const Field parent = parent_of(object.field);
    rule_ = std::find_if(
        std::begin(field_rules), std::end(field_rules),
        [&](const FieldRule& rule) { return rule.parent == parent && rule.name == name; });
    if (name.size() > 64) return refuse("a name of more than 64 bytes is no member here");
    if (rule_ == std::end(field_rules)) return refuse(in_quotes(name) + " is no member here");
    if (object.has_seen(*rule_)) return refuse(in_quotes(name) + " is given twice");
    if (parent == Field::document && rule_->field != Field::schema && object.seen == 0)
      return refuse("'schema' must come first");
    object.seen |= Open::bit_of(*rule_);
    return true;
  }
  bool end_object() {
    allow_more();
    const Open object = open_.back();
    for (const FieldRule& rule : field_rules)
      if (rule.parent == parent_of(object.field) && !rule.is_optional && !object.has_seen(rule))
        return refuse(in_quotes(std::string(rule.name)) + " is missing");
    if (object.field == Field::binary) entry().memory.graphs = entry().graphs.size();
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) {
    if (!enter(JsonType::array)) return false;
    open_.push_back({rule_->field});
    return true;
  }
  bool end_array() {
    allow_more();
    open_.pop_back();
    return true;
  }
  /// The text is no JSON. nlohmann-json says "... line 1, column 2: why; last read: 'text'".
  template <class Exception>
  bool parse_error(std::size_t, const std::string&, const Exception& exception) {
    if (bounds_.read == bounds_.stop && bounds_.stop < text_.size())
      return refuse("more than " + std::to_string(most_between()) + " bytes between two values");
    // "[json.exception...] parse error at line 1, column 2: why", or "[json.exception...] why".
    std::string_view why = exception.what();
    const std::size_t column = why.find("column");
    const std::string_view before = column == why.npos ? "] " : ": ";
    why.remove_prefix(std::min(why.size(), why.find(before, column == why.npos ? 0 : column) + 2));
    return refuse(std::string(why.substr(0, why.find("; last read: "))));
  }

 private:
  /// An object or array that has begun, and which of its fields have been seen.
  struct Open {
    Field field;
    std::uint64_t seen = 0;
    std::size_t elements = 0;

    [[nodiscard]] static std::uint64_t bit_of(const FieldRule& rule) noexcept {
      return std::uint64_t{1} << (&rule - field_rules);
    }
    [[nodiscard]] bool has_seen(const FieldRule& rule) const noexcept {
      return (seen & bit_of(rule)) != 0;
    }
  };

  /// Returns false, as events do to stop.
  bool refuse(const std::string& what) {
    // The last character read belongs to the token, or is the one behind a number.
    const std::string_view read = text_.substr(0, bounds_.read == 0 ? 0 : bounds_.read - 1);
    const auto line = 1 + std::count(read.begin(), read.end(), '\n');
    fault_ = "line " + std::to_string(line) + ": " + what;
    return false;
  }

  /// Bytes of one value with its name, all escaped, and white space. Each is kept until it ends.
  [[nodiscard]] std::size_t most_between() const noexcept {
    return 65536 + 6 * std::min(limits_.name_bytes, text_.size());
  }
  void allow_more() noexcept {
    bounds_.stop = bounds_.read + std::min(text_.size() - bounds_.read, most_between());
  }

  /// Fields that have the same members have them by one name.
  [[nodiscard]] static Field parent_of(Field field) noexcept {
    switch (field) {
      case Field::spill_fill:
      case Field::start_alignment:
      case Field::io:
      case Field::op_data: return Field::weights;
      case Field::outputs: return Field::inputs;
      default: return field;
    }
  }

  /// A value of this type begins. Sets rule_ to what it is, unless a name did so before it.
  bool enter(JsonType type) {
    allow_more();
    const Field parent = open_.empty() ? Field::none : parent_of(open_.back().field);
    for (const FieldRule& rule : field_rules)
      if (rule.parent == parent && rule.name.empty()) rule_ = &rule;
    if (!open_.empty() && rule_->name.empty() &&
        ++open_.back().elements > most_elements(open_.back().field).count)
      return refuse_more(open_.back().field);
    if (type == rule_->type || (type == JsonType::null && rule_->may_be_null)) return true;
    switch (rule_->type) {
      case JsonType::object: return refuse("an object is wanted");
      case JsonType::array: return refuse("an array is wanted");
      case JsonType::text: return refuse("a string is wanted");
      case JsonType::number: return refuse("a whole number is wanted");
      default: return refuse("true or false is wanted");
    }
  }
  /// A limit and its name in ManifestLimits.
  struct Limit {
    std::size_t count;
    const char* name;
  };
  [[nodiscard]] Limit most_elements(Field array) const noexcept {
    switch (array) {
      case Field::binaries: return {limits_.binaries, "binaries"};
      case Field::graphs: return {limits_.graphs, "graphs"};
      case Field::dimensions: return {limits_.rank, "rank"};
      default: return {limits_.tensors, "tensors"};
    }
  }
  bool refuse_more(Field array) {
    const Limit limit = most_elements(array);
    const std::string what = array == Field::dimensions ? "dimensions" : limit.name;
    return refuse("more than " + std::to_string(limit.count) + " " + what +
                  "; raise ManifestLimits::" + limit.name);
  }

  [[nodiscard]] ManifestEntry& entry() { return manifest.entries.back(); }
  [[nodiscard]] std::vector<TensorSpec>& tensors() {
    // The array of tensors is open, alone or with one of its tensors.
    const bool is_input = std::any_of(open_.begin(), open_.end(),
                                      [](const Open& open) { return open.field == Field::inputs; });
    GraphSpec& graph = entry().graphs.back();
    return is_input ? graph.inputs : graph.outputs;
  }
  [[nodiscard]] TensorSpec& tensor() { return tensors().back(); }
  [[nodiscard]] Bytes& bytes() {
    ContextMemory& memory = entry().memory;
    switch (open_.back().field) {
      case Field::weights: return memory.weights;
      case Field::spill_fill: return memory.spill_fill;
      case Field::start_alignment: return memory.start_alignment;
      case Field::io: return memory.io;
      default: return memory.op_data;
    }
  }

  bool assign(std::string& text) {
    switch (rule_->field) {
      case Field::schema:
        return text == manifest_schema ||
               refuse("its schema is " + in_quotes(text) + ", known is '" +
                      std::string(manifest_schema) + "'; write it again with qnnpp-plan");
      case Field::external_weights:
        return choose(manifest.external_weights, text,
                      std::array{ExternalWeights::confirmed, ExternalWeights::refused},
                      "external_weights is 'confirmed' or 'refused'");
      case Field::seal: seal = std::move(text); return !seal.empty() || refuse("its seal is empty");
      case Field::file:
        if (text.empty() || text.front() == '/')
          return refuse("a file's name is empty or absolute");
        if (!files_.insert(text).second) return refuse(in_quotes(text) + " is listed twice");
        entry().memory.name = std::move(text);
        return true;
      case Field::digest:
        entry().digest = digest_from(text);
        return entry().digest || refuse("a digest is wanted");
      case Field::source:
        return choose(bytes().source, text,
                      std::array{SizeSource::query, SizeSource::metadata, SizeSource::manifest},
                      "a source is wanted");
      case Field::graph_name:
        if (!graph_names_.insert(text).second) return refuse("two graphs of one name");
        entry().graphs.back().name = std::move(text);
        return true;
      case Field::tensor_name: tensor().name = std::move(text); return true;
      case Field::data_type:
        return choose(tensor().data_type, text, data_types, in_quotes(text) + " is no data type");
      default:
        if (text != "raw" && text != "memhandle") return refuse("memory is 'raw' or 'memhandle'");
        tensor().mem_type =
            text == "raw" ? c_api::TensorMemType::raw : c_api::TensorMemType::memhandle;
        return true;
    }
  }
  /// Sets `value` to the one that has this name.
  template <class Value, std::size_t count>
  bool choose(Value& value, const std::string& name, const std::array<Value, count>& known,
              const std::string& otherwise) {
    using model::name_of, qnnpp::name_of;
    const auto found =
        std::find_if(known.begin(), known.end(), [&](Value v) { return name == name_of(v); });
    if (found == known.end()) return refuse(otherwise);
    value = *found;
    return true;
  }

  std::string_view text_;
  const ManifestLimits& limits_;
  TextBounds bounds_;
  std::string fault_;
  std::vector<Open> open_;
  const FieldRule* rule_ = field_rules;
  std::set<std::string> files_, graph_names_;
  std::size_t graphs_ = 0, tensors_ = 0;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
