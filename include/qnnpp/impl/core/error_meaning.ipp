// Definitions of error_meaning.hpp.
#pragma once

#include "qnnpp/core/detail/error_meaning.hpp"

#include <cerrno>
#include <cstddef>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/core/detail/error_advice.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE std::uint16_t step_of(std::string_view step) noexcept {
  for (const StepKind& each : step_kinds)
    if (step == name_of(each.slot)) return each.kind;
  return step.starts_with("QnnSystem") ? step::system : step::other;
}

/// Returns the facts that an error's log states.
[[nodiscard]] QNNPP_INLINE std::uint32_t facts_of_log(std::string_view log) noexcept {
  std::uint32_t facts = 0;
  for (const LogWords& each : log_words)
    if (log.find(each.words) != std::string_view::npos) facts |= each.fact;
  return facts;
}

/// Whether 4000 or 14001 of a step that loads contexts means that there is no room.
[[nodiscard]] QNNPP_INLINE bool is_load_without_room(const Error& error) noexcept {
  if ((step_of(error.step) & step::loads) == 0) return false;
  if (error.code == code_of(c_api::BackendError::cannot_initialize)) return true;
  return error.code == code_of(c_api::DeviceError::invalid_config) &&
         (facts_of_log(error.log) & (fact::log_no_stub | fact::log_no_skel)) == 0;
}

/// As is_exhausted(), also of an error that a function of the program returned.
[[nodiscard]] QNNPP_INLINE bool means_no_room(const Error& error) noexcept {
  if (error.kind == Errc::allocation_failed) return true;
  if (error.kind == Errc::file_unreadable)
    return error.code == EMFILE || error.code == ENFILE || error.code == ENOMEM;
  if (error.kind != Errc::qnn) return false;
  if (error.code == code_of(c_api::CommonError::system) ||
      error.code == code_of(c_api::CommonError::resource_unavailable))
    return step_of(error.step) == step::register_mem;
  return error.code == code_of(c_api::CommonError::mem_alloc) ||
         error.code == code_of(c_api::ContextError::create_from_binary) ||
         error.code == code_of(c_api::MemError::mapping) || is_load_without_room(error);
}

QNNPP_INLINE bool is_exhausted(const Error& error) noexcept {
  return (error.facts & fact::of_source) == 0 && means_no_room(error);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::uint32_t facts_of(const Error& error) noexcept {
  return error.facts | facts_of_log(error.log) | (means_no_room(error) ? fact::no_room : 0);
}

/// Texts of one kind, each once, as an English list.
class AdviceTexts {
 public:
  void add(std::string_view text) noexcept {
    for (std::size_t i = 0; i < count_; ++i)
      if (texts_[i] == text) return;
    if (!text.empty() && count_ < most) texts_[count_++] = text;
  }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  void append_to(std::string& list) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (i != 0) list += i + 1 == count_ ? ", or " : ", ";
      list += texts_[i];
    }
  }

 private:
  // More than the rows of any code that hold at once.
  static constexpr std::size_t most = 8;
  std::string_view texts_[most];
  std::size_t count_ = 0;
};

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string advice_on(const Error& error) {
  const std::uint32_t facts = facts_of(error);
  const std::uint16_t at = step_of(error.step);
  AdviceTexts causes, cures;
  bool is_known = false;
  for (const ErrorAdvice& row : error_advice) {
    if (row.code != error.code && row.code != 0) continue;
    is_known = is_known || row.code != 0;
    if ((row.steps & at) == 0 || (row.needs & ~facts) != 0 || (row.excluded & facts) != 0) continue;
    causes.add(row.cause);
    cures.add(row.cure);
  }
  if (!is_known) return "see the SDK's error codes";
  if (causes.empty()) causes.add("none of the usual causes holds");
  if (cures.empty()) cures.add(words::read_log);
  std::string advice;
  causes.append_to(advice);
  advice += "; ";
  cures.append_to(advice);
  return advice;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error beyond_limit(const char* step,
                                                             std::string_view object,
                                                             std::uint64_t bytes,
                                                             std::uint64_t limit,
                                                             std::string_view detail) {
  Error error = Error::mismatch(Errc::too_large, step, object, bytes, limit);
  error.facts = fact::fixed_limit;
  error.detail = detail;
  return error;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
