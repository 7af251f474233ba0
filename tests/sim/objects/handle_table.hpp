// Handles of the simulated HTP: numbers that carry their kind and a serial, never addresses. A
// client's handle is looked up, never dereferenced; no number is given out twice, so a stale handle
// is recognised for ever.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace qnnpp::sim {

/// What a handle stands for.
enum class HandleKind : std::uint8_t {
  log = 1,
  backend = 2,
  device = 3,
  context = 4,
  graph = 5,
  memory = 6,
  profile = 7,
  signal = 8,
  system_context = 9,
  system_log = 10,
};

/// The number behind a handle of the C API.
template <class Opaque>
[[nodiscard]] std::uint64_t id_of(Opaque* handle) noexcept {
  return reinterpret_cast<std::uint64_t>(handle);
}

/// The handle of the C API for a number.
template <class Handle>
[[nodiscard]] Handle handle_of(std::uint64_t id) noexcept {
  return reinterpret_cast<Handle>(id);
}

/// Live objects of one kind, by handle. Not locked: the device's mutex guards it.
template <class Object, HandleKind kind>
class HandleTable {
 public:
  /// A number for `object`: not a canonical address on any 64-bit machine, so using it as one
  /// crashes at once.
  std::uint64_t insert(std::shared_ptr<Object> object) {
    const std::uint64_t id = (std::uint64_t{0xD5} << 56) |
                             (std::uint64_t{static_cast<std::uint8_t>(kind)} << 48) |
                             (++last_serial_ << 4);
    objects_.emplace(id, std::move(object));
    return id;
  }

  /// Numbers begin after this serial, if none was given out yet.
  void begin_after(std::uint64_t serial) noexcept {
    if (last_serial_ == 0) last_serial_ = serial;
  }

  /// NULL for an unknown, stale or foreign handle.
  [[nodiscard]] std::shared_ptr<Object> find(std::uint64_t id) const {
    const auto found = objects_.find(id);
    return found == objects_.end() ? nullptr : found->second;
  }
  template <class Opaque>
  [[nodiscard]] std::shared_ptr<Object> find(Opaque* handle) const {
    return find(id_of(handle));
  }

  /// True for a handle that was given out once and is not alive any more.
  [[nodiscard]] bool is_stale(std::uint64_t id) const {
    const std::uint64_t serial = (id & 0x0000FFFFFFFFFFFFull) >> 4;
    const std::uint64_t prefix = (std::uint64_t{0xD5} << 8) | static_cast<std::uint8_t>(kind);
    return (id >> 48) == prefix && serial != 0 && serial <= last_serial_ && (id & 0xF) == 0 &&
           !objects_.contains(id);
  }

  bool erase(std::uint64_t id) { return objects_.erase(id) != 0; }
  [[nodiscard]] std::size_t size() const noexcept { return objects_.size(); }

  /// The live handles in order of creation.
  [[nodiscard]] const std::map<std::uint64_t, std::shared_ptr<Object>>& all() const noexcept {
    return objects_;
  }
  /// A copy of them, for a walk that erases.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::shared_ptr<Object>>> copy() const {
    return {objects_.begin(), objects_.end()};
  }

 private:
  std::map<std::uint64_t, std::shared_ptr<Object>> objects_;
  std::uint64_t last_serial_ = 0;
};

}  // namespace qnnpp::sim
