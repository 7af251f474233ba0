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
  /// The priority; QNN's default if it is not set.
  [[nodiscard]] c_api::Priority priority() const noexcept;
  void defer_graph_init() {
    next(c_api::ContextConfigOption::defer_graph_init).is_graph_init_deferred = 1;
    is_deferred_ = true;
  }
  [[nodiscard]] bool is_deferred() const noexcept { return is_deferred_; }
  void persistent_binary() {
    next(c_api::ContextConfigOption::persistent_binary).is_persistent_binary = 1;
  }
  /// On HTP any number but 0 is the same.
  void switch_graphs() {
    next(c_api::ContextConfigOption::memory_limit_hint).memory_limit_hint = 1;
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
  void reused_io_limit_mb(std::uint64_t megabytes) {
    next_custom(c_api::HtpContextConfigOption::reused_io_limit).reused_io_limit_mb = megabytes;
  }
  void io_mem_estimation() {
    next_custom(c_api::HtpContextConfigOption::io_mem_estimation).io_mem_estimation = true;
  }
  /// REUSED_IO_LIMIT; 0: none is set.
  [[nodiscard]] std::uint64_t reused_io_limit_mb() const noexcept {
    const auto* const limit = find(c_api::HtpContextConfigOption::reused_io_limit);
    return limit == nullptr ? 0 : limit->reused_io_limit_mb;
  }
  void acceleration_patch(int descriptor) {
    next_custom(c_api::HtpContextConfigOption::concurrent_deserialization_patch)
        .concurrent_deserialization_patch_fd = descriptor;
  }
  void share_resources() {
    next_custom(c_api::HtpContextConfigOption::share_resources).share_resources = true;
  }
  void weight_sharing() {
    next_custom(c_api::HtpContextConfigOption::weight_sharing_enabled).weight_sharing_enabled =
        true;
  }
  void register_multi_contexts(c_api::ContextHandle head, std::uint64_t max_spill_fill_bytes);

  /// The first HTP option that a library does not take in this place; null if it takes all
  /// (CFG-04).
  [[nodiscard]] const HtpOption* unknown_to(const c_api::Version& library,
                                            OptionPlace place) const noexcept;
  /// Whether an option of the HTP is set.
  [[nodiscard]] bool has(c_api::HtpContextConfigOption option) const noexcept {
    return find(option) != nullptr;
  }
  /// What is wrong with the patch of the acceleration; null if nothing is, or there is none. A
  /// library refuses a descriptor that is not open in finalize only, by 1002 (2.48.40) or 5010.
  [[nodiscard]] const char* wrong_patch() const noexcept;

  /// Returns the array for QNN. Valid until this object is changed or destroyed.
  [[nodiscard]] const c_api::ContextConfig** c_array();

 private:
  /// Numbers of options that may be set, each once.
  static constexpr std::size_t most = 12;
  static constexpr std::size_t most_custom = 6;

  c_api::ContextConfig& next(c_api::ContextConfigOption option);
  c_api::HtpContextCustomConfig& next_custom(c_api::HtpContextConfigOption option);

  [[nodiscard]] const c_api::HtpContextCustomConfig* find(
      c_api::HtpContextConfigOption option) const noexcept;

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
