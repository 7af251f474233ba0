// ContextConfigs: the configuration array of a context and the memory that it points to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/context/detail/htp_options.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Whether a number is a priority of QNN. The HTP accepts any number.
[[nodiscard]] bool is_priority(c_api::Priority priority) noexcept;
inline constexpr char unknown_priority[] = "no such priority; use low, normal, normal_high or high";

/// Owns a NULL-terminated array of configurations and their storage (CFG-01). QNN reads the array
/// at creation and again at finalize (ORD-05), so it lies in the context's control block and never
/// moves.
class ContextConfigs {
 public:
  ContextConfigs() = default;
  ContextConfigs(const ContextConfigs&) = delete;
  ContextConfigs& operator=(const ContextConfigs&) = delete;

  void priority(c_api::Priority value) {
    if (value != c_api::Priority::default_)
      next(c_api::ContextConfigOption::priority).priority = value;
  }
  /// Whether the priority is one of QNN's, or not set.
  [[nodiscard]] bool has_known_priority() const noexcept;
  void defer_graph_init() {
    next(c_api::ContextConfigOption::defer_graph_init).is_graph_init_deferred = 1;
    is_deferred_ = true;
  }
  [[nodiscard]] bool is_deferred() const noexcept { return is_deferred_; }
  void persistent_binary() {
    next(c_api::ContextConfigOption::persistent_binary).is_persistent_binary = 1;
  }
  void memory_limit_hint_mb(std::uint64_t megabytes) {
    next(c_api::ContextConfigOption::memory_limit_hint).memory_limit_hint = megabytes;
  }
  void binary_compatibility(c_api::ContextBinaryCompatibilityType type) {
    next(c_api::ContextConfigOption::binary_compatibility).binary_compatibility_type = type;
  }
  void enable_graphs(std::vector<std::string> names);
  /// Names of the graphs to initialize; empty: all.
  [[nodiscard]] const std::vector<std::string>& enabled_graphs() const noexcept {
    return graph_names_;
  }

  // Options of the HTP.
  void file_read_memory_budget_mb(std::uint64_t megabytes);
  void init_acceleration() {
    next_custom(c_api::HtpContextConfigOption::init_acceleration).init_acceleration = true;
  }
  void share_resources() {
    next_custom(c_api::HtpContextConfigOption::share_resources).share_resources = true;
  }
  void weight_sharing() {
    next_custom(c_api::HtpContextConfigOption::weight_sharing_enabled).weight_sharing_enabled =
        true;
  }
  void register_multi_contexts(c_api::ContextHandle head, std::uint64_t max_spill_fill_bytes);

  /// The HTP option that needs the newest library; null if every library knows them (CFG-04).
  [[nodiscard]] const HtpOption* newest_htp_option() const noexcept { return newest_; }

  /// Returns the array for QNN. Valid until this object is changed or destroyed.
  [[nodiscard]] const c_api::ContextConfig** c_array();

 private:
  /// Numbers of options that may be set, each once.
  static constexpr std::size_t most = 11;
  static constexpr std::size_t most_custom = 5;

  c_api::ContextConfig& next(c_api::ContextConfigOption option);
  c_api::HtpContextCustomConfig& next_custom(c_api::HtpContextConfigOption option);

  const HtpOption* newest_ = nullptr;
  bool is_deferred_ = false;
  std::size_t count_ = 0;
  std::size_t custom_count_ = 0;
  c_api::ContextConfig configs_[most] = {};
  c_api::HtpContextCustomConfig customs_[most_custom] = {};
  const c_api::ContextConfig* pointers_[most + 1] = {};
  std::vector<std::string> graph_names_;
  std::vector<const char*> name_pointers_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/context_configs.ipp"
#endif
