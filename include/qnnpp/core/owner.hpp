// Owner<Policy>: the only class that closes a resource. Every handle consists of owners and Refs.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Sole owner of one resource.
///
/// Policy has a type `Value` (nothrow-movable, comparable with `==`), a function `static Value
/// null()` and a function `static std::uint64_t close(Value)`. close() returns 0 or an error value
/// and throws nothing.
///
/// The destructor closes the resource and ignores the error; close() returns it. Move assignment
/// closes the old resource at once. The constructor allocates nothing, so a new resource cannot
/// leak before it has an owner.
///
/// Threads: as for std::unique_ptr.
template <class Policy>
class [[nodiscard]] Owner {
 public:
  using Value = typename Policy::Value;  ///< Type of the resource's handle.
  static_assert(std::is_nothrow_move_constructible_v<Value> &&
                std::is_nothrow_move_assignable_v<Value>);

  /// Owns nothing.
  Owner() noexcept = default;
  /// Owns the resource `value`.
  explicit Owner(Value value) noexcept : value_(std::move(value)) {}
  /// Moves the resource out of `other`, which then owns nothing.
  Owner(Owner&& other) noexcept : value_(other.release()) {}
  /// Closes the old resource, then moves the resource out of `other`.
  Owner& operator=(Owner&& other) noexcept {
    if (this != &other) {
      (void)close();
      value_ = other.release();
    }
    return *this;
  }
  /// Closes the resource, if there is one, and ignores the error.
  ~Owner() { (void)close(); }

  /// Returns the handle; Policy::null() if this owns nothing.
  [[nodiscard]] const Value& get() const noexcept { return value_; }
  /// Returns whether this owns a resource.
  [[nodiscard]] explicit operator bool() const noexcept { return !(value_ == Policy::null()); }

  /// Returns the resource without closing it. The caller must close it.
  [[nodiscard]] Value release() noexcept {
    Value given = std::move(value_);
    value_ = Policy::null();
    return given;
  }

  /// Closes the resource now. Returns the value of Policy::close(); 0 if this owns nothing.
  std::uint64_t close() noexcept {
    if (!*this) return 0;
    return Policy::close(release());
  }

 private:
  Value value_ = Policy::null();
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
