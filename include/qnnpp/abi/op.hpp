// Nodes: ops with their parameters, inputs and outputs.
#pragma once

#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

/// Which member of Param's union is set. C: Qnn_ParamType_t.
enum class ParamType : std::uint32_t {
  scalar = 0,  ///< scalar_param.
  tensor = 1,  ///< tensor_param.
  undefined = 0xFFFFFFFF,
};

/// A named parameter of an op; op_names.hpp has the names. C: Qnn_Param_t.
struct Param {
  ParamType param_type;  ///< Selects the union member.
  const char* name;      ///< As the op's definition spells it.
  union {
    Scalar scalar_param;  ///< One value.
    Tensor tensor_param;  ///< A static tensor; create it before the node.
  };
};

/// Which member of OpConfig's union is set. C: Qnn_OpConfigVersion_t.
enum class OpConfigVersion : std::uint32_t {
  v1 = 1,  ///< OpConfigV1.
  undefined = 0x7FFFFFFF,
};

/// A node: an op with its parameters, inputs and outputs. Copied by graph_add_node.
/// C: Qnn_OpConfigV1_t.
struct OpConfigV1 {
  const char* name;  ///< Unique in the graph.
  /// Package of the op: op_names::package_qti_aisw, or a registered one.
  const char* package_name;
  const char* type_name;        ///< Name of the op in the package.
  std::uint32_t num_of_params;  ///< Length of params.
  Param* params;                ///< Parameters in any order.
  std::uint32_t num_of_inputs;  ///< Length of input_tensors.
  /// Inputs in the order of the op's definition, each created before.
  Tensor* input_tensors;
  std::uint32_t num_of_outputs;  ///< Length of output_tensors.
  /// Outputs in the order of the op's definition, each created before.
  Tensor* output_tensors;
};

/// A node of any version. C: Qnn_OpConfig_t.
struct OpConfig {
  OpConfigVersion version;  ///< Selects the union member.
  union {
    OpConfigV1 v1;
  };
};

}  // namespace qnnpp::c_api
