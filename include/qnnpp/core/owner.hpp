// Owner<Policy>: the one class that closes a resource. Every handle is made of owners and
// references.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Sole owner of one resource.
///
/// Policy gives `Value` (movable without an exception, comparable with `==`), `static Value null()`
/// and `static std::uint64_t close(Value)`, which returns 0 or an error value and throws nothing.
/// The destructor closes silently; close() tells. Move assignment closes the old resource at once.
/// To own a resource allocates nothing: right after the call that made it, it cannot be lost.
template <class Policy>
class [[nodiscard]] Owner {
 public:
  using Value = typename Policy::Value;
  static_assert(std::is_nothrow_move_constructible_v<Value> &&
                std::is_nothrow_move_assignable_v<Value>);

  Owner() noexcept = default;
  explicit Owner(Value value) noexcept : value_(std::move(value)) {}
  Owner(Owner&& other) noexcept : value_(other.release()) {}
  Owner& operator=(Owner&& other) noexcept {
    if (this != &other) {
      (void)close();
      value_ = other.release();
    }
    return *this;
  }
  ~Owner() { (void)close(); }

  [[nodiscard]] const Value& get() const noexcept { return value_; }
  [[nodiscard]] explicit operator bool() const noexcept { return !(value_ == Policy::null()); }

  /// Gives the resource up: the caller closes it from now on.
  [[nodiscard]] Value release() noexcept {
    Value given = std::move(value_);
    value_ = Policy::null();
    return given;
  }

  /// Closes now, at most once. Returns what the policy returned, 0 when there was nothing to close.
  std::uint64_t close() noexcept {
    if (!*this) return 0;
    return Policy::close(release());
  }

 private:
  Value value_ = Policy::null();
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE
