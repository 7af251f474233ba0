// Definitions of profile_log.hpp.
#pragma once

#include "qnnpp/backend/detail/profile_log.hpp"

#include <algorithm>
#include <utility>

#include "qnnpp/backend/profile.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE ProfileLog::Text ProfileLog::keep(std::string_view text) {
  const Text made{text_.size(), text.size()};
  text_.append(text);
  text_.push_back('\0');
  return made;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void ProfileLog::grow() {
  events_.resize(std::max<std::size_t>(16, 2 * room_));
  room_ = events_.size();
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void ProfileLog::learn(std::string_view node,
                                                                 Event& next) {
  next.node = keep(node).at;
  if (const std::size_t number = event_count(); number < nodes_.size()) {
    nodes_[number] = next.node;
    has_old_names_ = true;
  } else {
    nodes_.push_back(next.node);
  }
}

QNNPP_INLINE void ProfileLog::add_object(std::vector<std::byte> object, std::string_view file) {
  has_old_names_ = true;  // Nothing finds the name of a file again.
  objects_.push_back({std::move(object), keep(file)});
  next().has_object = true;
  add();
}

QNNPP_INLINE void ProfileLog::remove_events() noexcept {
  count_ = ended_.events;
  const auto cut = [](auto& block, std::size_t size) {
    const auto end = block.begin() + static_cast<std::ptrdiff_t>(size);
    if (end != block.end()) block.erase(end, block.end());
  };
  cut(objects_, ended_.objects);
  cut(errors_, ended_.errors);
}

QNNPP_INLINE void ProfileLog::end(Call call, std::string_view object, const Error* error) {
  if (view(object_) != object) {
    has_old_names_ = has_old_names_ || object_.bytes != 0;
    object_ = keep(object);
  }
  call.object = object_;
  call.events = event_count();
  call.has_error = error != nullptr;
  if (error != nullptr) errors_.push_back(*error);
  calls_.push_back(call);
  ended_ = {count_, objects_.size(), errors_.size()};
}

QNNPP_INLINE void ProfileLog::clear() noexcept {
  calls_.clear();
  ended_ = {};
  remove_events();
  if (!has_old_names_) return;
  // Keeps no names that nothing may ever have again.
  text_.clear();
  nodes_.clear();
  object_ = {};
  has_old_names_ = false;
}

QNNPP_INLINE std::vector<ProfileRecord> ProfileLog::take_records() {
  std::vector<ProfileRecord> records;
  records.reserve(calls_.size());
  const Event* event = events_.data();
  const Object* object = objects_.data();
  const Error* error = errors_.data();
  for (const Call& call : calls_) {
    ProfileRecord& record = records.emplace_back();
    record.call = call.name;
    record.object = view(call.object);
    record.start_ns = call.start_ns;
    record.end_ns = call.end_ns;
    record.thread = call.thread;
    record.succeeded = call.succeeded;
    if (call.has_error) record.error = *error++;
    record.events.reserve(call.events);
    for (std::size_t i = 0; i < call.events; ++i, ++event) {
      ProfileEvent& made = record.events.emplace_back();
      made.type = event->type;
      made.unit = event->unit;
      made.value = event->value;
      made.node = text_.data() + event->node;
      made.depth = event->depth;
      if (event->parent != Event::none) made.parent = event->parent;
      if (event->time != 0) made.time = event->time;
      if (event->has_object) made.file = view((object++)->file);
    }
  }
  // Objects are large, so they are moved, which throws nothing: until here the log has all.
  event = events_.data();
  Object* moved = objects_.data();
  for (ProfileRecord& record : records)
    for (ProfileEvent& made : record.events)
      if ((event++)->has_object) made.object = std::move((moved++)->bytes);
  clear();
  return records;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
