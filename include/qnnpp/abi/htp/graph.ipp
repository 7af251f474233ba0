// Numbers of graph.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/htp/graph.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum HtpGraphOptimizationType;
  using detail::is;
  return is(schedule_threshold, 1) && is(finalize_retries, 2) &&
         is(finalize_optimization_flag, 3) && is(enable_dlbc, 4) && is(enable_dlbc_weights, 5) &&
         is(enable_sparse_weights_compression, 6) && is(enable_slc_allocator, 7) &&
         is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpGraphConcurrencyOption;
  using detail::is;
  return is(none, 0) && is(default_, 0) && is(all_shared, 1) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpGraphConfigOption;
  using detail::is;
  return is(optimization, 1) && is(precision, 2) && is(vtcm_size_in_mb, 3) && is(vtcm_size, 3) &&
         is(fold_relu_activation_into_conv_off, 4) && is(short_depth_conv_on_hmx_off, 5) &&
         is(num_hvx_threads, 6) && is(finalize_config, 7) && is(num_cores, 8) &&
         is(parallel_graph_execution_config, 9) && is(vtcm_size_in_bytes, 10) &&
         is(hmx_bounding, 11) && is(weights_packing, 12) && is(assume_same_quant, 13) &&
         is(share_io_buffer, 14) && is(advanced_activation_fusion, 15) &&
         is(high_precision_sigmoid, 16) && is(monolithic_lstm, 17) && is(reserved, 0x7FFF0000) &&
         is(unknown, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
