#pragma once

#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::abi {

/// Qnn_ParamType_t.
enum class ParamType : std::uint32_t {
  scalar = 0,
  tensor = 1,
  undefined = 0xFFFFFFFF,
};
static_assert(std::uint32_t(ParamType::scalar) == 0u);
static_assert(std::uint32_t(ParamType::tensor) == 1u);
static_assert(std::uint32_t(ParamType::undefined) == 0xFFFFFFFFu);

/// Qnn_Param_t.
struct Param {
  ParamType param_type;
  const char* name;
  union {
    Scalar scalar_param;
    Tensor tensor_param;
  };
};
static_assert(sizeof(Param) == 160 && alignof(Param) == 8);
static_assert(offsetof(Param, param_type) == 0);
static_assert(offsetof(Param, name) == 8);
static_assert(offsetof(Param, scalar_param) == 16);
static_assert(offsetof(Param, tensor_param) == 16);

/// Qnn_OpConfigVersion_t.
enum class OpConfigVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(OpConfigVersion::v1) == 1u);
static_assert(std::uint32_t(OpConfigVersion::undefined) == 0x7FFFFFFFu);

/// Qnn_OpConfigV1_t.
struct OpConfigV1 {
  const char* name;
  const char* package_name;
  const char* type_name;
  std::uint32_t num_of_params;
  Param* params;
  std::uint32_t num_of_inputs;
  Tensor* input_tensors;
  std::uint32_t num_of_outputs;
  Tensor* output_tensors;
};
static_assert(sizeof(OpConfigV1) == 72 && alignof(OpConfigV1) == 8);
static_assert(offsetof(OpConfigV1, name) == 0);
static_assert(offsetof(OpConfigV1, package_name) == 8);
static_assert(offsetof(OpConfigV1, type_name) == 16);
static_assert(offsetof(OpConfigV1, num_of_params) == 24);
static_assert(offsetof(OpConfigV1, params) == 32);
static_assert(offsetof(OpConfigV1, num_of_inputs) == 40);
static_assert(offsetof(OpConfigV1, input_tensors) == 48);
static_assert(offsetof(OpConfigV1, num_of_outputs) == 56);
static_assert(offsetof(OpConfigV1, output_tensors) == 64);

/// Qnn_OpConfig_t.
struct OpConfig {
  OpConfigVersion version;
  union {
    OpConfigV1 v1;
  };
};
static_assert(sizeof(OpConfig) == 80 && alignof(OpConfig) == 8);
static_assert(offsetof(OpConfig, version) == 0);
static_assert(offsetof(OpConfig, v1) == 8);

}  // namespace qnnpp::abi
