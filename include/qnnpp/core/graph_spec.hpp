// GraphSpec: what a graph is - its name, its inputs and outputs, its needs - without a context.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Bytes that one graph takes, as far as its binary tells. No value: the binary does not say, which
/// is not a need of 0.
struct GraphNeeds {
  std::optional<std::uint64_t> spill_fill_bytes;
  std::optional<std::uint64_t> constant_bytes;
  std::optional<std::uint64_t> op_data_bytes;
};

/// Description of one graph. A value: it owns all it says.
struct GraphSpec {
  std::string name;
  std::vector<TensorSpec> inputs;   ///< In the order that the graph wants them.
  std::vector<TensorSpec> outputs;  ///< In the order that the graph wants them.
  GraphNeeds needs = {};            ///< Not told of a graph that was composed.
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE
