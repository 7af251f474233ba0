// GraphSpec: what a graph is - its name, its inputs and outputs - without a context.
#pragma once

#include <string>
#include <vector>

#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp {

/// Description of one graph. A value: it owns all it says.
struct GraphSpec {
  std::string name;
  std::vector<TensorSpec> inputs;   ///< In the order that the graph wants them.
  std::vector<TensorSpec> outputs;  ///< In the order that the graph wants them.
};

}  // namespace qnnpp
