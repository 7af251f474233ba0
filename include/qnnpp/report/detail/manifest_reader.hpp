// ManifestReader: reads a manifest's JSON in one pass with a SAX parser, within limits.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "qnnpp/report/detail/manifest_fields.hpp"
#include "qnnpp/report/detail/read_decimal.hpp"
#include "qnnpp/report/manifest.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// Used for its parser and strings only, because destructors of its objects and arrays allocate.
using Json = nlohmann::json;

/// Error detail for a text that exceeds ManifestLimits::file_bytes.
inline constexpr char raise_file_bytes[] = "raise ManifestLimits::file_bytes";

/// The schema that is written, and the only one that is read.
inline constexpr std::string_view manifest_schema = "qnnpp-manifest-2";

/// Returns text as a JSON string. Replaces bytes that are not UTF-8 by U+FFFD.
[[nodiscard]] inline std::string json_string(std::string_view text) {
  return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Returns text as one escaped line in single quotes.
[[nodiscard]] inline std::string in_quotes(const std::string& text) {
  std::string line = json_string(text);
  line.front() = line.back() = '\'';
  return escaped(line);
}

/// Number of bytes read from a text, and the number at which reading stops.
struct TextBounds {
  std::size_t read = 0;
  std::size_t stop = 0;
};

/// Iterator over a text. Counts the bytes that nlohmann-json reads, as its events have no position.
/// Reports the end of the text at TextBounds::stop.
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

/// Handles the events of the SAX parser; each handler returns false to stop it. Stops at the first
/// value without a rule, so that values never nest deeper than the rules.
class ManifestReader {
 public:
  ManifestReader(std::string_view text, const ManifestLimits& limits)
      : text_(text), limits_(limits) {}

  /// Reads the text. Returns the fault with its line, or an empty string if there is none.
  [[nodiscard]] std::string run() {
    allow_more();
    const TextCursor begin(text_.data(), bounds_), end(text_.data() + text_.size(), bounds_);
    if (text_.starts_with("\xEF\xBB\xBF")) {
      refuse("a byte order mark; write UTF-8 without one");
      return std::move(fault_);
    }
    (void)Json::sax_parse(begin, end, this);
    // The parser also ends at a NUL, and at the bound after the last value.
    if (fault_.empty() && bounds_.read != text_.size()) refuse("text after its end");
    return std::move(fault_);
  }

  Manifest manifest;
  std::string seal;

  // ---- events of nlohmann-json

  bool null() { return enter(JsonType::null); }
  bool boolean(bool value) {
    if (!enter(JsonType::boolean)) return false;
    if (rule_->field == Field::dlbc)
      entry().graphs.back().preparation.dlbc = value;
    else if (rule_->field == Field::flag)
      tensor().dynamic_dimensions.push_back(value ? 1 : 0);
    else
      all_dynamic_ = value;
    return true;
  }
  bool number_integer(std::int64_t value) {
    if (!enter(JsonType::number)) return false;
    if (is_offset() && value >= INT32_MIN) return add_offset(value);
    return refuse("expected a whole number");
  }
  bool number_unsigned(std::uint64_t value) {
    if (!enter(JsonType::number)) return false;
    const bool is_extent = rule_->field == Field::extent;
    const std::uint64_t largest = is_extent                          ? UINT32_MAX
                                  : is_scale()                       ? UINT64_MAX
                                  : is_offset() || is_axis_or_bits() ? INT32_MAX
                                                                     : INT64_MAX;
    if (value > largest) return refuse("a number above " + std::to_string(largest));
    if (is_scale()) return add_scale(static_cast<float>(value));
    if (is_offset()) return add_offset(static_cast<std::int64_t>(value));
    if (is_axis_or_bits())
      (rule_->field == Field::axis ? codes_.axis : codes_.bits) = static_cast<std::uint32_t>(value);
    else if (is_extent)
      tensor().dimensions.push_back(static_cast<std::uint32_t>(value));
    else if (rule_->field == Field::file_bytes)
      entry().memory.file_bytes = value;
    else
      bytes().value = value;
    return true;
  }
  /// Also called for an integer of more than 64 bits.
  bool number_float(double, const std::string& written) {
    if (!enter(JsonType::number)) return false;
    // Older versions of nlohmann-json write the decimal point of the process's locale.
    std::string text = written;
    if (const auto point = text.find_first_not_of("0123456789+-eE"); point != text.npos)
      text[point] = '.';
    if (is_scale()) {
      const auto scale = qnnpp::detail::read_decimal<float>(text);
      return scale ? add_scale(*scale) : refuse("a scale beyond the range of float");
    }
    if (text.find_first_of(".eE-") != std::string::npos) return refuse("expected a whole number");
    return refuse("a number above " + std::to_string(INT64_MAX));
  }
  bool string(std::string& text) {
    if (!enter(JsonType::text)) return false;
    if (text.size() > limits_.name_bytes)
      return refuse("a string of more than " + std::to_string(limits_.name_bytes) +
                    " bytes; raise ManifestLimits::name_bytes");
    if (text.find('\0') != std::string::npos) return refuse("a string contains a NUL");
    return assign(text);
  }
  template <class Binary>
  bool binary(const Binary&) {
    return refuse("binary data");  // JSON has no such value.
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
    } else if (field == Field::quantisation) {
      codes_ = {};
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
    if (name.size() > 64) return refuse("unknown member with a name of more than 64 bytes");
    if (rule_ == std::end(field_rules)) return refuse("unknown member " + in_quotes(name));
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
    if (object.field == Field::tensor && !check_flags())
      return refuse("'dynamic' needs one element per dimension");
    if (object.field == Field::quantisation && !set_quantisation()) return false;
    if (object.field == Field::tensor && tensor().quantisation)
      if (const auto fits =
              tensor().quantisation.check(tensor().data_type, tensor().dimensions, tensor().name);
          !fits)
        return refuse("quantisation: " + fits.error().detail);
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) {
    if (!enter(JsonType::array)) return false;
    open_.push_back({rule_->field});
    if (rule_->field == Field::scale) codes_.has_scales = true;
    if (rule_->field == Field::offset) codes_.has_offsets = true;
    return true;
  }
  bool end_array() {
    allow_more();
    open_.pop_back();
    return true;
  }
  /// Called if the text is not JSON. nlohmann-json reports "... line 1, column 2: why; last read:
  /// 'text'".
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
  /// An open object or array. Bit n of `seen` is set if it contains the field of rule n.
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

  /// Stores a fault with its line. Returns false, so that an event can return the result.
  bool refuse(const std::string& what) {
    // The last character read belongs to the token, or follows a number.
    const std::string_view read = text_.substr(0, bounds_.read == 0 ? 0 : bounds_.read - 1);
    const auto line = 1 + std::count(read.begin(), read.end(), '\n');
    fault_ = "line " + std::to_string(line) + ": " + what;
    return false;
  }

  /// Maximum bytes between two values: white space, and a name and a value with all characters
  /// escaped. The parser stores each token until its end.
  [[nodiscard]] std::size_t most_between() const noexcept {
    return 65536 + 6 * std::min(limits_.name_bytes, text_.size());
  }
  /// Allows this number of bytes from the current position.
  void allow_more() noexcept {
    bounds_.stop = bounds_.read + std::min(text_.size() - bounds_.read, most_between());
  }

  /// Returns the field whose rules apply to the members of `field`. Fields with equal members share
  /// rules.
  [[nodiscard]] static Field parent_of(Field field) noexcept {
    switch (field) {
      case Field::shared_weights:
      case Field::spill_fill:
      case Field::start_alignment:
      case Field::io:
      case Field::op_data:
      case Field::vtcm:
      case Field::domain_spill_fill: return Field::weights;
      case Field::outputs: return Field::inputs;
      default: return field;
    }
  }

  /// Checks the type and the number of a value that begins. For an element of an array, sets rule_;
  /// key() sets it for a member.
  bool enter(JsonType type) {
    allow_more();
    const Field parent = open_.empty() ? Field::none : parent_of(open_.back().field);
    for (const FieldRule& rule : field_rules)
      if (rule.parent == parent && rule.name.empty()) rule_ = &rule;
    if (!open_.empty() && rule_->name.empty() &&
        ++open_.back().elements > most_elements(open_.back().field).count)
      return refuse_more(open_.back().field);
    if (type == rule_->type || (type == JsonType::null && rule_->may_be_null) ||
        (type == JsonType::array && rule_->may_be_array))
      return true;
    switch (rule_->type) {
      case JsonType::object: return refuse("expected an object");
      case JsonType::array: return refuse("expected an array");
      case JsonType::text: return refuse("expected a string");
      case JsonType::number: return refuse("expected a whole number");
      default: return refuse("expected true or false");
    }
  }
  /// A limit with its name in ManifestLimits.
  struct Limit {
    std::size_t count;
    const char* name;
  };
  [[nodiscard]] Limit most_elements(Field array) const noexcept {
    switch (array) {
      case Field::binaries: return {limits_.binaries, "binaries"};
      case Field::graphs: return {limits_.graphs, "graphs"};
      case Field::dimensions:
      case Field::dynamic: return {limits_.rank, "rank"};
      default: return {limits_.tensors, "tensors"};
    }
  }
  bool refuse_more(Field array) {
    const Limit limit = most_elements(array);
    const bool are_dimensions = array == Field::dimensions || array == Field::dynamic;
    const bool are_scales = array == Field::scale || array == Field::offset;
    const std::string what = are_dimensions ? "dimensions" : are_scales ? "scales" : limit.name;
    return refuse("more than " + std::to_string(limit.count) + " " + what +
                  "; raise ManifestLimits::" + limit.name);
  }

  [[nodiscard]] bool is_scale() const noexcept {
    return rule_->field == Field::scale || rule_->field == Field::each_scale;
  }
  [[nodiscard]] bool is_offset() const noexcept {
    return rule_->field == Field::offset || rule_->field == Field::each_offset;
  }
  [[nodiscard]] bool is_axis_or_bits() const noexcept {
    return rule_->field == Field::axis || rule_->field == Field::bits;
  }
  bool add_scale(float scale) {
    codes_.scales.push_back(scale);
    return true;
  }
  bool add_offset(std::int64_t offset) {
    codes_.offsets.push_back(static_cast<std::int32_t>(offset));
    return true;
  }
  /// Makes the quantisation of the open tensor. Returns false after a fault.
  bool set_quantisation() {
    if (codes_.has_scales != codes_.has_offsets || codes_.scales.size() != codes_.offsets.size())
      return refuse("'scale' and 'offset' need as many elements");
    if (codes_.has_scales != codes_.axis.has_value())
      return refuse("'axis' belongs to a list of scales, and a list to an axis");
    const std::uint32_t bits = codes_.bits.value_or(0);
    std::vector<ScaleOffset> pairs;
    pairs.reserve(codes_.scales.size());
    for (std::size_t i = 0; i < codes_.scales.size(); ++i)
      pairs.push_back({codes_.scales[i], codes_.offsets[i]});
    if (codes_.axis)
      tensor().quantisation =
          Quantisation::per_axis(static_cast<std::int32_t>(*codes_.axis), std::move(pairs), bits);
    else if (bits != 0)
      tensor().quantisation = Quantisation::per_tensor(pairs[0], bits);
    else
      tensor().quantisation = Quantisation(pairs[0].scale, pairs[0].offset);
    return tensor().quantisation || refuse("a scale is 0; scales are positive");
  }
  [[nodiscard]] Survey& entry() { return manifest.entries.back(); }
  [[nodiscard]] std::vector<TensorSpec>& tensors() {
    // open_ contains the array of tensors, and may contain one of its tensors after it.
    const bool is_input = std::any_of(open_.begin(), open_.end(),
                                      [](const Open& open) { return open.field == Field::inputs; });
    GraphSpec& graph = entry().graphs.back();
    return is_input ? graph.inputs : graph.outputs;
  }
  [[nodiscard]] TensorSpec& tensor() { return tensors().back(); }
  /// Completes the dynamic flags of a tensor that ends; the value true stands for all dimensions.
  /// Returns false for another number of flags than dimensions.
  [[nodiscard]] bool check_flags() {
    auto& flags = tensor().dynamic_dimensions;
    const std::size_t rank = tensor().dimensions.size();
    if (std::exchange(all_dynamic_, false)) flags.assign(rank, 1);
    return flags.empty() || flags.size() == rank;
  }
  [[nodiscard]] Bytes& bytes() {
    ContextMemory& memory = entry().memory;
    switch (open_.back().field) {
      case Field::weights: return memory.weights;
      case Field::shared_weights: return memory.shared_weights;
      case Field::spill_fill: return memory.spill_fill;
      case Field::start_alignment: return memory.start_alignment;
      case Field::io: return memory.io;
      case Field::vtcm: return memory.vtcm;
      case Field::domain_spill_fill: return memory.domain_spill_fill;
      default: return memory.op_data;
    }
  }

  /// Stores a string in the manifest. Returns false if it is not valid for its field.
  bool assign(std::string& text) {
    switch (rule_->field) {
      case Field::schema:
        return text == manifest_schema ||
               refuse("its schema " + in_quotes(text) + " is unknown, only '" +
                      std::string(manifest_schema) + "' is known; write it again with qnnpp-plan");
      case Field::external_weights:
        return choose(manifest.external_weights, text,
                      std::array{ExternalWeights::confirmed, ExternalWeights::refused},
                      "external_weights is neither 'confirmed' nor 'refused'");
      case Field::seal: seal = std::move(text); return !seal.empty() || refuse("the seal is empty");
      case Field::file:
        if (text.empty() || text.front() == '/')
          return refuse("a file name is empty or absolute; write it relative to the manifest");
        if (!files_.insert(text).second) return refuse(in_quotes(text) + " is listed twice");
        entry().memory.name = std::move(text);
        return true;
      case Field::digest:
        entry().digest = digest_from(text);
        return entry().digest ||
               refuse("expected a digest: 'sampled:' or 'whole:', 16 hexadecimal digits");
      case Field::source:
        return choose(bytes().source, text,
                      std::array{SizeSource::query, SizeSource::metadata, SizeSource::manifest},
                      "source is not 'query', 'metadata' or 'manifest'");
      case Field::graph_name:
        if (!graph_names_.insert(text).second) return refuse("two graphs have the same name");
        entry().graphs.back().name = std::move(text);
        return true;
      case Field::tensor_name: tensor().name = std::move(text); return true;
      case Field::data_type:
        return choose(tensor().data_type, text, data_types, "unknown data type " + in_quotes(text));
      default:
        if (text != "raw" && text != "memhandle")
          return refuse("memory is neither 'raw' nor 'memhandle'");
        tensor().mem_type =
            text == "raw" ? c_api::TensorMemType::raw : c_api::TensorMemType::memhandle;
        return true;
    }
  }
  /// Sets `value` to the known value with this name; otherwise stops with the fault `otherwise`.
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
  bool all_dynamic_ = false;  // For the open tensor.
  /// The open quantisation.
  struct Codes {
    std::vector<float> scales = {};
    std::vector<std::int32_t> offsets = {};
    std::optional<std::uint32_t> axis = {}, bits = {};
    bool has_scales = false, has_offsets = false;  ///< Whether they are lists.
  } codes_ = {};
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
