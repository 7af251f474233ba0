// value_or_throw: errors as exceptions, for programs that want them. The only header that throws.
#pragma once

#include "qnnpp/config.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// An Error as an exception; what() is its message().
class Exception : public std::runtime_error {
 public:
  explicit Exception(Error error) : std::runtime_error(error.message()), error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

/// The value of a result, moved out; throws Exception where there is none.
template <class T>
T value_or_throw(Result<T>&& result) {
  if (!result) throw Exception(std::move(result).error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
