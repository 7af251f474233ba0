// Owner<Policy>: the one class that closes a resource. Every handle is made of owners and
// references.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <utility>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Sole owner of one resource.
///
/// Policy gives `Value` (copyable, comparable with `==`), `static Value null()` and
/// `static std::uint64_t close(Value)`, which returns 0 or an error value. The destructor closes
/// silently; close() tells. Move assignment closes the old resource at once.
template <class Policy>
class [[nodiscard]] Owner {
 public:
  using Value = typename Policy::Value;

  Owner() noexcept = default;
  explicit Owner(Value value) noexcept : value_(value) {}
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
