// A network as plain data: tensors and layers, one struct each, cut into segments.
//
// Operations and parameters carry the names of QNN's op definitions, so that a segment becomes a
// graph with one loop over its tensors and one over its layers. Nothing here knows any API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace digits {

/// Operation of a layer, always in float32.
enum class Op {
  conv_2d,                ///< NHWC input, filter [height, width, in, out], bias [out]
  relu,                   ///< any shape
  fully_connected,        ///< input [rows, in], weights [out, in], bias [out]
  mat_mul,                ///< [..., m, k] times [..., k, n], leading dimensions equal
  element_wise_add,       ///< two inputs of one shape
  element_wise_multiply,  ///< two inputs of one shape
  softmax,                ///< along "axis", after multiplying by "beta"
  reshape,                ///< the output's dimensions are the new shape
  transpose               ///< output dimension i is input dimension "perm"[i]
};

/// The operation's type name in QNN's package "qti.aisw".
constexpr const char* type_name(Op op) noexcept {
  switch (op) {
    case Op::conv_2d: return "Conv2d";
    case Op::relu: return "Relu";
    case Op::fully_connected: return "FullyConnected";
    case Op::mat_mul: return "MatMul";
    case Op::element_wise_add: return "ElementWiseAdd";
    case Op::element_wise_multiply: return "ElementWiseMultiply";
    case Op::softmax: return "Softmax";
    case Op::reshape: return "Reshape";
    case Op::transpose: return "Transpose";
  }
  return "";
}

using Dims = std::vector<std::uint32_t>;

/// Number of elements of a tensor with these dimensions.
constexpr std::size_t element_count(std::span<const std::uint32_t> dims) noexcept {
  std::size_t count = 1;
  for (const std::uint32_t dim : dims) count *= dim;
  return count;
}

/// The value of a parameter that is a tensor of 32-bit unsigned integers.
struct UintTensor {
  Dims dims;
  std::vector<std::uint32_t> values;
};

/// One parameter of a layer: a scalar (bool, unsigned, float) or a static tensor.
struct Param {
  const char* name = "";
  std::variant<bool, std::uint32_t, float, UintTensor> value;
};

/// Source of a tensor's values.
enum class Kind {
  input,   ///< written by the caller
  output,  ///< read by the caller
  native,  ///< an intermediate: written and read inside its segment
  static_  ///< weights: `data` holds them
};

/// A float32 tensor of a segment. Its name is unique within the segment.
struct TensorSpec {
  std::string name;
  Dims dims;
  Kind kind = Kind::native;
  std::span<const float> data;  ///< static tensors only; borrowed from the loaded weights

  [[nodiscard]] std::size_t elements() const noexcept { return element_count(dims); }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return elements() * sizeof(float); }
};

/// One operation. `inputs` and `outputs` are indices into the tensors of its segment.
struct Layer {
  Op op = Op::relu;
  std::string name;
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> outputs;
  std::vector<Param> params;

  /// Returns the parameter's value, or nullptr if the layer has none of that name and type.
  template <class T>
  [[nodiscard]] const T* param(std::string_view wanted) const noexcept {
    for (const Param& candidate : params) {
      if (candidate.name == wanted) return std::get_if<T>(&candidate.value);
    }
    return nullptr;
  }
};

/// A part of the network with one input and one output; its layers stand in the order they run.
struct Segment {
  std::string name;
  std::vector<TensorSpec> tensors;
  std::vector<Layer> layers;
  std::size_t input = 0;   ///< index into tensors
  std::size_t output = 0;  ///< index into tensors
};

}  // namespace digits
