// Definitions of live_contexts.hpp.
#pragma once

#include "qnnpp/backend/detail/live_contexts.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "qnnpp/core/detail/forked.hpp"
#include "qnnpp/core/detail/joined.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

[[gnu::noinline]] QNNPP_INLINE ContextUser::ContextUser(LiveContext& used, const char* what_it_is,
                                                        const std::string& called) noexcept
    : context(used), kind(what_it_is), name(called) {
  // The object has a reference to the context, so that the context and its list outlive this.
  if (is_forked()) return;
  const std::lock_guard guard(context.list->mutex_);
  context.users.add(*this);
}

[[gnu::noinline]] QNNPP_INLINE ContextUser::~ContextUser() {
  // The child's copy of the lists may be half changed. Nothing in the child reads it.
  if (is_forked()) return;
  const std::lock_guard guard(context.list->mutex_);
  context.users.remove(*this);
}

QNNPP_INLINE void LiveContexts::add(LiveContext& context, const LiveContext* group_head) noexcept {
  if (context.is_listed || is_forked()) return;
  // Every member that a text reads is set: another thread may make one from here on.
  const std::lock_guard guard(mutex_);
  context.is_listed = true;
  context.head = group_head;
  contexts_.add(context);
}

QNNPP_INLINE void LiveContexts::remove(LiveContext& context) noexcept {
  // A context that is lost is not listed, and may outlive its backend.
  if (!context.is_listed || is_forked()) return;
  LiveContexts& list = *context.list;
  const std::lock_guard guard(list.mutex_);
  context.is_listed = false;
  list.contexts_.remove(context);
}

/// Whether a context belongs to a load that goes on.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE bool is_of_load(
    const LiveContext& context) noexcept {
  const char* const by = context.kept_by;
  return by != nullptr && std::string_view(by) == kept_by_load;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE bool LiveContexts::has_others(
    const LiveContext* except) noexcept {
  if (is_forked()) return false;
  const std::lock_guard guard(mutex_);
  for (const LiveContext* each = contexts_.first; each != nullptr; each = each->next)
    if (each != except && !each->epoch.has_ended() && !is_of_load(*each)) return true;
  return false;
}

/// Returns a name of at most `most` bytes. Keeps its end, which tells paths apart.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string end_of(std::string_view name,
                                                                           std::size_t most) {
  if (name.size() <= most) return std::string(name);
  name.remove_prefix(name.size() - most + 3);
  // Splits no UTF-8 character.
  while (!name.empty() && (static_cast<unsigned char>(name[0]) & 0xC0) == 0x80)
    name.remove_prefix(1);
  return joined({"...", name});
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string LiveContexts::holders(
    const LiveContext& context, bool skips_object, std::uint32_t skipped) const {
  // A message has room for three contexts of three holders, unless most names reach this length.
  // Error::message() then cuts the end of the list.
  constexpr std::size_t most_of_name = 32;
  NameList names;
  std::uint32_t count = 0;
  for (const ContextUser* user = context.users.first; user != nullptr; user = user->next)
    if (++count > skipped) names.add(user->kind, shortened(user->name, most_of_name));
  for (const LiveContext* each = contexts_.first; each != nullptr; each = each->next)
    if (each->head == &context) {
      names.add("group member ", end_of(each->name, most_of_name));
      ++count;
    }
  // The Context object has the reference that no other holder has. While an object is made or
  // destroyed on another thread, its reference is counted here for a moment.
  if (!skips_object && context.references(context) > count) {
    const char* const by = context.kept_by;
    names.add("", by != nullptr ? by : "its Context object");
  }
  return names.text();
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string LiveContexts::words(
    const LiveContext& context, bool skips_object) const {
  constexpr std::size_t most_of_name = 48;
  std::string name = end_of(context.name, most_of_name);
  const std::string held = holders(context, skips_object);
  const std::string bytes =
      context.live_bytes == 0 ? std::string() : joined({context.live_bytes, " bytes"});
  if (held.empty() && bytes.empty()) return name;
  return joined({name, " (", bytes, bytes.empty() || held.empty() ? "" : ", ",
                 held.empty() ? "" : "held by ", held, ")"});
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string LiveContexts::text(
    Which which, const LiveContext* except) {
  if (is_forked()) return {};
  NameList names;
  std::size_t count = 0;
  const std::lock_guard guard(mutex_);
  for (const LiveContext* each = contexts_.first; each != nullptr; each = each->next) {
    const bool is_meant = which == Which::all || (!each->epoch.has_ended() &&
                                                  (each->is_initialised || !is_of_load(*each)));
    if (each == except || !is_meant) continue;
    names.add("", words(*each, false));
    ++count;
  }
  if (count == 0) return {};
  // The number comes first, because a long text is cut at its end.
  return joined({count, except != nullptr ? " other live context" : " live context",
                 count == 1 ? ": " : "s: ", names.text()});
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string LiveContexts::text_of(
    const LiveContext& context) {
  if (is_forked()) return {};
  const std::lock_guard guard(mutex_);
  return words(context, true);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string LiveContexts::holders_of(
    const LiveContext& context, std::uint32_t skipped) {
  if (is_forked()) return {};
  const std::lock_guard guard(mutex_);
  return holders(context, true, skipped);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void name_live_contexts(Error& error,
                                                                  LiveContexts& contexts,
                                                                  const LiveContext* except) {
  if (error.detail.find(" live context") != std::string::npos) return;
  const std::string text = contexts.text(LiveContexts::Which::with_room, except);
  if (text.empty()) return;
  // Before the lines of the log, which a long message cuts.
  error.detail = joined({text, error.detail.empty() ? "" : "; ", error.detail});
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
