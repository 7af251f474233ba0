// read_decimal(): reads a float or double, for which libc++ has std::from_chars from 20 on only.
#pragma once

#include "qnnpp/config.hpp"

#include <cerrno>
#include <clocale>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Reads a text that is a decimal number, in any locale of the process. Empty for another text, and
/// for a number beyond the range of T.
template <std::floating_point T>
[[nodiscard]] std::optional<T> read_decimal(const std::string& text) {
  if (text.find_first_not_of("0123456789.+-eE") != std::string::npos) return std::nullopt;
  const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const locale_t before = ::uselocale(plain);
  const int error = std::exchange(errno, 0);
  char* end = nullptr;
  T number = 0;
  if constexpr (std::is_same_v<T, float>)
    number = std::strtof(text.c_str(), &end);
  else
    number = std::strtod(text.c_str(), &end);
  // A number so small that it lost digits is an ERANGE too.
  const bool fits = std::exchange(errno, error) != ERANGE || (number != 0 && std::isfinite(number));
  ::uselocale(before);
  if (plain != nullptr) ::freelocale(plain);
  if (text.empty() || end != text.data() + text.size() || !fits) return std::nullopt;
  return number;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
