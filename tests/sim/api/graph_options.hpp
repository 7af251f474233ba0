// HTP options of graphs: which the library knows, and which it refuses.
#pragma once

#include <cstdint>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/graph.hpp"

#include "sim/ops/network.hpp"
#include "sim/tables/status.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim::detail {

/// Reads one HTP option of a graph that is composed.
inline Status read_htp_graph_option(const c_api::HtpGraphCustomConfig& custom, GraphHints& hints) {
  using Option = c_api::HtpGraphConfigOption;
  switch (custom.option) {
    case Option::optimization:
      switch (custom.optimization_option.type) {
        case c_api::HtpGraphOptimizationType::finalize_optimization_flag:
          hints.optimization_level =
              static_cast<std::uint32_t>(custom.optimization_option.float_value);
          return success();
        case c_api::HtpGraphOptimizationType::enable_dlbc:
          hints.dlbc = custom.optimization_option.float_value != 0.0f;
          return success();
        case c_api::HtpGraphOptimizationType::enable_dlbc_weights:
          hints.dlbc_weights = custom.optimization_option.float_value != 0.0f;
          return success();
        case c_api::HtpGraphOptimizationType::schedule_threshold:
        case c_api::HtpGraphOptimizationType::finalize_retries:
        case c_api::HtpGraphOptimizationType::enable_sparse_weights_compression:
        case c_api::HtpGraphOptimizationType::enable_slc_allocator: return success();
        default: return failure(c_api::GraphError::invalid_argument, "unknown optimization type");
      }
    case Option::precision:
      if (custom.precision != c_api::Precision::float32 &&
          custom.precision != c_api::Precision::float16)
        return failure(c_api::GraphError::invalid_argument, "unknown precision");
      hints.precision = custom.precision;
      return success();
    case Option::vtcm_size_in_mb:
      hints.vtcm_bytes = std::uint64_t{custom.vtcm_size_in_mb} << 20;
      return success();
    case Option::vtcm_size_in_bytes: hints.vtcm_bytes = custom.vtcm_size_in_bytes; return success();
    case Option::num_hvx_threads:
      if (custom.num_hvx_threads > 16)
        return failure(c_api::GraphError::invalid_argument, "too many HVX threads");
      hints.hvx_threads = static_cast<std::uint32_t>(custom.num_hvx_threads);
      return success();
    case Option::num_cores:
      if (custom.num_cores != 1)
        return failure(c_api::GraphError::unsupported_feature, "the device has one core");
      return success();
    case Option::fold_relu_activation_into_conv_off:
    case Option::short_depth_conv_on_hmx_off:
    case Option::hmx_bounding:
    case Option::weights_packing:
    case Option::assume_same_quant:
    case Option::share_io_buffer:
    case Option::advanced_activation_fusion:
    case Option::high_precision_sigmoid:
    case Option::monolithic_lstm: return success();
    case Option::finalize_config:
    case Option::parallel_graph_execution_config:
      return failure(c_api::GraphError::unsupported_feature,
                     "an HTP graph option that this device does not have");
    default:
      return failure(c_api::GraphError::invalid_argument,
                     text("unknown HTP graph option %u", static_cast<unsigned>(custom.option)));
  }
}

/// Checks one HTP option of a graph from a binary. Preparation has decided the graph's VTCM and its
/// optimization; the host library accepts the other options, also unknown ones. `minor` is that of
/// the library's HTP API.
inline Status check_restored_custom(const c_api::HtpGraphCustomConfig& custom,
                                    std::uint32_t minor) {
  using Option = c_api::HtpGraphConfigOption;
  using Type = c_api::HtpGraphOptimizationType;
  switch (custom.option) {
    case Option::optimization:
      if (custom.optimization_option.type == Type::enable_dlbc) return success();
      if (custom.optimization_option.type == Type::enable_vtcm_retention ||
          custom.optimization_option.type == Type::enable_cached_weights)
        return minor >= 48 ? success()
                           : failure(c_api::GraphError::invalid_argument, "unknown optimization");
      return custom.optimization_option.type == Type::enable_dlbc_weights
                 ? failure(c_api::GraphError::invalid_argument,
                           "bandwidth compression of weights is chosen at preparation")
                 : failure(c_api::GraphError::graph_finalized, "the graph is finalized");
    case Option::vtcm_size_in_mb:
      return failure(c_api::GraphError::graph_finalized, "the graph is finalized");
    case Option::hmx_bounding:
      return failure(c_api::GraphError::unsupported_feature, "no option of a graph from a binary");
    default: return success();
  }
}

}  // namespace qnnpp::sim::detail
