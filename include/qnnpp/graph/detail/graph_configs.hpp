// GraphConfigs: GraphOptions in the form that QNN needs.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstring>

#include "qnnpp/abi/graph.hpp"
#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/core/graph_options.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// QNN's form of GraphOptions.
class GraphConfigs {
 public:
  explicit GraphConfigs(const GraphOptions& options) {
    using Option = c_api::HtpGraphConfigOption;
    using Type = c_api::HtpGraphOptimizationType;
    std::memset(custom_, 0, sizeof(custom_));
    if (options.vtcm_mb) add(Option::vtcm_size_in_mb).vtcm_size_in_mb = *options.vtcm_mb;
    if (options.optimization_level.value_or(0) != 0)
      optimize(Type::finalize_optimization_flag, static_cast<float>(*options.optimization_level));
    if (options.precision) add(Option::precision).precision = *options.precision;
    if (options.hvx_threads.value_or(0) != 0)
      add(Option::num_hvx_threads).num_hvx_threads = *options.hvx_threads;
    if (options.dlbc == true) optimize(Type::enable_dlbc, 1.0f);
    if (options.dlbc_weights) optimize(Type::enable_dlbc_weights, 1.0f);
    if (options.priority) {
      configs_[count_].option = c_api::GraphConfigOption::priority;
      configs_[count_].priority = *options.priority;
      pointers_[count_] = &configs_[count_];
      ++count_;
    }
  }
  GraphConfigs(const GraphConfigs&) = delete;
  GraphConfigs& operator=(const GraphConfigs&) = delete;

  /// NULL-ended list; NULL for no option.
  [[nodiscard]] const c_api::GraphConfig** native() const& noexcept {
    return count_ == 0 ? nullptr : const_cast<const c_api::GraphConfig**>(pointers_);
  }

 private:
  static constexpr std::size_t most = 7;

  c_api::HtpGraphCustomConfig& add(c_api::HtpGraphConfigOption option) {
    custom_[count_].option = option;
    configs_[count_].option = c_api::GraphConfigOption::custom;
    configs_[count_].custom_config = &custom_[count_];
    pointers_[count_] = &configs_[count_];
    return custom_[count_++];
  }
  void optimize(c_api::HtpGraphOptimizationType type, float value) {
    add(c_api::HtpGraphConfigOption::optimization).optimization_option = {type, value};
  }

  c_api::HtpGraphCustomConfig custom_[most];
  c_api::GraphConfig configs_[most] = {};
  const c_api::GraphConfig* pointers_[most + 1] = {};
  std::size_t count_ = 0;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
