// Handles of the simulated HTP are numbers, never addresses. The table looks up a client's handle
// and never dereferences it. By default a number carries its kind and a serial and is used once, so
// a stale handle is always recognised. Optionally a number is the lowest free one, as in the host
// library.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace qnnpp::sim {

/// Kind of object that a handle names.
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
  serialization_target = 11,
};

/// Returns the number of a C API handle.
template <class Opaque>
[[nodiscard]] std::uint64_t id_of(Opaque* handle) noexcept {
  return reinterpret_cast<std::uint64_t>(handle);
}

/// Returns the C API handle of a number.
template <class Handle>
[[nodiscard]] Handle handle_of(std::uint64_t id) noexcept {
  return reinterpret_cast<Handle>(id);
}

/// Live objects of one kind, by handle. Not thread-safe: the device's mutex guards it.
template <class Object, HandleKind kind>
class HandleTable {
 public:
  HandleTable() noexcept = default;
  /// Creates a table whose next object gets the lowest free number if `*recycles` is not 0. Borrows
  /// the flag (Config::recycled_handles), which must live longer.
  explicit HandleTable(const std::uint32_t* recycles) noexcept : recycles_(recycles) {}

  /// Adds `object` and returns its number: the lowest free one from 1 on, or one that is no
  /// canonical address on any 64-bit machine. A program that dereferences such a number crashes at
  /// once.
  std::uint64_t insert(std::shared_ptr<Object> object) {
    const std::uint64_t id = recycles_ != nullptr && *recycles_ != 0 ? lowest_free() : unique();
    objects_.emplace(id, std::move(object));
    return id;
  }

  /// Returns the number that the next object gets if numbers are recycled, otherwise 0.
  [[nodiscard]] std::uint64_t next_recycled() const noexcept {
    if (recycles_ == nullptr || *recycles_ == 0) return 0;
    return free_.empty() ? highest_ + 1 : *free_.begin();
  }

  /// Starts the numbers after this serial, unless a number exists.
  void begin_after(std::uint64_t serial) noexcept {
    if (last_serial_ == 0) first_serial_ = last_serial_ = serial;
  }

  /// Finds an object; NULL for an unknown, stale or foreign handle.
  [[nodiscard]] std::shared_ptr<Object> find(std::uint64_t id) const {
    const auto found = objects_.find(id);
    return found == objects_.end() ? nullptr : found->second;
  }
  template <class Opaque>
  [[nodiscard]] std::shared_ptr<Object> find(Opaque* handle) const {
    return find(id_of(handle));
  }

  /// True for a handle that once named an object and is no longer alive.
  [[nodiscard]] bool is_stale(std::uint64_t id) const {
    if (id != 0 && id <= highest_) return !objects_.contains(id);
    const std::uint64_t serial = (id & 0x0000FFFFFFFFFFFFull) >> 4;
    const std::uint64_t prefix = (std::uint64_t{0xD5} << 8) | static_cast<std::uint8_t>(kind);
    return (id >> 48) == prefix && serial > first_serial_ && serial <= last_serial_ &&
           (id & 0xF) == 0 && !objects_.contains(id);
  }

  bool erase(std::uint64_t id) {
    const bool is_known = objects_.erase(id) + held_.erase(id) != 0;
    if (is_known && id <= highest_) free_.insert(id);
    return is_known;
  }
  /// Removes the object, but reserves its number until erase().
  void retire(std::uint64_t id) {
    if (objects_.erase(id) != 0) held_.insert(id);
  }
  [[nodiscard]] std::size_t size() const noexcept { return objects_.size(); }

  /// Returns the live handles in order of creation.
  [[nodiscard]] const std::map<std::uint64_t, std::shared_ptr<Object>>& all() const noexcept {
    return objects_;
  }
  /// Returns a copy of the table, for a loop that erases.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::shared_ptr<Object>>> copy() const {
    return {objects_.begin(), objects_.end()};
  }

 private:
  std::uint64_t unique() noexcept {
    return (std::uint64_t{0xD5} << 56) | (std::uint64_t{static_cast<std::uint8_t>(kind)} << 48) |
           (++last_serial_ << 4);
  }
  std::uint64_t lowest_free() {
    if (free_.empty()) return ++highest_;
    const std::uint64_t id = *free_.begin();
    free_.erase(free_.begin());
    return id;
  }

  std::map<std::uint64_t, std::shared_ptr<Object>> objects_;
  std::set<std::uint64_t> held_;  ///< retired numbers
  std::set<std::uint64_t> free_;  ///< recycled numbers up to `highest_` without an object
  const std::uint32_t* recycles_ = nullptr;
  std::uint64_t first_serial_ = 0;  ///< numbers start after it
  std::uint64_t last_serial_ = 0;
  std::uint64_t highest_ = 0;  ///< highest recycled number so far
};

}  // namespace qnnpp::sim
