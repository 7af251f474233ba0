// Names of the error codes. They come from the table of facts about the SDKs' headers.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace qnnpp::sim {

/// An enumerator of the C API.
struct Enumerator {
  std::string_view type;
  const char* name;
  std::int64_t number;  ///< in the newest SDK that has it
};

namespace detail {

/// Mark in the table an SDK that lacks the enumerator, and one of which that is not known.
inline constexpr std::int64_t none = -1, unseen = -2;

constexpr std::int64_t newest(std::initializer_list<std::int64_t> numbers) {
  std::int64_t last = none;
  for (const std::int64_t number : numbers)
    if (number >= 0) last = number;
  return last;
}

#define API(...)
#define NUMBERS(...) newest({__VA_ARGS__})
#define VALUE(type, enumerator, c_name, numbers) {#type, #type "::" #enumerator, numbers},
inline constexpr Enumerator enumerators[] = {
#include "abi/facts/error.inc"
};
#undef API
#undef NUMBERS
#undef VALUE

}  // namespace detail

/// Returns the enumerator of an error code, for example "ContextError::invalid_handle". NULL for an
/// unknown code. The text is static.
[[nodiscard]] inline const char* error_name(std::uint16_t code) noexcept {
  if (code == 0) return "success";
  const char* name = nullptr;
  // The last match, because the bound of a group comes before the first error of that group.
  for (const Enumerator& row : detail::enumerators)
    if (row.type.ends_with("Error") && row.number > 0 && (row.number & 0xFFFF) == code)
      name = row.name;
  return name;
}

}  // namespace qnnpp::sim
