// Values that a manifest may have, for ManifestReader.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <cstdint>
#include <string_view>

#include "qnnpp/core/data_type.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// Meaning of a value in a manifest: a member, or an element of an array.
// clang-format off
enum class Field : std::uint8_t {
  none, document, schema, external_weights, binaries, seal, binary, file, file_bytes, digest,
  weights, shared_weights, spill_fill, start_alignment, io, op_data, vtcm, domain_spill_fill, bytes,
  source, graphs, graph, graph_name, dlbc,
  inputs, outputs, tensor, tensor_name, data_type, dimensions, extent, dynamic, flag, memory,
  quantisation, scale, each_scale, offset, each_offset, axis, bits
};
// clang-format on
/// Type of a JSON value.
enum class JsonType : std::uint8_t { object, array, text, number, boolean, null };

/// Permits a field in a parent, with a type of value. An empty name permits elements of an array.
struct FieldRule {
  Field parent;
  Field field;
  std::string_view name;
  JsonType type;
  bool is_optional = false;
  bool may_be_null = false;
  bool may_be_array = false;
};
/// All permitted fields.
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
    {Field::binary, Field::shared_weights, "shared_weights", JsonType::object, true, true},
    {Field::binary, Field::spill_fill, "spill_fill", JsonType::object, false, true},
    {Field::binary, Field::start_alignment, "start_alignment", JsonType::object, false, true},
    {Field::binary, Field::io, "io", JsonType::object, false, true},
    {Field::binary, Field::op_data, "op_data", JsonType::object, false, true},
    {Field::binary, Field::vtcm, "vtcm", JsonType::object, true, true},
    {Field::binary, Field::domain_spill_fill, "domain_spill_fill", JsonType::object, true, true},
    {Field::binary, Field::graphs, "graphs", JsonType::array},
    {Field::weights, Field::bytes, "bytes", JsonType::number},
    {Field::weights, Field::source, "source", JsonType::text},
    {Field::graphs, Field::graph, "", JsonType::object},
    {Field::graph, Field::graph_name, "name", JsonType::text},
    {Field::graph, Field::dlbc, "dlbc", JsonType::boolean, true},
    {Field::graph, Field::inputs, "inputs", JsonType::array, true},
    {Field::graph, Field::outputs, "outputs", JsonType::array, true},
    {Field::inputs, Field::tensor, "", JsonType::object},
    {Field::tensor, Field::tensor_name, "name", JsonType::text},
    {Field::tensor, Field::data_type, "data_type", JsonType::text},
    {Field::tensor, Field::dimensions, "dimensions", JsonType::array},
    {Field::tensor, Field::dynamic, "dynamic", JsonType::boolean, false, false, true},
    {Field::tensor, Field::memory, "memory", JsonType::text},
    {Field::tensor, Field::quantisation, "quantisation", JsonType::object, true},
    {Field::quantisation, Field::scale, "scale", JsonType::number, false, false, true},
    {Field::quantisation, Field::offset, "offset", JsonType::number, false, false, true},
    {Field::quantisation, Field::axis, "axis", JsonType::number, true},
    {Field::quantisation, Field::bits, "bits", JsonType::number, true},
    {Field::scale, Field::each_scale, "", JsonType::number},
    {Field::offset, Field::each_offset, "", JsonType::number},
    {Field::dimensions, Field::extent, "", JsonType::number},
    {Field::dynamic, Field::flag, "", JsonType::boolean},
};

/// All data types that a manifest can name.
inline constexpr std::array data_types = [] {
  using enum c_api::DataType;
  return std::array{
      int_8,           int_16,          int_32,          int_64,         uint_8,
      uint_16,         uint_32,         uint_64,         float_4,        float_8,
      float_16,        bfloat_16,       float_32,        float_64,       sfixed_point_4,
      sfixed_point_8,  sfixed_point_16, sfixed_point_32, ufixed_point_4, ufixed_point_8,
      ufixed_point_16, ufixed_point_32, bool_8,          string,         undefined};
}();

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
