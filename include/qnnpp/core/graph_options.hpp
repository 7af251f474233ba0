// GraphOptions: how QNN prepares a graph.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <optional>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/htp/graph.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Options for the preparation of a graph. For a composed graph, empty, 0 and false mean the
/// backend's default, except `vtcm_mb` and `validate_nodes`; docs/graph-options.md has the defaults
/// and limits that QNN documents. GraphSpec::preparation has the options that a binary reports:
/// `vtcm_mb`, `optimization_level`, `hvx_threads` and `dlbc`; empty means not reported.
struct GraphOptions {
  /// Value of `vtcm_mb`: all VTCM of the chip in DeviceOptions::soc_model.
  static constexpr std::uint32_t all_vtcm = 0;

  /// Size of the VTCM that the graph uses, in MB; `all_vtcm`. Empty: the backend's default (4).
  std::optional<std::uint32_t> vtcm_mb = {};
  std::optional<std::uint32_t> optimization_level = {};  ///< Effort of the preparation, 1 to 3.
  /// Precision of float operations: float16 or float32. QNN ignores it from SDK 2.35 on.
  std::optional<c_api::Precision> precision = {};
  std::optional<std::uint32_t> hvx_threads = {};  ///< Number of vector threads.
  /// Compresses activations on the way to memory (DLBC). The HTP does not if spill-fill memory is
  /// shared, so qnnpp then refuses such a graph's context, unless its options have
  /// `share_without_dlbc`.
  std::optional<bool> dlbc = {};
  /// Compresses weights on the way to memory. Needs spill-fill memory of its own too, but no
  /// metadata states it, so qnnpp cannot check it. HTP 5.30.
  bool dlbc_weights = false;
  /// Priority of the graph. Empty: the priority of the context.
  std::optional<c_api::Priority> priority = {};
  /// Asks QNN to validate each node before it is added (CMP-01). False: for nodes that the HTP
  /// computes right although its validation refuses them; docs/own-network.md lists some. A wrong
  /// node then computes wrong values, or ends the process in finalize().
  bool validate_nodes = true;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
