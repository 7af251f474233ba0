// ContextDescription: what a program states of a context that it has created without qnnpp.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/core/context_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// What QNN does not report of a context, for Context<Finalized>::adopt(): its graphs, which are in
/// the metadata of its binary. State either the binary or the graphs.
struct ContextDescription {
  /// Name in messages. Empty: "adopted context".
  std::string name = {};
  /// Binary from which the program has created the context. The backend's system library reads its
  /// metadata during the call; nothing keeps the bytes.
  std::span<const std::byte> binary = {};
  /// The graphs, for a program that has no system library or no binary any more: each with its
  /// name, and its inputs and outputs with the names, numbers (TensorSpec::id), types and
  /// dimensions that QNN knows. QNN is asked whether the graphs exist, and checks their tensors
  /// when it executes them.
  std::vector<GraphSpec> graphs = {};
  /// Names of the graphs that the program has enabled (ENABLE_GRAPHS). Empty: all.
  std::vector<std::string> enabled_graphs = {};
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
