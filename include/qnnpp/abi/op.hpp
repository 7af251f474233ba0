// Nodes: ops with their parameters, inputs and outputs; and the names of ops and parameters that
// qnnpp uses.
#pragma once

#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

/// Selects the member of Param's union. C: Qnn_ParamType_t.
enum class ParamType : std::uint32_t {
  scalar = 0,  ///< scalar_param.
  tensor = 1,  ///< tensor_param.
  undefined = 0xFFFFFFFF,
};

/// Named parameter of an op; op_names has the names. C: Qnn_Param_t.
struct Param {
  ParamType param_type;  ///< Selects the union member.
  const char* name;      ///< Name in the op's definition.
  union {
    Scalar scalar_param;  ///< One value.
    Tensor tensor_param;  ///< Static tensor; create it before the node.
  };
};

/// Selects the member of OpConfig's union. C: Qnn_OpConfigVersion_t.
enum class OpConfigVersion : std::uint32_t {
  v1 = 1,  ///< OpConfigV1.
  undefined = 0x7FFFFFFF,
};

/// Node: an op with its parameters, inputs and outputs. graph_add_node copies it.
/// C: Qnn_OpConfigV1_t.
struct OpConfigV1 {
  const char* name;  ///< Unique in the graph.
  /// Package of the op: op_names::package_qti_aisw, or a registered one.
  const char* package_name;
  const char* type_name;        ///< Name of the op in the package.
  std::uint32_t num_of_params;  ///< Length of params.
  Param* params;                ///< Parameters in any order.
  std::uint32_t num_of_inputs;  ///< Length of input_tensors.
  /// Inputs in the order of the op's definition. Create them before the node.
  Tensor* input_tensors;
  std::uint32_t num_of_outputs;  ///< Length of output_tensors.
  /// Outputs in the order of the op's definition. Create them before the node.
  Tensor* output_tensors;
};

/// Node, any version. C: Qnn_OpConfig_t.
struct OpConfig {
  OpConfigVersion version;  ///< Selects the union member.
  union {
    OpConfigV1 v1;  ///< By value.
  };
};

}  // namespace qnnpp::c_api

/// Names for composing graphs: the op package of Qualcomm's built-in ops, and the types and
/// parameters of the ops that qnnpp composes and the simulated HTP runs. They are values of
/// OpConfigV1::package_name, OpConfigV1::type_name and Param::name, which the C API compares as
/// strings. The comment of a parameter has its ParamType, DataType, shape and default. A parameter
/// without a default is required.
namespace qnnpp::c_api::op_names {

/// Package of the built-in ops (QNN_OP_PACKAGE_NAME_QTI_AISW).
inline constexpr const char* package_qti_aisw = "qti.aisw";

/// Matrix product of the two innermost dimensions, the outer ones broadcast. in: a, b. out: 1.
namespace mat_mul {
inline constexpr const char* type = "MatMul";                  ///< QNN_OP_MAT_MUL
inline constexpr const char* transpose_in0 = "transpose_in0";  ///< scalar, bool_8; default 0
inline constexpr const char* transpose_in1 = "transpose_in1";  ///< scalar, bool_8; default 0
}  // namespace mat_mul

/// Dense layer. in: input, weights [outputs, inputs], optional bias [outputs]. out: 1.
namespace fully_connected {
inline constexpr const char* type = "FullyConnected";  ///< QNN_OP_FULLY_CONNECTED
inline constexpr const char* keep_dims = "keep_dims";  ///< scalar, bool_8; default 0
}  // namespace fully_connected

/// Sum of two tensors, broadcast. in: a, b. out: 1. No parameters.
namespace element_wise_add {
inline constexpr const char* type = "ElementWiseAdd";  ///< QNN_OP_ELEMENT_WISE_ADD
}  // namespace element_wise_add

/// Product of two tensors, broadcast. in: a, b. out: 1. No parameters.
namespace element_wise_multiply {
inline constexpr const char* type = "ElementWiseMultiply";  ///< QNN_OP_ELEMENT_WISE_MULTIPLY
}  // namespace element_wise_multiply

/// max(0, x). in: 1. out: 1. No parameters.
namespace relu {
inline constexpr const char* type = "Relu";  ///< QNN_OP_RELU
}  // namespace relu

/// exp(beta * x), normalized along one axis. in: 1. out: 1.
namespace softmax {
inline constexpr const char* type = "Softmax";  ///< QNN_OP_SOFTMAX
inline constexpr const char* axis = "axis";     ///< scalar, uint_32; default: the last
inline constexpr const char* beta = "beta";     ///< scalar, float_32; default 1
}  // namespace softmax

/// The elements of the input with the output's dimensions. in: 1. out: 1. No parameters.
namespace reshape {
inline constexpr const char* type = "Reshape";  ///< QNN_OP_RESHAPE
}  // namespace reshape

/// The numbers of the input in the output's type and quantisation. in: 1. out: 1. The optional
/// parameters for encodings that change are not declared.
namespace convert {
inline constexpr const char* type = "Convert";  ///< QNN_OP_CONVERT
}  // namespace convert

/// Dimensions in another order: output dimension i is input dimension perm[i]. in: 1. out: 1.
namespace transpose {
inline constexpr const char* type = "Transpose";  ///< QNN_OP_TRANSPOSE
inline constexpr const char* perm = "perm";       ///< tensor, uint_32, [rank]
}  // namespace transpose

/// Convolution of [batch, height, width, channels]. in: input, filter [height, width,
/// channels / group, outputs], optional bias [outputs]. out: 1.
namespace conv2d {
inline constexpr const char* type = "Conv2d";    ///< QNN_OP_CONV_2D
inline constexpr const char* stride = "stride";  ///< tensor, uint_32, [2]: height, width
/// tensor, uint_32, [2, 2]: {{top, bottom}, {left, right}}
inline constexpr const char* pad_amount = "pad_amount";
inline constexpr const char* dilation = "dilation";  ///< tensor, uint_32, [2]; default {1, 1}
inline constexpr const char* group = "group";        ///< scalar, uint_32; default 1
}  // namespace conv2d

}  // namespace qnnpp::c_api::op_names
