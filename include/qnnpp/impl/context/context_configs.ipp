// Definitions of context_configs.hpp.
#pragma once

#include "qnnpp/context/detail/context_configs.hpp"

#include "qnnpp/config.hpp"

#include <fcntl.h>

#include <utility>

#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE bool is_priority(c_api::Priority priority) noexcept {
  switch (priority) {
    case c_api::Priority::low:
    case c_api::Priority::normal:
    case c_api::Priority::normal_high:
    case c_api::Priority::high: return true;
    default: return false;
  }
}

QNNPP_INLINE c_api::Priority ContextConfigs::priority() const noexcept {
  for (std::size_t i = 0; i < count_; ++i)
    if (configs_[i].option == c_api::ContextConfigOption::priority) return configs_[i].priority;
  return c_api::Priority::default_;
}

QNNPP_INLINE void ContextConfigs::enable_graphs(std::vector<std::string> names) {
  graph_names_ = std::move(names);
  next(c_api::ContextConfigOption::enable_graphs).enable_graphs = nullptr;
}

QNNPP_INLINE void ContextConfigs::file_read_memory_budget_mb(std::uint64_t megabytes) {
  next_custom(c_api::HtpContextConfigOption::file_read_memory_budget)
      .file_read_memory_budget_in_mb = megabytes;
}

QNNPP_INLINE void ContextConfigs::register_multi_contexts(c_api::ContextHandle head,
                                                          std::uint64_t max_spill_fill_bytes) {
  auto& config = next_custom(c_api::HtpContextConfigOption::register_multi_contexts);
  config.group_registration = {};
  config.group_registration.first_group_handle = head;
  config.group_registration.max_spill_fill_buffer = max_spill_fill_bytes;
}

QNNPP_INLINE const c_api::ContextConfig** ContextConfigs::c_array() {
  name_pointers_.clear();
  for (const std::string& name : graph_names_) name_pointers_.push_back(name.c_str());
  if (!graph_names_.empty()) name_pointers_.push_back(nullptr);

  std::size_t custom = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (configs_[i].option == c_api::ContextConfigOption::custom)
      configs_[i].custom_config = &customs_[custom++];
    if (configs_[i].option == c_api::ContextConfigOption::enable_graphs)
      configs_[i].enable_graphs = name_pointers_.data();
    pointers_[i] = &configs_[i];
  }
  pointers_[count_] = nullptr;
  return pointers_;
}

QNNPP_INLINE c_api::ContextConfig& ContextConfigs::next(c_api::ContextConfigOption option) {
  qnnpp::detail::expects(count_ < most,
                         "the options of a context exceed their array; raise ContextConfigs::most");
  // Initializes every byte: the caller sets the option's member after the union's widest member.
  c_api::ContextConfig& config = configs_[count_++];
  config.memory_limit_hint = 0;
  config.option = option;
  return config;
}

QNNPP_INLINE c_api::HtpContextCustomConfig& ContextConfigs::next_custom(
    c_api::HtpContextConfigOption option) {
  next(c_api::ContextConfigOption::custom).custom_config = nullptr;
  qnnpp::detail::expects(
      custom_count_ < most_custom,
      "the HTP options of a context exceed their array; raise ContextConfigs::most_custom");
  c_api::HtpContextCustomConfig& custom = customs_[custom_count_++];
  custom.group_registration = {};
  custom.option = option;
  return custom;
}

QNNPP_INLINE const HtpOption* ContextConfigs::unknown_to(const c_api::Version& library,
                                                         OptionPlace place) const noexcept {
  for (const HtpOption& row : htp_options)
    if (find(row.option) != nullptr && !row.is_known_to(library, place)) return &row;
  return nullptr;
}

QNNPP_INLINE const char* ContextConfigs::wrong_patch() const noexcept {
  const auto* patch = find(c_api::HtpContextConfigOption::concurrent_deserialization_patch);
  if (patch == nullptr) return nullptr;
  if (find(c_api::HtpContextConfigOption::init_acceleration) == nullptr)
    return "acceleration_patch needs init_acceleration; give both";
  const int flags = ::fcntl(patch->concurrent_deserialization_patch_fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) == O_RDWR
             ? nullptr
             : "the descriptor of acceleration_patch is not open for reading and writing; open it "
               "so";
}

QNNPP_INLINE const c_api::HtpContextCustomConfig* ContextConfigs::find(
    c_api::HtpContextConfigOption option) const noexcept {
  for (std::size_t i = 0; i < custom_count_; ++i)
    if (customs_[i].option == option) return &customs_[i];
  return nullptr;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
