// Has one or two of everything that size.awk counts, and what it must not count.
#pragma once

#include <string>

#define QNNPP_COUNTED 1
#define QNNPP_COUNTED_TWICE(x) (x + x)
#define QNNPP_PASSING 2
#undef QNNPP_PASSING

namespace qnnpp::inline v1 {

class Declared;
enum class Enumeration { one, two };

/// Counts.
struct CountedOptions {
  static constexpr int limit = 3;
  using Function = int (*)(int);
  std::string name = "{not; a class Counted {";  ///< An option.
  [[nodiscard]] int sum() const { return values[0] + values[1]; }
  int values[2]{1, 2};  ///< An option.
  struct Inner {
    int not_counted = 0;
  };
};

/// Counts once.
template <class First, class Second = void>
class Template {};
template <>
class Template<int, void> final : public CountedOptions {};

namespace detail {
class Hidden {};
}  // namespace detail

inline int function(class Declared* object) {
  struct Local {};
  return object == nullptr ? 1 : 0;
}

}  // namespace qnnpp::inline v1

namespace other {

/// Does not count: it specializes another library's template.
template <>
struct other::formatter<int> {};

}  // namespace other
