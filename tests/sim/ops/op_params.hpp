// Definitions of the simulated ops: number of tensors, parameters with type and shape. Also reads a
// node's parameters.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "qnnpp/abi/op.hpp"

#include "sim/ops/network.hpp"
#include "sim/ops/ops.hpp"
#include "sim/tables/status.hpp"

namespace qnnpp::sim {

/// One parameter in an op's definition. Rank 0 is a scalar; an extent of 0 accepts any extent.
struct ParamDefinition {
  const char* name = nullptr;
  c_api::DataType data_type = c_api::DataType::undefined;
  bool required = false;
  std::uint32_t rank = 0;
  std::array<std::uint32_t, 2> extents{};
};

/// An op's definition: numbers of inputs, and parameters. Entries without a name are unused.
struct OpDefinition {
  std::uint32_t min_inputs = 1;
  std::uint32_t max_inputs = 1;
  std::array<ParamDefinition, 4> params{};
};

/// Returns the definition of an op. Every op has one output.
inline OpDefinition op_definition(OpKind kind) noexcept {
  namespace names = c_api::op_names;
  constexpr c_api::DataType u32 = c_api::DataType::uint_32;
  constexpr c_api::DataType f32 = c_api::DataType::float_32;
  constexpr c_api::DataType flag = c_api::DataType::bool_8;
  switch (kind) {
    case OpKind::mat_mul:
      return {
          2, 2, {{{names::mat_mul::transpose_in0, flag}, {names::mat_mul::transpose_in1, flag}}}};
    case OpKind::fully_connected: return {2, 3, {{{names::fully_connected::keep_dims, flag}}}};
    case OpKind::element_wise_add:
    case OpKind::element_wise_multiply: return {2, 2, {}};
    case OpKind::relu:
    case OpKind::convert:
    case OpKind::reshape: return {1, 1, {}};
    case OpKind::softmax:
      return {1, 1, {{{names::softmax::beta, f32}, {names::softmax::axis, u32}}}};
    case OpKind::transpose: return {1, 1, {{{names::transpose::perm, u32, true, 1, {0, 0}}}}};
    case OpKind::conv2d:
      return {2,
              3,
              {{{names::conv2d::stride, u32, true, 1, {2, 0}},
                {names::conv2d::pad_amount, u32, true, 2, {2, 2}},
                {names::conv2d::dilation, u32, false, 1, {2, 0}},
                {names::conv2d::group, u32}}}};
  }
  return {};
}

/// Returns 6005 with the node, its op and the error.
inline Status invalid_op(const Node& node, std::string what) {
  return failure(c_api::GraphError::invalid_op_config,
                 "node '" + node.name + "' (" + node.type_name + "): " + std::move(what));
}

/// Returns 6005 for an op that QNN may have, and the simulated HTP has not.
inline Status missing_op(const Node& node) {
  return lacking(
      c_api::GraphError::invalid_op_config, node.type_name,
      "the simulated HTP does not compute " + node.type_name + " (node " + node.name + ")");
}

/// Finds the node's parameter with this name, or returns NULL.
inline const Param* find_param(const Node& node, std::string_view name) noexcept {
  for (const Param& param : node.params)
    if (param.name == name) return &param;
  return nullptr;
}

/// Returns the value of a scalar parameter, or the default if the node lacks it.
inline bool flag_param(const Node& node, std::string_view name) noexcept {
  const Param* param = find_param(node, name);
  return param != nullptr && param->scalar.bool8_value != 0;
}
inline std::uint32_t uint_param(const Node& node, std::string_view name,
                                std::uint32_t default_value) noexcept {
  const Param* param = find_param(node, name);
  return param == nullptr ? default_value : param->scalar.uint32_value;
}
inline float float_param(const Node& node, std::string_view name, float default_value) noexcept {
  const Param* param = find_param(node, name);
  return param == nullptr ? default_value : param->scalar.float_value;
}

/// Copies a uint32 tensor parameter that has passed check_params(). Leaves `values` unchanged if
/// the node lacks it.
inline void uint_params(const Node& node, std::string_view name,
                        std::span<std::uint32_t> values) noexcept {
  const Param* param = find_param(node, name);
  if (param == nullptr) return;
  const std::size_t bytes = std::min(values.size_bytes(), param->tensor.data.size());
  if (bytes != 0) std::memcpy(values.data(), param->tensor.data.data(), bytes);
}

namespace detail {

inline Status check_param(const Node& node, const Param& param, const ParamDefinition& expected) {
  const std::string subject = "parameter '" + param.name + "' ";
  if (expected.rank == 0) {
    if (param.type != c_api::ParamType::scalar)
      return invalid_op(node, subject + "must be a scalar");
    if (param.scalar.data_type != expected.data_type)
      return invalid_op(node, subject + "has the wrong data type");
    return success();
  }
  if (param.type != c_api::ParamType::tensor) return invalid_op(node, subject + "must be a tensor");
  const Tensor& tensor = param.tensor;
  if (tensor.data_type != expected.data_type)
    return invalid_op(node, subject + "has the wrong data type");
  bool fits = tensor.dimensions.size() == expected.rank;
  for (std::size_t i = 0; fits && i < expected.rank; ++i)
    fits = expected.extents[i] == 0 || tensor.dimensions[i] == expected.extents[i];
  if (!fits) return invalid_op(node, subject + "has the wrong shape");
  if (tensor.data.empty() || tensor.data.size() != tensor_bytes(tensor))
    return invalid_op(node, subject + "has no contents");
  return success();
}

}  // namespace detail

/// Checks the node's parameters against the definition: names, no duplicates, types, shapes, none
/// missing.
inline Status check_params(const Node& node, const OpDefinition& definition) {
  for (const Param& param : node.params) {
    const ParamDefinition* expected = nullptr;
    for (const ParamDefinition& candidate : definition.params)
      if (candidate.name != nullptr && param.name == candidate.name) expected = &candidate;
    if (expected == nullptr) return invalid_op(node, "there is no parameter '" + param.name + "'");
    if (find_param(node, param.name) != &param)
      return invalid_op(node, "parameter '" + param.name + "' is given twice");
    Status status = detail::check_param(node, param, *expected);
    if (!status.ok()) return status;
  }
  for (const ParamDefinition& expected : definition.params)
    if (expected.required && find_param(node, expected.name) == nullptr)
      return invalid_op(node, "parameter '" + std::string(expected.name) + "' is missing");
  return success();
}

}  // namespace qnnpp::sim
